//! Limits, plans, skills, lenses and the copies of a tree's keys, where the rules' pages do not reach.

use crate::small_tree::{TOOLS, found};

fn texts(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    found(rule, files).texts().into_iter().map(str::to_owned).collect()
}

#[test]
fn each_pair_of_limits_is_compared_where_both_are_stated() {
    let prices = "prices: {unknown: {input: 3.00 USD, output: 9.00 USD}}";
    for (text, found) in [
        ("limits: {run: {tokens: 5}, day: {tokens: 4}}", &["5"][..]),
        ("limits: {run: {tokens: 5}, day: {tokens: 5}}", &[]),
        ("limits: {run: {tokens: 5}}", &[]),
        ("limits: {run: {tool_calls: 3}, per_tool: {notes.find: {calls: 4}}}", &["4"]),
        ("limits: {run: {result_bytes: 1KiB}, per_tool: {notes.find: {result_bytes: 1025B}}}", &["1025B"]),
        ("limits: {run: {deadline: 60s}, per_tool: {notes.find: {timeout: 1m}}}", &[]),
        ("limits: {run: {deadline: 60s}, per_tool: {notes.find: {timeout: 61s}}}", &["61s"]),
        ("limits: {run: {steps: 2}}\nsurfaces: {d: {scopes: {d:r: {effects: [read], steps: 3}}}}", &["3"]),
        ("limits: {day: {cost: 1.00 USD}}", &["1.00 USD"]),
        (&format!("limits: {{day: {{cost: 1.00 USD}}, {prices}}}"), &[]),
        (&format!("limits: {{{prices}}}\nengines: {{model: m}}"), &["m"]),
        ("engines: {model: m}", &[]),
        (
            "limits: {prices: {m: {input: 1.00 USD, output: 10.00 USD}, unknown: {input: 3.00 USD, output: 9.00 USD}}}",
            &["10.00 USD"],
        ),
        ("limits: {prices: {unknown: {input: 3.00 USD, cached: 4.00 USD, output: 9.00 USD}}}", &["4.00 USD"]),
    ] {
        assert_eq!(texts("limits-inconsistent", &[("policies/l.yaml", text)]), found, "{text}");
    }
}

#[test]
fn both_figures_and_both_files_are_named() {
    let day = (
        "policies/b.yaml",
        "limits: {day: {cost: 0.50 USD}, prices: {unknown: {input: 1.00 USD, output: 1.00 USD}}}",
    );
    let cost = ("policies/a.yaml", "limits: {run: {cost: 1.25 USD}}");
    let both = found("limits-inconsistent", &[cost, day]);
    assert_eq!(both.only().message, "`limits.run.cost` is 1.25 USD, and `limits.day.cost` is only 0.50 USD");
    assert_eq!(both.labels(), [("`limits.day.cost` is reached first", "0.50 USD")]);
}

const PLAN: &str = "plan_templates: {p: {title: P, steps: {a: {tool: notes.find}, b: {tool: notes.change}, c: {tool: notes.change}}}}";

#[test]
fn the_cap_on_steps_is_the_largest_scope_within_the_run() {
    for (more, long) in [
        ("limits: {run: {steps: 3}}", false),
        ("limits: {run: {steps: 2}}", true),
        ("surfaces: {d: {scopes: {d:r: {effects: [read], steps: 2}}}}", true),
        (
            "surfaces: {d: {scopes: {d:r: {effects: [read], steps: 2}, d:w: {effects: [write], steps: 3}}}}",
            false,
        ),
        ("surfaces: {d: {scopes: {d:r: {effects: [read], steps: 2}, d:w: {effects: [write]}}}}", false),
        ("surfaces: {d: {scopes: {d:r: {effects: [read], steps: 2}}}, e: {origin: outside}}", false),
        ("approvals: {max_actions_per_run: 2}", false),
        ("approvals: {max_actions_per_run: 1}", true),
        ("", false),
    ] {
        let files = [("tools/t.yaml", TOOLS), ("policies/p.yaml", PLAN), ("policies/m.yaml", more)];
        assert_eq!(texts("plan-too-long", &files).len(), usize::from(long), "{more}");
    }
}

#[test]
fn a_step_that_says_its_case_is_that_case() {
    let tool = "tools: {note: {title: N, description: D., unbound: none, returns: none, cases: {then: {show: read, drop: write}}, input: {properties: {then: [show, drop]}}}}";
    let plan = |one: &str, other: &str| {
        let plan = format!(
            "plan_templates: {{p: {{title: P, steps: {{a: {{tool: note{one}}}, b: {{tool: note{other}}}}}}}}}\napprovals: {{max_actions_per_run: 1}}"
        );
        texts("plan-too-long", &[("tools/t.yaml", tool), ("policies/p.yaml", &plan)]).len()
    };
    let (show, drop) = (", input: {then: show}", ", input: {then: drop}");
    assert_eq!((plan(show, show), plan(show, drop), plan("/show", "/drop")), (0, 0, 0));
    assert_eq!((plan(drop, drop), plan("/drop", drop), plan("", "")), (1, 1, 1));
}

#[test]
fn plans_and_skills_lie_within_each_toolset_that_has_them() {
    let harness = |tools: &str| {
        format!("harnesses: {{h: {{title: H, toolset: [{tools}], plan_templates: [p], skills: [s]}}}}")
    };
    let skill = "skills: {s: {title: S, version: 1, tools: [notes.find], tool: notes.change}}";
    let check = |rule: &str, tools: &str| {
        let harness = harness(tools);
        let files = [
            ("tools/t.yaml", TOOLS),
            ("policies/p.yaml", PLAN),
            ("policies/s.yaml", skill),
            ("harnesses/h.yaml", &*harness),
        ];
        texts(rule, &files)
    };
    for (rule, named) in [("plan-outside-toolset", "p"), ("skill-outside-toolset", "s")] {
        assert_eq!(check(rule, "notes.find"), [named]);
        assert_eq!(check(rule, "notes.find, notes.change"), [""; 0]);
        assert_eq!(check(rule, "notes.find, notes.chang"), [""; 0], "a toolset in doubt is not judged");
    }
}

#[test]
fn a_step_that_names_a_tool_with_cases_needs_one_and_a_skill_needs_all() {
    let tool = "tools: {note: {title: N, description: D., unbound: none, returns: none, cases: {then: {keep: write, drop: destructive}}, input: {properties: {then: [keep, drop]}}}}";
    let harness = "harnesses: {h: {title: H, toolset: [note/keep], plan_templates: [p], skills: [s]}}";
    let check = |rule: &str, named: &str| {
        let work = format!(
            "plan_templates: {{p: {{title: P, steps: {{a: {{tool: {named}}}}}}}}}\nskills: {{s: {{title: S, version: 1, tools: [{named}]}}}}"
        );
        texts(rule, &[("tools/t.yaml", tool), ("policies/w.yaml", &work), ("harnesses/h.yaml", harness)])
    };
    assert_eq!(check("plan-outside-toolset", "note"), [""; 0]);
    assert_eq!(check("plan-outside-toolset", "note/drop"), ["p"]);
    assert_eq!(check("skill-outside-toolset", "note"), ["s"]);
    assert_eq!(check("skill-outside-toolset", "note/keep"), [""; 0]);
}

#[test]
fn a_duty_is_held_to_the_harness_it_is_worn_with() {
    let duty = "duty_templates: {d: {persona: x, when_wearing: h, plan: p}}";
    let harness = "harnesses: {h: {title: H, toolset: [notes.find]}}";
    let files = [
        ("tools/t.yaml", TOOLS),
        ("policies/p.yaml", PLAN),
        ("policies/d.yaml", duty),
        ("harnesses/h.yaml", harness),
    ];
    assert_eq!(texts("plan-outside-toolset", &files), ["p"]);
}

#[test]
fn a_lens_reads_also_through_toolsets_and_no_duty_runs_it() {
    let review = "lens_reviews: {d: {lenses: [h], records: [r], tools: [{toolset: all}], phrase: \"A lens is not a review. Only a {role} reviews.\", view: {rows: criteria, columns: lenses, first: Lenses disagree here}}}\nrecord_types: {r: {title: R, check_input: true, attachment: true}}\ntoolsets: {all: [notes.find, notes.change]}\nduty_templates: {y: {persona: x, plan: d}}";
    let files = [("tools/t.yaml", TOOLS), ("policies/l.yaml", review)];
    let writes = found("lens-review-writes", &files);
    assert_eq!(writes.texts(), ["all"]);
    assert_eq!(writes.labels(), [("named here", "notes.change"), ("`notes.change` is a write", "write")]);
    assert_eq!(texts("lens-review-verdict", &files), ["r", "r", "d"]);
}

#[test]
fn the_words_of_closed_lists_are_exact() {
    let release = |word: &str| {
        let text = format!("release: {{unsupported: {{fields: [{word}]}}}}");
        texts("release-leaks", &[("policies/r.yaml", &text)])
    };
    assert_eq!(release("limitations"), [""; 0]);
    assert_eq!(release("Limitations"), ["Limitations"]);
    let audit = ("policies/a.yaml", "audit: {tool_call: [input], trace: [run]}");
    assert_eq!(texts("audit-payload", &[audit]), ["input", "run"]);
    let slip = found("audit-payload", &[("policies/a.yaml", "audit: {tool_call: [duration-ms]}")]);
    assert_eq!(slip.fixed(), "audit: {tool_call: [duration_ms]}");
}

const HARNESSES: &str =
    "harnesses: {a: {title: A, toolset: [notes.find]}, b: {title: B, toolset: [notes.find]}}";

fn mirrored(rule: &str, pattern: &str, file: &str, copy: &str) -> Vec<String> {
    let manifest = format!(
        "[policy]\nname = \"n\"\n[[mirror]]\nof = \"harnesses\"\nfile = \"{file}\"\npattern = '''{pattern}'''\n"
    );
    let files = [("harness.toml", &*manifest), ("harnesses/h.yaml", HARNESSES), ("copy.txt", copy)];
    found(rule, &files).texts().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_copy_names_the_same_keys_in_any_order_and_each_once() {
    let pattern = r"(?s)KEYS=\((?<keys>.*?)\)";
    for (copy, bad) in [
        ("KEYS=(a b)", false),
        ("KEYS=(\n b\n a\n)", false),
        ("KEYS=('b', \"a\") # c", false),
        ("KEYS=(a)", true),
        ("KEYS=(a b c)", true),
        ("KEYS=(a b a)", true),
        ("KEYS=()", true),
    ] {
        assert_eq!(mirrored("count-mismatch", pattern, "copy.txt", copy).len(), usize::from(bad), "{copy}");
        assert_eq!(mirrored("bad-mirror", pattern, "copy.txt", copy), [""; 0], "{copy}");
    }
}

#[test]
fn the_keys_that_differ_are_named_with_both_files() {
    let manifest = "[policy]\nname = \"n\"\n[[mirror]]\nof = \"harnesses\"\nfile = \"copy.txt\"\npattern = 'K=(?<keys>.*)'\n";
    let files = [("harness.toml", manifest), ("harnesses/h.yaml", HARNESSES), ("copy.txt", "K=a c")];
    let found = found("count-mismatch", &files);
    assert_eq!(
        found.only().message,
        "`copy.txt` repeats `harnesses`: it lacks `b` and names `c`, which the tree does not define"
    );
    assert_eq!(
        found.labels(),
        [("held in step by this mirror", "\"harnesses\""), ("missing there", "b"), ("not in the tree", "c")]
    );
}

#[test]
fn a_mirror_that_cannot_be_read_is_said_once_and_compared_never() {
    let group = "K=(?<keys>.*)";
    for (pattern, file, copy) in [
        (group, "none.txt", "K=a b"),
        (group, "../copy.txt", "K=a b"),
        (group, "/copy.txt", "K=a b"),
        ("K=(", "copy.txt", "K=a b"),
        ("K=(.*)", "copy.txt", "K=a b"),
        ("K=(?<names>.*)", "copy.txt", "K=a b"),
        (group, "copy.txt", "L=a b"),
        (group, "copy.txt", "K=a\nK=b"),
    ] {
        assert_eq!(mirrored("bad-mirror", pattern, file, copy).len(), 1, "{pattern} {file} {copy}");
        assert_eq!(mirrored("count-mismatch", pattern, file, copy), [""; 0], "{pattern} {file} {copy}");
    }
}

#[test]
fn what_is_counted_is_every_key_of_a_section_over_all_files() {
    let check = |expect: &str, extra: &str| {
        let manifest = format!("[policy]\nname = \"n\"\n[expect]\n{expect}\n");
        let files =
            [("harness.toml", &*manifest), ("harnesses/h.yaml", HARNESSES), ("policies/x.yaml", extra)];
        texts("count-mismatch", &files)
    };
    let third = "harnesses: {c: {title: C, toolset: [notes.find]}}";
    assert_eq!(check("harnesses = 2", ""), [""; 0]);
    assert_eq!(check("harnesses = 2", third), ["2"]);
    assert_eq!(check("harnesses = 3", third), [""; 0]);
    assert_eq!(check("skills = 0", ""), [""; 0]);
    assert_eq!(check("skills = 1", ""), ["1"]);
    assert_eq!(check("limits = 1", ""), ["limits"], "fields are no definitions");
    assert_eq!(check("harness = 1", ""), [""; 0], "no section of that name, which is said elsewhere");
    assert_eq!(check("harnesses = 3", "harnesses: {c: ["), [""; 0], "a file that does not parse explains it");
}

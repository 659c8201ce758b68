//! What names, prompts and rubrics may not say, where the rules' pages do not reach.

use harnessc::diagnostic::Applicability;

use crate::small_tree::{TOOLS, found};

const REFUSAL: &str =
    "refusals: {quiet: {line: Never send., forbidden_verbs: [send], forms: {send: [sent]}, optional: true}}";

fn tool(name: &str, rest: &str) -> String {
    format!(
        "tools: {{{name}: {{title: A note, description: A note., unbound: none, returns: none, {rest}}}}}"
    )
}

const WRITE: &str = "effect: write, input: {properties: {n: {type: integer}}}";

fn verbs(tools: &str, harnesses: &str) -> Vec<String> {
    let files = [("policies/r.yaml", REFUSAL), ("tools/t.yaml", tools), ("harnesses/h.yaml", harnesses)];
    found("forbidden-verb", &files).texts().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_verb_counts_in_the_name_that_is_held_under_the_refusal() {
    let holds = |list: &str| format!("harnesses: {{h: {{title: H, toolset: [{list}]}}}}");
    for (name, word) in
        [("note.send", "send"), ("noteSent", "Sent"), ("SENDS", "SENDS"), ("a-sending_b", "sending")]
    {
        assert_eq!(verbs(&tool(name, WRITE), &holds(name)), [word], "{name}");
    }
    for name in ["resend", "sender", "records.end", "sentence"] {
        assert_eq!(verbs(&tool(name, WRITE), &holds(name)), [""; 0], "{name}");
    }
    let other = "harnesses: {h: {title: H, toolset: [send], refusal_rules: [none]}}";
    assert_eq!(verbs(&tool("send", WRITE), other), [""; 0], "an optional refusal that is not borne");
    assert_eq!(verbs(&tool("send", WRITE), "toolsets: {t: [send]}"), [""; 0], "held by no harness");
}

#[test]
fn a_verb_that_no_name_could_bear_is_refused() {
    let stated = |verbs: &str| {
        let text = format!("refusals: {{quiet: {{line: Never., forbidden_verbs: {verbs}, optional: true}}}}");
        found("wrong-type", &[("policies/r.yaml", &text)]).texts().len()
    };
    for verb in ["sign off", "sign-off", "signOff", "send2", "' '", "'4'"] {
        assert_eq!(stated(&format!("[{verb}]")), 1, "{verb}");
        assert_eq!(stated(&format!("[send], forms: {{send: [{verb}]}}")), 1, "{verb} as a form");
    }
    for verb in ["sign", "SEND", "prüfen", "' send '"] {
        assert_eq!(stated(&format!("[{verb}]")), 0, "{verb}");
    }
}

#[test]
fn forms_belong_to_a_verb_that_is_forbidden() {
    let stated = |rest: &str| {
        let text = format!("refusals: {{quiet: {{line: Never., {rest}, optional: true}}}}");
        let found = found("unknown-reference", &[("policies/r.yaml", &text)]);
        found.texts().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(stated("forbidden_verbs: [send], forms: {sned: [sent]}"), ["sned"]);
    assert_eq!(stated("forms: {send: [sent]}"), ["send"]);
    assert_eq!(stated("forbidden_verbs: [send], forms: {send: [sent]}"), [""; 0]);
}

#[test]
fn a_case_counts_where_it_is_held() {
    let cases =
        tool("note", "cases: {then: {keep: write, send: write}}, input: {properties: {then: [keep, send]}}");
    let holds = |list: &str| format!("harnesses: {{h: {{title: H, toolset: [{list}]}}}}");
    assert_eq!(verbs(&cases, &holds("note")), ["send"]);
    assert_eq!(verbs(&cases, &holds("note/send")), ["send"]);
    assert_eq!(verbs(&cases, &holds("note/keep")), [""; 0]);
    assert_eq!(verbs(&cases, &holds("{tool: note, cases: [keep]}")), [""; 0]);
}

#[test]
fn a_verb_in_other_letters_or_in_its_past_is_the_verb() {
    let holds = "harnesses: {h: {title: H, toolset: [note]}}";
    for title in ["S\u{435}nd it", "\u{ff33}\u{ff45}\u{ff4e}\u{ff44} it", "Sénd it", "Sent notes"] {
        let text = tool("note", WRITE).replace("A note,", &format!("{title},"));
        assert_eq!(verbs(&text, holds).len(), 1, "{title}");
    }
    for title in ["Sender's notes", "S\u{435}nior notes", "Séance"] {
        let text = tool("note", WRITE).replace("A note,", &format!("{title},"));
        assert_eq!(verbs(&text, holds), [""; 0], "{title}");
    }
}

#[test]
fn one_tool_is_one_finding_however_many_hold_it() {
    let harnesses = "harnesses: {a: {title: A, toolset: [send]}, b: {title: B, toolset: [send]}}";
    let files = [
        ("policies/r.yaml", REFUSAL),
        ("tools/t.yaml", &tool("send", WRITE).replace("A note,", "Send it,")),
        ("harnesses/h.yaml", harnesses),
    ];
    let found = found("forbidden-verb", &files);
    assert_eq!(
        found.labels(),
        [
            ("and here", "Send"),
            ("refusal `quiet` forbids it", "send"),
            ("`a` and one more harness hold it", "send")
        ]
    );
}

#[test]
fn another_name_for_an_outside_tool_hides_nothing() {
    let pinned = r#"{"tools": [{"name": "send_mail", "inputSchema": {"type": "object", "properties": {"how": {"type": "string", "enum": ["sent", "kept"]}}}}]}"#;
    let files = [
        ("policies/r.yaml", REFUSAL),
        ("vendor/mail.json", pinned),
        (
            "tools/t.yaml",
            "servers: {mail: {tools: vendor/mail.json}}\ntools: {pass_on: {from: mail/send_mail, title: Pass on, effect: write}}",
        ),
        ("harnesses/h.yaml", "harnesses: {h: {title: H, toolset: [pass_on]}}"),
    ];
    assert_eq!(found("forbidden-verb", &files).texts(), ["send"]);
    let value = found("forbidden-verb-input", &files);
    assert_eq!(value.texts(), ["pass_on"], "beside the overlay, where the waiver stands");
    assert_eq!(value.labels()[0], ("the verb", "sent"));
}

#[test]
fn a_value_counts_unless_the_harness_narrows_it_away() {
    let input = "input: {properties: {how: {type: array, items: {enum: [send, keep]}}, then: {const: sent}, why: kind}}";
    let text =
        format!("types: {{kind: [sending, other]}}\n{}", tool("note", &format!("effect: write, {input}")));
    let values = |item: &str| {
        let harness = format!("harnesses: {{h: {{title: H, toolset: [{item}]}}}}");
        let files = [("policies/r.yaml", REFUSAL), ("tools/t.yaml", &*text), ("harnesses/h.yaml", &*harness)];
        found("forbidden-verb-input", &files).texts().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(values("note"), ["sending", "send", "sent"]);
    assert_eq!(values("{tool: note, only: {how: {items: {enum: [keep]}}}}"), ["sending", "sent"]);
    assert_eq!(values("{tool: note, only: {why: [other]}}"), ["send", "sent"]);
    assert_eq!(values("{tool: note, only: {why: {const: other}, how: {items: [keep]}}}"), ["sent"]);
    assert_eq!(values("{tool: note, only: {why: {maxLength: 9}}}"), ["sending", "send", "sent"]);
}

const TWO: &str = "refusals:\n  one: {line: Say one thing.}\n  two: {line: Say two things.}\n";

fn refusals(prompt: &str) -> Vec<String> {
    let files = [("policies/r.yaml", TWO), ("prompts/v1/refusals.txt", prompt)];
    found("refusal-line-missing", &files).texts().into_iter().map(str::to_owned).collect()
}

#[test]
fn bullets_blanks_and_line_ends_do_not_count() {
    for prompt in [
        "Say one thing.\nSay two things.\n",
        "- Say one thing.\r\n\r\n* Say two things.",
        "\n  - Say one thing.  \n\n- Say two things.\n",
    ] {
        assert_eq!(refusals(prompt), [""; 0], "{prompt:?}");
    }
}

#[test]
fn every_other_difference_does_and_the_fix_mends_it() {
    for (prompt, texts) in [
        ("", &["Say one thing.", "Say two things."][..]),
        ("- Say one thing.\n", &["Say two things."]),
        ("- Say one thing\n- Say two things.\n", &["Say one thing"]),
        ("- Say two things.\n- Say one thing.\n", &["Say two things."]),
        ("Say one thing.\nSay one thing.\nSay two things.\n", &["Say one thing."]),
        ("Say one thing.\nSay two things.\nSay two things.\n", &["Say two things."]),
        ("# Refusals\nSay one thing.\nSay two things.\n", &["# Refusals"]),
    ] {
        assert_eq!(refusals(prompt), texts, "{prompt:?}");
        let files = [("policies/r.yaml", TWO), ("prompts/v1/refusals.txt", prompt)];
        let fixed = found("refusal-line-missing", &files).fixed();
        assert_eq!(refusals(&fixed), [""; 0], "{prompt:?} became {fixed:?}");
        assert_eq!(fixed.starts_with("- "), prompt.is_empty() || prompt.starts_with("- "), "{fixed:?}");
    }
}

#[test]
fn a_line_is_the_line_of_one_refusal() {
    let twins = "refusals:\n  one: {line: Say one thing.}\n  two: {line: \"Say one thing. \"}\n";
    let files = [("policies/r.yaml", twins), ("prompts/v1/refusals.txt", "Say one thing.\nSay one thing.\n")];
    assert_eq!(
        found("refusal-line-missing", &files).only().message,
        "refusals `one` and `two` have one line"
    );
}

#[test]
fn a_line_that_nobody_stated_goes_only_when_a_person_looks() {
    let safe = |prompt: &str| {
        let files = [("policies/r.yaml", TWO), ("prompts/v1/refusals.txt", prompt)];
        found("refusal-line-missing", &files)
            .only()
            .fixes
            .iter()
            .all(|fix| fix.applicability == Applicability::Safe)
    };
    assert!(safe("- Say one thing.\n"));
    assert!(safe("- Say one thing.\n- Say two thinks.\n"), "a line worded in another way");
    assert!(!safe("- Say one thing.\n- Say two things.\n- Never lie about results.\n"));
}

#[test]
fn refusals_without_a_place_in_the_prompt_are_said() {
    let bare = ("harness.toml", "[policy]\nname = \"n\"\n");
    assert_eq!(found("refusal-line-missing", &[bare, ("policies/r.yaml", TWO)]).texts(), ["one"]);
    assert_eq!(found("refusal-line-missing", &[("policies/r.yaml", TWO)]).texts(), ["one"]);
    let lines = ("prompts/v1/refusals.txt", "Say one thing.\nSay two things.\n");
    let order = ("policies/p.yaml", "prompt: {order: [harness]}");
    assert_eq!(
        found("refusal-line-missing", &[("policies/r.yaml", TWO), lines, order]).texts(),
        ["[harness]"]
    );
    let long = ("policies/r.yaml", "refusals:\n  one:\n    line: |\n      Say one\n      thing.\n");
    let found = found("refusal-line-missing", &[long, lines]);
    assert!(found.only().message.contains("several lines"));
}

#[test]
fn a_list_of_refusals_is_mended_only_where_it_takes_nothing_back() {
    let harness =
        |list: &str| format!("harnesses: {{h: {{title: H, toolset: [notes.find], refusal_rules: {list}}}}}");
    let refusals = format!("{TWO}  extra: {{line: Say three things., optional: true}}\n");
    let check = |list: &str| {
        let harness = harness(list);
        found("refusals-incomplete", &[("policies/r.yaml", &refusals), ("harnesses/h.yaml", &harness)])
    };
    assert_eq!(check("all").texts(), [""; 0]);
    assert_eq!(check("[one, two]").texts(), [""; 0]);
    assert!(check("[one]").only().fixes.is_empty(), "`all` would take the optional one back in");
    assert_eq!(check("[one, extra]").fixed(), harness("all"));
    assert_eq!(check("[one, twoo]").texts(), [""; 0], "the misspelt name is said, and nothing besides");
}

#[test]
fn a_prompt_is_held_against_the_refusals_beside_it() {
    let harness = |rules: &str| {
        format!(
            "harnesses: {{h: {{title: H, toolset: [notes.find], prompt_ref: h.txt, refusal_rules: {rules}}}}}"
        )
    };
    let check = |rules: &str, path: &str, more: &str| {
        let harness = harness(rules);
        let files = [
            ("policies/r.yaml", REFUSAL),
            ("policies/more.yaml", more),
            ("harnesses/h.yaml", &*harness),
            (path, "Send it."),
            ("prompts/v1/unused.txt", "Send it."),
        ];
        found("refusal-contradicted", &files).texts().len()
    };
    assert_eq!(check("all", "prompts/v1/h.txt", ""), 1);
    assert_eq!(check("[nothing]", "prompts/v1/h.txt", ""), 0, "not borne");
    let skill = "skills: {s: {title: S, version: 1, tools: [notes.find], instructions: s.txt}}";
    assert_eq!(check("all", "prompts/v1/s.txt", skill), 1);
    assert_eq!(check("all", "prompts/v1/lenses.txt", "prompt: {order: [refusals, lenses]}"), 1);
    assert_eq!(check("all", "prompts/v1/refusals.txt", ""), 0, "its lines are the refusals themselves");
}

#[test]
fn a_prompt_in_the_wrong_place_is_named() {
    let check = |path: &str| {
        let harness = format!("harnesses: {{h: {{title: H, toolset: [notes.find], prompt_ref: {path}}}}}");
        let files =
            [("tools/t.yaml", TOOLS), ("harnesses/h.yaml", &harness), ("prompts/v1/harness/h.txt", "Hello.")];
        let found = found("prompt-missing", &files);
        if found.texts().is_empty() { None } else { Some(found.only().primary.text.clone()) }
    };
    assert_eq!(check("harness/h.txt"), None);
    let meant = Some("did you mean `harness/h.txt`?".to_owned());
    assert_eq!(check("harnes/h.txt"), meant);
    assert_eq!(check("v1/harness/h.txt"), meant);
    assert_eq!(check("prompts/v1/harness/h.txt"), meant);
    assert_eq!(check("harness/quite_another.txt"), Some("no such file".to_owned()));
    for path in ["../harness/other.txt", "/etc/passwd", "harness//h.txt", "./harness/h.txt"] {
        assert_eq!(check(path), Some("leads elsewhere".to_owned()), "{path}");
    }
}

#[test]
fn a_name_of_the_prompt_s_own_parts_is_no_path() {
    let check = |path: &str| {
        let harness = format!("harnesses: {{h: {{title: H, toolset: [notes.find], prompt_ref: {path}}}}}");
        let text = format!("prompts/v1/{path}");
        let files = [("tools/t.yaml", TOOLS), ("harnesses/h.yaml", &*harness), (&*text, "Hello.")];
        found("prompt-missing", &files).texts().len()
    };
    for path in ["refusals.txt", "refusals/h.txt", "lenses.txt", "status.txt", "memory.txt", "window.txt"] {
        assert_eq!(check(path), 1, "{path}");
    }
    for path in ["harness.txt", "harness/memory.txt", "refusals_of_h.txt", "skills/status.txt"] {
        assert_eq!(check(path), 0, "{path}");
    }
}

#[test]
fn an_order_carries_the_prompts_of_the_harnesses() {
    let harness = "harnesses: {h: {title: H, toolset: [notes.find], prompt_ref: h.txt}}";
    let check = |order: &str| {
        let files = [
            ("tools/t.yaml", TOOLS),
            ("harnesses/h.yaml", harness),
            ("policies/p.yaml", order),
            ("prompts/v1/h.txt", "Hello."),
        ];
        found("prompt-missing", &files).texts().len()
    };
    assert_eq!(check("prompt: {order: [planning]}"), 1);
    assert_eq!(check("prompt: {order: [planning, harness]}"), 0);
    assert_eq!(check("prompt: {volatile: [memory]}"), 0);
    let bare = found("prompt-missing", &[("policies/p.yaml", "prompt: {order: [planning]}")]);
    assert_eq!(bare.texts(), [""; 0], "no harness has a prompt");
}

#[test]
fn lenses_are_asked_for_by_the_order_alone_and_used_by_a_review_too() {
    let review = "lens_reviews: {d: {lenses: [h], records: [r], phrase: \"A lens is not a review. Only a {role} reviews.\", view: {rows: criteria, columns: lenses, first: Here}}}";
    let order = "prompt: {order: [lenses]}";
    let text = ("prompts/v1/lenses.txt", "Read.");
    assert_eq!(found("prompt-missing", &[("policies/p.yaml", review)]).texts(), [""; 0]);
    assert_eq!(found("prompt-missing", &[("policies/p.yaml", order)]).texts(), ["lenses"]);
    for asking in [review, order] {
        assert_eq!(found("prompt-unreferenced", &[("policies/p.yaml", asking), text]).texts(), [""; 0]);
    }
    assert_eq!(found("prompt-unreferenced", &[text]).texts(), ["Read."]);
}

#[test]
fn parts_without_a_word_on_what_changes_have_a_default() {
    let check = |prompt: &str| {
        let files = [("policies/p.yaml", prompt)];
        found("prompt-order", &files).texts().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(check("prompt: {order: [harness, memory, window]}"), [""; 0]);
    assert_eq!(check("prompt: {order: [window, harness]}"), ["window"]);
    assert_eq!(check("prompt: {order: [window, harness], volatile: [memory]}"), [""; 0]);
    let block = "prompt:\n  order:\n    - status\n    - harness\n";
    assert!(found("prompt-order", &[("policies/p.yaml", block)]).only().fixes.is_empty());
    let line =
        found("prompt-order", &[("policies/p.yaml", "prompt: {order: [status, harness, memory, lenses]}")]);
    assert_eq!(line.fixed(), "prompt: {order: [harness, lenses, status, memory]}");
}

#[test]
fn verdicts_are_whole_words_and_prose_only_warns() {
    let rubric = |key: &str, criterion: &str, asks: &str| {
        let text = format!(
            "rubrics: {{{key}: {{version: 1, criteria: {{{criterion}: {{asks: {asks}, evidence_required: A record}}}}}}}}"
        );
        let found = found("verdict-word", &[("rubrics/r.yaml", &text)]);
        let texts: Vec<String> = found.texts().into_iter().map(str::to_owned).collect();
        (texts, found.levels())
    };
    let nothing = (Vec::new(), Vec::new());
    assert_eq!(rubric("bypass", "failure_rate", "What passes through?"), nothing);
    assert_eq!(rubric("a.pass", "b", "Why?"), (vec!["pass".to_owned()], vec!["forbid"]));
    assert_eq!(rubric("a", "nonCompliant", "Why?"), (vec!["Compliant".to_owned()], vec!["forbid"]));
    assert_eq!(rubric("a", "b", "Is it Rejected?"), (vec!["Rejected".to_owned()], vec!["warn"]));
    let levels =
        "rubrics: {a: {version: 1, levels: [weak, good], criteria: {b: {asks: Why?, evidence_required: R}}}}";
    let found = found("verdict-word", &[("rubrics/r.yaml", levels)]);
    assert_eq!((found.texts(), found.levels()), (vec!["good"], vec!["forbid"]));
}

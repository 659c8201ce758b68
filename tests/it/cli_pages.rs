//! `graph`, `report` and `gen`, and the page of `diff`: what they draw, what they escape, that they load nothing.

use std::process::Command;

use serde_json::Value;

use crate::cli_common::Scratch;

fn stdout(scratch: &Scratch, arguments: &[&str]) -> String {
    let output = scratch.run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The small tree with texts that would act wherever they are shown.
fn hostile() -> Scratch {
    let scratch = Scratch::small();
    let text =
        r#"'</title></pre></style><script>alert(1)</script><img src=x onerror="f()"> "] --> %% */ \" `x`'"#;
    scratch.edit("tools/tickets.yaml", "title: Search tickets", &format!("title: {text}"));
    scratch.edit("tools/tickets.yaml", "The customer's own words.", "<script>alert(2)</script>");
    scratch.edit("harnesses/triager.yaml", "title: Triager", &format!("title: {text}"));
    scratch.edit("policies/people.yaml", "title: Agent,", "title: '<script>alert(3)</script>',");
    scratch
}

/// Nothing on the page is run or fetched.
fn inert(text: &str) {
    for mark in ["<script", "<img", "<iframe", "<link", "onerror=\"", "onload", "url(", "@import", "src="] {
        let shown = text.replace("&lt;img src=x onerror=", "");
        assert!(!shown.contains(mark), "`{mark}` stands in the page");
    }
    assert!(text.contains("default-src 'none'") || text.starts_with("<svg"));
}

#[test]
fn a_graph_is_drawn_in_each_language() {
    let scratch = Scratch::small();
    insta::assert_snapshot!("dot", stdout(&scratch, &["graph"]));
    insta::assert_snapshot!("mermaid", stdout(&scratch, &["graph", "mermaid", "--focus", "triager"]));
    insta::assert_snapshot!("short", stdout(&scratch, &["graph", "--format", "short"]));
    let json: Value = serde_json::from_str(&stdout(&scratch, &["graph", "--format", "json"])).unwrap();
    assert_eq!((&json["version"], &json["policy"]), (&Value::from(1), &Value::from("desk")));
    let svg = stdout(&scratch, &["graph", "svg"]);
    assert_eq!(svg.matches("<rect").count(), json["nodes"].as_array().unwrap().len());
    assert_eq!(svg, stdout(&scratch, &["graph", "svg"]));
}

#[test]
fn a_focus_keeps_what_leads_there_and_on() {
    let scratch = Scratch::small();
    let of = |key: &str| stdout(&scratch, &["graph", "--format", "short", "--focus", key]);
    let close = of("tickets.close");
    assert!(close.contains("harness:closer") && close.contains("persona:lead"), "{close}");
    assert!(!close.contains("triager") && !close.contains("tool:tickets.label"), "{close}");
    assert_eq!(of("harness:closer"), of("closer"));
    let output = scratch.run(&["graph", "--focus", "closr"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("did you mean `closer`?"));
}

#[test]
fn no_text_acts_in_a_drawing() {
    let scratch = hostile();
    inert(&stdout(&scratch, &["graph", "svg"]));
    let dot = stdout(&scratch, &["graph", "dot"]);
    assert!(dot.contains(r#"<img src=x onerror=\"f()\"> \"] --> %% */ \\\" `x`"#), "{dot}");
    let mermaid = stdout(&scratch, &["graph", "mermaid"]);
    assert!(!mermaid.contains('<') && !mermaid.contains("script"), "{mermaid}");
}

#[test]
fn auditors_get_every_page_and_no_text_acts_there() {
    let links = regex::Regex::new("href=\"([^\"#]+)\"").unwrap();
    let anchors = regex::Regex::new("href=\"#([^\"]+)\"").unwrap();
    for scratch in [Scratch::small(), hostile()] {
        let single = stdout(&scratch, &["report", "--html"]);
        inert(&single);
        stdout(&scratch, &["report", "--html", "-o", "site"]);
        stdout(&scratch, &["report", "--html", "-o", "one.html"]);
        assert_eq!(scratch.read("one.html"), single.as_bytes());
        for page in [
            "index.html",
            "approvals.html",
            "harness/triager.html",
            "harness/closer.html",
            "harness/none-.html",
            "tool/tickets.search.html",
            "tool/tickets.close.html",
        ] {
            let text = String::from_utf8(scratch.read(&format!("site/{page}"))).unwrap();
            inert(&text);
            let folder = std::path::Path::new(page).parent().unwrap();
            for link in links.captures_iter(&text) {
                let path = scratch.at("site").join(folder).join(&link[1]);
                assert!(path.is_file(), "{page} leads to {}", &link[1]);
            }
        }
        for anchor in anchors.captures_iter(&single) {
            assert!(single.contains(&format!("id=\"{}\"", &anchor[1])), "#{}", &anchor[1]);
        }
    }
}

#[test]
fn a_page_says_what_the_lock_says() {
    let scratch = Scratch::small();
    stdout(&scratch, &["build"]);
    stdout(&scratch, &["report", "--html", "-o", "site"]);
    let page = |path: &str| String::from_utf8(scratch.read(&format!("site/{path}"))).unwrap();
    let lock = String::from_utf8(scratch.read("harness.lock")).unwrap();
    let digest = &lock[11..82];
    assert!(page("index.html").contains(digest) && page("index.html").contains("all 20 hold"));
    let closer = page("harness/closer.html");
    assert!(closer.contains("four eyes") && closer.contains("You never send anything yourself."), "{closer}");
    assert!(page("approvals.html").contains("tickets.label/add"));
    assert!(page("tool/tickets.close.html").contains("maxLength"));
}

#[test]
fn the_page_of_a_comparison_shows_both_sides_and_runs_nothing() {
    let scratch = hostile();
    stdout(&scratch, &["build", "-o", "before.lock"]);
    scratch.edit("tools/tickets.yaml", "    approval: four_eyes\n", "");
    let output = scratch.run(&["diff", "before.lock", "--format", "html"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    inert(&text);
    assert!(text.contains("<a class=\"pair widened\" href=\"#c0\""), "{text}");
    assert!(text.contains("closer / tickets.close: four_eyes → confirm") && text.contains("id=\"c0\""));
    let same = stdout(&scratch, &["diff", ".", "--format", "html"]);
    assert!(same.contains("no change in authority") && !same.contains("class=\"pair widened\""));
}

#[test]
fn generated_names_are_held_against_the_policy() {
    let scratch = Scratch::small();
    for (language, file) in [("rust", "keys.rs"), ("python", "keys.py"), ("typescript", "keys.ts")] {
        let missing = scratch.run(&["gen", language, "--out", file, "--check"]);
        assert_eq!(missing.status.code(), Some(1));
        stdout(&scratch, &["gen", language, "--out", file]);
        stdout(&scratch, &["gen", language, "--out", file, "--check"]);
        insta::assert_snapshot!(language, stdout(&scratch, &["gen", language]));
    }
    scratch.edit("harnesses/closer.yaml", "title: Ticket closer", "title: Closer of tickets");
    let output = scratch.run(&["gen", "rust", "--out", "keys.rs", "--check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stderr).unwrap().contains("`harnessc gen rust -o keys.rs` writes it anew")
    );
}

/// Rust's own compiler is at hand wherever these tests are; Python's may be.
#[test]
fn generated_names_compile_without_a_warning() {
    let scratch = hostile();
    scratch.edit("policies/people.yaml", "<script>alert(3)</script>", "Agent [x] <b> https://x.example `y");
    stdout(&scratch, &["gen", "rust", "-o", "keys.rs"]);
    scratch.write("main.rs", "mod keys;\nfn main() {}\n");
    let done = |program: String, arguments: &[&str]| {
        Command::new(program).args(arguments).current_dir(scratch.path()).output()
    };
    let compiler = |variable: &str, usual: &str| std::env::var(variable).unwrap_or_else(|_| usual.to_owned());
    // As a library, and as a module of a program that uses none of it.
    for arguments in [["--crate-type", "lib", "keys.rs"], ["--crate-type", "bin", "main.rs"]] {
        let own = ["--edition", "2024", "-D", "warnings", "--emit", "metadata"];
        let done = done(compiler("RUSTC", "rustc"), &[&own[..], &arguments].concat()).unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let own = ["--edition", "2024", "--crate-type", "lib", "-D", "warnings", "-D", "rustdoc::all", "keys.rs"];
    let own = [&own[..], &["-A", "rustdoc::missing_crate_level_docs"]].concat();
    if let Ok(done) = done(compiler("RUSTDOC", "rustdoc"), &own) {
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let page = std::fs::read_to_string(scratch.at("doc/keys/enum.Persona.html")).unwrap();
        assert!(!page.contains("<b>") && page.contains("Agent [x] &lt;b&gt; https://x.example `y"), "{page}");
    }
    stdout(&scratch, &["gen", "python", "-o", "keys.py"]);
    if let Ok(done) = done("python3".to_owned(), &["-m", "py_compile", "keys.py"]) {
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
fn keys_that_come_to_one_name_are_named_and_nothing_is_generated() {
    let scratch = Scratch::small();
    scratch.write("policies/more.yaml", "personas:\n  night.lead: {title: One, bundle: [tickets.search]}\n  night_lead: {title: Two, bundle: [tickets.search]}\n");
    let said = scratch.transcript(&["gen", "rust", "-o", "keys.rs"]);
    assert!(
        said.contains("the personas `night.lead` and `night_lead` both come to the name `NightLead`"),
        "{said}"
    );
    assert!(said.contains("rename one of the two") && said.ends_with("--- exit 1\n"), "{said}");
    assert!(!scratch.at("keys.rs").exists());
}

#[test]
fn nobody_elses_file_is_written_over() {
    let scratch = Scratch::small();
    for (file, text) in
        [("main.rs", "fn main() {}\n"), ("page.html", "<p>mine</p>\n"), ("site/index.html", "<p>mine</p>\n")]
    {
        scratch.write(file, text);
    }
    for arguments in [
        &["gen", "rust", "-o", "main.rs"][..],
        &["report", "--html", "-o", "page.html"],
        &["report", "--html", "-o", "site"],
        &["report", "--html", "-o", "."],
    ] {
        let output = scratch.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap().replace('\n', " ");
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("did not write") && said.contains("nothing was written"), "{said}");
    }
    assert_eq!(scratch.read("main.rs"), b"fn main() {}\n");
    assert_eq!(scratch.read("page.html"), scratch.read("site/index.html"));
    // What was generated for one language is no place for another; nor is its check of any use there.
    stdout(&scratch, &["gen", "python", "-o", "keys.py"]);
    assert_eq!(scratch.run(&["gen", "rust", "-o", "keys.py"]).status.code(), Some(2));
    let check = scratch.transcript(&["gen", "rust", "-o", "main.rs", "--check"]);
    assert!(check.contains("did not write that file") && check.ends_with("--- exit 1\n"), "{check}");
}

#[test]
fn a_report_clears_its_own_stale_pages_and_nothing_else() {
    let scratch = Scratch::small();
    std::fs::create_dir(scratch.at("site")).unwrap();
    stdout(&scratch, &["report", "--html", "-o", "site"]);
    stdout(&scratch, &["report", "--html", "-o", "site"]);
    assert!(scratch.at("site/harness/closer.html").exists());
    // A page that somebody wrote in its place, one that is not listed, and a way out of the folder stay.
    scratch.write("site/harness/mine.html", "<p>mine</p>");
    scratch.write("site/notes.txt", "mine");
    scratch.write("outside.html", &String::from_utf8(scratch.read("site/index.html")).unwrap());
    let listed = String::from_utf8(scratch.read("site/.harnessc-report")).unwrap();
    scratch.write("site/.harnessc-report", &format!("{listed}../outside.html\nharness/mine.html\n"));
    scratch.edit("harnesses/closer.yaml", "  closer:", "  shutter:");
    std::fs::rename(scratch.at("harnesses/closer.yaml"), scratch.at("harnesses/shutter.yaml")).unwrap();
    stdout(&scratch, &["report", "--html", "-o", "site"]);
    assert!(
        scratch.at("site/harness/shutter.html").exists() && !scratch.at("site/harness/closer.html").exists()
    );
    for kept in ["site/harness/mine.html", "site/notes.txt", "outside.html"] {
        assert!(scratch.at(kept).exists(), "{kept}");
    }
    let now = String::from_utf8(scratch.read("site/.harnessc-report")).unwrap();
    assert!(
        now.contains("\nharness/shutter.html\n") && now.lines().count() == listed.lines().count(),
        "{now}"
    );
}

#[test]
fn nothing_is_drawn_or_generated_of_a_tree_that_does_not_compile() {
    let scratch = Scratch::small();
    scratch.edit("harnesses/triager.yaml", "- tickets.read_mail", "- tickets.read_mial");
    for arguments in [&["graph"][..], &["report", "--html"], &["gen", "rust"]] {
        let output = scratch.run(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    }
}

//! Changed texts: whole for machines, line by line for people, and nothing of them acts.

use harnessc::report;
use serde_json::Value;

use super::latent::{ALL, tree};
use super::trees::{compile, diff, edited, page, report_of};
use crate::merging::Repository;

const ATTRIBUTES: &str = "harness.lock -text\n";
const PROMPT: &str = "prompts/v1/harness/closer.txt";

/// A prompt of many lines of which two change, the second of them far down.
fn repository() -> (Repository, String, String) {
    let repository = Repository::new(ATTRIBUTES);
    let lines = |second: &str, last: &str| {
        let mut lines: Vec<String> = (0..60).map(|at| format!("You keep rule {at} of the desk.")).collect();
        (lines[1], lines[58]) = (second.to_owned(), last.to_owned());
        format!("{}\n", lines.join("\n"))
    };
    let own = repository.0.read(PROMPT);
    let own = String::from_utf8(own).unwrap();
    let old = format!("{own}{}", lines("You ask first.", "You stop."));
    repository.0.write(PROMPT, &old);
    repository.run(&["build"], 0);
    repository.commit("A long prompt");
    let new = format!(
        "{own}{}",
        lines("You <b>never</b> ask @org/all.", "You close what is left, and tell nobody.")
    );
    repository.0.write(PROMPT, &new);
    repository.run(&["build"], 0);
    (repository, old, new)
}

#[test]
fn a_machine_has_both_texts_whole() {
    let (repository, old, new) = repository();
    let said = repository.run(&["diff", "git:HEAD", "--format", "json"], 1);
    let json: Value = serde_json::from_str(said.lines().nth(1).unwrap()).unwrap();
    let changes = json["changes"].as_array().unwrap();
    let text = changes.iter().find(|change| change["field"] == "prompt.parts.harness/closer.text").unwrap();
    assert_eq!((&text["before"], &text["after"]), (&Value::from(old), &Value::from(new)));
}

#[test]
fn a_person_sees_every_changed_line_with_its_neighbours() {
    let (repository, ..) = repository();
    insta::assert_snapshot!("text", repository.run(&["diff", "git:HEAD"], 1));
    let said = repository.run(&["diff", "git:HEAD", "--format", "short"], 1);
    assert!(said.contains("altered prompt.parts.harness/closer.text: 2 lines gone, 2 new"), "{said}");
    // More than a reader takes in at once is counted, and it is said where the rest is.
    let many: String = (0..40).map(|at| format!("You do thing {at} too.\n")).collect();
    repository.0.write(PROMPT, &format!("Close what is done.\n{many}"));
    repository.run(&["build"], 0);
    let said = repository.run(&["diff", "git:HEAD"], 1);
    assert!(said.contains("more changed lines: `--format json` has both texts whole"), "{said}");
    assert!(said.lines().count() < 45, "{said}");
}

#[test]
fn a_comment_and_a_page_have_every_line_and_none_of_them_acts() {
    let (repository, ..) = repository();
    let said = repository.run(&["diff", "git:HEAD", "--format", "markdown"], 1);
    for acts in ["@org", "<b>", "\n- You", "\n+ You"] {
        assert!(!said.contains(acts), "`{acts}` in {said}");
    }
    assert!(said.contains("tell nobody&#46;") && said.contains("rule 30 of the desk"), "{said}");
    for tag in ["code", "details"] {
        assert_eq!(said.matches(&format!("<{tag}>")).count(), said.matches(&format!("</{tag}>")).count());
    }
    let said = repository.run(&["diff", "git:HEAD", "--format", "html"], 1);
    assert!(said.contains("rule 30 of the desk") && said.contains("tell nobody.</span>"), "{said}");
    assert!(!said.contains("<b>never") && said.contains("&lt;b&gt;never"), "{said}");
    // A text that has no room in a comment is counted, and what stands behind it is shown.
    let many: String = (0..3_000).map(|at| format!("You do <thing> {at} too.\n")).collect();
    repository.0.write(PROMPT, &format!("Close what is done.\n{many}"));
    repository.0.edit("tools/tickets.yaml", "title: Close a ticket", "title: Close the ticket");
    repository.run(&["build"], 0);
    let said = repository.run(&["diff", "git:HEAD", "--format", "markdown"], 1);
    assert!(said.contains("new; `harnessc diff --format json` has both texts whole"), "{said}");
    assert!(said.contains("Close the ticket") && said.len() < 65_536, "{said}");
}

#[test]
fn a_long_list_is_shown_name_by_name_and_what_is_widened_is_not_folded() {
    let names: Vec<String> = (10..22).map(|at| format!("count_the_notes_of_desk_{at}")).collect();
    let tool = |name: &String| {
        format!(
            "  {name}: {{title: Count, description: Counts notes., effect: read, input: {{properties: {{}}}}, returns: none}}\n"
        )
    };
    let tools: String = names.iter().map(tool).collect();
    let base = edited(tree(), &[(ALL, "tools:\n", &format!("tools:\n{tools}"))]);
    let bundle = format!("guest: {{title: Guest, bundle: [find, {}]}}", names.join(", "));
    let head = edited(base.clone(), &[(ALL, "guest: {title: Guest, bundle: [find]}", &bundle)]);
    let changes = diff(&compile(&base), &compile(&head));
    let change =
        changes.iter().find(|change| change.field.as_deref() == Some("personas.guest.bundle")).unwrap();
    let (short, human) = (report::turned(change), page(changes.clone()));
    let comment = report::markdown(&report_of(changes.clone()));
    assert!(!comment.contains("<details"), "{comment}");
    for name in &names {
        let escaped = report::escaped(name);
        assert!(
            short.contains(name) && human.contains(name) && comment.contains(&escaped),
            "{name}\n{human}"
        );
    }
    assert!(!human.contains("new line"), "{human}");
    // A screen has an end; how many names are beyond it is said.
    let mut many = change.clone();
    many.after = Some((0..2_000).map(|at| format!("count_{at}")).collect::<Vec<_>>().join(", "));
    let human = page(vec![many.clone()]);
    assert!(human.contains("count_60 and 1939 more\n") && human.lines().count() < 20, "{human}");
    assert!(report::turned(&many).ends_with("count_1999"));
}

#[test]
fn a_key_of_an_author_keeps_its_name_whatever_it_ends_in() {
    let priced = |model: &str| {
        let prices = format!(
            "limits: {{prices: {{{model}: {{input: 1.00 USD, output: 2.00 USD}}, unknown: {{input: 9.00 USD, output: 9.00 USD}}}}}}\nroles:\n"
        );
        edited(tree(), &[(ALL, "roles:\n", &prices)])
    };
    let human = page(diff(&compile(&tree()), &compile(&priced("gpt_ms"))));
    assert!(
        human.contains("limits.prices.gpt_ms: unstated -> {input: 1.00 USD, output: 2.00 USD}"),
        "{human}"
    );
    let human = page(diff(&compile(&tree()), &compile(&priced("cost_micro_usd"))));
    assert!(human.contains("limits.prices.cost_micro_usd: unstated"), "{human}");
}

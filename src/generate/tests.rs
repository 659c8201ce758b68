//! Small locks, generated.

use harnessc_runtime::lock::{Lock, Persona, Skill};

use super::*;

/// Keys that come to one identifier, keys that no language takes as one, and a title that would end a comment.
fn lock() -> Lock {
    let mut lock = Lock { revision: 3, ..Lock::default() };
    lock.policy.name = "a\"b\\é".to_owned();
    for key in ["read.mail", "self", "2nd", "class", "a.l.l"] {
        let title = "*/ x\n\"\"\" \u{202e}".to_owned();
        lock.personas.insert(key.to_owned(), Persona { bundle: Vec::new(), harness: true, title });
    }
    lock.skills.insert("one".to_owned(), Skill { title: "One".to_owned(), version: 7, ..Skill::default() });
    lock
}

#[test]
fn every_key_has_a_name_of_its_own() {
    let constants = Constants::of(&lock());
    let of = |name| names::settled(&constants.groups, name).unwrap().swap_remove(0);
    assert_eq!(of(names::variant), ["N2nd", "ALL_", "Class", "ReadMail", "Self_"]);
    assert_eq!(of(names::pascal), ["N2nd", "ALL", "Class", "ReadMail", "Self"]);
    assert_eq!(of(names::upper), ["N2ND", "A_L_L", "CLASS", "READ_MAIL", "SELF"]);
    assert!(constants.groups.iter().all(|group| group.name != "Harness"), "an empty section has no type");
}

#[test]
fn keys_that_come_to_one_name_are_refused_in_every_language() {
    let mut lock = lock();
    let mail = lock.personas["read.mail"].clone();
    lock.personas.insert("read_mail".to_owned(), mail.clone());
    lock.personas.insert("read-mail".to_owned(), mail);
    let constants = Constants::of(&lock);
    let own = |name: &str| {
        let clash = |second: &str| Clash {
            section: "personas",
            first: "read-mail".to_owned(),
            second: second.to_owned(),
            name: name.to_owned(),
        };
        Err(vec![clash("read.mail"), clash("read_mail")])
    };
    assert_eq!(rust(&constants), own("ReadMail"));
    assert_eq!(python(&constants), own("READ_MAIL"));
    assert_eq!(typescript(&constants), own("ReadMail"));
}

#[test]
fn a_title_is_prose_wherever_it_is_read_as_markdown() {
    for (title, shown) in [
        ("<script>x</script>", r"\<script\>x\</script\>"),
        ("see [x] and `y`", r"see \[x\] and \`y\`"),
        ("a\nb", r"a\\nb"),
        ("1. first", r"1\. first"),
        ("# no heading", r"\# no heading"),
        ("- no item", r"\- no item"),
        ("https://x.example", r"https\://x.example"),
        ("read_mail _now_", r"read_mail \_now_"),
        ("@deprecated {@link x}", r"\@deprecated \{\@link x\}"),
        ("Plain: as it is, 2.5 times", "Plain: as it is, 2.5 times"),
    ] {
        assert_eq!(names::prose(title), shown);
    }
}

#[test]
fn only_a_file_that_was_generated_for_the_language_is_written_over() {
    let constants = Constants::of(&lock());
    let texts =
        [("rust", rust(&constants)), ("python", python(&constants)), ("typescript", typescript(&constants))];
    for (own, text) in &texts {
        for (language, _) in &texts {
            assert_eq!(may_replace(text.as_ref().unwrap().as_bytes(), language), own == language);
        }
        assert!(may_replace(b"", own) && !may_replace(b"\n", own) && !may_replace(b"fn main() {}\n", own));
        assert!(
            may_replace(text.as_ref().unwrap().replace('\n', "\r\n").as_bytes(), own),
            "as git may check it out"
        );
    }
}

#[test]
fn nothing_of_a_text_is_code() {
    let constants = Constants::of(&lock());
    assert!(rust(&constants).unwrap().contains(r#"POLICY: &str = "a\"b\\\u{e9}";"#));
    assert!(python(&constants).unwrap().contains(r#"POLICY: Final = "a\"b\\\U000000e9""#));
    let typescript = typescript(&constants).unwrap();
    assert!(typescript.contains(r#"POLICY = "a\"b\\\u{e9}";"#));
    assert!(typescript.contains(r"/** \*\/ x\\n") && !typescript.contains("/** */"));
    for text in [rust(&constants).unwrap(), python(&constants).unwrap(), typescript] {
        assert!(text.is_ascii() && !text.contains("\n\"\"\" "), "{text}");
    }
}

#[test]
fn versions_stand_beside_their_keys() {
    let constants = Constants::of(&lock());
    assert!(rust(&constants).unwrap().contains("Self::One => 7,"));
    assert!(python(&constants).unwrap().contains("SKILL_VERSIONS: Final[Mapping[Skill, int]]"));
    assert!(typescript(&constants).unwrap().contains("[Skill.One]: 7,"));
}

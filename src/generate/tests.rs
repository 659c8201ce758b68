//! Small locks, generated.

use harnessc_runtime::lock::{Lock, Persona, Skill};

use super::*;

/// Keys that come to one identifier, keys that no language takes as one, and a title that would end a comment.
fn lock() -> Lock {
    let mut lock = Lock { revision: 3, ..Lock::default() };
    lock.policy.name = "a\"b\\é".to_owned();
    for key in ["read.mail", "read_mail", "self", "2nd", "class"] {
        let title = "*/ x\n\"\"\" \u{202e}".to_owned();
        lock.personas.insert(key.to_owned(), Persona { bundle: Vec::new(), harness: true, title });
    }
    lock.skills.insert("one".to_owned(), Skill { title: "One".to_owned(), version: 7, ..Skill::default() });
    lock
}

#[test]
fn every_key_has_a_name_of_its_own() {
    let constants = Constants::of(&lock());
    let group = &constants.groups[0];
    assert_eq!(names::pascals(group), ["N2nd", "Class", "ReadMail", "ReadMail_2", "Self_2"]);
    assert_eq!(names::uppers(group), ["N2ND", "CLASS", "READ_MAIL", "READ_MAIL_2", "SELF"]);
    assert!(constants.groups.iter().all(|group| group.name != "Harness"), "an empty section has no type");
}

#[test]
fn nothing_of_a_text_is_code() {
    let constants = Constants::of(&lock());
    assert!(rust(&constants).contains(r#"POLICY: &str = "a\"b\\\u{e9}";"#));
    assert!(python(&constants).contains(r#"POLICY: Final = "a\"b\\\U000000e9""#));
    let typescript = typescript(&constants);
    assert!(typescript.contains(r#"POLICY = "a\"b\\\u{e9}";"#));
    assert!(typescript.contains(r"/** *\/ x\n") && !typescript.contains("/** */"));
    for text in [rust(&constants), python(&constants), typescript] {
        assert!(text.is_ascii() && !text.contains("\n\"\"\" "), "{text}");
    }
}

#[test]
fn versions_stand_beside_their_keys() {
    let constants = Constants::of(&lock());
    assert!(rust(&constants).contains("Self::One => 7,"));
    assert!(python(&constants).contains("SKILL_VERSIONS: Final[Mapping[Skill, int]]"));
    assert!(typescript(&constants).contains("[Skill.One]: 7,"));
}

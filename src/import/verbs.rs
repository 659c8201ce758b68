//! The words by which a name, a description or a value tells of a deed. They only ever make the import more careful.

/// Verbs that are hardly ever a noun in a tool's name: they tell of a deed wherever they stand in it.
const DEEDS: [&str; 41] = [
    "append",
    "approve",
    "assign",
    "cancel",
    "create",
    "delete",
    "deploy",
    "destroy",
    "disable",
    "dismiss",
    "edit",
    "enable",
    "erase",
    "execute",
    "insert",
    "install",
    "invoke",
    "merge",
    "modify",
    "overwrite",
    "publish",
    "purge",
    "reject",
    "remove",
    "rename",
    "revoke",
    "send",
    "shutdown",
    "submit",
    "terminate",
    "truncate",
    "unassign",
    "uninstall",
    "unlink",
    "unresolve",
    "unsubscribe",
    "update",
    "upload",
    "upsert",
    "wipe",
    "write",
];

/// Verbs that are nouns as well: they tell of a deed where a name or a sentence begins with them.
const FIRST: [&str; 74] = [
    "add",
    "apply",
    "archive",
    "ban",
    "book",
    "build",
    "buy",
    "call",
    "change",
    "clear",
    "click",
    "close",
    "comment",
    "commit",
    "configure",
    "convert",
    "copy",
    "discard",
    "drop",
    "evaluate",
    "exec",
    "fill",
    "forget",
    "fork",
    "grant",
    "ignore",
    "import",
    "init",
    "invite",
    "kill",
    "lock",
    "log",
    "make",
    "manage",
    "mark",
    "move",
    "open",
    "order",
    "patch",
    "pay",
    "post",
    "press",
    "prune",
    "push",
    "put",
    "record",
    "register",
    "reply",
    "request",
    "rerun",
    "reset",
    "resolve",
    "restart",
    "restore",
    "revert",
    "rotate",
    "run",
    "save",
    "schedule",
    "set",
    "star",
    "start",
    "stop",
    "store",
    "subscribe",
    "sync",
    "transfer",
    "trigger",
    "undo",
    "unlock",
    "unmark",
    "unstar",
    "upgrade",
    "watch",
];

/// Verbs that take away what is there.
const DESTROY: [&str; 23] = [
    "clear",
    "del",
    "delete",
    "destroy",
    "discard",
    "drop",
    "empty",
    "erase",
    "forget",
    "kill",
    "overwrite",
    "prune",
    "purge",
    "remove",
    "reset",
    "revoke",
    "rm",
    "terminate",
    "truncate",
    "uninstall",
    "unlink",
    "unpublish",
    "wipe",
];

/// Verbs that leave everything as it is.
const READS: [&str; 22] = [
    "check", "compare", "count", "describe", "diff", "download", "exists", "export", "fetch", "find", "get",
    "inspect", "list", "lookup", "query", "read", "search", "show", "status", "validate", "verify", "view",
];

/// The words of a name in lower case: split at whatever is no letter, and where a capital follows a small letter.
pub(super) fn words(name: &str) -> Vec<String> {
    let (mut words, mut word, mut small) = (Vec::new(), String::new(), false);
    for c in name.chars() {
        if !c.is_alphabetic() || (small && c.is_uppercase()) {
            words.push(std::mem::take(&mut word));
        }
        small = c.is_lowercase();
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// The deed that a tool's name tells of.
pub(super) fn in_name(name: &str) -> Option<String> {
    let words = words(name);
    let first = words.first().filter(|word| FIRST.contains(&word.as_str()));
    first.or_else(|| words.iter().find(|word| DEEDS.contains(&word.as_str()))).cloned()
}

/// Whether a tool's name begins with or ends in a word for taking away.
pub(super) fn destroys(name: &str) -> Option<String> {
    let words = words(name);
    [words.first(), words.last()].into_iter().flatten().find(|word| DESTROY.contains(&word.as_str())).cloned()
}

/// Whether a value begins with a verb that takes away.
pub(super) fn value_destroys(value: &str) -> bool {
    words(value).first().is_some_and(|word| DESTROY.contains(&word.as_str()))
}

/// Whether a value begins with a verb of any kind.
pub(super) fn is_verb(value: &str) -> bool {
    words(value).first().is_some_and(|word| {
        [&DEEDS[..], &FIRST[..], &DESTROY[..], &READS[..]].iter().any(|list| list.contains(&word.as_str()))
    })
}

/// Whether a value begins with a verb that is a deed and hardly ever a noun.
pub(super) fn value_is_deed(value: &str) -> bool {
    words(value)
        .first()
        .is_some_and(|word| DEEDS.contains(&word.as_str()) || DESTROY.contains(&word.as_str()))
}

/// The deed that a description tells of: its first sentence begins with one, or a later one says "deletes …".
pub(super) fn in_description(description: &str) -> Option<String> {
    const PASSED_OVER: [&str; 9] = ["it", "this", "tool", "also", "then", "the", "will", "can", "and"];
    description.split(['.', '!', '?', '\n', ';']).enumerate().find_map(|(at, sentence)| {
        let first = words(sentence).into_iter().find(|word| !PASSED_OVER.contains(&word.as_str()))?;
        let base = base(&first)?;
        let tells = if at == 0 {
            DEEDS.contains(&base) || FIRST.contains(&base)
        } else {
            base != first && DEEDS.contains(&base)
        };
        tells.then(|| first.clone())
    })
}

/// The verb that a word is a form of: itself, or with -s or -es.
fn base(word: &str) -> Option<&'static str> {
    let known = |text: &str| DEEDS.iter().chain(&FIRST).copied().find(|verb| *verb == text);
    known(word).or_else(|| known(word.strip_suffix('s')?)).or_else(|| known(word.strip_suffix("es")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_split_into_its_words() {
        assert_eq!(words("deleteFile2_now.or-never"), ["delete", "file", "now", "or", "never"]);
        assert!(words("").is_empty());
    }

    #[test]
    fn deeds_are_seen_and_nouns_are_not_taken_for_them() {
        assert_eq!(in_name("issue_write").as_deref(), Some("write"));
        assert_eq!(in_name("runQuery").as_deref(), Some("run"));
        assert_eq!(in_name("get_commit"), None);
        assert_eq!(in_name("list_updates"), None);
        assert_eq!(in_description("Deletes a file.").as_deref(), Some("deletes"));
        assert_eq!(in_description("Get a file. It deletes the original.").as_deref(), Some("deletes"));
        assert_eq!(in_description("Get a file. Set `raw` for its bytes."), None);
        assert_eq!(in_description("Lists what was created"), None);
    }
}

//! Names as they are written: keys, titles made of them, the name of a policy.

/// What keys are made of, for a sentence.
pub const KEYS: &str = "1 to 128 of the letters `A-Z a-z`, the digits and `_ . -`";

/// Whether `key` may name a definition.
pub fn is_key(key: &str) -> bool {
    !key.is_empty() && key.len() <= 128 && key.chars().all(is_letter)
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

/// A folder's name as the name of a policy: what is no letter of a key becomes `-`.
pub fn policy_name(folder: &str) -> String {
    let letters = folder.chars().map(|c| if is_letter(c) { c.to_ascii_lowercase() } else { '-' });
    let name: String = letters.take(128).collect();
    let name = name.trim_matches(['-', '.', '_']);
    if name.is_empty() { "policy".to_owned() } else { name.to_owned() }
}

/// `medicinal_chemist` as a person reads it: "Medicinal chemist".
pub(super) fn title(key: &str) -> String {
    let words: Vec<&str> = key.split(['_', '.', '-']).filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).take(120).collect(),
        None => key.to_owned(),
    }
}

/// `tickets.close` as what it does: "Close tickets".
pub(super) fn deed_title(key: &str) -> String {
    match key.rsplit_once('.') {
        Some((subject, deed)) => title(&format!("{deed}_{subject}")),
        None => title(key),
    }
}

/// A key or a title as YAML: plain where no reader takes it for a number or another value.
pub(super) fn scalar(text: &str) -> String {
    const WORDS: [&str; 11] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"];
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if is_plain { text.to_owned() } else { format!("\"{text}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_becomes_a_title_and_a_folder_a_name() {
        assert_eq!(title("medicinal_chemist"), "Medicinal chemist");
        assert_eq!(deed_title("tickets.close"), "Close tickets");
        assert_eq!(title("-"), "-");
        assert_eq!(policy_name("My Agents!"), "my-agents");
        assert_eq!(policy_name("…"), "policy");
        assert_eq!(
            (scalar("no").as_str(), scalar("1.5").as_str(), scalar("a.b").as_str()),
            ("\"no\"", "\"1.5\"", "a.b")
        );
    }
}

//! Wrapping by words.

use super::visible::columns;

/// The lines of `text` at most `first` columns wide in the first line and `rest` in the others. Lines of the text stay
/// lines and keep their indent; a word wider than its line stands alone and is not cut.
pub fn wrap(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.trim_end().split('\n') {
        let indent: String = paragraph.chars().take_while(|c| *c == ' ').collect();
        let mut line = indent.clone();
        let mut used = columns(&line);
        let mut empty = true;
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            let room = if lines.is_empty() { first } else { rest };
            let wide = columns(word);
            if !empty && used + 1 + wide > room {
                lines.push(std::mem::replace(&mut line, indent.clone()));
                used = columns(&line);
                empty = true;
            }
            if !empty {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += wide;
            empty = false;
        }
        lines.push(if empty { String::new() } else { line });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_end_between_words_and_long_words_stay_whole() {
        assert_eq!(wrap("a bc def", 4, 5), ["a bc", "def"]);
        assert_eq!(wrap("unbreakable a b", 4, 4), ["unbreakable", "a b"]);
        assert_eq!(wrap("薬薬 薬薬", 8, 8), ["薬薬", "薬薬"]);
    }

    #[test]
    fn the_texts_own_lines_and_indents_stay() {
        assert_eq!(wrap("write:\n  owner: x\n\nthen", 40, 40), ["write:", "  owner: x", "", "then"]);
    }
}

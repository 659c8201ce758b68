//! What git has to know of the lock: its bytes are digested, and two of them do not merge line by line.

/// The file, relative to the manifest's folder.
pub const GIT_ATTRIBUTES: &str = ".gitattributes";

const PATHS: [&str; 2] = ["harness.lock", "harness.lock.sig"];
const WORDS: [&str; 2] = ["-text", "merge=binary"];

/// The whole file, where there is none.
pub fn git_attributes() -> String {
    let lines = PATHS.map(|path| format!("{}\n", line(path)));
    format!("# The lock is digested byte by byte, and two locks never merge.\n{}", lines.concat())
}

/// The lines that a file lacks: each path has a line with every word.
pub fn missing(text: &str) -> Vec<String> {
    let says = |path: &str| {
        text.lines().any(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some(path) && {
                let said: Vec<&str> = words.collect();
                WORDS.iter().all(|word| said.contains(word))
            }
        })
    };
    PATHS.iter().filter(|path| !says(path)).map(|path| line(path)).collect()
}

fn line(path: &str) -> String {
    format!("{path} {}", WORDS.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_lacks_nothing_and_half_a_line_lacks_it_all() {
        assert_eq!(missing(&git_attributes()), [""; 0]);
        assert_eq!(missing("harness.lock   merge=binary -text\n"), ["harness.lock.sig -text merge=binary"]);
        assert_eq!(missing("harness.lock -text\n").len(), 2);
    }
}

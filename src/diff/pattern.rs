//! Texts that a pattern is likely to match, by walking its parsed form.

use regex_syntax::hir::{Class, Hir, HirKind};

/// So deep nested patterns are followed.
const MAX_DEPTH: usize = 24;
/// No repetition is written out longer than this.
const MAX_REPEAT: u64 = 70_000;

/// A few texts that `pattern` matches, one of them about `length` characters long where the pattern leaves room.
/// Nothing where it does not parse.
pub(super) fn texts(pattern: &str, length: u64) -> Vec<String> {
    let Ok(hir) = regex_syntax::parse(pattern) else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for variant in 0..3 {
        let mut writer = Writer { out: String::new(), spare: length, variant };
        let least = hir.properties().minimum_len().map_or(0, |bytes| bytes as u64);
        writer.spare = length.saturating_sub(least);
        if writer.write(&hir, MAX_DEPTH).is_some() && !found.contains(&writer.out) {
            found.push(writer.out);
        }
    }
    found
}

struct Writer {
    out: String,
    /// How many characters repetitions may still add.
    spare: u64,
    /// Which end of classes and which branch of alternations is taken.
    variant: usize,
}

impl Writer {
    fn write(&mut self, hir: &Hir, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.out.push_str(std::str::from_utf8(&literal.0).ok()?),
            HirKind::Class(class) => self.out.push(self.one_of(class)?),
            HirKind::Capture(capture) => self.write(&capture.sub, depth)?,
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.write(part, depth))?,
            HirKind::Alternation(branches) => {
                let at = self.variant.min(branches.len().saturating_sub(1));
                self.write(branches.get(at)?, depth)?;
            }
            HirKind::Repetition(repeated) => {
                let unit = repeated.sub.properties().minimum_len().unwrap_or(1).max(1) as u64;
                let room = repeated.max.map_or(MAX_REPEAT, u64::from).saturating_sub(u64::from(repeated.min));
                let extra = (self.spare / unit).min(room).min(MAX_REPEAT);
                self.spare -= extra * unit;
                for _ in 0..u64::from(repeated.min) + extra {
                    self.write(&repeated.sub, depth)?;
                    if self.out.len() as u64 > 2 * MAX_REPEAT {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    fn one_of(&self, class: &Class) -> Option<char> {
        match class {
            Class::Unicode(class) => {
                let ranges = class.ranges();
                let at = if self.variant == 0 { 0 } else { ranges.len().saturating_sub(1) };
                let range = ranges.get(at)?;
                Some(if self.variant == 2 { range.end() } else { range.start() })
            }
            Class::Bytes(class) => class.ranges().first().map(|range| char::from(range.start())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::texts;

    #[test]
    fn what_is_written_matches() {
        for pattern in ["^[A-Z]+-[0-9]+$", "^(a|bc){2,3}$", "^x?y*z$", "a+", "^\\d{4}-\\d{2}$", "^[^/]+$"] {
            let regex = regex::Regex::new(pattern).unwrap();
            for length in [0, 5, 40] {
                let found = texts(pattern, length);
                assert!(
                    !found.is_empty() && found.iter().all(|text| regex.is_match(text)),
                    "{pattern}: {found:?}"
                );
            }
        }
        assert!(texts("^[A-Z]+-[0-9]+$", 30).iter().any(|text| text.len() == 30));
        assert!(texts("(", 3).is_empty());
    }
}

//! The lock's layout: two spaces a level, one member or item a line, `[]` and `{}` where empty, LF at the end.
//!
//! Only white space between tokens is touched; strings and numbers stay as they are written.

/// JSON text without white space outside strings.
#[must_use]
pub fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    out.extend(tokens(json));
    out
}

/// Whether two JSON texts are the same but for white space outside strings.
#[must_use]
pub fn is_same(a: &str, b: &str) -> bool {
    tokens(a).eq(tokens(b))
}

fn tokens(json: &str) -> impl Iterator<Item = char> {
    let mut state = InString::default();
    json.chars().filter(move |c| state.step(*c) || !matches!(c, ' ' | '\t' | '\r' | '\n'))
}

/// JSON text in the lock's layout, without the LF at the end. The text must be well-formed; otherwise the result is
/// as ill-formed as it was.
#[must_use]
pub fn pretty(json: &str) -> String {
    let json = compact(json);
    let mut out = String::with_capacity(json.len() * 2);
    let mut state = InString::default();
    let mut depth = 0_usize;
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        if state.step(c) {
            out.push(c);
            continue;
        }
        match c {
            '{' | '[' => {
                out.push(c);
                if let Some(close) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth = depth.saturating_add(1);
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => out.push(c),
        }
    }
    out
}

/// Starts a line at `depth`.
fn line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}

/// Whether the scan stands inside a string.
#[derive(Default)]
struct InString {
    inside: bool,
    escaped: bool,
}

impl InString {
    /// Takes the next character; true where it belongs to a string, its quotes included.
    fn step(&mut self, c: char) -> bool {
        if !self.inside {
            self.inside = c == '"';
            return self.inside;
        }
        if self.escaped {
            self.escaped = false;
        } else if c == '\\' {
            self.escaped = true;
        } else if c == '"' {
            self.inside = false;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{compact, pretty};

    #[test]
    fn layout_touches_white_space_alone() {
        let source = "{ \"a\\\" {\" : [1.50, { }, [ ] , \"x , y\"] }";
        assert_eq!(compact(source), r#"{"a\" {":[1.50,{},[],"x , y"]}"#);
        assert_eq!(pretty(source), "{\n  \"a\\\" {\": [\n    1.50,\n    {},\n    [],\n    \"x , y\"\n  ]\n}");
        assert_eq!(pretty(&pretty(source)), pretty(source));
        assert_eq!(compact(&pretty(source)), compact(source));
    }
}

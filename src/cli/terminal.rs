//! What the streams can show: colours, width, box characters.

use std::env;
use std::io::IsTerminal;

use super::Color;
use crate::report::Look;

/// The look of each stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terminal {
    /// Results.
    pub(super) out: Look,
    /// Findings and notes.
    pub(super) err: Look,
}

impl Terminal {
    /// As this process finds it.
    pub(super) fn of_process(color: Color) -> Self {
        let stated = Stated {
            color,
            no_color: is_set("NO_COLOR"),
            forced: env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0"),
            dumb: env::var_os("TERM").is_some_and(|term| term == "dumb"),
            utf8: ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).is_some_and(|locale| {
                let locale = locale.to_ascii_lowercase();
                locale.contains("utf-8") || locale.contains("utf8")
            }),
            columns: set("COLUMNS").and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0),
        };
        let out = std::io::stdout();
        let err = std::io::stderr();
        let out_width = terminal_size::terminal_size_of(&out).map(|(width, _)| usize::from(width.0));
        let err_width = terminal_size::terminal_size_of(&err).map(|(width, _)| usize::from(width.0));
        Self {
            out: stated.look(out.is_terminal(), out_width),
            err: stated.look(err.is_terminal(), err_width),
        }
    }
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn set(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// What the person and the environment say.
#[derive(Clone, Copy)]
struct Stated {
    color: Color,
    no_color: bool,
    forced: bool,
    dumb: bool,
    utf8: bool,
    columns: Option<usize>,
}

impl Stated {
    /// The flag goes before the environment, and the environment before what the stream is. A terminal knows its own
    /// width; elsewhere COLUMNS says it, else it is 80.
    fn look(&self, is_terminal: bool, width: Option<usize>) -> Look {
        let color = match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if self.no_color => false,
            Color::Auto => self.forced || (is_terminal && !self.dumb),
        };
        Look {
            color,
            width: width.filter(|width| *width > 0).or(self.columns).unwrap_or(80),
            unicode: is_terminal && self.utf8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Stated =
        Stated { color: Color::Auto, no_color: false, forced: false, dumb: false, utf8: true, columns: None };

    #[test]
    fn colours_follow_the_flag_then_the_environment_then_the_stream() {
        assert!(PLAIN.look(true, None).color);
        assert!(!PLAIN.look(false, None).color);
        assert!(!Stated { no_color: true, forced: true, ..PLAIN }.look(true, None).color);
        assert!(Stated { forced: true, ..PLAIN }.look(false, None).color);
        assert!(!Stated { dumb: true, ..PLAIN }.look(true, None).color);
        assert!(Stated { color: Color::Always, no_color: true, ..PLAIN }.look(false, None).color);
        assert!(!Stated { color: Color::Never, forced: true, ..PLAIN }.look(true, None).color);
    }

    #[test]
    fn a_terminal_knows_its_width_and_a_pipe_is_told() {
        let told = Stated { columns: Some(40), ..PLAIN };
        assert_eq!(told.look(true, Some(120)).width, 120);
        assert_eq!(told.look(false, None).width, 40);
        assert_eq!(PLAIN.look(false, None).width, 80);
        assert!(!PLAIN.look(false, None).unicode && PLAIN.look(true, None).unicode);
    }
}

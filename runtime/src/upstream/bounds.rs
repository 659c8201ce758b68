//! How large, how deep and how slow an answer may be.

use crate::audit::{Datum, Event, Field};
use crate::lock::{Limits, Lock};
use crate::result::Failure;

use super::MAX_AGE_MS;

/// The bounds of one answer of an upstream, a list or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most bytes.
    pub max_bytes: usize,
    /// The most levels that objects and lists nest.
    pub max_depth: usize,
    /// The longest that an answer may take, in milliseconds.
    pub timeout_ms: u64,
}

impl Default for Bounds {
    /// 4 MiB, 100 levels, 30 seconds.
    fn default() -> Self {
        Self { max_bytes: 4 << 20, max_depth: 100, timeout_ms: 30_000 }
    }
}

impl Bounds {
    /// The bounds of a `tools/list`, all its pages together: as any answer's, but no longer than a look counts, which is
    /// reckoned from when the list was asked for. One that came later would withhold its tools as unseen whatever it says.
    #[must_use]
    pub fn of_lists() -> Self {
        Self { timeout_ms: MAX_AGE_MS, ..Self::default() }
    }

    /// The bounds within what these locks state of a tool (`limits.per_tool.<tool>.timeout`): the one in force and, where it is
    /// another, the one that the run was created under. Never wider.
    #[must_use]
    pub fn within<'l>(self, locks: impl IntoIterator<Item = &'l Lock>, tool: &str) -> Self {
        let stated = Limits::timeout_ms(locks.into_iter().filter_map(|lock| lock.limits.as_ref()), tool);
        Self { timeout_ms: stated.map_or(self.timeout_ms, |stated| stated.min(self.timeout_ms)), ..self }
    }

    /// Whether an answer may be looked at at all: `bytes` as they came, after so long. Nothing is parsed.
    ///
    /// # Errors
    /// The first bound that it passes: the time, then the bytes, then the depth.
    pub fn weigh(&self, bytes: &[u8], took_ms: u64) -> Result<(), Unfit> {
        if took_ms > self.timeout_ms {
            return Err(Unfit::Timeout);
        }
        self.fits(bytes.len())?;
        if depth(bytes) > self.max_depth { Err(Unfit::TooDeep) } else { Ok(()) }
    }

    /// Whether so many bytes may be held, for a reader that counts while they arrive.
    ///
    /// # Errors
    /// [`Unfit::TooLarge`]; the rest is not read.
    pub fn fits(&self, bytes: usize) -> Result<(), Unfit> {
        if bytes > self.max_bytes { Err(Unfit::TooLarge) } else { Ok(()) }
    }
}

/// How deep the objects and lists of a JSON text nest, without reading it.
#[must_use]
pub fn depth(bytes: &[u8]) -> usize {
    let (mut now, mut most) = (0_usize, 0_usize);
    let (mut in_string, mut escaped) = (false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                now = now.saturating_add(1);
                most = most.max(now);
            }
            b'}' | b']' if !in_string => now = now.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// Why an answer is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unfit {
    /// Calls went there more often than they may.
    Rate,
    /// It took too long, or none came.
    Timeout,
    /// It nests too deep.
    TooDeep,
    /// It has too many bytes.
    TooLarge,
    /// It is no JSON that every reader reads alike, no list, or a list that goes on.
    Unreadable,
}

impl Unfit {
    /// Every one.
    pub const ALL: [Self; 5] = [Self::Rate, Self::Timeout, Self::TooDeep, Self::TooLarge, Self::Unreadable];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Timeout => "timeout",
            Self::TooDeep => "too_deep",
            Self::TooLarge => "too_large",
            Self::Unreadable => "unreadable",
        }
    }

    /// What the model is handed in the place of a result.
    #[must_use]
    pub fn failure(self) -> Failure {
        match self {
            Self::Rate => Failure::RateLimited,
            Self::Timeout => Failure::TimedOut,
            Self::TooDeep => Failure::TooDeep,
            Self::Unreadable => Failure::Unreadable,
            Self::TooLarge => Failure::TooLarge,
        }
    }

    /// What the audit is told. `server` is a key of the lock.
    #[must_use]
    pub fn event(self, server: &str) -> Event {
        Event::new("upstream.refused")
            .with(Field::Code, Datum::Word(self.code()))
            .with(Field::Server, Datum::Key(server.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Unfit, depth};

    #[test]
    fn each_bound_is_met_at_its_edge_and_passed_behind_it() {
        let bounds = Bounds { max_bytes: 12, max_depth: 2, timeout_ms: 5 };
        assert_eq!(bounds.weigh(br#"{"a":["[["]}"#, 5), Ok(()));
        assert_eq!(bounds.weigh(br#"{"a":[]}"#, 6), Err(Unfit::Timeout));
        assert_eq!(bounds.weigh(br#"{"a":["[[["]}"#, 5), Err(Unfit::TooLarge));
        assert_eq!(bounds.weigh(br#"{"a":[[]]}"#, 5), Err(Unfit::TooDeep));
        assert_eq!((bounds.fits(12), bounds.fits(13)), (Ok(()), Err(Unfit::TooLarge)));
    }

    #[test]
    fn depth_is_counted_outside_strings() {
        for (text, levels) in [
            ("3", 0),
            ("[]", 1),
            (r#"{"a\"[":"[[["}"#, 1),
            (r#"[[],{"b":[{}]}]"#, 4),
            ("]]][", 1),
            ("\"[", 0),
        ] {
            assert_eq!(depth(text.as_bytes()), levels, "{text}");
        }
        assert_eq!(depth("[".repeat(1_000_000).as_bytes()), 1_000_000);
    }
}

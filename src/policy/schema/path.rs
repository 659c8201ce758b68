//! Where a walk stands, as a JSON pointer that is written out only when something is to be told of the place.
//!
//! A path borrows the one above it, so that a step down costs no memory. It knows no schema.

use std::fmt;

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'p> {
    /// None: the root, or a path of one step fewer.
    Stay,
    /// A key of a mapping.
    Key(&'p str),
    /// An item of a list.
    Item(usize),
    /// Several steps, written as a JSON pointer.
    Written(&'p str),
}

/// A place: the path above it, and up to two steps more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<'p> {
    above: Option<&'p Path<'p>>,
    steps: [Step<'p>; 2],
}

impl<'p> Path<'p> {
    /// The root: the empty pointer.
    pub(super) const ROOT: Path<'static> = Path { above: None, steps: [Step::Stay, Step::Stay] };

    /// The place at a JSON pointer from the root.
    pub(super) fn written(pointer: &'p str) -> Self {
        Self { above: None, steps: [Step::Written(pointer), Step::Stay] }
    }

    /// The place under a key.
    pub(super) fn key(&'p self, key: &'p str) -> Self {
        self.down(Step::Key(key), Step::Stay)
    }

    /// The place of an item.
    pub(super) fn item(&'p self, index: usize) -> Self {
        self.down(Step::Item(index), Step::Stay)
    }

    /// The place after two steps.
    pub(super) fn down(&'p self, first: Step<'p>, second: Step<'p>) -> Self {
        Self { above: Some(self), steps: [first, second] }
    }

    /// The key that the last step takes; nothing at the root and for an item.
    pub(super) fn last_key(&self) -> Option<&str> {
        let [first, second] = self.steps;
        match (second, first) {
            (Step::Stay, Step::Stay) => self.above?.last_key(),
            (Step::Key(key), _) | (Step::Stay, Step::Key(key)) => Some(key),
            (Step::Written(pointer), _) | (Step::Stay, Step::Written(pointer)) => pointer.rsplit('/').next(),
            (Step::Item(_), _) | (Step::Stay, Step::Item(_)) => None,
        }
    }

    /// How many steps it is from the root.
    pub(super) fn depth(&self) -> usize {
        let above = self.above.map_or(0, Path::depth);
        let own = self.steps.iter().map(|step| match step {
            Step::Stay => 0,
            Step::Key(_) | Step::Item(_) => 1,
            Step::Written(pointer) => pointer.matches('/').count(),
        });
        above + own.sum::<usize>()
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            above.fmt(f)?;
        }
        for step in self.steps {
            match step {
                Step::Stay => {}
                Step::Key(key) if key.contains(['~', '/']) => {
                    write!(f, "/{}", key.replace('~', "~0").replace('/', "~1"))?;
                }
                Step::Key(key) => write!(f, "/{key}")?,
                Step::Item(index) => write!(f, "/{index}")?,
                Step::Written(pointer) => f.write_str(pointer)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Path, Step};

    #[test]
    fn a_path_is_written_as_a_json_pointer() {
        let written = Path::written("/$defs/a~1b");
        let key = written.key("x/y~z");
        let item = key.item(3);
        let two = item.down(Step::Key("properties"), Step::Key("n"));
        assert_eq!(Path::ROOT.to_string(), "");
        assert_eq!(two.to_string(), "/$defs/a~1b/x~1y~0z/3/properties/n");
        assert_eq!(two.depth(), 6);
    }

    #[test]
    fn the_last_key_is_that_of_the_last_step_alone() {
        let written = Path::written("/$defs/a");
        let key = Path::ROOT.key("items");
        let item = key.item(0);
        assert_eq!(Path::ROOT.last_key(), None);
        assert_eq!(written.last_key(), Some("a"));
        assert_eq!(key.last_key(), Some("items"));
        assert_eq!(item.last_key(), None);
        assert_eq!(key.down(Step::Key("not"), Step::Stay).last_key(), Some("not"));
    }
}

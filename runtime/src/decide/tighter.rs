//! What stands over the lock at run time: tools switched off and approvals raised. There is no word here that loosens.

use std::collections::{BTreeMap, BTreeSet};

use crate::lock::{Approval, split_deed};

/// Tools switched off and approvals raised, whatever the lock says of them. Names that the lock does not know mean
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tighter {
    off: BTreeSet<String>,
    raised: BTreeMap<String, Raised>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Raised {
    cases: BTreeMap<String, Approval>,
    whole: Option<Approval>,
}

impl Tighter {
    /// Takes tools by name and approvals by deed name; a tool's name stands for all of its cases.
    #[must_use]
    pub fn new<'n>(
        off: impl IntoIterator<Item = &'n str>,
        raised: impl IntoIterator<Item = (&'n str, Approval)>,
    ) -> Self {
        let mut all: BTreeMap<String, Raised> = BTreeMap::new();
        for (deed, approval) in raised {
            let (tool, case) = split_deed(deed);
            let entry = all.entry(tool.to_owned()).or_default();
            match case {
                Some(case) => drop(entry.cases.insert(case.to_owned(), approval)),
                None => entry.whole = Some(approval),
            }
        }
        Self { off: off.into_iter().map(str::to_owned).collect(), raised: all }
    }

    /// Whether the tool is switched off.
    #[must_use]
    pub fn is_off(&self, tool: &str) -> bool {
        self.off.contains(tool)
    }

    /// The least approval of a deed; auto where nothing is said.
    #[must_use]
    pub fn at_least(&self, tool: &str, case: Option<&str>) -> Approval {
        let Some(raised) = self.raised.get(tool) else { return Approval::Auto };
        let of_case = case.and_then(|case| raised.cases.get(case)).copied();
        of_case.max(raised.whole).unwrap_or(Approval::Auto)
    }
}

#[cfg(test)]
mod tests {
    use super::Tighter;
    use crate::lock::Approval;

    #[test]
    fn the_stricter_of_the_tool_and_the_case_holds() {
        let tighter = Tighter::new(["a"], [("b", Approval::Confirm), ("b/x", Approval::FourEyes)]);
        assert!(tighter.is_off("a") && !tighter.is_off("b"));
        assert_eq!(tighter.at_least("b", Some("x")), Approval::FourEyes);
        assert_eq!(tighter.at_least("b", Some("y")), Approval::Confirm);
        assert_eq!(tighter.at_least("c", None), Approval::Auto);
    }
}

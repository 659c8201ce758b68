//! The deeds of a lock: a tool without cases, or one case of a tool with them. Everything that proves or decides
//! works on deeds; this is the one place where tools become deeds.

use std::cell::OnceCell;
use std::ops::Range;

use crate::lock::{
    Approval, Approvals, Case, Cell, Effect, Harness, Lock, Mention, Preview, Returns, Tool, Undo, deed_name,
    split_deed,
};

/// One deed, its case's words put over its tool's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deed<'a> {
    pub(crate) tool_name: &'a str,
    pub(crate) case_name: Option<&'a str>,
    pub(crate) tool: &'a Tool,
    case: Option<&'a Case>,
}

impl<'a> Deed<'a> {
    /// One deed by its name, without looking at the others.
    pub(crate) fn in_lock(lock: &'a Lock, name: &str) -> Option<Self> {
        let (tool_name, case_name) = split_deed(name);
        let (tool_name, tool) = lock.tools.get_key_value(tool_name)?;
        match (&tool.cases, case_name) {
            (None, None) => Some(Self { tool_name, case_name: None, tool, case: None }),
            (Some(cases), Some(case)) => {
                let (case_name, case) = cases.by.get_key_value(case)?;
                Some(Self { tool_name, case_name: Some(case_name), tool, case: Some(case) })
            }
            _ => None,
        }
    }

    pub(crate) fn name(&self) -> String {
        deed_name(self.tool_name, self.case_name)
    }

    /// Whether [`split_deed`] leads from the name to this deed.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        let is_deed = match self.case_name {
            None => name == self.tool_name,
            Some(own) => {
                let case = name.strip_prefix(self.tool_name).and_then(|rest| rest.strip_prefix('/'));
                case == Some(own)
            }
        };
        is_deed && !self.tool_name.contains('/')
    }

    pub(crate) fn effect(&self) -> Effect {
        self.case.map_or(self.tool.effect, |case| case.effect)
    }

    pub(crate) fn undo(&self) -> &'a [Undo] {
        self.case.map_or(&self.tool.undo, |case| &case.undo)
    }

    pub(crate) fn preview(&self) -> Preview {
        self.case.map_or(self.tool.preview, |case| case.preview)
    }

    pub(crate) fn is_prose(&self) -> bool {
        self.tool.returns == Returns::Prose
    }

    /// What the tool and the case state themselves, the stricter one.
    pub(crate) fn stated(&self) -> Option<Approval> {
        self.tool.approval.max(self.case.and_then(|case| case.approval))
    }

    /// The strictest of the tier's, the tool's and the case's.
    pub(crate) fn approval(&self, approvals: &Approvals) -> Approval {
        let tier = approvals.at_least.of(self.effect());
        self.stated().map_or(tier, |stated| stated.max(tier))
    }

    /// The personas that may say yes to it under this approval; `None`: nobody needs to, or anyone may.
    pub(crate) fn approvers(&self, approvals: &'a Approvals, approval: Approval) -> Option<&'a [String]> {
        let stated = approvals.approvers.as_ref()?;
        let own = || {
            let of_case = self.case_name.and_then(|_| stated.tools.get(&self.name()));
            of_case.or_else(|| stated.tools.get(self.tool_name))
        };
        match approval {
            Approval::Auto => None,
            Approval::Confirm => Some(own().unwrap_or(&stated.confirm)),
            Approval::FourEyes => Some(own().unwrap_or(&stated.four_eyes)),
        }
    }
}

/// One stored cell, with its place in the table and what it grants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Granted<'a> {
    pub(crate) harness: &'a str,
    pub(crate) role: &'a str,
    pub(crate) cell: &'a Cell,
    /// The deed that the cell names; `None`: the registry has none of that name.
    pub(crate) deed: Option<Deed<'a>>,
}

/// What one harness holds, looked up.
#[derive(Debug)]
pub(crate) struct Toolset<'a> {
    pub(crate) harness: &'a Harness,
    pub(crate) key: &'a str,
    numbers: Vec<Option<usize>>,
}

impl<'a> Toolset<'a> {
    /// Each mention with the number of the deed that it names; `None`: the registry has none of that name.
    pub(crate) fn mentions(&self) -> impl Iterator<Item = (&'a Mention, Option<usize>)> {
        self.harness.toolset.iter().zip(self.numbers.iter().copied())
    }
}

/// How far a walk along a sorted list looks ahead before it searches.
const AHEAD: usize = 16;

/// Every deed of a lock, sorted by tool and case.
#[derive(Debug)]
pub(crate) struct Deeds<'a> {
    /// Looked up once, for all the proofs about cells.
    cells: OnceCell<Vec<Granted<'a>>>,
    lock: &'a Lock,
    sorted: Vec<Deed<'a>>,
    /// Looked up once, for all that asks about toolsets.
    toolsets: OnceCell<Vec<Toolset<'a>>>,
}

impl<'a> Deeds<'a> {
    pub(crate) fn of(lock: &'a Lock) -> Self {
        let mut sorted = Vec::with_capacity(lock.tools.len());
        for (tool_name, tool) in &lock.tools {
            match &tool.cases {
                None => sorted.push(Deed { tool_name, case_name: None, tool, case: None }),
                Some(cases) => sorted.extend(cases.by.iter().map(|(case_name, case)| Deed {
                    tool_name,
                    case_name: Some(case_name),
                    tool,
                    case: Some(case),
                })),
            }
        }
        Self { cells: OnceCell::new(), lock, sorted, toolsets: OnceCell::new() }
    }

    /// Every stored cell with the deed that it names, by harness, role and place in the list.
    pub(crate) fn cells(&self) -> &[Granted<'a>] {
        self.cells.get_or_init(|| {
            let mut out = Vec::new();
            for (harness, roles) in &self.lock.effective {
                for (role, cells) in roles {
                    let deeds = self.along(cells.iter().map(|cell| cell.deed.as_str()));
                    out.extend(cells.iter().zip(deeds).map(|(cell, number)| {
                        let deed = number.and_then(|number| self.sorted.get(number)).copied();
                        Granted { harness, role, cell, deed }
                    }));
                }
            }
            out
        })
    }

    /// Every harness with the deeds that its toolset names, by key.
    pub(crate) fn toolsets(&self) -> &[Toolset<'a>] {
        self.toolsets.get_or_init(|| {
            let toolset = |(key, harness): (&'a String, &'a Harness)| {
                let mut from = 0;
                let numbers = harness.toolset.iter().map(|mention| {
                    let (tool, case) = (mention.tool.as_str(), mention.case.as_deref());
                    let is_named = |deed: &Deed<'_>| (deed.tool_name, deed.case_name) == (tool, case);
                    self.ahead(&mut from, is_named, || self.index(tool, case))
                });
                Toolset { numbers: numbers.collect(), harness, key }
            };
            self.lock.harnesses.iter().map(toolset).collect()
        })
    }

    /// The deed of this number.
    pub(crate) fn at(&self, number: usize) -> Option<&Deed<'a>> {
        self.sorted.get(number)
    }

    /// Where the deeds of these names stand in [`iter`](Self::iter). Names may come in any order; where they are sorted, as
    /// a lock's lists are, each is found a few steps behind the one before it.
    pub(crate) fn along<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> impl Iterator<Item = Option<usize>> {
        let mut from = 0;
        names.into_iter().map(move |name| {
            let searched = || {
                let (tool, case) = split_deed(name);
                self.index(tool, case)
            };
            self.ahead(&mut from, |deed| deed.is_named(name), searched)
        })
    }

    /// A deed a few steps ahead, or where a search finds it.
    fn ahead(
        &self,
        from: &mut usize,
        is_named: impl Fn(&Deed<'_>) -> bool,
        searched: impl FnOnce() -> Option<usize>,
    ) -> Option<usize> {
        let ahead = self.sorted.get(*from..).unwrap_or_default().iter().take(AHEAD);
        let near = ahead.into_iter().position(is_named).map(|steps| *from + steps);
        let found = near.or_else(searched);
        *from = found.map_or(*from, |number| number + 1);
        found
    }

    pub(crate) fn get(&self, tool: &str, case: Option<&str>) -> Option<&Deed<'a>> {
        self.index(tool, case).and_then(|index| self.sorted.get(index))
    }

    /// Where a deed stands in [`iter`](Self::iter).
    pub(crate) fn index(&self, tool: &str, case: Option<&str>) -> Option<usize> {
        self.sorted.binary_search_by(|deed| (deed.tool_name, deed.case_name).cmp(&(tool, case))).ok()
    }

    /// Where the deeds that a name stands for are: one, or all cases of a tool.
    pub(crate) fn range(&self, name: &str) -> Range<usize> {
        let (tool, case) = split_deed(name);
        match case {
            Some(_) => self.index(tool, case).map_or(0..0, |index| index..index + 1),
            None => {
                let start = self.sorted.partition_point(|deed| deed.tool_name < tool);
                start..self.sorted.partition_point(|deed| deed.tool_name <= tool)
            }
        }
    }

    /// By deed name.
    pub(crate) fn named(&self, deed: &str) -> Option<&Deed<'a>> {
        let (tool, case) = split_deed(deed);
        self.get(tool, case)
    }

    /// All deeds, by tool and case.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Deed<'a>> + ExactSizeIterator {
        self.sorted.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Deeds;
    use crate::lock::{Case, Cases, Effect, Lock, Preview, RawJson, Returns, Tool};
    use std::collections::BTreeMap;

    fn lock() -> Lock {
        let tool = |cases: Option<Cases>| Tool {
            approval: None,
            bind: BTreeMap::new(),
            cases,
            description: String::new(),
            effect: Effect::Read,
            enabled: true,
            input: RawJson::refuse_all(),
            output: None,
            preview: Preview::Input,
            returns: Returns::None,
            server: None,
            surfaces: None,
            title: String::new(),
            unbound: None,
            undo: Vec::new(),
        };
        let case = Case { approval: None, effect: Effect::Read, preview: Preview::Input, undo: Vec::new() };
        let by = BTreeMap::from([("x".to_owned(), case.clone()), ("y/z".to_owned(), case)]);
        let plain = (0..40).map(|at| (format!("a.{at:02}"), tool(None)));
        let odd = [
            ("b".to_owned(), tool(Some(Cases { by, input: "kind".to_owned() }))),
            ("b-c".to_owned(), tool(None)),
            ("d/e".to_owned(), tool(None)),
        ];
        Lock { tools: plain.chain(odd).collect(), ..Lock::default() }
    }

    #[test]
    fn a_walk_finds_what_a_search_finds_in_any_order() {
        let lock = lock();
        let deeds = Deeds::of(&lock);
        let mut names: Vec<String> = deeds.iter().map(super::Deed::name).collect();
        names.extend(["", "b", "b/", "b/w", "b-c/x", "d", "zz"].map(str::to_owned));
        let (forth, mut back) = (names.clone(), names);
        back.reverse();
        for names in [forth, back] {
            let walked: Vec<_> = deeds.along(names.iter().map(String::as_str)).collect();
            for (name, walked) in names.iter().zip(walked) {
                let (tool, case) = crate::lock::split_deed(name);
                assert_eq!(walked, deeds.index(tool, case), "{name}");
                for deed in deeds.iter() {
                    assert_eq!(
                        deed.is_named(name),
                        (deed.tool_name, deed.case_name) == (tool, case),
                        "{name}"
                    );
                }
            }
        }
    }
}

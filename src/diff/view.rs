//! A lock as a comparison asks it: deeds by name, who holds what, and in which ways a call may come.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::lock::{
    Approval, Case, Cell, Effect, Harness, Lock, NO_HARNESS, Origin, Preview, Surface, Tool, Undo, deed_name,
};

/// One deed: a tool without cases, or one case of a tool with them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deed<'a> {
    pub(super) tool: &'a Tool,
    pub(super) tool_name: &'a str,
    pub(super) case_name: Option<&'a str>,
    case: Option<&'a Case>,
}

impl<'a> Deed<'a> {
    pub(super) fn effect(&self) -> Effect {
        self.case.map_or(self.tool.effect, |case| case.effect)
    }

    /// What the registry states; nothing: its tier's.
    pub(super) fn approval(&self) -> Option<Approval> {
        self.case.map_or(self.tool.approval, |case| case.approval)
    }

    pub(super) fn undo(&self) -> &'a [Undo] {
        self.case.map_or(&self.tool.undo, |case| &case.undo)
    }

    pub(super) fn preview(&self) -> Preview {
        self.case.map_or(self.tool.preview, |case| case.preview)
    }
}

/// One way in which a call may come: over a surface or none, granted one of its scopes or none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    pub(super) surface: Option<String>,
    pub(super) scope: Option<String>,
}

impl Way {
    /// Every way that one of the locks knows.
    pub(super) fn all(before: &Lock, after: &Lock) -> Vec<Self> {
        let mut ways = BTreeSet::from([Self { surface: None, scope: None }]);
        for (key, surface) in before.surfaces.iter().chain(&after.surfaces) {
            ways.insert(Self { surface: Some(key.clone()), scope: None });
            let scopes = surface.scopes.iter().flat_map(BTreeMap::keys);
            ways.extend(scopes.map(|scope| Self { surface: Some(key.clone()), scope: Some(scope.clone()) }));
        }
        ways.into_iter().collect()
    }
}

/// What a call that is granted asks for: how strictly, and who may say yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asks<'a> {
    pub(super) approval: Approval,
    /// Nothing: any authenticated person.
    pub(super) approvers: Option<&'a [String]>,
}

/// A lock, its names looked up once.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) lock: &'a Lock,
    pub(super) deeds: BTreeMap<String, Deed<'a>>,
    bundles: BTreeMap<&'a str, BTreeSet<&'a str>>,
    has_scopes: bool,
}

impl<'a> View<'a> {
    pub(super) fn of(lock: &'a Lock) -> Self {
        let mut deeds = BTreeMap::new();
        for (tool_name, tool) in &lock.tools {
            let mut add = |case_name: Option<&'a str>, case| {
                deeds.insert(deed_name(tool_name, case_name), Deed { tool, tool_name, case_name, case });
            };
            match &tool.cases {
                None => add(None, None),
                Some(cases) => cases.by.iter().for_each(|(name, case)| add(Some(name), Some(case))),
            }
        }
        let bundles = lock.personas.iter().map(|(key, persona)| {
            (key.as_str(), persona.bundle.iter().map(String::as_str).collect::<BTreeSet<_>>())
        });
        Self {
            lock,
            deeds,
            bundles: bundles.collect(),
            has_scopes: lock.surfaces.values().any(|surface| surface.scopes.is_some()),
        }
    }

    /// The least that whoever comes to hold the deed is asked for: its tier's, or the registry's own.
    pub(super) fn floor(&self, deed: &Deed<'_>) -> Approval {
        let tier = self.lock.approvals.at_least.of(deed.effect());
        deed.approval().map_or(tier, |own| own.max(tier))
    }

    /// The cells of a row; nothing where harness or role are not there.
    pub(super) fn row(&self, harness: &str, role: &str) -> &'a [Cell] {
        let row = self.lock.effective.get(harness).and_then(|roles| roles.get(role));
        row.map_or(&[], Vec::as_slice)
    }

    pub(super) fn harness(&self, key: &str) -> Option<&'a Harness> {
        self.lock.harnesses.get(key)
    }

    /// Whether somebody with this persona may wear the harness and holds the deed; no persona: somebody of whom nothing is
    /// known, who may do anything where no personas are stated, and nothing where they are.
    pub(super) fn holds(&self, harness: &str, persona: Option<&str>, deed: &str) -> bool {
        let may = |key| self.bundles.get(key).is_some_and(|bundle| bundle.contains(deed));
        self.wears(harness, persona) && (self.lock.personas.is_empty() || persona.is_some_and(may))
    }

    /// Whether somebody with this persona may wear the harness, or go without one.
    pub(super) fn wears(&self, harness: &str, persona: Option<&str>) -> bool {
        if self.lock.personas.is_empty() {
            return true;
        }
        let Some(key) = persona else { return false };
        self.lock.personas.get(key).is_some_and(|persona| match self.harness(harness) {
            None => harness == NO_HARNESS && !persona.harness,
            Some(own) => own.personas.is_empty() || own.personas.iter().any(|name| name == key),
        })
    }

    /// What a call for a cell's deed asks for when it comes this way; nothing where it does not get through.
    pub(super) fn asks(&self, cell: &'a Cell, deed: &Deed<'a>, way: &Way) -> Option<Asks<'a>> {
        let stated = way.surface.as_ref().map(|key| (key, self.lock.surfaces.get(key)));
        let surface = match stated {
            Some((_, None)) => return None,
            Some((_, surface)) => surface,
            None => None,
        };
        let served = match (&deed.tool.surfaces, stated) {
            (None, _) => true,
            (Some(named), Some((key, _))) => named.contains(key),
            (Some(_), None) => false,
        };
        if !served || !self.covers(surface, way, deed.effect()) {
            return None;
        }
        let outside = surface.is_some_and(|surface| surface.origin == Some(Origin::Outside));
        if cell.approval == Approval::Auto && outside && deed.effect() != Effect::Read {
            return Some(Asks { approval: Approval::Confirm, approvers: self.confirmers(deed) });
        }
        Some(Asks { approval: cell.approval, approvers: cell.approvers.as_deref() })
    }

    fn covers(&self, surface: Option<&Surface>, way: &Way, effect: Effect) -> bool {
        let Some(surface) = surface else { return !self.has_scopes };
        let Some(scopes) = &surface.scopes else { return true };
        let granted = way.scope.as_ref().and_then(|scope| scopes.get(scope));
        granted.is_some_and(|scope| scope.effects.contains(&effect))
    }

    /// Who confirms a deed whose `auto` does not hold for calls from outside.
    fn confirmers(&self, deed: &Deed<'_>) -> Option<&'a [String]> {
        let stated = self.lock.approvals.approvers.as_ref()?;
        let own = deed.case_name.and_then(|case| stated.tools.get(&deed_name(deed.tool_name, Some(case))));
        let own = own.or_else(|| stated.tools.get(deed.tool_name));
        Some(own.unwrap_or(&stated.confirm))
    }

    /// Whether a harness may do the deed while a plan waits for its yes.
    pub(super) fn is_exempt(&self, harness: &str, deed: &Deed<'_>) -> bool {
        let skills = self.harness(harness).map_or(&[][..], |harness| &harness.skills);
        let of_skills = skills.iter().filter_map(|skill| self.lock.skills.get(skill)?.tool.as_ref());
        let mut names = self.lock.approvals.always_allowed.iter().chain(of_skills);
        names.any(|name| *name == deed.tool_name || *name == deed_name(deed.tool_name, deed.case_name))
    }
}

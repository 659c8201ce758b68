//! What a record holds of a call, in another lock's terms, and each way in which what it leaves open may have been.

use crate::Bundle;
use crate::audit::{Field, Told};
use crate::boundary::overlay::Overlay;
use crate::boundary::run::Mode;
use crate::boundary::side;
use crate::decide::{Code, DeedSet, Gate, Person, Plan, RunRow, Tighter};
use crate::lock::{Approval, split_deed};

use super::ways::Ways;

/// What is the same in every way.
pub(super) struct Facts<'t> {
    pub(super) bundle: &'t Bundle,
    pub(super) harness: Option<&'t str>,
    pub(super) has_input: bool,
    pub(super) is_own: bool,
    pub(super) killed: bool,
    pub(super) plan: Planned<'t>,
    pub(super) read_only: bool,
    pub(super) recorded: Option<Code>,
    pub(super) role: &'t str,
    pub(super) surface: Option<&'t str>,
    /// What could not be looked up: it denies under any lock.
    pub(super) doubts: Vec<Code>,
    as_personas: bool,
    case_input: Option<&'t str>,
    is_plan: bool,
    /// Whether the tool is an outside server's.
    pub(super) is_pinned: bool,
    overlaid: bool,
    personas: &'t [String],
    pub(super) proposed: Option<Approval>,
    pub(super) scopes: Vec<Vec<&'t str>>,
}

/// Where the run's plan stood.
pub(super) enum Planned<'t> {
    None,
    Proposed,
    /// The deeds of its open steps, as they were told.
    Steps(&'t [String]),
}

impl<'t> Facts<'t> {
    pub(super) fn of(
        told: &'t impl Told,
        bundle: &'t Bundle,
        recorded: Option<Code>,
        is_own: bool,
    ) -> Option<Self> {
        let surface = key(told, Field::Surface)?;
        let mode = told.text(Field::Mode);
        let is_step = told.has(Field::PlanStep);
        let is_plan = recorded.is_none() && told.has(Field::PlanSteps) && !told.has(Field::Input);
        let overlay = told.text(Field::Overlay);
        let doubts = [
            (Field::Overlay, Code::OverlayUnreadable),
            (Field::Permissions, Code::PermissionsUnreadable),
            (Field::Plan, Code::PlanUnreadable),
        ];
        let proposed = told.text(Field::Approval).and_then(Approval::named);
        Some(Self {
            bundle,
            harness: key(told, Field::Harness)?,
            has_input: told.has(Field::Input),
            is_own,
            killed: told.flag(Field::KillSwitch) != Some(false),
            // A plan takes the place of the one before it, and its steps are asked as if there were none.
            plan: match told.text(Field::Plan) {
                _ if is_step || is_plan => Planned::None,
                Some("none") => Planned::None,
                Some("approved") => Planned::Steps(told.keys(Field::PlanSteps)),
                _ => Planned::Proposed,
            },
            read_only: mode != Some(Mode::Work.word()),
            recorded,
            role: key(told, Field::Role)??,
            surface,
            doubts: doubts.into_iter().filter(|(field, _)| !told.has(*field)).map(|(_, code)| code).collect(),
            as_personas: told.flag(Field::AsPersonas) == Some(true),
            case_input: told.text(Field::CaseInput),
            is_plan,
            is_pinned: told
                .key(Field::Tool)
                .is_some_and(|tool| bundle.lock().tools.get(tool).is_some_and(|tool| tool.server.is_some())),
            overlaid: overlay
                .is_some_and(|overlay| Overlay::none().map_or(true, |none| overlay != none.digest())),
            personas: told.keys(Field::Personas),
            proposed,
            scopes: scopes(told, bundle, surface, mode == Some(Mode::Resume.word()), is_own),
        })
    }

    /// The first gate that is closed to a plan as a whole, with these scopes.
    pub(super) fn closed_to_plans(&self, scopes: &[&str]) -> Option<Gate> {
        let person = self.bundle.person([]);
        let row = RunRow {
            harness: self.harness,
            person: &person,
            plan: Plan::None,
            read_only: self.read_only,
            role: self.role,
            scopes,
            surface: self.surface,
        };
        self.bundle.run(&row).with_kill_switch(self.killed).closed_to_plans()
    }

    /// The ways in which a deed may have been asked for.
    pub(super) fn ways(&self, deed: &str) -> Ways<'_, 't> {
        let (tool, case) = split_deed(deed);
        Ways {
            facts: self,
            tool: tool.to_owned(),
            cases: self.cases(tool, case),
            persons: self.persons(tool, case),
            plans: self.plans(tool),
            scopes: &self.scopes,
            overlays: self.overlays(tool),
        }
    }

    /// Whether a deed that was told is one of this lock's, told apart by the same input: else nobody knows which of the tool's
    /// it would have been.
    fn is_known(&self, tool: &str, case: Option<&str>) -> bool {
        let own = self.bundle.lock().tools.get(tool).and_then(|tool| tool.cases.as_ref());
        match (own, case) {
            (None, None) => true,
            (Some(own), Some(case)) => {
                let is_told_apart_alike = self.is_own || self.case_input == Some(own.input.as_str());
                is_told_apart_alike && own.by.contains_key(case)
            }
            _ => false,
        }
    }

    /// The open steps of an approved plan, as far as they may have been about this tool: those that were told, and where some
    /// are no deeds of this lock, none of these or any of the tool's.
    fn plans(&self, tool: &str) -> Vec<DeedSet> {
        let Planned::Steps(told) = self.plan else { return vec![self.bundle.deeds([])] };
        let deeds = |keep: &dyn Fn(&str) -> bool, more: Option<&str>| {
            let kept = told.iter().map(String::as_str).filter(|name| keep(name));
            self.bundle.deeds(kept.chain(more))
        };
        let is_known = |name: &str| {
            let (of, case) = split_deed(name);
            of != tool || self.is_known(of, case)
        };
        let as_told = deeds(&|_| true, None);
        if told.iter().all(|name| is_known(name)) {
            return vec![as_told];
        }
        vec![as_told, deeds(&is_known, None), deeds(&|_| true, Some(tool))]
    }

    fn cases(&self, tool: &str, case: Option<&str>) -> Vec<Option<String>> {
        let own = self.bundle.lock().tools.get(tool).and_then(|tool| tool.cases.as_ref());
        // A tool without cases has one deed, whatever the input says.
        let Some(own) = own else { return vec![None] };
        let told = case.map(str::to_owned);
        let same_input = self.case_input == Some(own.input.as_str());
        match told {
            Some(_) if same_input || self.is_own => vec![told],
            None if self.is_own || !self.has_input && !self.is_plan => vec![None],
            _ => std::iter::once(None).chain(own.by.keys().cloned().map(Some)).collect(),
        }
    }

    fn persons(&self, tool: &str, case: Option<&str>) -> Vec<Person> {
        let bundle = self.bundle;
        let nobody = || bundle.person([]);
        if let Some(anyone) = bundle.anyone() {
            return vec![anyone];
        }
        if self.doubts.contains(&Code::PermissionsUnreadable) {
            return vec![nobody()];
        }
        if self.as_personas && !self.personas.is_empty() {
            let personas = self.personas.iter().filter_map(|key| bundle.lock().personas.get(key));
            return vec![
                bundle.person(personas.flat_map(|persona| persona.bundle.iter().map(String::as_str))),
            ];
        }
        // Else the permissions are the person's own, whatever a lock says of personas.
        let is_exact = self.is_known(tool, case);
        match self.recorded {
            None if is_exact => vec![bundle.person([crate::lock::deed_name(tool, case).as_str()])],
            Some(code) if is_exact && code.gate() > Gate::Person => {
                vec![bundle.person([crate::lock::deed_name(tool, case).as_str()])]
            }
            Some(Code::PermissionDenied) if is_exact => vec![nobody()],
            _ => vec![bundle.person([tool]), nobody()],
        }
    }

    /// What an overlay may have said of the tool: at most what the record lets it have said.
    fn overlays(&self, tool: &str) -> Vec<Tighter> {
        let raised = |approval| Tighter::new([], [(tool, approval)]);
        let most = match (self.recorded, self.proposed) {
            _ if !self.overlaid => Approval::Auto,
            (None, proposed) => proposed.unwrap_or(Approval::Auto),
            (Some(_), _) => Approval::FourEyes,
        };
        let mut ways: Vec<Tighter> =
            Approval::ALL.into_iter().filter(|approval| *approval <= most).map(raised).collect();
        if self.overlaid && self.recorded == Some(Code::ToolDisabled) {
            ways.push(Tighter::new([tool], []));
        }
        ways
    }
}

/// The scopes that were granted, as far as they are told; and, where more were granted than the lock of that time knew, with
/// all that the surface knows here.
fn scopes<'t>(
    told: &'t impl Told,
    bundle: &'t Bundle,
    surface: Option<&str>,
    resumes: bool,
    is_own: bool,
) -> Vec<Vec<&'t str>> {
    let granted: Vec<&str> = told.keys(Field::Scopes).iter().map(String::as_str).collect();
    let known = surface.and_then(|key| bundle.lock().surfaces.get(key)?.scopes.as_ref());
    let mut ways = vec![granted];
    if let Some(known) = known.filter(|_| !is_own && told.flag(Field::MoreScopes) != Some(false)) {
        ways.push(known.keys().map(String::as_str).collect());
    }
    match side::after_approval(bundle, resumes, surface) {
        Some(left) => ways.iter().map(|scopes| side::granted(scopes, left)).collect(),
        None => ways,
    }
}

/// A key of the lock, where the record states one. `None`: it states a name that no lock knew, as a digest.
fn key(told: &impl Told, field: Field) -> Option<Option<&str>> {
    if told.has(field) { told.key(field).map(Some) } else { Some(None) }
}

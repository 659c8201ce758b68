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
    pub(super) plan: Planned,
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
pub(super) enum Planned {
    None,
    Proposed,
    Steps(DeedSet),
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
        let steps = || bundle.deeds(told.keys(Field::PlanSteps).iter().map(String::as_str));
        let overlay = told.text(Field::Overlay);
        let doubts = [
            (Field::Overlay, Code::OverlayUnreadable),
            (Field::Permissions, Code::PermissionsUnreadable),
            (Field::Plan, Code::PlanUnreadable),
        ];
        let proposed = told.text(Field::Approval).and_then(|word| {
            [Approval::Auto, Approval::Confirm, Approval::FourEyes]
                .into_iter()
                .find(|approval| approval.word() == word)
        });
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
                Some("approved") => Planned::Steps(steps()),
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
            scopes: &self.scopes,
            overlays: self.overlays(tool),
        }
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
        let has_cases = bundle.lock().tools.get(tool).is_some_and(|tool| tool.cases.is_some());
        let is_exact = has_cases == case.is_some();
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
        let all = [Approval::Auto, Approval::Confirm, Approval::FourEyes];
        let mut ways: Vec<Tighter> =
            all.into_iter().filter(|approval| *approval <= most).map(raised).collect();
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

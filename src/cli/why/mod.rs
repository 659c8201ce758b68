//! `harnessc why`: the gates between a harness and a tool, each with the line that decided it, and what would open them.

mod report;

use clap::Args;
use harnessc_runtime::decide::{Bundle, Gate};
use harnessc_runtime::lock::{Lock, Origin};

use super::Format;
use super::outcome::{Said, Trouble, code};
use super::session::Session;
use crate::check::check;
use crate::diagnostic::Level;
use crate::lower;
use crate::model::tests::TestRun;
use crate::report::visible;
use crate::rules::Cx;
use crate::source::Spanned;
use crate::tree::Tree;
use crate::trial::{self, Decision, Row, Stand};
use crate::variant::{self, Original};
use crate::why;

pub(super) use report::WhyReport;

#[derive(Debug, Args)]
pub(super) struct WhyArgs {
    /// The harness; `none`: a run without one
    harness: String,
    /// The tool, or one case of it as tool/case
    tool: String,
    /// The role; unsaid: the only one, or the first that grants it
    #[arg(long)]
    role: Option<String>,
    /// The persona; unsaid: each that wears the harness
    #[arg(long)]
    persona: Option<String>,
    /// The surface the call comes from; unsaid: one that serves the tool. `none`: over no surface
    #[arg(long)]
    surface: Option<String>,
    /// A scope granted there, may be given again; unsaid: all. `none`: no scope
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<String>,
    /// The run may only read
    #[arg(long)]
    read_only: bool,
}

/// In the place of a surface or a scope: there is none.
const NONE: &str = "none";

pub(super) fn run(session: &Session, args: &WhyArgs) -> Result<Said, Trouble> {
    let manifest = session.manifest(None)?;
    let (tree, read) = Tree::open(&manifest)?;
    let original = Original::new(tree, &read);
    let (checked, answered) = check(&original.tree, read, |cx, checked| {
        let denies = checked.findings.iter().any(|finding| finding.level >= Level::Deny);
        (!denies).then(|| {
            let lock = lower::lower(cx, &checked.grading);
            match variant::bundle(&lock) {
                Ok(bundle) => answer(session, args, cx, &original, &bundle),
                Err(said) => Err(Trouble::Internal(format!("the lock of this tree does not prove: {said}"))),
            }
        })
    });
    if let Some(said) = answered {
        return said;
    }
    let mut said = Said { code: code::FINDINGS, ..Said::default() };
    session.findings(&checked.findings, &original.tree.sources, &mut said);
    if session.global.format == Format::Human {
        said.note("nothing is answered while findings deny: what the tree comes to is not settled");
    }
    Ok(said)
}

fn answer(
    session: &Session,
    args: &WhyArgs,
    cx: &Cx<'_>,
    original: &Original,
    bundle: &Bundle,
) -> Result<Said, Trouble> {
    known(bundle.lock(), args)?;
    let asked = asked(bundle, args, cx);
    let stand = Stand::new(bundle, &trial::Schemas::default());
    let mut answers = Vec::new();
    for deed in deeds(bundle.lock(), &args.tool) {
        for row in trial::rows(bundle.lock(), &asked, None) {
            answers.push(answered(cx, original, &stand, &row, &deed));
        }
    }
    let mut said = Said::default();
    let sources = &cx.tree.sources;
    match session.global.format {
        Format::Json => said.json(&report::report(
            sources,
            &args.harness,
            asked.role.as_deref().map_or("", |role| role),
            &answers,
        )),
        _ if answers.is_empty() => {
            said.line(nobody(args));
            if session.global.format != Format::Short
                && let Some(guest) = guest(args, cx, original, bundle, &asked)
            {
                report::mended(sources, &guest, session.terminal.out, &mut said);
            }
        }
        Format::Short => report::short(sources, &answers, &mut said),
        _ => {
            report::human(sources, &answers, session.terminal.out, &mut said);
        }
    }
    Ok(said)
}

/// The gates of one deed for one run, and what would open them.
fn answered(cx: &Cx<'_>, original: &Original, stand: &Stand, row: &Row<'_>, deed: &str) -> report::Answer {
    let bundle = stand.bundle();
    let lines = why::lines(cx, bundle, row, deed);
    let begins = lines.first().is_none_or(|line| line.gate != Gate::RunRow);
    let decision = match begins {
        true => trial::ask(stand, row, deed, None),
        false => Decision::denied(Gate::RunRow),
    };
    let (mut other_harnesses, mut other_roles, mut other_scopes) = (Vec::new(), Vec::new(), Vec::new());
    match decision.gate {
        Some(Gate::Role) => other_roles = why::roles(bundle, row, deed),
        Some(Gate::Harness) if row.harness.is_none() => {
            other_harnesses = why::harnesses(bundle, row, deed);
        }
        Some(Gate::SurfaceScope) => other_scopes = why::scopes(bundle, row, deed),
        _ => {}
    }
    report::Answer {
        deed: deed.to_owned(),
        who: row.said(),
        persona: row.persona.map(str::to_owned),
        decision,
        mendings: why::mendings(cx, original, row, deed, &lines),
        lines,
        other_harnesses,
        other_roles,
        other_scopes,
    }
}

/// Why there is nobody to answer for.
fn nobody(args: &WhyArgs) -> String {
    match args.harness.as_str() {
        "none" | "-" => "no run without a harness begins: no persona of this policy says `harness: none`. `--persona KEY` asks \
                         for one all the same"
            .to_owned(),
        key => format!("no run of `{}` begins: it names no persona that may wear it", visible(key)),
    }
}

/// The persona that would begin such a run, tried in memory; nothing where a harness is asked about.
fn guest(
    args: &WhyArgs,
    cx: &Cx<'_>,
    original: &Original,
    bundle: &Bundle,
    asked: &TestRun,
) -> Option<why::Mending> {
    if !matches!(args.harness.as_str(), "none" | "-") {
        return None;
    }
    let persona = Some(Spanned::new(why::GUEST.to_owned(), cx.tree.manifest.span));
    let asked = TestRun { persona, ..asked.clone() };
    let row = trial::rows(bundle.lock(), &asked, None).into_iter().next()?;
    let deed = deeds(bundle.lock(), &args.tool).into_iter().next()?;
    why::guest(cx, original, &row, &deed)
}

/// The run that the command line speaks of, in the words of a test.
fn asked(bundle: &Bundle, args: &WhyArgs, cx: &Cx<'_>) -> TestRun {
    let spanned = |text: &str| Spanned::new(text.to_owned(), cx.tree.manifest.span);
    let mut run = TestRun {
        harness: Some(spanned(&args.harness)),
        role: args.role.as_deref().map(spanned),
        persona: args.persona.as_deref().map(spanned),
        surface: args.surface.as_deref().filter(|key| *key != NONE).map(spanned),
        scopes: (!args.scopes.is_empty())
            .then(|| args.scopes.iter().filter(|scope| *scope != NONE).map(|scope| spanned(scope)).collect()),
        read_only: args.read_only.then(|| Spanned::new(true, cx.tree.manifest.span)),
        ..TestRun::default()
    };
    // Unsaid, the call comes from where the tool is served, with all that may be granted there.
    let (tool, _) = harnessc_runtime::lock::split_deed(&args.tool);
    let served = || bundle.lock().tools.get(tool)?.surfaces.as_ref()?.first();
    if args.surface.is_none() {
        run.surface = served().or_else(|| first_surface(bundle.lock())).map(|key| spanned(key));
    }
    if run.scopes.is_none() {
        let scopes =
            run.surface.as_ref().and_then(|key| bundle.lock().surfaces.get(&key.value)?.scopes.as_ref());
        run.scopes = scopes.map(|all| all.keys().map(|scope| spanned(scope)).collect());
    }
    if run.role.is_none() {
        let grants = |role: &&str| {
            let asked = TestRun { role: Some(spanned(role)), ..run.clone() };
            let deeds = deeds(bundle.lock(), &args.tool);
            let stand = Stand::new(bundle, &trial::Schemas::default());
            let granted = |row: &Row<'_>| {
                deeds.iter().any(|deed| trial::ask(&stand, row, deed, None).word.is_granted())
            };
            trial::rows(bundle.lock(), &asked, None).iter().any(granted)
        };
        let roles: Vec<&str> = bundle.lock().roles.keys().map(String::as_str).collect();
        let first = cx.model.roles.iter().next().map(|def| def.key.value.as_str());
        let found = roles.iter().copied().find(|role| grants(role)).or(first).or(roles.first().copied());
        run.role = found.map(spanned);
    }
    run
}

/// The first surface of the policy's own, where some surface states scopes: over none of them nothing is granted.
fn first_surface(lock: &Lock) -> Option<&String> {
    let scoped = lock.surfaces.values().any(|surface| surface.scopes.is_some());
    let inside = |surface: &harnessc_runtime::lock::Surface| surface.origin != Some(Origin::Outside);
    lock.surfaces.iter().filter(|_| scoped).find(|(_, surface)| inside(surface)).map(|(key, _)| key)
}

fn deeds(lock: &Lock, tool: &str) -> Vec<String> {
    match lock.tools.get(tool).and_then(|tool| tool.cases.as_ref()) {
        Some(cases) => cases.by.keys().map(|case| format!("{tool}/{case}")).collect(),
        None => vec![tool.to_owned()],
    }
}

/// Whether every name on the command line is one of the policy's; a tool may be unknown, which is an answer.
fn known(lock: &Lock, args: &WhyArgs) -> Result<(), Trouble> {
    let keys = |what: &str| format!("`harnessc show` lists the {what}");
    if args.harness != "none" && args.harness != "-" && !lock.harnesses.contains_key(&args.harness) {
        let known = lock.harnesses.keys().map(String::as_str);
        return Err(Trouble::unknown("harness", &args.harness, known, &keys("harnesses")));
    }
    let named = [
        ("role", args.role.as_deref(), lock.roles.keys().collect::<Vec<_>>()),
        ("persona", args.persona.as_deref(), lock.personas.keys().collect()),
        ("surface", args.surface.as_deref(), lock.surfaces.keys().collect()),
    ];
    for (kind, written, known) in named {
        let is_known = |written: &&str| known.iter().any(|key| key.as_str() == *written);
        let nowhere = |written: &&str| kind == "surface" && *written == NONE;
        if let Some(written) = written.filter(|written| !is_known(written) && !nowhere(written)) {
            let all: Vec<&str> = known.iter().map(|key| key.as_str()).collect();
            let help =
                format!("the policy has {}", if all.is_empty() { "none".to_owned() } else { all.join(", ") });
            return Err(Trouble::unknown(kind, written, all, &help));
        }
    }
    for written in args.scopes.iter().filter(|scope| *scope != NONE) {
        let scopes = lock.surfaces.values().filter_map(|surface| surface.scopes.as_ref());
        let known: Vec<&str> = scopes.flat_map(|scopes| scopes.keys().map(String::as_str)).collect();
        if !known.contains(&written.as_str()) {
            let all = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(Trouble::unknown("scope", written, known, &format!("the surfaces know {all}")));
        }
    }
    let (tool, case) = harnessc_runtime::lock::split_deed(&args.tool);
    let is_known = lock.tools.get(tool).is_some_and(|own| {
        case.is_none_or(|case| own.cases.as_ref().is_some_and(|cases| cases.by.contains_key(case)))
    });
    if !is_known {
        let known: Vec<String> = lock.tools.keys().flat_map(|tool| deeds(lock, tool)).collect();
        let all = known.iter().map(String::as_str).chain(lock.tools.keys().map(String::as_str));
        return Err(Trouble::unknown(
            "tool",
            &args.tool,
            all,
            "a tool is named as in the registry, a case of it as tool/case",
        ));
    }
    Ok(())
}

//! The sections of a tree: entries of every file gathered, duplicates shown with both places, each read once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::keyed::{Keyed, read_entries};
use super::keys::{free_key, name_key};
use super::manifest::Manifest;
use super::read::{NULL_VALUE, Read, unknown_section, wrong_type};
use super::scalars::SchemaText;
use super::{approvals, bounds, harnesses, people, prompt, refusals, rubrics, tests, tools, work};
use crate::diagnostic::{Diagnostic, RuleId, Sink, nearest};
use crate::model::lists::ToolList;
use crate::source::{Span, Spanned};
use crate::syntax::{Document, Entry, Kind, Node};
use crate::tree::parallel::both;

const DUPLICATE_DEFINITION: RuleId = RuleId("duplicate-definition");

macro_rules! sections {
    ( $( $(#[$doc:meta])* $kind:ident $name:ident : $type:ty, )* ) => {
        /// All that a tree states.
        #[derive(Clone, Debug, Default)]
        pub struct Model {
            /// `harness.toml`.
            pub manifest: Manifest,
            $( $(#[$doc])* pub $name: $type, )*
            /// The sections that stand in some file, with the first key that opens each. A section that is absent states nothing.
            pub stated: BTreeMap<&'static str, Span>,
            /// Whether some file did not parse: what only its absence would cause is then not reported.
            pub broken: bool,
        }

        /// The names of all sections, as authors write them.
        pub const SECTIONS: &[&str] = &[ $( stringify!($name), )* ];

        /// One file of a harness tree: a mapping from section to definitions. A section may be spread over any number of files.
        #[derive(schemars::JsonSchema)]
        #[schemars(deny_unknown_fields)]
        #[expect(dead_code, reason = "declared for its JSON Schema alone")]
        pub(super) struct HarnessFile {
            $( $(#[$doc])* $name: Option<$type>, )*
        }

        impl Model {
            fn fill(&mut self, gathered: &BTreeMap<&'static str, Gathered>, sink: &mut Sink) {
                $( if let Some(gathered) = gathered.get(stringify!($name)) {
                    self.stated.insert(stringify!($name), gathered.opened);
                    self.$name = read_section!($kind, gathered, sink);
                } )*
            }

            /// The keys of a section, sorted; of a record section, the fields stated are no keys and none are given.
            pub fn keys(&self, section: &str) -> Option<BTreeSet<&str>> {
                match section {
                    $( stringify!($name) => keys_of!($kind, &self.$name), )*
                    _ => None,
                }
            }
        }
    };
}

macro_rules! read_section {
    (keyed, $gathered:ident, $sink:ident) => {
        read_entries(&$gathered.entries, name_key, $sink)
    };
    (free, $gathered:ident, $sink:ident) => {
        tests::Tests(read_entries(&$gathered.entries, free_key, $sink))
    };
    (record, $gathered:ident, $sink:ident) => {
        Read::read(&$gathered.node(), $sink).unwrap_or_default()
    };
    (list, $gathered:ident, $sink:ident) => {
        $gathered.list.as_ref().and_then(|node| Read::read(node, $sink))
    };
}

macro_rules! keys_of {
    (keyed, $section:expr) => {
        Some($section.keys().collect())
    };
    (free, $section:expr) => {
        Some($section.0.keys().collect())
    };
    (record, $section:expr) => {
        None
    };
    (list, $section:expr) => {
        $section.as_ref().map(|list| list.iter().map(|name| name.value.as_str()).collect())
    };
}

sections! {
    /// Named pieces of JSON Schema.
    keyed types: Keyed<SchemaText>,
    /// What a run's own row carries, and its types.
    keyed run: Keyed<SchemaText>,
    /// Outside servers, pinned as published.
    keyed servers: Keyed<tools::Server>,
    /// Root inputs that must equal the run's value in every tool: input name to `run.FIELD`.
    keyed bind: Keyed<Spanned<String>>,
    /// The registry of tools.
    keyed tools: Keyed<tools::Tool>,
    /// Names for lists of tools.
    keyed toolsets: Keyed<ToolList>,
    /// Kinds of person, and what each may hold.
    keyed personas: Keyed<people::Persona>,
    /// The personas in the order in which a run without a workbench role falls back to their harness.
    list persona_fallback: Option<Spanned<Vec<Spanned<String>>>>,
    /// Run roles.
    keyed roles: Keyed<people::Role>,
    /// What agents wear.
    keyed harnesses: Keyed<harnesses::Harness>,
    /// The doors through which calls come.
    keyed surfaces: Keyed<people::Surface>,
    /// Allow-lists of tools with instructions.
    keyed skills: Keyed<work::Skill>,
    /// What is asked of records, and the evidence an answer needs.
    keyed rubrics: Keyed<rubrics::Rubric>,
    /// What no agent of this tree does.
    keyed refusals: Keyed<refusals::Refusal>,
    /// Who must agree to what.
    record approvals: approvals::Approvals,
    /// Plans that a harness may propose.
    keyed plan_templates: Keyed<work::PlanTemplate>,
    /// Category to root cause to the actions a plan for it must hold.
    keyed diagnoses: Keyed<Keyed<work::RootCause>>,
    /// The line under each proposal; `{person}`, `{harness.title}` and `{decider}` are filled in.
    keyed status_templates: Keyed<Spanned<String>>,
    /// Work that is done without being asked for.
    keyed duty_templates: Keyed<work::DutyTemplate>,
    /// Kinds of record.
    keyed record_types: Keyed<work::RecordType>,
    /// Parts of memory.
    keyed memory_lenses: Keyed<work::MemoryLens>,
    /// Where data comes from.
    keyed context_sources: Keyed<work::ContextSource>,
    /// Readings of one record through several harnesses.
    keyed lens_reviews: Keyed<work::LensReview>,
    /// How prompts are put together.
    record prompt: prompt::Prompt,
    /// What runs and days may spend.
    record limits: bounds::Limits,
    /// What produces answers, and what stands in for it.
    record engines: bounds::Engines,
    /// What an answer's evidence must meet.
    record evidence: bounds::Evidence,
    /// What leaves when an answer is not supported.
    record release: bounds::Release,
    /// What the audit trail keeps.
    record audit: bounds::Audit,
    /// The machinery around the model, and who owns it.
    keyed primitives: Keyed<work::Primitive>,
    /// Decisions that the policy must yield.
    free tests: tests::Tests,
}

/// The entries of one section over all files.
#[derive(Debug)]
struct Gathered {
    opened: Span,
    entries: Vec<Entry>,
    first: BTreeMap<String, Span>,
    list: Option<Arc<Node>>,
}

impl Gathered {
    fn node(&self) -> Arc<Node> {
        Arc::new(Node { span: self.opened, kind: Kind::Map(self.entries.clone()) })
    }
}

/// Reads the manifest and every document, the documents in the order of their paths, on so many threads.
pub fn read<'a>(
    manifest: &Document,
    documents: impl IntoIterator<Item = &'a Document>,
    threads: usize,
    sink: &mut Sink,
) -> Model {
    let mut model = Model { broken: manifest.broken, ..Model::default() };
    if let Some(root) = &manifest.root {
        model.manifest = Manifest::read(root, sink).unwrap_or_default();
    }
    let mut gathered = BTreeMap::new();
    for document in documents {
        model.broken |= document.broken;
        if let Some(root) = &document.root {
            gather(root, &mut gathered, sink);
        } else if !document.broken {
            sink.push(nothing_stated(document));
        }
    }
    // Of a tree that is tested well, the tests are half; they are the last section, so what is found in them comes last.
    let tests: BTreeMap<_, _> = gathered.remove_entry("tests").into_iter().collect();
    let mut beside = sink.beside();
    let read_tests = || {
        let mut tested = Model::default();
        tested.fill(&tests, &mut beside);
        tested
    };
    let (tested, ()) = both(threads, read_tests, || model.fill(&gathered, sink));
    model.tests = tested.tests;
    model.stated.extend(tested.stated);
    sink.take(beside);
    super::complete::check(&mut model, sink);
    model
}

/// A file that is empty, or holds comments alone: `null` is no mapping, and so is nothing.
fn nothing_stated(document: &Document) -> Diagnostic {
    let start = Span::new(document.span.file, 0..0);
    let place = document.comments.first().map_or(start, |comment| comment.span);
    Diagnostic::new(NULL_VALUE, place, "this file states nothing", "no section")
        .note("a file whose text was lost, to an editor or a merge, looks the same: what it stated is in force no more")
        .help("write a section, or delete the file")
}

fn gather(root: &Node, gathered: &mut BTreeMap<&'static str, Gathered>, sink: &mut Sink) {
    let Kind::Map(sections) = &root.kind else {
        wrong_type(root, "a mapping from section to definitions", sink);
        return;
    };
    for section in sections {
        let known = SECTIONS.iter().copied().find(|name| *name == section.key.value);
        let Some(name) = known.or_else(|| misspelt(section, sink)) else { continue };
        let into = gathered.entry(name).or_insert_with(|| Gathered {
            opened: section.key.span,
            entries: Vec::new(),
            first: BTreeMap::new(),
            list: None,
        });
        gather_section(name, section, into, sink);
    }
}

/// Tells of a section that there is not. One that is misspelt is read as the one that was meant, so that what it defines is
/// not missed as well: no lock is built over the finding.
fn misspelt(section: &Entry, sink: &mut Sink) -> Option<&'static str> {
    // In a flood of unknown keys nobody reads what each may have meant.
    if sink.is_full(section.key.span.file) {
        return None;
    }
    let meant = nearest(&section.key, SECTIONS.iter().copied());
    unknown_section(section, SECTIONS, meant, sink);
    meant.filter(|_| matches!(section.value.kind, Kind::Map(_)))
}

fn gather_section(name: &str, section: &Entry, into: &mut Gathered, sink: &mut Sink) {
    if name == "persona_fallback" {
        match &into.list {
            Some(_) => duplicate(name, &section.key, into.opened, sink),
            None => into.list = Some(Arc::clone(&section.value)),
        }
        return;
    }
    let Kind::Map(entries) = &section.value.kind else {
        wrong_type(&section.value, &format!("a mapping with the definitions of `{name}`"), sink);
        return;
    };
    for entry in entries {
        match into.first.get(&entry.key.value) {
            Some(first) => duplicate(&format!("{name}.{}", entry.key.value), &entry.key, *first, sink),
            None => {
                into.first.insert(entry.key.value.clone(), entry.key.span);
                into.entries.push(entry.clone());
            }
        }
    }
}

fn duplicate(what: &str, again: &Spanned<String>, first: Span, sink: &mut Sink) {
    sink.push(
        Diagnostic::new(
            DUPLICATE_DEFINITION,
            again.span,
            format!("`{what}` is defined twice"),
            "defined again here",
        )
        .label(first, "first defined here")
        .note("two definitions of one name would leave it to chance which of them is in force")
        .help("keep one of them, or give the second another name"),
    );
}

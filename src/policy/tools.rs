//! The registry: what each tool is once defaults, hints, cases and pinned text are taken together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use harnessc_runtime::lock::{Approval, Effect, Returns, Tiers, deed_name};
use serde_json::Value;

use super::schema::{self, Origin, Purpose, Reading, Shorts};
use super::vendor::{Pinned, Vendored};
use super::words;
use crate::model::tools::{Case, Tool as Stated, Undo};
use crate::model::words::Preview;
use crate::model::{Def, Model};
use crate::source::{Span, Spanned};
use crate::syntax::{Document, Node};
use crate::tree::parallel;

/// A deed's number: its place among all deeds, sorted by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeedId(pub u32);

/// A tool without cases, or one case of a tool.
#[derive(Clone, Debug)]
pub struct Deed<'m> {
    /// `tool` or `tool/case`.
    pub name: String,
    /// The tool's key.
    pub tool: &'m str,
    /// The case's key and place.
    pub case: Option<&'m Spanned<String>>,
    /// What it does: stated, else destructive; raised by a pinned hint.
    pub effect: Effect,
    /// Where the effect is stated.
    pub effect_at: Option<Span>,
    /// The stricter of the approvals that the case and the tool state.
    pub stated: Option<(Approval, Span)>,
    /// The strictest of the tier's and the stated one. A harness may tighten it further.
    pub approval: Approval,
    /// How it is taken back: the case's word, else the tool's.
    pub undo: Option<&'m Spanned<Undo>>,
    /// What an approver sees: the case's word, else the tool's, else the input.
    pub preview: Preview,
}

/// An input that must equal a value of the run's row.
#[derive(Clone, Debug)]
pub struct Bound<'m> {
    /// The field of `run:`, without `run.`.
    pub field: &'m str,
    /// Where it is stated: in the tool's `bind`, or in the tree's.
    pub at: Span,
}

/// One tool.
#[derive(Debug)]
pub struct Tool<'m> {
    /// What is stated of it.
    pub def: &'m Def<Stated>,
    /// The outside server's name and the tool's name there, where it comes from one.
    pub from: Option<(&'m str, &'m str)>,
    /// What that server published.
    pub pinned: Option<Pinned>,
    /// Its deeds, in the order of names.
    pub deeds: Vec<DeedId>,
    /// The strongest effect of its deeds.
    pub effect: Effect,
    /// What it gives back, the default filled in.
    pub returns: Returns,
    /// Whether it may be used.
    pub enabled: bool,
    /// The input that tells its cases apart.
    pub discriminator: Option<&'m Spanned<String>>,
    /// Its input schema as read; its closed form is [`Tool::closed_input`].
    pub input: Option<Reading>,
    /// The single inputs of a pinned schema that the overlay restates, each as read.
    pub restated: BTreeMap<String, Reading>,
    /// The closed input with bound inputs and the discriminator required.
    pub closed_input: Option<Value>,
    /// Its output schema as read; for structured tools alone.
    pub output: Option<Reading>,
    /// Input to the run's field, by input.
    pub bind: BTreeMap<&'m str, Bound<'m>>,
}

impl<'m> Tool<'m> {
    /// Its key.
    pub fn key(&self) -> &str {
        &self.def.key.value
    }

    /// Its title: stated, else published, else its key.
    pub fn title(&self) -> &str {
        let stated = self.def.title.as_ref().map(|title| title.value.as_str());
        let published = || self.pinned.as_ref()?.title.as_ref().map(|(title, _)| title.as_str());
        stated.or_else(published).unwrap_or(&self.def.key.value)
    }

    /// Where its title stands, or its key.
    pub fn title_at(&self) -> Span {
        let stated = self.def.title.as_ref().map(|title| title.span);
        let published = || self.pinned.as_ref()?.title.as_ref().map(|(_, span)| *span);
        stated.or_else(published).unwrap_or(self.def.key.span)
    }

    /// Its description: stated, else published, else nothing.
    pub fn description(&self) -> &str {
        let stated = self.def.description.as_ref().map(|text| text.value.as_str());
        let published = || self.pinned.as_ref()?.description.as_ref().map(|(text, _)| text.as_str());
        stated.or_else(published).unwrap_or("")
    }

    /// What is stated of a deed's case; nothing where the tool has none.
    pub fn case(&self, deed: &Deed<'_>) -> Option<&'m Case> {
        let key = deed.case?.value.as_str();
        discriminator(self.def)?.get(key).map(|case| &case.value)
    }

    /// Whether it returns prose.
    pub fn is_prose(&self) -> bool {
        self.returns == Returns::Prose
    }
}

/// Every tool and every deed.
#[derive(Default)]
pub struct Registry<'m> {
    tools: BTreeMap<&'m str, Tool<'m>>,
    deeds: Vec<Deed<'m>>,
    ids: BTreeMap<String, DeedId>,
    /// Server key to its pinned list.
    pub servers: BTreeMap<&'m str, Vendored>,
}

impl<'m> Registry<'m> {
    pub(super) fn resolve(
        model: &'m Model,
        vendor: &BTreeMap<String, Document>,
        tiers: Tiers,
        threads: usize,
    ) -> Self {
        let mut registry = Self { servers: servers(model, vendor), ..Self::default() };
        let mut deeds = Vec::new();
        for def in &model.tools {
            let pinned = pinned(def, &registry.servers);
            deeds.extend(deeds_of(def, pinned, tiers));
        }
        deeds.sort_by(|a, b| a.name.cmp(&b.name));
        registry.ids =
            deeds.iter().zip(0..).map(|(deed, number)| (deed.name.clone(), DeedId(number))).collect();
        registry.deeds = deeds;
        let keys = |section: &str| section_keys(model, section);
        let shorts = Shorts::new(model.types.iter().map(|def| (def.key.value.as_str(), &def.value.0)), &keys);
        let defs: Vec<&'m Def<Stated>> = model.tools.iter().collect();
        let tools = parallel::map(&defs, threads, |def| registry.tool_of(model, def, &shorts));
        registry.tools = defs.iter().map(|def| def.key.value.as_str()).zip(tools).collect();
        registry
    }

    /// The tool of that key.
    pub fn tool(&self, key: &str) -> Option<&Tool<'m>> {
        self.tools.get(key)
    }

    /// Every tool, by key.
    pub fn tools(&self) -> impl Iterator<Item = &Tool<'m>> {
        self.tools.values()
    }

    /// The deed of that number.
    pub fn deed(&self, id: DeedId) -> Option<&Deed<'m>> {
        self.deeds.get(id.0 as usize)
    }

    /// Every deed with its number, by name.
    pub fn deeds(&self) -> impl Iterator<Item = (DeedId, &Deed<'m>)> {
        self.deeds.iter().zip(0..).map(|(deed, number)| (DeedId(number), deed))
    }

    /// The number of a deed by its exact name.
    pub fn id(&self, name: &str) -> Option<DeedId> {
        self.ids.get(name).copied()
    }

    /// The deeds that a written name stands for: a tool's are all of its, `tool/case` is that one.
    pub fn named(&self, written: &str) -> Vec<DeedId> {
        match self.tools.get(written) {
            Some(tool) => tool.deeds.clone(),
            None => self.id(written).into_iter().collect(),
        }
    }

    fn tool_of(&self, model: &'m Model, def: &'m Def<Stated>, shorts: &Shorts<'_>) -> Tool<'m> {
        let from = from(def);
        let pinned = pinned(def, &self.servers).cloned();
        let deeds = deed_names(def).into_iter().filter_map(|name| self.id(&name)).collect::<BTreeSet<_>>();
        let effects = || deeds.iter().filter_map(|id| self.deed(*id)).map(|deed| deed.effect);
        let effect = effects().max().unwrap_or(Effect::Destructive);
        let reads = effects().any(|effect| effect == Effect::Read);
        let returns = match &def.returns {
            Some(stated) => words::returns(stated.value),
            None if def.output.is_some() => Returns::Structured,
            None if reads => Returns::Prose,
            None => Returns::None,
        };
        let origin = if from.is_some() { Origin::Pinned } else { Origin::Own };
        let input_node = match (&pinned, from) {
            (Some(pinned), _) => pinned.input.clone(),
            (None, None) => def.input.as_ref().map(|input| Arc::clone(&input.0)),
            (None, Some(_)) => None,
        };
        let input = input_node.map(|node| schema::read(&node, origin, Purpose::Input, shorts));
        let restated = if from.is_some() { restated(def, shorts) } else { BTreeMap::new() };
        let output = (returns == Returns::Structured).then(|| output(def, pinned.as_ref(), shorts)).flatten();
        let discriminator = discriminator(def).map(|cases| &cases.key);
        let mut tool = Tool {
            def,
            from,
            pinned,
            deeds: deeds.into_iter().collect(),
            effect,
            returns,
            enabled: def.enabled.as_ref().is_none_or(|enabled| enabled.value),
            discriminator,
            input,
            restated,
            closed_input: None,
            output,
            bind: BTreeMap::new(),
        };
        tool.closed_input = closed_input(&mut tool, model);
        tool
    }
}

/// Closes the input: restated inputs take the published ones' place, what is bound or tells cases apart is required.
fn closed_input<'m>(tool: &mut Tool<'m>, model: &'m Model) -> Option<Value> {
    let mut closed = schema::with_root_properties(tool.input.as_mut()?.closed.take()?);
    for (name, reading) in &tool.restated {
        if let Some(restated) = &reading.closed {
            closed = schema::with_property(closed, name, restated.clone());
        }
    }
    if let Some(cases) = discriminator(tool.def) {
        closed = told_apart(closed, tool.from.is_some(), cases);
    }
    tool.bind = bind(tool.def, model, &schema::root_properties(&closed));
    let mut needed: BTreeSet<&str> = tool.bind.keys().copied().collect();
    needed.extend(tool.discriminator.map(|input| input.value.as_str()));
    Some(schema::with_required(closed, needed))
}

/// The input that tells cases apart lists exactly them, as the runtime proves again. What a server publishes beside them
/// is taken away; where the two do not fit, the input stays as it is and `bad-schema` says so.
fn told_apart(closed: Value, pinned: bool, cases: &Def<crate::model::Keyed<Case>>) -> Value {
    let input = &cases.key.value;
    let keys: BTreeSet<&str> = cases.iter().map(|case| case.key.value.as_str()).collect();
    let Some(property) = schema::root_property(&closed, input) else { return closed };
    let fits = match schema::string_enum(&closed, input) {
        Some(values) if pinned => keys.iter().all(|key| values.iter().any(|value| value == key)),
        Some(values) => values.iter().map(String::as_str).collect::<BTreeSet<_>>() == keys,
        None => pinned && keys.iter().all(|key| schema::may_take(&closed, input, key)),
    };
    if !fits || keys.is_empty() {
        return closed;
    }
    let notes = ["title", "description"].into_iter();
    let mut listed: serde_json::Map<String, Value> =
        notes.filter_map(|note| Some((note.to_owned(), property.get(note)?.clone()))).collect();
    listed.insert("type".to_owned(), "string".into());
    listed.insert("enum".to_owned(), cases.iter().map(|case| case.key.value.as_str()).collect());
    schema::with_property(closed, input, Value::Object(listed))
}

fn bind<'m>(def: &'m Def<Stated>, model: &'m Model, inputs: &[&str]) -> BTreeMap<&'m str, Bound<'m>> {
    let general = model.bind.iter().filter(|bound| inputs.contains(&bound.key.value.as_str()));
    let own = def.bind.iter().flatten();
    general
        .chain(own)
        .filter_map(|bound| {
            let field = bound.value.value.strip_prefix("run.")?;
            Some((bound.key.value.as_str(), Bound { field, at: bound.key.span }))
        })
        .collect()
}

fn servers<'m>(model: &'m Model, vendor: &BTreeMap<String, Document>) -> BTreeMap<&'m str, Vendored> {
    model
        .servers
        .iter()
        .filter_map(|server| {
            let document = vendor.get(&server.tools.as_ref()?.value)?;
            Some((server.key.value.as_str(), Vendored::read(document)))
        })
        .collect()
}

fn from(def: &Def<Stated>) -> Option<(&str, &str)> {
    let from = &def.from.as_ref()?.value;
    Some(from.split_once('/').unwrap_or((from, &def.key.value)))
}

fn pinned<'a>(def: &Def<Stated>, servers: &'a BTreeMap<&str, Vendored>) -> Option<&'a Pinned> {
    let (server, name) = from(def)?;
    servers.get(server)?.tools.get(name)
}

/// The one input by which cases are told apart. More than one is a fault that `bad-schema` reports; the first stands.
fn discriminator(def: &Def<Stated>) -> Option<&Def<crate::model::Keyed<Case>>> {
    def.cases.as_ref()?.value.iter().next()
}

fn deed_names(def: &Def<Stated>) -> Vec<String> {
    match discriminator(def) {
        None => vec![def.key.value.clone()],
        Some(cases) => cases.iter().map(|case| deed_name(&def.key.value, Some(&case.key.value))).collect(),
    }
}

fn deeds_of<'m>(def: &'m Def<Stated>, pinned: Option<&Pinned>, tiers: Tiers) -> Vec<Deed<'m>> {
    let floor = pinned.map_or(Effect::Read, hinted);
    let cases: Vec<&Def<Case>> = discriminator(def).into_iter().flat_map(|cases| cases.iter()).collect();
    if discriminator(def).is_none() {
        let stated = def.effect.as_ref();
        let effect = stated.map_or(Effect::Destructive, |effect| words::effect(effect.value));
        return vec![deed(def, None, effect.max(floor), stated.map(|effect| effect.span), tiers)];
    }
    let strongest = cases.iter().map(|case| case_effect(case)).max().unwrap_or(Effect::Destructive);
    cases
        .into_iter()
        .map(|case| {
            // The hint speaks of the tool's worst deed: where no case reaches it, the strongest ones are that deed.
            let own = case_effect(case);
            let effect = if own == strongest { own.max(floor) } else { own };
            deed(def, Some(case), effect, case.effect().map(|effect| effect.span), tiers)
        })
        .collect()
}

fn case_effect(case: &Case) -> Effect {
    case.effect().map_or(Effect::Destructive, |effect| words::effect(effect.value))
}

/// The least effect that a tool's published hints leave: they raise one, and never lower it.
fn hinted(pinned: &Pinned) -> Effect {
    pinned.hints().least()
}

fn deed<'m>(
    def: &'m Def<Stated>,
    case: Option<&'m Def<Case>>,
    effect: Effect,
    effect_at: Option<Span>,
    tiers: Tiers,
) -> Deed<'m> {
    let fields = case.and_then(|case| case.fields());
    let own = fields.and_then(|fields| fields.approval.as_ref());
    // A case may ask for more than its tool and never for less; of two that ask for the same, the tool's word stands.
    let words = own.into_iter().chain(def.approval.as_ref());
    let stated =
        words.map(|approval| (words::approval(approval.value), approval.span)).max_by_key(|(word, _)| *word);
    let tier = tiers.of(effect);
    Deed {
        name: deed_name(&def.key.value, case.map(|case| case.key.value.as_str())),
        tool: &def.key.value,
        case: case.map(|case| &case.key),
        effect,
        effect_at,
        stated,
        approval: stated.map_or(tier, |(approval, _)| approval.max(tier)),
        undo: fields.and_then(|fields| fields.undo.as_ref()).or(def.undo.as_ref()),
        preview: fields
            .and_then(|fields| fields.preview.as_ref())
            .or(def.preview.as_ref())
            .map_or(Preview::Input, |preview| preview.value),
    }
}

fn restated(def: &Def<Stated>, shorts: &Shorts<'_>) -> BTreeMap<String, Reading> {
    let properties = def.input.as_ref().and_then(|input| input.0.get("properties"));
    let crate::syntax::Kind::Map(entries) = properties.map_or(&crate::syntax::Kind::Null, |p| &p.value.kind)
    else {
        return BTreeMap::new();
    };
    entries
        .iter()
        .map(|entry| {
            let reading = schema::read(&entry.value, Origin::Own, Purpose::Restated, shorts);
            (entry.key.value.clone(), reading)
        })
        .collect()
}

fn output(def: &Def<Stated>, pinned: Option<&Pinned>, shorts: &Shorts<'_>) -> Option<Reading> {
    match &def.output {
        Some(output) => Some(schema::read(&output.0, Origin::Own, Purpose::Output, shorts)),
        None => {
            let node: &Arc<Node> = pinned?.output.as_ref()?;
            Some(schema::read(node, Origin::Pinned, Purpose::Output, &Shorts::none()))
        }
    }
}

/// The keys of a section in the order of the text, for `{keys: SECTION}`; nothing where no file opens it.
pub fn section_keys(model: &Model, section: &str) -> Option<Vec<Spanned<String>>> {
    let keys = model.keys(section)?;
    let at = model.stated.get(section_name(section)?)?;
    Some(keys.into_iter().map(|key| Spanned::new(key.to_owned(), *at)).collect())
}

fn section_name(section: &str) -> Option<&'static str> {
    crate::model::SECTIONS.iter().copied().find(|name| *name == section)
}

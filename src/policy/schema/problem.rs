//! What can be wrong with a schema, or worth a rule's notice.

use super::Located;
use super::path::Path;
use crate::source::Span;

/// The kinds of [`Problem`]; each belongs to one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// Something other than a schema stands where one belongs.
    NotASchema,
    /// A schema its meta-schema refuses.
    Invalid,
    /// A keyword that own schemas and outputs do not have.
    OutsideSubset,
    /// A pinned schema that cannot be shown to close.
    CannotClose,
    /// `additionalProperties: true` in an own schema.
    OpenObject,
    /// A map form without `maxProperties` or with values that are not capped scalars.
    LooseMap,
    /// An input whose root is no object.
    NotAnObject,
    /// A run field that is no scalar.
    NotAScalar,
    /// A place without a type.
    MissingType,
    /// A word that names no type, or a section that does not exist.
    UnknownType,
    /// A type that leads to itself.
    TypeCycle,
    /// A `$ref` that leads out of the schema.
    RemoteRef,
    /// A `$ref` that leads to nothing.
    DanglingRef,
    /// A `$ref` that leads to itself without passing through a property or an item.
    RefCycle,
    /// Nested too deeply.
    TooDeep,
    /// Too many nodes.
    TooLarge,
    /// A number that is no JSON number, or an integer beyond 2^53 − 1.
    BadNumber,
    /// A pattern that cannot be read, or that uses what a linear-time engine has not.
    BadPattern,
    /// A format that is not asserted.
    UnknownFormat,
    /// A pattern that does not hold at both ends.
    UnanchoredPattern,
    /// A string on the default cap.
    LooseString,
    /// A number without a bound.
    LooseNumber,
    /// An array without `maxItems`.
    LooseArray,
    /// An output's key that announces prose.
    ProseKey,
}

impl ProblemKind {
    /// The rule that reports it.
    pub fn rule(self) -> &'static str {
        match self {
            Self::UnknownType => "unknown-reference",
            Self::TypeCycle => "reference-cycle",
            Self::UnanchoredPattern => "unanchored-pattern",
            Self::LooseString | Self::LooseNumber | Self::LooseArray => "loose-input",
            Self::ProseKey => "open-output-schema",
            _ => "bad-schema",
        }
    }
}

/// One thing found in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What it is.
    pub kind: ProblemKind,
    /// The exact bytes: a keyword's key where the keyword is the fault, else the value.
    pub span: Span,
    /// JSON pointer into the schema as written, short forms written out.
    pub pointer: String,
    /// The place that led here: the word that names the type in whose text the fault lies.
    pub related: Option<Span>,
    /// What is wrong, in one sentence: lower case, no full stop.
    pub detail: String,
    /// The edit that mends it, where there is a plain one.
    pub help: Option<String>,
}

impl Problem {
    /// Whether the schema can still be closed and trusted: a fact for a warning rule, not a fault of the schema.
    pub fn is_soft(&self) -> bool {
        matches!(
            self.kind,
            ProblemKind::UnanchoredPattern
                | ProblemKind::LooseString
                | ProblemKind::LooseNumber
                | ProblemKind::LooseArray
                | ProblemKind::ProseKey
        )
    }
}

impl Problem {
    /// A problem with the value at `part`.
    pub(super) fn at(
        kind: ProblemKind,
        part: &Located,
        pointer: &Path<'_>,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            span: part.span,
            pointer: pointer.to_string(),
            related: part.via,
            detail: detail.into(),
            help: None,
        }
    }

    /// A problem with the keyword that leads to `part`.
    pub(super) fn at_key(
        kind: ProblemKind,
        part: &Located,
        pointer: &Path<'_>,
        detail: impl Into<String>,
    ) -> Self {
        Self { span: part.key.unwrap_or(part.span), ..Self::at(kind, part, pointer, detail) }
    }

    /// With the edit that mends it.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The nearest of `names` to a misspelt one, where one is near enough.
pub(super) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase();
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&folded, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= name.chars().count().max(3) / 3)
        .min()
        .map(|(_, name)| name)
}

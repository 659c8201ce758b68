//! What a YAML parser tells the builder, in words of our own, so that the parser behind it can be exchanged.

use std::borrow::Cow;
use std::ops::Range;

use crate::syntax::Style;

/// One event, with the bytes it stands on.
#[derive(Debug)]
pub(super) struct Event<'a> {
    /// What was read.
    pub(super) what: What<'a>,
    /// Where; a block collection's start and end are empty.
    pub(super) range: Range<usize>,
    /// The tag before a scalar or a collection.
    pub(super) tag: Option<Tag>,
    /// The number of the anchor before a scalar or a collection.
    pub(super) anchor: Option<usize>,
}

/// What an event says.
#[derive(Debug)]
pub(super) enum What<'a> {
    /// A document begins; the version is that of a `%YAML` directive before it.
    DocumentStart { version: Option<(u32, u32)> },
    /// A scalar, its escapes resolved and its lines folded.
    Scalar { text: Cow<'a, str>, style: Style },
    /// A sequence or a mapping begins.
    Start { collection: Collection, flow: bool },
    /// The innermost open collection ends.
    End,
    /// `*name` of a known anchor.
    Alias { anchor: usize },
    /// `*name` of no anchor before it.
    UnknownAlias { name: Cow<'a, str> },
    /// `# …`, without the `#`.
    Comment { text: Cow<'a, str> },
    /// Nothing that the tree needs.
    Other,
}

/// The two kinds of collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collection {
    Sequence,
    Mapping,
}

/// A tag as it was written.
#[derive(Debug)]
pub(super) struct Tag {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// Whether it makes its scalar text (`!` and `!!str`).
    pub(super) text: bool,
}

/// Why a text does not parse.
#[derive(Debug)]
pub(super) struct Fault {
    /// Where it was noticed.
    pub(super) at: usize,
    /// What it is.
    pub(super) kind: FaultKind,
}

/// The faults an author makes, as far as the words for them differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// A quoted text that does not end.
    Quote,
    /// A quoted text that runs on into a line that is not indented.
    QuoteIndentation,
    /// Something stands behind a closing quote.
    AfterQuote,
    /// `\` and what follows it is no escape.
    Escape,
    /// `[` or `{` that is not closed; the bracket.
    OpenBracket(char),
    /// A bracket that closes nothing.
    WrongBracket,
    /// A bracket, told at its opening, and what of another kind closes it.
    MixedBrackets(char, char),
    /// A tab where only spaces may indent.
    Tab,
    /// A line that begins in a column no open collection has.
    Indentation,
    /// A second `: ` in one plain text, or a mapping where none may stand.
    SecondColon,
    /// A key beyond the 1,024 characters that YAML grants it, told at its colon.
    LongKey,
    /// A text where `key: value` is expected.
    KeyExpected,
    /// A list item where none may stand.
    ItemNotAllowed,
    /// Between the items of `[…]` or `{…}` something other than a comma stands.
    Comma,
    /// A text begins with a character that YAML keeps for itself.
    Reserved(char),
    /// A comment without a space before `#`, or inside a text of several lines.
    Comment,
    /// The header or the indentation of a `|` or `>` text.
    Block,
    /// A byte order mark inside the text.
    ByteOrderMark,
    /// `%…`.
    Directive,
    /// `!…` that cannot be read.
    Tag,
    /// `&` or `*` without a name.
    AnchorName,
    /// `---` or `...` and what follows them.
    Document,
    /// Collections in collections beyond the limit.
    TooDeep,
    /// All else, in the parser's own words.
    Other(String),
}

/// A parser of one text. After a fault it gives nothing more.
pub(super) trait Events<'a> {
    /// The next event, or why there is none.
    fn next(&mut self) -> Option<Result<Event<'a>, Fault>>;
}

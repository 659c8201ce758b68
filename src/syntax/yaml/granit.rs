//! The `granit-parser` crate behind our own events. Nothing else names that crate.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{
    ErrorKind, Event as Granit, Marker, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle,
};

use super::event::{Collection, Event, Events, Fault, FaultKind, Tag, What};
use crate::syntax::{MAX_DEPTH, Style};

/// A parser over `text`: strict indentation, comments told, unknown aliases told instead of ending the reading.
pub(super) fn parser(text: &str) -> impl Events<'_> {
    let options = granit_parser::options! {
        strict_indentation: true,
        emit_unresolved_aliases: true,
        max_buffered_comment_events: usize::MAX,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let (header, start) = header(text);
    let rest = text.get(start..).unwrap_or("");
    let parser = Parser::new_from_str_with_options(rest, options);
    GranitEvents { text, header: header.into_iter(), parser, start }
}

struct GranitEvents<'a> {
    text: &'a str,
    /// The comments before all else, which the parser does not see.
    header: std::vec::IntoIter<Range<usize>>,
    parser: Parser<'a, StrInput<'a>>,
    /// Where what the parser sees begins.
    start: usize,
}

/// The comments that fill the first lines of a text, and where the line behind them begins. The parser looks for comments
/// between all events where a text has any, and most have these alone. Whatever is unusual is left to the parser.
fn header(text: &str) -> (Vec<Range<usize>>, usize) {
    let (mut comments, mut start) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let Some(said) = line.strip_suffix('\n') else { break };
        let said = said.strip_suffix('\r').unwrap_or(said);
        let is_plain = said.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
        if !is_plain || !(said.is_empty() || said.starts_with('#')) {
            break;
        }
        if !said.is_empty() {
            comments.push(start..start + said.len());
        }
        start += line.len();
    }
    let marked = text.get(start..).is_some_and(|rest| rest.starts_with('\u{feff}'));
    if marked { (Vec::new(), 0) } else { (comments, start) }
}

impl<'a> Events<'a> for GranitEvents<'a> {
    fn next(&mut self) -> Option<Result<Event<'a>, Fault>> {
        if let Some(range) = self.header.next() {
            let text = Cow::Borrowed(self.text.get(range.start + 1..range.end).unwrap_or(""));
            return Some(Ok(Event { what: What::Comment { text }, range, tag: None, anchor: None }));
        }
        let read = self.parser.next_event()?;
        Some(read.map(|(event, span)| self.event(event, span)).map_err(|error| self.fault(&error)))
    }
}

impl GranitEvents<'_> {
    fn event<'a>(&self, event: Granit<'a>, span: Span) -> Event<'a> {
        let anchor = event.anchor_id();
        let tag = event.tag().map(|tag| Tag {
            range: span.tag_span().map_or_else(|| self.range(span), |span| self.range(span)),
            text: tag.is_yaml_core_schema_tag("str") || (tag.handle().is_empty() && tag.suffix() == "!"),
        });
        let what = match event {
            Granit::DocumentStart(_, version) => {
                What::DocumentStart { version: version.map(|version| (version.major, version.minor)) }
            }
            Granit::Scalar(text, style, ..) => What::Scalar { text, style: style_of(style) },
            Granit::SequenceStart(style, ..) => {
                What::Start { collection: Collection::Sequence, flow: style == StructureStyle::Flow }
            }
            Granit::MappingStart(style, ..) => {
                What::Start { collection: Collection::Mapping, flow: style == StructureStyle::Flow }
            }
            Granit::SequenceEnd | Granit::MappingEnd => What::End,
            Granit::Alias(anchor) => What::Alias { anchor },
            Granit::UnresolvedAlias(name) => What::UnknownAlias { name },
            Granit::Comment(text, _) => What::Comment { text },
            _ => What::Other,
        };
        Event { what, range: self.range(span), tag, anchor }
    }

    fn range(&self, span: Span) -> Range<usize> {
        let start = self.offset(span.start);
        start..self.offset(span.end).max(start)
    }

    /// Where a mark stands in the whole text.
    fn offset(&self, mark: Marker) -> usize {
        mark.byte_offset().map_or(self.text.len(), |at| self.start + at)
    }

    fn fault(&self, error: &ScanError) -> Fault {
        Fault { at: self.offset(*error.marker()), kind: kind_of(error.kind()) }
    }
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
        ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
    }
}

fn kind_of(kind: &ErrorKind) -> FaultKind {
    use ErrorKind as E;
    match kind {
        E::UnclosedQuotedScalar => FaultKind::Quote,
        E::DocumentIndicatorInQuotedScalar | E::InvalidQuotedScalarIndent => FaultKind::QuoteIndentation,
        E::InvalidTrailingSingleQuotedScalar | E::InvalidTrailingDoubleQuotedScalar => FaultKind::AfterQuote,
        E::UnclosedFlowCollection { open } => FaultKind::OpenBracket(*open),
        E::UnexpectedEofFlowSequence => FaultKind::OpenBracket('['),
        E::UnexpectedEofFlowMapping | E::UnexpectedEofImplicitFlowMapping => FaultKind::OpenBracket('{'),
        E::MisplacedFlowCollectionEnd => FaultKind::WrongBracket,
        E::MismatchedFlowCollectionEnd { open, close } => FaultKind::MixedBrackets(*open, *close),
        E::ExpectedFlowMappingSeparator | E::ExpectedFlowSequenceSeparator => FaultKind::Comma,
        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabInPlainScalar
        | E::TabAtBlockScalarStart
        | E::InvalidBlockEntryWhitespace
        | E::InvalidMappingValueWhitespace => FaultKind::Tab,
        E::InvalidIndentation | E::InvalidFlowScalarIndent => FaultKind::Indentation,
        E::MappingValueNotAllowed | E::MappingKeyNotAllowed | E::InvalidColonPlacement => {
            FaultKind::SecondColon
        }
        E::SimpleKeyExpected | E::InvalidSimpleKey | E::ExpectedBlockMappingKey => FaultKind::KeyExpected,
        E::BlockSequenceEntryNotAllowed
        | E::BlockEntryInFlowCollection
        | E::ExpectedBlockSequenceEntry
        | E::PlainScalarStartsWithDashFlowIndicator => FaultKind::ItemNotAllowed,
        E::UnexpectedCharacter { character } => FaultKind::Reserved(*character),
        E::CommentInterceptedScalar | E::CommentNotSeparated => FaultKind::Comment,
        E::ZeroBlockScalarIndent | E::InvalidBlockScalarHeader | E::InvalidBlockScalarIndent => {
            FaultKind::Block
        }
        E::BomInsideDocument => FaultKind::ByteOrderMark,
        E::MissingAnchorOrAliasName => FaultKind::AnchorName,
        E::InvalidDocumentEnd | E::ExpectedDocumentStart | E::MissingDocumentEndBeforeDirective => {
            FaultKind::Document
        }
        E::RecursionLimitExceeded => FaultKind::TooDeep,
        other => rarer_kind_of(other),
    }
}

fn rarer_kind_of(kind: &ErrorKind) -> FaultKind {
    use ErrorKind as E;
    match kind {
        E::UnknownQuotedScalarEscape
        | E::InvalidQuotedScalarHexEscape
        | E::InvalidLowSurrogateHexEscape
        | E::InvalidLowSurrogate
        | E::MissingLowSurrogate
        | E::UnpairedLowSurrogate
        | E::InvalidUnicodeEscape => FaultKind::Escape,
        E::DuplicateVersionDirective
        | E::UnsupportedYamlMajorVersion
        | E::DuplicateTagDirective
        | E::InvalidDirectiveTerminator
        | E::DirectiveDisallowed
        | E::MissingYamlVersionSeparator
        | E::MissingDirectiveName
        | E::InvalidDirectiveName
        | E::DirectiveByteLimitExceeded { .. }
        | E::TooManyReservedDirectiveParams { .. }
        | E::YamlVersionTooLong
        | E::MissingYamlVersion
        | E::ExpectedTagDirectiveBang
        | E::InvalidTagDirectiveTerminator => FaultKind::Directive,
        E::UndeclaredTagHandle
        | E::ExpectedTagBang
        | E::InvalidGlobalTagCharacter
        | E::InvalidTagTerminator
        | E::MissingTagUri
        | E::UnclosedVerbatimTag
        | E::InvalidTagEscape
        | E::InvalidTagUtf8LeadingByte
        | E::InvalidTagUtf8TrailingByte
        | E::InvalidTagUtf8 => FaultKind::Tag,
        other => FaultKind::Other(other.to_string()),
    }
}

//! The `granit-parser` crate behind our own events. Nothing else names that crate.

use std::ops::Range;

use granit_parser::{
    ErrorKind, Event as Granit, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle,
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
    GranitEvents { parser: Parser::new_from_str_with_options(text, options), end: text.len() }
}

struct GranitEvents<'a> {
    parser: Parser<'a, StrInput<'a>>,
    end: usize,
}

impl<'a> Events<'a> for GranitEvents<'a> {
    fn next(&mut self) -> Option<Result<Event<'a>, Fault>> {
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
        let start = span.start.byte_offset().unwrap_or(self.end);
        start..span.end.byte_offset().unwrap_or(self.end).max(start)
    }

    fn fault(&self, error: &ScanError) -> Fault {
        Fault { at: error.marker().byte_offset().unwrap_or(self.end), kind: kind_of(error.kind()) }
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

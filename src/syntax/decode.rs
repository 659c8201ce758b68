//! Bytes to text. Every file is UTF-8; of one that is not, the place where it ceases to be is told.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, RuleId};
use crate::source::{FileId, Span};

/// A file's text.
#[derive(Debug)]
pub struct Decoded {
    /// The text, or the lossy reading of what is none. Up to the first fault its offsets are those of the bytes.
    pub text: Arc<str>,
    /// Why it is no text.
    pub fault: Option<EncodingFault>,
    /// The bytes, where the text is not the same.
    pub lost: Option<Vec<u8>>,
}

/// Why bytes are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingFault {
    /// The byte order mark of UTF-16 or UTF-32 stands at the start.
    Wide,
    /// From this byte on, counted from 0, it is no UTF-8; and the byte.
    Byte {
        /// Its offset.
        at: usize,
        /// Its value.
        byte: u8,
    },
}

/// Reads `bytes` as UTF-8.
pub fn decode(bytes: &[u8]) -> Decoded {
    let wide = bytes.starts_with(&[0xff, 0xfe])
        || bytes.starts_with(&[0xfe, 0xff])
        || bytes.starts_with(&[0, 0, 0xfe, 0xff]);
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: text.into(), fault: None, lost: None },
        Err(error) => {
            let at = error.valid_up_to();
            let byte = bytes.get(at).copied().unwrap_or(0);
            let fault = if wide { EncodingFault::Wide } else { EncodingFault::Byte { at, byte } };
            let text = String::from_utf8_lossy(bytes).into();
            Decoded { text, fault: Some(fault), lost: Some(bytes.to_vec()) }
        }
    }
}

impl EncodingFault {
    /// The finding, under the rule that the file's kind has for what does not parse. `text` is the lossy reading.
    pub fn finding(self, rule: RuleId, file: FileId, text: &str) -> Diagnostic {
        let finding = match self {
            Self::Wide => Diagnostic::new(
                rule,
                Span::new(file, 0..first_length(text, 0)),
                "this file is UTF-16 or UTF-32, and policies are UTF-8",
                "a byte order mark of another encoding",
            ),
            Self::Byte { at, byte } => Diagnostic::new(
                rule,
                Span::new(file, at..at + first_length(text, at)),
                format!("byte {at} of this file (0x{byte:02X}) is not UTF-8"),
                "no character",
            ),
        };
        finding
            .note("nothing of this file was read: what such bytes mean depends on who reads them")
            .help("save the file as UTF-8")
    }
}

fn first_length(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    #[test]
    fn the_first_byte_that_is_no_text_is_told() {
        let decoded = decode(b"a: caf\xe9 b\xff");
        assert_eq!(decoded.fault, Some(EncodingFault::Byte { at: 6, byte: 0xe9 }));
        let file = Sources::default().add("a.yaml", "");
        let finding = decoded.fault.unwrap().finding(RuleId("yaml-syntax"), file, &decoded.text);
        assert_eq!(&decoded.text[finding.primary.span.range()], "\u{fffd}");
        assert_eq!(finding.message, "byte 6 of this file (0xE9) is not UTF-8");
    }

    #[test]
    fn other_encodings_are_named_and_text_is_taken() {
        assert_eq!(decode(b"\xff\xfea\0").fault, Some(EncodingFault::Wide));
        assert_eq!(decode(b"\xfe\xff\0a").fault, Some(EncodingFault::Wide));
        assert_eq!(decode("\u{feff}caf\u{e9}".as_bytes()).fault, None);
    }
}

//! Line 1 of the lock: the digest of every byte after it, compared literally.

use std::fmt;

use super::{Lock, digest_of, text};

/// What stands before the digest on line 1.
const HEAD: &str = "{\"digest\":\"";
/// What stands after it, the LF included.
const TAIL: &str = "\",\n";
/// The length of line 1 with its LF: head, `sha256:` and 64 hex digits, tail.
pub const FIRST_LINE: usize = HEAD.len() + 71 + TAIL.len();

/// A lock whose digest holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The JSON object without its digest: `{`, LF and every byte from line 2 on. Its offset `n` is the file's
    /// `n + FIRST_LINE - 2`.
    pub body: Vec<u8>,
    /// `sha256:<64 hex>`, as line 1 states it.
    pub digest: String,
}

/// Why bytes are no sealed lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// Line 1 states another digest than the bytes after it have.
    Digest {
        /// What line 1 states.
        stated: String,
        /// What the bytes after it have.
        found: String,
    },
    /// Line 1 is not `{"digest":"sha256:<64 lowercase hex>",` and a LF.
    FirstLine,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest { stated, found } => write!(
                f,
                "line 1 states the digest `{stated}`, but the lines after it have `{found}`: the file was changed \
                 after it was written"
            ),
            Self::FirstLine => f.write_str(
                "line 1 is not `{\"digest\":\"sha256:<64 lowercase hex digits>\",`: this is no lock, or its line \
                 ends were changed",
            ),
        }
    }
}

impl std::error::Error for OpenError {}

/// The file's bytes for a body: a JSON object in the lock's layout without its digest, with or without the LF at its
/// end. Whatever stands before the body's first LF must be `{`; where it is not, the body is laid out anew first.
#[must_use]
pub fn seal(body: &str) -> Vec<u8> {
    let laid_out;
    let rest = if let Some(rest) = body.strip_prefix("{\n") {
        rest
    } else {
        laid_out = text::pretty(body);
        laid_out.strip_prefix("{\n").unwrap_or("}")
    };
    let mut rest = rest.trim_end_matches('\n').to_owned();
    rest.push('\n');
    let digest = digest_of(rest.as_bytes());
    let mut out = Vec::with_capacity(FIRST_LINE + rest.len());
    for part in [HEAD, &digest, TAIL, &rest] {
        out.extend_from_slice(part.as_bytes());
    }
    out
}

/// The canonical file of a lock: laid out and sealed. Errors only where serde does.
pub fn write(lock: &Lock) -> Result<Vec<u8>, serde_json::Error> {
    Ok(seal(&text::pretty(&serde_json::to_string(lock)?)))
}

/// Checks line 1 against the bytes after it and hands back the body. Reads no JSON.
pub fn open(bytes: &[u8]) -> Result<Opened, OpenError> {
    let digest = stated(bytes)?;
    let rest = bytes.get(FIRST_LINE..).unwrap_or_default();
    let mut body = Vec::with_capacity(rest.len() + 2);
    body.extend_from_slice(b"{\n");
    body.extend_from_slice(rest);
    Ok(Opened { body, digest })
}

/// The digest that line 1 states, where the bytes after it have it. Reads no JSON.
pub fn stated(bytes: &[u8]) -> Result<String, OpenError> {
    let (first, rest) = bytes.split_at_checked(FIRST_LINE).ok_or(OpenError::FirstLine)?;
    let stated = std::str::from_utf8(first)
        .ok()
        .and_then(|line| line.strip_prefix(HEAD))
        .and_then(|line| line.strip_suffix(TAIL))
        .filter(|digest| is_digest(digest))
        .ok_or(OpenError::FirstLine)?;
    let found = digest_of(rest);
    if stated != found {
        return Err(OpenError::Digest { stated: stated.to_owned(), found });
    }
    Ok(found)
}

/// Whether a text is `sha256:` and 64 lowercase hex digits.
#[must_use]
pub fn is_digest(text: &str) -> bool {
    text.strip_prefix("sha256:").is_some_and(|hex| {
        hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    })
}

#[cfg(test)]
mod tests {
    use super::{FIRST_LINE, OpenError, open, seal};

    #[test]
    fn what_is_sealed_opens() {
        let bytes = seal("{\n  \"a\": 1\n}\n");
        let opened = open(&bytes).unwrap();
        assert_eq!(opened.body, b"{\n  \"a\": 1\n}\n");
        assert_eq!(bytes.get(..FIRST_LINE).unwrap().last(), Some(&b'\n'));
        assert_eq!(seal("{\"a\":1}"), bytes);
    }

    #[test]
    fn a_changed_byte_does_not() {
        let sealed = seal("{\n  \"a\": 1\n}\n");
        let mut body = sealed.clone();
        *body.get_mut(FIRST_LINE + 3).unwrap() ^= 1;
        assert!(matches!(open(&body), Err(OpenError::Digest { .. })));
        let mut head = sealed;
        *head.first_mut().unwrap() = b' ';
        assert_eq!(open(&head), Err(OpenError::FirstLine));
        assert_eq!(open(b""), Err(OpenError::FirstLine));
    }
}

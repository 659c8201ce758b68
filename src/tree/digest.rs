//! The digest of a source: the same whether it was checked out with LF, CRLF or CR.

use sha2::{Digest, Sha256};

/// sha256 of `bytes` with every CRLF and every lone CR read as LF: 64 lowercase hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    let mut hasher = Sha256::new();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\r') {
        let (line, behind) = rest.split_at(at);
        hasher.update(line);
        hasher.update(b"\n");
        rest = behind.strip_prefix(b"\r\n").or_else(|| behind.strip_prefix(b"\r")).unwrap_or(&[]);
    }
    hasher.update(rest);
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn line_ends_do_not_count_and_all_else_does() {
        let lf = digest(b"a\nb\n\nc");
        assert_eq!(digest(b"a\r\nb\r\n\r\nc"), lf);
        assert_eq!(digest(b"a\rb\r\rc"), lf);
        assert_ne!(digest(b"a\nb\nc"), lf);
        assert_ne!(digest(b"a\nb\n\nc\n"), lf);
        assert_eq!(digest(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}

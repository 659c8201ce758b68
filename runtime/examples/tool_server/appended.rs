//! A file that one process appends whole lines to: on the disk before they count, or not there at all.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;

use crate::system::Failed;

#[derive(Debug)]
pub(crate) struct Appended {
    file: File,
    /// So many bytes were acknowledged.
    len: u64,
    /// Whether something may stand behind them.
    torn: bool,
}

impl Appended {
    /// Opens the file for this process alone, and reads its whole lines. Nothing of it is changed: a last line without its end
    /// was never acknowledged, and gives way to the next one.
    pub(crate) fn open(path: &str) -> Result<(Self, String), Failed> {
        let at = |error: io::Error| Failed::new(format!("{path}: {error}"));
        let opened = OpenOptions::new().append(true).create(true).read(true).mode(0o600).open(path);
        let mut file = opened.map_err(at)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Failed::new(format!(
                "{path} is another server's, which still runs: end it first, or name another file"
            )),
            TryLockError::Error(error) => at(error),
        })?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(at)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let torn = whole < text.len();
        text.truncate(whole);
        Ok((Self { file, len: u64::try_from(whole).unwrap_or(0), torn }, text))
    }

    /// Appends lines, all of them or none. After a failure the file is cut back to what was acknowledged; until that succeeds
    /// nothing more is taken.
    pub(crate) fn append(&mut self, lines: &str) -> io::Result<()> {
        self.mend()?;
        self.torn = true;
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Where it does not succeed now, the next call tries it first.
            let _ = self.mend();
            return Err(error);
        }
        self.torn = false;
        self.len = self.len.saturating_add(u64::try_from(lines.len()).unwrap_or(u64::MAX));
        Ok(())
    }

    fn mend(&mut self) -> io::Result<()> {
        if self.torn {
            self.file.set_len(self.len)?;
            self.file.sync_data()?;
            self.torn = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Appended;

    /// A device that takes nothing and cannot be cut back either.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_cut_back_takes_nothing_more() {
        let file = fs::OpenOptions::new().append(true).open("/dev/full").unwrap();
        let mut full = Appended { file, len: 0, torn: false };
        full.append("one\n").unwrap_err();
        assert!(full.torn);
        full.file = fs::OpenOptions::new().append(true).open("/dev/null").unwrap();
        full.append("two\n").unwrap_err();
        assert_eq!((full.len, full.torn), (0, true));
    }

    #[test]
    fn a_line_without_its_end_stays_until_the_next_one_takes_its_place() {
        let path = std::env::temp_dir().join(format!("appended-{}", std::process::id()));
        fs::write(&path, "one\ntw").unwrap();
        let name = path.to_str().unwrap();
        let (mut own, text) = Appended::open(name).unwrap();
        assert_eq!(text, "one\n");
        let second = Appended::open(name).unwrap_err();
        assert!(second.to_string().contains("another server's"), "{second}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntw");
        own.append("three\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\nthree\n");
        fs::remove_file(&path).unwrap();
    }
}

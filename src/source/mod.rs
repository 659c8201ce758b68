//! Files, byte spans and values that know where they were written.
//!
//! The only room that touches the disk (`disk`) and starts a process (`git`, and `process` for a server that is asked for its list). It knows nothing of YAML, of rules or of output.

pub mod disk;
mod fault;
pub mod git;
mod lines;
pub mod process;

use std::ops::Range;
use std::sync::Arc;

pub use fault::Fault;
pub use lines::{LineIndex, Position};

/// Which of a run's files a span lies in: an index into [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A range of bytes in one file; `start <= end`, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span over `range` of `file`; an inverted range is read as empty at its start.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let start = u32::try_from(range.start).unwrap_or(u32::MAX);
        let end = u32::try_from(range.end).unwrap_or(u32::MAX).max(start);
        Self { file, start, end }
    }

    /// The same range as `usize`, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// From the start of this span to the end of `other`, which lies in the same file.
    pub fn to(self, other: Self) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value and the text it was read from.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// What was read.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Joins a value and its place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// The same place with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: f(self.value), span: self.span }
    }
}

impl<T> std::ops::Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    /// Two values are equal wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

/// One file as it was read.
#[derive(Debug)]
pub struct SourceFile {
    /// Relative to the manifest's folder, `/` between parts on every platform.
    pub path: String,
    /// The text, byte for byte; a file that is not UTF-8 holds the lossy reading (its finding names the offset).
    pub text: Arc<str>,
    lines: std::sync::OnceLock<LineIndex>,
}

impl SourceFile {
    /// The file's lines; built when first asked for.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The text of `span`, or the empty text where the span does not fit (a span of another version of the file).
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }
}

/// Every file of a run, in the order of their adding.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Takes a file in and gives it its number.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile {
            path: path.into(),
            text: text.into(),
            lines: std::sync::OnceLock::new(),
        });
        id
    }

    /// The file behind a number that this collection gave out.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// A file's path; empty for a number of another collection.
    pub fn path(&self, id: FileId) -> &str {
        self.get(id).map_or("", |file| file.path.as_str())
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).map_or("", |file| file.slice(span))
    }

    /// All files with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, file)| (FileId(u32::try_from(i).unwrap_or(u32::MAX)), file))
    }
}

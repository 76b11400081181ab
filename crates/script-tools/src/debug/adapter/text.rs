//! Script files, and the correspondence between their lines and the lines of the running scripts.

use std::ops::Range;
use std::path::Path;

use antiquary::{Error, files::disk};

/// Maximum size of a file, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// A file with the text of an actor's script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextFile {
    /// The actor named by the text.
    pub(super) actor: Option<String>,
    text: String,
}

impl TextFile {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let read = || {
            let source = disk::open(path)?;
            if source.len() > MAX_FILE_BYTES {
                return Err(Error::limit(format!(
                    "the file has {} bytes, but the limit is {MAX_FILE_BYTES}",
                    source.len()
                )));
            }
            let bytes = source.read_all()?;
            let text =
                std::str::from_utf8(&bytes).map_err(|_| Error::malformed("the file is not UTF-8 text"))?;
            Ok(Self::new(text))
        };
        read().map_err(|error| error.in_file(path))
    }

    fn new(text: &str) -> Self {
        Self { actor: actor_of(text), text: text.to_owned() }
    }

    /// Pairs of corresponding lines in this text and another: the lines at the start and at the end that are equal except for comments and
    /// spaces.
    pub(super) fn pairs(&self, other: &str) -> Vec<(usize, usize)> {
        let (ours, theirs) = (statements(&self.text), statements(other));
        let same = |a: &(usize, String), b: &(usize, String)| a.1 == b.1;
        let pair = |(a, b): (&(usize, String), &(usize, String))| (a.0, b.0);
        let front = ours.iter().zip(&theirs).take_while(|(a, b)| same(a, b));
        let mut out: Vec<_> = front.map(pair).collect();
        let rest = |all: Range<usize>| all.end.saturating_sub(out.len());
        let left = rest(0..ours.len()).min(rest(0..theirs.len()));
        let back = ours.iter().rev().zip(theirs.iter().rev()).take(left).take_while(|(a, b)| same(a, b));
        let back: Vec<_> = back.map(pair).collect();
        out.extend(back.into_iter().rev());
        out
    }
}

/// The actor named by the line `actor "NAME"`.
fn actor_of(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';'));
    let name = lines.next()?.strip_prefix("actor")?.trim_start().strip_prefix('"')?;
    Some(name.split_once('"')?.0.to_owned())
}

/// The lines with code, each with its one-based number, without comments and surrounding spaces.
fn statements(text: &str) -> Vec<(usize, String)> {
    let lines = text.lines().enumerate();
    let trimmed =
        lines.map(|(number, line)| (number.saturating_add(1), without_comment(line).trim().to_owned()));
    trimmed.filter(|(_, line)| !line.is_empty()).collect()
}

/// A line up to the semicolon that starts a comment. Semicolons between quotes are ignored.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, character) in line.char_indices() {
        match quote {
            None if character == ';' => return line.get(..at).unwrap_or(line),
            None if character == '"' || character == '\'' => quote = Some(character),
            Some(open) if open == character => quote = None,
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_its_actor() {
        assert_eq!(TextFile::new("; a\n\nactor \"A B\" #3\nend\n").actor.as_deref(), Some("A B"));
        for text in ["", "end\n", "actor A\n", "actor \"A\n", "actors\n"] {
            assert_eq!(TextFile::new(text).actor, None, "{text}");
        }
    }

    #[test]
    fn pairs_lines_that_differ_in_comments_and_spaces() {
        let running = "actor \"A\" #0\n\nShow(';')\nWait(1)\nend\n";
        let file = TextFile::new("; mine\nactor \"A\" #0\n  Show(';') ; why\n\nWait(2)\nend");
        assert_eq!(file.pairs(running), [(2, 1), (3, 3), (6, 5)]);
        assert_eq!(TextFile::new(running).pairs(running), [(1, 1), (3, 3), (4, 4), (5, 5)]);
        // No line is paired twice.
        assert_eq!(TextFile::new("a\na\n").pairs("a\n"), [(1, 1)]);
        assert_eq!(TextFile::new("").pairs(running), []);
    }
}

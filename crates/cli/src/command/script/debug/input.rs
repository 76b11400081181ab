//! Input of commands: a terminal, with editing, history and completion, or a stream.

use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal, Read};

use rustyline::completion::Completer;
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};

use super::command;

/// Maximum length of a line of a stream, in bytes; the rest is ignored.
const MAX_LINE_BYTES: u64 = 4096;

/// Words that can follow a command.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    pub(super) actors: Vec<String>,
    pub(super) functions: Vec<String>,
    /// Names of values.
    pub(super) values: Vec<String>,
    pub(super) flags: Vec<String>,
}

/// Input of commands.
pub(super) enum Input {
    Terminal(Box<Editor<Words, MemHistory>>),
    Stream,
}

impl Input {
    /// The terminal, if standard input is one.
    pub(super) fn open() -> Self {
        if !io::stdin().is_terminal() {
            return Self::Stream;
        }
        match Editor::with_history(
            Config::builder().completion_type(CompletionType::List).build(),
            MemHistory::new(),
        ) {
            Ok(editor) => Self::Terminal(Box::new(editor)),
            Err(_) => Self::Stream,
        }
    }

    pub(super) const fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&mut self, prompt: &str, words: impl FnOnce() -> Words) -> io::Result<Option<String>> {
        let Self::Terminal(editor) = self else { return next_line(&mut io::stdin().lock()) };
        editor.set_helper(Some(words()));
        loop {
            match editor.readline(prompt) {
                Ok(line) => {
                    if !line.trim().is_empty() {
                        let _ = editor.add_history_entry(line.as_str());
                    }
                    return Ok(Some(line));
                }
                // Ctrl-C discards the line.
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(ReadlineError::Io(error)) => return Err(error),
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
    }
}

/// Reads the next line of a stream, truncated to the maximum length.
fn next_line(from: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut read = from.take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    let mut is_ended = line.ends_with(b"\n");
    while read > 0 && !is_ended {
        let mut rest = Vec::new();
        read = from.take(MAX_LINE_BYTES).read_until(b'\n', &mut rest)?;
        is_ended = rest.ends_with(b"\n");
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

fn all(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

impl Words {
    /// Words that can follow the given text.
    fn following(&self, before: &str) -> Vec<&str> {
        let mut words = before.split_whitespace();
        match (words.next(), words.next()) {
            (None, _) => command::names().collect(),
            (Some("break" | "b"), None) => {
                let mut out = vec!["call", "flag", "dialogue"];
                out.extend(self.actors.iter().chain(&self.functions).map(String::as_str));
                out
            }
            (Some("break" | "b"), Some("call")) => all(&self.functions),
            (Some("break" | "b"), Some("flag")) | (Some("flags" | "fl"), _) => all(&self.flags),
            (Some("print" | "p" | "set"), None) => all(&self.values),
            (Some("actor" | "a" | "actors" | "as"), _) => all(&self.actors),
            (Some("info" | "i"), None) => vec!["breaks"],
            _ => Vec::new(),
        }
    }

    /// Offset of the last word, and its completions.
    fn complete(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let (before, word) = typed.split_at_checked(start).unwrap_or((typed, ""));
        let word = word.to_lowercase();
        let mut found: Vec<String> = self.following(before).into_iter().map(str::to_owned).collect();
        found.retain(|it| it.to_lowercase().starts_with(&word));
        found.sort_unstable();
        found.dedup();
        (start, found)
    }
}

impl Helper for Words {}

impl Highlighter for Words {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Borrowed(prompt)
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Validator for Words {}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(Self::complete(self, line.get(..at).unwrap_or(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncates_long_lines_of_a_stream() {
        let text = format!("a\n\n{}\nb", "x".repeat(100_000));
        let mut from = text.as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut from).unwrap() {
            lines.push((line.chars().next(), line.len()));
        }
        assert_eq!(lines, [(Some('a'), 2), (Some('\n'), 1), (Some('x'), 4096), (Some('b'), 1)]);
    }

    #[test]
    fn completes_words_that_can_follow() {
        let names = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let words = Words {
            actors: names(&["KEEPER", "KING"]),
            functions: names(&["RTX"]),
            values: names(&["var0", "Asked_Once"]),
            flags: names(&["Asked_Once"]),
        };
        let table = [
            ("rest", 0, vec!["restart"]),
            ("break ke", 6, vec!["KEEPER"]),
            ("b call r", 7, vec!["RTX"]),
            ("break flag as", 11, vec!["Asked_Once"]),
            ("p V", 2, vec!["var0"]),
            ("actor k", 6, vec!["KEEPER", "KING"]),
            ("quit x", 5, vec![]),
        ];
        for (typed, start, found) in table {
            assert_eq!(words.complete(typed), (start, names(&found)), "{typed}");
        }
    }
}

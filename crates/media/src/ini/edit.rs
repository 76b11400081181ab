//! Changes of the lines of a settings file.

use json::Value;
use record::{Error, Result};

use super::{Ini, view};

impl Ini {
    /// Replaces the value in the line with a number, from 1. White space around the value, the comment and the line break are kept.
    ///
    /// # Errors
    /// When the line has no key, or cannot hold the value.
    pub fn set_value(&mut self, number: usize, text: &str) -> Result<()> {
        let old = self.line_text(number).ok_or_else(|| missing(number))?;
        let new = view::with_value(&old, &Value::from(text), self.syntax)?.ok_or_else(|| missing(number))?;
        let new = self.encoded(&new)?;
        if let Some(line) = number.checked_sub(1).and_then(|at| self.lines.get_mut(at)) {
            *line = new;
        }
        Ok(())
    }

    /// Inserts a line with a key after the line with a number, from 1.
    ///
    /// # Errors
    /// When a line cannot hold the key or the value, or there is no such line.
    pub fn insert_key(&mut self, number: usize, key: &str, text: &str) -> Result<()> {
        let line = view::entry_line(key, &Value::from(text), self.syntax)?;
        let line = line.ok_or_else(|| Error::usage(format!("{key:?} cannot be the name of a key")))?;
        self.insert(number, &line)
    }

    /// Appends an empty section, after an empty line.
    ///
    /// # Errors
    /// When the name cannot be encoded.
    pub fn append_section(&mut self, name: &str) -> Result<()> {
        let last = self.lines.len();
        let is_empty = self.lines.last().is_none_or(|line| line.trim_ascii().is_empty());
        self.insert(last, &format!("[{name}]"))?;
        if is_empty { Ok(()) } else { self.insert(last, "") }
    }

    /// Inserts a line with the line break of the file.
    fn insert(&mut self, number: usize, text: &str) -> Result<()> {
        let is_dos = |line: &[u8]| line.ends_with(b"\r\n");
        let before =
            number.checked_sub(1).and_then(|at| self.lines.get(at)).ok_or_else(|| missing(number))?;
        let end =
            if is_dos(before) || self.lines.first().is_some_and(|line| is_dos(line)) { "\r\n" } else { "\n" };
        let new = self.encoded(&format!("{text}{end}"))?;
        if !before.ends_with(b"\n") {
            let ended = [&before[..], end.as_bytes()].concat().into();
            if let Some(line) = number.checked_sub(1).and_then(|at| self.lines.get_mut(at)) {
                *line = ended;
            }
        }
        self.lines.insert(number, new);
        Ok(())
    }

    fn line_text(&self, number: usize) -> Option<String> {
        let line = self.lines.get(number.checked_sub(1)?)?;
        Some(self.syntax.charset().decode(line).into_owned())
    }

    fn encoded(&self, line: &str) -> Result<Box<[u8]>> {
        Ok(super::encode_line(line, self.syntax.charset())?.into())
    }
}

fn missing(number: usize) -> Error {
    Error::usage(format!("line {number} does not have a key"))
}

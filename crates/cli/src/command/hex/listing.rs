//! The listing: a line for each field, more where a field is long.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::io::Write;

use antiquary::asset::Span;

use super::window::Window;
use super::{UNEXPLAINED, write_bytes};
use crate::fault::Fault;
use crate::number::thousands;
use crate::shown::Shown;
use crate::style::{QUIET, TITLE};

/// How many bytes stand on a line.
const BYTES: u64 = 8;

/// How many lines a shortened field has.
const LINES: u64 = 4;

/// How many characters a shortened value has.
const CHARACTERS: usize = 100;

/// How many lines stand before and behind what was asked for.
const AROUND: usize = 3;

/// How much is shown of long fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Their beginnings.
    Beginnings,
    /// Everything.
    Everything,
}

/// Writes fields as they come. Only a few are held, when lines before the one that was asked for are wanted.
pub(super) struct Listing<'a, W: Write> {
    out: W,
    window: Window<'a>,
    at: Option<u64>,
    extent: Extent,
    /// The last fields that were not written.
    before: VecDeque<String>,
    /// How many more fields are to be written.
    behind: usize,
    /// Whether fields were left out since the last one written.
    skipped: bool,
    begun: bool,
}

impl<'a, W: Write> Listing<'a, W> {
    /// All fields, or those around one byte.
    pub(super) fn new(out: W, window: Window<'a>, at: Option<u64>, extent: Extent) -> Self {
        let before = VecDeque::with_capacity(AROUND);
        Self { out, window, at, extent, before, behind: 0, skipped: false, begun: false }
    }

    /// Takes a field.
    pub(super) fn show(&mut self, span: Span<'_>) -> Result<(), Fault> {
        let Some(at) = self.at else {
            let text = self.render(&span, Emphasis::None)?;
            return Ok(self.out.write_all(text.as_bytes())?);
        };
        if (span.start..span.end).contains(&at) {
            if self.skipped && self.begun {
                writeln!(self.out, "{QUIET}...{QUIET:#}")?;
            }
            for text in self.before.drain(..) {
                self.out.write_all(text.as_bytes())?;
            }
            let text = self.render(&span, Emphasis::Strong)?;
            self.out.write_all(text.as_bytes())?;
            (self.behind, self.skipped, self.begun) = (AROUND, false, true);
            return Ok(());
        }
        let text = self.render(&span, Emphasis::None)?;
        if self.behind > 0 {
            self.behind = self.behind.saturating_sub(1);
            return Ok(self.out.write_all(text.as_bytes())?);
        }
        if self.before.len() == AROUND {
            self.before.pop_front();
            self.skipped = true;
        }
        self.before.push_back(text);
        Ok(())
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> Result<(), Fault> {
        Ok(self.out.flush()?)
    }

    fn render(&mut self, span: &Span<'_>, emphasis: Emphasis) -> Result<String, Fault> {
        let mut text = String::new();
        let length = span.end.saturating_sub(span.start);
        let shown = match self.extent {
            Extent::Everything => length,
            Extent::Beginnings if length <= LINES.saturating_mul(BYTES) => length,
            Extent::Beginnings => BYTES,
        };
        let path = Shown(span.path).to_string();
        let value = self.value(span);
        let (strong, plain) = match emphasis {
            Emphasis::None => ("".to_owned(), "".to_owned()),
            Emphasis::Strong => (TITLE.to_string(), TITLE.render_reset().to_string()),
        };
        self.line(&mut text, span.start, shown.min(BYTES))?;
        let gap = if path.is_empty() || value.is_empty() { "" } else { "  " };
        // Writing into a string does not fail.
        let _ = writeln!(text, "  {strong}{path:35}{plain} {gap}{value}");
        trim_end_of_line(&mut text);
        let mut at = BYTES;
        while at < shown {
            self.line(&mut text, span.start.saturating_add(at), BYTES.min(shown.saturating_sub(at)))?;
            text.push('\n');
            trim_end_of_line(&mut text);
            at = at.saturating_add(BYTES);
        }
        if shown < length {
            let more = thousands(length.saturating_sub(shown));
            let _ = writeln!(text, "          {QUIET}... {more} more bytes{QUIET:#}");
        }
        Ok(text)
    }

    /// Offset and bytes, filled up to where the path begins.
    fn line(&mut self, text: &mut String, start: u64, length: u64) -> Result<(), Fault> {
        let mut bytes = Vec::with_capacity(24);
        write_bytes(&mut bytes, self.window.read(start, length)?)?;
        let _ = write!(text, "{QUIET}{start:08x}{QUIET:#}  {:23}", String::from_utf8_lossy(&bytes));
        Ok(())
    }

    fn value(&self, span: &Span<'_>) -> String {
        let limit = if self.extent == Extent::Everything { usize::MAX } else { CHARACTERS };
        let mut value = Shortened { text: String::new(), left: limit, cut: false };
        // Fails when the value is longer, which is the purpose.
        let _ = write!(value, "{}", span.value);
        let more = if value.cut { "..." } else { "" };
        match span.path {
            UNEXPLAINED => String::new(),
            _ => format!("{}{more}", Shown(&value.text)),
        }
    }
}

/// Whether a field is the one that was asked for.
#[derive(Debug, Clone, Copy)]
enum Emphasis {
    None,
    Strong,
}

/// Takes the first characters of a text and refuses the others, so that a value of megabytes costs nothing.
struct Shortened {
    text: String,
    left: usize,
    cut: bool,
}

impl fmt::Write for Shortened {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if self.left == 0 {
                self.cut = true;
                return Err(fmt::Error);
            }
            self.left = self.left.saturating_sub(1);
            self.text.push(character);
        }
        Ok(())
    }
}

/// Takes the blanks away that fill a column behind which nothing stands.
fn trim_end_of_line(text: &mut String) {
    if text.ends_with('\n') {
        let kept = text.trim_end().len();
        text.truncate(kept);
        text.push('\n');
    }
}

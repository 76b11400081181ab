//! The listing: one line per field, several for long fields.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::io::Write;

use antiquary::asset::Span;
use antiquary::asset::typed_view::{UnitField, shown_at};

use super::window::Window;
use super::{UNEXPLAINED, write_bytes};
use crate::escape::Escaped;
use crate::fault::Fault;
use crate::number::thousands;
use crate::style::{DIMMED, TITLE};

/// Bytes per line.
const BYTES: u64 = 8;

/// Lines per field unless --full is given.
const LINES: u64 = 4;

/// Characters per value unless --full is given.
const CHARACTERS: usize = 100;

/// Number of fields shown before and after the requested one.
const CONTEXT: usize = 3;

/// Amount of a long field that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The first bytes and characters.
    Truncated,
    /// Everything.
    Full,
}

/// Writes fields as they are visited. Keeps only the few fields that precede the requested one.
pub(super) struct Listing<'a, W: Write> {
    out: W,
    window: Window<'a>,
    /// Fields that are also shown in other units.
    units: &'static [UnitField],
    at: Option<u64>,
    extent: Extent,
    /// The most recent fields that have not been written.
    before: VecDeque<String>,
    /// Number of fields left to write.
    after: usize,
    /// Whether fields were skipped since the last written field.
    skipped: bool,
    started: bool,
}

impl<'a, W: Write> Listing<'a, W> {
    /// A listing of all fields, or of those around one byte.
    pub(super) fn new(
        out: W,
        window: Window<'a>,
        units: &'static [UnitField],
        at: Option<u64>,
        extent: Extent,
    ) -> Self {
        let before = VecDeque::with_capacity(CONTEXT);
        Self { out, window, units, at, extent, before, after: 0, skipped: false, started: false }
    }

    /// Shows or skips a field.
    pub(super) fn show(&mut self, span: Span<'_>) -> Result<(), Fault> {
        let Some(at) = self.at else {
            let text = self.render(&span, Emphasis::None)?;
            return Ok(self.out.write_all(text.as_bytes())?);
        };
        if (span.start..span.end).contains(&at) {
            if self.skipped && self.started {
                writeln!(self.out, "{DIMMED}...{DIMMED:#}")?;
            }
            for text in self.before.drain(..) {
                self.out.write_all(text.as_bytes())?;
            }
            let text = self.render(&span, Emphasis::Strong)?;
            self.out.write_all(text.as_bytes())?;
            (self.after, self.skipped, self.started) = (CONTEXT, false, true);
            return Ok(());
        }
        let text = self.render(&span, Emphasis::None)?;
        if self.after > 0 {
            self.after -= 1;
            return Ok(self.out.write_all(text.as_bytes())?);
        }
        if self.before.len() == CONTEXT {
            self.before.pop_front();
            self.skipped = true;
        }
        self.before.push_back(text);
        Ok(())
    }

    /// Flushes the output.
    pub(super) fn finish(mut self) -> Result<(), Fault> {
        Ok(self.out.flush()?)
    }

    fn render(&mut self, span: &Span<'_>, emphasis: Emphasis) -> Result<String, Fault> {
        let mut text = String::new();
        let length = span.end.saturating_sub(span.start);
        let shown = match self.extent {
            Extent::Full => length,
            Extent::Truncated if length <= LINES * BYTES => length,
            Extent::Truncated => BYTES,
        };
        let path = Escaped(span.path).to_string();
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
            self.line(&mut text, span.start.saturating_add(at), BYTES.min(shown - at))?;
            text.push('\n');
            trim_end_of_line(&mut text);
            at += BYTES;
        }
        if shown < length {
            let more = thousands(length - shown);
            let _ = writeln!(text, "          {DIMMED}... {more} more bytes{DIMMED:#}");
        }
        Ok(text)
    }

    /// Offset and bytes, padded to the path column.
    fn line(&mut self, text: &mut String, start: u64, length: u64) -> Result<(), Fault> {
        let mut bytes = Vec::with_capacity(24);
        write_bytes(&mut bytes, self.window.read(start, length)?)?;
        let _ = write!(text, "{DIMMED}{start:08x}{DIMMED:#}  {:23}", String::from_utf8_lossy(&bytes));
        Ok(())
    }

    fn value(&self, span: &Span<'_>) -> String {
        let limit = if self.extent == Extent::Full { usize::MAX } else { CHARACTERS };
        let mut value = Truncated { text: String::new(), left: limit, cut: false };
        // Fails when the limit is reached, which stops the formatting.
        let _ = write!(value, "{}", span.value);
        let more = if value.cut { "..." } else { "" };
        match (span.path, shown_at(self.units, span.path, span.value)) {
            (UNEXPLAINED, _) => String::new(),
            (_, Some((name, shown))) => format!("{}  ({name} {shown})", Escaped(&value.text)),
            (_, None) => format!("{}{more}", Escaped(&value.text)),
        }
    }
}

/// Whether a field is the requested one.
#[derive(Debug, Clone, Copy)]
enum Emphasis {
    None,
    Strong,
}

/// Accepts the first characters and fails on the rest, so that a huge value is not formatted in full.
struct Truncated {
    text: String,
    left: usize,
    cut: bool,
}

impl fmt::Write for Truncated {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if self.left == 0 {
                self.cut = true;
                return Err(fmt::Error);
            }
            self.left -= 1;
            self.text.push(character);
        }
        Ok(())
    }
}

/// Removes the padding of an empty last column.
fn trim_end_of_line(text: &mut String) {
    if text.ends_with('\n') {
        let kept = text.trim_end().len();
        text.truncate(kept);
        text.push('\n');
    }
}

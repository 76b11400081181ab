//! Line breaks.

use std::io::{self, Write};

/// Maximum width of a line, in columns.
const WIDTH: usize = 140;

/// Number of bytes that are buffered before they are formatted.
const BUFFER_SIZE: usize = 64 << 10;

/// Formats JSON: a list or object that fits into the rest of its line stays on the line, others have one item per line.
/// The JSON must be valid.
#[must_use]
pub fn pretty(json: &[u8]) -> Vec<u8> {
    let mut out = Pretty::new(Vec::with_capacity(json.len().saturating_mul(2)));
    // Writing to memory cannot fail.
    let _ = out.write_all(json);
    out.finish().unwrap_or_default()
}

/// A writer that formats JSON like [`pretty`]. It never holds more than a few lines and the longest string in memory.
#[derive(Debug)]
pub struct Pretty<W> {
    out: W,
    /// Bytes that are not formatted yet.
    pending: Vec<u8>,
    /// Number of pending bytes at which formatting is tried again.
    threshold: usize,
    /// For each open list or object: whether it is written on several lines.
    open: Vec<bool>,
    /// Number of used columns of the current line.
    column: usize,
}

impl<W: Write> Pretty<W> {
    /// Creates a writer that formats JSON and writes it to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, pending: Vec::new(), threshold: BUFFER_SIZE, open: Vec::new(), column: 0 }
    }

    /// Writes the remaining bytes and a line break.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.format_pending(Rest::Complete)?;
        self.out.write_all(b"\n")?;
        Ok(self.out)
    }

    /// Formats the pending bytes, up to the point where the following bytes are needed.
    fn format_pending(&mut self, rest: Rest) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        let mut done = 0;
        let mut tokens = Tokens { json: &pending, at: 0 };
        while let Some((at, token)) = tokens.next() {
            let ahead = pending.len().saturating_sub(tokens.at);
            if rest == Rest::Follows && ahead <= WIDTH {
                break;
            }
            let json = pending.get(at..).unwrap_or_default();
            let is_open = matches!(token, b"[" | b"{");
            let line = if is_open { one_line(json, WIDTH.saturating_sub(self.column)) } else { Line::Fits };
            if rest == Rest::Follows && line == Line::Unknown {
                break;
            }
            self.token(token, line)?;
            done = tokens.at;
        }
        self.pending = pending;
        drop(self.pending.drain(..done));
        self.threshold = self.pending.len().saturating_mul(2).max(BUFFER_SIZE);
        Ok(())
    }

    /// Writes a token. `line` is used only for tokens that open a list or object.
    fn token(&mut self, token: &[u8], line: Line) -> io::Result<()> {
        match token {
            b"[" | b"{" => {
                self.put(token)?;
                self.open.push(line == Line::TooLong);
                if line == Line::TooLong {
                    self.break_line()?;
                }
                Ok(())
            }
            b"]" | b"}" => {
                if self.open.pop() == Some(true) {
                    self.break_line()?;
                }
                self.put(token)
            }
            b"," => {
                self.put(b",")?;
                match self.open.last() {
                    Some(true) => self.break_line(),
                    _ => self.put(b" "),
                }
            }
            b":" => self.put(b": "),
            _ => self.put(token),
        }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.column = self.column.saturating_add(bytes.len());
        self.out.write_all(bytes)
    }

    fn break_line(&mut self) -> io::Result<()> {
        self.out.write_all(b"\n")?;
        self.column = self.open.len();
        write!(self.out, "{:1$}", "", self.column)
    }
}

/// Whether more bytes follow the pending ones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Follows,
    Complete,
}

impl<W: Write> Write for Pretty<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= self.threshold {
            self.format_pending(Rest::Follows)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a list or object fits into the rest of its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Fits,
    TooLong,
    /// The end has not been written yet.
    Unknown,
}

/// Whether the list or object at the start of `json` fits into `columns` columns. Does not read further than that.
fn one_line(json: &[u8], columns: usize) -> Line {
    let (mut depth, mut width) = (0_usize, 0_usize);
    for (_, token) in (Tokens { json, at: 0 }) {
        width = width.saturating_add(token.len());
        match token {
            b"[" | b"{" => depth = depth.saturating_add(1),
            b"]" | b"}" => depth = depth.saturating_sub(1),
            b"," | b":" => width = width.saturating_add(1),
            _ => {}
        }
        if width > columns {
            return Line::TooLong;
        }
        if depth == 0 {
            return Line::Fits;
        }
    }
    Line::Unknown
}

/// Iterator over brackets, commas, colons, strings and words, with their offsets.
struct Tokens<'a> {
    json: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let white = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        let skipped = self.json.get(self.at..)?.iter().take_while(|byte| white(byte)).count();
        let start = self.at.checked_add(skipped)?;
        let rest = self.json.get(start..)?;
        let length = match rest.first()? {
            b'[' | b']' | b'{' | b'}' | b',' | b':' => 1,
            b'"' => string_length(rest),
            _ => rest.iter().take_while(|byte| !white(byte) && !b"[]{},:\"".contains(byte)).count().max(1),
        };
        self.at = start.checked_add(length)?;
        Some((start, rest.get(..length)?))
    }
}

/// Returns the length of the string at the start, including its quotes.
fn string_length(json: &[u8]) -> usize {
    let mut escaped = false;
    for (index, byte) in json.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index.saturating_add(1),
            _ => {}
        }
    }
    json.len()
}

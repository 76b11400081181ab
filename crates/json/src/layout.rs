//! Where lines break.

use std::io::{self, Write};

/// As wide as a line may be.
const WIDTH: usize = 140;

/// So many bytes are gathered before they are set in lines.
const GATHERED: usize = 64 << 10;

/// Sets JSON in lines: a list or object that fits into what is left of its line stays on it, others have one item a line.
/// The JSON must be valid.
#[must_use]
pub fn pretty(json: &[u8]) -> Vec<u8> {
    let mut out = Pretty::new(Vec::with_capacity(json.len().saturating_mul(2)));
    // Writing to memory cannot fail.
    let _ = out.write_all(json);
    out.finish().unwrap_or_default()
}

/// Sets JSON in lines while it is written, as [`pretty`] does, and never holds more of it than a few lines and the longest string.
#[derive(Debug)]
pub struct Pretty<W> {
    out: W,
    /// What is not set in lines yet.
    pending: Vec<u8>,
    /// More is needed before anything can be done.
    enough: usize,
    /// For each list or object that is open: whether it is set in lines.
    open: Vec<bool>,
    /// How many columns of the line are taken.
    column: usize,
}

impl<W: Write> Pretty<W> {
    /// Sets JSON in lines and writes it to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, pending: Vec::new(), enough: GATHERED, open: Vec::new(), column: 0 }
    }

    /// Writes what is left and a line break.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.set(Rest::Complete)?;
        self.out.write_all(b"\n")?;
        Ok(self.out)
    }

    /// Sets what is pending in lines, up to where it has to be known what follows.
    fn set(&mut self, rest: Rest) -> io::Result<()> {
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
        self.enough = self.pending.len().saturating_mul(2).max(GATHERED);
        Ok(())
    }

    /// Writes a token; `line` is for those that open a list or object.
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

/// What comes behind the bytes that are there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Follows,
    Complete,
}

impl<W: Write> Write for Pretty<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= self.enough {
            self.set(Rest::Follows)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a list or object fits into what is left of its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Fits,
    TooLong,
    /// Its end is not there yet.
    Unknown,
}

/// Whether the list or object at the start of `json` fits into `room` columns. Looks no further than that.
fn one_line(json: &[u8], room: usize) -> Line {
    let (mut depth, mut width) = (0_usize, 0_usize);
    for (_, token) in (Tokens { json, at: 0 }) {
        width = width.saturating_add(token.len());
        match token {
            b"[" | b"{" => depth = depth.saturating_add(1),
            b"]" | b"}" => depth = depth.saturating_sub(1),
            b"," | b":" => width = width.saturating_add(1),
            _ => {}
        }
        if width > room {
            return Line::TooLong;
        }
        if depth == 0 {
            return Line::Fits;
        }
    }
    Line::Unknown
}

/// Brackets, commas, colons, strings and words, with the place where each starts.
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

/// The length of the string at the start, with its quotes.
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

//! Lossless representation of a file: the lines of a text, or the tokens of a binary file.

use asset::Charset;
use record::{Bytes, Error, Result, Source, Span, Visit, Visitor};
use serde::{Deserialize, Serialize};

use super::content::Content;
use super::header::{FloatSize, Header, LENGTH};
use super::token::binary;
use super::zip;
use crate::string::BlitzString;

/// The bytes that a model was read from. They do not affect equality of models.
#[derive(Debug, Clone, Default)]
pub(super) struct Original(pub(super) Option<Source>);

impl PartialEq for Original {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A file as lines or tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceFile {
    /// The first sixteen letters, such as `xof 0303txt 0032`.
    header: String,
    /// Line ending of a text. Only in text files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line_end: Option<LineEnd>,
    /// Lines of a text, without line endings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<BlitzString>>,
    /// Tokens of a binary file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tokens: Option<Vec<Token>>,
    /// Bytes after the last complete token.
    #[serde(default, skip_serializing_if = "is_nothing")]
    rest: Bytes,
    /// Compressed bytes of a compressed file, used as long as they unpack to the same contents.
    #[serde(default, skip_serializing_if = "is_nothing")]
    packed: Bytes,
}

fn is_nothing(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

/// A line ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LineEnd {
    Crlf,
    Lf,
}

/// A token of a binary file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Token {
    Name(BlitzString),
    String(BlitzString),
    Integer(u32),
    Guid(Bytes),
    Integers(Vec<u32>),
    /// A list of 32-bit floats.
    Floats(Vec<f32>),
    /// A list of 64-bit floats.
    Doubles(Vec<f64>),
    /// A token without data.
    Sign(Sign),
    /// Any other token, by number.
    Other(u16),
}

/// Common tokens without data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Sign {
    #[serde(rename = "{")]
    Open,
    #[serde(rename = "}")]
    Close,
    #[serde(rename = ",")]
    Comma,
    #[serde(rename = ";")]
    Semicolon,
    #[serde(rename = "template")]
    Template,
}

impl Sign {
    const ALL: [(u16, Self); 5] = [
        (binary::OPEN_BRACE, Self::Open),
        (binary::CLOSE_BRACE, Self::Close),
        (binary::COMMA, Self::Comma),
        (binary::SEMICOLON, Self::Semicolon),
        (binary::TEMPLATE, Self::Template),
    ];

    const fn text(self) -> &'static str {
        match self {
            Self::Open => "{",
            Self::Close => "}",
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Template => "template",
        }
    }
}

impl SourceFile {
    /// Splits a valid file into lines or tokens.
    pub(super) fn of(file: &[u8]) -> Result<Self> {
        let content = Content::read(file)?;
        let header = file.get(..LENGTH).unwrap_or_default();
        let body = content.get(content.range());
        let mut source = Self {
            header: String::from_utf8_lossy(header).into_owned(),
            line_end: None,
            lines: None,
            tokens: None,
            rest: Bytes::default(),
            packed: Bytes::default(),
        };
        if content.header.encoding.is_compressed() {
            source.packed = file.get(LENGTH..).unwrap_or_default().into();
        }
        if content.header.encoding.is_binary() {
            let mut reader = TokenReader { bytes: body, at: 0, size: content.header.float_size };
            let mut tokens = Vec::new();
            while let Some((_, token)) = reader.next() {
                tokens.push(token);
            }
            source.rest = body.get(reader.at..).unwrap_or_default().into();
            source.tokens = Some(tokens);
        } else {
            let end = line_end(body);
            let lines = body.split(|byte| *byte == b'\n');
            let strip = |line| if end == LineEnd::Crlf { without_return(line) } else { line };
            source.lines = Some(lines.map(|line| BlitzString::from_bytes(strip(line))).collect());
            source.line_end = Some(end);
        }
        Ok(source)
    }

    /// Returns the bytes of the file.
    pub(super) fn write(&self) -> Result<Vec<u8>> {
        let mut out = self.header.clone().into_bytes();
        let header = Header::read(&out).map_err(|error| error.in_field("header"))?;
        if out.len() != LENGTH {
            return Err(Error::usage(format!("must have {LENGTH} characters")).in_field("header"));
        }
        let mut body = Vec::new();
        match (header.encoding.is_binary(), &self.lines, &self.tokens) {
            (false, Some(lines), None) => {
                let end: &[u8] = if self.line_end == Some(LineEnd::Lf) { b"\n" } else { b"\r\n" };
                for (number, line) in lines.iter().enumerate() {
                    if number > 0 {
                        body.extend_from_slice(end);
                    }
                    body.extend_from_slice(line.bytes());
                }
            }
            (true, None, Some(tokens)) => {
                for (number, token) in tokens.iter().enumerate() {
                    token
                        .write(header.float_size, &mut body)
                        .map_err(|error| error.in_item(number).in_field("tokens"))?;
                }
            }
            (is_binary, ..) => {
                let (needed, other) = if is_binary { ("tokens", "lines") } else { ("lines", "tokens") };
                let message = format!("a file with this header must have {needed} and no {other}");
                return Err(Error::usage(message).in_field("header"));
            }
        }
        body.extend_from_slice(&self.rest);
        if !header.encoding.is_compressed() {
            out.extend(body);
            return Ok(out);
        }
        let packed = [out.as_slice(), &self.packed].concat();
        if !self.packed.is_empty() && zip::unpack(&packed).is_ok_and(|(unpacked, ..)| unpacked == body) {
            return Ok(packed);
        }
        out.extend(zip::pack(&body)?);
        Ok(out)
    }
}

/// Returns the line ending: CRLF only if all lines end with it.
fn line_end(text: &[u8]) -> LineEnd {
    let mut before = 0_u8;
    for byte in text {
        if *byte == b'\n' && before != b'\r' {
            return LineEnd::Lf;
        }
        before = *byte;
    }
    // A carriage return at the end would be taken for half a line ending.
    if before == b'\r' || !text.contains(&b'\n') { LineEnd::Lf } else { LineEnd::Crlf }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl Token {
    fn write(&self, size: FloatSize, out: &mut Vec<u8>) -> Result<()> {
        let mut put = |number: u16, count: Option<usize>| -> Result<()> {
            out.extend(number.to_le_bytes());
            if let Some(count) = count {
                let count = u32::try_from(count).map_err(|_| Error::usage("the list is too long"))?;
                out.extend(count.to_le_bytes());
            }
            Ok(())
        };
        let wrong_size = || Err(Error::usage("the float size does not match the header"));
        match self {
            Self::Name(text) => {
                put(binary::NAME, Some(text.bytes().len()))?;
                out.extend(text.bytes());
            }
            Self::String(text) => {
                put(binary::STRING, Some(text.bytes().len()))?;
                out.extend(text.bytes());
            }
            Self::Integer(number) => {
                put(binary::INTEGER, None)?;
                out.extend(number.to_le_bytes());
            }
            Self::Guid(bytes) => {
                if bytes.len() != 16 {
                    return Err(Error::usage("a GUID has 16 bytes"));
                }
                put(binary::GUID, None)?;
                out.extend_from_slice(bytes);
            }
            Self::Integers(numbers) => {
                put(binary::INTEGER_LIST, Some(numbers.len()))?;
                out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            Self::Floats(_) if size == FloatSize::Double => return wrong_size(),
            Self::Doubles(_) if size == FloatSize::Single => return wrong_size(),
            Self::Floats(numbers) => {
                put(binary::FLOAT_LIST, Some(numbers.len()))?;
                out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            Self::Doubles(numbers) => {
                put(binary::FLOAT_LIST, Some(numbers.len()))?;
                out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            Self::Sign(sign) => {
                let number = Sign::ALL.iter().find(|(_, known)| known == sign).map(|(number, _)| *number);
                put(number.unwrap_or_default(), None)?;
            }
            Self::Other(number) => put(*number, None)?,
        }
        Ok(())
    }

    /// Returns the description of the token in a hex view.
    fn description(&self) -> String {
        match self {
            Self::Name(text) => format!("name {:.80}", text.text()),
            Self::String(text) => format!("string \"{:.80}\"", text.text()),
            Self::Integer(number) => number.to_string(),
            Self::Guid(bytes) => format!("GUID {bytes}"),
            Self::Integers(numbers) => format!("{} integers", numbers.len()),
            Self::Floats(numbers) => format!("{} floats", numbers.len()),
            Self::Doubles(numbers) => format!("{} floats", numbers.len()),
            Self::Sign(sign) => sign.text().to_owned(),
            Self::Other(number) => format!("token {number}"),
        }
    }
}

/// Reads the tokens of a binary file up to the first one that is incomplete.
struct TokenReader<'a> {
    bytes: &'a [u8],
    at: usize,
    size: FloatSize,
}

impl TokenReader<'_> {
    fn next(&mut self) -> Option<(usize, Token)> {
        let start = self.at;
        let mut at = start;
        let mut take = |size: usize| -> Option<&[u8]> {
            let end = at.checked_add(size)?;
            let bytes = self.bytes.get(at..end)?;
            at = end;
            Some(bytes)
        };
        let number = u16::from_le_bytes(take(2)?.try_into().ok()?);
        let count = match number {
            binary::NAME | binary::STRING | binary::INTEGER_LIST | binary::FLOAT_LIST => {
                usize::try_from(u32::from_le_bytes(take(4)?.try_into().ok()?)).ok()?
            }
            _ => 0,
        };
        let token = match number {
            binary::NAME => Token::Name(BlitzString::from_bytes(take(count)?)),
            binary::STRING => Token::String(BlitzString::from_bytes(take(count)?)),
            binary::INTEGER => Token::Integer(u32::from_le_bytes(take(4)?.try_into().ok()?)),
            binary::GUID => Token::Guid(take(16)?.into()),
            binary::INTEGER_LIST => {
                let (numbers, _) = take(count.checked_mul(4)?)?.as_chunks::<4>();
                Token::Integers(numbers.iter().map(|number| u32::from_le_bytes(*number)).collect())
            }
            binary::FLOAT_LIST if self.size == FloatSize::Double => {
                let (numbers, _) = take(count.checked_mul(8)?)?.as_chunks::<8>();
                Token::Doubles(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
            }
            binary::FLOAT_LIST => {
                let (numbers, _) = take(count.checked_mul(4)?)?.as_chunks::<4>();
                Token::Floats(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
            }
            other => Sign::ALL
                .iter()
                .find(|(number, _)| *number == other)
                .map_or(Token::Other(other), |(_, sign)| Token::Sign(*sign)),
        };
        self.at = at;
        Some((start, token))
    }
}

/// Reports every byte to the visitor: the header, then the lines or tokens, or the blocks of a compressed file.
pub(super) fn trace(file: &[u8], visitor: &mut dyn Visitor) -> Result<()> {
    let content = Content::read(file)?;
    let header = String::from_utf8_lossy(file.get(..LENGTH).unwrap_or_default()).into_owned();
    let mut tracer = Tracer { visitor, is_stopped: false };
    tracer.span(0, LENGTH, "header", &header);
    if content.header.encoding.is_compressed() {
        let (unpacked, blocks, end) = zip::unpack(file)?;
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        let size_end = LENGTH.saturating_add(4);
        tracer.span(LENGTH, size_end, "unpacked_size", &unpacked.len().saturating_add(LENGTH).to_string());
        for (number, block) in blocks.iter().enumerate() {
            let next = blocks.get(number.saturating_add(1));
            let end_offset = next.map_or(end, |next| next.offset);
            let size = next.map_or(unpacked.len(), |next| next.start).saturating_sub(block.start);
            tracer.span(
                block.offset,
                end_offset,
                &format!("blocks[{number}]"),
                &format!("{size} bytes, compressed"),
            );
        }
        tracer.rest(end, file.len());
        return Ok(());
    }
    let body = file.get(LENGTH..).unwrap_or_default();
    if content.header.encoding.is_binary() {
        let mut reader = TokenReader { bytes: body, at: 0, size: content.header.float_size };
        let mut number = 0_usize;
        while let Some((start, token)) = reader.next() {
            tracer.token(LENGTH.saturating_add(start), LENGTH.saturating_add(reader.at), number, &token);
            number = number.saturating_add(1);
            if tracer.is_stopped {
                return Ok(());
            }
        }
        tracer.rest(LENGTH.saturating_add(reader.at), file.len());
        return Ok(());
    }
    let mut start = LENGTH;
    for (number, line) in body.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let end = start.saturating_add(line.len());
        let text = Charset::Windows1252.decode(line);
        tracer.span(start, end, &format!("lines[{number}]"), text.trim());
        start = end;
        if tracer.is_stopped {
            break;
        }
    }
    Ok(())
}

struct Tracer<'a> {
    visitor: &'a mut dyn Visitor,
    is_stopped: bool,
}

impl Tracer<'_> {
    fn span(&mut self, start: usize, end: usize, path: &str, value: &str) {
        if self.is_stopped || start >= end {
            return;
        }
        let wide = |offset: usize| u64::try_from(offset).unwrap_or(u64::MAX);
        let span = Span { start: wide(start), end: wide(end), path, value: &value };
        self.is_stopped = self.visitor.span(span) == Visit::Stop;
    }

    fn rest(&mut self, start: usize, end: usize) {
        self.span(start, end, "rest", &format!("{} bytes", end.saturating_sub(start)));
    }

    /// Reports a token: one span, and one for each number of a list.
    fn token(&mut self, start: usize, end: usize, number: usize, token: &Token) {
        let path = format!("tokens[{number}]");
        let (kind, size) = match token {
            Token::Integers(_) => ("integers", 4_usize),
            Token::Floats(_) => ("floats", 4),
            Token::Doubles(_) => ("doubles", 8),
            _ => return self.span(start, end, &path, &token.description()),
        };
        let first = start.saturating_add(6);
        self.span(start, first, &path, &token.description());
        if !self.visitor.enters(&path) {
            return;
        }
        let text = |at: usize| match token {
            Token::Integers(numbers) => numbers.get(at).map(ToString::to_string),
            Token::Floats(numbers) => numbers.get(at).map(ToString::to_string),
            Token::Doubles(numbers) => numbers.get(at).map(ToString::to_string),
            _ => None,
        };
        let mut start = first;
        let mut at = 0_usize;
        while let Some(text) = text(at) {
            let end = start.saturating_add(size);
            self.span(start, end, &format!("{path}.{kind}[{at}]"), &text);
            (start, at) = (end, at.saturating_add(1));
            if self.is_stopped {
                return;
            }
        }
    }
}

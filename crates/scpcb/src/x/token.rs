//! Tokens of text and binary files: words, numbers and braces.
//!
//! Text: names, numbers and quoted strings, separated by any number of `;` and `,`, and comments from `//` or `#` to the end of the
//! line. Real names contain almost anything (`Bone.01`, `2_lamp`, `a-b`), so a word ends only at whitespace and at `;`, `,`,
//! quotes, braces and brackets.
//!
//! Binary: each token is a number of two bytes; names, strings, integers, GUIDs and lists of numbers have their data after it.
//! Source: Microsoft, "X File Format Reference" (text and binary encoding).

use std::ops::Range;

use record::Result;

use super::content::Content;

/// A token of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name; in text also a number.
    Word(Range<usize>),
    /// A quoted string.
    Quoted(Range<usize>),
    /// Text: the contents of angle brackets. Binary: the sixteen bytes.
    Guid(Range<usize>),
    /// Binary: count and offset of a list of four-byte integers.
    Integers(usize, usize),
    /// Binary: count and offset of a list of floats.
    Floats(usize, usize),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `;` or `,`
    Separator,
    /// Binary: start of a template. In text this is a word.
    Template,
    /// Tokens that only occur in templates: brackets and type names.
    Other,
}

/// Numbers of the binary tokens.
pub(super) mod binary {
    pub(in crate::x) const NAME: u16 = 1;
    pub(in crate::x) const STRING: u16 = 2;
    pub(in crate::x) const INTEGER: u16 = 3;
    pub(in crate::x) const GUID: u16 = 5;
    pub(in crate::x) const INTEGER_LIST: u16 = 6;
    pub(in crate::x) const FLOAT_LIST: u16 = 7;
    pub(in crate::x) const OPEN_BRACE: u16 = 10;
    pub(in crate::x) const CLOSE_BRACE: u16 = 11;
    pub(in crate::x) const COMMA: u16 = 19;
    pub(in crate::x) const SEMICOLON: u16 = 20;
    pub(in crate::x) const TEMPLATE: u16 = 31;
}

/// Iterates over the tokens of a range of a file.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    content: &'a Content<'a>,
    position: usize,
    end: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(content: &'a Content<'a>, range: Range<usize>) -> Self {
        Self { content, position: range.start, end: range.end }
    }

    /// Returns the offset of the next token.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Returns the number of remaining bytes.
    pub(super) fn left(&self) -> usize {
        self.end.saturating_sub(self.position)
    }

    /// Returns the next token with its offset; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token)>> {
        if self.content.header.encoding.is_binary() { self.next_binary() } else { self.next_text() }
    }

    fn peek(&self) -> Option<u8> {
        if self.position < self.end { self.content.byte(self.position) } else { None }
    }

    fn peek_second(&self) -> Option<u8> {
        let second = self.position.saturating_add(1);
        if second < self.end { self.content.byte(second) } else { None }
    }

    fn step(&mut self) {
        self.position = self.position.saturating_add(1);
    }

    /// Skips bytes that match a predicate.
    fn skip(&mut self, is: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&is) {
            self.step();
        }
    }

    fn next_text(&mut self) -> Result<Option<(usize, Token)>> {
        self.skip_blanks();
        let start = self.position;
        let Some(first) = self.peek() else { return Ok(None) };
        let token = match first {
            b'{' => self.single(Token::Open),
            b'}' => self.single(Token::Close),
            b';' | b',' => self.single(Token::Separator),
            b'"' => Token::Quoted(self.enclosed(b'"', "a quoted string")?),
            b'<' => Token::Guid(self.enclosed(b'>', "a GUID")?),
            b'>' | b'[' | b']' => self.single(Token::Other),
            _ => {
                self.word();
                Token::Word(start..self.position)
            }
        };
        Ok(Some((start, token)))
    }

    fn single(&mut self, token: Token) -> Token {
        self.step();
        token
    }

    /// Skips whitespace, control characters and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.skip(is_blank);
            let is_comment = match self.peek() {
                Some(b'#') => true,
                Some(b'/') => self.peek_second() == Some(b'/'),
                _ => false,
            };
            if !is_comment {
                return;
            }
            self.skip(|byte| byte != b'\n' && byte != b'\r');
        }
    }

    fn word(&mut self) {
        self.step();
        while let Some(byte) = self.peek() {
            let is_comment = byte == b'/' && self.peek_second() == Some(b'/');
            if is_blank(byte) || is_comment || b"{};,\"<>[]".contains(&byte) {
                return;
            }
            self.step();
        }
    }

    /// Returns the range between this byte and the next `last`.
    fn enclosed(&mut self, last: u8, what: &str) -> Result<Range<usize>> {
        let start = self.position;
        self.step();
        let inside = self.position;
        self.skip(|byte| byte != last);
        if self.peek().is_none() {
            return Err(self.content.malformed(start, &format!("{what} is not terminated")));
        }
        let inside = inside..self.position;
        self.step();
        Ok(inside)
    }

    fn next_binary(&mut self) -> Result<Option<(usize, Token)>> {
        let start = self.position;
        if self.left() == 0 {
            return Ok(None);
        }
        let number = u16::from_le_bytes(self.array("a token")?);
        let token = match number {
            binary::NAME => Token::Word(self.counted(1, "a name")?),
            binary::STRING => Token::Quoted(self.counted(1, "a string")?),
            binary::INTEGER => Token::Integers(1, self.take(4, "an integer")?.start),
            binary::GUID => Token::Guid(self.take(16, "a GUID")?),
            binary::INTEGER_LIST => {
                let range = self.counted(4, "a list of integers")?;
                Token::Integers(range.len().div_euclid(4), range.start)
            }
            binary::FLOAT_LIST => {
                let size = self.content.header.float_size.bytes();
                let range = self.counted(size, "a list of floats")?;
                Token::Floats(range.len().checked_div(size).unwrap_or_default(), range.start)
            }
            binary::OPEN_BRACE => Token::Open,
            binary::CLOSE_BRACE => Token::Close,
            // Strings end with a separator that has four bytes in the specification: 0 is the second half of it.
            0 | binary::COMMA | binary::SEMICOLON => Token::Separator,
            binary::TEMPLATE => Token::Template,
            12..=18 | 40..=52 => Token::Other,
            _ => {
                return Err(self.content.malformed(start, &format!("unknown token {number}")));
            }
        };
        Ok(Some((start, token)))
    }

    fn take(&mut self, size: usize, what: &str) -> Result<Range<usize>> {
        let start = self.position;
        if size > self.left() {
            let message = format!("{what} has {size} bytes, but only {} are left", self.left());
            return Err(self.content.malformed(start, &message));
        }
        self.position = start.saturating_add(size);
        Ok(start..self.position)
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let range = self.take(N, what)?;
        Ok(array_at(self.content, range.start))
    }

    /// Returns the range of a list of items of `size` bytes, preceded by its count.
    fn counted(&mut self, size: usize, what: &str) -> Result<Range<usize>> {
        let start = self.position;
        let count = u32::from_le_bytes(self.array(what)?);
        let length = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(size);
        if length > self.left() {
            let left = self.left();
            let message = format!("{what} has {count} items of {size} bytes, but only {left} bytes are left");
            return Err(self.content.malformed(start, &message));
        }
        self.take(length, what)
    }
}

/// Returns bytes that are known to exist.
pub(super) fn array_at<const N: usize>(content: &Content<'_>, start: usize) -> [u8; N] {
    content.get(start..start.saturating_add(N)).first_chunk::<N>().copied().unwrap_or([0; N])
}

fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}

//! Positions in texts: converts between characters and the units of a client's encoding.

use antiquary::soup::editor::{self, Span};
use gen_lsp_types::{Position, PositionEncodingKind, Range};

/// The unit in which a client counts columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// UTF-16 code units, the default of the protocol.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// Chooses among the encodings offered by a client, preferring the cheapest.
    pub(crate) fn of(offered: Option<&[PositionEncodingKind]>) -> Self {
        let offers = |kind: &PositionEncodingKind| offered.is_some_and(|it| it.contains(kind));
        if offers(&PositionEncodingKind::UTF8) {
            return Self::Utf8;
        }
        if offers(&PositionEncodingKind::UTF32) && !offers(&PositionEncodingKind::UTF16) {
            return Self::Utf32;
        }
        Self::Utf16
    }

    pub(crate) const fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    const fn width(self, letter: char) -> usize {
        match self {
            Self::Utf8 => letter.len_utf8(),
            Self::Utf16 => letter.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// The number of characters before a column of the client. A column inside a character counts as its start, and one after the line as
    /// its end.
    pub(crate) fn characters(self, line: &str, column: u32) -> usize {
        let wanted = usize::try_from(column).unwrap_or(usize::MAX);
        let (mut units, mut count) = (0_usize, 0_usize);
        for letter in line.chars() {
            units = units.saturating_add(self.width(letter));
            if units > wanted {
                break;
            }
            count = count.saturating_add(1);
        }
        count
    }

    /// The column of the client after this number of characters.
    pub(crate) fn column(self, line: &str, characters: usize) -> u32 {
        let units = line.chars().take(characters).map(|it| self.width(it)).fold(0, usize::saturating_add);
        u32::try_from(units).unwrap_or(u32::MAX)
    }
}

/// The lines of a text, with the columns of a client.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    lines: Vec<&'a str>,
    encoding: Encoding,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str, encoding: Encoding) -> Self {
        Self { lines: text.lines().collect(), encoding }
    }

    fn line(&self, line: usize) -> &'a str {
        self.lines.get(line).copied().unwrap_or_default()
    }

    pub(crate) fn position(&self, line: usize, column: usize) -> Position {
        let character = self.encoding.column(self.line(line), column);
        Position { line: u32::try_from(line).unwrap_or(u32::MAX), character }
    }

    pub(crate) fn range(&self, it: Span) -> Range {
        Range { start: self.position(it.line, it.start), end: self.position(it.line, it.end) }
    }

    /// The range from the start of a line to the end of another.
    pub(crate) fn line_range(&self, first: usize, last: usize) -> Range {
        let end = self.line(last).chars().count();
        Range { start: self.position(first, 0), end: self.position(last, end) }
    }

    pub(crate) fn text_position(&self, at: Position) -> editor::Position {
        let line = usize::try_from(at.line).unwrap_or(usize::MAX);
        editor::Position { line, column: self.encoding.characters(self.line(line), at.character) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_columns_in_the_units_of_the_client() {
        let line = "aä𝄞b";
        let table = [
            (Encoding::Utf8, [0, 1, 3, 7, 8]),
            (Encoding::Utf16, [0, 1, 2, 4, 5]),
            (Encoding::Utf32, [0, 1, 2, 3, 4]),
        ];
        for (encoding, columns) in table {
            for (characters, column) in columns.into_iter().enumerate() {
                assert_eq!(encoding.column(line, characters), column, "{encoding:?}");
                assert_eq!(encoding.characters(line, column), characters, "{encoding:?}");
            }
            assert_eq!(encoding.characters(line, 99), 4);
        }
        // Inside a character.
        assert_eq!(Encoding::Utf16.characters(line, 3), 2);
        assert_eq!(Encoding::Utf8.characters(line, 2), 1);
    }

    #[test]
    fn prefers_utf_8_and_defaults_to_utf_16() {
        use PositionEncodingKind as Kind;
        assert_eq!(Encoding::of(None), Encoding::Utf16);
        assert_eq!(Encoding::of(Some(&[Kind::UTF16, Kind::UTF8])), Encoding::Utf8);
        assert_eq!(Encoding::of(Some(&[Kind::UTF32, Kind::UTF16])), Encoding::Utf16);
    }
}

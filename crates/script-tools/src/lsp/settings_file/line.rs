//! Lines of settings files, with the columns of their parts.

use std::ops::Range;

use antiquary::asset::Charset;
use antiquary::media::ini::{LineContent, LineParts, Syntax};

/// The syntax of the games with documented settings. Their character set does not matter here: texts are UTF-8.
const SYNTAX: Syntax = Syntax::xngine(Charset::Cp437);

/// A line of a settings file. Ranges are in bytes, without surrounding blanks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    /// Everything except the comment.
    pub(super) code: Range<usize>,
    pub(super) content: LineContent,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let LineParts { code, content } = SYNTAX.split(text.as_bytes());
        Self { text, code, content }
    }

    /// The text of a part.
    pub(super) fn part(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The name of the section that the line starts.
    pub(super) fn section(&self) -> Option<&'a str> {
        match &self.content {
            LineContent::Section(name) => Some(self.part(name)),
            _ => None,
        }
    }

    /// The key of the line.
    pub(super) fn key(&self) -> Option<&'a str> {
        match &self.content {
            LineContent::Entry { key, .. } => Some(self.part(key)),
            _ => None,
        }
    }

    /// The number of characters before a byte.
    pub(super) fn column(&self, byte: usize) -> usize {
        self.text.get(..byte).unwrap_or(self.text).chars().count()
    }

    /// The byte at which a column starts; the end of the line if it is shorter.
    pub(super) fn byte(&self, column: usize) -> usize {
        self.text.char_indices().nth(column).map_or(self.text.len(), |(at, _)| at)
    }
}

/// The name of the section that contains a line; empty before the first section.
pub(super) fn section_at<'a>(lines: &[&'a str], line: usize) -> &'a str {
    let before = lines.iter().take(line.saturating_add(1)).rev();
    before.copied().find_map(|text| Line::new(text).section()).unwrap_or_default()
}

/// The keys of the section that contains a line, in order. Sections with the same name are one section.
pub(super) fn keys_in<'a>(lines: &[&'a str], section: &str) -> Vec<(usize, &'a str)> {
    let mut current = "";
    let mut out = Vec::new();
    for (number, text) in lines.iter().copied().enumerate() {
        let line = Line::new(text);
        current = line.section().unwrap_or(current);
        if current.eq_ignore_ascii_case(section) {
            out.extend(line.key().map(|key| (number, key)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        let line = Line::new(text);
        match &line.content {
            LineContent::Section(name) => vec![line.part(name)],
            LineContent::Entry { key, value } => vec![line.part(key), line.part(value)],
            LineContent::Text => Vec::new(),
        }
    }

    #[test]
    fn splits_lines_into_parts() {
        assert_eq!(parts(" [ world ] ; a"), ["world"]);
        assert_eq!(parts("ä [ 0 ]=\tb = c ; d"), ["ä [ 0 ]", "b = c"]);
        assert_eq!(parts("a="), ["a", ""]);
        assert_eq!(parts("a= ; b"), ["a", ""]);
        for text in ["", "[", "; a = b", "text", "[world"] {
            assert!(parts(text).is_empty(), "{text}");
        }
        let LineContent::Entry { value, .. } = Line::new("a=  ; b").content else { panic!("an entry") };
        assert!(value.is_empty() && value.start <= 4, "{value:?}");
    }

    #[test]
    fn finds_the_section_of_a_line() {
        let lines = ["x=1", "[A]", "y=2", "[b]", "[a]", "z=3"];
        let found: Vec<_> = (0..lines.len()).map(|line| section_at(&lines, line)).collect();
        assert_eq!(found, ["", "A", "A", "b", "a", "a"]);
        assert_eq!(keys_in(&lines, "a"), [(2, "y"), (5, "z")]);
    }
}

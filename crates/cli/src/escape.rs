//! Escaping untrusted text for a terminal.

use std::fmt;

use antiquary::operation::is_unsafe;

/// Displays untrusted text. Characters that could move the cursor, change colors or reverse the writing direction are escaped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(is_unsafe) {
            let (safe, unsafe_and_rest) = rest.split_at(at);
            f.write_str(safe)?;
            let mut characters = unsafe_and_rest.chars();
            match characters.next() {
                Some('\n') => f.write_str("\\n")?,
                Some('\r') => f.write_str("\\r")?,
                Some('\t') => f.write_str("\\t")?,
                Some(character) => write!(f, "\\u{{{:x}}}", u32::from(character))?,
                None => {}
            }
            rest = characters.as_str();
        }
        f.write_str(rest)
    }
}

/// Whether text needs no escaping.
pub(crate) fn is_safe(text: &str) -> bool {
    !text.contains(is_unsafe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_direction_characters_are_escaped() {
        assert_eq!(Escaped("a\u{1b}[31mb\nc\u{7}").to_string(), "a\\u{1b}[31mb\\nc\\u{7}");
        assert_eq!(Escaped("gpj.\u{202e}exe").to_string(), "gpj.\\u{202e}exe");
        assert_eq!(Escaped("\u{9b}2J").to_string(), "\\u{9b}2J");
    }

    #[test]
    fn letters_of_all_languages_are_kept() {
        for text in ["Größe", "유저인터페이스", "C:\\GFX\\map", ""] {
            assert_eq!(Escaped(text).to_string(), text);
            assert!(is_safe(text));
        }
    }
}

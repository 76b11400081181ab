//! Text from files and file names, made safe for a terminal.

use std::fmt;

/// Shows text whose origin is not trusted. What could move the cursor, change colours or turn the direction of writing is shown as an
/// escape; everything else stays as it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a>(pub(crate) &'a str);

impl fmt::Display for Shown<'_> {
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

/// Whether text can be shown as it is.
pub(crate) fn is_safe(text: &str) -> bool {
    !text.contains(is_unsafe)
}

/// Control characters, those that turn the direction of writing, those that end a line, and those that take no room.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_trick_a_terminal_is_shown_as_an_escape() {
        assert_eq!(Shown("a\u{1b}[31mb\nc\u{7}").to_string(), "a\\u{1b}[31mb\\nc\\u{7}");
        assert_eq!(Shown("gpj.\u{202e}exe").to_string(), "gpj.\\u{202e}exe");
        assert_eq!(Shown("\u{9b}2J").to_string(), "\\u{9b}2J");
    }

    #[test]
    fn letters_of_all_languages_stay() {
        for text in ["Größe", "유저인터페이스", "C:\\GFX\\map", ""] {
            assert_eq!(Shown(text).to_string(), text);
            assert!(is_safe(text));
        }
    }
}

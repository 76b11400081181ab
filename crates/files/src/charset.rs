//! How games write names and texts as bytes.

mod replaced;

use std::borrow::Cow;

use encoding_rs::{EUC_KR, Encoding, WINDOWS_1252};

pub use replaced::{CharsetScope, replace_charset};

/// The character set of a game's names and texts.
///
/// Mods and servers of other languages write theirs: another one may [take the place](replace_charset) of all of them. Then each of them reads and
/// writes that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Charset {
    /// Western Europe under Windows. Every byte has a character of its own: what is decoded is encoded to the same bytes.
    Windows1252,
    /// The first IBM PC. Every byte has a character of its own; those below 0x20 stay control characters.
    Cp437,
    /// Korean under Windows (an extension of EUC-KR). Not every sequence of bytes is text.
    Cp949,
    /// One that no game has by itself. What is no text becomes characters of the private area, and comes back from them.
    Other(&'static Encoding),
}

impl Charset {
    /// The name people know it by, or that of the charset in its place.
    #[must_use]
    pub fn name(self) -> String {
        match self.in_force() {
            Self::Windows1252 => "windows-1252".to_owned(),
            Self::Cp437 => "cp437".to_owned(),
            Self::Cp949 => "cp949".to_owned(),
            Self::Other(encoding) => encoding.name().to_ascii_lowercase(),
        }
    }

    /// Bytes as text. What is no text becomes U+FFFD in cp949.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.in_force() {
            Self::Cp949 if self != Self::Cp949 => replaced::decode(EUC_KR, bytes),
            charset => charset.decode_own(bytes),
        }
    }

    /// The same in this charset, whatever is in its place.
    #[must_use]
    pub fn decode_own(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Windows1252 => WINDOWS_1252.decode_without_bom_handling(bytes).0,
            Self::Cp949 => EUC_KR.decode_without_bom_handling(bytes).0,
            Self::Cp437 if bytes.is_ascii() => String::from_utf8_lossy(bytes),
            Self::Cp437 => Cow::Owned(bytes.iter().map(|byte| cp437_char(*byte)).collect()),
            Self::Other(encoding) => replaced::decode(encoding, bytes),
        }
    }

    /// Text as bytes; `None` when a character cannot be written in this character set.
    #[must_use]
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        if text.is_ascii() {
            return Some(Cow::Borrowed(text.as_bytes()));
        }
        match self.in_force() {
            Self::Cp949 if self != Self::Cp949 => replaced::encode(EUC_KR, text),
            charset => charset.encode_own(text),
        }
    }

    fn encode_own(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let (bytes, _, unmappable) = match self {
            Self::Windows1252 => WINDOWS_1252.encode(text),
            Self::Cp949 => EUC_KR.encode(text),
            Self::Cp437 => {
                return text.chars().map(cp437_byte).collect::<Option<Vec<u8>>>().map(Cow::Owned);
            }
            Self::Other(encoding) => return replaced::encode(encoding, text),
        };
        (!unmappable).then_some(bytes)
    }
}

/// The Korean text that a program took for western letters: `À¯Àú` for `유저`. `None` for any other text.
#[must_use]
pub(crate) fn korean_of_western(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    // Latin-1 has control characters where windows-1252 has letters.
    let byte = |letter: char| match u32::from(letter) {
        code @ 0x80..0xa0 => u8::try_from(code).ok().map(|byte| Cow::Owned(vec![byte])),
        _ => {
            let mut buffer = [0; 4];
            let western = Charset::Windows1252.encode_own(letter.encode_utf8(&mut buffer));
            western.map(|it| Cow::Owned(it.into_owned()))
        }
    };
    let bytes: Option<Vec<Cow<'_, [u8]>>> = text.chars().map(byte).collect();
    let text = EUC_KR.decode_without_bom_handling_and_without_replacement(&bytes?.concat())?.into_owned();
    let is_hangul = |letter: char| matches!(letter, '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7a3}');
    // Two western letters in a row may be a Chinese character, which names hold next to Korean ones.
    let is_korean = |letter: char| {
        is_hangul(letter) || matches!(letter, '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
    };
    let is_name =
        text.chars().any(is_hangul) && text.chars().all(|letter| letter.is_ascii() || is_korean(letter));
    is_name.then_some(text)
}

/// The characters of the bytes 0x80 to 0xff.
const CP437_UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

fn cp437_char(byte: u8) -> char {
    match byte.checked_sub(0x80) {
        None => char::from(byte),
        Some(upper) => CP437_UPPER.chars().nth(usize::from(upper)).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

fn cp437_byte(character: char) -> Option<u8> {
    if character.is_ascii() {
        return u8::try_from(u32::from(character)).ok();
    }
    let upper = CP437_UPPER.chars().position(|known| known == character)?;
    u8::try_from(upper.checked_add(0x80)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_the_western_sets_comes_back() {
        for charset in [Charset::Windows1252, Charset::Cp437] {
            for byte in 0..=255_u8 {
                let text = charset.decode(&[byte]).into_owned();
                assert_eq!(text.chars().count(), 1, "{charset:?} {byte:#x}");
                assert_eq!(
                    charset.encode(&text).as_deref(),
                    Some(&[byte][..]),
                    "{charset:?} {byte:#x} {text:?}"
                );
            }
        }
    }

    #[test]
    fn korean_that_was_taken_for_western_letters_is_recognized() {
        let western =
            Charset::Windows1252.decode(&Charset::Cp949.encode("유저인터페이스").unwrap()).into_owned();
        assert_eq!(western, "À¯ÀúÀÎÅÍÆäÀÌ½º");
        assert_eq!(korean_of_western(&western).as_deref(), Some("유저인터페이스"));
        // The same in Latin-1, where 0x81 to 0x9f are control characters.
        let latin =
            Charset::Cp949.encode("갂.bmp").unwrap().iter().map(|byte| char::from(*byte)).collect::<String>();
        assert_eq!(korean_of_western(&latin).as_deref(), Some("갂.bmp"));
        for other in ["data", "café", "유저", "Größe", "naïve", "À"] {
            assert_eq!(korean_of_western(other), None, "{other}");
        }
    }

    #[test]
    fn known_characters_decode_correctly() {
        assert_eq!(Charset::Windows1252.decode(b"caf\xe9 \x96"), "café –");
        assert_eq!(Charset::Cp437.decode(b"caf\x82 \xe1"), "café ß");
        assert_eq!(Charset::Cp949.decode(b"\xc0\xaf\xc0\xfa"), "유저");
        assert_eq!(Charset::Cp949.encode("유저").as_deref(), Some(&b"\xc0\xaf\xc0\xfa"[..]));
        assert_eq!(Charset::Windows1252.encode("유"), None);
        assert_eq!(Charset::Cp437.encode("유"), None);
    }
}

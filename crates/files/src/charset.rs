//! Character sets of names and texts in games.

mod replaced;

use std::borrow::Cow;

use encoding_rs::{EUC_KR, Encoding, WINDOWS_1252};

pub use replaced::{CharsetScope, replace_charset};

/// The character set of a game's names and texts.
///
/// Mods and servers in other languages use other character sets. A [replacement](replace_charset) applies to all character sets
/// of games: then each of them decodes and encodes with the replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Charset {
    /// Western European under Windows. Every byte is a character, so decoded text is always encoded to the same bytes.
    Windows1252,
    /// The original IBM PC. Every byte is a character; those below 0x20 are control characters.
    Cp437,
    /// Korean under Windows (an extension of EUC-KR). Some byte sequences are invalid.
    Cp949,
    /// A character set that no game uses by default. Invalid bytes are decoded to private-use characters, from which they can be
    /// encoded.
    Other(&'static Encoding),
}

impl Charset {
    /// Returns the common name of this character set, or of its replacement.
    #[must_use]
    pub fn name(self) -> String {
        match self.in_force() {
            Self::Windows1252 => "windows-1252".to_owned(),
            Self::Cp437 => "cp437".to_owned(),
            Self::Cp949 => "cp949".to_owned(),
            Self::Other(encoding) => encoding.name().to_ascii_lowercase(),
        }
    }

    /// Decodes bytes. In cp949, invalid bytes become U+FFFD.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.in_force() {
            Self::Cp949 if self != Self::Cp949 => replaced::decode(EUC_KR, bytes),
            charset => charset.decode_own(bytes),
        }
    }

    /// Decodes bytes with this character set, ignoring any replacement.
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

    /// Encodes text; `None` if a character is missing in this character set.
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

/// Repairs Korean text that was decoded as western characters: `À¯Àú` becomes `유저`. Returns `None` for any other text.
#[must_use]
pub(crate) fn korean_of_western(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    // Latin-1 has control characters where windows-1252 has printable ones.
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
    // Two western characters in a row may be a Chinese character, which also occurs in Korean names.
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
    fn round_trips_every_byte_of_western_charsets() {
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
    fn repairs_korean_that_was_decoded_as_western() {
        let western =
            Charset::Windows1252.decode(&Charset::Cp949.encode("유저인터페이스").unwrap()).into_owned();
        assert_eq!(western, "À¯ÀúÀÎÅÍÆäÀÌ½º");
        assert_eq!(korean_of_western(&western).as_deref(), Some("유저인터페이스"));
        // Also in Latin-1, where 0x81 to 0x9f are control characters.
        let latin =
            Charset::Cp949.encode("갂.bmp").unwrap().iter().map(|byte| char::from(*byte)).collect::<String>();
        assert_eq!(korean_of_western(&latin).as_deref(), Some("갂.bmp"));
        for other in ["data", "café", "유저", "Größe", "naïve", "À"] {
            assert_eq!(korean_of_western(other), None, "{other}");
        }
    }

    #[test]
    fn decodes_known_characters() {
        assert_eq!(Charset::Windows1252.decode(b"caf\xe9 \x96"), "café –");
        assert_eq!(Charset::Cp437.decode(b"caf\x82 \xe1"), "café ß");
        assert_eq!(Charset::Cp949.decode(b"\xc0\xaf\xc0\xfa"), "유저");
        assert_eq!(Charset::Cp949.encode("유저").as_deref(), Some(&b"\xc0\xaf\xc0\xfa"[..]));
        assert_eq!(Charset::Windows1252.encode("유"), None);
        assert_eq!(Charset::Cp437.encode("유"), None);
    }
}

//! Character set of a text: the requested one, or the most likely one.

use std::borrow::Cow;

use antiquary::asset::Charset;
use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, IBM866, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252,
};

/// A character set of texts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum TextCharset {
    /// An encoding of the WHATWG Encoding Standard.
    Web(&'static Encoding),
    /// Code page of the original IBM PC, which that standard lacks.
    Cp437,
}

/// Candidates for detection, the most likely first.
const LIKELY: [TextCharset; 10] = [
    TextCharset::Web(WINDOWS_1252),
    TextCharset::Web(EUC_KR),
    TextCharset::Cp437,
    TextCharset::Web(WINDOWS_1251),
    TextCharset::Web(IBM866),
    TextCharset::Web(SHIFT_JIS),
    TextCharset::Web(GBK),
    TextCharset::Web(BIG5),
    TextCharset::Web(WINDOWS_1250),
    TextCharset::Web(UTF_8),
];
/// Number of bytes used for detection.
const SAMPLE: usize = 64 << 10;

impl TextCharset {
    fn of_game(charset: Charset) -> Self {
        match charset {
            Charset::Cp437 => Self::Cp437,
            Charset::Cp949 => Self::Web(EUC_KR),
            _ => Self::Web(WINDOWS_1252),
        }
    }

    fn named(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("cp437") {
            return Some(Self::Cp437);
        }
        Encoding::for_label(name.as_bytes()).map(Self::Web)
    }

    fn name(self) -> String {
        match self {
            Self::Web(encoding) => encoding.name().to_lowercase(),
            Self::Cp437 => "cp437".to_owned(),
        }
    }

    fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Web(encoding) => encoding.decode_with_bom_removal(bytes).0,
            Self::Cp437 => Charset::Cp437.decode(bytes),
        }
    }
}

/// A decoded text, and the name of its character set.
#[derive(Debug)]
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) charset: String,
}

/// Decodes bytes in the requested character set; otherwise as UTF-8 or UTF-16 if they are valid; otherwise in the most
/// likely character set, preferring the game's own in a tie. Returns `None` for an unknown name.
pub(super) fn decode<'a>(bytes: &'a [u8], asked: Option<&str>, game: Charset) -> Option<Decoded<'a>> {
    let charset = match asked {
        Some(name) => TextCharset::named(name)?,
        None => chosen(bytes, game),
    };
    Some(Decoded { text: charset.decode(bytes), charset: charset.name() })
}

/// Whether bytes start with a UTF-16 byte order mark.
pub(super) fn is_utf_16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

fn chosen(bytes: &[u8], game: Charset) -> TextCharset {
    match bytes {
        [0xff, 0xfe, ..] => return TextCharset::Web(UTF_16LE),
        [0xfe, 0xff, ..] => return TextCharset::Web(UTF_16BE),
        _ => {}
    }
    let is_utf_8 = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        // A truncated text may end inside a character.
        Err(error) => error.error_len().is_none() && error.valid_up_to() > SAMPLE,
    };
    if is_utf_8 {
        return TextCharset::Web(UTF_8);
    }
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    let of_game = TextCharset::of_game(game);
    let mut best = (score(&of_game.decode(sample)), of_game);
    for charset in LIKELY {
        let found = score(&charset.decode(sample));
        if found > best.0 {
            best = (found, charset);
        }
    }
    best.1
}

/// Class of a character, used to distinguish texts from other data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letter {
    /// Letter without accent.
    Plain,
    /// Letter with an accent.
    Accented,
    /// Lower-case Cyrillic letter.
    Cyrillic,
    CyrillicCapital,
    Hangul,
    Kana,
    Chinese,
    /// Word separator: space, digit, ASCII punctuation.
    Between,
    /// Other punctuation: quotation marks, dashes.
    Mark,
    /// Character that is rare in texts: box drawing, control character, half-width kana.
    Odd,
}

fn letter_of(letter: char) -> Letter {
    match letter {
        'a'..='z' | 'A'..='Z' => Letter::Plain,
        '\u{0}'..='\u{7f}' => Letter::Between,
        '\u{400}'..='\u{42f}' => Letter::CyrillicCapital,
        '\u{430}'..='\u{45f}' => Letter::Cyrillic,
        '\u{ac00}'..='\u{d7a3}' => Letter::Hangul,
        '\u{3040}'..='\u{30ff}' => Letter::Kana,
        '\u{4e00}'..='\u{9fff}' => Letter::Chinese,
        '\u{80}'..='\u{9f}' | '\u{2500}'..='\u{25ff}' | '\u{fffd}' | '\u{ff61}'..='\u{ff9f}' => Letter::Odd,
        '\u{e000}'..='\u{f8ff}' => Letter::Odd,
        _ if letter.is_alphabetic() && letter < '\u{250}' => Letter::Accented,
        _ if letter.is_alphabetic() => Letter::Odd,
        _ => Letter::Mark,
    }
}

/// Scores how likely a text is natural language: adjacent letters of the same alphabet raise the score, others lower it.
fn score(text: &str) -> i64 {
    let mut sum = 0_i64;
    let mut before = Letter::Between;
    for letter in text.chars() {
        let now = letter_of(letter);
        sum += score_of_pair(before, now);
        before = now;
    }
    sum
}

fn score_of_pair(before: Letter, now: Letter) -> i64 {
    use Letter::{Accented, Between, Chinese, Cyrillic, CyrillicCapital, Hangul, Kana, Mark, Odd, Plain};
    match (before, now) {
        (_, Odd) => -12,
        // Words of Western languages have isolated accents.
        (Plain | Between | Mark, Accented) => 4,
        (Accented, Accented) => -6,
        (Cyrillic | CyrillicCapital, Cyrillic) => 6,
        (CyrillicCapital, CyrillicCapital) => 3,
        // Capital inside a word.
        (Cyrillic, CyrillicCapital) => -10,
        // Japanese mixes kana and Chinese characters; Korean hardly mixes scripts.
        (Kana, Kana) => 14,
        (Kana, Chinese) | (Chinese, Kana) => 12,
        (Hangul, Hangul) => 10,
        (Chinese, Chinese) => 9,
        (Between | Mark, Cyrillic | CyrillicCapital | Hangul | Kana | Chinese) => 2,
        (Mark, Plain) => -1,
        // Punctuation mark inside a word.
        (Plain | Accented, Mark) => -3,
        (_, Between | Mark) | (Between | Odd, _) | (Plain | Accented, Plain) => 0,
        // Letters of two alphabets in one word.
        _ => -8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charset_of(bytes: &[u8]) -> String {
        decode(bytes, None, Charset::Windows1252).unwrap().charset
    }

    fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{text}");
        bytes.into_owned()
    }

    #[test]
    fn recognizes_texts_in_other_character_sets() {
        let russian = "Дверь заперта. Нужен ключ, чтобы войти в комнату.";
        let cases: [(&str, &'static Encoding); 7] = [
            ("Séverin läßt die Tür offen, voilà.", WINDOWS_1252),
            (russian, WINDOWS_1251),
            (russian, IBM866),
            ("문이 잠겨 있습니다. 열쇠가 필요합니다.", EUC_KR),
            ("ドアは閉まっています。鍵が必要です。", SHIFT_JIS),
            ("门锁着。你需要一把钥匙才能进入房间。", GBK),
            ("Drzwi są zamknięte. Potrzebujesz klucza, żeby wejść.", WINDOWS_1250),
        ];
        for (text, encoding) in cases {
            let bytes = encoded(text, encoding);
            let found = decode(&bytes, None, Charset::Windows1252).unwrap();
            assert_eq!((found.text.as_ref(), found.charset), (text, encoding.name().to_lowercase()));
        }
    }

    #[test]
    fn recognizes_the_code_page_of_the_first_pc() {
        let bytes = Charset::Cp437.encode("Die Tür läßt sich öffnen, Séverin.").unwrap();
        assert_eq!(charset_of(&bytes), "cp437");
    }

    #[test]
    fn recognizes_utf_8_and_utf_16() {
        assert_eq!(charset_of("Дверь".as_bytes()), "utf-8");
        assert_eq!(charset_of(b"plain"), "utf-8");
        assert_eq!(charset_of(b"\xff\xfea\0b\0"), "utf-16le");
        assert_eq!(decode(b"\xfe\xff\0a", None, Charset::Windows1252).unwrap().text, "a");
    }

    #[test]
    fn uses_the_requested_character_set() {
        let asked = |name| decode(b"\x8f\xe0", Some(name), Charset::Windows1252);
        assert_eq!(asked("ibm866").unwrap().text, "Пр");
        assert_eq!(asked("CP437").unwrap().text, "Åα");
        assert!(asked("klingon").is_none());
    }
}

//! The charset that takes the place of the games' own: for a process, or for a thread as long as a scope lives.
//!
//! Where games have a character for every byte, nothing may be lost in a charset that does not: bytes that are no text in it become the characters
//! U+F780 to U+F7FF, as `x-user-defined` of the Encoding Standard has them for the bytes 0x80 to 0xff.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::OnceLock;

use encoding_rs::Encoding;
use record::Error;

use super::Charset;
use crate::suggest::did_you_mean;

/// For the process.
static PROCESS: OnceLock<Charset> = OnceLock::new();

thread_local! {
    /// For the thread.
    static SCOPE: Cell<Option<Charset>> = const { Cell::new(None) };
}

/// The labels that errors name.
const LABELS: [&str; 24] = [
    "big5",
    "cp437",
    "cp949",
    "euc-jp",
    "euc-kr",
    "gb18030",
    "gbk",
    "iso-8859-2",
    "iso-8859-5",
    "koi8-r",
    "koi8-u",
    "latin1",
    "shift_jis",
    "utf-8",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
];

/// No character has more bytes.
const LONGEST: usize = 4;

/// The character of the byte 0.
const PRIVATE: u32 = 0xf700;

/// Lets a charset take the place of the games' own in the process, from now on. Only the first call counts.
pub fn replace_charset(charset: Charset) {
    let _ = PROCESS.set(charset);
}

/// Lets a charset take the place of the games' own on this thread, as long as the scope lives.
#[derive(Debug)]
pub struct CharsetScope(Option<Charset>);

impl CharsetScope {
    /// A scope of this charset; without one, that of the process stays.
    #[must_use]
    pub fn new(charset: Option<Charset>) -> Self {
        Self(SCOPE.replace(charset))
    }
}

impl Drop for CharsetScope {
    fn drop(&mut self) {
        SCOPE.set(self.0);
    }
}

impl Charset {
    /// The charset of this name: `cp437`, or a label of the Encoding Standard such as `big5`, `windows-1251` or `latin1`.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when there is none, or texts in it do not contain ASCII.
    pub fn named(label: &str) -> Result<Self, Error> {
        match label.to_ascii_lowercase().as_str() {
            "cp437" | "ibm437" | "437" => return Ok(Self::Cp437),
            "cp949" | "uhc" | "949" => return Ok(Self::Cp949),
            _ => {}
        }
        let encoding = Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
            let guess = did_you_mean(label, LABELS);
            let known =
                if guess.is_empty() { format!(" (known: {}, ...)", LABELS.join(", ")) } else { guess };
            Error::usage(format!("unknown charset \"{label}\"{known}"))
        })?;
        if !encoding.is_ascii_compatible() {
            let name = encoding.name();
            return Err(Error::usage(format!(
                "the charset {name} cannot be used: names in files contain ASCII"
            )));
        }
        Ok(match encoding.name() {
            "windows-1252" => Self::Windows1252,
            "EUC-KR" => Self::Cp949,
            _ => Self::Other(encoding),
        })
    }

    /// The charset in the place of the games' own, if there is one.
    #[must_use]
    pub fn replacement() -> Option<Self> {
        SCOPE.get().or_else(|| PROCESS.get().copied())
    }

    /// The charset that is read and written in place of this one: itself, unless another one has its place.
    #[must_use]
    pub fn in_force(self) -> Self {
        Self::replacement().unwrap_or(self)
    }
}

/// Bytes as text from which they come back.
pub(super) fn decode<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Cow<'a, str> {
    let whole = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    if let Some(text) = whole.filter(|text| comes_back(encoding, text, bytes)) {
        return text;
    }
    let (mut out, mut rest) = (String::new(), bytes);
    while let [first, behind @ ..] = rest {
        let character = (1..=LONGEST).find_map(|length| {
            let (start, behind) = rest.split_at_checked(length)?;
            let text = encoding.decode_without_bom_handling_and_without_replacement(start)?;
            (!text.is_empty() && comes_back(encoding, &text, start)).then_some((text, behind))
        });
        if let Some((text, behind)) = character {
            out.push_str(&text);
            rest = behind;
        } else {
            out.extend(char::from_u32(PRIVATE.saturating_add(u32::from(*first))));
            rest = behind;
        }
    }
    Cow::Owned(out)
}

fn comes_back(encoding: &'static Encoding, text: &str, bytes: &[u8]) -> bool {
    let (encoded, _, unmappable) = encoding.encode(text);
    !unmappable && *encoded == *bytes
}

/// Text as bytes; `None` when the charset lacks one of its characters.
pub(super) fn encode<'a>(encoding: &'static Encoding, text: &'a str) -> Option<Cow<'a, [u8]>> {
    if !text.chars().any(|character| byte_of(character).is_some()) {
        let (bytes, _, unmappable) = encoding.encode(text);
        return (!unmappable).then_some(bytes);
    }
    let mut out = Vec::new();
    for character in text.chars() {
        if let Some(byte) = byte_of(character) {
            out.push(byte);
            continue;
        }
        let mut buffer = [0; 4];
        let (bytes, _, unmappable) = encoding.encode(character.encode_utf8(&mut buffer));
        if unmappable {
            return None;
        }
        out.extend_from_slice(&bytes);
    }
    Some(Cow::Owned(out))
}

/// The byte that a private character has the place of.
fn byte_of(character: char) -> Option<u8> {
    let byte = u32::from(character).checked_sub(PRIVATE)?;
    u8::try_from(byte).ok().filter(|byte| !byte.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lead_to_charsets_and_errors_name_near_ones() {
        for (label, charset) in
            [("CP437", Charset::Cp437), ("latin1", Charset::Windows1252), ("euc-kr", Charset::Cp949)]
        {
            assert_eq!(Charset::named(label).unwrap(), charset, "{label}");
        }
        for label in LABELS {
            Charset::named(label).unwrap();
        }
        let told = |label: &str| Charset::named(label).unwrap_err().message().to_owned();
        assert_eq!(told("windows-1521"), "unknown charset \"windows-1521\"; did you mean \"windows-1251\"?");
        assert!(
            told("klingon").starts_with("unknown charset \"klingon\" (known: big5, cp437"),
            "{}",
            told("klingon")
        );
        assert!(told("utf-16le").contains("names in files contain ASCII"));
    }

    #[test]
    fn any_bytes_come_back_in_any_charset() {
        let all: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
        for label in LABELS {
            let _scope = CharsetScope::new(Some(Charset::named(label).unwrap()));
            for game in [Charset::Windows1252, Charset::Cp437] {
                let text = game.decode(&all).into_owned();
                assert_eq!(game.encode(&text).as_deref(), Some(&*all), "{label}");
                let text = game.decode(b"caf\xc3\xa9 \x81").into_owned();
                assert_eq!(game.encode(&text).as_deref(), Some(&b"caf\xc3\xa9 \x81"[..]), "{label}");
            }
        }
    }

    #[test]
    fn a_charset_takes_the_place_of_the_games_own_within_its_scope() {
        let game = Charset::Cp949;
        {
            let _scope = CharsetScope::new(Some(Charset::named("big5").unwrap()));
            assert_eq!(game.decode(b"\xa4\xa4"), "中");
            assert_eq!(game.encode("中文").as_deref(), Some(&b"\xa4\xa4\xa4\xe5"[..]));
            assert_eq!((game.encode("유저"), game.name()), (None, "big5".to_owned()));
            let _inner = CharsetScope::new(Some(Charset::named("windows-1251").unwrap()));
            assert_eq!(Charset::Windows1252.decode(b"\xea\xeb\xfe\xf7"), "ключ");
        }
        assert_eq!((game.decode(b"\xc0\xaf\xc0\xfa"), game.name()), ("유저".into(), "cp949".to_owned()));
    }
}

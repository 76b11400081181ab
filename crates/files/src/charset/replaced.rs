//! Replacement of the games' character sets, for the process or for a scope on a thread.
//!
//! In character sets that have a character for every byte, all bytes survive decoding and encoding. To preserve that, bytes that
//! are invalid in the replacement are decoded to the characters U+F780 to U+F7FF, which `x-user-defined` of the Encoding Standard
//! uses for the bytes 0x80 to 0xff.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::OnceLock;

use encoding_rs::Encoding;
use record::Error;

use super::Charset;
use crate::suggest::did_you_mean;

/// Replacement for the process.
static PROCESS: OnceLock<Charset> = OnceLock::new();

thread_local! {
    /// Replacement for the thread.
    static SCOPE: Cell<Option<Charset>> = const { Cell::new(None) };
}

/// Labels listed in errors.
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

/// Maximum number of bytes of a character.
const LONGEST: usize = 4;

/// The private-use character of byte 0.
const PRIVATE: u32 = 0xf700;

/// Replaces the games' character sets in the process. Only the first call has an effect.
pub fn replace_charset(charset: Charset) {
    let _ = PROCESS.set(charset);
}

/// Replaces the games' character sets on this thread, until the scope is dropped.
#[derive(Debug)]
pub struct CharsetScope(Option<Charset>);

impl CharsetScope {
    /// Creates a scope with this character set; with `None`, the replacement of the process applies.
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
    /// Returns the character set with this name: `cp437`, or a label of the Encoding Standard such as `big5`, `windows-1251` or
    /// `latin1`.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if there is none, or if it is not compatible with ASCII.
    pub fn named(label: &str) -> Result<Self, Error> {
        match label.to_ascii_lowercase().as_str() {
            "cp437" | "ibm437" | "437" => return Ok(Self::Cp437),
            "cp949" | "uhc" | "949" => return Ok(Self::Cp949),
            _ => {}
        }
        let encoding = Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
            let guess = did_you_mean(label, LABELS);
            let available =
                if guess.is_empty() { format!(" (available: {}, ...)", LABELS.join(", ")) } else { guess };
            Error::usage(format!("unknown charset \"{label}\"{available}"))
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

    /// The replacement of the games' character sets, if there is one.
    #[must_use]
    pub fn replacement() -> Option<Self> {
        SCOPE.get().or_else(|| PROCESS.get().copied())
    }

    /// The character set that is actually used: the replacement, or otherwise this one.
    #[must_use]
    pub fn in_force(self) -> Self {
        Self::replacement().unwrap_or(self)
    }
}

/// Decodes bytes to text from which they can be restored.
pub(super) fn decode<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Cow<'a, str> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    if let Some(text) = text.filter(|text| round_trips(encoding, text, bytes)) {
        return text;
    }
    let (mut out, mut rest) = (String::new(), bytes);
    while let [first, after @ ..] = rest {
        let character = (1..=LONGEST).find_map(|length| {
            let (start, after) = rest.split_at_checked(length)?;
            let text = encoding.decode_without_bom_handling_and_without_replacement(start)?;
            (!text.is_empty() && round_trips(encoding, &text, start)).then_some((text, after))
        });
        if let Some((text, after)) = character {
            out.push_str(&text);
            rest = after;
        } else {
            out.extend(char::from_u32(PRIVATE.saturating_add(u32::from(*first))));
            rest = after;
        }
    }
    Cow::Owned(out)
}

fn round_trips(encoding: &'static Encoding, text: &str, bytes: &[u8]) -> bool {
    let (encoded, _, unmappable) = encoding.encode(text);
    !unmappable && *encoded == *bytes
}

/// Encodes text; `None` if a character is missing in the character set.
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

/// Returns the byte that a private-use character represents.
fn byte_of(character: char) -> Option<u8> {
    let byte = u32::from(character).checked_sub(PRIVATE)?;
    u8::try_from(byte).ok().filter(|byte| !byte.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_charsets_by_label_and_suggests_similar_ones() {
        for (label, charset) in
            [("CP437", Charset::Cp437), ("latin1", Charset::Windows1252), ("euc-kr", Charset::Cp949)]
        {
            assert_eq!(Charset::named(label).unwrap(), charset, "{label}");
        }
        for label in LABELS {
            Charset::named(label).unwrap();
        }
        let message = |label: &str| Charset::named(label).unwrap_err().message().to_owned();
        assert_eq!(
            message("windows-1521"),
            "unknown charset \"windows-1521\"; did you mean \"windows-1251\"?"
        );
        assert!(
            message("klingon").starts_with("unknown charset \"klingon\" (available: big5, cp437"),
            "{}",
            message("klingon")
        );
        assert!(message("utf-16le").contains("names in files contain ASCII"));
    }

    #[test]
    fn round_trips_all_bytes_in_all_charsets() {
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
    fn replaces_charsets_within_a_scope() {
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

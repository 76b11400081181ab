//! Names in archives: cp949, with backslashes.

use std::borrow::Cow;

use asset::{Charset, GamePath};
use files::layer::restored;
use files::name::composed;
use record::Error;

/// No longer name is written.
pub(super) const MAX_NAME_LENGTH: usize = 255;

/// A name as text. Each undecodable byte becomes U+FFFD, so that names of different lengths stay distinct.
pub(super) fn decode(name: &[u8]) -> Cow<'_, str> {
    let whole = Charset::Cp949.decode(name);
    if !whole.contains(char::REPLACEMENT_CHARACTER) {
        return whole;
    }
    let mut out = String::new();
    let mut rest = name;
    while let [first, behind @ ..] = rest {
        let pair = rest.get(..2).filter(|_| !first.is_ascii());
        let decoded = match pair {
            Some(pair) => Charset::Cp949.decode(pair),
            None => Charset::Cp949.decode(std::slice::from_ref(first)),
        };
        if first.is_ascii() || decoded.contains(char::REPLACEMENT_CHARACTER) {
            out.push(if first.is_ascii() { char::from(*first) } else { char::REPLACEMENT_CHARACTER });
            rest = behind;
        } else {
            out.push_str(&decoded);
            rest = rest.get(2..).unwrap_or_default();
        }
    }
    Cow::Owned(out)
}

/// Whether a name is text, so that its bytes come back from it.
pub(super) fn is_text(name: &[u8]) -> bool {
    Charset::Cp949.encode(&decode(name)).is_some_and(|bytes| *bytes == *name)
}

/// A name as archives have it: cp949, with backslashes.
///
/// # Errors
/// When it leads out of the folder it is extracted into, is too long, or has characters that cp949 lacks.
pub(super) fn encode(name: &str) -> Result<Vec<u8>, Error> {
    let refuse = |why: &str| Error::usage(format!("the name \"{name}\" {why}"));
    let composed = composed(name);
    let path =
        GamePath::parse(&restored(&composed, Charset::Cp949)).map_err(|why| refuse(&why.to_string()))?;
    if path.is_root() {
        return Err(refuse("is empty"));
    }
    let written = path.as_str().replace('/', "\\");
    let bytes = Charset::Cp949.encode(&written).ok_or_else(|| {
        let lacking = written.chars().find(|letter| Charset::Cp949.encode(&letter.to_string()).is_none());
        let lacking = lacking.map(|letter| format!(" (\"{letter}\")")).unwrap_or_default();
        refuse(&format!("cannot be encoded in {}{lacking}", Charset::Cp949.name()))
    })?;
    if bytes.len() > MAX_NAME_LENGTH {
        return Err(refuse(&format!("has {} bytes, but at most {MAX_NAME_LENGTH} are allowed", bytes.len())));
    }
    Ok(bytes.into_owned())
}

/// The form in which two names are compared: letter case and the kind and number of slashes do not matter.
pub(super) fn folded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for segment in name.split(['/', '\\']).filter(|segment| !segment.is_empty()) {
        if !out.is_empty() {
            out.push('/');
        }
        out.push_str(segment);
    }
    out.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_were_taken_apart_are_composed() {
        let apart = "data/\u{110b}\u{1172}\u{110c}\u{1165}.txt";
        assert_eq!(encode(apart).unwrap(), encode("data/유저.txt").unwrap());
        assert!(encode("a\u{0301}").is_err(), "cp949 has no such letter");
    }

    #[test]
    fn names_are_korean_and_undecodable_bytes_are_shown_one_by_one() {
        assert_eq!(decode(b"data\\\xc0\xaf\xc0\xfa.bmp"), "data\\유저.bmp");
        assert_eq!(decode(b"\x81A.txt"), "갂.txt");
        assert_eq!(decode(b"\xff\xfe\x81.txt"), "\u{fffd}\u{fffd}\u{fffd}.txt");
        assert_eq!(decode(b"\xc0\xaf\xff\xc0\xfa\xc0"), "유\u{fffd}저\u{fffd}");
        assert!(is_text(b"data\\\xc0\xaf") && !is_text(b"\xff"));
    }

    #[test]
    fn names_are_written_with_backslashes_or_refused() {
        assert_eq!(encode("data/texture//유저.bmp").unwrap(), b"data\\texture\\\xc0\xaf\xc0\xfa.bmp");
        // Names that an extractor took for western letters.
        assert_eq!(encode("data/À¯Àú.bmp").unwrap(), b"data\\\xc0\xaf\xc0\xfa.bmp");
        let message = |name: &str| encode(name).unwrap_err().to_string();
        assert_eq!(message("data/é.bmp"), "the name \"data/é.bmp\" cannot be encoded in cp949 (\"é\")");
        assert_eq!(message("../x"), "the name \"../x\" leads outside the game folder");
        assert_eq!(message("C:\\x"), "the name \"C:\\x\" is an absolute path");
        assert_eq!(message("."), "the name \".\" is empty");
        assert!(message(&"n".repeat(256)).ends_with("has 256 bytes, but at most 255 are allowed"));
    }

    #[test]
    fn names_are_compared_without_case_after_decoding() {
        assert_eq!(folded("Data\\\\A/b.TXT"), "data/a/b.txt");
        assert_ne!(folded(&decode(b"\x81A")), folded(&decode(b"\x81a")));
    }
}

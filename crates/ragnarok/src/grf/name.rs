//! Names in archives: paths in cp949, with backslashes.

use std::borrow::Cow;

use asset::{Charset, GamePath};
use files::layer::restored;
use files::name::composed;
use record::Error;

/// Maximum length of a written name in bytes.
pub(super) const MAX_NAME_LENGTH: usize = 255;

/// Decodes a name. Each undecodable byte becomes U+FFFD, so that names of different lengths remain distinct.
pub(super) fn decode(name: &[u8]) -> Cow<'_, str> {
    let decoded_name = Charset::Cp949.decode(name);
    if !decoded_name.contains(char::REPLACEMENT_CHARACTER) {
        return decoded_name;
    }
    let mut out = String::new();
    let mut rest = name;
    while let [first, tail @ ..] = rest {
        let pair = rest.get(..2).filter(|_| !first.is_ascii());
        let decoded = match pair {
            Some(pair) => Charset::Cp949.decode(pair),
            None => Charset::Cp949.decode(std::slice::from_ref(first)),
        };
        if first.is_ascii() || decoded.contains(char::REPLACEMENT_CHARACTER) {
            out.push(if first.is_ascii() { char::from(*first) } else { char::REPLACEMENT_CHARACTER });
            rest = tail;
        } else {
            out.push_str(&decoded);
            rest = rest.get(2..).unwrap_or_default();
        }
    }
    Cow::Owned(out)
}

/// Whether a name is valid text, so that encoding it returns the same bytes.
pub(super) fn is_text(name: &[u8]) -> bool {
    Charset::Cp949.encode(&decode(name)).is_some_and(|bytes| *bytes == *name)
}

/// Encodes a name for an archive: in cp949, with backslashes.
///
/// # Errors
/// If the name leads outside the folder it is extracted into, is too long, or has characters that cp949 lacks.
pub(super) fn encode(name: &str) -> Result<Vec<u8>, Error> {
    let refuse = |reason: &str| Error::usage(format!("the name \"{name}\" {reason}"));
    let composed = composed(name);
    let path = GamePath::parse(&restored(&composed, Charset::Cp949))
        .map_err(|reason| refuse(&reason.to_string()))?;
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

/// Normalizes a name for comparisons: letter case and the kind and number of slashes do not matter.
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
    fn decomposed_characters_are_composed() {
        let decomposed = "data/\u{110b}\u{1172}\u{110c}\u{1165}.txt";
        assert_eq!(encode(decomposed).unwrap(), encode("data/유저.txt").unwrap());
        assert!(encode("a\u{0301}").is_err(), "cp949 has no such letter");
    }

    #[test]
    fn decodes_korean_names_and_replaces_undecodable_bytes() {
        assert_eq!(decode(b"data\\\xc0\xaf\xc0\xfa.bmp"), "data\\유저.bmp");
        assert_eq!(decode(b"\x81A.txt"), "갂.txt");
        assert_eq!(decode(b"\xff\xfe\x81.txt"), "\u{fffd}\u{fffd}\u{fffd}.txt");
        assert_eq!(decode(b"\xc0\xaf\xff\xc0\xfa\xc0"), "유\u{fffd}저\u{fffd}");
        assert!(is_text(b"data\\\xc0\xaf") && !is_text(b"\xff"));
    }

    #[test]
    fn encodes_names_with_backslashes_or_refuses_them() {
        assert_eq!(encode("data/texture//유저.bmp").unwrap(), b"data\\texture\\\xc0\xaf\xc0\xfa.bmp");
        // Korean names that an extractor has decoded as Western text.
        assert_eq!(encode("data/À¯Àú.bmp").unwrap(), b"data\\\xc0\xaf\xc0\xfa.bmp");
        let message = |name: &str| encode(name).unwrap_err().to_string();
        assert_eq!(message("data/é.bmp"), "the name \"data/é.bmp\" cannot be encoded in cp949 (\"é\")");
        assert_eq!(message("../x"), "the name \"../x\" leads outside the game folder");
        assert_eq!(message("C:\\x"), "the name \"C:\\x\" is an absolute path");
        assert_eq!(message("."), "the name \".\" is empty");
        assert!(message(&"n".repeat(256)).ends_with("has 256 bytes, but at most 255 are allowed"));
    }

    #[test]
    fn names_are_compared_ignoring_case_after_decoding() {
        assert_eq!(folded("Data\\\\A/b.TXT"), "data/a/b.txt");
        assert_ne!(folded(&decode(b"\x81A")), folded(&decode(b"\x81a")));
    }
}

//! URIs: data embedded in the document, and paths of files.

use std::borrow::Cow;

/// The resource that a URI identifies.
pub(super) enum Uri<'a> {
    /// Embedded bytes; `None` if their encoding is invalid.
    Data(Option<Vec<u8>>),
    /// The path of a file, relative to the document.
    Path(Cow<'a, str>),
}

impl<'a> Uri<'a> {
    pub(super) fn parse(uri: &'a str) -> Self {
        match uri.get(..5) {
            Some(scheme) if scheme.eq_ignore_ascii_case("data:") => {
                Self::Data(uri.split_once(',').and_then(|(about, data)| {
                    if about.ends_with(";base64") { base64(data) } else { Some(unescaped(data)) }
                }))
            }
            _ => {
                let path = String::from_utf8(unescaped(uri)).map_or(Cow::Borrowed(uri), Cow::Owned);
                Self::Path(path)
            }
        }
    }

    /// Returns the file name of a path, which is the default name of an image.
    pub(super) fn file_name(&self) -> &str {
        match self {
            Self::Data(_) => "",
            Self::Path(path) => path.rsplit(['/', '\\']).next().unwrap_or_default(),
        }
    }
}

/// Decodes percent escapes such as `%20` (RFC 3986). An invalid `%` is kept.
fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let hex = behind.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = behind;
            }
        }
    }
    out
}

/// Decodes base64 (RFC 4648), with or without padding; `None` if it is invalid.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut out = Vec::with_capacity(digits.len().div_ceil(4).saturating_mul(3));
    for group in digits.chunks(4) {
        let mut word = 0_u32;
        for place in 0..4 {
            let digit = group.get(place).map_or(Some(0), |digit| digit_of(*digit))?;
            word = (word << 6) | u32::from(digit);
        }
        let [_, bytes @ ..] = word.to_be_bytes();
        // Two digits encode one byte, three encode two; a single digit encodes nothing.
        let count = group.len().checked_sub(1).filter(|count| *count > 0)?;
        out.extend_from_slice(bytes.get(..count)?);
    }
    Some(out)
}

fn digit_of(byte: u8) -> Option<u8> {
    let above = |first: u8, value: u8| byte.checked_sub(first).and_then(|place| place.checked_add(value));
    match byte {
        b'A'..=b'Z' => above(b'A', 0),
        b'a'..=b'z' => above(b'a', 26),
        b'0'..=b'9' => above(b'0', 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_base64() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("TQ==", b"M"),
            ("TWE=", b"Ma"),
            ("TWFu", b"Man"),
            ("TWFuTQ", b"ManM"),
            ("+/+/", b"\xfb\xff\xbf"),
        ] {
            assert_eq!(base64(text).unwrap(), bytes, "{text}");
        }
        assert!(base64("T").is_none() && base64("TW u").is_none() && base64("TWFuT").is_none());
    }

    #[test]
    fn decodes_percent_escapes_and_keeps_invalid_ones() {
        assert_eq!(unescaped("a%20b%C3%A4.png"), "a bä.png".as_bytes());
        assert_eq!(unescaped("100%"), b"100%");
        assert_eq!(unescaped("%zz%2"), b"%zz%2");
    }
}

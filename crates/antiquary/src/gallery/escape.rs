//! Escapes untrusted text for a page.

use std::fmt::Write;
use std::path::{Component, Path};

/// Escapes text for HTML, including attribute values. Invisible characters and those that change the writing direction are
/// shown as escapes.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            unseen if is_unseen(unseen) => {
                // Writing to a string never fails.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(unseen));
            }
            seen => out.push(seen),
        }
    }
    out
}

/// Escapes invisible characters and those that change the writing direction in text for a script.
pub(super) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => out.push(' '),
            unseen if is_unseen(unseen) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(unseen));
            }
            seen => out.push(seen),
        }
    }
    out
}

/// Whether a character is a control character, changes the writing direction, or has no width.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns a link from a folder to a file in it, or `None` for a file outside the folder.
pub(super) fn link(folder: &Path, file: &Path) -> Option<String> {
    let relative = file.strip_prefix(folder).ok()?;
    let mut out = String::new();
    for part in relative.components() {
        let Component::Normal(part) = part else { return None };
        if !out.is_empty() {
            out.push('/');
        }
        out.push_str(&segment(part.to_str()?));
    }
    // A colon in the first component would be read as a scheme, but it is escaped.
    (!out.is_empty()).then_some(out)
}

/// Escapes one segment of a link's path (RFC 3986).
pub(super) fn segment(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Returns a `data:` URL.
pub(super) fn data(mime: &str, bytes: &[u8]) -> String {
    let mut out = format!("data:{mime};base64,");
    out.reserve(bytes.len().saturating_add(2).saturating_mul(4).checked_div(3).unwrap_or_default());
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or_default());
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (place, shift) in (0_usize..).zip([18_u32, 12, 6, 0]) {
            let digit = (word >> shift) & 63;
            out.push(if place > chunk.len() { '=' } else { letter(digit) });
        }
    }
    out
}

/// Returns a base64 digit (RFC 4648).
fn letter(digit: u32) -> char {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let place = usize::try_from(digit).unwrap_or_default();
    LETTERS.get(place).copied().map_or('A', char::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(html("<b a='1' c=\"2\">&</b>"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;&lt;/b&gt;");
        assert_eq!(html("gpj.\u{202e}exe\u{0}\u{7f}"), "gpj.\\u{202e}exe\\u{0}\\u{7f}");
        assert_eq!(html("Größe 유저"), "Größe 유저");
    }

    #[test]
    fn links_stay_in_the_folder_and_have_no_scheme() {
        let out = Path::new("out");
        let to = |file: &str| link(out, &out.join(file));
        assert_eq!(to("a b/c#1?.glb").as_deref(), Some("a%20b/c%231%3F.glb"));
        assert_eq!(to("javascript:alert(1)").as_deref(), Some("javascript%3Aalert%281%29"));
        assert_eq!(to("\"><img>").as_deref(), Some("%22%3E%3Cimg%3E"));
        assert_eq!(to("ä").as_deref(), Some("%C3%A4"));
        assert_eq!((to("../x"), to(""), link(out, Path::new("other/x"))), (None, None, None));
    }

    #[test]
    fn encodes_bytes_in_base64() {
        let text = |bytes: &[u8]| data("a/b", bytes);
        assert_eq!(text(b""), "data:a/b;base64,");
        assert_eq!(text(b"f"), "data:a/b;base64,Zg==");
        assert_eq!(text(b"fo"), "data:a/b;base64,Zm8=");
        assert_eq!(text(b"foob\xff\xfe"), "data:a/b;base64,Zm9vYv/+");
    }
}

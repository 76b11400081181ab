//! URIs of files.

use std::path::{Path, PathBuf};

/// The path of a `file` URI; `None` for other schemes.
pub(crate) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.get(..7).filter(|it| it.eq_ignore_ascii_case("file://")).and(uri.get(7..))?;
    let (host, path) = rest.split_at(rest.find('/')?);
    let path = path.split(['?', '#']).next()?;
    let path = percent_decode(path)?;
    if !cfg!(windows) {
        return (host.is_empty() || host.eq_ignore_ascii_case("localhost")).then(|| PathBuf::from(path));
    }
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return Some(PathBuf::from(format!("//{host}{path}")));
    }
    Some(PathBuf::from(path.trim_start_matches('/')))
}

/// Decodes percent-encoding.
fn percent_decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
        out.push(u8::try_from(high.checked_mul(16)?.checked_add(low)?).ok()?);
    }
    String::from_utf8(out).ok()
}

/// The URI of a path.
pub(crate) fn uri_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let text = text.strip_prefix("//?/").unwrap_or(&text);
    let mut out = String::from("file://");
    if cfg!(windows) && !text.starts_with('/') {
        out.push('/');
    }
    // A network share: the name of the machine is the host.
    let text = if cfg!(windows) { text.strip_prefix("//").unwrap_or(text) } else { text };
    for byte in text.bytes() {
        let letter = char::from(byte);
        if letter.is_ascii_alphanumeric() || "/-._~:".contains(letter) {
            out.push(letter);
        } else {
            out.push('%');
            out.extend(
                [byte >> 4, byte & 15]
                    .map(|it| char::from_digit(u32::from(it), 16).unwrap_or('0').to_ascii_uppercase()),
            );
        }
    }
    out
}

/// Normalizes a URI, because editors spell the URI of a file in different ways.
pub(crate) fn normalized(uri: &str) -> String {
    path_of(uri).map_or_else(|| uri.to_owned(), |path| uri_of(&path))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn converts_between_paths_and_uris() {
        let table = [
            ("file:///a/b.soup", Some("/a/b.soup")),
            ("FILE:///a%20b/%C3%A4.soup", Some("/a b/ä.soup")),
            ("file://localhost/a", Some("/a")),
            ("file:///a?x#y", Some("/a")),
            ("file://other/a", None),
            ("file:///%zz", None),
            ("file:///%ff", None),
            ("untitled:Untitled-1", None),
            ("f\u{e4}", None),
        ];
        for (uri, path) in table {
            assert_eq!(path_of(uri).as_deref(), path.map(Path::new), "{uri}");
        }
        assert_eq!(uri_of(Path::new("/a b/ä#.soup")), "file:///a%20b/%C3%A4%23.soup");
        assert_eq!(normalized("file:///c%3A/x"), normalized("file:///c:/x"));
    }
}

//! The web page, as built into the program.

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageFile {
    name: &'static str,
    /// Content, compressed with gzip.
    pub(super) bytes: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Page shown if the web page was not built.
const MISSING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Antiquary</title><h1>The page was not built</h1>\
    <p>This program was built without its web page. With Node.js installed, run <code>cargo xtask web</code> in the project and build the program again.</p>";

/// Media types of the files of the page, by extension.
const MEDIA_TYPES: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("json", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
];

/// Whether the page was built into the program.
pub(super) fn is_built() -> bool {
    !PAGE.is_empty()
}

/// The page to show if the web page was not built.
pub(super) fn missing() -> &'static str {
    MISSING
}

/// A file of the page by its path. An empty path is the page itself.
pub(super) fn file(path: &str) -> Option<PageFile> {
    let name = if path.is_empty() { "index.html" } else { path };
    PAGE.iter().find(|file| file.name == name).copied()
}

impl PageFile {
    /// The media type, by extension.
    pub(super) fn media_type(&self) -> &'static str {
        let extension = self.name.rsplit('.').next().unwrap_or_default();
        let known = MEDIA_TYPES.iter().find(|(known, _)| *known == extension);
        known.map_or("application/octet-stream", |(_, media_type)| media_type)
    }
}

/// Encodes a path for the hash of an address.
pub(super) fn in_hash(path: &str) -> String {
    let encode =
        |name| percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC).to_string();
    path.split('/').map(encode).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_in_the_hash_are_encoded() {
        assert_eq!(in_hash("my game/a#b?.3dc"), "my%20game/a%23b%3F%2E3dc");
    }

    #[test]
    fn every_file_of_the_page_has_a_media_type() {
        let samples = ["index.html", "assets/a.js", "assets/a.css", "favicon.svg", "licenses.txt"];
        let samples = samples.map(|name| PageFile { name, bytes: &[] });
        for file in samples.iter().chain(PAGE) {
            assert_ne!(file.media_type(), "application/octet-stream", "{}", file.name);
        }
    }
}

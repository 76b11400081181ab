//! The explorer answers any request for any file, and never with an internal error.
//!
//! Parts: a request with its query, the name of the file, and its bytes.

use antiquary::{CATALOG, Source};
use explorer::{Explorer, Request};

use crate::part::split;

/// Every kind of view.
const VIEWS: [&str; 15] = [
    "scene",
    "image",
    "pixels",
    "sound",
    "font",
    "table",
    "text",
    "data",
    "folder",
    "fields",
    "locate&offset=9",
    "bytes",
    "map",
    "report",
    "thumbnail",
];

pub(crate) fn run(input: &[u8]) {
    let mut parts = split(input).map(String::from_utf8_lossy);
    let (request, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let bytes = split(input).nth(2).unwrap_or_default();
    let file = (name.to_string(), Source::from(bytes.to_vec()));
    let Ok(explorer) = Explorer::of_files(CATALOG, "root", vec![file]) else { return };
    let send = |request: &str| {
        let (path, query) = request.split_once('?').unwrap_or((request, ""));
        let answer = explorer.answer(&Request::new(path, query));
        assert!(matches!(answer.status, 200 | 204 | 400 | 404 | 413 | 422), "{request}: {}", answer.status);
        assert!(answer.body.read(0, answer.body.len()).is_ok(), "{request} cannot be read");
    };
    send(&request);
    let path: String = name.bytes().map(|byte| format!("%{byte:02x}")).collect();
    // Only three views are tried for each input, because trying all of them would be slow.
    let chosen = bytes.len().checked_rem(VIEWS.len()).unwrap_or_default();
    for view in VIEWS.iter().cycle().skip(chosen).take(3) {
        send(&format!("view/root/{path}?kind={view}"));
    }
    send(&format!("asset/root/{path}"));
    send("kinds");
    send("states?at=root");
    send(&format!("states?at=root/{path}"));
}

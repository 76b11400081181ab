//! Tests of every request on the sample games and on the corpus.

mod bytes;
mod corpus;
mod file;
mod script;
mod state;
mod tree;
mod view;

use antiquary::asset::MemorySink;
use antiquary::json::Value;
use antiquary::{CATALOG, Source, sample};

use crate::{Explorer, Request, Response};

/// Opens the sample games, each as a folder of one root.
fn samples() -> Explorer {
    let mut sink = MemorySink::new();
    sample::write(CATALOG, &mut sink).unwrap();
    let files = sink.into_files().into_iter().map(|(name, bytes)| (name, Source::from_bytes(bytes)));
    Explorer::of_files(CATALOG, "samples", files.collect()).unwrap()
}

/// Opens the sample of one game as a root.
fn sample_of(game: &str) -> Explorer {
    let mut sink = MemorySink::new();
    sample::write(CATALOG, &mut sink).unwrap();
    let below = |(name, bytes): (String, Vec<u8>)| {
        let name = name.strip_prefix(game)?.strip_prefix('/')?.to_owned();
        Some((name, Source::from_bytes(bytes)))
    };
    Explorer::of_files(CATALOG, game, sink.into_files().into_iter().filter_map(below).collect()).unwrap()
}

/// Opens one file in a folder named `root`.
fn single(name: &str, bytes: &[u8]) -> Explorer {
    let file = (name.to_owned(), Source::from_bytes(bytes));
    Explorer::of_files(CATALOG, "root", vec![file]).unwrap()
}

impl Explorer {
    /// Sends a request, with the query after a question mark.
    fn ask(&self, request: &str) -> Response {
        let (path, query) = request.split_once('?').unwrap_or((request, ""));
        self.answer(&Request::new(path, query))
    }

    /// Sends a request whose answer must be JSON and successful.
    fn json(&self, request: &str) -> Value {
        let response = self.ask(request);
        let value = value(&response);
        assert_eq!(response.status, 200, "{request}: {value}");
        value
    }

    /// Returns the status and the message of a request that fails.
    fn fault(&self, request: &str) -> (u16, String) {
        let response = self.ask(request);
        let value = value(&response);
        (response.status, value["error"]["text"].as_str().unwrap_or_default().to_owned())
    }

    /// Returns the paths of all files.
    fn paths(&self) -> Vec<String> {
        let names = self.json("names");
        let folders = names["folders"].as_array().unwrap();
        let files = folders.iter().flat_map(|folder| {
            let path = folder["path"].as_str().unwrap();
            let names = folder["names"].as_array().unwrap();
            names.iter().map(move |name| format!("{path}/{}", name.as_str().unwrap()))
        });
        files.collect()
    }
}

fn content(response: &Response) -> Vec<u8> {
    response.body.read(0, u64::MAX).unwrap()
}

fn value(response: &Response) -> Value {
    assert_eq!(response.media_type, "application/json");
    antiquary::json::from_slice(&content(response)).unwrap()
}

/// Encodes a path for a request.
fn encoded(path: &str) -> String {
    let encode =
        |name| percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC).to_string();
    path.split('/').map(encode).collect::<Vec<_>>().join("/")
}

//! Tests every view of every file of the corpus, including malformed ones.

use antiquary::CATALOG;
use antiquary::asset::Links;
use antiquary::json::Value;

use super::{content, encoded, value};
use crate::{Explorer, Response};

/// Signatures of answers, by their media types.
const SIGNATURES: [(&str, &[u8]); 6] = [
    ("model/gltf-binary", b"glTF"),
    ("image/png", b"\x89PNG"),
    ("image/jpeg", b"\xff\xd8\xff"),
    ("audio/wav", b"RIFF"),
    ("font/ttf", &[0, 1, 0, 0]),
    ("application/json", b"{"),
];

/// Fails unless an answer matches its media type, or contains an error message.
fn expect_answer(request: &str, response: &Response) {
    assert!(
        matches!(response.status, 200 | 204 | 404 | 413 | 422),
        "{request}: {} {:?}",
        response.status,
        response.body
    );
    if response.status == 204 {
        return;
    }
    if response.status != 200 {
        assert!(!value(response)["error"]["text"].as_str().unwrap().is_empty(), "{request}");
        return;
    }
    let known = SIGNATURES.iter().find(|(media_type, _)| *media_type == response.media_type);
    if let Some((_, signature)) = known.filter(|_| !request.contains("kind=report")) {
        assert!(content(response).starts_with(signature), "{request}");
    }
}

/// Sends every request for every file of a part of the corpus.
fn ask_everything(part: &str, least: usize) {
    let Some(folder) = corpus::folder(part) else { return };
    let explorer = Explorer::open(CATALOG, &[folder], Links::Inside).unwrap();
    let paths = explorer.paths();
    assert!(paths.len() >= least, "{part} has {} files", paths.len());
    for path in &paths {
        let path = encoded(path);
        let about: Value = explorer.json(&format!("asset/{path}"));
        let mut requests: Vec<String> = ["map", "thumbnail", "locate&offset=20"]
            .iter()
            .map(|kind| format!("view/{path}?kind={kind}"))
            .collect();
        for view in about["views"].as_array().unwrap() {
            let kind = view["kind"].as_str().unwrap();
            match kind {
                "folder" => requests.push(format!("tree?at={path}")),
                _ => requests.push(format!("view/{path}?kind={kind}")),
            }
            if view["items"] == true {
                requests.push(format!("items/{path}?kind={kind}"));
                requests.push(format!("view/{path}?kind={kind}&item=1"));
            }
        }
        for request in requests {
            expect_answer(&request, &explorer.ask(&request));
        }
    }
}

#[test]
fn every_view_of_every_room_and_prop_answers() {
    ask_everything("scpcb", 300);
}

#[test]
fn every_view_of_every_character_answers() {
    ask_everything("scpcb_characters", 30);
}

#[test]
fn every_view_of_the_synthetic_install_answers() {
    ask_everything("redguard", 1000);
}

#[test]
fn every_view_of_every_model_of_ragnarok_answers() {
    ask_everything("rsm", 15);
}

#[test]
fn every_view_of_every_archive_answers() {
    ask_everything("grf", 5);
}

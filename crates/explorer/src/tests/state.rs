//! Tests of the states of a folder's files, in parts.

use std::sync::atomic::AtomicBool;

use antiquary::json::Value;
use antiquary::{CATALOG, Source};

use super::{encoded, samples, value};
use crate::{Explorer, Request};

/// Opens a folder with one file of each state.
fn of_each_state() -> Explorer {
    let files: [(&str, &[u8]); 4] = [
        ("bad.rsm", b"GRSM\x01\x04\xff\xff\xff\xff"),
        ("deep/note.txt", b"a note"),
        ("fog.ini", b"0,0\n63,\n"),
        ("unknown.bin", b"\0\x01\x02"),
    ];
    let files = files.map(|(name, bytes)| (name.to_owned(), Source::from_bytes(bytes.to_vec())));
    Explorer::of_files(CATALOG, "root", files.to_vec()).unwrap()
}

fn states(page: &Value) -> Vec<(String, String)> {
    let text = |file: &Value, name: &str| file[name].as_str().unwrap().to_owned();
    let files = page["files"].as_array().unwrap().iter();
    files.map(|file| (text(file, "name"), text(file, "state"))).collect()
}

#[test]
fn every_file_of_a_folder_has_a_state() {
    let explorer = of_each_state();
    let page = explorer.json("states?at=root");
    assert_eq!((&page["total"], &page["next"]), (&3.into(), &Value::Null));
    let expected = [("bad.rsm", "error"), ("fog.ini", "ok"), ("unknown.bin", "unknown")];
    assert_eq!(states(&page), expected.map(|(name, state)| (name.to_owned(), state.to_owned())));
    assert_eq!(page["files"][0]["errors"], 1);
}

#[test]
fn states_agree_with_the_report_of_each_file() {
    let explorer = samples();
    let mut warned = 0;
    for folder in explorer.json("names")["folders"].as_array().unwrap() {
        let path = folder["path"].as_str().unwrap();
        let mut from = 0;
        loop {
            let page = explorer.json(&format!("states?at={}&from={from}", encoded(path)));
            for file in page["files"].as_array().unwrap() {
                let name = file["name"].as_str().unwrap();
                let about = explorer.json(&format!("asset/{}", encoded(&format!("{path}/{name}"))));
                let count = |severity: &str| {
                    let warnings = about["report"].as_array().unwrap().iter();
                    let of_kind = warnings.filter(|warning| warning["severity"] == severity);
                    of_kind.map(|warning| warning["count"].as_u64().unwrap_or(1)).sum::<u64>()
                };
                if file["state"] != "unknown" && about["error"].is_null() {
                    assert_eq!(file["warnings"], count("warning"), "{path}/{name}");
                    assert_eq!(file["errors"], count("error"), "{path}/{name}");
                }
                warned += u64::from(file["state"] == "warning");
            }
            let Some(next) = page["next"].as_u64() else { break };
            assert!(next > from);
            from = next;
        }
    }
    assert!(warned > 0);
}

#[test]
fn states_of_many_files_are_paginated() {
    let file = |number: usize| (format!("{number:03}.bin"), Source::from_bytes(vec![0; 10]));
    let explorer = Explorer::of_files(CATALOG, "root", (0..600).map(file).collect()).unwrap();
    let first = explorer.json("states?at=root");
    let next = first["next"].as_u64().unwrap();
    assert_eq!(first["files"].as_array().map(Vec::len), usize::try_from(next).ok());
    let second = explorer.json(&format!("states?at=root&from={next}"));
    assert_eq!(second["files"][0]["name"], format!("{next:03}.bin"));
    assert_eq!(explorer.json("states?at=root&from=1000")["next"], Value::Null);
}

#[test]
fn checks_a_large_file_only_when_it_is_opened() {
    let mut model = b"GRSM\x01\x04\xff\xff\xff\xff".to_vec();
    model.resize((32 << 20) + 1, 0);
    let files = vec![("large.rsm".to_owned(), Source::from_bytes(model))];
    let explorer = Explorer::of_files(CATALOG, "root", files).unwrap();
    assert_eq!(explorer.json("states?at=root")["files"][0]["state"], "large");
    explorer.json("asset/root/large.rsm");
    assert_eq!(explorer.json("states?at=root")["files"][0]["state"], "warning");
}

#[test]
fn checks_nothing_for_a_canceled_request() {
    let explorer = of_each_state();
    let request = Request { cancelled: &AtomicBool::new(true), ..Request::new("states", "at=root") };
    let page = value(&explorer.answer(&request));
    assert_eq!((page["files"].as_array().map(Vec::len), &page["next"]), (Some(0), &0.into()));
}

#[test]
fn refuses_states_of_anything_but_a_folder() {
    let explorer = of_each_state();
    assert_eq!(explorer.fault("states?at=none").0, 404);
    assert_eq!(explorer.fault("states?at=root/keys.ini").0, 404);
    assert_eq!(explorer.fault("states?at=root&from=x").0, 400);
    assert_eq!(explorer.fault("states").0, 400);
}

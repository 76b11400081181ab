//! Tests of fields and their bytes.

use super::{encoded, sample_of, single};

/// Opens the sample and returns its first room.
fn room() -> (crate::Explorer, String) {
    let explorer = sample_of("scpcb");
    let room = explorer.paths().into_iter().find(|path| path.ends_with(".rmesh")).unwrap();
    let room = encoded(&room);
    (explorer, room)
}

#[test]
fn child_fields_are_within_their_parent() {
    let (explorer, room) = room();
    let top = explorer.json(&format!("view/{room}?kind=fields"));
    let surfaces =
        top["fields"].as_array().unwrap().iter().find(|field| field["name"] == "surfaces").unwrap();
    let (start, end) = (surfaces["start"].as_u64().unwrap(), surfaces["end"].as_u64().unwrap());
    let below = explorer.json(&format!("view/{room}?kind=fields&at=surfaces"));
    let children = below["fields"].as_array().unwrap();
    assert_eq!(surfaces["children"].as_u64().unwrap(), u64::try_from(children.len()).unwrap());
    for child in children {
        assert!(
            child["start"].as_u64().unwrap() >= start && child["end"].as_u64().unwrap() <= end,
            "{child}"
        );
    }
    let first = children.iter().find(|child| child["name"] == "[0]").unwrap();
    assert_eq!(first["path"], "surfaces[0]");
    assert_eq!(explorer.fault(&format!("view/{room}?kind=fields&at=surfaces[99999]")).0, 404);
}

#[test]
fn fields_have_the_documentation_of_their_declarations() {
    let (explorer, room) = room();
    let surface = explorer.json(&format!("view/{room}?kind=fields&at=surfaces[0]"));
    let fields = surface["fields"].as_array().unwrap();
    let vertices = fields.iter().find(|field| field["name"] == "vertices").unwrap();
    assert_eq!(vertices["type"], "Vec<Vertex>");
    assert!(vertices["about"].as_str().is_some_and(|about| !about.is_empty()), "{vertices}");
    let texture = fields.iter().find(|field| field["name"] == "texture").unwrap();
    assert_eq!(texture["type"], "TextureSlot");
}

#[test]
fn fields_are_paginated() {
    let (explorer, room) = room();
    let all = explorer.json(&format!("view/{room}?kind=fields&at=surfaces[0].vertices"));
    let page = explorer.json(&format!("view/{room}?kind=fields&at=surfaces[0].vertices&from=3&count=2"));
    assert_eq!(page["total"], all["total"]);
    assert_eq!(page["fields"].as_array().unwrap().len(), 2);
    assert_eq!(page["fields"][0], all["fields"][3]);
}

#[test]
fn locates_bytes_and_fields() {
    let (explorer, room) = room();
    let found = explorer.json(&format!("view/{room}?kind=locate&at=surfaces[0].vertices[1].position[0]"));
    let paths: Vec<_> =
        found["fields"].as_array().unwrap().iter().map(|field| field["path"].clone()).collect();
    assert_eq!(
        paths,
        [
            "surfaces",
            "surfaces[0]",
            "surfaces[0].vertices",
            "surfaces[0].vertices[1]",
            "surfaces[0].vertices[1].position",
            "surfaces[0].vertices[1].position[0]"
        ]
    );
    let innermost = found["fields"].as_array().unwrap().last().unwrap();
    let start = innermost["start"].as_u64().unwrap();
    assert_eq!(innermost["end"].as_u64().unwrap(), start + 4);
    assert_eq!(explorer.fault(&format!("view/{room}?kind=locate&at=surfaces[99999].texture")).0, 404);
    let back = explorer.json(&format!("view/{room}?kind=locate&offset={}", start + 2));
    assert_eq!(back["fields"], found["fields"]);
}

#[test]
fn spans_cover_every_byte_of_a_window() {
    let (explorer, room) = room();
    let window = explorer.json(&format!("view/{room}?kind=bytes&from=100&count=1000"));
    let mut at = 100;
    for span in window["spans"].as_array().unwrap() {
        let (start, end) = (span["start"].as_u64().unwrap(), span["end"].as_u64().unwrap());
        assert!(start <= at && end >= at, "{span} at {at}");
        at = at.max(end);
    }
    assert!(at >= 1100, "{at}");
    let beyond = explorer.json(&format!("view/{room}?kind=bytes&from=99999999"));
    assert_eq!((beyond["bytes"].as_str(), beyond["spans"].as_array().map(Vec::len)), (Some(""), Some(0)));
}

#[test]
fn names_with_dots_are_one_step() {
    let explorer =
        single("Data/materials.ini", b"[dirty.metal.jpg]\nbump = GFX\\map\\tilebump.jpg\nstepsound = 1\n");
    let path = "root/Data/materials.ini";
    let mut at = String::new();
    let mut names = Vec::new();
    // Follow the first child until a leaf.
    loop {
        let page = explorer.json(&format!("view/{path}?kind=fields&at={}", encoded(&at)));
        let Some(field) = page["fields"].as_array().unwrap().iter().find(|field| field["children"] != 0)
        else {
            break;
        };
        at = field["path"].as_str().unwrap().to_owned();
        names.push(field["name"].as_str().unwrap().to_owned());
    }
    assert!(names.iter().any(|name| name.contains("dirty.metal.jpg")), "{names:?}");
}

#[test]
fn every_file_has_a_byte_view() {
    let explorer = single("unknown.bin", &[0, 1, 2, 255]);
    let about = explorer.json("asset/root/unknown.bin");
    assert_eq!(about["views"][0]["kind"], "bytes");
    let window = explorer.json("view/root/unknown.bin?kind=bytes");
    assert_eq!(window["bytes"], "AAEC/w==");
    assert_eq!(window["spans"][0]["path"], "");
    let map = explorer.json("view/root/unknown.bin?kind=map&blocks=2");
    assert_eq!(map["blocks"].as_array().unwrap().len(), 2);
    assert_eq!(explorer.json("view/root/unknown.bin?kind=map")["total"], 4);
    assert_eq!(
        single("none.bin", b"").json("view/root/none.bin?kind=map")["blocks"].as_array().unwrap().len(),
        0
    );
}

#[test]
fn a_map_of_a_file_has_its_outermost_fields() {
    let (explorer, room) = room();
    let map = explorer.json(&format!("view/{room}?kind=map&blocks=16"));
    assert_eq!(map["blocks"].as_array().unwrap().len(), 16);
    let regions: Vec<_> =
        map["regions"].as_array().unwrap().iter().map(|region| region["path"].clone()).collect();
    assert!(regions.len() >= 8 && regions.iter().any(|path| path == "surfaces[0]"), "{regions:?}");
}

//! Tests of the views of files.

use std::sync::atomic::AtomicBool;

use antiquary::asset::Links;
use antiquary::json::Value;

use super::{content, encoded, sample_of};
use crate::{Explorer, Request};

/// Returns the first file with this extension.
fn with_extension(explorer: &Explorer, extension: &str) -> String {
    let paths = explorer.paths();
    let found = paths.iter().find(|path| path.to_lowercase().ends_with(extension));
    encoded(found.unwrap_or_else(|| panic!("no {extension} among {paths:?}")))
}

/// Returns the first file that has a view, and the description of the view.
fn with_view(explorer: &Explorer, kind: &str) -> (String, Value) {
    for path in explorer.paths() {
        let path = encoded(&path);
        let about = explorer.json(&format!("asset/{path}"));
        let views = about["views"].as_array().unwrap();
        if let Some(view) = views.iter().find(|view| view["kind"] == kind) {
            return (path, view.clone());
        }
    }
    panic!("no file has the view {kind}");
}

/// Writes the sample games to disk.
pub(super) fn on_disk() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = antiquary::asset::MemorySink::new();
    antiquary::sample::write(antiquary::CATALOG, &mut sink).unwrap();
    for (name, bytes) in sink.into_files() {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}

/// Returns the fields that the nodes and primitives of a scene refer to, or `None` if there is no scene.
fn fields_of(explorer: &Explorer, path: &str) -> Option<Vec<String>> {
    let glb = content(&explorer.ask(&format!("view/{path}?kind=scene")));
    if !glb.starts_with(b"glTF") {
        return None;
    }
    let length = usize::try_from(u32::from_le_bytes(glb[12..16].try_into().unwrap())).unwrap();
    let json: Value = antiquary::json::from_slice(&glb[20..][..length]).unwrap();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let primitives = list(&json["meshes"]).into_iter().flat_map(|mesh| list(&mesh["primitives"]));
    let parts = list(&json["nodes"]).into_iter().chain(primitives);
    Some(parts.filter_map(|part| part["extras"]["field"].as_str().map(str::to_owned)).collect())
}

/// Parses the lines of an answer.
fn lines(bytes: &[u8]) -> Vec<Value> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.map(|line| antiquary::json::from_slice(line).unwrap()).collect()
}

#[test]
fn parts_of_a_room_scene_refer_to_their_fields() {
    let explorer = sample_of("scpcb");
    let room = with_extension(&explorer, ".rmesh");
    assert_eq!(explorer.ask(&format!("view/{room}?kind=scene")).media_type, "model/gltf-binary");
    let fields = fields_of(&explorer, &room).unwrap();
    assert!(
        ["entities[0]", "surfaces[0]"].iter().all(|field| fields.contains(&(*field).to_owned())),
        "{fields:?}"
    );
    // The room contains models, whose fields belong to other files.
    assert!(fields.iter().all(|field| field.starts_with("entities[") || field.starts_with("surfaces[")));
    for field in fields {
        let found = explorer.json(&format!("view/{room}?kind=locate&at={field}"));
        assert_eq!(found["fields"].as_array().unwrap().last().unwrap()["path"], field);
    }
}

#[test]
fn parts_of_every_scene_refer_to_existing_fields() {
    for game in ["scpcb", "ragnarok", "redguard"] {
        let explorer = sample_of(game);
        let mut named = 0;
        for path in explorer.paths() {
            let path = encoded(&path);
            let Some(fields) = fields_of(&explorer, &path) else { continue };
            for field in fields.iter().take(20) {
                let found = explorer.json(&format!("view/{path}?kind=locate&at={}", encoded(field)));
                assert_eq!(found["fields"].as_array().unwrap().last().unwrap()["path"], *field, "{path}");
                named += 1;
            }
        }
        assert!(named > 0, "{game}");
    }
}

#[test]
fn a_scene_has_all_layers_by_default() {
    let explorer = sample_of("scpcb");
    let room = with_extension(&explorer, ".rmesh");
    let of = |options: &str| explorer.ask(&format!("view/{room}?kind=scene{options}"));
    assert_eq!(of("").tag, of("&with=collision,triggers").tag);
    assert!(of("").body.len() > of("&with=collision").body.len());
}

#[test]
fn options_change_a_scene_and_unknown_options_are_refused() {
    let explorer = sample_of("scpcb");
    let room = with_extension(&explorer, ".rmesh");
    let of = |options: &str| explorer.ask(&format!("view/{room}?kind=scene{options}"));
    assert_ne!(of("").tag, of("&lightmaps=bake").tag);
    assert_eq!(of("").tag, of("&lightmaps=layers").tag);
    let (status, text) = explorer.fault(&format!("view/{room}?kind=scene&lightmap=bake"));
    assert!(status == 400 && text.contains("lightmaps"), "{text}");
}

#[test]
fn options_accept_only_files_that_are_open() {
    let folder = on_disk();
    let explorer =
        Explorer::open(antiquary::CATALOG, &[folder.path().join("redguard")], Links::Inside).unwrap();
    let model = with_extension(&explorer, ".3dc");
    let palette = with_extension(&explorer, ".col");
    let about = explorer.json(&format!("asset/{model}"));
    assert!(about["options"].as_array().unwrap().iter().any(|option| option["name"] == "palette"), "{about}");
    let scene = explorer.ask(&format!("view/{model}?kind=scene&palette={palette}"));
    assert!(content(&scene).starts_with(b"glTF"));
    let outside = folder.path().join("redguard").join("maps");
    for path in ["/etc/passwd", "redguard/../scpcb/x", "redguard/none.col", outside.to_str().unwrap()] {
        let (status, text) = explorer.fault(&format!("view/{model}?kind=scene&palette={}", encoded(path)));
        assert!(matches!(status, 400 | 404), "{path}: {status} {text}");
    }
}

#[test]
fn an_image_has_frames_and_palette_indices() {
    let explorer = sample_of("redguard");
    let (path, view) = with_view(&explorer, "image");
    let image = explorer.ask(&format!("view/{path}?kind=image"));
    assert_eq!((image.status, image.media_type), (200, "image/png"), "{path} {view}");
    assert!(content(&image).starts_with(b"\x89PNG"));
    assert!(
        image.headers.iter().any(|(name, count)| *name == "Antiquary-Frames" && count.parse::<u32>().is_ok())
    );
    let pixels = explorer.json(&format!("view/{path}?kind=pixels"));
    let area = pixels["width"].as_u64().unwrap() * pixels["height"].as_u64().unwrap();
    if let Some(indices) = pixels["indices"].as_str() {
        assert_eq!(u64::try_from(indices.len()).unwrap(), area.div_ceil(3) * 4);
        assert!(pixels["palette"].as_array().unwrap().len() <= 256);
    }
    assert_eq!(explorer.fault(&format!("view/{path}?kind=image&frame=9999")).0, 400);
    assert_eq!(explorer.fault(&format!("view/{path}?kind=image&item=9999")).0, 400);
}

#[test]
fn a_bank_lists_its_items_and_returns_each() {
    let explorer = sample_of("redguard");
    let bank = with_extension(&explorer, ".sfx");
    let items = explorer.json(&format!("items/{bank}?kind=sound"));
    let total = items["total"].as_u64().unwrap();
    assert!(total > 1, "{items}");
    let page = explorer.json(&format!("items/{bank}?kind=sound&from=1&count=1"));
    assert_eq!(page["items"][0], items["items"][1]);
    let sound = |item: u64| explorer.ask(&format!("view/{bank}?kind=sound&item={item}"));
    assert!(content(&sound(0)).starts_with(b"RIFF"));
    for item in items["items"].as_array().unwrap() {
        assert!(item["name"].is_string(), "{item}");
    }
    assert_ne!(sound(0).tag, sound(1).tag);
    assert_eq!(sound(total).status, 400);
}

#[test]
fn tables_are_sorted_filtered_and_paginated() {
    let explorer = sample_of("redguard");
    let path = with_extension(&explorer, "english.rtx");
    let table = explorer.json(&format!("view/{path}?kind=table"));
    let column = table["columns"][0].as_str().unwrap();
    let total = table["total"].as_u64().unwrap();
    assert!(total > 1, "{path}: {table}");
    let sorted = |order: &str| {
        explorer.json(&format!("view/{path}?kind=table&sort={}&order={order}", encoded(column)))
    };
    let (up, down) = (sorted("up"), sorted("down"));
    assert_eq!(up["rows"].as_array().unwrap().first(), down["rows"].as_array().unwrap().last());
    let page = explorer.json(&format!("view/{path}?kind=table&from=1&count=1"));
    assert_eq!(page["rows"][0], table["rows"][1]);
    let none = explorer.json(&format!("view/{path}?kind=table&filter=no%20row%20has%20this"));
    assert_eq!((none["total"].as_u64(), none["rows"].as_array().map(Vec::len)), (Some(0), Some(0)));
    assert_eq!(explorer.fault(&format!("view/{path}?kind=table&sort=none")).0, 400);
}

#[test]
fn a_text_has_a_language() {
    let explorer = sample_of("redguard");
    let settings = with_extension(&explorer, "world.ini");
    let about = explorer.json(&format!("asset/{settings}"));
    let views = about["views"].as_array().unwrap();
    assert!(views.iter().any(|view| view["kind"] == "text"), "{about}");
    let text = explorer.json(&format!("view/{settings}?kind=text"));
    assert_eq!(text["language"], "ini");
    assert!(text["text"].as_str().unwrap().contains('='), "{text}");
}

#[test]
fn returns_fonts_and_thumbnails() {
    let explorer = sample_of("redguard");
    let font = with_extension(&explorer, ".fnt");
    assert!(content(&explorer.ask(&format!("view/{font}?kind=font"))).starts_with(&[0, 1, 0, 0]));
    for extension in [".fnt", ".3dc", ".rgm", ".gxa"] {
        let path = with_extension(&explorer, extension);
        let picture = explorer.ask(&format!("view/{path}?kind=thumbnail"));
        assert!(picture.status == 200 && picture.media_type.starts_with("image/"), "{path}");
    }
    let cheats = with_extension(&explorer, ".cht");
    assert_eq!(explorer.ask(&format!("view/{cheats}?kind=thumbnail")).status, 204);
}

#[test]
fn outputs_are_one_file_or_a_zip_file() {
    let explorer = sample_of("redguard");
    let bank = with_extension(&explorer, ".sfx");
    let sounds = explorer.ask(&format!("output/{bank}?as=wav"));
    assert!(content(&sounds).starts_with(b"PK\x03\x04"));
    assert_eq!(sounds.media_type, "application/zip");
    let model = with_extension(&explorer, ".3dc");
    let scene = explorer.ask(&format!("output/{model}?as=glb"));
    assert!(content(&scene).starts_with(b"glTF"));
    let (_, name) = scene.headers.iter().find(|(name, _)| *name == "Content-Disposition").unwrap();
    assert!(name.starts_with("attachment; filename*=UTF-8''") && name.ends_with("%2Eglb"), "{name}");
    assert_eq!(explorer.fault(&format!("output/{model}?as=exe")).0, 400);
}

#[test]
fn search_results_can_be_opened() {
    let folder = on_disk();
    let games = ["redguard", "scpcb"].map(|game| folder.path().join(game));
    let explorer = Explorer::open(antiquary::CATALOG, &games, Links::Inside).unwrap();
    let mut found = lines(&content(&explorer.ask("find?q=light")));
    assert_eq!(found.pop().unwrap(), antiquary::json::json!({ "truncated": false }));
    assert!(!found.is_empty());
    for result in found {
        let path = result["path"].as_str().unwrap();
        assert_eq!(explorer.ask(&format!("asset/{}", encoded(path))).status, 200, "{path}");
        assert!(!result["places"].as_array().unwrap().is_empty());
    }
    assert_eq!(explorer.fault("find?q=").0, 400);
    let request = Request { cancelled: &AtomicBool::new(true), ..Request::new("find", "q=light") };
    assert_eq!(lines(&content(&explorer.answer(&request))).len(), 1);
}

#[test]
fn search_results_are_sent_in_parts() {
    let folder = on_disk();
    let explorer =
        Explorer::open(antiquary::CATALOG, &[folder.path().join("redguard")], Links::Inside).unwrap();
    let parts = std::sync::Mutex::new(Vec::new());
    let request = Request::new("find", "q=light");
    let rest = explorer.answer_in_parts(&request, &|part| parts.lock().unwrap().push(part));
    let parts = parts.into_inner().unwrap();
    assert!(parts.len() > 2 && rest.body.is_empty(), "{} parts", parts.len());
    assert!(parts.iter().all(|part| lines(part).len() == 1));
    assert_eq!(parts.concat(), content(&explorer.answer(&request)));
    // A request that fails, or that has no parts, is answered in one piece.
    for (path, query) in [("find", ""), ("session", "")] {
        let request = Request::new(path, query);
        let answer = explorer.answer_in_parts(&request, &|_| panic!("{path} has no parts"));
        assert_eq!(content(&answer), content(&explorer.answer(&request)));
    }
}

#[test]
fn parts_of_models_refer_to_nodes_frames_and_meshes() {
    let explorer = sample_of("scpcb");
    for (extension, expected) in [(".b3d", "chunks["), (".x", "frames["), (".x", "meshes[")] {
        let fields = fields_of(&explorer, &with_extension(&explorer, extension)).unwrap();
        assert!(fields.iter().any(|field| field.starts_with(expected)), "{extension}: {fields:?}");
    }
}

#[test]
fn fields_without_traced_bytes_have_no_offsets() {
    let explorer = sample_of("scpcb");
    let model = with_extension(&explorer, ".x");
    let found = explorer.json(&format!("view/{model}?kind=locate&at=meshes%5B0%5D"));
    let paths: Vec<_> =
        found["fields"].as_array().unwrap().iter().map(|field| field["path"].clone()).collect();
    assert_eq!(paths, ["meshes", "meshes[0]"]);
    assert!(found["fields"][1]["start"].is_null());
    assert_eq!(explorer.fault(&format!("view/{model}?kind=locate&at=nothing")).0, 404);
}

#[test]
fn lines_of_a_text_are_linked_to_its_fields() {
    let explorer = super::single("keys.ini", b"[a]\r\nb=1\r\nc=2\r\n");
    let text = explorer.json("view/root/keys.ini?kind=text");
    assert_eq!(text["lines"], antiquary::json::json!([0, 5, 10, 15]));
    let field = explorer.json("view/root/keys.ini?kind=locate&offset=10");
    assert_eq!(field["fields"].as_array().unwrap().last().unwrap()["start"], 10, "{field}");
    let note = super::single("note.txt", b"a note");
    assert_eq!(note.json("view/root/note.txt?kind=text")["lines"], Value::Null);
}

#[test]
fn compares_two_files_field_by_field() {
    let explorer = sample_of("redguard");
    let texts: Vec<_> =
        explorer.paths().into_iter().filter(|path| path.to_lowercase().ends_with(".ini")).collect();
    let same = explorer.json(&format!("diff?a={0}&b={0}", encoded(&texts[0])));
    assert_eq!(same["equal"], true);
    let other = explorer.json(&format!("diff?a={}&b={}", encoded(&texts[0]), encoded(&texts[1])));
    assert_eq!(other["equal"], false);
    assert!(other["count"].as_u64().unwrap() > 0, "{other}");
}

//! Tests of file descriptions, including malformed files.

use std::fs;

use antiquary::CATALOG;
use antiquary::asset::Links;

use super::{content, encoded, sample_of, single};
use crate::Explorer;

#[test]
fn describes_a_file_with_its_views_and_outputs() {
    let explorer = sample_of("scpcb");
    let room = explorer.paths().into_iter().find(|path| path.ends_with(".rmesh")).unwrap();
    let about = explorer.json(&format!("asset/{}", encoded(&room)));
    assert_eq!(about["format"]["id"], "scpcb.rmesh");
    assert!(about["summary"].as_str().unwrap().starts_with("room, "));
    assert_eq!(about["views"][0]["kind"], "scene");
    assert!(about["outputs"].as_array().unwrap().iter().any(|output| output["extension"] == "glb"));
    assert!(about["options"].as_array().unwrap().iter().any(|option| option["name"] == "lightmaps"));
    assert!(about["error"].is_null());
}

#[test]
fn a_malformed_file_has_an_error_and_a_byte_view() {
    let explorer = single("bad.rsm", b"GRSM\x01\x04\xff\xff\xff\xff");
    let about = explorer.json("asset/root/bad.rsm");
    assert_eq!(about["format"]["id"], "ragnarok.rsm");
    assert!(about["error"]["text"].as_str().is_some_and(|text| text.contains("bad.rsm")), "{about}");
    assert_eq!(about["views"].as_array().unwrap().len(), 1);
    let (status, text) = explorer.fault("view/root/bad.rsm?kind=scene");
    assert!(matches!(status, 413 | 422) && text.contains("bad.rsm"), "{status} {text}");
    assert_eq!(explorer.ask("view/root/bad.rsm?kind=bytes").status, 200);
}

#[test]
fn shows_common_pictures_unchanged() {
    let gif = b"GIF89a\x01\0\x01\0\0\0\0;";
    let explorer = single("wall.gif", gif);
    let about = explorer.json("asset/root/wall.gif");
    assert_eq!(
        (&about["format"], &about["views"][0]["kind"]),
        (&antiquary::json::Value::Null, &"image".into())
    );
    let picture = explorer.ask("view/root/wall.gif?kind=image");
    assert_eq!((picture.media_type, content(&picture).as_slice()), ("image/gif", &gif[..]));
}

#[test]
fn plays_a_sound_of_which_only_the_header_is_parsed() {
    let explorer = sample_of("scpcb");
    let sound = explorer.paths().into_iter().find(|path| path.ends_with(".wav")).unwrap();
    let about = explorer.json(&format!("asset/{}", encoded(&sound)));
    assert_eq!((&about["format"]["id"], &about["views"][0]["kind"]), (&"audio.wav".into(), &"sound".into()));
    let heard = explorer.ask(&format!("view/{}?kind=sound", encoded(&sound)));
    assert!(heard.status == 200 && content(&heard).starts_with(b"RIFF"), "{heard:?}");
}

#[test]
fn the_unchanged_file_can_be_downloaded() {
    let raw = single("a.bin", b"\0\x01\x02").ask("raw/root/a.bin");
    assert_eq!(content(&raw), b"\0\x01\x02");
    assert_eq!(raw.body.read(1, 2).unwrap(), [1]);
    assert_eq!(raw.body.read(5, 2).unwrap(), b"");
}

#[test]
fn reads_a_changed_file_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.ini");
    fs::write(&file, "[a]\nb=1\n").unwrap();
    let explorer = Explorer::open(CATALOG, &[folder.path().to_path_buf()], Links::Inside).unwrap();
    let path = encoded(&explorer.paths()[0]);
    let text = || explorer.json(&format!("view/{path}?kind=text"))["text"].clone();
    let tag = explorer.ask(&format!("raw/{path}")).tag;
    assert_eq!(text(), "[a]\nb=1\n");
    fs::write(&file, "[a]\nb=22\n").unwrap();
    assert_eq!(text(), "[a]\nb=22\n");
    assert_ne!(explorer.ask(&format!("raw/{path}")).tag, tag);
}

#[test]
fn rebuilds_a_scene_when_a_referenced_file_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = antiquary::asset::MemorySink::new();
    antiquary::sample::write(CATALOG, &mut sink).unwrap();
    for (name, bytes) in sink.into_files().iter().filter(|(name, _)| name.starts_with("scpcb/")) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let explorer = Explorer::open(CATALOG, &[folder.path().join("scpcb")], Links::Inside).unwrap();
    let paths = explorer.paths();
    let room = encoded(paths.iter().find(|path| path.ends_with(".rmesh")).unwrap());
    let scene = |kind: &str| {
        // Longer than the interval between checks for changes.
        std::thread::sleep(std::time::Duration::from_millis(400));
        explorer.ask(&format!("view/{room}?kind={kind}")).tag
    };
    let (full, small) = (scene("scene"), scene("thumbnail"));
    assert_eq!(scene("scene"), full);
    let texture = paths.iter().find(|path| path.contains("/map/") && path.ends_with(".png")).unwrap();
    let texture = folder.path().join(texture);
    let image = fs::read(&texture).unwrap();
    fs::remove_file(&texture).unwrap();
    let without = scene("scene");
    assert_ne!(without, full);
    assert_ne!(scene("thumbnail"), small);
    fs::write(&texture, &image).unwrap();
    assert_eq!(scene("scene"), full);
}

#[test]
fn equal_answers_have_equal_tags() {
    let explorer = sample_of("scpcb");
    let path = encoded(&explorer.paths()[0]);
    let request = format!("asset/{path}");
    assert_eq!(explorer.ask(&request).tag, sample_of("scpcb").ask(&request).tag);
    assert_ne!(explorer.ask(&request).tag, explorer.ask("session").tag);
}

//! `unpack` and `pack`: only edits change the bytes.

use crate::setup::{ROOM, Sandbox};

#[test]
fn keeps_the_bytes_without_an_edit() {
    let (sandbox, file) = Sandbox::with_sample();
    let output = sandbox.run(&["unpack", &file, "-o", "new/folder"]).exits_with(0);
    assert!(output.err.contains("unpacked into new/folder (3 files)"), "{output:?}");
    assert!(sandbox.has("new/folder/antiquary.json") && sandbox.has("new/folder/record.json"));
    sandbox.run(&["pack", "new/folder", "-o", "again.rmesh"]).exits_with(0);
    assert_eq!(sandbox.read("again.rmesh"), sandbox.read(&file));
}

#[test]
fn keeps_the_original_name_in_a_folder() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    sandbox.run(&["unpack", "a.rmesh", "-o", "a"]).exits_with(0);
    sandbox.run(&["pack", "a", "-o", "mod/"]).exits_with(0);
    assert_eq!(sandbox.read("mod/a.rmesh"), ROOM);
}

#[test]
fn an_edit_changes_only_its_field() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    sandbox.run(&["unpack", "a.rmesh", "-o", "a"]).exits_with(0);
    let record = String::from_utf8(sandbox.read("a/record.json")).unwrap();
    sandbox.put("a/record.json", record.replace("03000000454f46", "").as_bytes());
    sandbox.run(&["pack", "a", "-o", "b.rmesh"]).exits_with(0);
    assert_eq!(sandbox.read("b.rmesh"), &ROOM[..24]);
}

#[test]
fn packs_a_scene_to_the_original_room() {
    let (sandbox, file) = Sandbox::with_sample();
    sandbox.run(&["convert", &file, "--with", "collision,triggers", "-o", "hall.glb"]).exits_with(0);
    let output = sandbox.run(&["pack", "hall.glb", "-o", "again.rmesh"]).exits_with(0);
    assert!(output.err.contains("hall.glb -> again.rmesh"), "{output:?}");
    assert_eq!(sandbox.read("again.rmesh"), sandbox.read(&file));
    let output = sandbox.run(&["pack", "hall.glb", "-o", "again.png"]).exits_with(1);
    assert!(
        output.err.contains("a scene cannot be packed into a .png file (available: rmesh, "),
        "{output:?}"
    );
}

#[test]
fn replaces_nothing_without_force() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM), ("b.rmesh", b"mine")]);
    sandbox.run(&["unpack", "a.rmesh", "-o", "a"]).exits_with(0);
    let output = sandbox.run(&["unpack", "a.rmesh", "-o", "a"]).exits_with(1);
    assert!(output.err.contains("already exists") && output.err.contains("--force"), "{output:?}");
    sandbox.run(&["unpack", "a.rmesh", "-o", "a", "--force"]).exits_with(0);
    sandbox.run(&["pack", "a", "-o", "b.rmesh"]).exits_with(1);
    assert_eq!(sandbox.read("b.rmesh"), b"mine");
    sandbox.run(&["pack", "a", "-o", "b.rmesh", "--force"]).exits_with(0);
    assert_eq!(sandbox.read("b.rmesh"), ROOM);
}

#[test]
fn refuses_a_folder_that_was_not_unpacked() {
    let sandbox = Sandbox::with(&[("a/x.txt", b"?")]);
    let output = sandbox.run(&["pack", "a", "-o", "b.rmesh"]).exits_with(1);
    assert_eq!(output.err, "a: error: is not an unpacked folder: it has no antiquary.json\n");
    sandbox.run(&["unpack", "a", "-o", "b"]).exits_with(2);
}

#[test]
fn reports_the_line_of_invalid_json_in_a_record() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    sandbox.run(&["unpack", "a.rmesh", "-o", "a"]).exits_with(0);
    sandbox.put("a/record.json", b"{\n\"header\": oops}");
    let output = sandbox.run(&["pack", "a", "-o", "b.rmesh"]).exits_with(1);
    assert!(output.err.contains("record.json") && output.err.contains("line 2"), "{output:?}");
    assert!(!sandbox.has("b.rmesh"));
}

#[test]
fn does_not_write_an_unreadable_file() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["unpack", "redguard/fxart/SKY001.BSI", "-o", "a"]).exits_with(0);
    // Without its header an image has no size.
    let mut record: antiquary::json::Value =
        antiquary::json::from_slice(&sandbox.read("a/record.json")).unwrap();
    let sections = record["image"]["sections"].as_array_mut().unwrap();
    sections.retain(|section| section.get("Header").is_none());
    sandbox.put("a/record.json", record.to_string().as_bytes());
    let output = sandbox.run(&["pack", "a", "-o", "b.bsi"]).exits_with(1);
    assert!(output.err.contains("the packed file would be unreadable"), "{output:?}");
    assert!(!sandbox.has("b.bsi"));
    sandbox.run(&["pack", "a", "-o", "b.bsi", "--force"]).exits_with(1);
    let output = sandbox.run(&["pack", "a", "-o", "b.bsi", "--allow-damaged"]).exits_with(0);
    assert!(output.err.contains("PACK-W002"), "{output:?}");
    assert!(sandbox.has("b.bsi"));
}

#[test]
fn an_edited_manifest_is_not_an_internal_error() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    sandbox.run(&["unpack", "a.rmesh", "-o", "a"]).exits_with(0);
    let mut manifest: antiquary::json::Value =
        antiquary::json::from_slice(&sandbox.read("a/antiquary.json")).unwrap();
    manifest["source"]["sha256"] = "0".repeat(64).into();
    sandbox.put("a/antiquary.json", manifest.to_string().as_bytes());
    let output = sandbox.run(&["pack", "a", "-o", "b.rmesh"]).exits_with(1);
    assert!(output.err.contains("restore antiquary.json"), "{output:?}");
}

/// Names of the files in a folder.
fn in_folder(sandbox: &Sandbox, folder: &str) -> Vec<String> {
    let all = sandbox.files();
    let names = all.iter().filter_map(|name| name.strip_prefix(folder)?.strip_prefix('/'));
    names.map(str::to_owned).collect()
}

#[test]
fn writes_images_of_a_scene_next_to_the_room_without_replacing_files() {
    let (sandbox, file) = Sandbox::with_sample();
    sandbox
        .run(&["convert", &file, "--with", "collision,triggers", "--lightmaps", "layers", "-o", "hall.glb"])
        .exits_with(0);
    let output = sandbox.run(&["pack", "hall.glb", "-o", "new/hall.rmesh"]).exits_with(0);
    let images: Vec<_> = in_folder(&sandbox, "new").into_iter().filter(|name| name != "hall.rmesh").collect();
    assert!(images.len() > 2, "{output:?}");
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    for name in &images {
        assert_eq!(sandbox.read(&format!("new/{name}")), sandbox.read(&format!("{folder}/{name}")), "{name}");
    }

    let [first, ..] = &images[..] else { panic!("no images") };
    let mine = format!("other/{}", first.to_uppercase());
    sandbox.put(&mine, b"mine");
    let output = sandbox.run(&["pack", "hall.glb", "-o", "other/hall.rmesh", "--force"]).exits_with(0);
    assert!(output.err.contains("PACK-N004") && output.err.contains("was kept"), "{output:?}");
    assert_eq!(sandbox.read(&mine), b"mine");
    assert_eq!(in_folder(&sandbox, "other").len(), images.len() + 1);

    sandbox.run(&["pack", "hall.glb", "-o", "none/hall.rmesh", "--images", "none"]).exits_with(0);
    assert_eq!(in_folder(&sandbox, "none"), ["hall.rmesh"]);
}

#[test]
fn packs_a_scene_to_a_room_of_the_requested_dialect() {
    let (sandbox, file) = Sandbox::with_sample();
    sandbox.run(&["convert", &file, "--with", "collision,triggers", "-o", "hall.glb"]).exits_with(0);
    sandbox.run(&["pack", "hall.glb", "-o", "hall.rm", "--images", "none"]).exits_with(0);
    assert!(sandbox.read("hall.rm").starts_with(b"\x02\0\0\0RM\x01"));
    let output = sandbox.run(&["pack", "hall.glb", "-o", "uer.rmesh", "--dialect", "uer"]).exits_with(0);
    assert!(output.err.contains("RMESH-W066"), "{output:?}");
    assert!(sandbox.read("uer.rmesh").starts_with(b"\x09\0\0\0RoomMesh2"));
    sandbox.run(&["convert", "hall.rm", "--to", "rmesh", "-o", "plain/"]).exits_with(0);
    assert_eq!(sandbox.read("plain/hall.rm.rmesh"), sandbox.read(&file), "RM holds all of a plain room");
    sandbox.run(&["convert", &file, "--to", "rmesh2", "-o", "converted.rmesh"]).exits_with(0);
    assert!(sandbox.read("converted.rmesh").starts_with(b"\x09\0\0\0RoomMesh2"));
    sandbox.run(&["pack", "hall.glb", "-o", "a.rmesh", "--dialect", "other"]).exits_with(2);
    sandbox.run(&["unpack", &file, "-o", "hall"]).exits_with(0);
    let output = sandbox.run(&["pack", "hall", "-o", "b.rmesh", "--dialect", "rm"]).exits_with(1);
    assert!(output.err.contains("--dialect applies only to scenes"), "{output:?}");
}

#[test]
fn an_edited_record_is_checked_like_its_original() {
    let sandbox = Sandbox::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    // The original already has a warning, which is not new.
    let bad = ["set", map, "placements[1].object=UNKNOWN", "-o", "redguard/maps/OWN.RGM"];
    sandbox.run(&bad).exits_with(0);
    sandbox.run(&["unpack", "redguard/maps/OWN.RGM", "-o", "u"]).exits_with(0);
    let record = String::from_utf8(sandbox.read("u/record.json")).unwrap();
    let with = |from: &str, to: &str| {
        assert!(record.contains(from), "{from}");
        sandbox.put("u/record.json", record.replacen(from, to, 1).as_bytes());
        sandbox.run(&["pack", "u", "-o", "redguard/maps/NEW.RGM", "--force"])
    };
    let output = with("\"id\": 3", "\"id\": 33").exits_with(0);
    assert!(!output.err.contains("warning"), "{output:?}");
    let output = with("\"object\": \"LAMP\"", "\"object\": \"NO_LAMP\"").exits_with(0);
    assert!(output.err.contains("NO_LAMP") && !output.err.contains("UNKNOWN"), "{output:?}");
    // The same folder as written by an older version.
    let manifest = String::from_utf8(sandbox.read("u/antiquary.json")).unwrap();
    let kept: Vec<_> = manifest.lines().filter(|line| !line.contains("\"original\": ")).collect();
    assert_eq!(kept.len() + 1, manifest.lines().count());
    sandbox.put("u/antiquary.json", kept.join("\n").as_bytes());
    let output = with("\"object\": \"LAMP\"", "\"object\": \"NO_LAMP\"").exits_with(0);
    assert!(!output.err.contains("NO_LAMP"), "{output:?}");
}

#[test]
fn unpacking_again_gives_the_same_folder() {
    let (sandbox, file) = Sandbox::with_sample();
    for folder in ["a", "b"] {
        sandbox.run(&["unpack", &file, "-o", folder]).exits_with(0);
    }
    assert_eq!(sandbox.read("a/antiquary.json"), sandbox.read("b/antiquary.json"));
}

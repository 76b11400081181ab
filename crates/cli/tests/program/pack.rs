//! `unpack` and `pack`: no edit, no change; one edit, one change.

use crate::setup::{Place, ROOM};

#[test]
fn without_an_edit_the_bytes_are_the_same() {
    let (place, file) = Place::with_sample();
    let ran = place.run(&["unpack", &file, "-o", "new/folder"]).ended(0);
    assert!(ran.err.contains("unpacked into new/folder (3 files)"), "{ran:?}");
    assert!(place.has("new/folder/antiquary.json") && place.has("new/folder/record.json"));
    place.run(&["pack", "new/folder", "-o", "again.rmesh"]).ended(0);
    assert_eq!(place.read("again.rmesh"), place.read(&file));
}

#[test]
fn into_a_folder_it_gets_the_name_it_had() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    place.run(&["unpack", "a.rmesh", "-o", "a"]).ended(0);
    place.run(&["pack", "a", "-o", "mod/"]).ended(0);
    assert_eq!(place.read("mod/a.rmesh"), ROOM);
}

#[test]
fn an_edit_changes_what_it_says() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    place.run(&["unpack", "a.rmesh", "-o", "a"]).ended(0);
    let record = String::from_utf8(place.read("a/record.json")).unwrap();
    place.put("a/record.json", record.replace("03000000454f46", "").as_bytes());
    place.run(&["pack", "a", "-o", "b.rmesh"]).ended(0);
    assert_eq!(place.read("b.rmesh"), &ROOM[..24]);
}

#[test]
fn a_scene_becomes_the_room_it_was_made_of() {
    let (place, file) = Place::with_sample();
    place.run(&["convert", &file, "--with", "collision,triggers", "-o", "hall.glb"]).ended(0);
    let ran = place.run(&["pack", "hall.glb", "-o", "again.rmesh"]).ended(0);
    assert!(ran.err.contains("hall.glb -> again.rmesh"), "{ran:?}");
    assert_eq!(place.read("again.rmesh"), place.read(&file));
    let ran = place.run(&["pack", "hall.glb", "-o", "again.png"]).ended(1);
    assert!(ran.err.contains("a scene cannot be packed into a .png file (available: rmesh, "), "{ran:?}");
}

#[test]
fn nothing_is_replaced_unless_that_is_asked_for() {
    let place = Place::with(&[("a.rmesh", ROOM), ("b.rmesh", b"mine")]);
    place.run(&["unpack", "a.rmesh", "-o", "a"]).ended(0);
    let ran = place.run(&["unpack", "a.rmesh", "-o", "a"]).ended(1);
    assert!(ran.err.contains("already exists") && ran.err.contains("--force"), "{ran:?}");
    place.run(&["unpack", "a.rmesh", "-o", "a", "--force"]).ended(0);
    place.run(&["pack", "a", "-o", "b.rmesh"]).ended(1);
    assert_eq!(place.read("b.rmesh"), b"mine");
    place.run(&["pack", "a", "-o", "b.rmesh", "--force"]).ended(0);
    assert_eq!(place.read("b.rmesh"), ROOM);
}

#[test]
fn a_folder_that_was_not_unpacked_is_refused() {
    let place = Place::with(&[("a/x.txt", b"?")]);
    let ran = place.run(&["pack", "a", "-o", "b.rmesh"]).ended(1);
    assert_eq!(ran.err, "a: error: is not an unpacked folder: it has no antiquary.json\n");
    place.run(&["unpack", "a", "-o", "b"]).ended(2);
}

#[test]
fn a_record_that_is_no_longer_json_is_an_error_that_says_where() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    place.run(&["unpack", "a.rmesh", "-o", "a"]).ended(0);
    place.put("a/record.json", b"{\n\"header\": oops}");
    let ran = place.run(&["pack", "a", "-o", "b.rmesh"]).ended(1);
    assert!(ran.err.contains("record.json") && ran.err.contains("line 2"), "{ran:?}");
    assert!(!place.has("b.rmesh"));
}

#[test]
fn a_file_that_cannot_be_read_again_is_not_written() {
    let place = Place::with_games();
    place.run(&["unpack", "redguard/fxart/SKY001.BSI", "-o", "a"]).ended(0);
    // Without its header an image has no size.
    let mut record: antiquary::json::Value =
        antiquary::json::from_slice(&place.read("a/record.json")).unwrap();
    let sections = record["image"]["sections"].as_array_mut().unwrap();
    sections.retain(|section| section.get("Header").is_none());
    place.put("a/record.json", record.to_string().as_bytes());
    let ran = place.run(&["pack", "a", "-o", "b.bsi"]).ended(1);
    assert!(ran.err.contains("the packed file would be unreadable"), "{ran:?}");
    assert!(!place.has("b.bsi"));
    place.run(&["pack", "a", "-o", "b.bsi", "--force"]).ended(1);
    let ran = place.run(&["pack", "a", "-o", "b.bsi", "--allow-damaged"]).ended(0);
    assert!(ran.err.contains("PACK-W002"), "{ran:?}");
    assert!(place.has("b.bsi"));
}

#[test]
fn an_edited_manifest_is_no_fault_of_the_program() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    place.run(&["unpack", "a.rmesh", "-o", "a"]).ended(0);
    let mut manifest: antiquary::json::Value =
        antiquary::json::from_slice(&place.read("a/antiquary.json")).unwrap();
    manifest["source"]["sha256"] = "0".repeat(64).into();
    place.put("a/antiquary.json", manifest.to_string().as_bytes());
    let ran = place.run(&["pack", "a", "-o", "b.rmesh"]).ended(1);
    assert!(ran.err.contains("restore antiquary.json"), "{ran:?}");
}

/// The names of the files in a folder.
fn in_folder(place: &Place, folder: &str) -> Vec<String> {
    let all = place.files();
    let names = all.iter().filter_map(|name| name.strip_prefix(folder)?.strip_prefix('/'));
    names.map(str::to_owned).collect()
}

#[test]
fn images_of_a_scene_are_written_beside_the_room_and_replace_nothing() {
    let (place, file) = Place::with_sample();
    place
        .run(&["convert", &file, "--with", "collision,triggers", "--lightmaps", "layers", "-o", "hall.glb"])
        .ended(0);
    let ran = place.run(&["pack", "hall.glb", "-o", "new/hall.rmesh"]).ended(0);
    let beside: Vec<_> = in_folder(&place, "new").into_iter().filter(|name| name != "hall.rmesh").collect();
    assert!(beside.len() > 2, "{ran:?}");
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    for name in &beside {
        assert_eq!(place.read(&format!("new/{name}")), place.read(&format!("{folder}/{name}")), "{name}");
    }

    let [first, ..] = &beside[..] else { panic!("no images") };
    let mine = format!("other/{}", first.to_uppercase());
    place.put(&mine, b"mine");
    let ran = place.run(&["pack", "hall.glb", "-o", "other/hall.rmesh", "--force"]).ended(0);
    assert!(ran.err.contains("PACK-N004") && ran.err.contains("is kept"), "{ran:?}");
    assert_eq!(place.read(&mine), b"mine");
    assert_eq!(in_folder(&place, "other").len(), beside.len() + 1);

    place.run(&["pack", "hall.glb", "-o", "none/hall.rmesh", "--images", "none"]).ended(0);
    assert_eq!(in_folder(&place, "none"), ["hall.rmesh"]);
}

#[test]
fn a_scene_becomes_a_room_of_the_dialect_that_is_asked_for() {
    let (place, file) = Place::with_sample();
    place.run(&["convert", &file, "--with", "collision,triggers", "-o", "hall.glb"]).ended(0);
    place.run(&["pack", "hall.glb", "-o", "hall.rm", "--images", "none"]).ended(0);
    assert!(place.read("hall.rm").starts_with(b"\x02\0\0\0RM\x01"));
    let ran = place.run(&["pack", "hall.glb", "-o", "uer.rmesh", "--dialect", "uer"]).ended(0);
    assert!(ran.err.contains("RMESH-W066"), "{ran:?}");
    assert!(place.read("uer.rmesh").starts_with(b"\x09\0\0\0RoomMesh2"));
    place.run(&["convert", "hall.rm", "--to", "rmesh", "-o", "plain/"]).ended(0);
    assert_eq!(place.read("plain/hall.rm.rmesh"), place.read(&file), "RM holds all of a plain room");
    place.run(&["convert", &file, "--to", "rmesh2", "-o", "converted.rmesh"]).ended(0);
    assert!(place.read("converted.rmesh").starts_with(b"\x09\0\0\0RoomMesh2"));
    place.run(&["pack", "hall.glb", "-o", "a.rmesh", "--dialect", "other"]).ended(2);
    place.run(&["unpack", &file, "-o", "hall"]).ended(0);
    let ran = place.run(&["pack", "hall", "-o", "b.rmesh", "--dialect", "rm"]).ended(1);
    assert!(ran.err.contains("--dialect is for scenes"), "{ran:?}");
}

#[test]
fn an_edited_record_is_checked_like_its_original() {
    let place = Place::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    // The original has a warning of its own, which is not new.
    let bad = ["set", map, "placements[1].object=NOBODY", "-o", "redguard/maps/OWN.RGM"];
    place.run(&bad).ended(0);
    place.run(&["unpack", "redguard/maps/OWN.RGM", "-o", "u"]).ended(0);
    let record = String::from_utf8(place.read("u/record.json")).unwrap();
    let with = |from: &str, to: &str| {
        assert!(record.contains(from), "{from}");
        place.put("u/record.json", record.replacen(from, to, 1).as_bytes());
        place.run(&["pack", "u", "-o", "redguard/maps/NEW.RGM", "--force"])
    };
    let ran = with("\"id\": 3", "\"id\": 33").ended(0);
    assert!(!ran.err.contains("warning"), "{ran:?}");
    let ran = with("\"object\": \"LAMP\"", "\"object\": \"NO_LAMP\"").ended(0);
    assert!(ran.err.contains("NO_LAMP") && !ran.err.contains("NOBODY"), "{ran:?}");
    // The same folder as an older version wrote it.
    let manifest = String::from_utf8(place.read("u/antiquary.json")).unwrap();
    let kept: Vec<_> = manifest.lines().filter(|line| !line.contains("\"original\": ")).collect();
    assert_eq!(kept.len() + 1, manifest.lines().count());
    place.put("u/antiquary.json", kept.join("\n").as_bytes());
    let ran = with("\"object\": \"LAMP\"", "\"object\": \"NO_LAMP\"").ended(0);
    assert!(!ran.err.contains("NO_LAMP"), "{ran:?}");
}

#[test]
fn unpacking_again_gives_the_same_folder() {
    let (place, file) = Place::with_sample();
    for folder in ["a", "b"] {
        place.run(&["unpack", &file, "-o", folder]).ended(0);
    }
    assert_eq!(place.read("a/antiquary.json"), place.read("b/antiquary.json"));
}

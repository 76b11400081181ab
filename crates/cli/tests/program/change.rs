//! `diff`, `set`, `replace`, and what `--dry-run` does not do.

use antiquary::json::json;
use antiquary::ragnarok::grf;

use crate::setup::{Place, ROOM, room_with_corners, room_without_its_texture};

#[test]
fn equal_files_are_equal_and_others_differ_by_their_fields() {
    let place = Place::with(&[("a.rmesh", ROOM), ("b.rmesh", ROOM), ("c.rmesh", &room_with_corners(2))]);
    assert_eq!(place.run(&["diff", "a.rmesh", "b.rmesh"]).ended(0).text(), "the files are equal\n");
    let ran = place.run(&["diff", "a.rmesh", "c.rmesh"]).ended(1);
    let lines: Vec<_> = ran.text().lines().collect();
    assert_eq!(lines[0], "a.rmesh and c.rmesh: 1 difference");
    assert!(lines[1].starts_with("  surfaces[0] added: {\"lightmap\":"), "{ran:?}");
    assert_eq!(place.run(&["diff", "-q", "a.rmesh", "c.rmesh"]).ended(1).text(), "");
    let ran = place.run(&["diff", "a.rmesh", "c.rmesh", "--json"]).ended(1);
    let document = ran.json();
    assert_eq!((&document["schema"], &document["ok"]), (&json!("antiquary/diff/1"), &json!(false)));
    assert_eq!(document["results"][0]["status"], "fields");
    assert_eq!(document["results"][0]["changes"][0]["change"], "added");
    let fed = place.feed(ROOM, &["diff", "-", "a.rmesh"]).ended(0);
    assert_eq!(fed.text(), "the files are equal\n");
}

#[test]
fn what_cannot_be_read_is_an_error_and_only_its_bytes_are_compared() {
    let place = Place::with(&[("a.rmesh", ROOM), ("bad.rmesh", &ROOM[..9]), ("x.bin", b"?"), ("empty", b"")]);
    let ran = place.run(&["diff", "a.rmesh", "bad.rmesh"]).ended(1);
    assert!(
        ran.text().contains("different bytes, first difference at 0x9") && ran.err.contains("bad.rmesh: "),
        "{ran:?}"
    );
    let ran = place.run(&["diff", "a.rmesh", "x.bin"]).ended(1);
    assert!(ran.text().contains("different formats: scpcb.rmesh and unknown"), "{ran:?}");
    place.run(&["diff", "empty", "empty"]).ended(0);
    place.run(&["diff", "a.rmesh", "gone.rmesh"]).ended(1);
    place.run(&["diff", "a.rmesh", "."]).ended(2);
    place.run(&["diff", "-", "-"]).ended(2);
}

#[test]
fn folders_are_compared_file_by_file() {
    let place = Place::with(&[
        ("one/a.rmesh", ROOM),
        ("two/A.RMESH", ROOM),
        ("one/only.txt", b"1"),
        ("two/other.txt", b"2"),
    ]);
    let ran = place.run(&["diff", "one", "two"]).ended(1);
    let expected = "one/only.txt: only in the first\ntwo/other.txt: only in the second\n1 file is equal\n";
    assert_eq!(ran.text().replace('\\', "/"), expected);
}

#[test]
fn a_field_is_set_into_another_file_only() {
    let (place, file) = Place::with_sample();
    let field = "surfaces[0].texture.name=wall.png";
    let ran = place.run(&["set", &file, field, "-o", "new.rmesh", "--dry-run"]).ended(0);
    assert_eq!(ran.text(), "  surfaces[0].texture.name: \"tiles.png\" -> \"wall.png\"\n");
    assert!(!place.has("new.rmesh"));
    place.run(&["set", &file, field, "-o", "new.rmesh"]).ended(0);
    let ran = place.run(&["diff", &file, "new.rmesh"]).ended(1);
    assert!(ran.text().contains("1 difference"), "{ran:?}");
    let ran = place.run(&["set", &file, field, "-o", "new.rmesh"]).ended(1);
    assert!(ran.err.contains("already exists") && ran.err.contains("--force"), "{ran:?}");
    place.run(&["set", &file, field, "-o", "new.rmesh", "--force"]).ended(0);
    place.run(&["set", "new.rmesh", field, "-o", "new.rmesh", "--force"]).ended(1);
    let ran = place.run(&["set", "new.rmesh", field, "-o", "-"]).ended(0);
    assert_eq!(ran.out, place.read("new.rmesh"));
    assert!(ran.err.contains("no changes"), "{ran:?}");
}

#[test]
fn items_are_removed_and_inserted_and_patterns_match_many_fields() {
    let (place, file) = Place::with_sample();
    let count = |name: &str, list: &str| {
        let ran = place.run(&["info", "--full", "--json", name]).ended(0);
        ran.json()["results"][0]["fields"][list].as_array().unwrap().len()
    };
    let (entities, surfaces) = (count(&file, "entities"), count(&file, "surfaces"));
    place
        .run(&["set", &file, "--remove", "entities[1]", "--remove", "entities[0]", "-o", "a.rmesh"])
        .ended(0);
    assert_eq!(count("a.rmesh", "entities"), entities - 2);
    let ran = place.run(&["diff", &file, "a.rmesh"]).ended(1);
    assert!(
        ran.text().contains("entities[0] removed") && ran.text().contains("entities[1] removed"),
        "{ran:?}"
    );

    let item = place.run(&["info", &file, "entities[2]", "--json"]).ended(0).json();
    let item = item["results"][0]["fields"]["entities[2]"].to_string();
    let (last, first) = (format!("entities[+]={item}"), format!("entities[+0]={item}"));
    place.run(&["set", "a.rmesh", &last, &first, "-o", "b.rmesh"]).ended(0);
    assert_eq!(count("b.rmesh", "entities"), entities);
    let same =
        place.run(&["info", "b.rmesh", "entities[0]", &format!("entities[{}]", entities - 1), "--json"]);
    let same = same.ended(0).json();
    let same: Vec<_> = same["results"][0]["fields"].as_object().unwrap().values().cloned().collect();
    assert_eq!(same[0], same[1]);

    let ran =
        place.run(&["set", &file, "surfaces[*].texture.name=all.png", "-o", "c.rmesh", "--dry-run"]).ended(0);
    assert_eq!(ran.text().lines().count(), surfaces, "{ran:?}");
    let told = |what: &[&str]| place.run(&[&["set", &file], what, &["-o", "x.rmesh"]].concat()).ended(1).err;
    assert!(told(&["entities[+99]=1"]).contains("there is no item [99]"));
    assert!(told(&["entities[+]=1"]).contains("entities["));
    assert!(told(&["--remove", "entities[99]"]).contains("there is no item [99]"));
    assert!(told(&["--remove", "header"]).contains("header"));
    assert!(told(&["header[+]=1"]).contains("not a list"));
    place.run(&["set", &file, "-o", "x.rmesh"]).ended(2);
    place.run(&["set", "surfaces[0]=1", "-o", "x.rmesh"]).ended(2);
}

/// Lists of a map are called by what is in them: nobody counts sections.
#[test]
fn lists_of_a_map_have_short_names() {
    let place = Place::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let shown = |path: &str| {
        let ran = place.run(&["info", map, path, "--json"]).ended(0);
        ran.json()["results"][0]["fields"].as_object().unwrap().values().next().unwrap().clone()
    };
    let full = place.run(&["info", map, "--full", "--json"]).ended(0).json();
    let sections = full["results"][0]["fields"]["sections"].as_array().unwrap();
    let index = sections.iter().position(|section| section.get("MPOB").is_some()).unwrap();
    let list = format!("sections[{index}].records");
    assert_eq!(shown("placements[0].object"), shown(&format!("{list}[0].object")));
    let set = |edit: &str| {
        place.run(&["set", map, edit, "-o", "edited.RGM", "--force"]).ended(0);
        let ran = place.run(&["diff", map, "edited.RGM", "--json"]).ended(1);
        ran.text().contains(&list)
    };
    assert!(set("placements[0].position[1]=-4096"));
    assert!(set("placements[*].angles[1]=512"));
    let count = |file: &str| {
        place.run(&["info", file, "--json"]).ended(0).json()["results"][0]["counts"]["placements"].as_u64()
    };
    let copy = place.run(&["info", map, "placements[0]", "--json"]).ended(0).json();
    let copy = copy["results"][0]["fields"].as_object().unwrap().values().next().unwrap().to_string();
    place.run(&["set", map, &format!("placements[+]={copy}"), "-o", "edited.RGM", "--force"]).ended(0);
    assert_eq!(count("edited.RGM"), count(map).map(|count| count + 1));
    let ran = place.run(&["set", map, "placement[0].object=X", "-o", "other.RGM"]).ended(1);
    assert!(ran.err.contains("placement"), "{ran:?}");
}

#[test]
fn fields_of_many_files_are_set_at_once() {
    let place = Place::with(&[
        ("in/a.rmesh", &room_without_its_texture()),
        ("in/deep/b.rmesh", &room_without_its_texture()),
        ("in/empty.rmesh", ROOM),
        ("in/notes.txt", b"mine"),
    ]);
    let field = "surfaces[*].texture.name=wall.png";
    let ran = place.run(&["set", "in", field, "-o", "out", "--dry-run"]).ended(0);
    assert!(ran.text().contains("in/a.rmesh -> out/a.rmesh\n  surfaces[0].texture.name: "), "{ran:?}");
    assert!(!place.has("out"));
    let ran = place.run(&["set", "in", field, "-o", "out"]).ended(0);
    assert!(ran.err.contains("2 files changed, 0 failed, 2 left alone"), "{ran:?}");
    assert!(place.has("out/a.rmesh") && place.has("out/deep/b.rmesh") && !place.has("out/empty.rmesh"));
    place.run(&["set", "in", field, "-o", "in", "--force"]).ended(1);
    assert_eq!(place.read("in/a.rmesh"), room_without_its_texture(), "inputs are never overwritten");
    let ran = place.run(&["set", "in/a.rmesh", "in/empty.rmesh", field, "-o", "two", "--json"]).ended(0);
    let document = ran.json();
    assert_eq!((&document["left_alone"], document["results"].as_array().unwrap().len()), (&json!(1), 1));
    let ran = place.run(&["set", "in", "nothing=1", "-o", "three"]).ended(1);
    assert!(ran.err.contains("no file has such a field"), "{ran:?}");
}

#[test]
fn what_cannot_be_set_is_told() {
    let (place, file) = Place::with_sample();
    let told = |field: &str, code| place.run(&["set", &file, field, "-o", "x.rmesh"]).ended(code).err;
    assert!(told("surface[0]=1", 1).contains("did you mean \"surfaces\"?"));
    assert!(
        told("surfaces[0].texture.kind=many", 1)
            .contains("surfaces[0].texture.kind: expected an integer from 0 to 255, got \"many\"")
    );
    assert!(told("nonsense", 2).contains("PATH=VALUE"));
    let long = format!("header={}", "x".repeat(100_000));
    assert!(told(&long, 1).len() < 1000);
    let ran = place.run(&["set", &file, "surface=1", "-o", "x.rmesh", "--json"]).ended(1);
    assert_eq!(ran.json()["results"][0]["error"]["kind"], "usage");
    assert!(!place.has("x.rmesh"));
}

#[test]
fn an_entry_is_replaced_and_everything_else_stays() {
    let files: [(&str, &[u8]); 3] =
        [("data/a.txt", b"old"), ("data/room.rmesh", &room_without_its_texture()), ("b.txt", b"b")];
    let place = Place::with(&[("data.grf", &grf::write(&files).unwrap()), ("new.txt", b"new and longer")]);
    let ran =
        place.run(&["replace", "data.grf", "DATA/A.TXT", "new.txt", "-o", "out.grf", "--dry-run"]).ended(0);
    assert!(ran.err.contains("would be written to out.grf") && !place.has("out.grf"), "{ran:?}");
    place.run(&["replace", "data.grf", "DATA/A.TXT", "new.txt", "-o", "out.grf"]).ended(0);
    let ran = place.run(&["diff", "data.grf", "out.grf"]).ended(1);
    let told = ran.text().replace('\\', "/");
    assert!(told.contains("data.grf/data/a.txt and out.grf/data/a.txt: different bytes"), "{told}");
    assert!(told.ends_with("2 files are equal\n"), "{told}");
    place.run(&["replace", "data.grf", "2", "new.txt", "-o", "mod/"]).ended(0);
    place.run(&["extract", "mod/data.grf", "b.txt", "-o", "ex"]).ended(0);
    assert_eq!(place.read("ex/b.txt"), b"new and longer");
    let ran = place.run(&["replace", "data.grf", "data/b.txt", "new.txt", "-o", "x.grf"]).ended(1);
    assert!(ran.err.contains("did you mean"), "{ran:?}");
    place.run(&["replace", "data.grf", "9", "new.txt", "-o", "x.grf"]).ended(1);
    place.run(&["replace", "new.txt", "0", "new.txt", "-o", "x.grf"]).ended(1);
    let ran = place.run(&["replace", "data.grf", "0", "new.txt", "-o", "out.grf"]).ended(1);
    assert!(ran.err.contains("--force"), "{ran:?}");
    place.run(&["replace", "data.grf", "0", "new.txt", "-o", "data.grf", "--force"]).ended(1);
    assert!(!place.has("x.grf"));
}

#[test]
fn a_dry_run_writes_nothing_and_tells_what_would_be() {
    let (place, file) = Place::with_sample();
    place.put("data.grf", &grf::write(&[("a.txt", b"a")]).unwrap());
    let before = place.files();
    let ran = place.run(&["convert", &file, "-o", "out/", "--dry-run"]).ended(0);
    assert!(ran.text().contains(" -> out/") && ran.err.contains("1 to be converted"), "{ran:?}");
    let ran = place.run(&["convert", &file, "-o", "out/", "--dry-run", "--json"]).ended(0);
    assert_eq!(ran.json()["dry_run"], true);
    let ran = place.run(&["extract", "data.grf", "-o", "ex", "--dry-run"]).ended(0);
    assert_eq!(ran.text().replace('\\', "/"), "data.grf/a.txt -> ex/a.txt\n");
    let ran = place.run(&["unpack", &file, "-o", "un", "--dry-run"]).ended(0);
    assert!(ran.err.contains("3 files would be written"), "{ran:?}");
    place.run(&["demo", "-o", "demo", "--dry-run"]).ended(0);
    assert_eq!(place.files(), before);
    place.run(&["unpack", &file, "-o", "un"]).ended(0);
    let ran = place.run(&["pack", "un", "-o", "packed/", "--dry-run"]).ended(0);
    assert!(ran.text().contains(" -> packed/") && !place.has("packed"), "{ran:?}");
    let ran = place.run(&["pack", "un", "-o", &file, "--dry-run"]).ended(1);
    assert!(ran.err.contains("already exists"), "{ran:?}");
    place.run(&["convert", &file, "-o", "-", "--dry-run"]).ended(2);
}

#[test]
fn a_text_is_looked_for_in_archives() {
    let files: [(&str, &[u8]); 2] = [("data/유저.txt", b"a"), ("other.bin", b"b")];
    let place = Place::with(&[("data.grf", &grf::write(&files).unwrap())]);
    let ran = place.run(&["list", "data.grf", "--grep", "OTHER"]).ended(0);
    assert!(ran.text().contains("other.bin") && !ran.text().contains("유저"), "{ran:?}");
    place.run(&["list", "data.grf", "--grep", "nothing of it"]).ended(1);
    place.run(&["list", "data.grf", "--grep", ""]).ended(2);
}

#[test]
fn rotations_of_a_map_are_read_and_set_in_degrees() {
    let place = Place::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let value = |file: &str, path: &str| {
        let json = place.run(&["info", file, path, "--json"]).ended(0).json();
        let fields = json["results"][0]["fields"].as_object().unwrap();
        fields.values().next().unwrap().clone()
    };
    for path in ["placements[0].degrees", "statics[0].degrees"] {
        place.run(&["set", map, &format!("{path}=[0, 90, 0]"), "-o", "turned.RGM", "--force"]).ended(0);
        assert_eq!(value("turned.RGM", path), antiquary::json::json!([0.0, 90.0, 0.0]), "{path}");
        place.run(&["set", "turned.RGM", &format!("{path}[2]=45"), "-o", "rolled.RGM", "--force"]).ended(0);
        assert_eq!(value("rolled.RGM", path), antiquary::json::json!([0.0, 90.0, 45.0]), "{path}");
        place.run(&["set", map, &format!("{path}=[1, 2]"), "-o", "bad.RGM"]).ended(1);
    }
    let half: f64 = value("rolled.RGM", "statics[0].matrix").as_array().unwrap()[4].as_f64().unwrap();
    assert!((half / 268_435_456.0 - 0.5_f64.sqrt()).abs() < 1e-8, "{half}");
    place.run(&["set", map, "statics[*].degrees=[0, 10, 0]", "-o", "all.RGM"]).ended(0);
    place.run(&["set", map, "placements[1].degrees=[0, 90, 0]", "-o", "placed.RGM"]).ended(0);
    assert_eq!(value("placed.RGM", "placements[1].angles"), antiquary::json::json!([0, 512, 0]));
}

/// A field of a file, as `info` shows it.
fn field(place: &Place, file: &str, path: &str) -> antiquary::json::Value {
    let json = place.run(&["info", file, path, "--json"]).ended(0).json();
    let fields = json["results"][0]["fields"].as_object().unwrap();
    fields.values().next().unwrap().clone()
}

#[test]
fn fixed_point_numbers_are_read_and_set_in_units_and_degrees() {
    let place = Place::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    for (path, before, after, stored, numbers) in [
        (
            "placements[0].position_units[2]",
            json!(32768.0),
            json!(32768.5),
            "placements[0].position[2]",
            json!(8_388_736),
        ),
        ("ropes[0].degrees", json!(45.0), json!(90.0), "ropes[0].angle", json!(512)),
        ("ropes[0].position_units[1]", json!(-158.0), json!(-100.0), "ropes[0].position[1]", json!(-25_600)),
        (
            "objects[2].location_units[1][0]",
            json!(160.0),
            json!(-1.5),
            "objects[2].locations[1][0]",
            json!(-384),
        ),
        (
            "objects[2].extra.sphere_scale_units",
            json!(0.0),
            json!(1.25),
            "objects[2].extra.sphere_scale",
            json!(320),
        ),
    ] {
        assert_eq!(field(&place, map, path), before, "{path}");
        place.run(&["set", map, &format!("{path}={after}"), "-o", "new.RGM", "--force"]).ended(0);
        assert_eq!(field(&place, "new.RGM", path), after, "{path}");
        assert_eq!(field(&place, "new.RGM", stored), numbers, "{path}");
        let ran = place.run(&["diff", map, "new.RGM", "--json"]).ended(1).json();
        assert_eq!(ran["results"][0]["count"].as_u64().unwrap_or(1), 1, "{path}: {ran}");
        place.run(&["set", map, &format!("{path}=far"), "-o", "bad.RGM"]).ended(1);
    }
    let rob = "redguard/fxart/ISLAND.ROB";
    assert_eq!(field(&place, rob, "segments[0].header.extent_units[1]"), json!(20.0));
    let model = "redguard/3dart/BARREL01.3D";
    assert_eq!(field(&place, model, "header.radius_units"), json!(5345.0 / 256.0));
    let walker = "redguard/fxart/WALKER01.3DC";
    place.run(&["set", walker, "vertices_units[0][1]=-31.5", "-o", "moved.3DC"]).ended(0);
    assert_eq!(field(&place, "moved.3DC", "vertices[0][1]"), json!(-8064));
    assert!(!place.has("bad.RGM"));
}

#[test]
fn angles_in_radians_and_quarter_turns_are_read_and_set_in_degrees() {
    let place = Place::with_games();
    for (format, set, stored, number) in [
        ("rsm", "meshes[0].degrees", "meshes[0].rotation_angle", json!(1.570_796_4)),
        ("cbmap2", "rooms[0].degrees", "rooms[0].quarter_turns", json!(1)),
    ] {
        let (end, new) = (format!(".{format}"), format!("new.{format}"));
        let file = place.files().into_iter().find(|name| name.ends_with(&end)).unwrap();
        place.run(&["set", &file, &format!("{set}=90"), "-o", &new, "--force"]).ended(0);
        assert_eq!(field(&place, &new, set), json!(90.0), "{format}");
        assert_eq!(field(&place, &new, stored), number, "{format}");
    }
    let map = place.files().into_iter().find(|name| name.ends_with(".cbmap2")).unwrap();
    place.run(&["set", &map, "rooms[0].degrees=45", "-o", "bad"]).ended(1);
}

#[test]
fn an_item_is_copied_and_the_copy_changed() {
    let place = Place::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let edits = ["--copy", "placements[0]", "--remove", "placements[1]", "placements[-1].id=9"];
    place.run(&[&["set", map][..], &edits, &["-o", "copied.RGM"]].concat()).ended(0);
    let objects = place.run(&["info", "copied.RGM", "placements[*].object"]).ended(0);
    let names: Vec<_> = objects.text().lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert_eq!(names, ["KEEPER", "BARREL", "LAMP", "FLAG2", "KEEPER"]);
    assert_eq!(field(&place, "copied.RGM", "placements[-1].id"), json!(9));
    assert_eq!(field(&place, "copied.RGM", "placements[-1].variables"), json!([3, 0, -1]));
    place.run(&["set", map, "--copy", "objects[2]", "objects[-1].name=OTHER", "-o", "actor.RGM"]).ended(0);
    assert_eq!(field(&place, "actor.RGM", "objects[-1].texts"), json!(["lamp", "barrel"]));
    let ran = place.run(&["set", map, "--copy", "placements[0].id", "-o", "x.RGM"]).ended(1);
    assert!(ran.err.contains("\"placements[0].id\" is no item of a list, so it cannot be copied"), "{ran:?}");
    let ran = place.run(&["set", map, "placements[-7].id=1", "-o", "x.RGM"]).ended(1);
    assert!(ran.err.contains("is a list of 5, so there is no item [-7]"), "{ran:?}");
    assert!(!place.has("x.RGM"));
}

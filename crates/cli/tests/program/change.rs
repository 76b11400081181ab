//! `diff`, `set`, `replace` and `--dry-run`.

use antiquary::json::json;
use antiquary::ragnarok::grf;

use crate::setup::{ROOM, Sandbox, room_with_vertices, room_without_its_texture};

#[test]
fn compares_files_field_by_field() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM), ("b.rmesh", ROOM), ("c.rmesh", &room_with_vertices(2))]);
    assert_eq!(sandbox.run(&["diff", "a.rmesh", "b.rmesh"]).exits_with(0).text(), "the files are equal\n");
    let output = sandbox.run(&["diff", "a.rmesh", "c.rmesh"]).exits_with(1);
    let lines: Vec<_> = output.text().lines().collect();
    assert_eq!(lines[0], "a.rmesh and c.rmesh: 1 difference");
    assert!(lines[1].starts_with("  surfaces[0] added: {\"lightmap\":"), "{output:?}");
    assert_eq!(sandbox.run(&["diff", "-q", "a.rmesh", "c.rmesh"]).exits_with(1).text(), "");
    let output = sandbox.run(&["diff", "a.rmesh", "c.rmesh", "--json"]).exits_with(1);
    let document = output.json();
    assert_eq!((&document["schema"], &document["ok"]), (&json!("antiquary/diff/1"), &json!(false)));
    assert_eq!(document["results"][0]["status"], "fields");
    assert_eq!(document["results"][0]["changes"][0]["change"], "added");
    let fed = sandbox.feed(ROOM, &["diff", "-", "a.rmesh"]).exits_with(0);
    assert_eq!(fed.text(), "the files are equal\n");
}

#[test]
fn compares_unreadable_files_by_bytes_and_reports_an_error() {
    let sandbox =
        Sandbox::with(&[("a.rmesh", ROOM), ("bad.rmesh", &ROOM[..9]), ("x.bin", b"?"), ("empty", b"")]);
    let output = sandbox.run(&["diff", "a.rmesh", "bad.rmesh"]).exits_with(1);
    assert!(
        output.text().contains("different bytes, first difference at 0x9")
            && output.err.contains("bad.rmesh: "),
        "{output:?}"
    );
    let output = sandbox.run(&["diff", "a.rmesh", "x.bin"]).exits_with(1);
    assert!(output.text().contains("different formats: scpcb.rmesh and unknown"), "{output:?}");
    sandbox.run(&["diff", "empty", "empty"]).exits_with(0);
    sandbox.run(&["diff", "a.rmesh", "gone.rmesh"]).exits_with(1);
    sandbox.run(&["diff", "a.rmesh", "."]).exits_with(2);
    sandbox.run(&["diff", "-", "-"]).exits_with(2);
}

#[test]
fn compares_folders_file_by_file() {
    let sandbox = Sandbox::with(&[
        ("one/a.rmesh", ROOM),
        ("two/A.RMESH", ROOM),
        ("one/only.txt", b"1"),
        ("two/other.txt", b"2"),
    ]);
    let output = sandbox.run(&["diff", "one", "two"]).exits_with(1);
    let expected = "one/only.txt: only in the first\ntwo/other.txt: only in the second\n1 file is equal\n";
    assert_eq!(output.text().replace('\\', "/"), expected);
}

#[test]
fn sets_a_field_only_in_another_file() {
    let (sandbox, file) = Sandbox::with_sample();
    let field = "surfaces[0].texture.name=wall.png";
    let output = sandbox.run(&["set", &file, field, "-o", "new.rmesh", "--dry-run"]).exits_with(0);
    assert_eq!(output.text(), "  surfaces[0].texture.name: \"tiles.png\" -> \"wall.png\"\n");
    assert!(!sandbox.has("new.rmesh"));
    sandbox.run(&["set", &file, field, "-o", "new.rmesh"]).exits_with(0);
    let output = sandbox.run(&["diff", &file, "new.rmesh"]).exits_with(1);
    assert!(output.text().contains("1 difference"), "{output:?}");
    let output = sandbox.run(&["set", &file, field, "-o", "new.rmesh"]).exits_with(1);
    assert!(output.err.contains("already exists") && output.err.contains("--force"), "{output:?}");
    sandbox.run(&["set", &file, field, "-o", "new.rmesh", "--force"]).exits_with(0);
    sandbox.run(&["set", "new.rmesh", field, "-o", "new.rmesh", "--force"]).exits_with(1);
    let output = sandbox.run(&["set", "new.rmesh", field, "-o", "-"]).exits_with(0);
    assert_eq!(output.out, sandbox.read("new.rmesh"));
    assert!(output.err.contains("no changes"), "{output:?}");
}

#[test]
fn removes_and_inserts_items_and_matches_patterns() {
    let (sandbox, file) = Sandbox::with_sample();
    let count = |name: &str, list: &str| {
        let output = sandbox.run(&["info", "--full", "--json", name]).exits_with(0);
        output.json()["results"][0]["fields"][list].as_array().unwrap().len()
    };
    let (entities, surfaces) = (count(&file, "entities"), count(&file, "surfaces"));
    sandbox
        .run(&["set", &file, "--remove", "entities[1]", "--remove", "entities[0]", "-o", "a.rmesh"])
        .exits_with(0);
    assert_eq!(count("a.rmesh", "entities"), entities - 2);
    let output = sandbox.run(&["diff", &file, "a.rmesh"]).exits_with(1);
    assert!(
        output.text().contains("entities[0] removed") && output.text().contains("entities[1] removed"),
        "{output:?}"
    );

    let item = sandbox.run(&["info", &file, "entities[2]", "--json"]).exits_with(0).json();
    let item = item["results"][0]["fields"]["entities[2]"].to_string();
    let (last, first) = (format!("entities[+]={item}"), format!("entities[+0]={item}"));
    sandbox.run(&["set", "a.rmesh", &last, &first, "-o", "b.rmesh"]).exits_with(0);
    assert_eq!(count("b.rmesh", "entities"), entities);
    let same =
        sandbox.run(&["info", "b.rmesh", "entities[0]", &format!("entities[{}]", entities - 1), "--json"]);
    let same = same.exits_with(0).json();
    let same: Vec<_> = same["results"][0]["fields"].as_object().unwrap().values().cloned().collect();
    assert_eq!(same[0], same[1]);

    let output = sandbox
        .run(&["set", &file, "surfaces[*].texture.name=all.png", "-o", "c.rmesh", "--dry-run"])
        .exits_with(0);
    assert_eq!(output.text().lines().count(), surfaces, "{output:?}");
    let error =
        |what: &[&str]| sandbox.run(&[&["set", &file], what, &["-o", "x.rmesh"]].concat()).exits_with(1).err;
    assert!(error(&["entities[+99]=1"]).contains("there is no item [99]"));
    assert!(error(&["entities[+]=1"]).contains("entities["));
    assert!(error(&["--remove", "entities[99]"]).contains("there is no item [99]"));
    assert!(error(&["--remove", "header"]).contains("header"));
    assert!(error(&["header[+]=1"]).contains("not a list"));
    sandbox.run(&["set", &file, "-o", "x.rmesh"]).exits_with(2);
    sandbox.run(&["set", "surfaces[0]=1", "-o", "x.rmesh"]).exits_with(2);
}

/// Lists of a map are named after their items, so that sections need not be counted.
#[test]
fn lists_of_a_map_have_short_names() {
    let sandbox = Sandbox::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let shown = |path: &str| {
        let output = sandbox.run(&["info", map, path, "--json"]).exits_with(0);
        output.json()["results"][0]["fields"].as_object().unwrap().values().next().unwrap().clone()
    };
    let full = sandbox.run(&["info", map, "--full", "--json"]).exits_with(0).json();
    let sections = full["results"][0]["fields"]["sections"].as_array().unwrap();
    let index = sections.iter().position(|section| section.get("MPOB").is_some()).unwrap();
    let list = format!("sections[{index}].records");
    assert_eq!(shown("placements[0].object"), shown(&format!("{list}[0].object")));
    let set = |edit: &str| {
        sandbox.run(&["set", map, edit, "-o", "edited.RGM", "--force"]).exits_with(0);
        let output = sandbox.run(&["diff", map, "edited.RGM", "--json"]).exits_with(1);
        output.text().contains(&list)
    };
    assert!(set("placements[0].position[1]=-4096"));
    assert!(set("placements[*].angles[1]=512"));
    let count = |file: &str| {
        sandbox.run(&["info", file, "--json"]).exits_with(0).json()["results"][0]["counts"]["placements"]
            .as_u64()
    };
    let copy = sandbox.run(&["info", map, "placements[0]", "--json"]).exits_with(0).json();
    let copy = copy["results"][0]["fields"].as_object().unwrap().values().next().unwrap().to_string();
    sandbox.run(&["set", map, &format!("placements[+]={copy}"), "-o", "edited.RGM", "--force"]).exits_with(0);
    assert_eq!(count("edited.RGM"), count(map).map(|count| count + 1));
    let output = sandbox.run(&["set", map, "placement[0].object=X", "-o", "other.RGM"]).exits_with(1);
    assert!(output.err.contains("placement"), "{output:?}");
}

#[test]
fn sets_fields_of_several_files() {
    let sandbox = Sandbox::with(&[
        ("in/a.rmesh", &room_without_its_texture()),
        ("in/deep/b.rmesh", &room_without_its_texture()),
        ("in/empty.rmesh", ROOM),
        ("in/notes.txt", b"mine"),
    ]);
    let field = "surfaces[*].texture.name=wall.png";
    let output = sandbox.run(&["set", "in", field, "-o", "out", "--dry-run"]).exits_with(0);
    assert!(output.text().contains("in/a.rmesh -> out/a.rmesh\n  surfaces[0].texture.name: "), "{output:?}");
    assert!(!sandbox.has("out"));
    let output = sandbox.run(&["set", "in", field, "-o", "out"]).exits_with(0);
    assert!(output.err.contains("2 files changed, 0 failed, 2 unchanged"), "{output:?}");
    assert!(sandbox.has("out/a.rmesh") && sandbox.has("out/deep/b.rmesh") && !sandbox.has("out/empty.rmesh"));
    sandbox.run(&["set", "in", field, "-o", "in", "--force"]).exits_with(1);
    assert_eq!(sandbox.read("in/a.rmesh"), room_without_its_texture(), "inputs are never overwritten");
    let output =
        sandbox.run(&["set", "in/a.rmesh", "in/empty.rmesh", field, "-o", "two", "--json"]).exits_with(0);
    let document = output.json();
    assert_eq!((&document["left_alone"], document["results"].as_array().unwrap().len()), (&json!(1), 1));
    let output = sandbox.run(&["set", "in", "nothing=1", "-o", "three"]).exits_with(1);
    assert!(output.err.contains("no file has this field"), "{output:?}");
}

#[test]
fn reports_fields_that_cannot_be_set() {
    let (sandbox, file) = Sandbox::with_sample();
    let error = |field: &str, code| sandbox.run(&["set", &file, field, "-o", "x.rmesh"]).exits_with(code).err;
    assert!(error("surface[0]=1", 1).contains("did you mean \"surfaces\"?"));
    assert!(
        error("surfaces[0].texture.kind=many", 1)
            .contains("surfaces[0].texture.kind: expected an integer from 0 to 255, got \"many\"")
    );
    assert!(error("nonsense", 2).contains("PATH=VALUE"));
    let long = format!("header={}", "x".repeat(100_000));
    assert!(error(&long, 1).len() < 1000);
    let output = sandbox.run(&["set", &file, "surface=1", "-o", "x.rmesh", "--json"]).exits_with(1);
    assert_eq!(output.json()["results"][0]["error"]["kind"], "usage");
    assert!(!sandbox.has("x.rmesh"));
}

#[test]
fn replaces_only_the_given_entry() {
    let files: [(&str, &[u8]); 3] =
        [("data/a.txt", b"old"), ("data/room.rmesh", &room_without_its_texture()), ("b.txt", b"b")];
    let sandbox =
        Sandbox::with(&[("data.grf", &grf::write(&files).unwrap()), ("new.txt", b"new and longer")]);
    let output = sandbox
        .run(&["replace", "data.grf", "DATA/A.TXT", "new.txt", "-o", "out.grf", "--dry-run"])
        .exits_with(0);
    assert!(output.err.contains("would be written to out.grf") && !sandbox.has("out.grf"), "{output:?}");
    sandbox.run(&["replace", "data.grf", "DATA/A.TXT", "new.txt", "-o", "out.grf"]).exits_with(0);
    let output = sandbox.run(&["diff", "data.grf", "out.grf"]).exits_with(1);
    let differences = output.text().replace('\\', "/");
    assert!(
        differences.contains("data.grf/data/a.txt and out.grf/data/a.txt: different bytes"),
        "{differences}"
    );
    assert!(differences.ends_with("2 files are equal\n"), "{differences}");
    sandbox.run(&["replace", "data.grf", "2", "new.txt", "-o", "mod/"]).exits_with(0);
    sandbox.run(&["extract", "mod/data.grf", "b.txt", "-o", "ex"]).exits_with(0);
    assert_eq!(sandbox.read("ex/b.txt"), b"new and longer");
    let output = sandbox.run(&["replace", "data.grf", "data/b.txt", "new.txt", "-o", "x.grf"]).exits_with(1);
    assert!(output.err.contains("did you mean"), "{output:?}");
    sandbox.run(&["replace", "data.grf", "9", "new.txt", "-o", "x.grf"]).exits_with(1);
    sandbox.run(&["replace", "new.txt", "0", "new.txt", "-o", "x.grf"]).exits_with(1);
    let output = sandbox.run(&["replace", "data.grf", "0", "new.txt", "-o", "out.grf"]).exits_with(1);
    assert!(output.err.contains("--force"), "{output:?}");
    sandbox.run(&["replace", "data.grf", "0", "new.txt", "-o", "data.grf", "--force"]).exits_with(1);
    assert!(!sandbox.has("x.grf"));
}

#[test]
fn a_dry_run_shows_the_outputs_without_writing() {
    let (sandbox, file) = Sandbox::with_sample();
    sandbox.put("data.grf", &grf::write(&[("a.txt", b"a")]).unwrap());
    let before = sandbox.files();
    let output = sandbox.run(&["convert", &file, "-o", "out/", "--dry-run"]).exits_with(0);
    assert!(output.text().contains(" -> out/") && output.err.contains("1 to be converted"), "{output:?}");
    let output = sandbox.run(&["convert", &file, "-o", "out/", "--dry-run", "--json"]).exits_with(0);
    assert_eq!(output.json()["dry_run"], true);
    let output = sandbox.run(&["extract", "data.grf", "-o", "ex", "--dry-run"]).exits_with(0);
    assert_eq!(output.text().replace('\\', "/"), "data.grf/a.txt -> ex/a.txt\n");
    let output = sandbox.run(&["unpack", &file, "-o", "un", "--dry-run"]).exits_with(0);
    assert!(output.err.contains("3 files would be written"), "{output:?}");
    sandbox.run(&["demo", "-o", "demo", "--dry-run"]).exits_with(0);
    assert_eq!(sandbox.files(), before);
    sandbox.run(&["unpack", &file, "-o", "un"]).exits_with(0);
    let output = sandbox.run(&["pack", "un", "-o", "packed/", "--dry-run"]).exits_with(0);
    assert!(output.text().contains(" -> packed/") && !sandbox.has("packed"), "{output:?}");
    let output = sandbox.run(&["pack", "un", "-o", &file, "--dry-run"]).exits_with(1);
    assert!(output.err.contains("already exists"), "{output:?}");
    sandbox.run(&["convert", &file, "-o", "-", "--dry-run"]).exits_with(2);
}

#[test]
fn searches_archives_for_text() {
    let files: [(&str, &[u8]); 2] = [("data/유저.txt", b"a"), ("other.bin", b"b")];
    let sandbox = Sandbox::with(&[("data.grf", &grf::write(&files).unwrap())]);
    let output = sandbox.run(&["list", "data.grf", "--grep", "OTHER"]).exits_with(0);
    assert!(output.text().contains("other.bin") && !output.text().contains("유저"), "{output:?}");
    sandbox.run(&["list", "data.grf", "--grep", "nothing of it"]).exits_with(1);
    sandbox.run(&["list", "data.grf", "--grep", ""]).exits_with(2);
}

#[test]
fn reads_and_sets_rotations_of_a_map_in_degrees() {
    let sandbox = Sandbox::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let value = |file: &str, path: &str| {
        let json = sandbox.run(&["info", file, path, "--json"]).exits_with(0).json();
        let fields = json["results"][0]["fields"].as_object().unwrap();
        fields.values().next().unwrap().clone()
    };
    for path in ["placements[0].degrees", "statics[0].degrees"] {
        sandbox
            .run(&["set", map, &format!("{path}=[0, 90, 0]"), "-o", "turned.RGM", "--force"])
            .exits_with(0);
        assert_eq!(value("turned.RGM", path), antiquary::json::json!([0.0, 90.0, 0.0]), "{path}");
        sandbox
            .run(&["set", "turned.RGM", &format!("{path}[2]=45"), "-o", "rolled.RGM", "--force"])
            .exits_with(0);
        assert_eq!(value("rolled.RGM", path), antiquary::json::json!([0.0, 90.0, 45.0]), "{path}");
        sandbox.run(&["set", map, &format!("{path}=[1, 2]"), "-o", "bad.RGM"]).exits_with(1);
    }
    let half: f64 = value("rolled.RGM", "statics[0].matrix").as_array().unwrap()[4].as_f64().unwrap();
    assert!((half / 268_435_456.0 - 0.5_f64.sqrt()).abs() < 1e-8, "{half}");
    sandbox.run(&["set", map, "statics[*].degrees=[0, 10, 0]", "-o", "all.RGM"]).exits_with(0);
    sandbox.run(&["set", map, "placements[1].degrees=[0, 90, 0]", "-o", "placed.RGM"]).exits_with(0);
    assert_eq!(value("placed.RGM", "placements[1].angles"), antiquary::json::json!([0, 512, 0]));
}

/// A field of a file, as shown by `info`.
fn field(sandbox: &Sandbox, file: &str, path: &str) -> antiquary::json::Value {
    let json = sandbox.run(&["info", file, path, "--json"]).exits_with(0).json();
    let fields = json["results"][0]["fields"].as_object().unwrap();
    fields.values().next().unwrap().clone()
}

#[test]
fn reads_and_sets_fixed_point_numbers_in_units_and_degrees() {
    let sandbox = Sandbox::with_games();
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
        assert_eq!(field(&sandbox, map, path), before, "{path}");
        sandbox.run(&["set", map, &format!("{path}={after}"), "-o", "new.RGM", "--force"]).exits_with(0);
        assert_eq!(field(&sandbox, "new.RGM", path), after, "{path}");
        assert_eq!(field(&sandbox, "new.RGM", stored), numbers, "{path}");
        let output = sandbox.run(&["diff", map, "new.RGM", "--json"]).exits_with(1).json();
        assert_eq!(output["results"][0]["count"].as_u64().unwrap_or(1), 1, "{path}: {output}");
        sandbox.run(&["set", map, &format!("{path}=far"), "-o", "bad.RGM"]).exits_with(1);
    }
    let rob = "redguard/fxart/ISLAND.ROB";
    assert_eq!(field(&sandbox, rob, "segments[0].header.extent_units[1]"), json!(20.0));
    let model = "redguard/3dart/BARREL01.3D";
    assert_eq!(field(&sandbox, model, "header.radius_units"), json!(5345.0 / 256.0));
    let walker = "redguard/fxart/WALKER01.3DC";
    sandbox.run(&["set", walker, "vertices_units[0][1]=-31.5", "-o", "moved.3DC"]).exits_with(0);
    assert_eq!(field(&sandbox, "moved.3DC", "vertices[0][1]"), json!(-8064));
    assert!(!sandbox.has("bad.RGM"));
}

#[test]
fn reads_and_sets_radians_and_quarter_turns_in_degrees() {
    let sandbox = Sandbox::with_games();
    for (format, set, stored, number) in [
        ("rsm", "meshes[0].degrees", "meshes[0].rotation_angle", json!(1.570_796_4)),
        ("cbmap2", "rooms[0].degrees", "rooms[0].quarter_turns", json!(1)),
    ] {
        let (end, new) = (format!(".{format}"), format!("new.{format}"));
        let file = sandbox.files().into_iter().find(|name| name.ends_with(&end)).unwrap();
        sandbox.run(&["set", &file, &format!("{set}=90"), "-o", &new, "--force"]).exits_with(0);
        assert_eq!(field(&sandbox, &new, set), json!(90.0), "{format}");
        assert_eq!(field(&sandbox, &new, stored), number, "{format}");
    }
    let map = sandbox.files().into_iter().find(|name| name.ends_with(".cbmap2")).unwrap();
    sandbox.run(&["set", &map, "rooms[0].degrees=45", "-o", "bad"]).exits_with(1);
}

#[test]
fn copies_an_item_and_changes_the_copy() {
    let sandbox = Sandbox::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let edits = ["--copy", "placements[0]", "--remove", "placements[1]", "placements[-1].id=9"];
    sandbox.run(&[&["set", map][..], &edits, &["-o", "copied.RGM"]].concat()).exits_with(0);
    let objects = sandbox.run(&["info", "copied.RGM", "placements[*].object"]).exits_with(0);
    let names: Vec<_> = objects.text().lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert_eq!(names, ["KEEPER", "BARREL", "LAMP", "FLAG2", "KEEPER"]);
    assert_eq!(field(&sandbox, "copied.RGM", "placements[-1].id"), json!(9));
    assert_eq!(field(&sandbox, "copied.RGM", "placements[-1].variables"), json!([3, 0, -1]));
    sandbox
        .run(&["set", map, "--copy", "objects[2]", "objects[-1].name=OTHER", "-o", "actor.RGM"])
        .exits_with(0);
    assert_eq!(field(&sandbox, "actor.RGM", "objects[-1].texts"), json!(["lamp", "barrel"]));
    let output = sandbox.run(&["set", map, "--copy", "placements[0].id", "-o", "x.RGM"]).exits_with(1);
    assert!(
        output.err.contains("\"placements[0].id\" is not a list item, so it cannot be copied"),
        "{output:?}"
    );
    let output = sandbox.run(&["set", map, "placements[-7].id=1", "-o", "x.RGM"]).exits_with(1);
    assert!(output.err.contains("is a list of 5, so there is no item [-7]"), "{output:?}");
    assert!(!sandbox.has("x.RGM"));
}

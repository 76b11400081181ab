//! `--json`: exactly one object, also when everything failed, none when the command line is wrong.

use antiquary::json::{Value, json};

use crate::setup::{Place, ROOM, room_without_its_texture};

#[test]
fn every_command_prints_one_object_with_its_schema() {
    let place = Place::with(&[("game/a.rmesh", ROOM)]);
    let runs: [(&str, &[&str]); 9] = [
        ("formats", &["formats"]),
        ("scan", &["scan", "game"]),
        ("info", &["info", "game/a.rmesh"]),
        ("hex", &["hex", "game/a.rmesh"]),
        ("find", &["find", "game", "room:a"]),
        ("check", &["check", "game"]),
        ("convert", &["convert", "game", "-o", "out"]),
        ("unpack", &["unpack", "game/a.rmesh", "-o", "unpacked"]),
        ("pack", &["pack", "unpacked", "-o", "b.rmesh"]),
    ];
    for (command, arguments) in runs {
        let ran = place.run(&[arguments, &["--json"]].concat()).ended(0);
        let object = ran.json();
        assert_eq!(object["schema"], format!("antiquary/{command}/1"));
        assert_eq!((object["ok"].as_bool(), ran.err.as_str()), (Some(true), ""), "{command}");
        assert!(!object["results"].as_array().unwrap().is_empty(), "{command}");
    }
}

#[test]
fn it_prints_one_object_when_everything_failed() {
    let place = Place::with(&[("empty.rmesh", b""), ("folder/x", b"")]);
    let runs: [&[&str]; 6] = [
        &["info", "empty.rmesh"],
        &["hex", "empty.rmesh"],
        &["check", "empty.rmesh", "missing"],
        &["convert", "empty.rmesh", "-o", "out.glb"],
        &["unpack", "empty.rmesh", "-o", "out"],
        &["pack", "folder", "-o", "out.rmesh"],
    ];
    for arguments in runs {
        let object = place.run(&[arguments, &["--json"]].concat()).ended(1).json();
        assert_eq!(object["ok"], false, "{arguments:?}");
        let error = match object["results"].as_array().unwrap().first() {
            Some(result) => &result["error"],
            None => &object["error"],
        };
        assert!(error["kind"].is_string() && error["message"].is_string(), "{object}");
    }
}

#[test]
fn a_wrong_command_line_leaves_standard_output_empty() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    for arguments in [
        &["check", "--json", "--bogus"][..],
        &["convert", "--json", "a.rmesh", "-o", "a.xyz"],
        &["convert", "--json", "a.rmesh", "-o", "-"],
        &["formats", "--json", "bogus"],
        &["scan", "--json", "missing"],
        &["hex", "--json", "a.rmesh", "--at", "99"],
    ] {
        let ran = place.run(arguments).ended(2);
        assert!(ran.out.is_empty() && ran.err.starts_with("error: "), "{ran:?}");
    }
}

#[test]
fn a_result_tells_what_came_of_a_file() {
    let place = Place::with(&[("a.rmesh", &room_without_its_texture()), ("b.rmesh", b"")]);
    let object = place.run(&["check", "--json", "a.rmesh", "b.rmesh"]).ended(1).json();
    let warning = json!({
        "code": "FILE-W001",
        "severity": "warning",
        "offset": 17,
        "path": "surfaces[0].texture",
        "message": "texture \"gone.jpg\" was not found",
    });
    let first = &object["results"][0];
    assert_eq!((&first["input"], &first["format"]), (&json!("a.rmesh"), &json!("scpcb.rmesh")));
    assert_eq!((&first["ok"], &first["length"]), (&json!(true), &json!(158)));
    assert_eq!((&first["error"], &first["warnings"]), (&Value::Null, &json!([warning])));
    let error = json!({"kind": "malformed", "message": "the file is empty", "offset": 0, "path": ""});
    assert_eq!(object["results"][1]["error"], error);
    assert_eq!((&object["files"], &object["failed"], &object["warnings"]), (&json!(2), &json!(1), &json!(1)));
}

#[test]
fn a_conversion_names_what_was_written() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    let object = place.run(&["convert", "--json", "a.rmesh", "-o", "out/", "--to", "json"]).ended(0).json();
    assert_eq!(object["results"][0]["outputs"], json!(["out/a.rmesh.json"]));
}

#[test]
fn fields_are_listed_with_their_bytes() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    let object = place.run(&["hex", "--json", "a.rmesh", "--at", "4"]).ended(0).json();
    assert_eq!(
        object["results"],
        json!([{"start": 4, "end": 12, "path": "header", "value": "\"RoomMesh\""}])
    );
    assert_eq!((&object["length"], &object["format"]), (&json!(31), &json!("scpcb.rmesh")));
    let all = place.run(&["hex", "--json", "a.rmesh"]).ended(0).json();
    let mut at = 0;
    for field in all["results"].as_array().unwrap() {
        assert_eq!(field["start"].as_u64(), Some(at));
        at = field["end"].as_u64().unwrap();
    }
    assert_eq!(at, 31);
}

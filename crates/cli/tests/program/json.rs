//! `--json`: exactly one object, even if everything failed, and none if the command line is invalid.

use antiquary::json::{Value, json};

use crate::setup::{ROOM, Sandbox, room_without_its_texture};

#[test]
fn every_command_prints_one_object_with_its_schema() {
    let sandbox = Sandbox::with(&[("game/a.rmesh", ROOM)]);
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
        let output = sandbox.run(&[arguments, &["--json"]].concat()).exits_with(0);
        let object = output.json();
        assert_eq!(object["schema"], format!("antiquary/{command}/1"));
        assert_eq!((object["ok"].as_bool(), output.err.as_str()), (Some(true), ""), "{command}");
        assert!(!object["results"].as_array().unwrap().is_empty(), "{command}");
    }
}

#[test]
fn prints_one_object_even_if_everything_failed() {
    let sandbox = Sandbox::with(&[("empty.rmesh", b""), ("folder/x", b"")]);
    let runs: [&[&str]; 6] = [
        &["info", "empty.rmesh"],
        &["hex", "empty.rmesh"],
        &["check", "empty.rmesh", "missing"],
        &["convert", "empty.rmesh", "-o", "out.glb"],
        &["unpack", "empty.rmesh", "-o", "out"],
        &["pack", "folder", "-o", "out.rmesh"],
    ];
    for arguments in runs {
        let object = sandbox.run(&[arguments, &["--json"]].concat()).exits_with(1).json();
        assert_eq!(object["ok"], false, "{arguments:?}");
        let error = match object["results"].as_array().unwrap().first() {
            Some(result) => &result["error"],
            None => &object["error"],
        };
        assert!(error["kind"].is_string() && error["message"].is_string(), "{object}");
    }
}

#[test]
fn an_invalid_command_line_leaves_standard_output_empty() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    for arguments in [
        &["check", "--json", "--bogus"][..],
        &["convert", "--json", "a.rmesh", "-o", "a.xyz"],
        &["convert", "--json", "a.rmesh", "-o", "-"],
        &["formats", "--json", "bogus"],
        &["scan", "--json", "missing"],
        &["hex", "--json", "a.rmesh", "--at", "99"],
    ] {
        let output = sandbox.run(arguments).exits_with(2);
        assert!(output.out.is_empty() && output.err.starts_with("error: "), "{output:?}");
    }
}

#[test]
fn a_result_describes_the_outcome_for_a_file() {
    let sandbox = Sandbox::with(&[("a.rmesh", &room_without_its_texture()), ("b.rmesh", b"")]);
    let object = sandbox.run(&["check", "--json", "a.rmesh", "b.rmesh"]).exits_with(1).json();
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
fn a_conversion_lists_its_outputs() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    let object =
        sandbox.run(&["convert", "--json", "a.rmesh", "-o", "out/", "--to", "json"]).exits_with(0).json();
    assert_eq!(object["results"][0]["outputs"], json!(["out/a.rmesh.json"]));
}

#[test]
fn lists_fields_with_their_byte_ranges() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    let object = sandbox.run(&["hex", "--json", "a.rmesh", "--at", "4"]).exits_with(0).json();
    assert_eq!(
        object["results"],
        json!([{"start": 4, "end": 12, "path": "header", "value": "\"RoomMesh\""}])
    );
    assert_eq!((&object["length"], &object["format"]), (&json!(31), &json!("scpcb.rmesh")));
    let all = sandbox.run(&["hex", "--json", "a.rmesh"]).exits_with(0).json();
    let mut at = 0;
    for field in all["results"].as_array().unwrap() {
        assert_eq!(field["start"].as_u64(), Some(at));
        at = field["end"].as_u64().unwrap();
    }
    assert_eq!(at, 31);
}

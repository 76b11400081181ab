//! Summarizing a folder.

use json::json;

use super::{Folder, session};

#[test]
fn a_scan_summarizes_a_game() {
    let folder = Folder::game();
    let scan = session().scan(&folder.path("")).unwrap();
    let mut json = json::to_value(&scan).unwrap();
    let boxes = &mut json["formats"][0];
    assert_eq!(folder.short(boxes["empty"][0].as_str().unwrap()), "Boxes/empty.box");
    assert_eq!(folder.short(boxes["malformed"][0]["path"].as_str().unwrap()), "Boxes/bad.box");
    assert_eq!(boxes["malformed"][0]["error"]["offset"], 8);
    boxes["empty"] = json!(1);
    boxes["malformed"] = json!(1);
    json["folder"] = json!("");
    assert_eq!(
        json,
        json!({
            "folder": "", "game": "test", "files": 11,
            "formats": [
                {
                    "format": "test.box", "name": "text box", "files": 5, "bytes": 69,
                    "dialects": {"v1": 1, "v2": 2}, "counts": {"characters": 8}, "warnings": 0,
                    "empty": 1, "malformed": 1
                },
                {
                    "format": "test.note", "name": "note", "files": 1, "bytes": 17,
                    "dialects": {}, "counts": {}, "warnings": 0, "empty": [], "malformed": []
                }
            ],
            "unknown": {"###": 2, "ini": 1, "me": 1, "png": 1},
            "known": [], "unreadable": [], "warnings": []
        })
    );
}

#[test]
fn only_a_folder_can_be_scanned() {
    let folder = Folder::game();
    assert!(session().scan(&folder.path("Boxes/a.box")).is_err());
    assert!(session().scan(&folder.path("nothing")).is_err());
}

//! Tests of adding, removing and renaming segments.

use asset::archive::Change;
use proof::{edited, packed, put, single_warning, unpacked};

use super::replace_tests::{glb, triangle};
use super::tests::{empty_model, rob, segment};
use super::{FORMAT, Payload, Rob, warning};

fn bytes() -> Vec<u8> {
    rob(vec![segment("ONE", 0, &empty_model()), segment("CYRSA001", 512, &[])]).write().unwrap()
}

fn names(bytes: &[u8]) -> Vec<String> {
    Rob::read(bytes).unwrap().segments.iter().map(|segment| segment.header.name.text()).collect()
}

#[test]
fn adds_and_removes_a_model() {
    let (added, done, report) = edited(&FORMAT, &bytes(), &[put("palm.3d", &triangle())]).unwrap();
    assert_eq!(done, ["palm.3d added"]);
    assert!(report.is_empty(), "{report:?}");
    let rob = Rob::read(&added).unwrap();
    let header = rob.segments[2].header;
    assert_eq!((header.name.text(), header.kind, header.unused_14), ("PALM".to_owned(), 0, [0, 0, 0, 1]));
    assert_eq!((header.data_size, header.total_size, header.extent), (136, 216, [768, 16, 300]));
    assert_eq!(rob.segments[..2], Rob::read(&bytes()).unwrap().segments);
    assert_eq!((rob.header.num_segments, rob.header.data.payload_size), (3, 80 + 64 + 80 + 216));
    let (removed, done, _) = edited(&FORMAT, &added, &[Change::Remove(2)]).unwrap();
    assert!(removed == bytes() && done == ["palm.3d removed"]);
    let (removed, ..) = edited(&FORMAT, &bytes(), &[Change::Remove(0)]).unwrap();
    assert_eq!(names(&removed), ["CYRSA001"]);
}

#[test]
fn adds_a_scene_as_a_segment_and_a_3dc_file_as_a_reference() {
    let (added, done, report) =
        edited(&FORMAT, &bytes(), &[put("house.glb", &glb()), put("cyrsa009.3DC", &triangle())]).unwrap();
    assert_eq!(done, ["house.3d added", "cyrsa009.3dc added"]);
    let rob = Rob::read(&added).unwrap();
    let Payload::Model(model) = &rob.segments[2].payload else { panic!("expected a model") };
    assert_eq!((model.face_count(), rob.segments[2].header.extent), (1, [5120, 5120, 0]));
    assert_eq!(rob.segments[3].external().as_deref(), Some("CYRSA009.3DC"));
    let header = rob.segments[3].header;
    assert_eq!((header.kind, header.total_size, header.extent), (512, 80, [768, 16, 300]));
    let message = single_warning(&report, &warning::STAYS_EXTERNAL);
    assert!(message.ends_with("stays in CYRSA009.3DC; put that file next to the .ROB file"), "{message}");
}

#[test]
fn replaces_and_renames_segments_ignoring_case() {
    let (new, done, _) = edited(&FORMAT, &bytes(), &[put("one.3d", &triangle())]).unwrap();
    assert_eq!(done, ["one.3d replaced"]);
    assert_eq!(names(&new), ["ONE", "CYRSA001"]);
    let (new, done, _) = edited(&FORMAT, &bytes(), &[Change::Rename(0, "two.3D".to_owned())]).unwrap();
    assert_eq!(done, ["ONE.3D renamed to TWO.3D"]);
    assert_eq!(names(&new), ["TWO", "CYRSA001"]);
}

#[test]
fn refuses_invalid_names_and_files() {
    let message = |changes: &[Change]| edited(&FORMAT, &bytes(), changes).unwrap_err().to_string();
    for name in ["palm tree.3d", "toolongname.3d", "pälm.3d", "a.b.3d", "..", "a:b.3d"] {
        let message = message(&[put(name, &triangle())]);
        assert!(message.contains("cannot be the name of a segment: expected at most 8"), "{name}: {message}");
    }
    assert!(message(&[put("x.3d", b"nonsense")]).starts_with("x.3d: not a .3D, .3DC or .glb file"));
    assert!(message(&[put("x.glb", b"glTF")]).starts_with("x.glb: "));
    assert!(message(&[put("cyrsa001.3dc", &triangle())]).contains("replace that file instead"));
    assert!(message(&[Change::Remove(2)]).contains("out of range"));
    assert!(message(&[Change::Rename(0, "cyrsa001".to_owned())]).contains("already"));
}

#[test]
fn packs_a_new_view_as_a_new_segment() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes(), folder.path());
    std::fs::create_dir(folder.path().join("views")).unwrap();
    std::fs::write(folder.path().join("views/house.glb"), glb()).unwrap();
    let (new, report) = packed(&FORMAT, folder.path()).unwrap();
    assert_eq!(names(&new), ["ONE", "CYRSA001", "HOUSE"]);
    let message = single_warning(&report, &asset::unpack::NEW_ENTRY);
    assert_eq!(message, "note PACK-N008: views/house.glb is a new file and becomes the entry \"HOUSE.3D\"");
}

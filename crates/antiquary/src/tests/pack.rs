//! Unpacking, editing, packing.

use crate::session::{PackOptions, UnpackOptions};
use std::fs;

use asset::{MemorySink, Overwrite};

use super::textbox::{CATALOG, textbox};
use super::{Folder, failure, session};
use crate::sample;

#[test]
fn an_unedited_folder_packs_to_the_same_bytes() {
    let folder = Folder::game();
    let run = session()
        .unpack(&folder.path("Boxes/a.box"), &folder.path("unpacked"), &UnpackOptions::default())
        .unwrap();
    assert!(run.outcomes[0].ok);
    assert_eq!(folder.files("unpacked"), ["antiquary.json", "record.json", "views/text.txt"]);
    let packed =
        session().pack(&folder.path("unpacked"), &folder.path("again.box"), &PackOptions::default()).unwrap();
    assert_eq!((packed.ok, packed.format), (true, Some("test.box")));
    assert_eq!(folder.text("again.box"), folder.text("Boxes/a.box"));
}

#[test]
fn an_edited_record_or_view_changes_the_file() {
    let folder = Folder::game();
    session()
        .unpack(&folder.path("Boxes/a.box"), &folder.path("unpacked"), &UnpackOptions::default())
        .unwrap();
    fs::write(folder.path("unpacked/views/text.txt"), "new words").unwrap();
    session().pack(&folder.path("unpacked"), &folder.path("1.box"), &PackOptions::default()).unwrap();
    assert_eq!(fs::read(folder.path("1.box")).unwrap(), textbox(1, "sun.png", "new words"));

    let record = folder.text("unpacked/record.json").replace("sun.png", "sea.png");
    fs::write(folder.path("unpacked/record.json"), &record).unwrap();
    session().pack(&folder.path("unpacked"), &folder.path("2.box"), &PackOptions::default()).unwrap();
    assert_eq!(fs::read(folder.path("2.box")).unwrap(), textbox(1, "sea.png", "new words"));

    fs::write(folder.path("unpacked/record.json"), record.replace("hello", "hallo")).unwrap();
    let error =
        session().pack(&folder.path("unpacked"), &folder.path("3.box"), &PackOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with("views/text.txt and record.json (/text) show the same data"));
    assert!(!folder.path("3.box").exists());
}

#[test]
fn packing_into_a_folder_uses_the_original_name() {
    let folder = Folder::game();
    session()
        .unpack(&folder.path("Boxes/a.box"), &folder.path("unpacked"), &UnpackOptions::default())
        .unwrap();
    session().pack(&folder.path("unpacked"), &folder.path("out/"), &PackOptions::default()).unwrap();
    assert_eq!(folder.files("out"), ["a.box"]);
    assert!(
        session().pack(&folder.path("unpacked"), &folder.path("out"), &PackOptions::default()).is_err(),
        "a.box already exists"
    );
}

#[test]
fn packing_in_memory_produces_the_same_bytes() {
    let folder = Folder::game();
    session()
        .unpack(&folder.path("Boxes/a.box"), &folder.path("unpacked"), &UnpackOptions::default())
        .unwrap();
    let (outcome, bytes) =
        session().pack_to_memory(&folder.path("unpacked"), &PackOptions::default()).unwrap();
    assert!(outcome.ok && outcome.outputs.is_empty());
    assert_eq!(bytes, fs::read(folder.path("Boxes/a.box")).unwrap());
}

#[test]
fn packing_never_overwrites_its_inputs() {
    let folder = Folder::game();
    session()
        .unpack(&folder.path("Boxes/a.box"), &folder.path("unpacked"), &UnpackOptions::default())
        .unwrap();
    let mut session = session();
    session.overwrite = Overwrite::Allow;
    let error = session
        .pack(&folder.path("unpacked"), &folder.path("unpacked/record.json"), &PackOptions::default())
        .unwrap_err();
    assert!(error.to_string().ends_with("inputs are never overwritten"));
}

#[test]
fn a_packer_that_changes_unedited_data_is_detected() {
    let folder = Folder::new();
    let file = folder.put("x.box", &textbox(1, "", "FAULTY"));
    session().unpack(&file, &folder.path("unpacked"), &UnpackOptions::default()).unwrap();
    let error = session()
        .pack(&folder.path("unpacked"), &folder.path("out.box"), &PackOptions::default())
        .unwrap_err();
    let what =
        "the packed file differs from the one that antiquary.json describes, though no part was edited";
    assert!(error.message().starts_with(what), "{error}");
    assert!(!folder.path("out.box").exists());
}

#[test]
fn failed_unpacking_leaves_no_folder() {
    let folder = Folder::game();
    let run = session()
        .unpack(&folder.path("n.note"), &folder.path("unpacked"), &UnpackOptions::default())
        .unwrap();
    assert_eq!(failure(&run.outcomes[0]), "this format does not support unpacking");
    assert!(!folder.path("unpacked").exists());
    assert!(
        session().unpack(&folder.path("Boxes"), &folder.path("unpacked"), &UnpackOptions::default()).is_err()
    );
}

#[test]
fn unpacking_twice_into_one_folder_is_refused() {
    let folder = Folder::game();
    session()
        .unpack(&folder.path("Boxes/a.box"), &folder.path("unpacked"), &UnpackOptions::default())
        .unwrap();
    let run = session()
        .unpack(&folder.path("Boxes/c.box"), &folder.path("unpacked"), &UnpackOptions::default())
        .unwrap();
    assert_eq!(failure(&run.outcomes[0]), "already exists");
    assert!(folder.text("unpacked/record.json").contains("sun.png"));
}

#[test]
fn writes_the_sample_of_every_game_to_its_own_folder() {
    let mut sink = MemorySink::new();
    sample::write(CATALOG, &mut sink).unwrap();
    let names: Vec<_> = sink.files().iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["test/Boxes/a.box", "other/a.txt"]);
}

//! `scan`: what is in a folder.

use crate::setup::{Place, ROOM};

#[test]
fn it_counts_formats_damage_and_strangers() {
    let (place, _) = Place::with_sample();
    place.put("game/GFX/map/empty.rmesh", b"");
    place.put("game/GFX/map/cut.rmesh", &ROOM[..14]);
    place.put("game/a.xyz", b"?");
    let ran = place.run(&["scan", "game"]).ended(0);
    assert!(ran.text().contains("game: SCP – Containment Breach"), "{ran:?}");
    let row = ran.text().lines().find(|line| line.starts_with("scpcb.rmesh ")).unwrap();
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!((cells[1], &cells[3..]), ("3", &["1", "1", "0"][..]), "{ran:?}");
    assert!(ran.text().contains("empty.rmesh: error: the file is empty"), "{ran:?}");
    assert!(ran.text().contains(".xyz 1"), "{ran:?}");
    assert!(ran.text().contains("known, not read, ") && ran.text().contains("*.png"), "{ran:?}");
}

#[test]
fn only_a_folder_or_an_archive_can_be_scanned() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    let ran = place.run(&["scan", "a.rmesh"]).ended(2);
    assert_eq!(ran.err, "error: a.rmesh: is neither a folder nor an archive\n");
    place.run(&["scan", "missing"]).ended(2);
}

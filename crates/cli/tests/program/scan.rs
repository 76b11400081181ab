//! `scan`: summaries of folders.

use crate::setup::{ROOM, Sandbox};

#[test]
fn counts_formats_damaged_and_unknown_files() {
    let (sandbox, _) = Sandbox::with_sample();
    sandbox.put("game/GFX/map/empty.rmesh", b"");
    sandbox.put("game/GFX/map/cut.rmesh", &ROOM[..14]);
    sandbox.put("game/a.xyz", b"?");
    let output = sandbox.run(&["scan", "game"]).exits_with(0);
    assert!(output.text().contains("game: SCP – Containment Breach"), "{output:?}");
    let row = output.text().lines().find(|line| line.starts_with("scpcb.rmesh ")).unwrap();
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!((cells[1], &cells[3..]), ("3", &["1", "1", "0"][..]), "{output:?}");
    assert!(output.text().contains("empty.rmesh: error: the file is empty"), "{output:?}");
    assert!(output.text().contains(".xyz 1"), "{output:?}");
    assert!(output.text().contains("known, not read, ") && output.text().contains("*.png"), "{output:?}");
}

#[test]
fn refuses_to_scan_a_plain_file() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    let output = sandbox.run(&["scan", "a.rmesh"]).exits_with(2);
    assert_eq!(output.err, "error: a.rmesh: is neither a folder nor an archive\n");
    sandbox.run(&["scan", "missing"]).exits_with(2);
}

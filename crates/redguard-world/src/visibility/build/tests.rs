//! Tests with trees built from synthetic towns.

use std::sync::Arc;

use asset::{Install, MemorySink, Options, Source};
use files::layer::MemoryLayer;
use json::Value;

use super::*;
use crate::map::{Section as MapSection, Static};
use crate::sample::{Town, town};
use crate::visibility::layout::{Patches, Section};

const MAP: &str = "maps/TOWN.RGM";

/// Files of a game with a town.
fn files(statics: u32) -> Vec<(String, Vec<u8>)> {
    let mut sink = MemorySink::new();
    town(&mut sink, Town { statics, detail: 2 }).unwrap();
    sink.into_files()
}

/// Replaces the content of a file.
fn change(files: &mut Vec<(String, Vec<u8>)>, path: &str, content: Vec<u8>) {
    files.retain(|(name, _)| name != path);
    files.push((path.to_owned(), content));
}

/// Edits the statics of the map.
fn change_statics(files: &mut Vec<(String, Vec<u8>)>, edit: impl FnOnce(&mut Vec<Static>)) {
    let bytes = &files.iter().find(|(name, _)| name == MAP).unwrap().1;
    let mut map = Map::read(bytes).unwrap();
    let statics = map.sections.iter_mut().find_map(|section| match section {
        MapSection::Statics(it) => Some(&mut it.records),
        _ => None,
    });
    edit(statics.unwrap());
    let bytes = map.write().unwrap();
    change(files, MAP, bytes);
}

/// Builds the tree of the map: the file, its figures, and the warnings.
fn try_build(files: &[(String, Vec<u8>)], given: &[(&str, &str)]) -> Result<(Visibility, Value, Report)> {
    let files = files.iter().map(|(path, bytes)| (path.clone(), Source::from(bytes.clone())));
    let layer = MemoryLayer::new("town", files).unwrap();
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", Charset::Cp437);
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(BUILDER.options, &given).unwrap();
    let location = install.find(MAP).found().unwrap().location;
    let asset = (crate::world::FORMAT.open)(&install.open(&location).unwrap(), &mut Report::new()).unwrap();
    let context = Context { install: &install, location: Some(location), options: &options };
    let mut report = Report::new();
    let request = BuildRequest { context: &context, name: "ISLAND.PVO", progress: &|_| {} };
    let built = (BUILDER.build)(&*asset, &request, &mut report)?;
    let file = Visibility::read(&built.bytes).unwrap();
    assert_eq!(file.write().unwrap(), built.bytes);
    let mut problems = Report::new();
    crate::visibility::check::check(&file, &context, &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    Ok((file, built.figures, report))
}

fn build(files: &[(String, Vec<u8>)], given: &[(&str, &str)]) -> (Visibility, Value, Report) {
    try_build(files, given).unwrap()
}

/// Statics listed at a position.
fn listed(file: &Visibility, position: [i32; 3]) -> Vec<u16> {
    seen(Tree::of(file).unwrap().at(position).objects).into_iter().collect()
}

/// At most one in 10,000 of the pairs of a position and a static found by many rays is missing.
#[test]
fn misses_hardly_any_visible_statics() {
    let (file, figures, report) = build(&files(150), &[("points", "400")]);
    assert!(report.is_empty(), "{report:?}");
    let check = &figures["check"];
    assert!(check["seen"].as_u64().unwrap() > 8000, "{figures}");
    assert!(check["missing_share"].as_f64().unwrap() <= 1e-4, "{figures}");
    assert!(check["excess_share"].as_f64().unwrap() < 2.0, "{figures}");
    // Equal parts are stored once.
    let number = |name: &str| figures[name].as_u64().unwrap();
    assert!(number("list_bytes") * 3 < number("list_bytes_unshared"), "{figures}");
    assert!(number("lists") < number("cells"), "{figures}");
    // The result is deterministic.
    let (repeated, ..) = build(&files(150), &[("points", "0")]);
    assert_eq!(repeated, file);
    // A larger slack makes the file smaller.
    let (small, ..) = build(&files(150), &[("points", "0"), ("slack", "3")]);
    assert!(small.write().unwrap().len() < file.write().unwrap().len());
}

/// A wall hides the statics behind it, and no others.
#[test]
fn walls_hide_statics_behind_them() {
    let mut files = files(8);
    files.retain(|(name, _)| name != "maps/TOWN.WLD");
    // From west to east: a free area, a wide and high wall, and a crate close behind it.
    change_statics(&mut files, |statics| {
        let (scale, one) = (4, 1 << 28);
        let mut wall = statics.iter().find(|it| it.model.text() == "WALL01").unwrap().clone();
        let mut small = statics.iter().find(|it| it.model.text() == "CRATE01").unwrap().clone();
        wall.position = [30_000, 0, 30_000];
        // The wall runs along Z and is scaled by four in length and height.
        wall.matrix = [0, 0, scale * one, 0, scale * one, 0, -scale * one, 0, 0];
        small.position = [30_600, 0, 30_000];
        small.matrix = [one, 0, 0, 0, one, 0, 0, 0, one];
        *statics = vec![wall, small];
    });
    let (file, figures, report) = build(&files, &[("points", "200"), ("slack", "0")]);
    // WORLD.INI refers to a terrain.
    assert_eq!(report.iter().map(|warning| warning.code.id).collect::<Vec<_>>(), ["PVO-W015"]);
    assert_eq!(figures["check"]["missing"], 0, "{figures}");
    assert_eq!(listed(&file, [29_300, -100, 30_000]), [0]);
    assert_eq!(listed(&file, [30_400, -100, 30_000]), [0, 1]);
    assert_eq!(listed(&file, [30_900, -100, 30_000]), [0, 1]);
    // The wall hides nothing from above.
    assert_eq!(listed(&file, [29_600, -1300, 30_000]), [0, 1]);
    // Far away, no list applies.
    assert!(listed(&file, [60_000, 0, 0]).is_empty());
}

#[test]
fn transparent_and_unknown_models_hide_nothing() {
    let mut files = files(8);
    files.retain(|(name, _)| name != "maps/TOWN.WLD");
    change_statics(&mut files, |statics| {
        let mut fern = statics.iter().find(|it| it.model.text() == "FERN01").unwrap().clone();
        let one = 1 << 28;
        (fern.position, fern.matrix) = ([30_000, 0, 30_000], [7 * one, 0, 0, 0, 7 * one, 0, 0, 0, 7 * one]);
        let mut small = statics.iter().find(|it| it.model.text() == "CRATE01").unwrap().clone();
        (small.position, small.matrix) = ([30_150, -40, 30_000], [one, 0, 0, 0, one, 0, 0, 0, one]);
        let mut lost = small.clone();
        (lost.model, lost.position) = (asset::FixedText::new("NOWHERE").unwrap(), [31_000, 0, 30_000]);
        *statics = vec![fern, small, lost];
    });
    let (file, _, report) = build(&files, &[("points", "0"), ("slack", "0"), ("cell", "64")]);
    assert_eq!(listed(&file, [29_900, -40, 30_000]), [0, 1, 2]);
    let codes: Vec<_> = report.iter().map(|warning| warning.code.id).collect();
    assert_eq!(codes, ["PVO-W015", "PVO-W013"]);
    assert!(report.iter().nth(1).unwrap().message.starts_with("model NOWHERE was not found"));
}

#[test]
fn keeps_patches_with_matching_cells() {
    let files = files(150);
    let (mut old, ..) = build(&files, &[("points", "0")]);
    let tree = Tree::of(&old).unwrap();
    // A cell from which a static is not visible.
    let cells = tree.cells(100_000).unwrap();
    let position = |cell: &Cell| cell.center.map(|number| i32::try_from(number).unwrap());
    let (cell, object) = cells
        .iter()
        .find_map(|cell| {
            let seen = listed(&old, position(cell));
            Some((cell, (0..150).find(|object| !seen.contains(object))?))
        })
        .unwrap();
    let at = position(cell);
    let node = tree.at(at).node_offset / 5;
    // The second patch refers to a missing object, the third to a missing node.
    let patch = |node, object| Patch { node, object };
    let patches = vec![patch(node, object), patch(node, 5000), patch(9_999_999, object)];
    old.sections.push(Section::Patches(Patches { patches }));
    let mut with_old = files;
    change(&mut with_old, "maps/TOWN.PVO", old.write().unwrap());
    let (new, figures, report) = build(&with_old, &[("points", "0")]);
    assert_eq!(figures["patches_lost"], 2);
    assert!(figures["patches_kept"].as_u64().unwrap() >= 1);
    assert_eq!(report.iter().map(|warning| warning.code.id).collect::<Vec<_>>(), ["PVO-W014"]);
    let tree = Tree::of(&new).unwrap();
    assert!(tree.at(at).patched.contains(&object));
    // Patches alone do not imply secondary objects.
    assert_eq!(figures["secondary"], 0);
}

#[test]
fn reports_an_unreadable_old_tree_and_terrain() {
    let mut files = files(8);
    change(&mut files, "maps/TOWN.PVO", b"OCTH\0\0\0\x34".to_vec());
    change(&mut files, "maps/TOWN.WLD", b"nothing".to_vec());
    let (_, _, report) = build(&files, &[("points", "0")]);
    assert_eq!(report.iter().map(|warning| warning.code.id).collect::<Vec<_>>(), ["PVO-W015", "PVO-W014"]);
}

#[test]
fn refuses_maps_and_options_it_cannot_build() {
    let mut none = files(8);
    change_statics(&mut none, Vec::clear);
    let refused = |files: &[(String, Vec<u8>)], given: &[(&str, &str)]| {
        try_build(files, given).map(|(_, figures, _)| figures).unwrap_err().to_string()
    };
    assert!(refused(&none, &[]).contains("no statics"));
    assert!(refused(&files(8), &[("cell", "300")]).contains("expected a power of two"));
    let mut wide = files(8);
    change_statics(&mut wide, |statics| statics[0].position = [i32::MAX, 0, i32::MIN]);
    assert!(refused(&wide, &[]).contains("too far for cells of 4096 units (the maximum of --cell)"));
    // Thousands of huge models: the limit on visited positions bounds the time.
    let mut full = files(8);
    change_statics(&mut full, |statics| {
        let mut wall = statics.iter().find(|it| it.model.text() == "HOUSE01").unwrap().clone();
        let max = i32::MAX;
        wall.matrix = [max, 0, 0, 0, max, 0, 0, 0, max];
        *statics = vec![wall; 5000];
    });
    assert!(refused(&full, &[("cell", "32"), ("points", "0")]).contains("choose larger cells with --cell"));
}

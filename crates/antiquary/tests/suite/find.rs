//! Searching for names in the sample games.

use std::path::PathBuf;

use antiquary::asset::{MemorySink, NameKind};
use antiquary::{CATALOG, Inputs, Query, Session, sample};

/// Writes the sample games to disk.
fn games() -> tempfile::TempDir {
    let mut sink = MemorySink::new();
    sample::write(CATALOG, &mut sink).unwrap();
    on_disk(&sink)
}

fn on_disk(sink: &MemorySink) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in sink.files() {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}

/// An occurrence: file name, kind, path and text.
type Occurrence = (String, NameKind, String, String);

fn find(games: &tempfile::TempDir, game: &str, what: &str) -> Vec<Occurrence> {
    let inputs = Inputs::collect(&[games.path().join(game)]);
    let run = Session::default().find(&inputs, &Query::parse(what).unwrap()).unwrap();
    assert_eq!(run.failed(), 0, "{run:?}");
    let mut out = Vec::new();
    for outcome in &run.outcomes {
        let file = PathBuf::from(&outcome.input).file_name().unwrap().to_str().unwrap().to_owned();
        for name in outcome.names.iter().flat_map(|found| &found.names) {
            // An occurrence inside a file has an offset if the bytes of the format can be traced.
            let is_text = [".x", ".obj", ".3ds"].iter().any(|extension| file.ends_with(extension));
            let is_explained = !name.path.is_empty() && !is_text;
            assert_eq!(name.offset.is_some(), is_explained, "{file} {name:?}");
            out.push((file.clone(), name.kind, name.path.clone(), name.text.clone()));
        }
    }
    out
}

fn has(occurrences: &[Occurrence], file: &str, kind: NameKind, path: &str, text: &str) {
    let is_expected =
        |occurrence: &Occurrence| *occurrence == (file.to_owned(), kind, path.to_owned(), text.to_owned());
    assert!(occurrences.iter().any(is_expected), "{file} {kind} {path} {text}: {occurrences:#?}");
}

#[test]
fn finds_an_actor_in_its_map_and_at_its_placements() {
    let games = games();
    let occurrences = find(&games, "redguard", "actor:keeper");
    has(&occurrences, "ISLAND.RGM", NameKind::Actor, "sections[0].records[2].name", "KEEPER");
    assert!(occurrences.iter().any(|(_, _, path, _)| path.ends_with(".object")), "{occurrences:#?}");
    assert!(occurrences.iter().all(|(file, ..)| file == "ISLAND.RGM"), "{occurrences:#?}");
}

#[test]
fn finds_a_model_as_a_file_in_maps_and_in_settings() {
    let games = games();
    let occurrences = find(&games, "redguard", "model:barrel*");
    let files: std::collections::BTreeSet<_> = occurrences.iter().map(|(file, ..)| file.as_str()).collect();
    assert!(files.contains("ITEM.INI") && files.len() > 2, "{occurrences:#?}");
    has(&occurrences, "BARREL01.3D", NameKind::Model, "", "BARREL01.3D");
}

#[test]
fn finds_an_item_by_its_comment_and_a_label_everywhere() {
    let games = games();
    let items = find(&games, "redguard", "item:ship's lamp");
    has(&items, "ITEM.INI", NameKind::Item, "items[\"name[1]\"]", "ship's lamp");
    let labels = find(&games, "redguard", "label:?lmp");
    assert!(labels.iter().any(|(file, ..)| file == "ENGLISH.RTX"), "{labels:#?}");
    assert!(labels.iter().any(|(file, ..)| file == "ITEM.INI"), "{labels:#?}");
}

#[test]
fn finds_the_definitions_of_flags_and_functions() {
    let games = games();
    assert_eq!(find(&games, "redguard", "function:showobj").len(), 1);
    assert!(!find(&games, "redguard", "flag:*").is_empty());
}

#[test]
fn finds_worlds_and_tracks_by_number_or_by_the_name_of_their_map() {
    let games = games();
    let worlds = find(&games, "redguard", "world:1");
    has(&worlds, "WORLD.INI", NameKind::World, "world[\"world_map[1]\"]", "1");
    has(&worlds, "WORLD.INI", NameKind::World, "world.start_world", "1");
    has(&worlds, "ISLAND.RGM", NameKind::World, "", "1");
    has(&worlds, "ISLAND.WLD", NameKind::World, "", "1");
    assert_eq!(find(&games, "redguard", "world:island").len(), 3);
    assert!(find(&games, "redguard", "world:2").is_empty());
    let tracks = find(&games, "redguard", "track:5");
    assert_eq!(tracks.len(), 1);
    has(&tracks, "WORLD.INI", NameKind::Track, "world[\"world_redbook[1]\"]", "5");
    assert_eq!(find(&games, "redguard", "track:island"), tracks);
    let flash = "world[\"world_flash_filename[1]\"]";
    let images = find(&games, "redguard", "texture:compass");
    has(&images, "WORLD.INI", NameKind::Texture, flash, "system\\COMPASS.GXA");
}

#[test]
fn finds_a_text_in_all_names_and_once_per_field() {
    let games = games();
    let occurrences = find(&games, "redguard", "LAMP");
    let fields: std::collections::BTreeSet<_> =
        occurrences.iter().map(|(file, _, path, _)| (file, path)).collect();
    assert_eq!(fields.len(), occurrences.len(), "{occurrences:#?}");
    assert!(occurrences.iter().any(|(file, kind, ..)| file == "ENGLISH.RTX" && *kind == NameKind::Text));
}

#[test]
fn every_game_reports_its_names() {
    let games = games();
    assert!(!find(&games, "scpcb", "texture:*").is_empty());
    assert!(find(&games, "scpcb", "texture:*").iter().any(|(file, ..)| file.ends_with(".rmesh")));
    assert!(find(&games, "scpcb", "room:*").iter().any(|(file, ..)| file == "rooms.ini"));
    assert!(find(&games, "ragnarok", "texture:*").iter().any(|(file, ..)| file.ends_with(".rsm")));
    assert!(find(&games, "ragnarok", "node:*").iter().any(|(file, ..)| file.ends_with(".rsm")));
}

#[test]
fn every_format_reports_its_names() {
    let games = games();
    let in_game = |game: &str, query: &str, file: &str, path: &str, text: &str| {
        let (word, _) = query.split_once(':').unwrap();
        let kind = *NameKind::ALL.iter().find(|kind| kind.name() == word).unwrap();
        has(&find(&games, game, query), file, kind, path, text);
    };
    in_game("scpcb", "model:lampshade", "hall_opt.rmesh", "entities[10].file", "lampshade.x");
    in_game("scpcb", "texture:clay", "plant.b3d", "chunks[0].textures[0].file", "clay.png");
    in_game("scpcb", "node:bone 0", "plant.b3d", "chunks[2].chunks[4].name", "bone 0");
    in_game("scpcb", "texture:lampshade", "lampshade.x", "materials[1].texture", "lampshade.png");
    in_game("scpcb", "room:hall", "halls.cbmap2", "rooms[0].room", "hall");
    in_game("redguard", "text:harbour", "SAVEGAME.SAV", "chunks[0].text", "At the harbour");
    in_game("redguard", "item:compass", "SAVEGAME.SAV", "chunks[4].records[0].player_total", "compass");
    in_game("redguard", "texture:210/3", "WALKER01.3DC", "faces[0].texture", "210/3");
    in_game("redguard", "texture:c10003", "WALKER01.3DC", "faces[0].texture", "210/3");
    in_game("redguard", "texture:210/1", "BARREL01.3D", "planes[0].texture", "210/1");
    in_game("redguard", "texture:210/1", "ISLAND.ROB", "segments[0].payload.faces[0].texture", "210/1");
    in_game("redguard", "texture:210/1", "TEXBSI.210", "entries[1].name", "210/1");
    in_game("redguard", "texture:210/1", "TEXTURE.210", "records[1]", "210/1");
    in_game("redguard", "texture:302/31", "ISLAND.WLD", "tiles[0].ground.surface", "302/31");
    in_game("redguard", "texture:352/1", "ISLAND.RGM", "sections[17].records[0].texture", "352/1");
    let wall = "data\\texture\\antiquary\\벽돌.bmp";
    in_game("ragnarok", "texture:벽돌", "data.grf", "entries[2].name", wall);
    in_game("ragnarok", "texture:벽돌", "vane.rsm", "textures[1]", "antiquary\\벽돌.bmp");
}

#[test]
fn formats_missing_from_the_sample_games_report_their_names() {
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    let files = on_disk(&sink);
    let in_file = |query: &str, file: &str, text: &str| {
        let occurrences = find(&files, "", query);
        let is_expected = |occurrence: &&Occurrence| {
            occurrence.0 == file && !occurrence.2.is_empty() && occurrence.3 == text
        };
        assert!(
            occurrences.iter().any(|occurrence| is_expected(&occurrence)),
            "{query} in {file}: {occurrences:#?}"
        );
    };
    for (query, file, text) in [
        ("texture:*", "plate.3ds", "wall.jpg"),
        ("material:*", "plate.obj", "Wall"),
        ("material:*", "materials.ini", "tiles.png"),
        ("node:*", "model.b3d", "panel"),
        ("node:*", "binary-32.x", "panel"),
        ("node:*", "2.3.rsm2", "wall"),
        ("node:*", "rm-0.rm", "alarm"),
        ("model:*", "trigger-box.rmesh", "lamp.x"),
        ("model:*", "models.rob", "LEAF01"),
        ("room:*", "map.cbmap", "hall"),
        ("label:*", "map.cbmap", "hum"),
        ("label:*", "events.ini", "hum"),
        ("label:*", "NPCs.ini", "Guard"),
        ("item:*", "save.txt", "key1"),
        ("label:*", "save.txt", "hum"),
        ("label:*", "dialogue.rtx", "tide"),
        ("flag:*", "SOUP386.DEF", "After_Jail"),
        ("attribute:*", "ISLAND.RGM", "attr_collide"),
        ("item:*", "item.ini", "ship's lamp"),
        ("map:*", "world.ini", "maps\\island.rgm"),
    ] {
        in_file(query, file, text);
    }
}

#[test]
fn a_query_is_a_text_or_a_kind_with_a_name() {
    assert!(Query::parse("modle:x").unwrap_err().to_string().contains("did you mean \"model\""));
    assert!(Query::parse("").is_err() && Query::parse("flag: ").is_err());
    let text = Query::parse("Tobias: hello").unwrap();
    assert!(text.matches(NameKind::Text, "TOBIAS: Hello there") && !text.matches(NameKind::Text, "hello"));
    let model = Query::parse("model:LANTERN").unwrap();
    assert!(model.matches(NameKind::Model, "3DART\\Lantern.3D") && model.matches(NameKind::Model, "lantern"));
    assert!(!model.matches(NameKind::Model, "lantern2") && !model.matches(NameKind::Texture, "lantern"));
}

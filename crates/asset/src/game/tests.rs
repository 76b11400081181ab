//! Lookups of files in temporary folders.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::archive::{Archive, Content, Entry};
use crate::container::ArchiveLayer;
use crate::game::{GameInfo, Root};
use files::layer::FolderLayer;
use files::path::PathError;

static GAME: GameInfo = GameInfo {
    id: "test",
    name: "Test",
    charset: Charset::Cp437,
    formats: &[],
    markers: &["GFX/map", "Data/rooms.ini"],
    archives: None,
    known: &[],
    check: None,
    builders: &[],
    characters: &[],
    sample: |_| Ok(()),
};

static GAMES: &[&GameInfo] = &[&GAME];

/// Creates a folder with these files; each contains its own path.
fn folder(files: &[&str]) -> tempfile::TempDir {
    let temp = tempfile::tempdir().unwrap();
    for file in files {
        let path = temp.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    temp
}

fn install(roots: &[&Path]) -> Install {
    let roots: Vec<_> = roots.iter().map(|root| Root::at(root, GAMES).unwrap()).collect();
    install_of(&roots).unwrap()
}

fn found(lookup: Lookup) -> (String, Match) {
    let found = lookup.found().expect("should be found");
    (found.location.path().to_string(), found.matched)
}

fn read(install: &Install, lookup: Lookup) -> String {
    let source = install.open(&lookup.found().unwrap().location).unwrap();
    String::from_utf8(source.read_all().unwrap().into_owned()).unwrap()
}

#[test]
fn lookups_ignore_letter_case_and_slash_direction() {
    let temp = folder(&["GFX/map/Door01.jpg"]);
    let install = install(&[temp.path()]);
    assert_eq!(found(install.find("GFX/map/Door01.jpg")), ("GFX/map/Door01.jpg".into(), Match::Exact));
    assert_eq!(
        found(install.find("gfx\\MAP\\.\\door01.JPG")),
        ("GFX/map/Door01.jpg".into(), Match::OtherCase)
    );
    assert_eq!(install.find("GFX/map/Door02.jpg"), Lookup::Missing);
    assert_eq!(install.find("GFX/map"), Lookup::Missing);
    assert_eq!(install.find("GFX/map/Door01.jpg/"), Lookup::Missing);
    assert_eq!(install.find(""), Lookup::Missing);
    assert_eq!(read(&install, install.find("gfx/map/DOOR01.jpg")), "GFX/map/Door01.jpg");
}

#[test]
fn lookups_ignore_case_of_non_ascii_letters() {
    let temp = folder(&["Türen/ÄTZEND.PNG"]);
    let install = install(&[temp.path()]);
    assert_eq!(found(install.find("türen/ätzend.png")).0, "Türen/ÄTZEND.PNG");
}

#[test]
#[cfg(target_os = "linux")]
fn prefers_an_exact_match_then_the_first_in_byte_order() {
    let temp = folder(&["Map/a.png", "map/A.png", "map/a.PNG", "Map/b.png"]);
    let install = install(&[temp.path()]);
    assert_eq!(found(install.find("map/A.png")), ("map/A.png".into(), Match::Exact));
    assert_eq!(found(install.find("MAP/A.PNG")).0, "Map/a.png");
    assert_eq!(found(install.find("map/b.png")), ("Map/b.png".into(), Match::OtherCase));
    let names: Vec<_> = install.folder("MAP").files().iter().map(|location| location.path().to_string()).collect();
    assert_eq!(names, ["Map/a.png", "Map/b.png"]);
}

#[test]
fn finds_the_only_game_in_a_folder_and_refuses_to_guess() {
    let temp = folder(&["mod/GFX/map/room", "mod/readme.txt", "notes/todo.txt"]);
    let root =
        |path: &Path| Root::around(path, GAMES).map(|root| (root.folder, root.game.is_some())).unwrap();
    let canonical = |path: &str| temp.path().join(path).canonicalize().unwrap();
    assert_eq!(root(temp.path()), (canonical("mod"), true));
    assert_eq!(Root::at(temp.path(), GAMES).unwrap().folder, canonical("mod"));
    // A file next to the game belongs to no game, and a folder in the game belongs to that game.
    assert_eq!(root(&temp.path().join("notes/todo.txt")), (canonical("notes"), false));
    assert_eq!(root(&temp.path().join("mod/GFX")), (canonical("mod"), true));

    fs::create_dir_all(temp.path().join("another/gfx/MAP")).unwrap();
    assert_eq!(root(temp.path()), (canonical(""), false));
    assert_eq!(root(&temp.path().join("mod/GFX/map/room")), (canonical("mod"), true));
    let error = Root::at(temp.path(), GAMES).unwrap_err();
    assert_eq!(
        error.message(),
        "several games are in this folder (\"another\" and \"mod\"); name one of them"
    );
}

#[test]
fn does_not_search_folders_with_too_many_subfolders() {
    let temp = folder(&["game/GFX/map/room"]);
    (0..256).for_each(|number| fs::create_dir(temp.path().join(number.to_string())).unwrap());
    assert!(Root::around(temp.path(), GAMES).unwrap().game.is_none());
    fs::remove_dir(temp.path().join("0")).unwrap();
    assert!(Root::around(temp.path(), GAMES).unwrap().game.is_some());
}

#[test]
fn refuses_names_outside_the_game() {
    let temp = folder(&["game/x.png", "secret.png"]);
    let install = install(&[&temp.path().join("game")]);
    assert_eq!(install.find("..\\secret.png"), Lookup::Rejected(PathError::ParentDir));
    assert_eq!(install.find("a\\..\\..\\secret.png"), Lookup::Rejected(PathError::ParentDir));
    assert_eq!(install.find("/etc/passwd"), Lookup::Rejected(PathError::Absolute));
    assert_eq!(install.find("a\0"), Lookup::Rejected(PathError::InvalidName));
    assert_eq!(install.folder("../..").find("x.png"), Lookup::Rejected(PathError::ParentDir));
    let location = install.find("x.png").found().unwrap().location;
    assert_eq!(
        install.folder_of(&location).reference("..\\secret.png", &["png"]),
        Lookup::Rejected(PathError::ParentDir)
    );
    assert_eq!(found(install.folder_of(&location).reference("C:\\art\\X.png", &["png"])).1, Match::BareName);
}

#[test]
#[cfg(unix)]
fn symbolic_links_cannot_lead_out_of_the_game() {
    use std::os::unix::fs::symlink;
    let temp = folder(&["game/in/x.png", "out/secret.png"]);
    let game = temp.path().join("game");
    symlink(temp.path().join("out"), game.join("folder")).unwrap();
    symlink(temp.path().join("out/secret.png"), game.join("file.png")).unwrap();
    symlink(game.join("in"), game.join("within")).unwrap();
    symlink(&game, game.join("circle")).unwrap();
    let install = install(&[&game]);
    assert_eq!(install.find("folder/secret.png"), Lookup::Missing);
    assert_eq!(install.find("file.png"), Lookup::Missing);
    assert_eq!(found(install.find("within/X.png")).0, "within/x.png");
    assert_eq!(found(install.find("circle/circle/in/x.png")).1, Match::Exact);
    assert_eq!(paths(&install), ["in/x.png"], "each folder is visited once, under its own name");
}

/// Returns the paths of all files.
#[cfg(unix)]
fn paths(install: &Install) -> Vec<String> {
    install.files().map(|location| location.path().to_string()).collect()
}

#[test]
#[cfg(unix)]
fn lists_all_files_once_by_folder() {
    let (base, addon) = (folder(&["b/c/1", "b/2", "3", "a/4"]), folder(&["B/2", "A/5"]));
    let both = install(&[addon.path(), base.path()]);
    assert_eq!(paths(&both), ["3", "a/4", "A/5", "B/2", "b/c/1"]);
}

#[test]
#[cfg(target_os = "linux")]
fn decodes_non_utf8_names_with_the_charset_of_the_game() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let temp = folder(&["GFX/map/x"]);
    let below = temp.path().join(OsStr::from_bytes(b"t\x81r"));
    fs::create_dir(&below).unwrap();
    fs::write(below.join(OsStr::from_bytes(b"\x84.png")), "umlaut").unwrap();
    let install = install(&[temp.path()]);
    assert_eq!(read(&install, install.find("tür/ä.png")), "umlaut");
    let location = install.location_of(&below.join(OsStr::from_bytes(b"\x84.png"))).unwrap();
    assert_eq!(location.path().as_str(), "tür/ä.png");
}

#[test]
fn the_first_layer_wins_except_for_siblings_of_a_file() {
    let (base, addon) = (folder(&["map/a.png", "map/b.png"]), folder(&["Map/A.png", "map/room"]));
    fs::write(addon.path().join("Map/A.png"), "addon").unwrap();
    let both = install(&[base.path(), addon.path()]);
    assert_eq!(read(&both, both.find("map/a.png")), "map/a.png");
    let room = both.find("map/room").found().unwrap().location;
    assert_eq!(read(&both, both.find_sibling(&room, "a.png")), "addon");
    assert_eq!(read(&both, both.find_sibling(&room, "B.png")), "map/b.png");
    assert_eq!(both.location_of(&addon.path().join("map/room")), Some(room.clone()));
    let names: Vec<_> = both.folder_of(&room).files().iter().map(|location| location.path().to_string()).collect();
    assert_eq!(names, ["Map/A.png", "map/b.png", "map/room"]);
    assert_eq!(install(&[base.path(), base.path()]).layers.len(), 1);
}

#[test]
fn references_use_their_fallbacks_in_order() {
    let temp = folder(&["map/room", "map/wall.png", "map/sub/lamp.PNG", "map/sub/lamp.bmp", "map/glow.tga"]);
    let install = install(&[temp.path()]);
    let room = install.find("map/room").found().unwrap().location;
    let look = |name| install.folder_of(&room).reference(name, &["jpg", "png", "bmp", "tga"]);
    assert_eq!(found(look("wall.png")), ("map/wall.png".into(), Match::Exact));
    assert_eq!(found(look("Wall.png")), ("map/wall.png".into(), Match::OtherCase));
    assert_eq!(found(look("textures\\wall.png")), ("map/wall.png".into(), Match::BareName));
    assert_eq!(found(look("sub/lamp.jpg")), ("map/sub/lamp.PNG".into(), Match::OtherExtension));
    assert_eq!(found(look("elsewhere/GLOW.bmp")), ("map/glow.tga".into(), Match::OtherExtension));
    assert_eq!(look("lamp.bmp"), Lookup::Missing);
    assert_eq!(look("sub/"), Lookup::Missing);
    assert_eq!(look(""), Lookup::Missing);
    assert_eq!(look("."), Lookup::Missing);
}

#[test]
fn finds_a_stem_in_the_order_of_the_extensions() {
    let temp = folder(&["lm_01.PNG", "LM_01.jpg"]);
    let install = install(&[temp.path()]);
    assert_eq!(found(install.root().find_stem("lm_01", &["bmp", "jpg", "png"])).0, "LM_01.jpg");
    assert_eq!(found(install.root().find_stem("lm_01", &["png", "jpg"])).0, "lm_01.PNG");
    assert_eq!(install.root().find_stem("lm_02", &["png"]), Lookup::Missing);
    assert_eq!(install.root().find_stem("../lm_01", &["png"]), Lookup::Missing);
}

#[test]
fn finds_the_nearest_ancestor_with_the_layout_of_a_game() {
    let temp =
        folder(&["outer/gfx/MAP/x", "outer/mods/inner/data/ROOMS.ini", "outer/mods/inner/deep/y", "alone/z"]);
    let around = |path: &str| Root::around(&temp.path().join(path), GAMES).unwrap();
    let real = temp.path().canonicalize().unwrap();
    assert_eq!(around("outer/gfx/MAP/x").folder, real.join("outer"));
    assert_eq!(around("outer/mods/inner/deep/y").folder, real.join("outer/mods/inner"));
    assert_eq!(around("outer/mods").folder, real.join("outer"));
    assert_eq!(around("outer").game.map(|game| game.id), Some("test"));
    let alone = around("alone/z");
    assert_eq!((alone.folder, alone.game.is_none()), (real.join("alone"), true));
    assert!(Root::around(&temp.path().join("nothing/here"), GAMES).is_err());
}

#[test]
fn inputs_outside_the_install_have_no_location() {
    let temp = folder(&["game/x", "other/y"]);
    let install = install(&[&temp.path().join("game")]);
    assert_eq!(install.location_of(&temp.path().join("other/y")), None);
    let location = install.location_of(&temp.path().join("other/../game/x")).unwrap();
    assert_eq!(location.path().as_str(), "x");
}

struct FourEntries([Entry<'static>; 4]);

impl Archive for FourEntries {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        self.0.get(index).cloned()
    }

    fn open(&self, index: usize) -> Result<Source, Error> {
        Ok(Source::from(format!("entry {index}").into_bytes()))
    }
}

#[test]
fn archives_are_layers_like_folders() {
    let entry = |name: &str| Entry {
        name: name.to_owned().into(),
        length: 7,
        stored: 7,
        content: Content::File,
        note: "".into(),
    };
    let archive = FourEntries([
        entry("data\\model\\Mill.rsm"),
        entry("data/model/mill.RSM"),
        entry("..\\..\\escape"),
        entry("data\\model"),
    ]);
    let disk = folder(&["data/model/mill.rsm", "data/model/tree.rsm"]);
    let disk: Arc<dyn Layer> = Arc::new(FolderLayer::new(disk.path(), Charset::Cp949).unwrap());
    let archive: Arc<dyn Layer> = Arc::new(ArchiveLayer::new("data.grf", Arc::new(archive)));
    let both = Install::new(vec![archive, disk]);
    assert_eq!(read(&both, both.find("DATA/model/mill.RSM")), "entry 1");
    assert_eq!(read(&both, both.find("data/MODEL/MILL.rsm")), "entry 0");
    assert_eq!(found(both.find("data/model/tree.rsm")).1, Match::Exact);
    assert_eq!(read(&both, both.find("data/model")), "entry 3");
    assert_eq!(both.find("escape"), Lookup::Missing);
}

struct UnreadableEntries(Vec<Entry<'static>>);

impl Archive for UnreadableEntries {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        self.0.get(index).cloned()
    }

    fn open(&self, index: usize) -> Result<Source, Error> {
        Err(Error::unsupported(format!("entry {index} is unreadable")))
    }
}

#[test]
fn finds_only_files_up_to_a_depth_in_an_archive() {
    let entry = |name: String, content| {
        let (name, note) = (name.into(), "".into());
        Entry { name, length: 7, stored: 7, content, note }
    };
    let archive = UnreadableEntries(vec![
        entry("data/locked.txt".to_owned(), Content::Unreadable),
        entry("data/gone.txt".to_owned(), Content::Removed),
        entry("data/folder.txt".to_owned(), Content::Folder),
        entry("d/".repeat(15) + "deep.txt", Content::File),
        entry("d/".repeat(16) + "deep.txt", Content::File),
    ]);
    let layer: Arc<dyn Layer> = Arc::new(ArchiveLayer::new("x", Arc::new(archive)));
    let install = Install::new(vec![layer]);
    assert_eq!(install.find("data/gone.txt"), Lookup::Missing);
    assert_eq!(install.find("data/folder.txt"), Lookup::Missing);
    assert!(install.find(&("d/".repeat(15) + "deep.txt")).found().is_some());
    assert_eq!(install.find(&("d/".repeat(16) + "deep.txt")), Lookup::Missing);
    let locked = install.find("DATA/locked.txt").found().unwrap().location;
    assert_eq!(install.open(&locked).unwrap_err().to_string(), "data/locked.txt: entry 0 is unreadable");
}

#[test]
fn caches_by_file_type_and_variant() {
    let temp = folder(&["a", "b"]);
    let install = install(&[temp.path()]);
    let location = |name| install.find(name).found().unwrap().location;
    let number =
        |name, variant, value: u32| *install.decoded(&location(name), variant, || Ok((value, 4))).unwrap();
    assert_eq!(number("a", "", 1), 1);
    assert_eq!(number("a", "", 2), 1);
    assert_eq!(number("a", "night", 3), 3);
    assert_eq!(number("b", "", 4), 4);
    let text = install.decoded(&location("a"), "", || Ok(("text".to_owned(), 4))).unwrap();
    assert_eq!(*text, "text");
    let error = install.decoded::<u8>(&location("a"), "", || Err(Error::malformed("bad"))).unwrap_err();
    assert_eq!(error.to_string(), "a: bad");
}

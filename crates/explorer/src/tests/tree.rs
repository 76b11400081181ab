//! Tests of folders, names, and invalid paths.

use std::fs;
use std::sync::atomic::AtomicBool;

use antiquary::CATALOG;
use antiquary::asset::Links;

use super::{content, encoded, sample_of, samples, single};
use crate::{Explorer, Request};

#[test]
fn the_session_lists_roots_and_formats() {
    let session = samples().json("session");
    assert_eq!(session["roots"][0]["name"], "samples");
    assert!(session["roots"][0]["files"].as_u64().unwrap() > 50);
    let formats = session["formats"].as_array().unwrap();
    assert_eq!(formats.len(), antiquary::formats().count());
    let room = formats.iter().find(|format| format["id"] == "scpcb.rmesh").unwrap();
    assert_eq!(room["views"], antiquary::json::json!(["scene", "text", "data", "fields", "bytes", "report"]));
}

#[test]
fn a_folder_lists_folders_first_and_is_paginated() {
    let explorer = sample_of("redguard");
    let folder = explorer.json("tree?at=redguard");
    let kinds: Vec<_> =
        folder["entries"].as_array().unwrap().iter().map(|entry| entry["kind"].clone()).collect();
    let first_file = kinds.iter().position(|kind| kind != "folder").unwrap();
    assert!(first_file > 0 && kinds[first_file..].iter().all(|kind| kind != "folder"), "{kinds:?}");
    let page = explorer.json("tree?at=redguard&from=1&count=2");
    assert_eq!(page["total"], folder["total"]);
    assert_eq!(page["entries"].as_array().unwrap().len(), 2);
    assert_eq!(page["entries"][0], folder["entries"][1]);
}

#[test]
fn the_tree_without_a_path_lists_the_roots() {
    let roots = samples().json("tree");
    assert_eq!(roots["entries"][0]["path"], "samples");
    assert_eq!(roots["total"], 1);
}

#[test]
fn formats_are_in_the_order_of_the_names() {
    let explorer = samples();
    let (names, kinds, session) = (explorer.json("names"), explorer.json("kinds"), explorer.json("session"));
    let folders = names["folders"].as_array().unwrap().iter().zip(kinds["folders"].as_array().unwrap());
    let mut rooms = 0;
    for (folder, kinds) in folders {
        let names = folder["names"].as_array().unwrap();
        assert_eq!(folder["path"], kinds["path"]);
        let kinds = kinds["kinds"].as_array().unwrap();
        assert_eq!(names.len(), kinds.len());
        for (name, kind) in names.iter().zip(kinds) {
            if name.as_str().unwrap().ends_with(".rmesh") {
                let format = &session["formats"][usize::try_from(kind.as_u64().unwrap()).unwrap()];
                assert_eq!(format["id"], "scpcb.rmesh");
                rooms += 1;
            }
        }
    }
    assert!(rooms > 0);
}

#[test]
fn an_archive_is_a_folder() {
    let explorer = sample_of("ragnarok");
    let archive = explorer.paths().into_iter().find(|path| path.ends_with(".grf")).unwrap();
    let inside = explorer.json(&format!("tree?at={}", encoded(&archive)));
    let first = inside["entries"][0]["path"].as_str().unwrap();
    assert!(first.starts_with(&format!("{archive}/")), "{first}");
    let about = explorer.json(&format!("asset/{}", encoded(&archive)));
    assert_eq!(about["views"][0]["kind"], "folder", "{about}");
}

#[test]
fn reports_nonexistent_paths_as_not_found() {
    let explorer = samples();
    for path in [
        "asset/samples/none.rmesh",
        "asset/other/file",
        "asset/",
        "asset",
        "tree?at=none",
        "view/samples/x?kind=bytes",
    ] {
        let (status, text) = explorer.fault(path);
        assert_eq!(status, 404, "{path}: {text}");
    }
    assert_eq!(explorer.fault("nothing").0, 404);
    assert_eq!(explorer.fault("asset/samples").0, 400);
}

#[test]
fn no_path_leads_out_of_the_roots() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("game")).unwrap();
    fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    fs::write(folder.path().join("game/note.txt"), "a note").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.txt"), folder.path().join("game/link.txt"))
        .unwrap();
    let explorer = Explorer::open(CATALOG, &[folder.path().join("game")], Links::Inside).unwrap();
    assert_eq!(explorer.paths(), ["game/note.txt"]);
    for path in [
        "game/../secret.txt",
        "game/%2e%2e/secret.txt",
        "game/..%2fsecret.txt",
        "game/link.txt",
        "game/./note.txt",
        "../secret.txt",
    ] {
        for request in ["raw/", "asset/", "view/"] {
            let (status, text) = explorer.fault(&format!("{request}{path}?kind=bytes"));
            assert_eq!(status, 404, "{request}{path}: {text}");
        }
    }
    assert_eq!(explorer.ask("raw/game/note.txt").status, 200);
}

#[test]
#[cfg(unix)]
fn links_are_followed_once_and_only_inside_the_root() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game");
    fs::create_dir_all(game.join("deep")).unwrap();
    fs::write(game.join("deep/note.txt"), "a note").unwrap();
    // With two such links, each level has twice as many paths.
    symlink(".", game.join("one")).unwrap();
    symlink(".", game.join("two")).unwrap();
    symlink("..", game.join("deep/up")).unwrap();
    symlink("/", game.join("z:")).unwrap();
    let explorer = Explorer::open(CATALOG, std::slice::from_ref(&game), Links::Inside).unwrap();
    assert_eq!(explorer.paths(), ["game/deep/note.txt"]);
    assert_eq!(explorer.json("session")["roots"][0]["files"], 1);
    let lines = content(&explorer.ask("find?q=note"));
    let warning = "1 symbolic link that leads out of the folder is not followed (like z:)";
    assert!(String::from_utf8_lossy(&lines).contains(warning), "{}", String::from_utf8_lossy(&lines));
    // If all links are followed, the entire disk is walked until the request is canceled.
    let explorer = Explorer::open(CATALOG, &[game], Links::All).unwrap();
    let cancelled = AtomicBool::new(true);
    for path in ["session", "names", "kinds", "find"] {
        let request = Request { cancelled: &cancelled, ..Request::new(path, "q=note") };
        assert_eq!(explorer.answer(&request).status, 200, "{path}");
    }
}

#[test]
fn a_file_given_directly_opens_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("note.txt"), "a note").unwrap();
    let explorer = Explorer::open(CATALOG, &[folder.path().join("note.txt")], Links::Inside).unwrap();
    let root = folder.path().file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(explorer.named_files().collect::<Vec<_>>(), [format!("{root}/note.txt")]);
}

#[test]
fn roots_with_the_same_name_are_numbered() {
    let folder = tempfile::tempdir().unwrap();
    let games: Vec<_> = ["a/game", "b/game"].iter().map(|path| folder.path().join(path)).collect();
    for game in &games {
        fs::create_dir_all(game).unwrap();
        fs::write(game.join("note.txt"), "a note").unwrap();
    }
    let explorer = Explorer::open(CATALOG, &games, Links::Inside).unwrap();
    assert_eq!(explorer.paths(), ["game/note.txt", "game (2)/note.txt"]);
}

#[test]
fn names_may_contain_any_characters() {
    for name in ["a b#c?d%e&f=g.txt", "<img src=x>.txt", "\u{202e}txt.exe", "가나.txt", "a\tb.txt"] {
        let explorer = single(name, b"text");
        let path = &explorer.paths()[0];
        assert_eq!(path, &format!("root/{name}"));
        assert_eq!(explorer.json(&format!("asset/{}", encoded(path)))["name"], name);
    }
}

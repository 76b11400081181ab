//! Links out of the folder, cyclic links, and several links to one folder.

#![cfg(all(unix, feature = "fs"))]

use super::*;
use std::fs;
use std::os::unix::fs::symlink;

/// A game with files, next to a folder of other files.
fn folders() -> tempfile::TempDir {
    let temp = tempfile::tempdir().unwrap();
    for file in ["game/maps/a.rgm", "game/models/b.3d", "other/c.txt", "other/deep/d.txt"] {
        let path = temp.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    temp
}

fn walked(folder: &Path, links: Links, boundary: &Path) -> (Vec<String>, Option<(u64, PathBuf)>) {
    let mut walk = Walk::new(folder, LinkPolicy::new(links, boundary));
    let shown = |path: PathBuf| path.strip_prefix(folder).unwrap().display().to_string();
    let files = walk.by_ref().map(|file| shown(file.unwrap())).collect();
    (files, walk.links_left_out().map(|(count, example)| (count, example.to_path_buf())))
}

#[test]
fn counts_links_out_of_the_folder_and_does_not_follow_them() {
    let temp = folders();
    let game = temp.path().join("game");
    symlink("/", game.join("z:")).unwrap();
    symlink(temp.path().join("other/c.txt"), game.join("maps/c.txt")).unwrap();
    let (files, left_out) = walked(&game, Links::Inside, &game);
    assert_eq!(files, ["maps/a.rgm", "models/b.3d"]);
    assert_eq!(left_out, Some((2, PathBuf::from("maps/c.txt"))));
}

#[test]
fn follows_links_within_the_game_or_on_request() {
    let temp = folders();
    let (game, maps) = (temp.path().join("game"), temp.path().join("game/maps"));
    symlink("../models", maps.join("models")).unwrap();
    assert_eq!(walked(&maps, Links::Inside, &game).0, ["a.rgm", "models/b.3d"]);
    assert_eq!(walked(&maps, Links::Inside, &maps).0, ["a.rgm"]);
    // Entries of the folder itself are not visited again.
    assert_eq!(walked(&game, Links::Inside, &game).0, ["maps/a.rgm", "models/b.3d"]);
    symlink("../../other", maps.join("other")).unwrap();
    symlink("../../other/deep", maps.join("deep")).unwrap();
    let (files, left_out) = walked(&maps, Links::All, &game);
    assert_eq!(files, ["a.rgm", "deep/d.txt", "models/b.3d", "other/c.txt"]);
    assert_eq!(left_out, None);
}

#[test]
fn ends_cycles_and_follows_a_given_link() {
    let temp = folders();
    let game = temp.path().join("game");
    symlink(".", game.join("one")).unwrap();
    symlink(".", game.join("two")).unwrap();
    symlink("..", game.join("maps/up")).unwrap();
    symlink("nowhere", game.join("dangling")).unwrap();
    symlink(&game, temp.path().join("link")).unwrap();
    for folder in ["game", "link"] {
        let folder = temp.path().join(folder);
        for links in [Links::Inside, Links::All] {
            let (files, left_out) = walked(&folder, links, &folder);
            assert_eq!((files, left_out), (vec!["maps/a.rgm".to_owned(), "models/b.3d".to_owned()], None));
        }
    }
}

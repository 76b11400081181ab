//! `demo`: everything at once.

use crate::setup::Place;

#[test]
fn it_makes_games_and_converts_them() {
    let place = Place::new();
    let ran = place.run(&["demo"]).ended(0);
    let files = place.files();
    assert!(files.iter().all(|file| file.starts_with("antiquary-demo/")), "{files:?}");
    assert!(files.iter().any(|file| file.starts_with("antiquary-demo/converted/")), "{files:?}");
    for command in ["scan", "check", "convert"] {
        assert!(ran.text().contains(&format!("$ antiquary {command} antiquary-demo")), "{ran:?}");
    }
    assert!(ran.text().contains("How to view it"), "{ran:?}");
    assert!(ran.text().contains("Open antiquary-demo/converted/index.html in a browser"), "{ran:?}");
    let page = String::from_utf8(place.read("antiquary-demo/converted/index.html")).unwrap();
    for game in antiquary::GAMES {
        assert!(page.contains(&format!("href=\"{}/", game.id)), "{}", game.id);
    }
}

#[test]
fn it_overwrites_nothing_by_default() {
    let place = Place::with(&[("here/mine.txt", b"mine")]);
    let ran = place.run(&["demo", "-o", "here"]).ended(2);
    assert!(ran.err.contains("--force"), "{ran:?}");
    assert_eq!(place.files(), ["here/mine.txt"]);
    place.run(&["demo", "-o", "here", "--force"]).ended(0);
    place.run(&["demo", "-o", "here", "--force"]).ended(0);
    assert_eq!(place.read("here/mine.txt"), b"mine");
}

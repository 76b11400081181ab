//! `demo`: everything at once.

use crate::setup::Place;

#[test]
fn it_makes_games_and_converts_them() {
    let place = Place::new();
    let ran = place.run(&["demo"]).ended(0);
    let files = place.files();
    assert!(files.iter().all(|file| file.starts_with("antiquary-demo/")), "{files:?}");
    assert!(files.iter().any(|file| file.starts_with("antiquary-demo/converted/")), "{files:?}");
    let page = String::from_utf8(place.read("antiquary-demo/converted/index.html")).unwrap();
    for game in antiquary::GAMES {
        assert!(page.contains(&format!("href=\"{}/", game.id)), "{}", game.id);
    }
    for command in ["check", "convert"] {
        assert!(ran.text().contains(&format!(" {command} antiquary-demo/scpcb")), "{ran:?}");
    }
}

#[test]
fn its_output_is_short_and_shows_the_games_first() {
    let ran = Place::new().run(&["demo"]).ended(0);
    let lines: Vec<_> = ran.text().lines().collect();
    assert!(lines.len() < 20, "{ran:?}");
    let next = lines.iter().position(|line| *line == "What to do next").unwrap();
    assert!(lines[next + 1].contains(" view antiquary-demo/scpcb"), "{ran:?}");
    assert!(lines[next + 2].contains("open antiquary-demo/converted/index.html in a browser"), "{ran:?}");
    assert_eq!(Place::new().run(&["demo", "-q"]).ended(0).text(), "");
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

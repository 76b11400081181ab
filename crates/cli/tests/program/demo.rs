//! `demo`: sample games, checked and converted.

use crate::setup::Sandbox;

#[test]
fn creates_games_and_converts_them() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["demo"]).exits_with(0);
    let files = sandbox.files();
    assert!(files.iter().all(|file| file.starts_with("antiquary-demo/")), "{files:?}");
    assert!(files.iter().any(|file| file.starts_with("antiquary-demo/converted/")), "{files:?}");
    let page = String::from_utf8(sandbox.read("antiquary-demo/converted/index.html")).unwrap();
    for game in antiquary::GAMES {
        assert!(page.contains(&format!("href=\"{}/", game.id)), "{}", game.id);
    }
    for command in ["check", "convert"] {
        assert!(output.text().contains(&format!(" {command} antiquary-demo/scpcb")), "{output:?}");
    }
}

#[test]
fn prints_a_short_output_that_shows_the_games_first() {
    let output = Sandbox::new().run(&["demo"]).exits_with(0);
    let lines: Vec<_> = output.text().lines().collect();
    assert!(lines.len() < 20, "{output:?}");
    let next = lines.iter().position(|line| *line == "What to do next").unwrap();
    assert!(lines[next + 1].contains(" view antiquary-demo/scpcb"), "{output:?}");
    assert!(lines[next + 2].contains("open antiquary-demo/converted/index.html in a browser"), "{output:?}");
    assert_eq!(Sandbox::new().run(&["demo", "-q"]).exits_with(0).text(), "");
}

#[test]
fn overwrites_nothing_by_default() {
    let sandbox = Sandbox::with(&[("here/mine.txt", b"mine")]);
    let output = sandbox.run(&["demo", "-o", "here"]).exits_with(2);
    assert!(output.err.contains("--force"), "{output:?}");
    assert_eq!(sandbox.files(), ["here/mine.txt"]);
    sandbox.run(&["demo", "-o", "here", "--force"]).exits_with(0);
    sandbox.run(&["demo", "-o", "here", "--force"]).exits_with(0);
    assert_eq!(sandbox.read("here/mine.txt"), b"mine");
}

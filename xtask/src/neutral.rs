//! Tests that the crates shared by all games do not mention any game.

use std::fs;
use std::path::{Path, PathBuf};

use crate::paths;

/// The crates that all games use, or that display any of them.
const NEUTRAL: [&str; 9] =
    ["record", "json", "files", "asset", "scene", "light", "render", "media", "explorer"];

/// Names of games and their formats.
const WORDS: [&str; 5] = ["redguard", "soup", "rmesh", "rsm", "grf"];

/// The source files below a folder, without tests.
fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            true if name != "tests" => sources(&path, out),
            false if name.ends_with(".rs") && name != "tests.rs" => out.push(path),
            _ => {}
        }
    }
}

/// The names of games in a text with their line numbers, without tests at its end.
fn words_of_games(text: &str) -> Vec<(usize, &'static str)> {
    let code = text.split_once("\nmod tests {").map_or(text, |(code, _)| code);
    let found = (1..).zip(code.lines()).flat_map(|(number, line): (usize, &str)| {
        let line = line.to_lowercase();
        let words: Vec<_> =
            line.split(|letter: char| !letter.is_alphabetic()).map(ToOwned::to_owned).collect();
        WORDS
            .into_iter()
            .filter(move |word| words.iter().any(|it| it == word))
            .map(move |word| (number, word))
    });
    found.collect()
}

#[test]
fn shared_crates_mention_no_game() {
    let mut found = Vec::new();
    for name in NEUTRAL {
        let mut files = Vec::new();
        sources(&paths::root().join("crates").join(name).join("src"), &mut files);
        assert!(!files.is_empty(), "{name}");
        for file in files {
            let words = words_of_games(&fs::read_to_string(&file).unwrap());
            found.extend(words.into_iter().map(|(line, word)| format!("{}:{line}: {word}", file.display())));
        }
    }
    assert!(
        found.is_empty(),
        "names of games in crates that all games share; move the code to the crate of the game:\n{}",
        found.join("\n")
    );
}

#[test]
fn finds_names_of_games_in_code_and_comments_but_not_in_tests() {
    assert_eq!(
        words_of_games("#[cfg(test)]\nmod tests;\n// a Room.RMesh\n#[cfg(test)]\nmod tests {\n\"grf\" }"),
        [(3, "rmesh")]
    );
    assert!(words_of_games("versus the persm").is_empty());
}

//! Tests that no text of the project contains words and phrases that have a plainer replacement.

use std::fs;
use std::process::Command;

use crate::command::text;
use crate::paths;

/// Each word or phrase, in lower case, with what to write instead.
const REPLACED: &[(&str, &str)] = &[
    ("amiss", "wrong, invalid, defect"),
    ("anew", "again"),
    ("as many as", "the same number as, up to"),
    ("beside", "next to, sibling, companion"),
    ("besides", "also, in addition"),
    ("crew", "developers"),
    ("is told", "is reported"),
    ("are told", "are reported"),
    ("laid", "written, placed, entries"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("mends", "fixes"),
    ("nobody", "no one, not used, unknown"),
    ("somebody", "someone"),
    ("stranger", "unknown, unrelated"),
    ("strangers", "unknown, unrelated"),
    ("such as are", "those that are"),
    ("tell", "report, show"),
    ("tells", "reports, shows"),
    ("thereof", "its"),
    ("told", "reported, shown"),
    ("what came of", "results"),
    ("what is to be known", "metadata"),
    ("whence", "from where"),
    ("whoever", "the user, the caller"),
];

/// Phrases with a good use of one of the words.
const ALLOWED: &[&str] = &["laid out"];

/// This list, which is not searched.
const THIS: &str = "xtask/src/words.rs";

/// Words that are data: each with its file.
const DATA: &[(&str, &str)] = &[
    // The value `beside` of the option `images` of rooms.
    ("crates/scpcb/src/rmesh/import/option.rs", "beside"),
    ("crates/cli/tests/cmd/help.trycmd", "beside"),
    ("docs/src/cli.md", "beside"),
    // The flag `MariahTellIszara` of Redguard.
    ("crates/redguard-files/src/save/flag.rs", "tell"),
];

/// Ends of the names of files that consist of text.
const TEXTS: &[&str] =
    &[".rs", ".md", ".ts", ".tsx", ".mjs", ".html", ".css", ".py", ".toml", ".yml", ".trycmd"];

/// The words of a line in lower case. Names such as `snake_case` and `CamelCase` are several words.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut was_lower = false;
    let mut word = String::new();
    for letter in line.chars() {
        if !letter.is_alphabetic() || was_lower && letter.is_uppercase() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// The words and phrases to be replaced in a line.
fn replaced_words(line: &str) -> Vec<(&'static str, &'static str)> {
    let mut line = format!(" {} ", words(line).join(" "));
    for phrase in ALLOWED {
        line = line.replace(&format!(" {phrase} "), " ");
    }
    REPLACED.iter().filter(|(phrase, _)| line.contains(&format!(" {phrase} "))).copied().collect()
}

#[test]
fn texts_use_plain_words() {
    let files = text(Command::new("git").arg("ls-files").current_dir(paths::root())).unwrap();
    let texts = files.lines().filter(|file| TEXTS.iter().any(|end| file.ends_with(end)));
    let mut found = Vec::new();
    let mut count = 0;
    for file in texts.filter(|file| *file != THIS) {
        count += 1;
        let text = fs::read_to_string(paths::root().join(file)).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let lines = replaced_words(line).into_iter();
            let lines = lines.filter(|(phrase, _)| !DATA.contains(&(file, *phrase)));
            found.extend(
                lines.map(|(phrase, instead)| format!("{file}:{number}: {phrase} (write: {instead})")),
            );
        }
    }
    assert!(count > 1000, "only {count} files were searched");
    assert!(found.is_empty(), "{} words to replace:\n{}", found.len(), found.join("\n"));
}

#[test]
fn words_are_found_in_sentences_and_names() {
    let found = |line| replaced_words(line).into_iter().map(|(phrase, _)| phrase).collect::<Vec<_>>();
    assert_eq!(found("/// Whoever asks is told."), ["is told", "told", "whoever"]);
    assert_eq!(found("fn write_amiss(TellNames)"), ["amiss", "tell"]);
    assert_eq!(found("as  many-as"), ["as many as"]);
    assert!(found("rooms laid out in rows").is_empty());
    assert!(found("retold satellites, besiege").is_empty());
}

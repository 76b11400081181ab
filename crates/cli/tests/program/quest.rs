//! The guide of the book for a quest: the instructions of its page are executed in order.

use crate::setup::{RunOutput, Sandbox};

/// The page of the book.
const PAGE: &str = include_str!("../../../../docs/src/guide/quest.md");

/// A step of the page.
#[derive(Debug, PartialEq)]
enum Step {
    Run(Vec<String>),
    /// The output of the previous command.
    Prints(String),
    Copy(String, String),
    Write(String, String),
    Append(String, String),
    /// A file, one of its lines, and the text to insert below it.
    Below(String, String, String),
}

/// The steps of a page: its commands and file edits.
fn steps(page: &str) -> Vec<Step> {
    let (mut out, mut lines, mut sentence) = (Vec::new(), page.lines(), String::new());
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            if !line.is_empty() {
                sentence = line.to_owned();
                out.extend(copied(line));
            }
            continue;
        };
        let block: String =
            lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        match (language, edit(&sentence, &block)) {
            ("sh", _) => out.extend(commands(&block).into_iter().map(Step::Run)),
            (_, Some(edit)) => out.push(edit),
            ("text", None) => out.push(Step::Prints(block)),
            (language, None) => panic!("what is a block of {language} behind \"{sentence}\"?"),
        }
        sentence.clear();
    }
    out
}

/// The parts of a sentence in backquotes.
fn quoted(sentence: &str) -> Vec<String> {
    sentence.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// `Copy A to B.`
fn copied(sentence: &str) -> Option<Step> {
    let names =
        quoted(sentence.split_once("Copy `").map(|(_, rest)| rest).map(|rest| format!("`{rest}"))?.as_str());
    let [from, to] = names.as_slice() else { return None };
    Some(Step::Copy(from.clone(), to.clone()))
}

/// The edit described by the sentence before a block.
fn edit(sentence: &str, block: &str) -> Option<Step> {
    let names = quoted(sentence.rsplit(". ").next()?);
    match names.as_slice() {
        [file, ..] if sentence.contains("Write `") => Some(Step::Write(file.clone(), block.to_owned())),
        [file, ..] if sentence.starts_with("Add to the end of `") => {
            Some(Step::Append(file.clone(), block.to_owned()))
        }
        [line, file, ..] if sentence.starts_with("Below the line `") => {
            Some(Step::Below(file.clone(), line.clone(), block.to_owned()))
        }
        _ => None,
    }
}

/// The commands of a block with their arguments, without the name of the program.
fn commands(block: &str) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    for line in block.replace("\\\n", " ").lines() {
        let mut words = Vec::new();
        for (number, part) in line.split('\'').enumerate() {
            match number % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        assert_eq!(words.first().map(String::as_str), Some("antiquary"), "{line}");
        out.push(words.split_off(1));
    }
    out
}

/// Inserts lines into a file with CRLF line endings.
fn insert(sandbox: &Sandbox, file: &str, line: Option<&str>, added: &str) {
    let text = String::from_utf8(sandbox.read(file)).unwrap();
    let added = added.replace('\n', "\r\n");
    let text = match line {
        Some(line) => {
            let line = format!("\n{line}\r\n");
            assert_eq!(text.matches(&line).count(), 1, "{file}: {line}");
            text.replacen(&line, &format!("{line}{added}"), 1)
        }
        None => text + &added,
    };
    sandbox.put(file, text.as_bytes());
}

fn without_warnings(output: RunOutput, command: &[String]) -> RunOutput {
    let output = output.exits_with(0);
    assert!(!output.err.contains("warning"), "{command:?}: {output:?}");
    output
}

/// Executes the steps of the page. Returns the arguments of the last command.
fn follow(sandbox: &Sandbox) -> Vec<String> {
    let (mut last, mut printed) = (Vec::new(), String::new());
    for step in steps(PAGE) {
        match step {
            Step::Run(command) => {
                let output = without_warnings(sandbox.run(&command), &command);
                printed = output.text().to_owned();
                last = command;
            }
            Step::Prints(text) => assert_eq!(printed, text, "{last:?}"),
            Step::Copy(from, to) => sandbox.put(&to, &sandbox.read(&from)),
            Step::Write(file, text) => sandbox.put(&file, text.as_bytes()),
            Step::Append(file, text) => insert(sandbox, &file, None, &text),
            Step::Below(file, line, text) => insert(sandbox, &file, Some(&line), &text),
        }
    }
    assert!(printed.contains("PILGRIM   says 'pilg'"), "{printed}");
    last
}

#[test]
fn the_guide_of_the_book_gives_a_working_quest() {
    let sandbox = Sandbox::new();
    let run = follow(&sandbox);
    let output = sandbox.run(&[run, vec!["--json".to_owned()]].concat()).exits_with(0).json();
    let state = &output["results"][0]["state"];
    assert_eq!(state["flags"]["Pilgrim_Met"]["value"], 1, "{state}");
    assert_eq!(state["game"]["items"]["all"]["5"]["owned"], 1, "{state}");
    let lines = sandbox.run(&["list", "mod/ENGLISH.RTX"]).exits_with(0);
    assert!(lines.text().contains("pilg.wav  (\"Light it in the tower"), "{lines:?}");
    let edited = ["ENGLISH.RTX", "ITEM.INI", "maps/ISLAND.RGM", "soup386/SOUP386.DEF"];
    let files = sandbox.files().into_iter().filter_map(|file| file.strip_prefix("mod/").map(str::to_owned));
    assert_eq!(files.collect::<Vec<_>>(), edited);
}

#[test]
fn splits_a_page_into_steps() {
    let page = "Copy `a` to `b`.\n\nWrite `c`:\n\n```text\nx\n```\n\n```sh\nantiquary set c 'd=e f' \\\n  -o g\n```\n\n```text\ny\n```\n";
    let command = ["set", "c", "d=e f", "-o", "g"].map(str::to_owned).to_vec();
    let text = |text: &str| text.to_owned();
    assert_eq!(
        steps(page),
        [
            Step::Copy(text("a"), text("b")),
            Step::Write(text("c"), text("x\n")),
            Step::Run(command),
            Step::Prints(text("y\n")),
        ]
    );
}

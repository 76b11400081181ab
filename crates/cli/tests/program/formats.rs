//! `formats` and `completions`: all declarations of the library are shown.

use antiquary::CATALOG;

use crate::setup::Sandbox;

#[test]
fn lists_every_format() {
    let output = Sandbox::new().run(&["formats"]).exits_with(0);
    for format in CATALOG.formats() {
        let row = output.text().lines().find(|line| line.split_whitespace().next() == Some(format.id));
        assert!(row.is_some_and(|row| row.contains(format.name)), "{}", format.id);
    }
}

#[test]
fn shows_all_details_of_a_format() {
    for format in CATALOG.formats() {
        let output = Sandbox::new().run(&["formats", format.id]).exits_with(0);
        let shown = |text: &str| assert!(output.text().contains(text), "{} lacks {text}", format.id);
        format.outputs().iter().for_each(|output| shown(output.extension));
        format.options.iter().for_each(|option| shown(option.about));
        format.all_codes().for_each(|code| shown(&format!("{} {}: {}", code.severity, code.id, code.title)));
        assert!(output.text().lines().all(|line| line.chars().count() <= 140), "{}", output.text());
    }
}

#[test]
fn suggests_a_similar_format() {
    let output = Sandbox::new().run(&["formats", "rmsh"]).exits_with(2);
    assert_eq!(output.err, "error: unknown format \"rmsh\"; did you mean \"rmesh\"?\n");
}

#[test]
fn describes_the_bytes_of_every_declared_format_in_every_language() {
    let declared = CATALOG.formats().filter(|format| format.schema.is_some());
    for format in declared {
        let write = |language| Sandbox::new().run(&["formats", format.id, "--as", language]).exits_with(0);
        let (ksy, page) = (write("ksy"), write("md"));
        assert!(ksy.text().contains(&format!("id: {}", format.id.replace('.', "_"))), "{}", ksy.text());
        assert!(page.text().starts_with(&format!("# {}\n", format.name)), "{}", page.text());
        check_pattern(write("hexpat").text());
    }
}

/// Checks that a pattern for ImHex has matching brackets, declares each type before its use, and places the file.
fn check_pattern(text: &str) {
    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
        assert_eq!(code.matches(open).count(), code.matches(close).count(), "{open}{close} in {code}");
    }
    let mut known = Vec::new();
    for line in code.lines() {
        let words: Vec<&str> = line.trim().split([' ', '<', ';', ':']).collect();
        match words.as_slice() {
            ["struct" | "enum" | "using", name, ..] => known.push(*name),
            [first, ..] | ["be", first, ..]
                if first.starts_with(|letter: char| letter.is_ascii_uppercase()) =>
            {
                assert!(known.contains(first), "{first} is used before its declaration in {code}");
            }
            _ => {}
        }
    }
    assert!(code.contains(" file @ 0x00;"), "{code}");
}

#[test]
fn a_language_requires_a_format_with_declared_bytes() {
    let output = Sandbox::new().run(&["formats", "--as", "ksy"]).exits_with(2);
    assert!(output.err.contains("<ID>"), "{}", output.err);
    let output = Sandbox::new().run(&["formats", "obj", "--as", "ksy"]).exits_with(2);
    assert!(output.err.contains("the bytes of `scpcb.obj` files are not declared"), "{}", output.err);
    assert!(output.err.contains("redguard.sfx"), "{}", output.err);
    let output = Sandbox::new().run(&["formats", "sfx", "--as", "ksi"]).exits_with(2);
    assert!(output.err.contains("'ksy'"), "{}", output.err);
    Sandbox::new().run(&["formats", "rmsh", "--as", "ksy"]).exits_with(2);
}

#[test]
fn completes_format_options_in_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = Sandbox::new().run(&["completions", shell]).exits_with(0);
        for (option, _) in CATALOG.options() {
            assert!(output.text().contains(option), "{shell} lacks {option}");
        }
    }
}

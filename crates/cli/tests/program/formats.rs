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
fn completes_format_options_in_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = Sandbox::new().run(&["completions", shell]).exits_with(0);
        for (option, _) in CATALOG.options() {
            assert!(output.text().contains(option), "{shell} lacks {option}");
        }
    }
}

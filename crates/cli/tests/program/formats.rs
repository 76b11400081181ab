//! `formats` and `completions`: they show what the library declares, all of it.

use antiquary::CATALOG;

use crate::setup::Place;

#[test]
fn every_format_stands_in_the_table() {
    let ran = Place::new().run(&["formats"]).ended(0);
    for format in CATALOG.formats() {
        let row = ran.text().lines().find(|line| line.split_whitespace().next() == Some(format.id));
        assert!(row.is_some_and(|row| row.contains(format.name)), "{}", format.id);
    }
}

#[test]
fn everything_about_a_format_is_shown() {
    for format in CATALOG.formats() {
        let ran = Place::new().run(&["formats", format.id]).ended(0);
        let shown = |text: &str| assert!(ran.text().contains(text), "{} lacks {text}", format.id);
        format.outputs().iter().for_each(|output| shown(output.extension));
        format.options.iter().for_each(|option| shown(option.about));
        format.all_codes().for_each(|code| shown(&format!("{} {}: {}", code.severity, code.id, code.title)));
        assert!(ran.text().lines().all(|line| line.chars().count() <= 140), "{}", ran.text());
    }
}

#[test]
fn a_slip_of_the_pen_is_understood() {
    let ran = Place::new().run(&["formats", "rmsh"]).ended(2);
    assert_eq!(ran.err, "error: unknown format \"rmsh\"; did you mean \"rmesh\"?\n");
}

#[test]
fn every_shell_completes_the_options_of_formats() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = Place::new().run(&["completions", shell]).ended(0);
        for (option, _) in CATALOG.options() {
            assert!(ran.text().contains(option), "{shell} does not know {option}");
        }
    }
}

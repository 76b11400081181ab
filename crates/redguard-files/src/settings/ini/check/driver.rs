//! Checks DIG.INI and MDI.INI.

use asset::Report;
use files::suggest::did_you_mean;

use super::super::driver::{Setting, keys};
use super::super::lookup::lines;
use super::Subject;
use super::warning::{UNKNOWN, VALUE};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for line in lines(subject.settings.ini()) {
        let Some(setting) = Setting::of(&line) else { continue };
        let (number, word) = (line.line, setting.word);
        match setting.key() {
            Some(key) => {
                if let Some(problem) = key.problem(setting.value) {
                    report.warn(&VALUE, format!("line {number}: {word} {problem}")).at(line.offset);
                }
            }
            None => {
                let hint = did_you_mean(word, keys().iter().map(|key| key.name));
                let message = format!("line {number}: the game ignores \"{word}\"{hint}");
                report.warn(&UNKNOWN, message).at(line.offset);
            }
        }
    }
}

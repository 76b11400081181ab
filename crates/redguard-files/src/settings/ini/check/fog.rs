//! Checks FOG.INI.

use asset::Report;
use media::ini::Line;

use super::super::value::{integer, is_number};
use super::Subject;
use super::warning::FOG;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let mut before = -1;
    for placed in subject.settings.ini().lines() {
        let Line::Text(text) = placed.line else { continue };
        let mut warn = |message: String| {
            report.warn(&FOG, format!("line {}: {message}", placed.number)).at(placed.offset);
        };
        let Some((index, value)) = text.split_once(',').map(|(index, value)| (index.trim(), value.trim()))
        else {
            warn("expected INDEX,DENSITY".to_owned());
            continue;
        };
        // The last line has no density.
        let is_end = value.is_empty() && index == "63";
        let are_numbers = is_number(index) && is_number(value);
        if !is_end && !are_numbers {
            warn("expected INDEX,DENSITY".to_owned());
            continue;
        }
        let (index, value) = (integer(index), integer(value));
        match () {
            () if !(0..64).contains(&index) => warn(format!("index {index} (valid: 0 to 63)")),
            () if index <= before => {
                warn(format!("index {index} is not greater than the previous index {before}"));
            }
            () if !(0..256).contains(&value) => warn(format!("density {value} (valid: 0 to 255)")),
            () => {}
        }
        before = index;
    }
}

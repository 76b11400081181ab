//! Checks of drink names. A section has several; the first section with a name serves the drink.

use std::collections::{BTreeMap, BTreeSet};

use asset::Report;

use super::section::Sections;
use super::warning;

pub(super) fn check(sections: &Sections<'_>, report: &mut Report) {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    // A section with the same complete name as another one is reported as a duplicate.
    let mut seen = BTreeSet::new();
    for section in sections.0.iter().filter(|section| seen.insert(section.section.name.to_lowercase())) {
        let (name, own_line) = (&section.section.name, section.section.line);
        for drink in name.split('|').map(|drink| drink.trim().to_lowercase()) {
            let line = *lines.entry(drink.clone()).or_insert(own_line);
            if line != own_line && !drink.is_empty() {
                let message = format!("\"{drink}\" is in line {line}, too; the game only serves the first");
                section.warn(&warning::SAME_DRINK, message, report);
            }
        }
    }
}

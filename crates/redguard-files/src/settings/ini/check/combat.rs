//! Checks COMBAT.INI.

use asset::{Report, counted};
use media::ini::Section;

use super::super::combat;
use super::super::lookup::without_comment;
use super::Subject;
use super::warning::GAP;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let sections = subject.settings.ini().sections();
    for (list, plural, keys) in
        [("attack", "attacks", &["damage", "type"][..]), ("defend", "defenses", &["max_range"])]
    {
        let found = combat::list(&sections, list);
        // The game also stops at the first number without values.
        let has_values = |section: &Section<'_>| {
            keys.iter().any(|key| section.get(key).is_some_and(|value| !without_comment(value).is_empty()))
        };
        let loaded =
            (0..).zip(&found).take_while(|(number, (known, it))| number == known && has_values(it)).count();
        let (Some(lost), Some((number, section))) = (found.len().checked_sub(loaded), found.get(loaded))
        else {
            continue;
        };
        let expected = u32::try_from(loaded).unwrap_or(u32::MAX);
        if *number == expected {
            // The last one may be there to end the list.
            if lost > 1 {
                let message = format!(
                    "line {}: {list}{expected:02} has no {}, so the game ignores the {} from there on",
                    section.line,
                    keys.join(" and no "),
                    counted(lost, list, plural)
                );
                report.warn(&GAP, message).at(section.offset);
            }
            continue;
        }
        let message = format!(
            "{list}{expected:02} is missing, so the game does not load the {} after it",
            counted(lost, list, plural)
        );
        report.warn(&GAP, message).at(section.offset);
    }
}

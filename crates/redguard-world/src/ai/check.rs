//! Checks separate script files.

use asset::{Report, counted, thousands};

use super::layout::{AiFile, GROUPS, Group, Groups, Section};
use super::warning;
use crate::map::object::MAX_GROUP;

/// Reports the defects of a file. `sounds` is the number of sound effects of the game, if it is known.
pub(super) fn check(file: &AiFile, sounds: Option<i32>, report: &mut Report) {
    let mut has_groups = false;
    for (index, section) in file.sections.iter().enumerate() {
        let path = format!("sections[{index}]");
        match section {
            Section::Groups(section) => {
                has_groups = true;
                check_list(section, &path, report);
                for (number, group) in section.groups.iter().enumerate() {
                    check_group(group, &format!("{path}.groups[{number}]"), sounds, report);
                }
            }
            Section::Other { tag, data } if tag.0 == GROUPS => {
                let message = format!("AIAN does not fit its layout ({} bytes)", bytes(data.len()));
                report.warn(&warning::KEPT, message).in_field(path);
            }
            Section::Other { tag, data } => {
                let message =
                    format!("undocumented section {} ({} bytes)", tag.0.escape_ascii(), bytes(data.len()));
                report.warn(&warning::UNKNOWN, message).in_field(path);
            }
        }
    }
    if !has_groups {
        report.warn(&warning::NO_GROUPS, "the section AIAN is missing").in_field("sections");
    }
    if !file.end {
        report.warn(&warning::NO_END, "the END tag is missing");
    }
    check_rest(&file.rest, "after the end", "rest", report);
}

fn check_list(section: &Groups, path: &str, report: &mut Report) {
    let highest = section.groups.iter().map(|group| group.number).max();
    if highest.is_some_and(|highest| highest != u16::from(section.most_group)) {
        let message = format!(
            "most_group is {}, but the highest group is {}",
            section.most_group,
            highest.unwrap_or_default()
        );
        report.warn(&warning::HIGHEST, message).in_field(format!("{path}.most_group"));
    }
    if !section.list_end {
        report.warn(&warning::LIST_END, "the list of groups has no end").in_field(path);
    }
    check_rest(&section.rest, "after the groups", &format!("{path}.rest"), report);
}

fn check_group(group: &Group, path: &str, sounds: Option<i32>, report: &mut Report) {
    if group.number > MAX_GROUP {
        let message =
            format!("the animation group {} does not exist (valid: 0 to {MAX_GROUP})", group.number);
        report.warn(&warning::GROUP, message).in_field(format!("{path}.number"));
    }
    let count = group.commands.len();
    let is_missing = |target: &i32| usize::try_from(*target).map_or(true, |target| target >= count);
    for (number, command) in group.commands.iter().enumerate() {
        if let Some(target) = command.jump().filter(is_missing) {
            let commands = counted(count, "command", "commands");
            let message =
                format!("{} jumps to command {target}, but the group has {commands}", command.name());
            report.warn(&warning::JUMP, message).in_field(format!("{path}.commands[{number}]"));
        }
        let silent = sounds.zip(command.sound()).filter(|(sounds, sound)| !(0..*sounds).contains(sound));
        if let Some((sounds, sound)) = silent {
            let message = format!("sound {sound} is played, but MAIN.SFX has {sounds} sounds");
            report.warn(&warning::SOUND, message).in_field(format!("{path}.commands[{number}]"));
        }
    }
    check_rest(&group.rest, "after the commands", &format!("{path}.rest"), report);
}

fn check_rest(rest: &[u8], place: &str, path: &str, report: &mut Report) {
    if !rest.is_empty() {
        let message = format!("{} {place}", counted(rest.len(), "unexpected byte", "unexpected bytes"));
        report.warn(&warning::LEFT_OVER, message).in_field(path);
    }
}

fn bytes(length: usize) -> String {
    thousands(u64::try_from(length).unwrap_or(u64::MAX))
}

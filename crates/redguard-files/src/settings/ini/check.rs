//! Checks settings files.

use std::collections::BTreeMap;

use asset::{Context, Report, counted};
use media::ini::{Line, Section};

use crate::sound::rtx;

use super::value::{indexed, integer, is_number};
use super::world::{Worlds, find, find_palette};
use super::{Kind, Settings, combat, surface};

crate::codes! {
    IGNORED = "INI-W001", Warning, "ignored key",
        "A key with the number of a world does not start with world_, so the game ignores it. The shipped WORLD.INI has two. Example: \
        `line 286: the game ignores \"orld_ambientfx[8]\"; did you mean \"world_ambientfx[8]\"?`.";
    REPEATED = "INI-N002", Note, "repeated key",
        "A key occurs twice in a section; the game uses the first one. Example: `line 41: \"world_map[4]\" is already set in line 38, which takes precedence`.";
    GAP = "INI-W003", Warning, "gap in a list",
        "The game loads attacks and defenses up to the first number that is missing or has no values; those after it are ignored. Example: \
        `attack12 is missing, so the game does not load the 3 attacks after it`.";
    MISSING = "INI-W004", Warning, "missing file",
        "A referenced file was not found in the game. Example: `line 11: map \"MAPS\\start.rgm\" was not found`.";
    SURFACE = "INI-W005", Warning, "unknown surface",
        "A surface is unknown to the game, or a line cannot be read. Example: `line 12: unknown surface \"grass\"`.";
    END = "INI-W006", Warning, "end of a list",
        "A line for image 0 of bank 0 ends the list of surfaces; the game does not read the lines after it. Example: `line 38 ends the list: 4 lines \
        after it are not read`.";
    FOG = "INI-W007", Warning, "fog table",
        "A line of a fog table is invalid: an index or a density is out of range, or the indices are not in ascending order. Example: `line 4: index 64 (valid: \
        0 to 63)`.";
    OUTSIDE = "INI-W008", Warning, "key outside of a section",
        "A key precedes the first section. The game does not find it. Example: `line 1: \"start_world\" is outside of any section`.";
    LABEL = "INI-W010", Warning, "missing line of dialogue",
        "A label was not found in ENGLISH.RTX, so no text is shown and no voice is played. Example: `line 12: dialogue line \"?i00\" was not found`.";
    LINE = "INI-N009", Note, "unreadable line",
        "A line looks like a section header, but is not one. Example: `line 7: \"[world\" has no closing bracket`.";
}

/// Keys of worlds and items that refer to files, with the kind of file.
const FILES: &[(&str, &str)] = &[
    ("world_map", "map"),
    ("world_world", "terrain"),
    ("world_skyfx", "sky"),
    ("inventory_object_file", "model"),
    ("hand_object_file", "model"),
    ("hilt_object_file", "model"),
];

pub(super) fn check(settings: &Settings, context: &Context<'_>, report: &mut Report) {
    lines(settings, report);
    repeated(settings, report);
    match settings.kind() {
        Some(Kind::World) => {
            ignored(settings, report);
            files(settings, context, report);
        }
        Some(Kind::Item) => {
            files(settings, context, report);
            labels(settings, context, report);
        }
        Some(Kind::Combat) => {
            gaps(settings, report);
            labels(settings, context, report);
        }
        Some(Kind::Surface) => surfaces(settings, report),
        Some(Kind::Fog) => fog(settings, report),
        _ => {}
    }
}

/// Reports labels without a line of dialogue.
fn labels(settings: &Settings, context: &Context<'_>, report: &mut Report) {
    let Some(known) = rtx::labels(context) else { return };
    let is_label = |key: &str| {
        key.eq_ignore_ascii_case("rtx_label")
            || indexed(key).is_some_and(|(name, _)| super::item::TEXTS.contains(&name.as_str()))
    };
    for entry in settings.ini().sections().iter().flat_map(|section| &section.entries) {
        let label = entry.value.trim();
        if is_label(&entry.key) && !label.is_empty() && !known.contains(label) {
            let message = format!("line {}: dialogue line \"{label}\" was not found", entry.line);
            report.warn(&LABEL, message).at(entry.offset);
        }
    }
}

fn lines(settings: &Settings, report: &mut Report) {
    let is_table = matches!(settings.kind(), Some(Kind::Fog | Kind::Driver));
    let mut is_inside = false;
    for placed in settings.ini().lines() {
        match placed.line {
            Line::Section(_) => is_inside = true,
            Line::Entry(key, _) if !is_inside && !is_table => {
                let message = format!("line {}: \"{key}\" is outside of any section", placed.number);
                report.warn(&OUTSIDE, message).at(placed.offset);
            }
            Line::Text(text) if text.starts_with('[') => {
                let message = format!("line {}: \"{text}\" has no closing bracket", placed.number);
                report.warn(&LINE, message).at(placed.offset);
            }
            _ => {}
        }
    }
}

fn repeated(settings: &Settings, report: &mut Report) {
    // For the sounds of a surface, the last assignment takes precedence.
    let counts_last = |section: &Section<'_>| {
        settings.kind() == Some(Kind::Surface)
            && surface::SURFACES.iter().any(|name| section.name.trim().eq_ignore_ascii_case(name))
    };
    for section in settings.ini().sections().into_iter().filter(|section| !counts_last(section)) {
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        for entry in &section.entries {
            match first.get(&entry.key.to_lowercase()) {
                Some(line) => {
                    let message = format!(
                        "line {}: \"{}\" is already set in line {line}, which takes precedence",
                        entry.line, entry.key
                    );
                    report.warn(&REPEATED, message).at(entry.offset);
                }
                None => drop(first.insert(entry.key.to_lowercase(), entry.line)),
            }
        }
    }
}

fn ignored(settings: &Settings, report: &mut Report) {
    for key in Worlds::read(settings.ini()).ignored {
        let lower = key.key.to_lowercase();
        // The keys in the shipped file that the game ignores are missing their first letter.
        let suggestion = if lower.starts_with("orld_") {
            format!("; did you mean \"w{}\"?", key.key)
        } else {
            String::new()
        };
        let message = format!("line {}: the game ignores \"{}\"{suggestion}", key.line, key.key);
        report.warn(&IGNORED, message).at(key.offset);
    }
}

/// Reports missing files. A settings file outside of a game cannot be checked.
fn files(settings: &Settings, context: &Context<'_>, report: &mut Report) {
    if context.install.game().is_none() {
        return;
    }
    for section in settings.ini().sections() {
        let mut seen = BTreeMap::new();
        for entry in &section.entries {
            let Some((name, _)) = indexed(&entry.key) else { continue };
            let value = entry.value.as_ref();
            if value.is_empty() || seen.insert(entry.key.to_lowercase(), ()).is_some() {
                continue;
            }
            let what = FILES.iter().find(|(known, _)| *known == name).map(|(_, what)| *what);
            let (what, is_found) = match (what, name.as_str()) {
                (_, "world_palette") => ("palette", find_palette(context, value).is_some()),
                (Some(what), _) => (what, is_found(context, what, value)),
                (None, _) => continue,
            };
            if !is_found {
                let message = format!("line {}: {what} \"{value}\" was not found", entry.line);
                report.warn(&MISSING, message).at(entry.offset);
            }
        }
    }
}

/// Whether a file was found. Models have one of two extensions, and may be in the folder of the other renderer.
fn is_found(context: &Context<'_>, what: &str, path: &str) -> bool {
    if find(context, path).is_some() {
        return true;
    }
    let name = path.rsplit(['\\', '/']).next().unwrap_or(path);
    let stem = super::world::stem_of(path);
    let extensions: &[&str] = if what == "model" { &["3D", "3DC"] } else { &[] };
    let folders = ["fxart", "3dart"].iter();
    folders.clone().any(|folder| find(context, &format!("{folder}/{name}")).is_some())
        || folders
            .flat_map(|folder| extensions.iter().map(move |extension| format!("{folder}/{stem}.{extension}")))
            .any(|path| find(context, &path).is_some())
}

fn gaps(settings: &Settings, report: &mut Report) {
    let sections = settings.ini().sections();
    for (list, plural, keys) in
        [("attack", "attacks", &["damage", "type"][..]), ("defend", "defenses", &["max_range"])]
    {
        let found = combat::list(&sections, list);
        // The game also stops at the first number without values.
        let has_values = |section: &Section<'_>| {
            keys.iter().any(|key| section.get(key).is_some_and(|value| integer(value) != 0))
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

fn surfaces(settings: &Settings, report: &mut Report) {
    let ini = settings.ini();
    let all = surface::assignments(ini);
    let line_of = |offset: u64| ini.lines().find(|line| line.offset == offset).map_or(0, |line| line.number);
    for it in all.iter().filter(|it| !surface::SURFACES.contains(&it.kind.as_str())) {
        let message = format!("line {}: unknown surface \"{}\"", line_of(it.offset), it.kind);
        report.warn(&SURFACE, message).at(it.offset);
    }
    let texts: Vec<_> = ini.section("surfaces").into_iter().flat_map(|section| section.texts).collect();
    for line in texts.iter().filter(|line| all.iter().all(|it| it.offset != line.offset)) {
        let message = format!("line {}: expected BANK,IMAGE,SURFACE", line.line);
        report.warn(&SURFACE, message).at(line.offset);
    }
    let end = all.iter().position(|it| it.set == 0 && it.image.unwrap_or(0) == 0);
    if let Some(end) = end
        && let (Some(it), Some(ignored_lines)) =
            (all.get(end), all.len().checked_sub(end.saturating_add(1)).filter(|it| *it > 0))
    {
        let message = format!(
            "line {} ends the list: {} not read",
            line_of(it.offset),
            counted(ignored_lines, "line after it is", "lines after it are")
        );
        report.warn(&END, message).at(it.offset);
    }
}

fn fog(settings: &Settings, report: &mut Report) {
    let mut before = -1;
    for placed in settings.ini().lines() {
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

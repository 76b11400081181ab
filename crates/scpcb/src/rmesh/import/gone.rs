//! What a room had and its scene no longer has: other programs drop lights and custom properties unless they are asked to keep them.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Options, Report, Words, counted, first_few};

use super::Found;
use crate::rmesh::dialect::AnyEntity;
use crate::rmesh::{RMesh, warning};

/// `--keep`.
pub(super) const KEEP: Words<Kept> = Words::new(
    "keep",
    "What is taken from the room of --base where the scene no longer has it.",
    &[
        ("lights", "lights and spotlights"),
        ("entities", "all other entities, such as props, sounds and waypoints"),
        ("triggers", "trigger boxes"),
        ("collision", "collision surfaces"),
    ],
    &[Kept::Lights, Kept::Entities, Kept::Triggers, Kept::Collision],
);

/// What can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Lights and spotlights.
    Lights,
    /// All other entities, such as props, sounds and waypoints.
    Entities,
    /// Trigger boxes.
    Triggers,
    /// Collision surfaces.
    Collision,
}

/// What is kept where the scene no longer has it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Keep {
    lights: bool,
    entities: bool,
    triggers: bool,
    collision: bool,
}

impl Keep {
    pub(super) fn chosen(options: &Options) -> Self {
        let has = |kept| options.has(&KEEP, &kept);
        Self {
            lights: has(Kept::Lights),
            entities: has(Kept::Entities),
            triggers: has(Kept::Triggers),
            collision: has(Kept::Collision),
        }
    }

    /// Whether entities of a class are kept, and the word that keeps them.
    fn class(self, class: &str) -> (bool, &'static str) {
        match class {
            "light" | "spotlight" => (self.lights, "lights"),
            _ => (self.entities, "entities"),
        }
    }
}

/// Reports what the room `base` has and the scene does not, by the numbers in the names of its nodes, or takes it from the room.
pub(super) fn reconcile(found: &mut Found<'_>, base: &RMesh, keep: Keep, report: &mut Report) {
    let known = numbers(&found.entities);
    let mut gone: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for (index, entity) in (0_u64..).zip(base.entities()) {
        if known.contains(&index) {
            continue;
        }
        let entity = AnyEntity::Plain(entity.clone());
        let (is_kept, word) = keep.class(&entity.class());
        if is_kept {
            found.entities.push((index, entity));
        } else {
            gone.entry(word).or_default().push(format!("{}_{index}", entity.class()));
        }
    }
    let missing = take(&mut found.triggers, base.triggers(), keep.triggers);
    gone.entry("triggers").or_default().extend(missing.iter().map(|index| format!("trigger box {index}")));
    let missing = take(&mut found.collision, base.collision(), keep.collision);
    gone.entry("collision")
        .or_default()
        .extend(missing.iter().map(|index| format!("collision surface {index}")));
    for (word, names) in gone.into_iter().filter(|(_, names)| !names.is_empty()) {
        let message = format!("{}; --keep {word} keeps them", listed(&names));
        report.warn(&warning::MISSING, message);
    }
}

/// Adds the items of a room whose numbers are not there, if they are kept; otherwise returns their numbers.
fn take<T: Clone>(found: &mut Vec<(u64, T)>, base: &[T], is_kept: bool) -> Vec<u64> {
    let known = numbers(found);
    let missing = (0_u64..).zip(base).filter(|(index, _)| !known.contains(index));
    if is_kept {
        found.extend(missing.map(|(index, item)| (index, item.clone())));
        return Vec::new();
    }
    missing.map(|(index, _)| index).collect()
}

/// What brings back what is gone.
const HOW_TO_KEEP: &str = "tick \"Custom Properties\" and \"Punctual Lights\" when exporting from Blender, or name the original room with --base";

/// Reports numbers that are missing in the names of entities, which are numbered from 0 on: without the room, they are all that is known of entities
/// that are gone.
pub(super) fn warn_gaps(found: &Found<'_>, report: &mut Report) {
    if let Some(gaps) = gaps(found) {
        report.warn(&warning::MISSING, format!("{gaps}; {HOW_TO_KEEP}"));
    }
}

/// Reports the same of a scene that was made from a room for certain, but no longer says how many entities that had.
pub(super) fn warn_unknown(found: &Found<'_>, report: &mut Report) {
    let gaps = gaps(found).unwrap_or_else(|| "more entities may be gone".to_owned());
    let message = format!("the scene lost the custom properties of its room: {gaps}; {HOW_TO_KEEP}");
    report.warn(&warning::MISSING, message);
}

fn gaps(found: &Found<'_>) -> Option<String> {
    let known = numbers(&found.entities);
    let last = known.last().copied()?;
    let most = u64::try_from(known.len()).unwrap_or(u64::MAX).saturating_mul(64).saturating_add(64);
    if last > most {
        // Numbers that other programs gave.
        return None;
    }
    let gone: Vec<String> =
        (0..last).filter(|number| !known.contains(number)).map(|number| number.to_string()).collect();
    let of_names = "entities of the original room are gone, by the numbers in the names of the others";
    (!gone.is_empty()).then(|| format!("{of_names}: {}", first_few(&gone)))
}

/// The numbers in the names of nodes.
fn numbers<T>(items: &[(u64, T)]) -> BTreeSet<u64> {
    items.iter().map(|(order, _)| *order).filter(|order| *order < u64::MAX).collect()
}

fn listed(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    let items = counted(names.len(), "item of the original room", "items of the original room");
    format!("{items} {verb} gone: {}", first_few(names))
}

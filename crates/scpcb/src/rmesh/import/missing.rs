//! Items of the room that its scene lacks: other programs drop lights and custom properties unless configured to keep them.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Options, Report, Words, counted, first_few};

use super::SceneContents;
use crate::rmesh::dialect::AnyEntity;
use crate::rmesh::{RMesh, warning};

/// `--keep`.
pub(super) const KEEP: Words<Kept> = Words::new(
    "keep",
    "Items to take from the room of --base if the scene lacks them.",
    &[
        ("lights", "lights and spotlights"),
        ("entities", "all other entities, such as props, sounds and waypoints"),
        ("triggers", "trigger boxes"),
        ("collision", "collision surfaces"),
    ],
    &[Kept::Lights, Kept::Entities, Kept::Triggers, Kept::Collision],
);

/// Items that can be kept.
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

/// The items to keep if the scene lacks them.
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

    /// Whether entities of a class are kept, and the value of `--keep` that keeps them.
    fn class(self, class: &str) -> (bool, &'static str) {
        match class {
            "light" | "spotlight" => (self.lights, "lights"),
            _ => (self.entities, "entities"),
        }
    }
}

/// Adds or reports items that the room `base` has and the scene lacks, by the numbers in the names of its nodes.
pub(super) fn reconcile(found: &mut SceneContents<'_>, base: &RMesh, keep: Keep, report: &mut Report) {
    let known = numbers(&found.entities);
    let mut missing_names: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for (index, entity) in (0_u64..).zip(base.entities()) {
        if known.contains(&index) {
            continue;
        }
        let entity = AnyEntity::Plain(entity.clone());
        let (is_kept, word) = keep.class(&entity.class());
        if is_kept {
            found.entities.push((index, entity));
        } else {
            missing_names.entry(word).or_default().push(format!("{}_{index}", entity.class()));
        }
    }
    let missing = take(&mut found.triggers, base.triggers(), keep.triggers);
    missing_names
        .entry("triggers")
        .or_default()
        .extend(missing.iter().map(|index| format!("trigger box {index}")));
    let missing = take(&mut found.collision, base.collision(), keep.collision);
    missing_names
        .entry("collision")
        .or_default()
        .extend(missing.iter().map(|index| format!("collision surface {index}")));
    for (word, names) in missing_names.into_iter().filter(|(_, names)| !names.is_empty()) {
        let message = format!("{}; --keep {word} keeps them", listed(&names));
        report.warn(&warning::MISSING, message);
    }
}

/// Adds the missing items of a room if they are kept; otherwise returns their numbers.
fn take<T: Clone>(found: &mut Vec<(u64, T)>, base: &[T], is_kept: bool) -> Vec<u64> {
    let known = numbers(found);
    let missing = (0_u64..).zip(base).filter(|(index, _)| !known.contains(index));
    if is_kept {
        found.extend(missing.map(|(index, item)| (index, item.clone())));
        return Vec::new();
    }
    missing.map(|(index, _)| index).collect()
}

/// Instructions to restore missing items.
const HOW_TO_KEEP: &str = "tick \"Custom Properties\" and \"Punctual Lights\" when exporting from Blender, or name the original room with --base";

/// Reports gaps in the numbers of entity names, which start at 0. Without the base room, only the gaps reveal missing entities.
pub(super) fn warn_gaps(found: &SceneContents<'_>, report: &mut Report) {
    if let Some(gaps) = gaps(found) {
        report.warn(&warning::MISSING, format!("{gaps}; {HOW_TO_KEEP}"));
    }
}

/// Reports possibly missing entities of a scene that was converted from a room, but lost the entity counts.
pub(super) fn warn_unknown(found: &SceneContents<'_>, report: &mut Report) {
    let gaps = gaps(found).unwrap_or_else(|| "more entities may be missing".to_owned());
    let message = format!("the custom properties of the room are missing: {gaps}; {HOW_TO_KEEP}");
    report.warn(&warning::MISSING, message);
}

fn gaps(found: &SceneContents<'_>) -> Option<String> {
    let known = numbers(&found.entities);
    let last = known.last().copied()?;
    let most = u64::try_from(known.len()).unwrap_or(u64::MAX).saturating_mul(64).saturating_add(64);
    if last > most {
        // The numbers come from another program.
        return None;
    }
    let missing_names: Vec<String> =
        (0..last).filter(|number| !known.contains(number)).map(|number| number.to_string()).collect();
    let of_names = "entities of the original room are missing, by the numbers in the other names";
    (!missing_names.is_empty()).then(|| format!("{of_names}: {}", first_few(&missing_names)))
}

/// The numbers in the names of nodes.
fn numbers<T>(items: &[(u64, T)]) -> BTreeSet<u64> {
    items.iter().map(|(order, _)| *order).filter(|order| *order < u64::MAX).collect()
}

fn listed(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    let items = counted(names.len(), "item of the original room", "items of the original room");
    format!("{items} {verb} missing: {}", first_few(names))
}

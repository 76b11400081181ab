//! Statics and placements that are in no list of the map's visibility tree, so the game never draws them.

use std::sync::Arc;

use asset::{Context, Report, counted};

use crate::engine::visibility::{Actor, secondary};
use crate::map::Map;
use crate::map::resolved::ActorTable;
use crate::map::warning;
use crate::visibility::Visibility;
use redguard_files::settings::ini::world::stem_of;

/// The attribute of actors that visibility trees contain.
const VISIBILITY: usize = 122;

/// The maximum number of names in a message.
const MAX_NAMES: usize = 8;

/// Reports statics and placements missing from the visibility tree next to the map or in `maps` of its game.
pub(super) fn check(map: &Map, context: &Context<'_>, report: &mut Report) {
    let Some((name, tree)) = tree_of(context) else { return };
    let Some(listed) = listed(&tree) else { return };
    let is_listed = |number: usize| listed.get(number).copied().unwrap_or(false);
    let statics = map.statics();
    let missing = (0..statics.len()).filter(|number| !is_listed(*number));
    let named = missing.filter_map(|number| {
        let model = &statics.get(number)?.model;
        Some(format!("{number} ({})", model.text()))
    });
    report_missing(("static", "statics"), &named.collect::<Vec<_>>(), &name, "statics", report);
    let missing = listed_actors(map).into_iter().enumerate().filter(|(order, _)| {
        let number = statics.len().saturating_add(*order);
        !is_listed(number)
    });
    let named = missing.filter_map(|(_, placement)| {
        let object = &map.placements().get(placement)?.object;
        Some(format!("{placement} ({})", object.text()))
    });
    report_missing(("placement", "placements"), &named.collect::<Vec<_>>(), &name, "placements", report);
}

fn report_missing(nouns: (&str, &str), named: &[String], tree: &str, field: &str, report: &mut Report) {
    if named.is_empty() {
        return;
    }
    let more = named.len().saturating_sub(MAX_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let shown: Vec<_> = named.iter().take(MAX_NAMES).map(String::as_str).collect();
    let (verb, them) = if named.len() == 1 { ("is", "it") } else { ("are", "them") };
    let message = format!(
        "{} {verb} in no list of {tree}, so the game never draws {them}: {}{more}; run `antiquary build pvo`",
        counted(named.len(), nouns.0, nouns.1),
        shown.join(", ")
    );
    report.warn(&warning::UNSEEN, message).in_field(field);
}

/// Returns the visibility tree of a map and its file name.
fn tree_of(context: &Context<'_>) -> Option<(String, Arc<Visibility>)> {
    let location = context.location.as_ref()?;
    let name = format!("{}.PVO", stem_of(location.path().name()));
    let in_maps = || context.install.find(&format!("maps/{name}")).found();
    let found = context.install.folder_of(location).find(&name).found().or_else(in_maps)?;
    let read = || {
        let source = context.install.open(&found.location)?;
        let size = usize::try_from(source.len()).unwrap_or(usize::MAX);
        Ok((Visibility::read(&source.read_all()?)?, size))
    };
    let tree = context.install.decoded(&found.location, "visibility tree", read).ok()?;
    Some((found.location.path().name().to_owned(), tree))
}

/// Returns whether each number is in at least one list; `None` if all lists are empty, which restricts nothing.
fn listed(tree: &Visibility) -> Option<Vec<bool>> {
    let objects = tree.objects();
    // The change in the number of runs from each position to the next.
    let mut steps = vec![0_i64; objects.len().saturating_add(1)];
    for run in tree.lists().iter().flat_map(|list| &list.runs).filter(|run| run.count > 0) {
        let start = usize::try_from(run.start).unwrap_or(usize::MAX);
        let end = start.saturating_add(run.count.into()).min(objects.len());
        if let Some(step) = steps.get_mut(start.min(end)) {
            *step = step.saturating_add(1);
        }
        if let Some(step) = steps.get_mut(end) {
            *step = step.saturating_sub(1);
        }
    }
    let mut out = vec![false; usize::from(u16::MAX).saturating_add(1)];
    let (mut runs, mut is_any) = (0_i64, false);
    for (object, step) in objects.iter().zip(&steps) {
        runs = runs.saturating_add(*step);
        if runs > 0
            && let Some(is_listed) = out.get_mut(usize::from(*object))
        {
            (*is_listed, is_any) = (true, true);
        }
    }
    for patch in tree.patches() {
        if let Some(is_listed) = out.get_mut(usize::from(patch.object)) {
            *is_listed = true;
        }
    }
    is_any.then_some(out)
}

/// Returns the placements that have numbers in visibility trees, in the order of these numbers.
fn listed_actors(map: &Map) -> Vec<usize> {
    let (table, sections) = (ActorTable::of(map), map.object_sections());
    let actors: Vec<Actor> = map
        .placements()
        .iter()
        .enumerate()
        .map(|(number, placement)| {
            let object = table.object_of.get(number).copied().flatten();
            let object = object.and_then(|(object, _)| map.objects().get(object));
            let attributes = object.and_then(|object| sections.attributes(object));
            Actor {
                position: placement.position.map(|it| it >> 8),
                is_active: placement.is_active != 0,
                attribute_122: attributes
                    .and_then(|block| block.get(VISIBILITY))
                    .copied()
                    .map_or(0, i32::from),
            }
        })
        .collect();
    secondary(&actors)
}

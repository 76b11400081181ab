//! Visibility trees made anew from a map: `antiquary build pvo`.
//!
//! The space around all statics is divided into cells ([`cells`]). Rays from each cell find which statics are seen from it ([`sight`]). Cells that see nearly
//! the same become one ([`merge`]); lists that share their parts, and branches that are equal, make the file small ([`encode`]). In the end many more rays
//! from places taken at random tell how good it is ([`measure`]).

mod cell;
mod cells;
mod encode;
mod ground;
mod limits;
mod lookup;
mod measure;
mod merge;
mod number;
mod scenery;
mod sight;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use asset::build::{BuildRequest, Builder, Built};
use asset::{Asset, Charset, Context, Install, Number, Options, Report, Source, counted, thousands};
use files::layer::MemoryLayer;
use json::json;
use record::{Error, Kind, Result};

use super::LONGEST;
use super::layout::{Patch, Visibility};
use super::tree::{Cell, Tree, seen, starts};
use super::{layout::Node, warning};
use crate::map::{Map, Surroundings};
use cells::Cells;
use limits::Limits;
use redguard_files::settings::ini::world::stem_of;
use scenery::Scenery;
use sight::Effort;

/// `--cell`.
const CELL: Number =
    Number::new("cell", "The side of the smallest cells, in world units.", 256.0, 32.0, LARGEST_CELL);

/// The largest value of `--cell`.
const LARGEST_CELL: f64 = 4096.0;

/// What to do about cells of this size where there are too many.
fn advice(cell: u32) -> &'static str {
    if f64::from(cell) < LARGEST_CELL { " (choose larger ones with --cell)" } else { ", the largest" }
}

/// `--samples`.
const SAMPLES: Number = Number::new(
    "samples",
    "How many rays look from a cell for a static, for each neighbor of the cell that sees it. More rays miss less.",
    3.0,
    1.0,
    256.0,
);

/// `--slack`.
const SLACK: Number = Number::new(
    "slack",
    "Cells become one where that shows at most this share more than is seen: larger is a smaller file.",
    0.4,
    0.0,
    100.0,
);

/// `--far`.
const FAR: Number = Number::new(
    "far",
    "What is farther is not seen, in world units; 0 for how far the game draws in the world of the map.",
    0.0,
    0.0,
    1e6,
);

/// `--points`.
const POINTS: Number = Number::new(
    "points",
    "From how many places the result is compared with 256 rays to each static.",
    64.0,
    0.0,
    100_000.0,
);

asset::format_options! {
    /// How a visibility tree is computed.
    pub struct TreeOptions {
        /// The side of the smallest cells, in world units.
        cell: f64 = CELL;
        /// How many rays look from a cell for a static, for each neighbor of the cell that sees it.
        samples: f64 = SAMPLES;
        /// Cells become one where that shows at most this share more than is seen.
        slack: f64 = SLACK;
        /// What is farther is not seen, in world units; 0 for how far the game draws in the world of the map.
        far: f64 = FAR;
        /// From how many places the result is compared with 256 rays to each static.
        points: f64 = POINTS;
    }
}

/// Makes a visibility tree from a map.
pub static BUILDER: Builder = Builder {
    name: "pvo",
    about: "A visibility tree: which statics of a map are seen from where.",
    input: "redguard.rgm",
    output: "redguard.pvo",
    options: TreeOptions::DECLARED,
    build,
};

/// The tree of a map of a game that is made of memory, with its files by their paths.
pub(crate) fn of_files(files: &[(String, Vec<u8>)], path: &str) -> Result<Vec<u8>> {
    let sources = files.iter().map(|(path, bytes)| (path.as_str(), Source::from(bytes.clone())));
    let layer = MemoryLayer::new("game", sources)?;
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", Charset::Cp437);
    let options = Options::parse(BUILDER.options, &[("points".to_owned(), "0".to_owned())])?;
    let found = install.find(path).found().ok_or_else(|| Error::usage("no such map").in_file(path))?;
    let map = Map::read(&install.open(&found.location)?.read_all()?)?;
    let context = Context { install: &install, location: Some(found.location), options: &options };
    let request = BuildRequest { context: &context, name: path, progress: &|_| {} };
    Ok(build(&map, &request, &mut Report::new())?.bytes)
}

/// How deep the game draws where its settings say nothing else, in world units.
const BACK_PLANE: i32 = 3800;

/// What is drawn at a corner of the picture is farther away than deep: the tangents of half its width and height are 0.788 and three quarters of that.
const CORNER: f32 = 1.405;

/// The attribute of objects that are in the tree behind all statics.
const VISIBILITY: usize = 122;

fn build(asset: &dyn Asset, request: &BuildRequest<'_>, report: &mut Report) -> Result<Built> {
    let BuildRequest { context, progress, .. } = *request;
    let map: &Map =
        asset.typed().ok_or_else(|| Error::usage("a visibility tree is built from a map (.RGM)"))?;
    let options = context.options;
    let wanted = whole(options.number(&CELL));
    let mut cell = wanted;
    if !cell.is_power_of_two() {
        return Err(Error::usage(format!(
            "--cell {cell}: a tree halves its cells, so 64, 128, 256 and so on are possible"
        )));
    }
    let effort = Effort { rays: whole(options.number(&SAMPLES)), far: far(context, options.number(&FAR)) };
    let is_chosen = options.is_given(&CELL.option());
    let (scenery, triangles, cells, sights) = loop {
        let mut found = Report::new();
        let mut scenery = Scenery::of(map, context, Cells::margin(cell), &mut found)?;
        let limits = if is_chosen { Limits::LARGEST } else { scenery.limits() };
        let triangles = scenery.boxes.len();
        let sights = Cells::of(&scenery, cell, limits).and_then(|cells| {
            scenery.boxes = Vec::new();
            Ok((sight::find(&scenery, &cells, (effort, limits), progress)?, cells))
        });
        match sights {
            Ok((sights, cells)) => {
                report.append(found);
                break (scenery, triangles, cells, sights);
            }
            Err(error) if error.kind() == Kind::Limit && !is_chosen && f64::from(cell) < LARGEST_CELL => {
                cell = cell.saturating_mul(2);
            }
            Err(error) => return Err(error),
        }
    };
    if cell > wanted {
        report.warn(
            &warning::LARGER_CELLS,
            format!("cells of {wanted} would take too much memory, so the smallest have {cell} (--cell {wanted} makes them small)"),
        );
    }
    let old = old_tree(context, report);
    let secondary = secondary(map, old.as_ref())?;
    let (mut file, costs) = encode::encode(&scenery, &cells, &sights, &secondary, options.number(&SLACK))?;
    let patches = old.as_ref().map_or_else(Kept::default, |old| {
        keep_patches(old, &file, map.statics().len().saturating_add(secondary.len()))
    });
    if patches.lost > 0 {
        let lost = counted(patches.lost, "patch", "patches");
        report.warn(
            &warning::PATCH_LOST,
            format!("{lost} of the old tree fit nowhere in the new one and are gone"),
        );
    }
    let kept = patches.kept.len();
    encode::add_patches(&mut file, patches.kept);
    let figures = measure::measure(&file, &scenery, &cells, effort.far, whole(options.number(&POINTS)));
    let bytes = file.write()?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > LONGEST) {
        let size = thousands(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        return Err(Error::limit(format!(
            "the tree would have {size} bytes, more than any program takes: choose larger cells (--cell), or --slack above {}",
            options.number(&SLACK)
        )));
    }
    let header = file.header();
    let cells_of = |size: u32| cells.cells.iter().filter(|cell| cell.size == size).count();
    let sizes = std::iter::successors(Some(1_u32), |size| Some(size.saturating_mul(2))).take(4);
    let sizes = sizes.map(|size| (size.saturating_mul(cells.step).to_string(), json!(cells_of(size))));
    let figures = json!({
        "statics": map.statics().len(),
        "secondary": secondary.len(),
        "triangles": triangles,
        "far": effort.far,
        "cells": cells.cells.len(),
        "cells_by_size": sizes.collect::<json::Map<_, _>>(),
        "nodes": header.map(|header| header.total_nodes),
        "lists": file.lists().len(),
        "list_bytes": costs.shared,
        "list_bytes_unshared": costs.plain,
        "patches_kept": kept,
        "patches_lost": patches.lost,
        "check": {
            "points": figures.points,
            "seen": figures.seen,
            "missing": figures.missing,
            "missing_share": figures.share(figures.missing),
            "excess": figures.excess,
            "excess_share": figures.share(figures.excess),
        },
    });
    Ok(Built { bytes, companions: Vec::new(), figures })
}

/// How far anything is drawn, in world units.
fn far(context: &Context<'_>, given: f64) -> f32 {
    if given > 0.0 {
        return number::single(given);
    }
    let plane = Surroundings::new(context).first_world().map_or(0, |world| world.back_plane);
    let plane = if plane > 0 { plane } else { BACK_PLANE };
    number::of_whole(plane.into()) * CORNER
}

/// The tree that the game has for the map.
fn old_tree(context: &Context<'_>, report: &mut Report) -> Option<Visibility> {
    let place = context.location.as_ref()?;
    let name = format!("{}.PVO", stem_of(place.path().name()));
    let found = context.install.beside(place).find(&name).found()?;
    match context.install.open(&found.location).and_then(|source| Visibility::read(&source.read_all()?)) {
        Ok(tree) => Some(tree),
        Err(error) => {
            let why = error.message();
            report.warn(&warning::PATCH_LOST, format!("{name} cannot be read ({why}); its patches are gone"));
            None
        }
    }
}

/// The numbers behind those of the statics: of placed objects that scripts make visible. The game drops those that no list has, so all lists have all. Their
/// order is known to the game alone, their count from the tree before or from the attributes of objects.
fn secondary(map: &Map, old: Option<&Visibility>) -> Result<Vec<u16>> {
    let statics = map.statics().len();
    let in_old =
        old.into_iter().flat_map(|old| old.objects()).map(|object| usize::from(*object).saturating_add(1));
    let in_old = in_old.max().unwrap_or_default().saturating_sub(statics);
    let sections = map.object_sections();
    let named: BTreeSet<String> = map
        .objects()
        .iter()
        .filter(|object| sections.attributes(object).is_some_and(|block| block.get(VISIBILITY) != Some(&0)))
        .map(|object| object.name.text().to_uppercase())
        .collect();
    let placed =
        map.placements().iter().filter(|it| named.contains(&it.object.text().to_uppercase())).count();
    let count = in_old.max(placed);
    let number = |number: usize| {
        u16::try_from(number).map_err(|_| Error::limit("a tree has numbers for 65,536 objects at most"))
    };
    (statics..statics.saturating_add(count)).map(number).collect()
}

/// What became of the patches of the tree before.
#[derive(Default)]
struct Kept {
    kept: Vec<Patch>,
    lost: usize,
}

/// So many cells of a tree are looked at for patches.
const MOST_CELLS: usize = 1 << 18;

/// The patches of a tree for another one: where an object is not seen yet, in all cells that lie where the old ones were.
fn keep_patches(old: &Visibility, new: &Visibility, objects: usize) -> Kept {
    let count = old.patches().count();
    let none = Kept { kept: Vec::new(), lost: count };
    let (Some(old_tree), Some(new_tree)) = (Tree::of(old), Tree::of(new)) else { return none };
    if count == 0 {
        return Kept::default();
    }
    let (Ok(old_cells), Ok(new_cells)) = (old_tree.all_cells(MOST_CELLS), new_tree.cells(MOST_CELLS)) else {
        return none;
    };
    let old_starts = starts(old.nodes().iter().map(Node::size));
    let new_starts = starts(new.nodes().iter().map(Node::size));
    let start =
        |starts: &[u32], node: u32| usize::try_from(node).ok().and_then(|node| starts.get(node)).copied();
    let mut out = Kept::default();
    let mut added = BTreeSet::new();
    for patch in old.patches() {
        let is_meant =
            |cell: &&Cell| start(&old_starts, cell.node).map(|start| start / 5) == Some(patch.node);
        let places: Vec<&Cell> = old_cells.iter().filter(is_meant).collect();
        let overlaps = |one: &Cell, other: &Cell| {
            let reach = one.half.saturating_add(other.half).unsigned_abs();
            one.center.iter().zip(other.center).all(|(one, other)| one.abs_diff(other) < reach)
        };
        let is_object = usize::from(patch.object) < objects;
        let cells =
            new_cells.iter().filter(|cell| is_object && places.iter().any(|place| overlaps(place, cell)));
        let mut is_anywhere = false;
        for cell in cells {
            is_anywhere = true;
            let place = cell.center.map(|number| i32::try_from(number).unwrap_or_default());
            let is_seen = seen(new_tree.at(place).objects).contains(&patch.object);
            let node = start(&new_starts, cell.node).map(|start| start / 5);
            if let Some(node) = node.filter(|node| !is_seen && added.insert((*node, patch.object))) {
                out.kept.push(Patch { node, object: patch.object });
            }
        }
        if !is_anywhere {
            out.lost = out.lost.saturating_add(1);
        }
    }
    out
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the bounds of the options"
)]
const fn whole(number: f64) -> u32 {
    number as u32
}

//! Builds visibility trees from maps: `antiquary build pvo`.
//!
//! The space around all statics is divided into cells ([`cells`]). Rays from each cell find the statics visible from it ([`propagate`]).
//! Cells from which nearly the same statics are visible are merged ([`merge`]); lists that share runs and branches that are equal make the
//! file small ([`encode`]). Finally, many more rays from random positions measure its accuracy ([`measure`]).

mod cell;
mod cells;
mod encode;
mod ground;
mod limits;
mod lookup;
mod measure;
mod merge;
mod number;
mod propagate;
mod scenery;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use asset::build::{BuildRequest, Builder, Built};
use asset::{Asset, Charset, Context, Install, Number, Options, Report, Source, counted, thousands};
use files::layer::MemoryLayer;
use json::json;
use record::{Error, Kind, Result};

use super::MAX_SIZE;
use super::layout::{Patch, Visibility};
use super::tree::{Cell, Tree, seen, starts};
use super::{layout::Node, warning};
use crate::map::{Map, Surroundings};
use cells::Cells;
use limits::Limits;
use propagate::Effort;
use redguard_files::settings::ini::world::stem_of;
use scenery::Scenery;

/// `--cell`.
const CELL: Number =
    Number::new("cell", "Edge length of the smallest cells, in world units.", 256.0, 32.0, MAX_CELL);

/// Maximum value of `--cell`.
const MAX_CELL: f64 = 4096.0;

/// Advice for an error about too many cells of this size.
fn advice(cell: u32) -> &'static str {
    if f64::from(cell) < MAX_CELL { " (choose larger cells with --cell)" } else { " (the maximum of --cell)" }
}

/// `--samples`.
const SAMPLES: Number = Number::new(
    "samples",
    "Number of rays from a cell to a static per neighboring cell that sees it. More rays miss fewer statics.",
    3.0,
    1.0,
    256.0,
);

/// `--slack`.
const SLACK: Number = Number::new(
    "slack",
    "Maximum fraction of visible statics that merging cells may add. Larger values give smaller files.",
    0.4,
    0.0,
    100.0,
);

/// `--far`.
const FAR: Number = Number::new(
    "far",
    "Maximum view distance in world units; 0 for the draw distance of the map's world.",
    0.0,
    0.0,
    1e6,
);

/// `--points`.
const POINTS: Number = Number::new(
    "points",
    "Number of random positions at which to compare the result with 256 rays to each static.",
    64.0,
    0.0,
    100_000.0,
);

asset::format_options! {
    /// Options for building a visibility tree.
    pub struct TreeOptions {
        /// Side length of the smallest cells, in world units.
        cell: f64 = CELL;
        /// Number of rays from a cell to a static per neighboring cell that sees it.
        samples: f64 = SAMPLES;
        /// Maximum fraction of statics that merging cells may add.
        slack: f64 = SLACK;
        /// Maximum view distance in world units; 0 for the draw distance of the map's world.
        far: f64 = FAR;
        /// Number of random positions at which to compare the result with 256 rays to each static.
        points: f64 = POINTS;
    }
}

/// Builds a visibility tree from a map.
pub static BUILDER: Builder = Builder {
    name: "pvo",
    about: "A visibility tree: the statics visible from each part of a map.",
    input: "redguard.rgm",
    output: "redguard.pvo",
    options: TreeOptions::DECLARED,
    build,
};

/// Builds the tree of a map of a game in memory, given its files by path.
pub(crate) fn of_files(files: &[(String, Vec<u8>)], path: &str) -> Result<Vec<u8>> {
    let sources = files.iter().map(|(path, bytes)| (path.as_str(), Source::from(bytes.clone())));
    let layer = MemoryLayer::new("game", sources)?;
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", Charset::Cp437);
    let options = Options::parse(BUILDER.options, &[("points".to_owned(), "0".to_owned())])?;
    let found =
        install.find(path).found().ok_or_else(|| Error::usage("the map was not found").in_file(path))?;
    let map = Map::read(&install.open(&found.location)?.read_all()?)?;
    let context = Context { install: &install, location: Some(found.location), options: &options };
    let request = BuildRequest { context: &context, name: path, progress: &|_| {} };
    Ok(build(&map, &request, &mut Report::new())?.bytes)
}

/// Default draw distance along the view direction, in world units.
const BACK_PLANE: i32 = 3800;

/// Ratio of the distance at a corner of the image to the depth: the tangents of half its width and height are 0.788 and three quarters of
/// that.
const CORNER: f32 = 1.405;

/// The attribute of objects that the tree lists after the statics.
const VISIBILITY: usize = 122;

fn build(asset: &dyn Asset, request: &BuildRequest<'_>, report: &mut Report) -> Result<Built> {
    let BuildRequest { context, progress, .. } = *request;
    let map: &Map = asset.typed().ok_or_else(|| Error::usage("expected a map (.RGM)"))?;
    let options = context.options;
    let requested = truncated(options.number(&CELL));
    let mut cell = requested;
    if !cell.is_power_of_two() {
        return Err(Error::usage(format!(
            "--cell is {cell}, expected a power of two, such as 64, 128 or 256"
        )));
    }
    let effort =
        Effort { rays: truncated(options.number(&SAMPLES)), far: far(context, options.number(&FAR)) };
    let is_chosen = options.is_given(&CELL.option());
    let (scenery, triangles, cells, visible_sets) = loop {
        let mut found = Report::new();
        let mut scenery = Scenery::of(map, context, Cells::margin(cell), &mut found)?;
        let limits = if is_chosen { Limits::MAX } else { scenery.limits() };
        let triangles = scenery.boxes.len();
        let visible_sets = Cells::of(&scenery, cell, limits).and_then(|cells| {
            scenery.boxes = Vec::new();
            Ok((propagate::find(&scenery, &cells, (effort, limits), progress)?, cells))
        });
        match visible_sets {
            Ok((visible_sets, cells)) => {
                report.append(found);
                break (scenery, triangles, cells, visible_sets);
            }
            Err(error) if error.kind() == Kind::Limit && !is_chosen && f64::from(cell) < MAX_CELL => {
                cell = cell.saturating_mul(2);
            }
            Err(error) => return Err(error),
        }
    };
    if cell > requested {
        report.warn(
            &warning::LARGER_CELLS,
            format!("cells of {requested} units would need too much memory; using {cell} units (to force the smaller size, use --cell {requested})"),
        );
    }
    let old = old_tree(context, report);
    let secondary = secondary(map, old.as_ref())?;
    let (mut file, costs) =
        encode::encode(&scenery, &cells, &visible_sets, &secondary, options.number(&SLACK))?;
    let patches = old.as_ref().map_or_else(KeptPatches::default, |old| {
        keep_patches(old, &file, map.statics().len().saturating_add(secondary.len()))
    });
    if patches.lost > 0 {
        let lost = counted(patches.lost, "patch", "patches");
        report.warn(
            &warning::PATCH_LOST,
            format!("{lost} of the old tree dropped: no matching cell or object in the new tree"),
        );
    }
    let kept = patches.kept.len();
    encode::add_patches(&mut file, patches.kept);
    let figures = measure::measure(&file, &scenery, &cells, effort.far, truncated(options.number(&POINTS)));
    let bytes = file.write()?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_SIZE) {
        let size = thousands(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        return Err(Error::limit(format!(
            "the tree would have {size} bytes, which is too large; choose larger cells (--cell), or --slack above {}",
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

/// Draw distance in world units.
fn far(context: &Context<'_>, given: f64) -> f32 {
    if given > 0.0 {
        return number::single(given);
    }
    let plane = Surroundings::new(context).first_world().map_or(0, |world| world.back_plane);
    let plane = if plane > 0 { plane } else { BACK_PLANE };
    number::of_integer(plane.into()) * CORNER
}

/// The tree of the map in the game.
fn old_tree(context: &Context<'_>, report: &mut Report) -> Option<Visibility> {
    let place = context.location.as_ref()?;
    let name = format!("{}.PVO", stem_of(place.path().name()));
    let found = context.install.folder_of(place).find(&name).found()?;
    match context.install.open(&found.location).and_then(|source| Visibility::read(&source.read_all()?)) {
        Ok(tree) => Some(tree),
        Err(error) => {
            let reason = error.message();
            report.warn(
                &warning::PATCH_LOST,
                format!("{name} cannot be read ({reason}); its patches are dropped"),
            );
            None
        }
    }
}

/// Numbers after those of the statics, which belong to placed objects that scripts make visible. The game does not draw objects that no
/// list contains, so all lists contain all of them. Their order is known to the game only; their count comes from the old tree or from the
/// attributes of objects.
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
    let placed = map
        .placements()
        .iter()
        .filter(|placement| named.contains(&placement.object.text().to_uppercase()))
        .count();
    let count = in_old.max(placed);
    let number = |number: usize| {
        u16::try_from(number)
            .map_err(|_| Error::limit("too many objects for a visibility tree (limit: 65,536)"))
    };
    (statics..statics.saturating_add(count)).map(number).collect()
}

/// Patches of the old tree that were kept.
#[derive(Default)]
struct KeptPatches {
    kept: Vec<Patch>,
    lost: usize,
}

/// Maximum number of cells of a tree to search for patches.
const MAX_CELLS: usize = 1 << 18;

/// Transfers the patches of a tree to another one: to all cells that overlap the old ones, unless the object is already visible there.
fn keep_patches(old: &Visibility, new: &Visibility, objects: usize) -> KeptPatches {
    let count = old.patches().count();
    let none = KeptPatches { kept: Vec::new(), lost: count };
    let (Some(old_tree), Some(new_tree)) = (Tree::of(old), Tree::of(new)) else { return none };
    if count == 0 {
        return KeptPatches::default();
    }
    let (Ok(old_cells), Ok(new_cells)) = (old_tree.all_cells(MAX_CELLS), new_tree.cells(MAX_CELLS)) else {
        return none;
    };
    let old_starts = starts(old.nodes().iter().map(Node::size));
    let new_starts = starts(new.nodes().iter().map(Node::size));
    let start =
        |starts: &[u32], node: u32| usize::try_from(node).ok().and_then(|node| starts.get(node)).copied();
    let mut out = KeptPatches::default();
    let mut added = BTreeSet::new();
    for patch in old.patches() {
        let matches = |cell: &&Cell| start(&old_starts, cell.node).map(|start| start / 5) == Some(patch.node);
        let old_positions: Vec<&Cell> = old_cells.iter().filter(matches).collect();
        let overlaps = |one: &Cell, other: &Cell| {
            let reach = one.half.saturating_add(other.half).unsigned_abs();
            one.center.iter().zip(other.center).all(|(one, other)| one.abs_diff(other) < reach)
        };
        let is_object = usize::from(patch.object) < objects;
        let cells = new_cells
            .iter()
            .filter(|cell| is_object && old_positions.iter().any(|position| overlaps(position, cell)));
        let mut is_matched = false;
        for cell in cells {
            is_matched = true;
            let position = cell.center.map(|number| i32::try_from(number).unwrap_or_default());
            let is_seen = seen(new_tree.at(position).objects).contains(&patch.object);
            let node = start(&new_starts, cell.node).map(|start| start / 5);
            if let Some(node) = node.filter(|node| !is_seen && added.insert((*node, patch.object))) {
                out.kept.push(Patch { node, object: patch.object });
            }
        }
        if !is_matched {
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
const fn truncated(number: f64) -> u32 {
    number as u32
}

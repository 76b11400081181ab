//! Checks terrains.

use std::collections::BTreeSet;

use asset::{Context, Report, counted};

use super::BANK;
use super::grid::{Grid, plane};
use super::layout::{Ground, Terrain};
use super::warning;
use redguard_files::settings::ini::surface::Surfaces;
use redguard_files::settings::ini::world::{Worlds, stem_of};

/// Offset of the tile table.
const TABLE: u64 = 144;

/// Size of the tile header, in bytes.
const TILE_HEADER: u64 = 22;

/// Maximum number of tiles to report.
const MAX_TILES: usize = 16;

/// Reports the defects of the file, and of its references to the rest of the game.
pub(super) fn check(terrain: &Terrain, context: &Context<'_>, report: &mut Report) {
    check_tiles(terrain, report);
    if !terrain.has_trailer {
        // The expected position is the end of the tiles.
        let end = terrain.write().map_or(0, |bytes| bytes.len().saturating_sub(terrain.rest.0.len()));
        let end = u64::try_from(end).unwrap_or(u64::MAX);
        report.warn(&warning::TRAILER, "the trailer is missing").at(end);
    }
    if !terrain.rest.0.is_empty() {
        let count = counted(terrain.rest.0.len(), "unexpected byte", "unexpected bytes");
        report.warn(&warning::LEFT_OVER, format!("{count} after the end")).in_field("rest");
    }
    let (columns, rows) = (terrain.header.columns, terrain.header.rows);
    if (columns, rows) != (2, 2) {
        let message = format!("the terrain has {columns} x {rows} tiles (the game's: 2 x 2)");
        report.warn(&warning::SIZE, message).in_field("header.columns");
    }
    for (description, plane) in [
        ("a nonzero scatter value", plane(terrain, |planes| &planes.scatter.0)),
        ("a nonzero unused value", plane(terrain, |planes| &planes.unused.0)),
    ] {
        let count = plane.iter().filter(|byte| **byte != 0).count();
        if count > 0 {
            let corners = counted(count, "corner has", "corners have");
            report.warn(&warning::PLANE, format!("{corners} {description}")).in_field("tiles");
        }
    }
    check_in_game(terrain, context, report);
}

fn check_tiles(terrain: &Terrain, report: &mut Report) {
    let mut at = TABLE.saturating_add(u64::from(terrain.header.tile_table_bytes));
    at = at.saturating_add(u64::try_from(terrain.levels.0.len()).unwrap_or(u64::MAX));
    for (number, tile) in terrain.tiles.iter().enumerate().take(MAX_TILES) {
        let field = |name: &str| format!("tiles[{number}].{name}");
        if let Some(offset) = terrain.tile_offsets.get(number).filter(|offset| u64::from(**offset) != at) {
            let message =
                format!("tile {number} begins at {at:#x}, but its offset in the table is {offset:#x}");
            report.warn(&warning::OFFSET, message).in_field(format!("tile_offsets[{number}]"));
        }
        let planes = match &tile.ground {
            Ground::Planes(planes) => [&planes.heights, &planes.scatter, &planes.surface, &planes.unused]
                .iter()
                .fold(0_u64, |sum, plane| {
                    sum.saturating_add(u64::try_from(plane.0.len()).unwrap_or(u64::MAX))
                }),
            Ground::Seed(seed) => {
                let message = format!("tile {number} has no planes");
                report.warn(&warning::SEED, message).in_field(field("ground"));
                u64::try_from(seed.0.len()).unwrap_or(u64::MAX)
            }
        };
        if tile.level != 0 {
            let message = format!("tile {number} has the level {} (usual: 0)", tile.level);
            report.warn(&warning::LEVEL, message).in_field(field("level"));
        }
        if tile.texture_set != BANK {
            let message = format!("tile {number} has the texture set {} (usual: {BANK})", tile.texture_set);
            report.warn(&warning::LEVEL, message).in_field(field("texture_set"));
        }
        at = at.saturating_add(TILE_HEADER).saturating_add(planes);
    }
}

fn check_in_game(terrain: &Terrain, context: &Context<'_>, report: &mut Report) {
    if let (Some(worlds), Some(location)) = (Worlds::of_game(context), &context.location) {
        let name = location.path().name();
        let stem = stem_of(name);
        if worlds.of_terrain(stem).is_none() && worlds.of_map(stem).is_some() {
            report.warn(&warning::UNUSED, format!("{name} is not used by any world")).at(0);
        }
    }
    let Some(surfaces) = Surfaces::of_game(context) else { return };
    let grid = Grid::of(terrain);
    let corners = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)));
    let used: BTreeSet<u8> = corners.map(|(column, row)| grid.image(column, row)).collect();
    let unknown: Vec<String> = used
        .into_iter()
        .filter(|image| surfaces.of_image(*image).is_none())
        .map(|image| image.to_string())
        .collect();
    if !unknown.is_empty() {
        let images = counted(unknown.len(), "image", "images");
        let message =
            format!("SURFACE.INI has no surface for {images} of TEXBSI.{BANK}: {}", unknown.join(", "));
        report.warn(&warning::SURFACE, message).in_field("tiles");
    }
}

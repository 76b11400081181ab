//! Resolves a terrain: the entire grid as numbers, and single corners.

use std::collections::BTreeMap;

use asset::Context;
use json::{Document, Map, Value, json};
use record::{Error, Result};
use serde::ser::{Serialize, SerializeSeq, Serializer};

use super::grid::{Grid, HEIGHTS, SPACING, SquareCorner};
use super::layout::{Ground, Terrain};
use super::surroundings::TerrainWorld;
use crate::axes;
use redguard_files::settings::ini::blend::Blend;
use redguard_files::settings::ini::surface::Surfaces;

/// The grid as rows of numbers.
struct Rows<'a, F>(&'a Grid, F);

/// A row of the grid.
struct Row<'a, F>(&'a Grid, &'a F, usize);

impl<F: Fn(&Grid, usize, usize) -> u8> Serialize for Rows<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(grid, number) = self;
        let mut list = serializer.serialize_seq(Some(grid.rows()))?;
        (0..grid.rows()).try_for_each(|row| list.serialize_element(&Row(grid, number, row)))?;
        list.end()
    }
}

impl<F: Fn(&Grid, usize, usize) -> u8> Serialize for Row<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(grid, number, row) = self;
        let mut list = serializer.serialize_seq(Some(grid.columns()))?;
        (0..grid.columns()).try_for_each(|column| list.serialize_element(&number(grid, column, *row)))?;
        list.end()
    }
}

/// Computes the resolved view of a terrain.
pub(super) fn resolved(terrain: &Terrain, context: Option<&Context<'_>>) -> Document {
    let grid = Grid::of(terrain);
    let (mut textures, mut rotations) = (BTreeMap::<u8, u64>::new(), [0_u64; 4]);
    let (mut high_bits, mut moving) = (0_u64, 0_u64);
    for (column, row) in (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)))
    {
        let count = textures.entry(grid.image(column, row)).or_default();
        *count = count.saturating_add(1);
        if let Some(count) = rotations.get_mut(usize::from(grid.turns(column, row))) {
            *count = count.saturating_add(1);
        }
        high_bits = high_bits.saturating_add(u64::from(grid.stored_split(column, row)));
        moving = moving.saturating_add(u64::from(grid.moves(column, row)));
    }
    let textures: BTreeMap<String, u64> =
        textures.into_iter().map(|(image, count)| (image.to_string(), count)).collect();
    let world = context.map(TerrainWorld::of);
    let surfaces = context.and_then(Surfaces::of_game);
    let classes = surfaces.map(|surfaces| {
        (0..64).map(|image| surfaces.of_image(image).unwrap_or("unknown").to_owned()).collect::<Vec<_>>()
    });
    Document::object(|out| {
        out.put("header", &header(terrain)).list("tiles", tiles(terrain));
        out.put("height_index", &Rows(&grid, Grid::height_index));
        out.put("texture", &Rows(&grid, Grid::image));
        out.put("rotation", &Rows(&grid, Grid::turns));
        out.put(
            "stored_split",
            &Rows(&grid, |grid: &Grid, column, row| grid.stored_split(column, row).into()),
        );
        out.put("moving", &Rows(&grid, |grid: &Grid, column, row| grid.moves(column, row).into()));
        out.list("height_table", HEIGHTS);
        out.put("texture_counts", &textures).put("rotation_counts", &rotations);
        out.put("high_bits", &high_bits).put("moving_corners", &moving);
        out.put("uv_by_rotation", &uv_by_rotation());
        out.put("world", &world.as_ref().and_then(|world| world.world));
        out.put("scapeshift", &world.as_ref().map_or(0, |world| world.shift));
        out.put("surfaces", &classes);
    })
}

fn header(terrain: &Terrain) -> Value {
    let header = &terrain.header;
    json!({
        "tile_table_bytes": header.tile_table_bytes,
        "tiles_x": header.columns,
        "tiles_z": header.rows,
        "level_table_offset": header.level_table_offset,
        "dword_5": header.version,
        "tile_header_bytes": header.tile_header_bytes,
        "data_end": header.data_end,
        "tile_offsets": terrain.tile_offsets,
        "level_table_first": terrain.levels.0.iter().take(4).collect::<Vec<_>>(),
        "trailer": terrain.trailer,
    })
}

fn tiles(terrain: &Terrain) -> impl Iterator<Item = Value> {
    let across = u64::from(terrain.header.columns);
    (0_u64..).zip(&terrain.tiles).map(move |(index, tile)| {
        json!({
            "index": index,
            "column": index.checked_rem(across),
            "row": index.checked_div(across),
            "word_0": tile.unknown_00,
            "texture_set": tile.texture_set,
            "level": tile.level,
            "flag": tile.flag,
            "stored": matches!(tile.ground, Ground::Planes(_)),
        })
    })
}

fn uv_by_rotation() -> Value {
    let corners = |turns: u8| -> Value {
        let names = ["TL", "TR", "BR", "BL"].into_iter().zip(SquareCorner::ALL);
        let corner = |(name, corner): (&str, SquareCorner)| {
            let (u, v) = corner.image_corner(turns);
            (name.to_owned(), json!([u, v]))
        };
        Value::Object(names.map(corner).collect())
    };
    Value::Object((0..4).map(|turns| (turns.to_string(), corners(turns))).collect::<Map<_, _>>())
}

/// Details of a corner, given its column and row.
pub(super) fn at(terrain: &Terrain, context: &Context<'_>, point: &[f64]) -> Result<Value> {
    let grid = Grid::of(terrain);
    let [column, row] = point else {
        return Err(Error::usage("expected the column and row of a corner, such as 128,128"));
    };
    let index = |number: &f64, count: usize| {
        let integer = number.trunc();
        (0..count).find(|index| u32::try_from(*index).is_ok_and(|index| f64::from(index) == integer))
    };
    let found = index(column, grid.columns()).zip(index(row, grid.rows()));
    let Some((column, row)) = found else {
        let (columns, rows) = (grid.columns(), grid.rows());
        return Err(Error::usage(format!(
            "corner {column},{row} is out of range: the terrain has {columns} x {rows} corners"
        )));
    };
    let units = |count: usize| i32::try_from(count).unwrap_or(i32::MAX).saturating_mul(SPACING);
    let engine = [
        units(column),
        grid.height(column, row).saturating_neg(),
        axes::MAP_ORIGIN_Z.saturating_sub(units(row)),
    ];
    let (image, normal) = (grid.image(column, row), grid.normal(column, row));
    let surfaces = Surfaces::of_game(context);
    Ok(json!({
        "x": column,
        "y": row,
        "raw": grid.stored_height(column, row),
        "height_index": grid.height_index(column, row),
        "engine": engine,
        "exporter": axes::map_position(engine.map(f64::from)),
        "texture": image,
        "rotation": grid.turns(column, row),
        "normal": normal,
        "triangles": grid.triangles_at(column, row),
        "stored_split": u8::from(grid.stored_split(column, row)),
        "loader_split": grid.is_bent(column, row).map(u8::from),
        "moving": u8::from(grid.moves(column, row)),
        "light": TerrainWorld::of(context).daylight.map(|daylight| daylight.on_terrain(grid.light_normal(column, row))),
        "surface": surfaces.map(|surfaces| surfaces.of_image(image).unwrap_or("unknown").to_owned()),
        "blend": Blend::of_image(image).name(),
    }))
}

//! The terrain of an island in the sea: a beach, grass, and a rocky hill.

use record::{Bytes, Raw};

use crate::terrain::{Ground, Header, Planes, SIDE, Terrain, Tile};

/// Size of a plane in bytes.
const PLANE: usize = SIDE * SIDE;

/// First values of the tile headers in the game's files.
const WORDS: [u16; 4] = [2152, 568, 1308, 10];

/// Offset of the first tile.
const FIRST: u32 = 1184;

/// Size of a tile in bytes.
const TILE: u32 = 22 + 4 * 128 * 128;

/// A terrain of 2 x 2 tiles in which all heights are 0.
pub(crate) fn flat() -> Terrain {
    let plane = || Bytes(vec![0; PLANE]);
    let tile = |unknown_00| Tile {
        unknown_00,
        unknown_02: [0; 2],
        texture_set: 302,
        level: 0,
        flag: 1,
        unknown_0a: Raw([0; 12]),
        ground: Ground::Planes(Planes {
            heights: plane(),
            scatter: plane(),
            surface: plane(),
            unused: plane(),
        }),
    };
    let mut levels = vec![0; 1024];
    for (level, value) in levels.iter_mut().zip([25, 30, 80, 127]) {
        *level = value;
    }
    Terrain {
        header: Header {
            tile_table_bytes: 16,
            columns: 2,
            rows: 2,
            unused_0c: 0,
            level_table_offset: 160,
            version: 1,
            tile_header_bytes: 22,
            data_end: FIRST + 4 * TILE,
            unused_20: Raw([0; 112]),
        },
        tile_offsets: vec![FIRST, FIRST + TILE, FIRST + 2 * TILE, FIRST + 3 * TILE],
        levels: Bytes(levels),
        tiles: WORDS.map(tile).to_vec(),
        has_trailer: true,
        trailer: Some([0x0043_c028, u32::MAX, 0x0004_3735]),
        rest: Bytes::default(),
    }
}

/// One tile with a few hills.
pub(super) fn specimen() -> Terrain {
    let mut out = flat();
    (out.header.columns, out.header.rows, out.header.tile_table_bytes) = (1, 1, 4);
    out.header.data_end = FIRST + TILE;
    out.tile_offsets.truncate(1);
    out.tiles.truncate(1);
    for tile in &mut out.tiles {
        let Ground::Planes(planes) = &mut tile.ground else { continue };
        let corners = planes.heights.0.iter_mut().zip(&mut planes.surface.0);
        for (index, (height, surface)) in (0_usize..).zip(corners) {
            let byte = |number: usize| u8::try_from(number).unwrap_or_default();
            (*height, *surface) = (byte(index / SIDE % 16), byte(index % SIDE % 4) << 6);
        }
    }
    out
}

/// Builds the island.
pub(super) fn island() -> Terrain {
    let mut out = flat();
    let side = i64::try_from(SIDE).unwrap_or(i64::MAX);
    for (number, tile) in (0_i64..).zip(&mut out.tiles) {
        let Ground::Planes(planes) = &mut tile.ground else { continue };
        let corners = planes.heights.0.iter_mut().zip(&mut planes.surface.0);
        for (index, (height, surface)) in (0_i64..).zip(corners) {
            let column = number % 2 * side + index % side;
            let row = number / 2 * side + index / side;
            let at = |right: i64, below: i64| height_number(column + right - side, row + below - side);
            *height = at(0, 0);
            let around = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
            let (image, turns) = surface_of(around);
            let arbitrary = u8::try_from((column * 7 + row * 3) % 4).unwrap_or_default();
            *surface = image | turns.unwrap_or(arbitrary) << 6;
        }
    }
    out
}

/// Returns the image of a square, given the heights of its corners clockwise from the northwest, and its rotation, if it matters.
fn surface_of(around: [u8; 4]) -> (u8, Option<u8>) {
    let is_sea = around.map(|height| height == 0);
    let highest = around.into_iter().max().unwrap_or_default();
    match highest {
        0 => (0, None),
        // The lower half of the shore is water; each counter-clockwise quarter turn moves the water to the south, the east, the north, the
        // west.
        _ if is_sea.contains(&true) => {
            let [north_west, north_east, south_east, south_west] = is_sea.map(u8::from);
            let sides = [
                south_west + south_east,
                north_east + south_east,
                north_west + north_east,
                north_west + south_west,
            ];
            let longest = sides.into_iter().max().unwrap_or_default();
            (31, (0..).zip(sides).find(|(_, side)| *side == longest).map(|(turns, _)| turns))
        }
        1..=12 => (2, None),
        13..=60 => (1, None),
        _ => (3, None),
    }
}

/// Height number of a corner at an offset in columns and rows from the middle. Only integers are used, so that results do not depend on the
/// machine.
fn height_number(columns: i64, rows: i64) -> u8 {
    // A slanted oval with two bays, flat around the camp, and a hill in the northeast.
    let square = |columns: i64, rows: i64| columns * columns + rows * rows;
    let coast = (7600 - square(columns, rows) - columns * rows / 3) / 160;
    let bays = [(72, -26, 900), (-46, 70, 700)];
    let bay = bays.map(|(away, down, size)| (square(columns + away, rows + down) - size) / 60);
    let land = bay.into_iter().fold(coast, i64::min);
    let (hill_columns, hill_rows) = (columns - 28, rows + 30);
    let hill = 70 - (hill_columns * hill_columns + hill_rows * hill_rows) / 9;
    let height = match land {
        ..=0 => 0,
        1..=26 => land,
        _ => 26,
    };
    u8::try_from((height + if height > 0 { hill.max(0) } else { 0 }).min(127)).unwrap_or_default()
}

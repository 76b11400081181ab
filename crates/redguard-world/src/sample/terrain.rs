//! An island in the sea: a beach around it, grass, and a hill of rock.

use record::{Bytes, Raw};

use crate::terrain::{Ground, Header, Planes, SIDE, Terrain, Tile};

/// Bytes of a plane.
const PLANE: usize = SIDE * SIDE;

/// The first numbers of the tiles' headers in the game's files.
const WORDS: [u16; 4] = [2152, 568, 1308, 10];

/// Where the tiles begin.
const FIRST: u32 = 1184;

/// Bytes of a tile.
const TILE: u32 = 22 + 4 * 128 * 128;

/// A terrain of 2 x 2 tiles in which everything is 0.
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
        for (place, (height, surface)) in (0_usize..).zip(corners) {
            let byte = |number: usize| u8::try_from(number).unwrap_or_default();
            (*height, *surface) = (byte(place / SIDE % 16), byte(place % SIDE % 4) << 6);
        }
    }
    out
}

/// The island.
pub(super) fn island() -> Terrain {
    let mut out = flat();
    let side = i64::try_from(SIDE).unwrap_or(i64::MAX);
    for (number, tile) in (0_i64..).zip(&mut out.tiles) {
        let Ground::Planes(planes) = &mut tile.ground else { continue };
        let corners = planes.heights.0.iter_mut().zip(&mut planes.surface.0);
        for (place, (height, surface)) in (0_i64..).zip(corners) {
            let column = number % 2 * side + place % side;
            let row = number / 2 * side + place / side;
            let at = |right: i64, below: i64| number_of_height(column + right - side, row + below - side);
            *height = at(0, 0);
            let around = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
            let (image, turns) = look(around);
            let any = u8::try_from((column * 7 + row * 3) % 4).unwrap_or_default();
            *surface = image | turns.unwrap_or(any) << 6;
        }
    }
    out
}

/// The image of a square by the heights of its corners, clockwise from the north-west, and how it is turned, if that matters.
fn look(around: [u8; 4]) -> (u8, Option<u8>) {
    let is_sea = around.map(|height| height == 0);
    let highest = around.into_iter().max().unwrap_or_default();
    match highest {
        0 => (0, None),
        // The lower half of the shore is water; turned by quarters counter-clockwise it lies in the south, the east, the north, the west.
        _ if is_sea.contains(&true) => {
            let [north_west, north_east, south_east, south_west] = is_sea.map(u8::from);
            let sides = [
                south_west + south_east,
                north_east + south_east,
                north_west + north_east,
                north_west + south_west,
            ];
            let most = sides.into_iter().max().unwrap_or_default();
            (31, (0..).zip(sides).find(|(_, side)| *side == most).map(|(turns, _)| turns))
        }
        1..=12 => (2, None),
        13..=60 => (1, None),
        _ => (3, None),
    }
}

/// The number of the height of a corner so many columns and rows from the middle: whole numbers only, so that all machines agree.
fn number_of_height(columns: i64, rows: i64) -> u8 {
    // A slanted oval with two bays, flat where the camp is, and a hill in the north-east.
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

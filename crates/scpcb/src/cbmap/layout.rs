//! The layout of maps of the map creator.
//!
//! Little-endian, packed. Lines end with CR LF, as written by Blitz3D; other strings are Blitz3D strings: an `i32` length and the
//! bytes. The grids of the facility and the maintenance tunnels have 19 x 19 cells, that of the forest 10 x 10.
//!
//! Source: the published source of the game and its map creator (public repository `Regalis11/scpcb`): `Map
//! Creator/mapcreator_new.bb`, which writes both versions, and `LoadMap` of version 1.3.11, which loads them.

use record::{Bytes, Record};
use serde::{Deserialize, Serialize};

use crate::string::BlitzString;

/// Maximum number of rooms: one for each cell of a grid with single-byte coordinates.
const MAX_ROOMS: usize = 1 << 16;

/// A map with a forest and maintenance tunnels (`.cbmap2`).
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// Author; `[Unknown]` if there is none.
    #[record(terminator = b"\r\n", show = quoted)]
    pub author: BlitzString,
    /// Description; `[No description]` if there is none.
    #[record(terminator = b"\r\n", show = quoted)]
    pub description: BlitzString,
    /// First row of light containment, which extends to the last row. Defaults to 13.
    pub light_row: u8,
    /// First row of heavy containment. The rows before it are the entrance zone. Defaults to 7.
    pub heavy_row: u8,
    /// Rooms of the facility.
    #[record(
        before(room_count: i32 = rooms.len()),
        before(forest_count: i32 = forest.len()),
        before(tunnel_count: i32 = tunnels.len()),
        count = room_count,
        limit = MAX_ROOMS
    )]
    pub rooms: Vec<PlacedRoom>,
    /// Pieces of the forest of SCP-860-1. It is used if there is a room `room860`.
    #[record(count = forest_count, limit = MAX_ROOMS)]
    pub forest: Vec<Piece>,
    /// Pieces of the maintenance tunnels. They are used if there is a room `room2tunnel`.
    #[record(count = tunnel_count, limit = MAX_ROOMS)]
    pub tunnels: Vec<Piece>,
    /// Trailing bytes. Usually none.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A map of the older version (`.cbmap`): only the facility.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OldMap {
    /// Rooms of the facility.
    #[record(until = end, limit = MAX_ROOMS)]
    pub rooms: Vec<PlacedRoom>,
}

/// A room of the facility.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedRoom {
    /// Column (0 to 18). The game counts columns from the other side.
    pub x: u8,
    /// Row (0 to 18). Row 0 is at the entrance.
    pub y: u8,
    /// Section of `Data/rooms.ini`, in lowercase.
    pub room: BlitzString,
    /// Rotation in quarter turns (0 to 3), as shown by the map creator.
    pub quarter_turns: u8,
    /// Event in the room, a section of `Data/events.ini`; empty for none.
    pub event: BlitzString,
    /// Probability of the event (0 to 1). At 0 it always happens.
    pub event_chance: f32,
}

/// A piece of the forest or of the maintenance tunnels.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// Column. The game counts columns from the other side.
    pub x: u8,
    /// Row.
    pub y: u8,
    /// Type of the piece, such as `maintenance tunnel corridor`.
    pub name: BlitzString,
    /// Rotation in quarter turns (0 to 3), as shown by the map creator.
    pub quarter_turns: u8,
}

fn quoted(text: &BlitzString) -> String {
    format!("{:?}", text.text())
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

//! The layout of maps of the map creator.
//!
//! Little-endian, packed. Lines end with CR LF, as Blitz3D writes them; other strings are Blitz3D's, an `i32` length and the bytes. The grid of the
//! facility has 19 x 19 cells, so has that of the maintenance tunnels; the forest has 10 x 10.
//!
//! Source: the published source of the game and its map creator (public repository `Regalis11/scpcb`): `Map Creator/mapcreator_new.bb`, which writes
//! both forms, and `LoadMap` of version 1.3.11, which loads them.

use record::{Bytes, Record};
use serde::{Deserialize, Serialize};

use crate::string::BlitzString;

/// More rooms are not read: each cell of a grid with bytes for coordinates once.
const MOST: usize = 1 << 16;

/// A map with a forest and maintenance tunnels (`.cbmap2`).
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// `[Unknown]` if nobody is named.
    #[record(terminator = b"\r\n", show = quoted)]
    pub author: BlitzString,
    /// `[No description]` if there is none.
    #[record(terminator = b"\r\n", show = quoted)]
    pub description: BlitzString,
    /// The first row of light containment; rows with larger numbers belong to it, too. 13 unless changed.
    pub light_row: u8,
    /// The first row of heavy containment. Rows before it are the entrance zone. 7 unless changed.
    pub heavy_row: u8,
    /// The facility.
    #[record(
        before(room_count: i32 = rooms.len()),
        before(forest_count: i32 = forest.len()),
        before(tunnel_count: i32 = tunnels.len()),
        count = room_count,
        limit = MOST
    )]
    pub rooms: Vec<PlacedRoom>,
    /// The forest of SCP-860-1. It is used if there is a room `room860`.
    #[record(count = forest_count, limit = MOST)]
    pub forest: Vec<Piece>,
    /// The maintenance tunnels. They are used if there is a room `room2tunnel`.
    #[record(count = tunnel_count, limit = MOST)]
    pub tunnels: Vec<Piece>,
    /// Bytes after that, which nothing reads. Usually none.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A map of older versions (`.cbmap`): only the facility.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OldMap {
    /// The facility.
    #[record(until = end, limit = MOST)]
    pub rooms: Vec<PlacedRoom>,
}

/// A room of the facility.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedRoom {
    /// The column, 0 to 18. The game counts columns from the other side.
    pub x: u8,
    /// The row, 0 to 18. Row 0 is at the entrance.
    pub y: u8,
    /// The section of `Data/rooms.ini`, in lower case.
    pub room: BlitzString,
    /// The rotation in quarter turns, 0 to 3, as the map creator shows it.
    pub quarter_turns: u8,
    /// The event that happens in it, a section of `Data/events.ini`; empty for none.
    pub event: BlitzString,
    /// The probability of the event, 0 to 1. At 0 it always happens.
    pub event_chance: f32,
}

/// A piece of the forest or of the maintenance tunnels.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// The column. The game counts columns from the other side.
    pub x: u8,
    /// The row.
    pub y: u8,
    /// What it is, like `maintenance tunnel corridor`.
    pub name: BlitzString,
    /// The rotation in quarter turns, 0 to 3, as the map creator shows it.
    pub quarter_turns: u8,
}

fn quoted(text: &BlitzString) -> String {
    format!("{:?}", text.text())
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

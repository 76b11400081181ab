//! Where the game places what stands on a cell, and how it is rotated.
//!
//! Lengths are engine units, 256 units of a room each. Rotations are yaws in degrees. Source: `LoadMap`, `PlaceGrid_MapCreator` and
//! `PlaceForest_MapCreator` of the game (version 1.3.11).

use super::layout::{Piece, PlacedRoom};

/// The last column and row of the facility and of the maintenance tunnels.
pub(super) const LAST: u8 = 18;
/// The last column and row of the forest.
pub(super) const FOREST_LAST: u8 = 9;

/// From room to room.
const ROOM_SPACING: f32 = 8.0;
/// From tunnel to tunnel.
const TUNNEL_SPACING: f32 = 2.0;
/// How high tunnels are above the room `room2tunnel`, whose corner they start at.
const TUNNEL_HEIGHT: f32 = 8.0;
/// From piece to piece of the forest.
const FOREST_SPACING: f32 = 12.0;
/// How high the forest is above `room860`.
const FOREST_HEIGHT: f32 = 30.0;

/// Where a room stands. A column beyond the grid is to the left of the last one, as in the game.
pub(super) fn room_position(room: &PlacedRoom) -> [f32; 3] {
    [(f32::from(LAST) - f32::from(room.x)) * ROOM_SPACING, 0.0, f32::from(room.y) * ROOM_SPACING]
}

/// The yaw of a room: the game turns those that do not lie across by another half turn.
pub(super) fn room_yaw(room: &PlacedRoom) -> f32 {
    let turns = u16::from(room.quarter_turns);
    let turns = if matches!(turns, 1 | 3) { turns } else { turns.saturating_add(2) };
    degrees(turns)
}

/// Where a tunnel stands, from the room `room2tunnel`.
pub(super) fn tunnel_position(piece: &Piece) -> [f32; 3] {
    let across = f32::from(LAST) - f32::from(piece.x);
    [across * TUNNEL_SPACING, TUNNEL_HEIGHT, f32::from(piece.y) * TUNNEL_SPACING]
}

/// The yaw of a tunnel. Models of corners and T-shaped rooms are rotated by a quarter turn more.
pub(super) fn tunnel_yaw(piece: &Piece, is_offset: bool) -> f32 {
    let turns = u16::from(piece.quarter_turns);
    let turns = if matches!(turns, 1 | 3) { turns } else { turns.saturating_add(2) };
    degrees(if is_offset { turns.saturating_add(3) } else { turns })
}

/// Where a piece of the forest stands, from the room `room860`.
pub(super) fn forest_position(piece: &Piece) -> [f32; 3] {
    let across = f32::from(FOREST_LAST) - f32::from(piece.x);
    [across * FOREST_SPACING, FOREST_HEIGHT, f32::from(piece.y) * FOREST_SPACING]
}

fn degrees(quarter_turns: u16) -> f32 {
    f32::from(quarter_turns % 4) * 90.0
}

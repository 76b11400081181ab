//! Positions and rotations of rooms and pieces in the game.
//!
//! Lengths are in engine units, 256 room units each. Rotations are yaws in degrees. Source: `LoadMap`, `PlaceGrid_MapCreator` and
//! `PlaceForest_MapCreator` of the game (version 1.3.11).

use super::layout::{Piece, PlacedRoom};

/// Last column and row of the facility and of the maintenance tunnels.
pub(super) const LAST: u8 = 18;
/// Last column and row of the forest.
pub(super) const FOREST_LAST: u8 = 9;

/// Distance between rooms.
const ROOM_SPACING: f32 = 8.0;
/// Distance between tunnels.
const TUNNEL_SPACING: f32 = 2.0;
/// Height of tunnels above the room `room2tunnel`, at whose corner they start.
const TUNNEL_HEIGHT: f32 = 8.0;
/// Distance between pieces of the forest.
const FOREST_SPACING: f32 = 12.0;
/// Height of the forest above `room860`.
const FOREST_HEIGHT: f32 = 30.0;

/// Returns the position of a room. A column beyond the grid is to the left of the last one, as in the game.
pub(super) fn room_position(room: &PlacedRoom) -> [f32; 3] {
    [(f32::from(LAST) - f32::from(room.x)) * ROOM_SPACING, 0.0, f32::from(room.y) * ROOM_SPACING]
}

/// Returns the yaw of a room. The game rotates rooms with an even number of quarter turns by another half turn.
pub(super) fn room_yaw(room: &PlacedRoom) -> f32 {
    let turns = u16::from(room.quarter_turns);
    let turns = if matches!(turns, 1 | 3) { turns } else { turns.saturating_add(2) };
    degrees(turns)
}

/// Returns the position of a tunnel relative to the room `room2tunnel`.
pub(super) fn tunnel_position(piece: &Piece) -> [f32; 3] {
    let across = f32::from(LAST) - f32::from(piece.x);
    [across * TUNNEL_SPACING, TUNNEL_HEIGHT, f32::from(piece.y) * TUNNEL_SPACING]
}

/// Returns the yaw of a tunnel. Models of corners and T-shaped rooms are rotated by an additional quarter turn.
pub(super) fn tunnel_yaw(piece: &Piece, is_offset: bool) -> f32 {
    let turns = u16::from(piece.quarter_turns);
    let turns = if matches!(turns, 1 | 3) { turns } else { turns.saturating_add(2) };
    degrees(if is_offset { turns.saturating_add(3) } else { turns })
}

/// Returns the position of a piece of the forest relative to the room `room860`.
pub(super) fn forest_position(piece: &Piece) -> [f32; 3] {
    let across = f32::from(FOREST_LAST) - f32::from(piece.x);
    [across * FOREST_SPACING, FOREST_HEIGHT, f32::from(piece.y) * FOREST_SPACING]
}

fn degrees(quarter_turns: u16) -> f32 {
    f32::from(quarter_turns % 4) * 90.0
}

//! Checks a map against its grid and against the tables of the game.

use std::collections::BTreeMap;

use asset::{Context, Report, counted};

use super::layout::{Piece, PlacedRoom};
use super::plan::Plan;
use super::{grid, piece, scene, warning};
use crate::ini::lookup::{EventTable, RoomTable};

pub(super) fn check(plan: &Plan<'_>, context: &Context<'_>, report: &mut Report) {
    check_header(plan, report);
    let rooms = RoomTable::of_install(context);
    let events = EventTable::of_install(context);
    let mut cells: BTreeMap<(u8, u8), usize> = BTreeMap::new();
    for (index, room) in plan.rooms.iter().enumerate() {
        let field = format!("rooms[{index}]");
        check_cell((room.x, room.y, grid::LAST), room.quarter_turns, &field, report);
        let first = *cells.entry((room.x, room.y)).or_insert(index);
        if first != index {
            let message = format!("\"{}\" is on the same cell as rooms[{first}]", room.room.text());
            report.warn(&warning::SAME_CELL, message).in_field(field.as_str());
        }
        if let Some(table) = &rooms {
            check_room(room, table, &field, report);
        }
        check_event(room, events.as_ref(), &field, report);
    }
    let is_tunnel = |name: &str| piece::tunnel_named(name).is_some();
    let tunnels =
        Pieces { noun: "tunnel", group_name: "the maintenance tunnels", field: "tunnels", last: grid::LAST };
    tunnels.check(plan, (plan.tunnels, scene::TUNNEL_ROOM), is_tunnel, report);
    let forest =
        Pieces { noun: "forest", group_name: "the forest", field: "forest", last: grid::FOREST_LAST };
    forest.check(plan, (plan.forest, scene::FOREST_ROOM), piece::is_forest, report);
    if !plan.rest.is_empty() {
        let bytes = counted(plan.rest.len(), "trailing byte", "trailing bytes");
        report.warn(&warning::LEFT_OVER, format!("{bytes} after the end of the map")).in_field("rest");
    }
}

fn check_header(plan: &Plan<'_>, report: &mut Report) {
    let Some((author, description)) = plan.header else { return };
    for (field, text) in [("author", author), ("description", description)] {
        if text.bytes().contains(&b'\n') {
            let message = "the game reads the text after the line break as the next field";
            report.warn(&warning::LINE_BREAK, message).in_field(field);
        }
    }
    let [light, heavy] = plan.zone_rows;
    if light < heavy.saturating_add(2) {
        let message = format!("light containment starts in row {light}, heavy containment in row {heavy}");
        report.warn(&warning::ZONES, message).in_field("light_row");
    }
}

fn check_cell((x, y, last): (u8, u8, u8), quarter_turns: u8, field: &str, report: &mut Report) {
    if x > last || y > last {
        let message = format!("column {x}, row {y} is outside the grid (0 to {last})");
        report.warn(&warning::OFF_GRID, message).in_field(field);
    }
    if quarter_turns > 3 {
        let message = format!("{quarter_turns} quarter turns (expected 0 to 3)");
        report.warn(&warning::ROTATION, message).in_field(format!("{field}.quarter_turns"));
    }
}

fn check_room(room: &PlacedRoom, table: &RoomTable, field: &str, report: &mut Report) {
    let name = room.room.text();
    if !table.has(&name) {
        let message = format!("\"{name}\" is not in Data/rooms.ini");
        report.warn(&warning::UNKNOWN_ROOM, message).in_field(format!("{field}.room"));
    }
}

fn check_event(room: &PlacedRoom, events: Option<&EventTable>, field: &str, report: &mut Report) {
    if room.event.is_empty() {
        return;
    }
    if !(0.0..=1.0).contains(&room.event_chance) {
        let message = format!("probability {} (expected 0 to 1)", room.event_chance);
        report.warn(&warning::CHANCE, message).in_field(format!("{field}.event_chance"));
    }
    let Some(events) = events else { return };
    let (event, name, field) = (room.event.text(), room.room.text(), format!("{field}.event"));
    match events.rooms(&event) {
        None => {
            let message = format!("event \"{event}\" is not in Data/events.ini");
            report.warn(&warning::UNKNOWN_EVENT, message).in_field(field);
        }
        Some(rooms) if !rooms.contains(&name.to_lowercase()) => {
            let message =
                format!("event \"{event}\" does not belong to the room \"{name}\" in Data/events.ini");
            report.warn(&warning::EVENT_ELSEWHERE, message).in_field(field);
        }
        Some(_) => {}
    }
}

/// Pieces of one kind.
struct Pieces {
    noun: &'static str,
    group_name: &'static str,
    field: &'static str,
    last: u8,
}

impl Pieces {
    fn check(
        &self,
        plan: &Plan<'_>,
        (pieces, room): (&[Piece], &str),
        is_known: impl Fn(&str) -> bool,
        report: &mut Report,
    ) {
        if !pieces.is_empty() && plan.first(room).is_none() {
            scene::unused(room, (self.noun, pieces), report);
        }
        for (index, piece) in pieces.iter().enumerate() {
            let field = format!("{}[{index}]", self.field);
            check_cell((piece.x, piece.y, self.last), piece.quarter_turns, &field, report);
            let name = piece.name.text();
            if !is_known(&name) {
                let message = format!("\"{name}\" is not a piece of {}", self.group_name);
                report.warn(&warning::UNKNOWN_PIECE, message).in_field(format!("{field}.name"));
            }
        }
    }
}

//! Converts a map to a scene: rooms on the grid, grouped by zone.

use std::collections::BTreeMap;

use ::scene::{Layer, Node, NodeId, Scene};
use asset::{Context, Report, Target, counted};
use json::{Map, Value, json};

use super::layout::{Piece, PlacedRoom};
use super::plan::{Plan, Zone};
use super::template::{File, Templates};
use super::{grid, piece, warning};
use crate::axes;

/// Maximum number of rooms and pieces: three grids of 19 x 19 cells.
const MAX_PLACED: usize = 3 * 19 * 19;

/// Maximum number of nodes.
const MAX_NODES: usize = 1 << 18;

/// Name of the room with the entrance to the tunnels of the map.
pub(super) const TUNNEL_ROOM: &str = "room2tunnel";
/// Name of the room with the entrance to the forest of the map.
pub(super) const FOREST_ROOM: &str = "room860";

pub(super) fn to_scene(
    plan: &Plan<'_>,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Scene {
    let mut scene = Scene::new(target.name);
    let root = scene.add_root(Node { extras: header(plan), ..Node::named(target.name) });
    let templates = Templates::new(context, target, report);
    let mut layout = Layout { scene, templates, scale: target.factor(), placed: 0, left_out: 0 };
    let zones: BTreeMap<Zone, NodeId> = Zone::ALL
        .into_iter()
        .filter(|zone| plan.rooms.iter().any(|room| plan.zone(room.y) == *zone))
        .map(|zone| {
            let node = Node { layer: Some(Layer::Group), ..Node::named(zone.name().0) };
            (zone, layout.scene.add_child(root, node))
        })
        .collect();
    for (index, room) in plan.rooms.iter().enumerate() {
        let zone = plan.zone(room.y);
        if let Some(parent) = zones.get(&zone) {
            layout.add_room(room, zone, *parent, &format!("rooms[{index}].room"), report);
        }
    }
    layout.add_tunnels(plan, root, report);
    layout.add_forest(plan, root, report);
    if layout.left_out > 0 {
        let message = format!(
            "{} not laid out (limit: {MAX_PLACED})",
            counted(layout.left_out, "room is", "rooms are")
        );
        report.warn(&warning::TOO_MANY, message);
    }
    if layout.templates.lightmap_layer_rooms > 0 && !target.is_checked_only {
        let message =
            "few viewers support MOZ_lightmap; without --lightmaps layers, the result looks right everywhere";
        report.warn(&warning::LAYERS, message);
    }
    layout.scene
}

fn header(plan: &Plan<'_>) -> Map<String, Value> {
    let mut extras = Map::new();
    if let Some((author, description)) = plan.header {
        extras.insert("author".into(), author.text().into());
        extras.insert("description".into(), description.text().into());
    }
    extras
}

/// The scene that rooms are added to.
struct Layout<'a, 'b> {
    scene: Scene,
    templates: Templates<'a, 'b>,
    scale: f32,
    placed: usize,
    left_out: usize,
}

impl Layout<'_, '_> {
    fn add_room(&mut self, room: &PlacedRoom, zone: Zone, parent: NodeId, field: &str, report: &mut Report) {
        if !self.reserve() {
            return;
        }
        let name = room.room.text();
        let mut extras = cell(room.x, room.y);
        extras.insert("zone".into(), zone.name().1.into());
        if !room.event.is_empty() {
            extras.insert("event".into(), room.event.text().into());
            extras.insert("event_chance".into(), json!(room.event_chance));
        }
        let node = Node { extras, ..self.node(&name, grid::room_position(room), grid::room_yaw(room)) };
        let node = self.scene.add_child(parent, node);
        let part = self.templates.part((&name, File::OfTable), field, &mut self.scene, report);
        self.fill(part, node);
    }

    /// Adds the maintenance tunnels, starting at the corner of their room.
    fn add_tunnels(&mut self, plan: &Plan<'_>, root: NodeId, report: &mut Report) {
        let Some(group) = self.group(plan, TUNNEL_ROOM, ("tunnel", plan.tunnels), root, report) else {
            return;
        };
        for (index, tunnel) in plan.tunnels.iter().enumerate() {
            if !self.reserve() {
                continue;
            }
            let (name, field) = (tunnel.name.text(), format!("tunnels[{index}].name"));
            let known = piece::tunnel_named(&name);
            let yaw = grid::tunnel_yaw(tunnel, known.is_some_and(|known| known.is_offset));
            let node = self.node(&name, grid::tunnel_position(tunnel), yaw);
            let node = self.scene.add_child(group, Node { extras: cell(tunnel.x, tunnel.y), ..node });
            let Some(known) = known else {
                let message = format!("\"{name}\" is not a piece of the maintenance tunnels");
                report.warn(&warning::UNKNOWN_PIECE, message).in_field(field);
                continue;
            };
            let file = (known.name, File::Path(known.mesh));
            let part = self.templates.part(file, &field, &mut self.scene, report);
            self.fill(part, node);
        }
    }

    /// Adds the forest as empty nodes.
    fn add_forest(&mut self, plan: &Plan<'_>, root: NodeId, report: &mut Report) {
        let Some(group) = self.group(plan, FOREST_ROOM, ("forest", plan.forest), root, report) else {
            return;
        };
        let mut added = 0_usize;
        for piece in plan.forest {
            if self.reserve() {
                let node = self.node(&piece.name.text(), grid::forest_position(piece), 0.0);
                self.scene.add_child(group, Node { extras: cell(piece.x, piece.y), ..node });
                added = added.saturating_add(1);
            }
        }
        let pieces = counted(added, "forest piece is an empty node", "forest pieces are empty nodes");
        report.warn(&warning::FOREST, pieces);
    }

    /// Adds a node for all pieces of a kind, at the position of their room.
    fn group(
        &mut self,
        plan: &Plan<'_>,
        room: &str,
        (noun, pieces): (&str, &[Piece]),
        root: NodeId,
        report: &mut Report,
    ) -> Option<NodeId> {
        if pieces.is_empty() {
            return None;
        }
        let Some(room) = plan.first(room) else {
            unused(room, (noun, pieces), report);
            return None;
        };
        let node = self.node(noun, grid::room_position(room), 0.0);
        Some(self.scene.add_child(root, node))
    }

    fn node(&self, name: &str, position: [f32; 3], yaw: f32) -> Node {
        Node {
            translation: axes::direction(position) * self.scale,
            rotation: axes::rotation([0.0, yaw, 0.0]),
            ..Node::named(name)
        }
    }

    /// Whether another room may be added. If not, the room is counted as left out.
    fn reserve(&mut self) -> bool {
        let fits = self.placed < MAX_PLACED;
        let count = if fits { &mut self.placed } else { &mut self.left_out };
        *count = count.saturating_add(1);
        fits
    }

    /// Places a part of the scene at a node, unless there would be too many nodes.
    fn fill(&mut self, part: Option<usize>, node: NodeId) {
        let Some(part) = part.and_then(|index| self.templates.get(index)) else { return };
        if self.scene.nodes.len().saturating_add(part.node_count()) > MAX_NODES {
            self.left_out = self.left_out.saturating_add(1);
        } else {
            self.scene.place(part, node);
        }
    }
}

/// Reports pieces without their room.
pub(super) fn unused(room: &str, (noun, pieces): (&str, &[Piece]), report: &mut Report) {
    let (one, many) = (format!("{noun} piece is"), format!("{noun} pieces are"));
    let message = format!("{} unused: the map has no \"{room}\"", counted(pieces.len(), &one, &many));
    report.warn(&warning::UNUSED_PIECES, message);
}

fn cell(x: u8, y: u8) -> Map<String, Value> {
    let mut extras = Map::new();
    extras.insert("cell".into(), json!([x, y]));
    extras
}

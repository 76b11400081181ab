//! Imports a scene as a room: one of our own conversions, possibly edited in another program, or one made from scratch.
//!
//! - Meshes become surfaces. A primitive with `extras.surface` is one surface, in that order, or a piece of one that has several
//!   baked textures; all others are grouped by material.
//! - Nodes with `extras.entity` become entities. If the transform or light of a node differs from the stored fields, the node
//!   takes precedence; otherwise the stored fields are kept, bit for bit. Meshes and lights below such a node belong to it and are
//!   not part of the room.
//! - Other lights become lights of the room: see [`light`].
//! - Meshes of nodes whose name ends in `-colonly` become collision; with `extras.trigger`, or a name that begins with `trigger_`,
//!   they become trigger boxes.
//! - Nodes that lost their extras are recognized by their names (`waypoint_12`), as far as possible; missing fields are taken from
//!   the `base` room, if given.
//!
//! Positions, texture coordinates, colors and the order of everything round-trip bit for bit from a scene that was not edited.
//! Number suffixes that other programs append to names (`.001`) are ignored.

mod bump;
mod color;
mod entity;
mod light;
mod piece;
mod slot;
mod surface;
#[cfg(test)]
mod tests;
mod transform;

use std::collections::BTreeMap;

use asset::Report;
use record::{Bytes, Error, Kind, Result};
use scene::gltf::Read;
use scene::{Mesh, Node, NodeId, Scene};
use serde_json::{Map, Value};

use self::transform::Transform;
use super::layout::{Entity, InvisibleSurface, MAX_COUNT, TriggerBox};
use super::{Header, RMesh, TRAILER, warning};
use crate::axes;
use crate::import::name::without_number;
use crate::string::BlitzString;
use asset::counted;

/// Makes a room file of a scene file.
pub(super) fn import(read: &Read, _extension: &str, report: &mut Report) -> Result<Vec<u8>> {
    from_read(read, None, report)?.write()
}

/// Makes a room of a scene file, which may be the edited form of `base`.
pub(super) fn from_read(read: &Read, base: Option<&RMesh>, report: &mut Report) -> Result<RMesh> {
    let room = RMesh::from_scene(&read.scene, base, report)?;
    warning::lost(report, Some(("animations", read.scene.animations.len())).filter(|(_, count)| *count > 0));
    // Their animations are counted among the others.
    let deformations = read.deformations().filter(|left_out| left_out.what != "animations of morph weights");
    for left_out in deformations {
        warning::lost(report, [(left_out.what.as_str(), left_out.count)]);
    }
    warning::lost(report, read.left_out.iter().filter_map(|left_out| bump::not_ours(left_out, &read.scene)));
    Ok(room)
}

impl RMesh {
    /// Makes a room of a scene. What a room cannot hold is reported. `base` is the room that the scene was made of, if it is at
    /// hand: it knows the fields of entities that lost them on the way.
    ///
    /// # Errors
    /// [`Kind::Usage`] for extras that are not what they should be, for names outside the game's charset,
    /// and for more surfaces or entities than a room may have.
    pub fn from_scene(scene: &Scene, base: Option<&RMesh>, report: &mut Report) -> Result<Self> {
        let budget = most_corners(scene);
        let mut import =
            Import { scene, base, settings: Settings::find(scene), found: Found::default(), budget };
        import.walk(report)?;
        import.into_room(report)
    }
}

/// The extras of the node of the room.
#[derive(Debug, Default)]
struct Settings {
    header: Option<Header>,
    rest: Option<Bytes>,
    unread_entities: i32,
    /// Meters were multiplied by this.
    scale: f32,
    holds: Option<Map<String, Value>>,
}

impl Settings {
    fn find(scene: &Scene) -> Self {
        let all = scene.nodes.iter().map(|node| &node.extras).chain([&scene.extras]);
        let extras = all.into_iter().find(|extras| extras.get("header").is_some_and(Value::is_string));
        let get = |name| extras.and_then(|extras| extras.get(name)).cloned();
        let scale = get("scale").and_then(|scale| serde_json::from_value(scale).ok());
        Self {
            header: get("header").and_then(|header| serde_json::from_value(header).ok()),
            rest: get("rest").and_then(|rest| serde_json::from_value(rest).ok()),
            unread_entities: get("unread_entities")
                .and_then(|unread| serde_json::from_value(unread).ok())
                .unwrap_or_default(),
            scale: scale.filter(|scale: &f32| scale.is_normal()).unwrap_or(1.0),
            holds: get("holds").and_then(|holds| holds.as_object().cloned()),
        }
    }

    /// A position of the scene in game units.
    fn game_position(&self, point: glam::Vec3) -> [f32; 3] {
        let unscaled = if self.scale.to_bits() == 1_f32.to_bits() { point } else { point / self.scale };
        axes::game_position(unscaled)
    }
}

/// What was found on the way through the scene, each with where it belongs in the order of its kind.
#[derive(Debug, Default)]
struct Found<'a> {
    parts: Vec<surface::Part<'a>>,
    entities: Vec<(u64, Entity)>,
    collision: Vec<(u64, InvisibleSurface)>,
    triggers: Vec<(u64, TriggerBox)>,
    /// What was left out, and how often.
    lost: BTreeMap<&'static str, usize>,
    /// Nodes that cannot be made what their names say: the first of each class, and how many there are.
    nameless: BTreeMap<&'a str, (&'a str, usize)>,
}

struct Import<'a> {
    scene: &'a Scene,
    base: Option<&'a RMesh>,
    settings: Settings,
    found: Found<'a>,
    /// How many more vertices and indices the room may have.
    budget: usize,
}

/// The most vertices and indices of a room, unless the meshes of the scene have more themselves: a small scene may show a mesh any number of times.
const MOST_CORNERS: usize = 1 << 20;

/// The most vertices and indices that a room of this scene may have.
fn most_corners(scene: &Scene) -> usize {
    let own = scene.meshes.iter().map(corners).fold(0, usize::saturating_add);
    own.saturating_mul(4).max(MOST_CORNERS)
}

/// How many vertices and indices a mesh has.
fn corners(mesh: &Mesh) -> usize {
    let sizes =
        mesh.primitives.iter().flat_map(|primitive| [primitive.positions.len(), primitive.indices.len()]);
    sizes.fold(0, usize::saturating_add)
}

/// Whose node it is that others are below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Room,
    Entity,
}

/// What a node is for.
enum Role<'a> {
    Entity(&'a Map<String, Value>),
    /// An entity of a class that rooms do not have.
    Foreign(&'a str),
    /// An entity that lost its fields: its class, and its number in the room.
    Named(&'a str, usize),
    Trigger,
    Collision,
    Shown,
}

impl<'a> Role<'a> {
    fn of(node: &'a Node) -> Self {
        let name = without_number(&node.name);
        if let Some(fields) = node.extras.get("entity").and_then(Value::as_object) {
            // Other editors have classes unknown to the game, with fields that are not raw bytes.
            let class = fields.get("class").and_then(Value::as_str).unwrap_or_default();
            let is_writable = Entity::CLASSES.contains(&class) || fields.contains_key("fields");
            return if is_writable { Self::Entity(fields) } else { Self::Foreign(class) };
        }
        if node.extras.contains_key("trigger") {
            return Self::Trigger;
        }
        if node.extras.contains_key("collision") {
            return Self::Collision;
        }
        if name.starts_with(TRIGGER) {
            return Self::Trigger;
        }
        if name.ends_with(COLONLY) {
            return Self::Collision;
        }
        match name.rsplit_once('_').and_then(|(class, number)| Some((class, number.parse().ok()?))) {
            Some((class, number)) if Entity::CLASSES.contains(&class) => Self::Named(class, number),
            _ => Self::Shown,
        }
    }
}

const TRIGGER: &str = "trigger_";
const COLONLY: &str = "-colonly";

/// Where a node belongs among those of its kind: by the number in its name, or after all that have one.
fn order(name: &str) -> u64 {
    let name = without_number(name);
    let name = name.strip_suffix(COLONLY).unwrap_or(name);
    name.rsplit_once('_').and_then(|(_, number)| number.parse().ok()).unwrap_or(u64::MAX)
}

impl<'a> Import<'a> {
    /// Goes through all nodes that are in the scene, parents first, in their order.
    fn walk(&mut self, report: &mut Report) -> Result<()> {
        let mut stack: Vec<(NodeId, Transform, Owner)> =
            self.scene.roots.iter().rev().map(|root| (*root, Transform::default(), Owner::Room)).collect();
        // A node that is met twice is no tree; it counts once.
        let mut met = vec![false; self.scene.nodes.len()];
        while let Some((id, parent, owner)) = stack.pop() {
            let scene = self.scene;
            let (Some(node), Some(met)) = (scene.nodes.get(id.0), met.get_mut(id.0)) else { continue };
            if std::mem::replace(met, true) {
                continue;
            }
            let transform = parent.below(node);
            let owner = self.take(node, transform, owner, report).map_err(|error| match error.kind() {
                Kind::Limit => error,
                _ => Error::usage(format!("node \"{}\": {error}", node.name)),
            })?;
            stack.extend(node.children.iter().rev().map(|child| (*child, transform, owner)));
        }
        Ok(())
    }

    /// Counts what a node shows against what a room may have.
    fn spend(&mut self, node: &Node) -> Result<()> {
        let corners = self.mesh(node).map_or(0, corners);
        self.budget = self.budget.checked_sub(corners).ok_or_else(|| {
            Error::limit("the meshes of the scene are shown so often that the room would be too large")
        })?;
        Ok(())
    }

    /// Takes what a node is. Returns the owner of its descendants.
    fn take(
        &mut self,
        node: &'a Node,
        transform: Transform,
        owner: Owner,
        report: &mut Report,
    ) -> Result<Owner> {
        match Role::of(node) {
            Role::Entity(fields) => {
                let entity = self.entity(fields, node, transform)?;
                self.found.entities.push((order(&node.name), entity));
                return Ok(Owner::Entity);
            }
            Role::Foreign(class) => {
                self.without_fields(class, node);
                return Ok(Owner::Entity);
            }
            Role::Named(class, number) if owner == Owner::Room => {
                return self.named(class, number, node, transform);
            }
            Role::Trigger => {
                self.spend(node)?;
                let surfaces = self.invisible(node, transform);
                let trigger = TriggerBox { surfaces, name: self.trigger_name(node)? };
                self.found.triggers.push((order(&node.name), trigger));
            }
            Role::Collision => {
                self.spend(node)?;
                let surfaces = self.invisible(node, transform);
                let order = order(&node.name);
                // An empty surface has no mesh.
                let empty = surfaces.is_empty().then(InvisibleSurface::default);
                self.found
                    .collision
                    .extend(surfaces.into_iter().chain(empty).map(|surface| (order, surface)));
            }
            Role::Shown | Role::Named(..) if owner == Owner::Room => {
                self.spend(node)?;
                self.shown(node, transform, report);
            }
            Role::Shown | Role::Named(..) => {}
        }
        Ok(owner)
    }

    /// A node with a mesh, a light, both or none.
    fn shown(&mut self, node: &'a Node, transform: Transform, report: &mut Report) {
        for primitive in self.mesh(node).into_iter().flat_map(|mesh| &mesh.primitives) {
            self.found.parts.push(surface::Part { primitive, transform });
        }
        let Some(light) = node.light.and_then(|light| self.scene.lights.get(light.0)) else { return };
        match light::made(light, transform, &self.settings) {
            Some(entity) => {
                let message = format!(
                    "the light \"{}\" does not come from a room; its range and intensity are estimated",
                    node.name
                );
                report.warn(&warning::LIGHT_CONVERTED, message);
                self.found.entities.push((u64::MAX, entity));
            }
            None => self.lose("directional lights", 1),
        }
    }

    fn mesh(&self, node: &Node) -> Option<&'a Mesh> {
        node.mesh.and_then(|mesh| self.scene.meshes.get(mesh.0))
    }

    fn lose(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let lost = self.found.lost.entry(what).or_default();
            *lost = lost.saturating_add(count);
        }
    }

    /// Leaves out a node that cannot be made what its name or class says.
    fn without_fields(&mut self, class: &'a str, node: &'a Node) {
        let (_, count) = self.found.nameless.entry(class).or_insert((&node.name, 0));
        *count = count.saturating_add(1);
    }

    fn invisible(&self, node: &Node, transform: Transform) -> Vec<InvisibleSurface> {
        let primitives = self.mesh(node).into_iter().flat_map(|mesh| &mesh.primitives);
        primitives.map(|primitive| surface::invisible(primitive, transform, &self.settings)).collect()
    }

    /// The name of a trigger box: in its extras, or in the room it came from, or behind `trigger_`.
    fn trigger_name(&mut self, node: &'a Node) -> Result<BlitzString> {
        let text = match node.extras.get("trigger") {
            Some(Value::String(name)) => Some(name.as_str()),
            Some(trigger) => trigger.get("name").and_then(Value::as_str),
            None => None,
        };
        if let Some(text) = text {
            return BlitzString::from_text(text);
        }
        let name = without_number(&node.name);
        let name = name.strip_prefix(TRIGGER).unwrap_or(name);
        let name = name.strip_suffix(COLONLY).unwrap_or(name);
        let number: Option<usize> = name.parse().ok();
        let known = number.and_then(|number| self.base?.triggers().get(number));
        match known {
            Some(trigger) => return Ok(trigger.name.clone()),
            // Its number, which is no name.
            None if number.is_some() => self.without_fields("trigger", node),
            None => {}
        }
        BlitzString::from_text(name)
    }

    fn into_room(mut self, report: &mut Report) -> Result<RMesh> {
        let surfaces = self.surfaces(report)?;
        let Self { base, settings, found, .. } = self;
        let Found { entities, collision, triggers, lost, nameless, .. } = found;
        warning::lost(report, lost);
        warning::fields_missing(report, nameless);
        let (entities, collision, triggers) = (sorted(entities), sorted(collision), sorted(triggers));
        let limits = [surfaces.len(), entities.len(), collision.len(), triggers.len()];
        if let Some(count) = limits.into_iter().find(|count| *count > MAX_COUNT) {
            let message = format!("{count} surfaces, boxes or entities exceed the limit of {MAX_COUNT}");
            return Err(Error::limit(message));
        }
        warn_missing(settings.holds.as_ref(), &entities, collision.len(), triggers.len(), report);
        let header = settings.header.or(base.map(|base| base.header)).unwrap_or(Header::RoomMesh);
        let header = if triggers.is_empty() { header } else { Header::HasTriggerBox };
        let rest = settings.rest.or_else(|| base.map(|base| base.rest.clone()));
        let mut room = RMesh {
            header,
            surfaces,
            triggers: (header == Header::HasTriggerBox).then_some(triggers),
            collision: Some(collision),
            entities: Some(entities),
            unread_entities: settings.unread_entities,
            rest: rest.unwrap_or_else(|| Bytes::from(TRAILER)),
        };
        keep_damage(&mut room, settings.holds.as_ref(), report);
        Ok(room)
    }
}

fn sorted<T>(mut items: Vec<(u64, T)>) -> Vec<T> {
    items.sort_by_key(|(order, _)| *order);
    items.into_iter().map(|(_, item)| item).collect()
}

/// A room of which only the first lists could be read stays like that, unless the scene has more.
fn keep_damage(room: &mut RMesh, holds: Option<&Map<String, Value>>, report: &mut Report) {
    let Some(holds) = holds.filter(|holds| !holds.contains_key("entities")) else { return };
    let behind = room.entities().len().saturating_add(room.triggers().len());
    let has_collision = holds.contains_key("collision");
    if behind > 0 || (!has_collision && !room.collision().is_empty()) {
        let message = format!("{} unread bytes discarded: the scene has more items now", room.rest.len());
        report.warn(&warning::IMPORT_LOST, message);
        room.rest = Bytes::from(TRAILER);
        return;
    }
    (room.entities, room.triggers) = (None, None);
    if !has_collision {
        room.collision = None;
    }
}

/// Reports what the room had and the scene lacks.
fn warn_missing(
    holds: Option<&Map<String, Value>>,
    entities: &[Entity],
    collision: usize,
    triggers: usize,
    report: &mut Report,
) {
    let Some(holds) = holds else { return };
    let number = |value: Option<&Value>| {
        value.and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
    };
    let mut compare = |had: usize, has: usize, one: &str, many: &str, hint: &str| {
        if had > has {
            let message = format!("the room had {}, the scene has {has}{hint}", counted(had, one, many));
            report.warn(&warning::MISSING, message);
        }
    };
    let hint = "; convert with --with collision,triggers to keep them";
    compare(number(holds.get("collision")), collision, "collision surface", "collision surfaces", hint);
    compare(number(holds.get("triggers")), triggers, "trigger box", "trigger boxes", hint);
    for (class, had) in holds.get("entities").and_then(Value::as_object).into_iter().flatten() {
        let has = entities.iter().filter(|entity| entity.class() == *class).count();
        let hint = match class.as_str() {
            "light" | "spotlight" => "; enable \"Punctual Lights\" when exporting from Blender",
            _ => "",
        };
        let of_class = format!("of the class {class}");
        compare(number(Some(had)), has, &format!("entity {of_class}"), &format!("entities {of_class}"), hint);
    }
}

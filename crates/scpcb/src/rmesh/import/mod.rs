//! Imports a scene as a room: an earlier conversion of a room, possibly edited in another program, or a scene created from scratch.
//!
//! - Meshes become surfaces. A primitive with `extras.surface` is one surface, in that order, or a piece of one that has several
//!   baked textures; all others are grouped by material. A surface with too many vertices is divided.
//! - Nodes with `extras.entity` become entities. If the transform or light of a node differs from the stored fields, the node
//!   takes precedence; otherwise the stored fields are kept, bit for bit. Meshes and lights below such a node belong to it and are
//!   not part of the room.
//! - Nodes with a property `class`, or named after a class, become entities with fields from their properties: see
//!   [`vocabulary`]. Other lights become lights of the room: see [`light`].
//! - Meshes of nodes whose name ends in `-colonly` become collision; with `extras.trigger`, or a name that begins with `trigger_`,
//!   they become trigger boxes. Empties with such names become boxes.
//! - Nodes that lost their extras are recognized by their names (`waypoint_12`), as far as possible; missing fields are taken from
//!   the `base` room, if given.
//! - The imported contents are independent of a dialect; they are then written in a [dialect](super::dialect).
//!
//! Positions, texture coordinates, colors and all orders round-trip bit for bit from a scene that was not edited.
//! Number suffixes that other programs append to names (`.001`) are ignored.

mod bump;
mod color;
mod entity;
mod hint;
mod light;
mod missing;
mod option;
mod picture;
mod piece;
mod property;
mod role;
mod settings;
mod slot;
mod split;
mod surface;
#[cfg(test)]
mod tests;
mod transform;
mod trigger;
mod vocabulary;

use std::collections::BTreeMap;

use asset::{Imported, Options, Report, SceneFile};
use files::suggest::did_you_mean;
use json::{Map, Value};
use record::{Bytes, Error, Kind, Result};
use scene::gltf::Read;
use scene::{Mesh, Node, NodeId, Scene};

use self::missing::Keep;
use self::picture::Pictures;
use self::role::{NOCOL, Role, order};
use self::settings::Settings;
use self::transform::Transform;
use super::dialect::{AnyEntity, AnyRoom, Losses, NEWEST, Solidity, warn_unread};
use super::layout::{Entity, InvisibleSurface, MAX_COUNT, TriggerBox};
use super::node::is_layer;
use super::{Header, RMesh, TRAILER, warning};
use crate::import::name::without_number;
use asset::counted;

pub use missing::Kept;
pub use option::{ImportDialect, ImportOptions, SceneImages};

/// Imports a scene file as a room file.
pub(super) fn import(file: &SceneFile<'_>, report: &mut Report) -> Result<Imported> {
    let SceneFile { read, extension, name, options, base } = *file;
    let base = base.and_then(|base| base.typed::<RMesh>());
    let settings = Settings::find(&read.scene);
    let dialect = ImportDialect::chosen(options, extension, settings.origin);
    let is_new = settings.origin.is_none() && base.is_none() && !slot::has_lightmap_names(&read.scene);
    let keep = Keep::chosen(options);
    let draft = Import::new(&read.scene, base, settings, dialect).draft(keep, report)?;
    warn_left_out(read, report);
    let pictures = match SceneImages::chosen(options) {
        SceneImages::Companions => draft.pictures,
        SceneImages::Omitted => {
            warning::unsupported(
                report,
                Some(("images", draft.pictures.len())).filter(|(_, count)| *count > 0),
            );
            Pictures::default()
        }
    };
    let Draft { room, settings, .. } = draft;
    let keeps_rest = dialect == ImportDialect::Plain && settings.origin == Some(ImportDialect::Plain);
    if let Some(rest) = settings.rest.as_ref().filter(|_| !keeps_rest) {
        warn_unread(rest, report);
    }
    let (bytes, also_in): (_, &[&str]) = match dialect {
        ImportDialect::Plain => (plain(room, settings, base, report)?.write()?, &[]),
        ImportDialect::Rm => {
            let version = settings.version.unwrap_or(NEWEST);
            (room.into_rm(version, report).write()?, &[])
        }
        ImportDialect::RoomMesh2 => {
            let mut room = room.into_roommesh2(settings.normal_order, report);
            if let Some(rest) = settings.rest.filter(|rest| rest.is_empty()) {
                room.rest = rest;
            }
            (room.write()?, &["Textures"])
        }
    };
    if is_new {
        hint::table_entry(name, report);
    }
    Ok(Imported { bytes, companions: pictures.into_companions(also_in) })
}

/// Imports a scene file, the edited form of `base`, as a plain room.
pub(super) fn from_view(read: &Read, base: &RMesh, options: &Options, report: &mut Report) -> Result<RMesh> {
    let room = RMesh::from_edited(&read.scene, Some(base), Keep::chosen(options), report)?;
    warn_left_out(read, report);
    Ok(room)
}

/// Reports features of the scene that rooms do not support.
fn warn_left_out(read: &Read, report: &mut Report) {
    warning::unsupported(
        report,
        Some(("animations", read.scene.animations.len())).filter(|(_, count)| *count > 0),
    );
    // They are already counted as animations.
    let deformations = read.deformations().filter(|left_out| left_out.what != "animations of morph weights");
    for left_out in deformations {
        warning::unsupported(report, [(left_out.what.as_str(), left_out.count)]);
    }
    warning::unsupported(
        report,
        read.left_out.iter().filter_map(|left_out| bump::without_bump_maps(left_out, &read.scene)),
    );
}

impl RMesh {
    /// Converts a scene to a room. Unsupported features are reported. `base` is the room from which the scene was converted, if it is
    /// available: it provides the fields of entities that lost them in other programs.
    ///
    /// # Errors
    /// [`Kind::Usage`] for invalid extras, for names outside the game's charset,
    /// and for more surfaces or entities than a room may have.
    pub fn from_scene(scene: &Scene, base: Option<&RMesh>, report: &mut Report) -> Result<Self> {
        Self::from_edited(scene, base, Keep::default(), report)
    }

    fn from_edited(scene: &Scene, base: Option<&RMesh>, keep: Keep, report: &mut Report) -> Result<Self> {
        let import = Import::new(scene, base, Settings::find(scene), ImportDialect::Plain);
        let Draft { room, settings, pictures } = import.draft(keep, report)?;
        warning::unsupported(report, Some(("images", pictures.len())).filter(|(_, count)| *count > 0));
        plain(room, settings, base, report)
    }
}

/// The imported contents, independent of a dialect.
struct Draft {
    room: AnyRoom,
    settings: Settings,
    pictures: Pictures,
}

/// Converts to a plain room.
fn plain(room: AnyRoom, settings: Settings, base: Option<&RMesh>, report: &mut Report) -> Result<RMesh> {
    room.warn_solid(report);
    let AnyRoom { surfaces, collision, triggers, entities } = room;
    let mut losses = Losses::default();
    let entities: Vec<Entity> =
        entities.into_iter().filter_map(|entity| entity.into_plain(&mut losses)).collect();
    losses.report(report);
    let header = settings.header.or(base.map(|base| base.header)).unwrap_or(Header::RoomMesh);
    let header = if triggers.is_empty() { header } else { Header::HasTriggerBox };
    let is_plain = settings.origin.is_none_or(|origin| origin == ImportDialect::Plain);
    let rest = settings.rest.filter(|_| is_plain).or_else(|| base.map(|base| base.rest.clone()));
    let mut room = RMesh {
        header,
        surfaces: surfaces.into_iter().map(|surface| surface.surface).collect(),
        triggers: (header == Header::HasTriggerBox).then_some(triggers),
        collision: Some(collision),
        entities: Some(entities),
        unread_entities: settings.unread_entities,
        rest: rest.unwrap_or_else(|| Bytes::from(TRAILER)),
    };
    keep_unread(&mut room, settings.holds.as_ref(), report);
    Ok(room)
}

/// The contents found in the scene, each with its position in the order of its kind.
#[derive(Debug, Default)]
struct SceneContents<'a> {
    primitives: Vec<surface::PlacedPrimitive<'a>>,
    entities: Vec<(u64, AnyEntity)>,
    collision: Vec<(u64, InvisibleSurface)>,
    triggers: Vec<(u64, TriggerBox)>,
    /// Unsupported features and their number of occurrences.
    lost: BTreeMap<&'static str, usize>,
    /// Nodes that cannot be converted as their names suggest: for each class the first name and the count.
    without_fields: BTreeMap<&'a str, (&'a str, usize)>,
    /// Lights of other programs, whose range and intensity are estimated.
    estimated: Vec<&'a str>,
    /// Problems with nodes of the vocabulary.
    problems: Vec<String>,
    /// Empty nodes without a class.
    unknown: Vec<&'a str>,
}

struct Import<'a> {
    scene: &'a Scene,
    base: Option<&'a RMesh>,
    settings: Settings,
    /// The dialect to write.
    dialect: ImportDialect,
    found: SceneContents<'a>,
    pictures: Pictures,
    /// Number of further vertices and indices that the room may have.
    budget: usize,
}

/// Maximum number of vertices and indices of a room, unless the meshes of the scene have more: a small scene may show a mesh any
/// number of times.
const MAX_CORNERS: usize = 1 << 20;

/// The maximum number of vertices and indices in a room of this scene.
fn max_corners(scene: &Scene) -> usize {
    let own = scene.meshes.iter().map(corners).fold(0, usize::saturating_add);
    own.saturating_mul(4).max(MAX_CORNERS)
}

/// The number of vertices and indices of a mesh.
fn corners(mesh: &Mesh) -> usize {
    let sizes =
        mesh.primitives.iter().flat_map(|primitive| [primitive.positions.len(), primitive.indices.len()]);
    sizes.fold(0, usize::saturating_add)
}

/// The owner of a node's descendants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Room,
    /// A light, whose lamp may be a descendant.
    Lamp,
    Entity,
}

impl<'a> Import<'a> {
    fn new(scene: &'a Scene, base: Option<&'a RMesh>, settings: Settings, dialect: ImportDialect) -> Self {
        let (found, pictures) = (SceneContents::default(), Pictures::default());
        Self { scene, base, settings, dialect, found, pictures, budget: max_corners(scene) }
    }

    /// Visits all nodes in the scene, parents first, in their order.
    fn walk(&mut self) -> Result<()> {
        let mut stack: Vec<(NodeId, Transform, Owner)> =
            self.scene.roots.iter().rev().map(|root| (*root, Transform::default(), Owner::Room)).collect();
        // A node that is visited twice violates the tree; it counts once.
        let mut visited = vec![false; self.scene.nodes.len()];
        while let Some((id, parent, owner)) = stack.pop() {
            let scene = self.scene;
            let (Some(node), Some(visited)) = (scene.nodes.get(id.0), visited.get_mut(id.0)) else {
                continue;
            };
            if std::mem::replace(visited, true) {
                continue;
            }
            let transform = parent.below(node);
            let owner = self.add_node(node, transform, owner).map_err(|error| match error.kind() {
                Kind::Limit => error,
                _ => Error::usage(format!("node \"{}\": {error}", node.name)),
            })?;
            stack.extend(node.children.iter().rev().map(|child| (*child, transform, owner)));
        }
        Ok(())
    }

    /// Subtracts the mesh of a node from the budget.
    fn spend(&mut self, node: &Node) -> Result<()> {
        let corners = self.mesh(node).map_or(0, corners);
        self.budget = self.budget.checked_sub(corners).ok_or_else(|| {
            Error::limit("the meshes of the scene are shown so often that the room would be too large")
        })?;
        Ok(())
    }

    /// Adds a node according to its role. Returns the owner of its descendants.
    fn add_node(&mut self, node: &'a Node, transform: Transform, owner: Owner) -> Result<Owner> {
        match Role::of(node) {
            Role::Entity(fields) => {
                let class = fields.get("class").and_then(Value::as_str).unwrap_or_default();
                // Other editors have classes with the same names as a dialect's.
                let is_plain = Entity::CLASSES.contains(&class);
                match self.entity(fields, node, transform) {
                    Ok(entity) => self.found.entities.push((order(&node.name), entity)),
                    Err(_) if !is_plain && !fields.contains_key("fields") => self.without_fields(class, node),
                    Err(error) => return Err(error),
                }
                return Ok(Owner::Entity);
            }
            Role::UnknownClass(class) => {
                self.skip_unknown_class(class, node);
                return Ok(Owner::Entity);
            }
            Role::NumberedClass(class_name, number) if owner == Owner::Room => {
                return self.named(class_name, number, node, transform);
            }
            Role::Class(class_name) if owner == Owner::Room => {
                self.add_entity_of_class(class_name, u64::MAX, node, transform)?;
                return Ok(class_name.owner());
            }
            Role::Trigger => {
                self.spend(node)?;
                let trigger = self.trigger(node, transform)?;
                self.found.triggers.push((order(&node.name), trigger));
            }
            Role::Collision => {
                self.spend(node)?;
                let surfaces = self.invisible_or_box(node, transform);
                let order = order(&node.name);
                // An empty collision surface has no mesh.
                let empty = surfaces.is_empty().then(InvisibleSurface::default);
                let surfaces = surfaces.into_iter().flat_map(split::invisible);
                self.found.collision.extend(surfaces.chain(empty).map(|surface| (order, surface)));
            }
            Role::Visual | Role::NumberedClass(..) | Role::Class(_) if owner != Owner::Entity => {
                self.spend(node)?;
                self.add_visual(node, transform, owner);
            }
            Role::Visual | Role::NumberedClass(..) | Role::Class(_) => {}
        }
        Ok(owner)
    }

    /// Adds a node with a mesh, a light, both or neither.
    fn add_visual(&mut self, node: &'a Node, transform: Transform, owner: Owner) {
        let name = without_number(&node.name);
        let is_solid = !name.ends_with(NOCOL) && node.extras.get("solid") != Some(&Value::Bool(false));
        let solidity = if is_solid { Solidity::Solid } else { Solidity::RenderOnly };
        for primitive in self.mesh(node).into_iter().flat_map(|mesh| &mesh.primitives) {
            self.found.primitives.push(surface::PlacedPrimitive { primitive, transform, solidity });
        }
        let is_empty = node.mesh.is_none() && node.light.is_none() && node.children.is_empty();
        if is_empty && owner == Owner::Room && !node.extras.contains_key("header") && !is_layer(name) {
            self.found.unknown.push(&node.name);
        }
        let light = node.light.filter(|_| owner == Owner::Room);
        let Some(light) = light.and_then(|light| self.scene.lights.get(light.0)) else { return };
        match light::convert(light, transform, &self.settings) {
            Some(entity) => {
                self.found.estimated.push(&node.name);
                self.found.entities.push((u64::MAX, AnyEntity::Plain(entity)));
            }
            None => self.add_loss("directional lights", 1),
        }
    }

    fn mesh(&self, node: &Node) -> Option<&'a Mesh> {
        node.mesh.and_then(|mesh| self.scene.meshes.get(mesh.0))
    }

    fn add_loss(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let lost = self.found.lost.entry(what).or_default();
            *lost = lost.saturating_add(count);
        }
    }

    /// Skips a node that cannot be converted as its name or class suggests.
    fn without_fields(&mut self, class: &'a str, node: &'a Node) {
        let (_, count) = self.found.without_fields.entry(class).or_insert((&node.name, 0));
        *count = count.saturating_add(1);
    }

    /// Skips a node of an unknown class.
    fn skip_unknown_class(&mut self, class: &'a str, node: &'a Node) {
        if node.extras.contains_key("entity") {
            self.without_fields(class, node);
            return;
        }
        let hint = did_you_mean(class, vocabulary::class_names());
        self.found.problems.push(format!(
            "skipped the node \"{:.60}\": rooms have no class \"{class:.40}\"{hint}",
            node.name
        ));
    }

    fn draft(mut self, keep: Keep, report: &mut Report) -> Result<Draft> {
        self.walk()?;
        match self.base {
            Some(base) => missing::reconcile(&mut self.found, base, keep, report),
            None if self.settings.holds.is_none() && slot::has_lightmap_names(self.scene) => {
                missing::warn_unknown(&self.found, report);
            }
            None if self.settings.holds.is_none() && slot::has_file_names(self.scene) => {
                missing::warn_gaps(&self.found, report);
            }
            None => {}
        }
        let surfaces = self.surfaces(report)?;
        let Self { settings, found, pictures, base, .. } = self;
        let SceneContents {
            entities,
            collision,
            triggers,
            lost,
            without_fields,
            estimated,
            problems,
            unknown,
            ..
        } = found;
        for name in estimated {
            let message = format!(
                "the light \"{name}\" does not come from a room; its range and intensity are estimated"
            );
            report.warn(&warning::LIGHT_CONVERTED, message);
        }
        warning::unsupported(report, lost);
        warning::fields_missing(report, without_fields);
        warning::not_understood(report, problems, &unknown);
        let (entities, collision, triggers) = (sorted(entities), sorted(collision), sorted(triggers));
        let limits = [surfaces.len(), entities.len(), collision.len(), triggers.len()];
        if let Some(count) = limits.into_iter().find(|count| *count > MAX_COUNT) {
            let message = format!("{count} surfaces, boxes or entities exceed the limit of {MAX_COUNT}");
            return Err(Error::limit(message));
        }
        // With the base room, each missing item was reported by name.
        let holds = settings.holds.as_ref().filter(|_| base.is_none());
        warn_missing(holds, &entities, collision.len(), triggers.len(), report);
        Ok(Draft { room: AnyRoom { surfaces, collision, triggers, entities }, settings, pictures })
    }
}

fn sorted<T>(mut items: Vec<(u64, T)>) -> Vec<T> {
    items.sort_by_key(|(order, _)| *order);
    items.into_iter().map(|(_, item)| item).collect()
}

/// Keeps a partially read room as it was, unless the scene has more items.
fn keep_unread(room: &mut RMesh, holds: Option<&Map<String, Value>>, report: &mut Report) {
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

/// Reports items that the room had and the scene lacks.
fn warn_missing(
    holds: Option<&Map<String, Value>>,
    entities: &[AnyEntity],
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

//! Entities created in another program: nodes with a property `class`, or with the name of a class.
//!
//! The complete vocabulary is a table in the book (`docs/src/guide/new-room.md`). Lengths are in meters.

use record::Result;
use scene::{LightKind, Node};

use super::super::class::{self, Model, PlayerStart, Screen, SoundEmitter, Spotlight, Waypoint};
use super::super::dialect::{AnyEntity, Door, Entity2, Item, Prop, RmEntity, SaveScreen, Subroom};
use super::super::layout::Entity;
use super::property::Properties;
use super::transform::Transform;
use super::{Import, Owner, light};
use crate::axes;
use crate::string::BlitzString;

/// A class of the vocabulary, with the argument that follows it in the name of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClassName<'a> {
    pub(super) class: &'static str,
    /// `3` of `soundemitter_3`, `lamp2.x` of `model:lamp2.x`.
    pub(super) argument: Option<&'a str>,
}

/// The classes, each with its properties in addition to `class`.
const CLASSES: [(&str, &[&str]); 14] = [
    ("light", &["color", "intensity", "range"]),
    ("spotlight", &["color", "intensity", "range", "inner", "outer"]),
    ("waypoint", &[]),
    ("playerstart", &[]),
    ("soundemitter", &["sound", "range"]),
    ("screen", &["image"]),
    ("model", &["file"]),
    ("trigger", &[]),
    ("collision", &[]),
    ("mesh", &["file", "has_collision", "fx", "texture"]),
    ("save_screen", &["image", "model"]),
    ("item", &["item", "state_1", "state_2", "spawn_chance"]),
    (
        "door",
        &[
            "door_type",
            "door_identifier",
            "keycard_level",
            "keypad_code",
            "start_open",
            "locked",
            "delete_half",
            "remote_control",
        ],
    ),
    ("subroom", &["width", "height", "zone"]),
];

/// Alternative names of classes.
const ALIASES: [(&str, &str); 5] = [
    ("spawn", "playerstart"),
    ("spawnpoint", "playerstart"),
    ("sound", "soundemitter"),
    ("lamp", "light"),
    ("prop", "model"),
];

/// Default range of a sound, in meters.
const SOUND_RANGE: f32 = 4.0;
/// Default cones of a spotlight, in degrees from its axis.
const INNER: i32 = 22;
const OUTER: i32 = 45;

/// The class with a name, in any case.
pub(super) fn class_of(name: &str) -> Option<&'static str> {
    let names = CLASSES.iter().map(|(class, _)| (*class, *class)).chain(ALIASES);
    names.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, class)| class)
}

/// All names of classes.
pub(super) fn class_names() -> impl Iterator<Item = &'static str> {
    CLASSES.iter().map(|(class, _)| *class).chain(ALIASES.map(|(alias, _)| alias))
}

impl<'a> ClassName<'a> {
    /// Parses a name: a class, or a class followed by `_` or `:` and an argument. Trigger boxes and collision have their own name
    /// patterns.
    pub(super) fn of_name(name: &'a str) -> Option<Self> {
        let exact = class_of(name).map(|class| Self { class, argument: None });
        let with = |separator| {
            let at = name.match_indices(separator).map(|(at, _)| at);
            at.filter_map(|at| name.split_at_checked(at)).find_map(|(class, rest)| {
                let argument = rest.get(1..).filter(|argument| !argument.is_empty());
                Some(Self { class: class_of(class)?, argument })
            })
        };
        exact
            .or_else(|| with(':'))
            .or_else(|| with('_'))
            .filter(|class_name| !["trigger", "collision"].contains(&class_name.class))
    }

    /// Whether this is a class of plain rooms.
    pub(super) fn is_plain(self) -> bool {
        Entity::CLASSES.contains(&self.class)
    }

    fn properties(self) -> &'static [&'static str] {
        CLASSES.iter().find(|(class, _)| *class == self.class).map_or(&[], |(_, properties)| properties)
    }

    /// The owner of the descendants of such a node.
    pub(super) fn owner(self) -> Owner {
        match self.class {
            "light" | "spotlight" => Owner::Lamp,
            "model" | "mesh" | "save_screen" | "item" | "door" => Owner::Entity,
            _ => Owner::Room,
        }
    }
}

impl<'a> Import<'a> {
    /// Adds the entity of a node of the vocabulary. If a required property is missing, nothing is added and a problem is reported.
    pub(super) fn add_entity_of_class(
        &mut self,
        class_name: ClassName<'a>,
        order: u64,
        node: &'a Node,
        transform: Transform,
    ) -> Result<()> {
        let mut properties = Properties::new(node, class_name.class, class_name.properties());
        let entity = self.entity_of_class(class_name, node, transform, &mut properties)?;
        for problem in properties.problems {
            self.found.problems.push(format!("the node \"{:.60}\": {problem}", node.name));
        }
        self.found.entities.extend(entity.map(|entity| (order, entity)));
        Ok(())
    }

    fn entity_of_class(
        &mut self,
        class_name: ClassName<'a>,
        node: &'a Node,
        transform: Transform,
        properties: &mut Properties<'a>,
    ) -> Result<Option<AnyEntity>> {
        let position = self.settings.game_position(transform.origin().as_vec3());
        let rotation = axes::angles(transform.rotation().as_quat()).map(|angle| angle + 0.0);
        let scale = (transform.scale().as_vec3() / self.settings.scale).to_array();
        let text = |text: &str| BlitzString::from_text(text);
        let file =
            |properties: &mut Properties<'a>, name: &str| properties.text(name).or(class_name.argument);
        let plain = match class_name.class {
            "light" | "spotlight" => return Ok(self.lamp(class_name, node, transform, properties)),
            "waypoint" => Entity::Waypoint(Waypoint { position }),
            "playerstart" => {
                let angles = text(&light::angles(transform.rotation().as_quat()))?;
                Entity::PlayerStart(PlayerStart { position, angles })
            }
            "soundemitter" => {
                let named = class_name.argument.and_then(|argument| argument.parse().ok());
                let sound = properties.integer("sound").or(named).unwrap_or_else(|| {
                    properties.problems.push("it has no property \"sound\"; using 1".to_owned());
                    1
                });
                let range = properties.number("range").map(|range| range / self.settings.scale);
                Entity::SoundEmitter(SoundEmitter { position, sound, range: range.unwrap_or(SOUND_RANGE) })
            }
            "screen" => match file(properties, "image") {
                Some(image) => Entity::Screen(Screen { position, image: text(image)? }),
                None => return Ok(missing_property(properties, "image", "screen:1074.jpg")),
            },
            "model" => match file(properties, "file") {
                Some(file) => Entity::Model(Model { file: text(file)?, position, rotation, scale }),
                None => return Ok(missing_property(properties, "file", "model:lamp2.x")),
            },
            "mesh" => match file(properties, "file") {
                Some(file) => {
                    let file = file.strip_suffix(".b3d").unwrap_or(file);
                    return Ok(Some(AnyEntity::RoomMesh2(Entity2::Mesh(Prop {
                        position,
                        file: text(file)?,
                        rotation,
                        scale,
                        has_collision: properties.flag("has_collision").unwrap_or(1),
                        fx: properties.integer("fx").unwrap_or_default(),
                        texture: text(properties.text("texture").unwrap_or_default())?,
                    }))));
                }
                None => return Ok(missing_property(properties, "file", "mesh:lamp2")),
            },
            "save_screen" => {
                return Ok(Some(AnyEntity::RoomMesh2(Entity2::SaveScreen(SaveScreen {
                    position,
                    model: text(properties.text("model").unwrap_or_default())?,
                    rotation,
                    scale,
                    image: text(file(properties, "image").unwrap_or_default())?,
                }))));
            }
            "item" => match file(properties, "item") {
                Some(item) => {
                    return Ok(Some(AnyEntity::Rm(RmEntity::Item(Item {
                        position,
                        item: text(item)?,
                        use_custom_rotation: 1,
                        rotation,
                        state_1: properties.number("state_1").unwrap_or_default(),
                        state_2: properties.number("state_2").unwrap_or_default(),
                        spawn_chance: properties.number("spawn_chance").unwrap_or(1.0),
                    }))));
                }
                None => return Ok(missing_property(properties, "item", "item:battery")),
            },
            "door" => {
                let [_, angle, _] = rotation;
                return Ok(Some(AnyEntity::Rm(RmEntity::Door(Door {
                    position,
                    door_type: properties.integer("door_type").unwrap_or_default(),
                    door_identifier: Some(properties.integer("door_identifier").unwrap_or_default()),
                    keycard_level: properties.integer("keycard_level").unwrap_or_default(),
                    keypad_code: text(properties.text("keypad_code").unwrap_or_default())?,
                    angle,
                    start_open: properties.flag("start_open").unwrap_or_default(),
                    locked: properties.flag("locked").unwrap_or_default(),
                    delete_half: properties.flag("delete_half").unwrap_or_default(),
                    remote_control: properties.flag("remote_control").unwrap_or_default(),
                    ..Door::default()
                }))));
            }
            _ => {
                let mut units = |name| properties.number(name).map(|meters| self.units(meters));
                let (width, height) = (units("width").unwrap_or(512), units("height").unwrap_or(512));
                let zone = properties.integer("zone").unwrap_or(-1);
                let subroom = Subroom { position, width, height, zone };
                return Ok(Some(AnyEntity::Rm(RmEntity::Subroom(subroom))));
            }
        };
        Ok(Some(AnyEntity::Plain(plain)))
    }

    /// A light, from the node or one of its children; properties take precedence. `None` for a directional light, unless a property
    /// makes it another kind.
    fn lamp(
        &mut self,
        class_name: ClassName<'_>,
        node: &'a Node,
        transform: Transform,
        properties: &mut Properties<'_>,
    ) -> Option<AnyEntity> {
        let below = || {
            let children = node.children.iter().filter_map(|child| self.scene.nodes.get(child.0));
            children.filter_map(|child| Some((child.light?, transform.below(child)))).next()
        };
        let found = node.light.map(|light| (light, transform)).or_else(below);
        let known = found.and_then(|(light, transform)| Some((self.scene.lights.get(light.0)?, transform)));
        let kind = known.map(|(light, _)| light.kind).filter(|_| !node.extras.contains_key("class"));
        let is_spot = match kind {
            Some(LightKind::Directional) => {
                self.add_loss("directional lights", 1);
                return None;
            }
            Some(LightKind::Spot { .. }) => true,
            Some(LightKind::Point) => false,
            None => class_name.class == "spotlight",
        };
        if known.is_some() && !["intensity", "range"].iter().all(|name| node.extras.contains_key(*name)) {
            self.found.estimated.push(&node.name);
        }
        let settings = &self.settings;
        let color = known.map_or_else(|| "255 255 255".to_owned(), |(light, _)| light::color(light));
        let color = properties.color("color").unwrap_or(color);
        let intensity = known.map(|(light, _)| light::intensity(light, settings).min(light::BRIGHTEST));
        let intensity = properties.number("intensity").or(intensity).unwrap_or(1.0).max(0.0);
        let range = properties.number("range").map(|range| axes::game_length(range / settings.scale));
        let range = range.or_else(|| known.and_then(|(light, _)| light::range(light, settings)));
        let range = range.unwrap_or(light::RANGE);
        let direction = known.map_or(transform, |(_, transform)| transform);
        let position = settings.game_position(direction.origin().as_vec3());
        let color = color.as_str().into();
        if !is_spot {
            let light = class::Light { position, range, color, intensity, ..class::Light::default() };
            return Some(AnyEntity::Plain(Entity::Light(light)));
        }
        let cones = match known.map(|(light, _)| light.kind) {
            Some(LightKind::Spot { inner_cone, outer_cone }) => {
                [light::cone(inner_cone), light::cone(outer_cone)]
            }
            _ => [INNER, OUTER],
        };
        let [inner, outer] = cones;
        let outer_cone_angle = properties.integer("outer").unwrap_or(outer).clamp(0, 180);
        let inner_cone_angle =
            properties.integer("inner").unwrap_or(inner.min(outer_cone_angle)).clamp(0, 180);
        Some(AnyEntity::Plain(Entity::Spotlight(Spotlight {
            position,
            range,
            color,
            intensity,
            angles: light::angles(direction.rotation().as_quat()).as_str().into(),
            inner_cone_angle,
            outer_cone_angle,
        })))
    }

    /// Converts a length to integer game units.
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "the conversion saturates")]
    fn units(&self, meters: f32) -> i32 {
        axes::game_length(meters / self.settings.scale).round() as i32
    }
}

/// Reports that a node lacks a required property.
fn missing_property(properties: &mut Properties<'_>, name: &str, example: &str) -> Option<AnyEntity> {
    properties.problems.push(format!(
        "the property \"{name}\" is missing, so the node is skipped; set it, or name the node like \"{example}\""
    ));
    None
}

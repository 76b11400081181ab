//! The role of a node in a scene, from its properties or its name.

use json::{Map, Value};
use scene::Node;

use super::entity::fields_of;
use super::settings::is_room_node;
use super::vocabulary::{ClassName, class_of};
use crate::import::name::without_number;

/// The role of a node.
pub(super) enum Role<'a> {
    /// An entity with its fields.
    Entity(&'a Map<String, Value>),
    /// An entity of a class that rooms do not have.
    UnknownClass(&'a str),
    /// An entity that lost its fields, with its class and its index in the room; or an entity created in another program, with a
    /// number in its name.
    NumberedClass(ClassName<'a>, usize),
    /// An entity created in another program.
    Class(ClassName<'a>),
    Trigger,
    Collision,
    Visual,
}

impl<'a> Role<'a> {
    pub(super) fn of(node: &'a Node) -> Self {
        let name = without_number(&node.name);
        if let Some(fields) = node.extras.get("entity").and_then(Value::as_object) {
            // Other editors have classes unknown to the game, with fields that are not raw bytes.
            let class = fields.get("class").and_then(Value::as_str).unwrap_or_default();
            let is_writable = fields_of(class, fields).is_some() || fields.contains_key("fields");
            return if is_writable { Self::Entity(fields) } else { Self::UnknownClass(class) };
        }
        // A room may have the name of a class.
        if is_room_node(&node.extras) {
            return Self::Visual;
        }
        if node.extras.contains_key("trigger") {
            return Self::Trigger;
        }
        if node.extras.contains_key("collision") {
            return Self::Collision;
        }
        if let Some(class) = node.extras.get("class").and_then(Value::as_str) {
            return match class_of(class) {
                Some("trigger") => Self::Trigger,
                Some("collision") => Self::Collision,
                Some(class) => Self::Class(ClassName {
                    class,
                    argument: ClassName::of_name(name).and_then(|class_name| class_name.argument),
                }),
                None => Self::UnknownClass(class),
            };
        }
        if name.starts_with(TRIGGER) {
            return Self::Trigger;
        }
        if name.ends_with(COLONLY) || (node.mesh.is_some() && is_numbered(name, COLLISION)) {
            return Self::Collision;
        }
        let Some(class_name) = ClassName::of_name(name) else { return Self::Visual };
        let number =
            class_name.argument.filter(|_| name.contains('_')).and_then(|argument| argument.parse().ok());
        match number {
            // Props have meshes, and waypoints may be marked by one. Other visible objects may be called light_1 or door_frame.
            Some(number)
                if class_name.is_plain()
                    && (node.mesh.is_none() || ["model", "waypoint"].contains(&class_name.class)) =>
            {
                Self::NumberedClass(class_name, number)
            }
            _ if node.mesh.is_none() || name.contains(':') => Self::Class(class_name),
            _ => Self::Visual,
        }
    }
}

/// Name prefix of trigger boxes.
pub(super) const TRIGGER: &str = "trigger_";
/// Name prefix of collision surfaces in scenes for game engines, followed by a number.
const COLLISION: &str = "collision_";
/// Name suffix of nodes that are solid and invisible.
pub(super) const COLONLY: &str = "-colonly";
/// Name suffix of nodes that are visible and not solid.
pub(super) const NOCOL: &str = "-nocol";

fn is_numbered(name: &str, start: &str) -> bool {
    name.strip_prefix(start).is_some_and(|number| number.parse::<u32>().is_ok())
}

/// The position of a node among those of its kind: the number in its name, or after all numbered ones.
pub(super) fn order(name: &str) -> u64 {
    let name = without_number(name);
    let name = name.strip_suffix(COLONLY).unwrap_or(name);
    name.rsplit_once('_').and_then(|(_, number)| number.parse().ok()).unwrap_or(u64::MAX)
}

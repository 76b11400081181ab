//! What a node of a scene is for: by its properties, or else by its name.

use json::{Map, Value};
use scene::Node;

use super::entity::fields_of;
use super::settings::is_of_room;
use super::vocabulary::{Word, class_of};
use crate::import::name::without_number;

/// What a node is for.
pub(super) enum Role<'a> {
    /// An entity with its fields.
    Entity(&'a Map<String, Value>),
    /// An entity of a class that rooms do not have.
    Foreign(&'a str),
    /// An entity that lost its fields: its class, and its number in the room; or one that was made in another program, and named
    /// with a number.
    Named(Word<'a>, usize),
    /// An entity that was made in another program.
    Made(Word<'a>),
    Trigger,
    Collision,
    Shown,
}

impl<'a> Role<'a> {
    pub(super) fn of(node: &'a Node) -> Self {
        let name = without_number(&node.name);
        if let Some(fields) = node.extras.get("entity").and_then(Value::as_object) {
            // Other editors have classes unknown to the game, with fields that are not raw bytes.
            let class = fields.get("class").and_then(Value::as_str).unwrap_or_default();
            let is_writable = fields_of(class, fields).is_some() || fields.contains_key("fields");
            return if is_writable { Self::Entity(fields) } else { Self::Foreign(class) };
        }
        // A room may be called like a class.
        if is_of_room(&node.extras) {
            return Self::Shown;
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
                Some(class) => {
                    Self::Made(Word { class, argument: Word::of_name(name).and_then(|word| word.argument) })
                }
                None => Self::Foreign(class),
            };
        }
        if name.starts_with(TRIGGER) {
            return Self::Trigger;
        }
        if name.ends_with(COLONLY) || (node.mesh.is_some() && is_numbered(name, COLLISION)) {
            return Self::Collision;
        }
        let Some(word) = Word::of_name(name) else { return Self::Shown };
        let number = word.argument.filter(|_| name.contains('_')).and_then(|argument| argument.parse().ok());
        match number {
            // Props have meshes, and waypoints may be marked by one. Other things that are seen may be called light_1 or door_frame.
            Some(number)
                if word.is_plain()
                    && (node.mesh.is_none() || ["model", "waypoint"].contains(&word.class)) =>
            {
                Self::Named(word, number)
            }
            _ if node.mesh.is_none() || name.contains(':') => Self::Made(word),
            _ => Self::Shown,
        }
    }
}

/// How the names of trigger boxes begin.
pub(super) const TRIGGER: &str = "trigger_";
/// How the names of collision surfaces begin in scenes for engines, before their numbers.
const COLLISION: &str = "collision_";
/// How the names of nodes end that are solid and not seen.
pub(super) const COLONLY: &str = "-colonly";
/// How the names of nodes end that are seen and not solid.
pub(super) const NOCOL: &str = "-nocol";

fn is_numbered(name: &str, start: &str) -> bool {
    name.strip_prefix(start).is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Where a node belongs among those of its kind: by the number in its name, or after all that have one.
pub(super) fn order(name: &str) -> u64 {
    let name = without_number(name);
    let name = name.strip_suffix(COLONLY).unwrap_or(name);
    name.rsplit_once('_').and_then(|(_, number)| number.parse().ok()).unwrap_or(u64::MAX)
}

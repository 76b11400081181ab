//! The properties of the room that a scene was converted from.

use json::{Map, Value};
use record::Bytes;
use scene::{Extras, Scene};

use super::super::Header;
use super::super::dialect::NormalOrder;
use super::option::ImportDialect;
use crate::axes;

/// The extras of the room's node.
#[derive(Debug)]
pub(super) struct Settings {
    /// The header of a plain room.
    pub(super) header: Option<Header>,
    /// The dialect of the room, if the scene was converted from one.
    pub(super) origin: Option<ImportDialect>,
    /// The version of an "RM" room.
    pub(super) version: Option<u8>,
    /// The stored component order of normals in the room.
    pub(super) normal_order: NormalOrder,
    pub(super) rest: Option<Bytes>,
    pub(super) unread_entities: i32,
    /// The factor by which meters were multiplied.
    pub(super) scale: f32,
    pub(super) holds: Option<Map<String, Value>>,
}

/// Whether these are the extras of a room's node.
pub(super) fn is_room_node(extras: &Extras) -> bool {
    extras.get("header").is_some_and(Value::is_string)
}

impl Settings {
    pub(super) fn find(scene: &Scene) -> Self {
        let all = scene.nodes.iter().map(|node| &node.extras).chain([&scene.extras]);
        let extras = all.into_iter().find(|extras| is_room_node(extras));
        let get = |name| extras.and_then(|extras| extras.get(name)).cloned();
        let scale = get("scale").and_then(|scale| json::from_value(scale).ok());
        let header = get("header");
        let text = header.as_ref().and_then(Value::as_str);
        let version = text.and_then(|text| text.strip_prefix("RM version ")?.parse().ok());
        let origin = text.map(|text| match text {
            "RoomMesh2" => ImportDialect::RoomMesh2,
            _ if version.is_some() => ImportDialect::Rm,
            _ => ImportDialect::Plain,
        });
        let is_xyz = get("normals").is_some_and(|order| order == NormalOrder::Xyz.text());
        Self {
            origin,
            version,
            normal_order: if is_xyz { NormalOrder::Xyz } else { NormalOrder::Xzy },
            header: header.and_then(|header| json::from_value(header).ok()),
            rest: get("rest").and_then(|rest| json::from_value(rest).ok()),
            unread_entities: get("unread_entities")
                .and_then(|unread| json::from_value(unread).ok())
                .unwrap_or_default(),
            scale: scale.filter(|scale: &f32| scale.is_normal()).unwrap_or(1.0),
            holds: get("holds").and_then(|holds| holds.as_object().cloned()),
        }
    }

    /// Converts a position in the scene to game units.
    pub(super) fn game_position(&self, point: glam::Vec3) -> [f32; 3] {
        let unscaled = if self.scale.to_bits() == 1_f32.to_bits() { point } else { point / self.scale };
        axes::game_position(unscaled)
    }
}

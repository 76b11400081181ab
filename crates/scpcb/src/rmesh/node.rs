//! Entities as nodes: lights, props, and other entities with their fields as extras.

use asset::{Context, Report};
use glam::{Quat, Vec3};
use json::{Map, Value};
use scene::color::srgb_to_linear;
use scene::{Body, Layer, Light, LightKind, Node, NodeId, Scene};
use serde::Serialize;

use super::RMesh;
use super::class::{self, Model, PlayerStart, Screen, SoundEmitter, Spotlight};
use super::entity::Classes;
use super::layout::Entity;
use super::prop::Props;
use super::texture;
use super::warning;
use crate::axes;
use crate::ini::rooms;

/// Candela of a light of intensity 1. The game has no physical units; with this value, a lamp of a real room lights its walls in viewers
/// where 1 is white.
pub(super) const CANDELA: f32 = 16.0;

/// Adds a node for each entity, named by class and index.
pub(super) fn add_entities(
    scene: &mut Scene,
    room: &RMesh,
    parent: NodeId,
    context: &Context<'_>,
    scale: f32,
    report: &mut Report,
) {
    let mut props = Props::default();
    for (index, entity) in room.entities().iter().enumerate() {
        let field = format!("entities[{index}]");
        let name = format!("{}_{index}", entity.class());
        let mut node = Node { name: name.clone(), extras: extras(entity), ..Node::default() };
        node.layer = Some(Layer::Member(layer_of(&entity.class()).to_owned().into()));
        set_transform(&mut node, entity, scale, &field, report);
        match entity {
            Entity::Light(class::Light { range, color, intensity, .. }) => {
                if let Some(color) = color_of(&color.text(), &field, report) {
                    let light = light(name, LightKind::Point, color, *intensity, *range, scale);
                    node.light = finite_light(scene, light, &field, report);
                }
            }
            Entity::Spotlight(Spotlight {
                range,
                color,
                intensity,
                angles,
                inner_cone_angle,
                outer_cone_angle,
                ..
            }) => {
                let color = color_of(&color.text(), &field, report);
                let angles = numbers(&angles.text());
                if angles.is_none() {
                    let message = "the angles are not three numbers; the light has no direction";
                    report.warn(&warning::BAD_LIGHT, message).in_field(field.as_str());
                }
                node.rotation = angles.map_or(Quat::IDENTITY, axes::rotation);
                if let Some(color) = color {
                    let kind = cone(*inner_cone_angle, *outer_cone_angle);
                    let light = light(name, kind, color, *intensity, *range, scale);
                    node.light = finite_light(scene, light, &field, report);
                }
            }
            Entity::Screen(Screen { image, .. }) if !image.is_empty() => {
                node.picture = texture::screen(scene, context, image, &format!("{field}.image"), report);
            }
            Entity::SoundEmitter(SoundEmitter { sound, .. }) => {
                if let rooms::Ambience::File(file) = rooms::ambience(context, *sound) {
                    node.extras.insert("ambience".into(), file.into());
                }
            }
            Entity::Model(_) => {
                node.mesh = props.mesh(scene, context, entity, &field, report);
                node.body = node.mesh.map(|_| Body::Solid);
            }
            _ => {}
        }
        scene.add_child(parent, node);
    }
    props.warn(report);
}

/// The name of the layer of all entities of a class.
pub(super) fn layer_of(class: &str) -> &str {
    match class {
        "light" | "spotlight" | "light_fix" => "lights",
        "model" | "mesh" => "props",
        "soundemitter" => "sounds",
        "waypoint" => "waypoints",
        "screen" | "save_screen" => "screens",
        "playerstart" => "player starts",
        other => other,
    }
}

/// Whether a group in a scene for a game engine with this name is a layer of entities, collision or trigger boxes.
pub(super) fn is_layer(name: &str) -> bool {
    let of_entities = Entity::CLASSES.iter().map(|class| layer_of(class));
    of_entities.chain(["collision", "triggers"]).any(|layer| layer == name)
}

/// `extras.entity`: the class and its fields, named as in the JSON record.
pub(super) fn extras<E: Classes + Serialize>(entity: &E) -> Map<String, Value> {
    let written = json::to_vec(entity).unwrap_or_default();
    let by_class: Map<String, Value> = json::from_slice(&written).unwrap_or_default();
    let mut fields = Map::new();
    fields.insert("class".into(), Value::from(entity.class()));
    for value in by_class.into_values() {
        if let Value::Object(more) = value {
            fields.extend(more);
        }
    }
    let mut extras = Map::new();
    extras.insert("entity".into(), Value::Object(fields));
    extras
}

/// Sets the transform of a node from its entity.
pub(super) fn set_transform(node: &mut Node, entity: &Entity, scale: f32, field: &str, report: &mut Report) {
    let mut is_valid = true;
    if let Some(position) = entity.position() {
        let position = axes::position(position) * scale;
        is_valid &= position.is_finite();
        node.translation = if position.is_finite() { position } else { Vec3::ZERO };
    }
    if let Entity::Model(Model { rotation, scale: size, .. }) = entity {
        let (rotation, size) = (axes::rotation(*rotation), Vec3::from(*size) * scale);
        is_valid &= rotation.is_finite() && size.is_finite();
        node.rotation = if rotation.is_finite() { rotation } else { Quat::IDENTITY };
        node.scale = if size.is_finite() { size } else { Vec3::ONE };
    }
    if let Entity::PlayerStart(PlayerStart { angles, .. }) = entity {
        let rotation = numbers(&angles.text()).map(axes::rotation).filter(|rotation| rotation.is_finite());
        is_valid &= rotation.is_some() || angles.is_empty();
        node.rotation = rotation.unwrap_or_default();
    }
    if !is_valid {
        report.warn(&warning::BAD_TRANSFORM, "its position, rotation or scale is not finite").in_field(field);
    }
}

/// Parses three numbers separated by spaces.
pub(super) fn numbers(text: &str) -> Option<[f32; 3]> {
    let numbers: Vec<f32> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    <[f32; 3]>::try_from(numbers).ok().filter(|numbers| numbers.iter().all(|number| number.is_finite()))
}

fn color_of(text: &str, field: &str, report: &mut Report) -> Option<[f32; 3]> {
    let color = numbers(text);
    if color.is_none() {
        report
            .warn(&warning::BAD_LIGHT, format!("the color \"{text}\" is not three numbers"))
            .in_field(field);
    }
    color
}

pub(super) fn light(
    name: String,
    kind: LightKind,
    color: [f32; 3],
    intensity: f32,
    range: f32,
    scale: f32,
) -> Light {
    let range = axes::length(range) * scale;
    Light {
        name,
        kind,
        color: color.map(|level| srgb_to_linear((level / 255.0).clamp(0.0, 1.0))),
        intensity: CANDELA * intensity.max(0.0) * scale * scale,
        range: (range > 0.0).then_some(range),
        ..Light::default()
    }
}

fn finite_light(scene: &mut Scene, light: Light, field: &str, report: &mut Report) -> Option<scene::LightId> {
    if !light.intensity.is_finite() || light.range.is_some_and(|range| !range.is_finite()) {
        report.warn(&warning::BAD_LIGHT, "its range or intensity is not finite").in_field(field);
        return None;
    }
    Some(scene.add_light(light))
}

/// Converts cone angles. As in glTF, the file stores angles from the axis to the edge of the cone, some beyond half a turn; glTF requires
/// the inner angle to be smaller than the outer, and at most 90 degrees. The game's own [lightmaps](super::light) show that they are not
/// angles across the cone.
pub(super) fn cone(inner: i32, outer: i32) -> LightKind {
    const WIDEST: f32 = std::f32::consts::FRAC_PI_2;
    const NARROWEST: f32 = 0.001;
    #[expect(clippy::as_conversions, reason = "angles are small, and clamped")]
    let angle = |degrees: i32| (degrees.clamp(0, 180) as f32).to_radians();
    let outer_cone = angle(outer).clamp(2.0 * NARROWEST, WIDEST);
    LightKind::Spot { inner_cone: angle(inner).clamp(0.0, outer_cone - NARROWEST), outer_cone }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cone_angles_are_half_angles_and_the_inner_is_smaller_than_the_outer() {
        for (inner, outer) in [(35, 45), (45, 45), (90, 10), (315, 315), (-5, -5), (i32::MIN, i32::MAX)] {
            let LightKind::Spot { inner_cone, outer_cone } = cone(inner, outer) else { panic!("no spot") };
            assert!(0.0 <= inner_cone && inner_cone < outer_cone, "{inner} {outer}");
            assert!(outer_cone <= std::f32::consts::FRAC_PI_2, "{inner} {outer}");
        }
        assert_eq!(
            cone(20, 45),
            LightKind::Spot { inner_cone: 20_f32.to_radians(), outer_cone: 45_f32.to_radians() }
        );
    }

    #[test]
    fn parses_colors_of_three_numbers() {
        assert_eq!(numbers("128 255 0"), Some([128.0, 255.0, 0.0]));
        assert_eq!(numbers(" 1.5  2 3 "), Some([1.5, 2.0, 3.0]));
        for wrong in ["", "1 2", "1 2 3 4", "red", "1 nan 3"] {
            assert_eq!(numbers(wrong), None, "{wrong}");
        }
    }
}

//! Entities from nodes: the stored fields, updated where the node differs.

use glam::{DMat3, Vec3};
use json::{Map, Value, json};
use record::{Error, Result};
use scene::{Light, LightKind, Node};
use serde::de::DeserializeOwned;

use super::super::dialect::AnyEntity;
use super::super::node;
use super::option::ImportDialect;
use super::transform::{Transform, is_same_linear, is_same_point, is_same_rotation};
use super::vocabulary::ClassName;
use super::{Import, Owner, light};
use crate::axes;

impl<'a> Import<'a> {
    /// The entity of a node that has its fields.
    pub(super) fn entity(
        &mut self,
        fields: &Map<String, Value>,
        node: &Node,
        transform: Transform,
    ) -> Result<AnyEntity> {
        let class = fields.get("class").and_then(Value::as_str).unwrap_or_default().to_owned();
        if fields.contains_key("fields") {
            return self.custom(fields);
        }
        let known = fields_of(&class, fields).unwrap_or_default();
        let mut fields = fields.clone();
        fields.shift_remove("class");
        let more = fields.keys().filter(|name| !known.contains(&name.as_str())).count();
        if more > 0 {
            self.add_loss("fields of entities", more);
            fields.retain(|name, _| known.contains(&name.as_str()));
        }
        self.update_position(&mut fields, transform)?;
        match class.as_str() {
            "model" | "mesh" | "save_screen" => self.update_rotation_and_scale(&mut fields, transform)?,
            "item" => Self::update_rotation(&mut fields, transform)?,
            "door" => Self::update_angles(&mut fields, ["", "angle"], transform),
            "spotlight" if is_extended(&fields) => {
                Self::update_angles(&mut fields, ["pitch", "yaw"], transform);
            }
            "spotlight" | "playerstart" => Self::update_direction(&mut fields, transform),
            _ => {}
        }
        let light = node.light.and_then(|light| self.scene.lights.get(light.0));
        if let Some(light) = light.filter(|_| class == "light" || class == "spotlight") {
            self.update_light(&mut fields, light);
        }
        typed(&class, &fields)
    }

    /// An entity of an unknown class: its fields are bytes, which depend on the dialect they come from.
    fn custom(&self, fields: &Map<String, Value>) -> Result<AnyEntity> {
        Ok(match self.settings.origin {
            Some(ImportDialect::Rm) => AnyEntity::Rm(parsed("custom", fields)?),
            Some(ImportDialect::RoomMesh2) => AnyEntity::RoomMesh2(parsed("custom", fields)?),
            _ => AnyEntity::Plain(parsed("custom", fields)?),
        })
    }

    /// An entity that is recognized only by its name. Its fields are taken from the base room; without one, it is treated as created
    /// in another program.
    pub(super) fn named(
        &mut self,
        class_name: ClassName<'a>,
        number: usize,
        node: &'a Node,
        transform: Transform,
    ) -> Result<Owner> {
        let order = u64::try_from(number).unwrap_or(u64::MAX);
        let known = self
            .base
            .and_then(|base| base.entities().get(number))
            .filter(|known| known.class() == class_name.class);
        if let Some(known) = known {
            let extras = node::extras(known);
            let fields = extras.get("entity").and_then(Value::as_object).cloned().unwrap_or_default();
            let entity = self.entity(&fields, node, transform)?;
            self.found.entities.push((order, entity));
            return Ok(Owner::Entity);
        }
        // In a scene that was converted from a room, the number is the entity's index in that room, not a property.
        let is_number_property = class_name.class == "soundemitter" && self.settings.origin.is_none();
        let names_file = ["model", "screen"].contains(&class_name.class);
        let has_property = |name| node.extras.contains_key(name);
        let is_known = match class_name.class {
            "soundemitter" => is_number_property || has_property("sound"),
            "model" => has_property("file"),
            "screen" => has_property("image"),
            "playerstart" => self.settings.origin.is_none(),
            _ => true,
        };
        if !is_known {
            self.without_fields(class_name.class, node);
            return Ok(Owner::Entity);
        }
        let argument = class_name.argument.filter(|_| !names_file);
        self.add_entity_of_class(ClassName { argument, ..class_name }, order, node, transform)?;
        Ok(class_name.owner())
    }

    /// Updates the position if the node was moved.
    fn update_position(&self, fields: &mut Map<String, Value>, transform: Transform) -> Result<()> {
        let before = vector(fields, "position")?;
        let expected = before.map(|before| axes::position(before) * self.settings.scale);
        let expected = expected.map(|position| if position.is_finite() { position } else { Vec3::ZERO });
        if !expected.is_some_and(|expected| is_same_point(expected.as_dvec3(), transform.origin())) {
            let position = self.settings.game_position(transform.origin().as_vec3());
            fields.insert("position".into(), json!(position));
        }
        Ok(())
    }

    /// Updates rotation and scale if they differ.
    fn update_rotation_and_scale(&self, fields: &mut Map<String, Value>, transform: Transform) -> Result<()> {
        let (rotation, size) = (vector(fields, "rotation")?, vector(fields, "scale")?);
        let scale = self.settings.scale;
        let before = rotation.map(axes::rotation).filter(|rotation| rotation.is_finite()).unwrap_or_default();
        let length =
            size.map(|size| Vec3::from(size) * scale).filter(|size| size.is_finite()).unwrap_or(Vec3::ONE);
        let expected = DMat3::from_quat(before.as_dquat()) * DMat3::from_diagonal(length.as_dvec3());
        if rotation.is_some() && size.is_some() && is_same_linear(expected, transform.linear()) {
            return Ok(());
        }
        Self::update_rotation(fields, transform)?;
        if size.is_none() || !is_same_point(length.as_dvec3(), transform.scale()) {
            fields.insert("scale".into(), json!((transform.scale().as_vec3() / scale).to_array()));
        }
        Ok(())
    }

    /// Updates the rotation if it differs.
    fn update_rotation(fields: &mut Map<String, Value>, transform: Transform) -> Result<()> {
        let rotation = vector(fields, "rotation")?;
        let before = rotation.map(axes::rotation).filter(|rotation| rotation.is_finite()).unwrap_or_default();
        if rotation.is_none() || !is_same_rotation(before.as_dquat(), transform.rotation()) {
            fields.insert("rotation".into(), json!(axes::angles(transform.rotation().as_quat())));
        }
        Ok(())
    }

    /// Updates separate fields of pitch and yaw if they differ; an empty name means that the class lacks the field.
    fn update_angles(fields: &mut Map<String, Value>, names: [&str; 2], transform: Transform) {
        let number = |name: &str| json::from_value::<f32>(fields.get(name)?.clone()).ok();
        let [pitch, yaw] = names.map(|name| number(name).unwrap_or_default());
        let before = axes::rotation([pitch, yaw, 0.0]);
        if before.is_finite() && !is_same_rotation(before.as_dquat(), transform.rotation()) {
            let [pitch, yaw, _] = axes::angles(transform.rotation().as_quat());
            let edits = names.into_iter().zip([pitch, yaw]).filter(|(name, _)| !name.is_empty());
            fields.extend(edits.map(|(name, angle)| (name.to_owned(), json!(angle))));
        }
    }

    /// Updates the direction of a spotlight or a player if it differs.
    fn update_direction(fields: &mut Map<String, Value>, transform: Transform) {
        let angles = fields.get("angles").and_then(Value::as_str).map(node::numbers);
        let expected = angles.map(|angles| angles.map(axes::rotation).unwrap_or_default());
        if !expected.is_some_and(|expected| is_same_rotation(expected.as_dquat(), transform.rotation())) {
            fields.insert("angles".into(), light::angles(transform.rotation().as_quat()).into());
        }
    }

    /// Updates the fields of a light that differ from the light of the node.
    fn update_light(&self, fields: &mut Map<String, Value>, light: &Light) {
        let settings = &self.settings;
        let number = |name: &str| json::from_value::<f32>(fields.get(name)?.clone()).ok();
        let integer = |name: &str| {
            fields.get(name).and_then(Value::as_i64).and_then(|number| i32::try_from(number).ok())
        };
        let color = fields.get("color").and_then(Value::as_str).and_then(node::numbers);
        let (Some(range), Some(intensity), Some(color)) = (number("range"), number("intensity"), color)
        else {
            return;
        };
        let expected = node::light(String::new(), light.kind, color, intensity, range, settings.scale);
        let mut edits = Map::new();
        if !is_near(&light.color, &expected.color) {
            edits.insert("color".into(), light::color(light).into());
        }
        if !is_near(&[light.intensity], &[expected.intensity]) {
            edits.insert("intensity".into(), json!(light::intensity(light, settings)));
        }
        // If a program dropped the range of a light, the stored range is kept.
        if light.range.is_some_and(|range| !is_near(&[range], &[expected.range.unwrap_or_default()])) {
            edits.insert("range".into(), json!(light::range(light, settings)));
        }
        if let (LightKind::Spot { inner_cone, outer_cone }, Some(inner), Some(outer)) =
            (light.kind, integer("inner_cone_angle"), integer("outer_cone_angle"))
            && let LightKind::Spot { inner_cone: inner, outer_cone: outer } = node::cone(inner, outer)
        {
            if !is_near(&[inner_cone], &[inner]) {
                edits.insert("inner_cone_angle".into(), light::cone(inner_cone).into());
            }
            if !is_near(&[outer_cone], &[outer]) {
                edits.insert("outer_cone_angle".into(), light::cone(outer_cone).into());
            }
        }
        if let LightKind::Spot { outer_cone, .. } = light.kind
            && is_extended(fields)
            && let Some(before) = number("outer_cone_angle")
        {
            // The scene has it in integer degrees.
            let shown = before.round().clamp(0.0, 90.0).to_radians();
            if (shown - outer_cone).abs() > 0.005 {
                edits.insert("outer_cone_angle".into(), json!(outer_cone.to_degrees()));
            }
        }
        fields.extend(edits);
    }
}

/// Whether numbers of lights are equal up to the rounding of unit conversions.
fn is_near(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 2e-3 * a.abs().max(1.0))
}

/// Three numbers of a field, in the forms that records have; `None` if the field does not exist.
fn vector(fields: &Map<String, Value>, name: &str) -> Result<Option<[f32; 3]>> {
    let Some(value) = fields.get(name) else { return Ok(None) };
    let numbers = json::from_slice(value.to_string().as_bytes());
    numbers.map(Some).map_err(|error| Error::usage(format!("extras.entity.{name}: {}", error.message())))
}

/// Whether the fields belong to a light of a `RoomMesh2` room.
fn is_extended(fields: &Map<String, Value>) -> bool {
    ["reserved", "has_sprite"].iter().any(|name| fields.contains_key(*name))
}

/// The fields of a class in any dialect. Rooms of other editors may have more.
pub(super) fn fields_of(class: &str, fields: &Map<String, Value>) -> Option<&'static [&'static str]> {
    const EXTENDED_LIGHT: &[&str] = &[
        "position",
        "range",
        "color",
        "intensity",
        "has_sprite",
        "sprite_scale",
        "casts_shadows",
        "reserved",
    ];
    const EXTENDED_SPOTLIGHT: &[&str] = &[
        "position",
        "range",
        "color",
        "intensity",
        "has_sprite",
        "sprite_scale",
        "casts_shadows",
        "pitch",
        "yaw",
        "outer_cone_angle",
        "reserved",
    ];
    const DOOR: &[&str] = &[
        "position",
        "door_type",
        "door_identifier",
        "keycard_level",
        "keypad_code",
        "angle",
        "start_open",
        "locked",
        "delete_half",
        "remote_control",
        "button_1_position",
        "button_1_angle",
        "button_2_position",
        "button_2_angle",
    ];
    const ITEM: &[&str] =
        &["position", "item", "use_custom_rotation", "rotation", "state_1", "state_2", "spawn_chance"];
    Some(match class {
        "screen" => &["position", "image"],
        "waypoint" => &["position"],
        "light" if is_extended(fields) => EXTENDED_LIGHT,
        "light" => &["position", "range", "color", "intensity"],
        "spotlight" if is_extended(fields) => EXTENDED_SPOTLIGHT,
        "spotlight" => {
            &["position", "range", "color", "intensity", "angles", "inner_cone_angle", "outer_cone_angle"]
        }
        "soundemitter" => &["position", "sound", "range"],
        "playerstart" => &["position", "angles"],
        "model" => &["file", "position", "rotation", "scale"],
        "mesh" => &["position", "file", "rotation", "scale", "has_collision", "fx", "texture"],
        "save_screen" => &["position", "model", "rotation", "scale", "image"],
        "item" => ITEM,
        "door" => DOOR,
        "subroom" => &["position", "width", "height", "zone"],
        _ => return None,
    })
}

/// Parses the entity of a class from its fields.
fn typed(class: &str, fields: &Map<String, Value>) -> Result<AnyEntity> {
    Ok(match class {
        "item" | "door" | "subroom" => AnyEntity::Rm(parsed(class, fields)?),
        "mesh" | "save_screen" => AnyEntity::RoomMesh2(parsed(class, fields)?),
        "light" | "spotlight" if is_extended(fields) => AnyEntity::RoomMesh2(parsed(class, fields)?),
        _ => AnyEntity::Plain(parsed(class, fields)?),
    })
}

fn parsed<E: DeserializeOwned>(class: &str, fields: &Map<String, Value>) -> Result<E> {
    let json = json!({ class: fields }).to_string();
    json::from_slice(json.as_bytes())
        .map_err(|error| Error::usage(format!("extras.entity: {}", error.message())))
}

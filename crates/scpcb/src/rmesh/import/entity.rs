//! Entities out of nodes: the stored fields, and what the node says otherwise.

use glam::{DMat3, Vec3};
use record::{Error, Result};
use scene::{Light, LightKind, Node};
use serde_json::{Map, Value, json};

use super::super::class::Waypoint;
use super::super::layout::Entity;
use super::super::node;
use super::transform::{Transform, is_same_linear, is_same_point, is_same_rotation};
use super::{Import, Owner, light};
use crate::axes;

impl<'a> Import<'a> {
    /// The entity of a node that has its fields.
    pub(super) fn entity(
        &mut self,
        fields: &Map<String, Value>,
        node: &Node,
        transform: Transform,
    ) -> Result<Entity> {
        let class = fields.get("class").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut fields = fields.clone();
        let Some(known) = fields_of(&class) else { return typed("custom", &fields) };
        fields.shift_remove("class");
        let more = fields.keys().filter(|name| !known.contains(&name.as_str())).count();
        if more > 0 {
            self.lose("fields of entities", more);
            fields.retain(|name, _| known.contains(&name.as_str()));
        }
        self.update_position(&mut fields, transform)?;
        if class == "model" {
            self.update_rotation_and_scale(&mut fields, transform)?;
        }
        if class == "spotlight" {
            Self::update_direction(&mut fields, transform);
        }
        let light = node.light.and_then(|light| self.scene.lights.get(light.0));
        if let Some(light) = light.filter(|_| class == "light" || class == "spotlight") {
            self.update_light(&mut fields, light);
        }
        typed(&class, &fields)
    }

    /// An entity that is known by its name alone. Its fields are used from the room the scene was made of; without that, a
    /// waypoint needs none, and lights are made up.
    pub(super) fn named(
        &mut self,
        class: &'a str,
        number: usize,
        node: &'a Node,
        transform: Transform,
    ) -> Result<Owner> {
        let known =
            self.base.and_then(|base| base.entities().get(number)).filter(|known| known.class() == class);
        let light = node.light.and_then(|light| self.scene.lights.get(light.0));
        let entity = match (known, class, light) {
            (Some(known), ..) => {
                let extras = node::extras(known);
                let fields = extras.get("entity").and_then(Value::as_object).cloned().unwrap_or_default();
                Some(self.entity(&fields, node, transform)?)
            }
            (None, "waypoint", _) => Some(Entity::Waypoint(Waypoint {
                position: self.settings.game_position(transform.origin().as_vec3()),
            })),
            (None, "light" | "spotlight", Some(light)) => light::made(light, transform, &self.settings),
            _ => None,
        };
        match entity {
            Some(entity) => self.found.entities.push((u64::try_from(number).unwrap_or(u64::MAX), entity)),
            None => self.without_fields(class, node),
        }
        Ok(Owner::Entity)
    }

    /// The place of the node, where it is not where the fields put it.
    fn update_position(&self, fields: &mut Map<String, Value>, transform: Transform) -> Result<()> {
        let before = vector(fields, "position")?;
        let expected = before.map(|before| axes::position(before) * self.settings.scale);
        let expected = expected.map(|transform| if transform.is_finite() { transform } else { Vec3::ZERO });
        if !expected.is_some_and(|expected| is_same_point(expected.as_dvec3(), transform.origin())) {
            let position = self.settings.game_position(transform.origin().as_vec3());
            fields.insert("position".into(), json!(position));
        }
        Ok(())
    }

    /// The same for rotation and scale.
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
        if rotation.is_none() || !is_same_rotation(before.as_dquat(), transform.rotation()) {
            fields.insert("rotation".into(), json!(axes::angles(transform.rotation().as_quat())));
        }
        if size.is_none() || !is_same_point(length.as_dvec3(), transform.scale()) {
            fields.insert("scale".into(), json!((transform.scale().as_vec3() / scale).to_array()));
        }
        Ok(())
    }

    /// Likewise for the direction of a spotlight.
    fn update_direction(fields: &mut Map<String, Value>, transform: Transform) {
        let angles = fields.get("angles").and_then(Value::as_str).map(node::numbers);
        let expected = angles.map(|angles| angles.map(axes::rotation).unwrap_or_default());
        if !expected.is_some_and(|expected| is_same_rotation(expected.as_dquat(), transform.rotation())) {
            fields.insert("angles".into(), light::angles(transform.rotation().as_quat()).into());
        }
    }

    /// What the light of a node says otherwise than its fields.
    fn update_light(&self, fields: &mut Map<String, Value>, light: &Light) {
        let settings = &self.settings;
        let number = |name: &str| serde_json::from_value::<f32>(fields.get(name)?.clone()).ok();
        let whole = |name: &str| {
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
        // A light of which a program forgot how far it reaches reaches as far as before.
        if light.range.is_some_and(|range| !is_near(&[range], &[expected.range.unwrap_or_default()])) {
            edits.insert("range".into(), json!(light::range(light, settings)));
        }
        if let (LightKind::Spot { inner_cone, outer_cone }, Some(inner), Some(outer)) =
            (light.kind, whole("inner_cone_angle"), whole("outer_cone_angle"))
            && let LightKind::Spot { inner_cone: inner, outer_cone: outer } = node::cone(inner, outer)
        {
            if !is_near(&[inner_cone], &[inner]) {
                edits.insert("inner_cone_angle".into(), light::cone(inner_cone).into());
            }
            if !is_near(&[outer_cone], &[outer]) {
                edits.insert("outer_cone_angle".into(), light::cone(outer_cone).into());
            }
        }
        fields.extend(edits);
    }
}

/// Whether numbers of lights are the same but for other units on the way.
fn is_near(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 2e-3 * a.abs().max(1.0))
}

/// Three numbers of a field, in the forms that records have; `None` if the field does not exist.
fn vector(fields: &Map<String, Value>, name: &str) -> Result<Option<[f32; 3]>> {
    let Some(value) = fields.get(name) else { return Ok(None) };
    let numbers = record::json::from_slice(value.to_string().as_bytes());
    numbers.map(Some).map_err(|error| Error::usage(format!("extras.entity.{name}: {}", error.message())))
}

/// The fields of a class that the game knows. Rooms of other editors may have more.
fn fields_of(class: &str) -> Option<&'static [&'static str]> {
    Some(match class {
        "screen" => &["position", "image"],
        "waypoint" => &["position"],
        "light" => &["position", "range", "color", "intensity"],
        "spotlight" => {
            &["position", "range", "color", "intensity", "angles", "inner_cone_angle", "outer_cone_angle"]
        }
        "soundemitter" => &["position", "sound", "range"],
        "playerstart" => &["position", "angles"],
        "model" => &["file", "position", "rotation", "scale"],
        _ => return None,
    })
}

/// The entity of these fields.
fn typed(class: &str, fields: &Map<String, Value>) -> Result<Entity> {
    let json = json!({ class: fields }).to_string();
    record::json::from_slice(json.as_bytes())
        .map_err(|error| Error::usage(format!("extras.entity: {}", error.message())))
}

//! Entities out of nodes: the stored fields, and what the node says otherwise.

use glam::{DMat3, Vec3};
use record::{Error, Result};
use scene::{Light, LightKind, Node};
use serde_json::{Map, Value, json};

use super::super::layout::Entity;
use super::super::node;
use super::place::{Place, is_same_linear, is_same_point, is_same_turn};
use super::{Import, Owner, light};
use crate::axes;

impl<'a> Import<'a> {
    /// The entity of a node that has its fields.
    pub(super) fn entity(
        &mut self,
        fields: &Map<String, Value>,
        node: &Node,
        place: Place,
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
        self.move_to(&mut fields, place)?;
        if class == "model" {
            self.turn_and_size(&mut fields, place)?;
        }
        if class == "spotlight" {
            Self::point(&mut fields, place);
        }
        let light = node.light.and_then(|light| self.scene.lights.get(light.0));
        if let Some(light) = light.filter(|_| class == "light" || class == "spotlight") {
            self.shine(&mut fields, light);
        }
        typed(&class, &fields)
    }

    /// An entity that is known by its name alone. Its fields are taken from the room the scene was made of; without that, a
    /// waypoint needs none, and lights are made up.
    pub(super) fn named(
        &mut self,
        class: &'a str,
        number: usize,
        node: &'a Node,
        place: Place,
    ) -> Result<Owner> {
        let known =
            self.base.and_then(|base| base.entities().get(number)).filter(|known| known.class() == class);
        let light = node.light.and_then(|light| self.scene.lights.get(light.0));
        let entity = match (known, class, light) {
            (Some(known), ..) => {
                let extras = node::extras(known);
                let fields = extras.get("entity").and_then(Value::as_object).cloned().unwrap_or_default();
                Some(self.entity(&fields, node, place)?)
            }
            (None, "waypoint", _) => {
                Some(Entity::Waypoint { position: self.settings.game_position(place.origin().as_vec3()) })
            }
            (None, "light" | "spotlight", Some(light)) => light::made(light, place, &self.settings),
            _ => None,
        };
        match entity {
            Some(entity) => self.found.entities.push((u64::try_from(number).unwrap_or(u64::MAX), entity)),
            None => self.without_fields(class, node),
        }
        Ok(Owner::Entity)
    }

    /// The place of the node, where it is not where the fields put it.
    fn move_to(&self, fields: &mut Map<String, Value>, place: Place) -> Result<()> {
        let before = vector(fields, "position")?;
        let expected = before.map(|before| axes::position(before) * self.settings.scale);
        let expected = expected.map(|place| if place.is_finite() { place } else { Vec3::ZERO });
        if !expected.is_some_and(|expected| is_same_point(expected.as_dvec3(), place.origin())) {
            let position = self.settings.game_position(place.origin().as_vec3());
            fields.insert("position".into(), json!(position));
        }
        Ok(())
    }

    /// The same for turn and size.
    fn turn_and_size(&self, fields: &mut Map<String, Value>, place: Place) -> Result<()> {
        let (rotation, size) = (vector(fields, "rotation")?, vector(fields, "scale")?);
        let scale = self.settings.scale;
        let turn = rotation.map(axes::rotation).filter(|turn| turn.is_finite()).unwrap_or_default();
        let length =
            size.map(|size| Vec3::from(size) * scale).filter(|size| size.is_finite()).unwrap_or(Vec3::ONE);
        let expected = DMat3::from_quat(turn.as_dquat()) * DMat3::from_diagonal(length.as_dvec3());
        if rotation.is_some() && size.is_some() && is_same_linear(expected, place.linear()) {
            return Ok(());
        }
        if rotation.is_none() || !is_same_turn(turn.as_dquat(), place.turn()) {
            fields.insert("rotation".into(), json!(axes::angles(place.turn().as_quat())));
        }
        if size.is_none() || !is_same_point(length.as_dvec3(), place.size()) {
            fields.insert("scale".into(), json!((place.size().as_vec3() / scale).to_array()));
        }
        Ok(())
    }

    /// The same for the direction of a spotlight.
    fn point(fields: &mut Map<String, Value>, place: Place) {
        let angles = fields.get("angles").and_then(Value::as_str).map(node::numbers);
        let expected = angles.map(|angles| angles.map(axes::rotation).unwrap_or_default());
        if !expected.is_some_and(|expected| is_same_turn(expected.as_dquat(), place.turn())) {
            fields.insert("angles".into(), light::angles(place.turn().as_quat()).into());
        }
    }

    /// What the light of a node says otherwise than its fields.
    fn shine(&self, fields: &mut Map<String, Value>, light: &Light) {
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

/// Three numbers of a field, in the forms that records have; nothing where the field is not there.
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

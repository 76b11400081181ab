//! Trigger boxes and collision from invisible meshes, or from empties that represent boxes.

use glam::Vec3;
use json::Value;
use record::Result;
use scene::Node;

use super::super::layout::{InvisibleSurface, TriggerBox};
use super::role::{COLONLY, TRIGGER};
use super::transform::Transform;
use super::{Import, split, surface};
use crate::axes;
use crate::import::name::without_number;
use crate::string::BlitzString;

/// The corners of the faces of a cube of two meters, counter-clockwise from outside.
const FACES: [[[f32; 3]; 4]; 6] = [
    [[1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, -1.0, 1.0]],
    [[-1.0, -1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, -1.0], [-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, -1.0]],
    [[-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0], [1.0, -1.0, -1.0], [1.0, -1.0, 1.0]],
    [[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]],
    [[1.0, -1.0, -1.0], [-1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [1.0, 1.0, -1.0]],
];

impl<'a> Import<'a> {
    /// The trigger box of a node.
    pub(super) fn trigger(&mut self, node: &'a Node, transform: Transform) -> Result<TriggerBox> {
        let surfaces =
            self.invisible_or_box(node, transform).into_iter().flat_map(split::invisible).collect();
        Ok(TriggerBox { surfaces, name: self.trigger_name(node)? })
    }

    /// The surfaces of a node's mesh. An empty created in another program becomes a box whose scale is half its size.
    pub(super) fn invisible_or_box(&self, node: &Node, transform: Transform) -> Vec<InvisibleSurface> {
        let is_known = ["trigger", "collision"].iter().any(|name| node.extras.contains_key(*name));
        if node.mesh.is_none() && node.children.is_empty() && !is_known {
            return vec![self.boxed(transform)];
        }
        let primitives = self.mesh(node).into_iter().flat_map(|mesh| &mesh.primitives);
        primitives.map(|primitive| surface::invisible(primitive, transform, &self.settings)).collect()
    }

    fn boxed(&self, transform: Transform) -> InvisibleSurface {
        let scale = self.settings.scale;
        let corner = |corner: [f32; 3]| {
            self.settings.game_position(transform.point((Vec3::from(corner) * scale).to_array()))
        };
        let mut out = InvisibleSurface::default();
        for (face, first) in FACES.iter().zip((0_u32..).step_by(4)) {
            out.vertices.extend(face.map(corner));
            let triangles = [[0, 1, 2], [0, 2, 3]].map(|corners: [u32; 3]| {
                let corners = corners.map(|corner| corner.saturating_add(first));
                if transform.is_mirrored() { corners } else { axes::winding(corners) }
            });
            out.triangles.extend(triangles);
        }
        out
    }

    /// The name of a trigger box: from its properties, from the base room, or after `trigger_`.
    fn trigger_name(&mut self, node: &'a Node) -> Result<BlitzString> {
        let text = match node.extras.get("trigger") {
            Some(Value::String(name)) => Some(name.as_str()),
            Some(trigger) => trigger.get("name").and_then(Value::as_str),
            None => node.extras.get("name").and_then(Value::as_str),
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
            // The name is only an index.
            None if number.is_some() => self.without_fields("trigger", node),
            None => {}
        }
        BlitzString::from_text(name)
    }
}

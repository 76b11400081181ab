//! Reading of nodes and lights.

use glam::{Affine3A, Mat4, Quat, Vec3};

use super::{Reader, document, extras, finite, out_of_range};
use crate::engine;
use crate::node::{Nested, from_affine};
use crate::{Error, Extras, ImageId, Light, LightId, LightKind, MeshId, Node, NodeId};

impl Reader<'_> {
    pub(super) fn lights(&mut self) -> Result<(), Error> {
        for (index, json) in self.document.extensions.lights.lights.iter().enumerate() {
            let spot = &json.spot;
            let numbers = [
                json.intensity,
                json.range.unwrap_or_default(),
                spot.inner_cone_angle,
                spot.outer_cone_angle,
            ];
            finite(&[&numbers[..], &json.color].concat(), || format!("light {index}"))?;
            let kind = match json.kind.as_str() {
                "point" => Some(LightKind::Point),
                "directional" => Some(LightKind::Directional),
                "spot" => Some(LightKind::Spot {
                    inner_cone: spot.inner_cone_angle,
                    outer_cone: spot.outer_cone_angle,
                }),
                _ => None,
            };
            self.tally.add("lights of an unknown kind", usize::from(kind.is_none()));
            let mut extras = extras(&json.extras, &mut self.tally);
            let intensity = engine::true_intensity(json.intensity, &mut extras);
            self.lights.push(kind.map(|kind| {
                self.scene.add_light(Light {
                    name: json.name.clone(),
                    kind,
                    color: json.color,
                    intensity,
                    range: json.range,
                    extras,
                })
            }));
        }
        Ok(())
    }

    /// Reads all nodes, keeping their indices. The inner nodes of sheared nodes are appended.
    pub(super) fn nodes(&mut self) -> Result<(), Error> {
        let mut inner: Vec<(NodeId, Node)> = Vec::new();
        self.scene.nodes.reserve_exact(self.document.nodes.len());
        for (index, json) in self.document.nodes.iter().enumerate() {
            let place = || format!("node {index}");
            let mut extras = extras(&json.extras, &mut self.tally);
            let mut nested = with_transform(json, place)?;
            let shown = nested.innermost();
            shown.mesh = self.mesh_of(json, place)?;
            self.tally.add("morph weights of nodes", usize::from(json.weights.is_some()));
            shown.light = self.light_of(json, place)?;
            shown.trigger = self.trigger_of(json, place)?;
            shown.children = json.children.iter().map(|child| NodeId(*child)).collect();
            nested.outer.picture = picture(&mut extras, self.scene.images.len());
            nested.outer.extras = extras;
            inner.extend(nested.inner.map(|inner| (NodeId(index), inner)));
            self.scene.nodes.push(nested.outer);
        }
        for (outer, node) in inner {
            let inner = self.scene.add_child(outer, node);
            self.innermost.insert(outer, inner);
        }
        Ok(())
    }

    fn mesh_of(&self, json: &document::Node, place: impl Fn() -> String) -> Result<Option<MeshId>, Error> {
        let count = self.scene.meshes.len();
        match json.mesh {
            Some(mesh) if mesh >= count => Err(out_of_range(format!("{}, mesh", place()), mesh, count)),
            mesh => Ok(mesh.map(MeshId)),
        }
    }

    fn light_of(&self, json: &document::Node, place: impl Fn() -> String) -> Result<Option<LightId>, Error> {
        let Some(light) = &json.extensions.light else { return Ok(None) };
        let count = self.lights.len();
        self.lights
            .get(light.light)
            .copied()
            .ok_or_else(|| out_of_range(format!("{}, light", place()), light.light, count))
    }
}

impl Reader<'_> {
    /// Returns the mesh whose hull detects entering objects. All other properties of physics bodies are skipped.
    fn trigger_of(
        &mut self,
        json: &document::Node,
        place: impl Fn() -> String,
    ) -> Result<Option<MeshId>, Error> {
        let Some(body) = &json.extensions.body else { return Ok(None) };
        let others = [&body.collider, &body.motion].into_iter().flatten().count();
        self.tally.add("physics bodies that are not triggers", others);
        let Some(trigger) = &body.trigger else { return Ok(None) };
        let shapes = &self.document.extensions.shapes.shapes;
        let mesh = match trigger.shape.map(|shape| shapes.get(shape).ok_or(shape)) {
            Some(Err(shape)) => {
                return Err(out_of_range(format!("{}, trigger", place()), shape, shapes.len()));
            }
            Some(Ok(shape)) => shape.convex.as_ref().and_then(|convex| convex.mesh),
            None => None,
        };
        let Some(mesh) = mesh else {
            self.tally.add("triggers that are not the hull of a mesh", 1);
            return Ok(None);
        };
        let count = self.scene.meshes.len();
        if mesh >= count {
            return Err(out_of_range(format!("{}, trigger", place()), mesh, count));
        }
        Ok(Some(MeshId(mesh)))
    }
}

/// Returns a node with the document node's transform; two if its matrix is sheared.
fn with_transform(json: &document::Node, place: impl Fn() -> String) -> Result<Nested, Error> {
    if let Some(matrix) = &json.matrix {
        finite(&matrix[..], place)?;
        return Ok(from_affine(&json.name, Affine3A::from_mat4(Mat4::from_cols_array(matrix))));
    }
    let (translation, scale) = (json.translation.unwrap_or_default(), json.scale.unwrap_or([1.0; 3]));
    let rotation = json.rotation.unwrap_or(Quat::IDENTITY.to_array());
    finite(&[&translation[..], &scale, &rotation].concat(), place)?;
    let outer = Node {
        name: json.name.clone(),
        translation: Vec3::from(translation),
        rotation: Quat::from_array(rotation),
        scale: Vec3::from(scale),
        ..Node::default()
    };
    Ok(Nested { outer, inner: None })
}

/// Takes the picture of a node from its extras.
fn picture(extras: &mut Extras, images: usize) -> Option<ImageId> {
    let number = extras.get("image")?.as_u64().and_then(|image| usize::try_from(image).ok());
    let image = number.filter(|image| *image < images)?;
    extras.shift_remove("image");
    Some(ImageId(image))
}

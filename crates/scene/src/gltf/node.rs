//! Writing of nodes and lights.

use std::borrow::Cow;
use std::f32::consts::FRAC_PI_2;

use glam::Quat;

use super::{
    binary::Bounds,
    check::{called, finite, forbidden, in_range, name, within},
    draft::Draft,
    piece::Piece,
    schema::{
        Attributes, ConvexShape, Light as LightJson, Lights, Node as NodeJson, NodeBody, NodeExtensions,
        NodeExtras, NodeInstances, NodeLight, NodeTrigger, Shape, Shapes, Spot,
    },
};
use crate::{Error, Instance, LightKind, Mesh, MeshId, Node, NodeId, SkinId};

/// The extension for lights.
const LIGHTS: &str = "KHR_lights_punctual";

/// The extensions for triggers.
const BODY: &str = "OMI_physics_body";
const SHAPE: &str = "OMI_physics_shape";

/// The extension for showing a mesh many times.
pub(super) const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// The largest single-precision float below a right angle: the nearest one is above it, which glTF forbids.
const WIDEST_CONE: f32 = FRAC_PI_2.next_down();

impl<'a> Draft<'a> {
    /// Writes all nodes, keeping their indices.
    pub(super) fn nodes(&mut self) -> Result<(), Error> {
        for (index, node) in self.scene.nodes.iter().enumerate() {
            let place = called("node", index, &node.name);
            finite(&node.translation.to_array(), || format!("{place}, translation"))?;
            finite(&node.scale.to_array(), || format!("{place}, scale"))?;
            let rotation = unit(node.rotation, || format!("{place}, rotation"))?;
            let mesh = self.node_mesh(node.mesh, &place)?;
            let light = match node.light {
                Some(light) => {
                    Some(in_range(light.0, self.scene.lights.len(), || format!("{place}, light"))?)
                }
                None => None,
            };
            let json = NodeJson {
                name: name(&node.name, "node", index),
                translation: (node.translation != glam::Vec3::ZERO).then(|| node.translation.to_array()),
                rotation: (rotation != Quat::IDENTITY).then(|| rotation.to_array()),
                scale: (node.scale != glam::Vec3::ONE).then(|| node.scale.to_array()),
                mesh,
                skin: mesh.and(node.skin).map(|skin| skin.0),
                children: node.children.iter().map(|child| child.0).collect(),
                extensions: self.node_extensions(NodeId(index), mesh, light, &place)?,
                extras: self.node_extras(node, &place)?,
            };
            self.check_skin(node, &place)?;
            let has_identity = json.translation.is_none() && json.rotation.is_none() && json.scale.is_none();
            if json.skin.is_some() && (!has_identity || self.tree.parent(index).is_some()) {
                let problem = "a node with a skinned mesh must be a root without a transform, because viewers ignore it";
                return Err(forbidden(place, problem));
            }
            self.document.nodes.push(json);
        }
        Ok(())
    }

    fn node_extensions(
        &mut self,
        node: NodeId,
        mesh: Option<usize>,
        light: Option<usize>,
        place: &str,
    ) -> Result<Option<Box<NodeExtensions>>, Error> {
        let scene = self.scene;
        let instances = match scene.instances.get(&node).filter(|_| mesh.is_some()) {
            Some(instances) if !instances.is_empty() => Some(self.instances(instances, place)?),
            _ => None,
        };
        let light = light.map(|light| NodeLight { light });
        let trigger = scene.nodes.get(node.0).and_then(|node| node.trigger);
        let body = self.node_mesh(trigger, place)?.map(|mesh| self.trigger(mesh));
        let is_extended = light.is_some() || instances.is_some() || body.is_some();
        Ok(is_extended.then(|| Box::new(NodeExtensions { light, instances, body })))
    }

    /// Returns a trigger whose shape is the convex hull of a mesh. Each mesh is one shape.
    fn trigger(&mut self, mesh: usize) -> NodeBody {
        self.extensions.extend([BODY, SHAPE]);
        let known = self.shapes.iter().position(|known| *known == mesh);
        let shape = known.unwrap_or_else(|| {
            self.shapes.push(mesh);
            self.shapes.len() - 1
        });
        NodeBody { trigger: NodeTrigger { shape } }
    }

    /// Writes the placements of a node's mesh.
    fn instances(&mut self, instances: &[Instance], place: &str) -> Result<NodeInstances, Error> {
        let place = |index: usize| format!("{place}, instances[{index}]");
        let mut rotations = Vec::with_capacity(instances.len());
        for (index, it) in instances.iter().enumerate() {
            finite(&it.translation.to_array(), || place(index))?;
            finite(&it.scale.to_array(), || place(index))?;
            rotations.push(unit(it.rotation, || place(index))?.to_array());
        }
        let list = |of: fn(&Instance) -> glam::Vec3| instances.iter().map(|it| of(it).to_array()).collect();
        let (translations, scales): (Vec<_>, Vec<_>) = (list(|it| it.translation), list(|it| it.scale));
        let mut attributes = Attributes::default();
        let mut insert = |name: &'static str, piece| {
            attributes.insert(name, self.binary.accessor(piece, None, Bounds::default()));
        };
        insert("TRANSLATION", Piece::OwnedVec3(translations));
        insert("ROTATION", Piece::Vec4(rotations.into()));
        if scales.iter().any(|scale| *scale != [1.0; 3]) {
            insert("SCALE", Piece::OwnedVec3(scales));
        }
        self.extensions.insert(INSTANCING);
        Ok(NodeInstances { attributes })
    }

    /// Returns the node's extras, including the index of its picture in the file.
    fn node_extras(&self, node: &'a Node, place: &str) -> Result<NodeExtras<'a>, Error> {
        if let Some(extras) = &node.packed_extras {
            return Ok(NodeExtras::Packed(extras));
        }
        let Some(picture) = node.picture else { return Ok(NodeExtras::Members(Cow::Borrowed(&node.extras))) };
        let image = in_range(picture.0, self.images.len(), || format!("{place}, picture"))?;
        let mut extras = node.extras.clone();
        extras.insert("image".into(), self.images.get(image).copied().unwrap_or_default().into());
        Ok(NodeExtras::Members(Cow::Owned(extras)))
    }

    fn node_mesh(&self, mesh: Option<MeshId>, place: &str) -> Result<Option<usize>, Error> {
        let Some(MeshId(mesh)) = mesh else {
            return Ok(None);
        };
        in_range(mesh, self.meshes.len(), || format!("{place}, mesh"))?;
        Ok(self.meshes.get(mesh).copied().flatten())
    }

    /// Checks that a node has a skin if and only if its mesh has joints, and that the skin has these joints.
    fn check_skin(&self, node: &Node, place: &str) -> Result<(), Error> {
        let mesh = node.mesh.and_then(|mesh| self.scene.meshes.get(mesh.0));
        let skinned = |mesh: &Mesh| mesh.primitives.iter().any(|primitive| primitive.influences.is_some());
        let Some(SkinId(skin)) = node.skin else {
            return match mesh {
                Some(mesh) if skinned(mesh) => {
                    Err(forbidden(place, "its mesh has joints, but the node has no skin"))
                }
                _ => Ok(()),
            };
        };
        in_range(skin, self.scene.skins.len(), || format!("{place}, skin"))?;
        let joints = self.scene.skins.get(skin).map_or(0, |skin| skin.joints.len());
        let Some(mesh) = mesh else {
            return Err(forbidden(place, "it has a skin, but no mesh"));
        };
        for (number, primitive) in
            mesh.primitives.iter().enumerate().filter(|(_, primitive)| !primitive.is_empty())
        {
            let Some(influences) = &primitive.influences else {
                return Err(forbidden(
                    place,
                    format!("it has a skin, but primitive {number} of its mesh has no joints"),
                ));
            };
            let largest = influences.joints.as_flattened().iter().copied().max().unwrap_or_default();
            in_range(usize::from(largest), joints, || {
                format!("{place}, joints of primitive {number} of its mesh")
            })?;
        }
        Ok(())
    }

    /// Writes all lights.
    pub(super) fn lights(&mut self) -> Result<(), Error> {
        let mut lights = Vec::with_capacity(self.scene.lights.len());
        for (index, light) in self.scene.lights.iter().enumerate() {
            let place = called("light", index, &light.name);
            for channel in light.color {
                within(channel, 0.0..=1.0, || format!("{place}, color"))?;
            }
            within(light.intensity, 0.0..=f32::MAX, || format!("{place}, intensity"))?;
            if let Some(range) = light.range {
                within(range, f32::MIN_POSITIVE..=f32::MAX, || format!("{place}, range"))?;
            }
            let (kind, spot) = match light.kind {
                LightKind::Point => ("point", None),
                LightKind::Directional if light.range.is_some() => {
                    return Err(forbidden(place, "a directional light cannot have a range"));
                }
                LightKind::Directional => ("directional", None),
                LightKind::Spot { inner_cone, outer_cone } => {
                    within(outer_cone, 0.0..=FRAC_PI_2, || format!("{place}, outer_cone"))?;
                    within(inner_cone, 0.0..=outer_cone, || format!("{place}, inner_cone"))?;
                    let outer_cone = outer_cone.min(WIDEST_CONE);
                    if inner_cone >= outer_cone {
                        return Err(forbidden(place, "the inner cone must be smaller than the outer cone"));
                    }
                    ("spot", Some(Spot { inner_cone_angle: inner_cone, outer_cone_angle: outer_cone }))
                }
            };
            lights.push(LightJson {
                name: name(&light.name, "light", index),
                kind,
                color: light.color,
                intensity: light.intensity,
                range: light.range,
                spot,
                extras: &light.extras,
            });
        }
        if !lights.is_empty() {
            self.extensions.insert(LIGHTS);
            self.document.extensions.get_or_insert_default().lights = Some(Lights { lights });
        }
        Ok(())
    }

    /// Writes the shapes of all triggers, after the nodes.
    pub(super) fn trigger_shapes(&mut self) {
        if !self.shapes.is_empty() {
            let convex = |mesh: &usize| Shape { kind: "convex", convex: ConvexShape { mesh: *mesh } };
            let shapes = self.shapes.iter().map(convex).collect();
            self.document.extensions.get_or_insert_default().shapes = Some(Shapes { shapes });
        }
    }
}

/// Normalizes a quaternion.
pub(super) fn unit(rotation: Quat, place: impl Fn() -> String) -> Result<Quat, Error> {
    finite(&rotation.to_array(), &place)?;
    let wide = rotation.as_dquat();
    let length = wide.length();
    // Below the precision of single-precision floats: keep the bits.
    if (length - 1.0).abs() <= 1e-7 {
        return Ok(rotation);
    }
    if length == 0.0 {
        return Err(forbidden(place(), "the rotation quaternion is zero"));
    }
    Ok(wide.normalize().as_quat())
}

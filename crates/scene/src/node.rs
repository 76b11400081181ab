//! Nodes, and the conversion of any affine matrix to nodes.

mod svd;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use glam::{Affine3A, DVec3, Quat, Vec3};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::{Extras, ImageId, LightId, MeshId, NodeId, SkinId};

/// A node of the scene graph: a transform and the objects attached to it. The default transform is the identity.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Name of the node.
    pub name: String,
    /// Translation in meters, in the parent's space.
    pub translation: Vec3,
    /// Rotation. Need not have unit length; it is written with unit length.
    pub rotation: Quat,
    /// Scale factors along the node's own axes.
    pub scale: Vec3,
    /// The mesh shown at this node.
    pub mesh: Option<MeshId>,
    /// The light at this node.
    pub light: Option<LightId>,
    /// The skin that deforms the mesh.
    pub skin: Option<SkinId>,
    /// The role of the mesh in collision detection, which is [expressed in an engine's
    /// conventions](crate::Scene::adapt_to).
    pub body: Option<Body>,
    /// A mesh whose convex hull, at this node, detects entering objects (`OMI_physics_body`).
    pub trigger: Option<MeshId>,
    /// The layer of the scene that the node belongs to.
    pub layer: Option<Layer>,
    /// An image that belongs to the node without being shown; its index is written as `extras.image`.
    pub picture: Option<ImageId>,
    /// Child nodes, which move with this one.
    pub children: Vec<NodeId>,
    /// Written as `extras`.
    pub extras: Extras,
    /// Written as `extras` instead of the field above. Extras read from a file are stored in the field above.
    pub packed_extras: Option<PackedExtras>,
}

/// The role of a node's mesh in collision detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// Visible and solid.
    Solid,
    /// Invisible and solid.
    Barrier,
    /// Invisible and passable; detects entering objects.
    Trigger,
}

/// A node's relation to the layers of a scene: groups of objects of one kind that are shown, hidden or selected
/// together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layer {
    /// A member of the layer with this name, together with others under the same parent.
    Member(Cow<'static, str>),
    /// A layer's group node: all its descendants belong to the layer.
    Group,
}

/// One placement of a mesh that is shown several times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// Translation in meters, in the node's space.
    pub translation: Vec3,
    /// Rotation. Need not have unit length; it is written with unit length.
    pub rotation: Quat,
    /// Scale factors along the mesh's own axes.
    pub scale: Vec3,
}

impl Instance {
    /// Returns the transform from the mesh's space to the node's.
    #[must_use]
    pub fn to_node(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl Default for Node {
    fn default() -> Self {
        Self {
            name: String::new(),
            translation: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
            mesh: None,
            light: None,
            skin: None,
            body: None,
            trigger: None,
            layer: None,
            picture: None,
            children: Vec::new(),
            extras: Extras::new(),
            packed_extras: None,
        }
    }
}

/// Extras as serialized text, which takes a tenth of the memory. For nodes with long extras, and for many nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedExtras(Box<[u8]>);

impl PackedExtras {
    /// Serializes a value that has members. Numbers that JSON cannot hold become strings of their bits, as in
    /// records. `None` if the value cannot be serialized to JSON.
    #[must_use]
    pub fn new(value: &impl Serialize) -> Option<Self> {
        json::to_compact(value).ok().map(|text| Self(text.into()))
    }

    /// Returns the members of the value.
    #[must_use]
    pub fn unpacked(&self) -> Extras {
        json::from_slice(&self.0).unwrap_or_default()
    }
}

impl Serialize for PackedExtras {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = json::Parser::new(&self.0).map_err(S::Error::custom)?;
        serde_transcode::transcode(&mut text, serializer)
    }
}

impl Node {
    /// Creates an otherwise empty node with a name: a group.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Returns the transform from the node's space to its parent's.
    pub fn to_parent(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// A matrix as nodes: one, or two if it is sheared. Add it with [`Scene::add_nested`](crate::Scene::add_nested).
#[derive(Debug, Clone, PartialEq)]
pub struct Nested {
    /// The outer node, which has the translation.
    pub outer: Node,
    /// Only for a sheared matrix: a rotation that is applied before the outer node's scale. Attach meshes to this
    /// node.
    pub inner: Option<Node>,
}

impl Nested {
    /// Returns the node whose space is the matrix's own.
    pub fn innermost(&mut self) -> &mut Node {
        self.inner.as_mut().unwrap_or(&mut self.outer)
    }
}

/// Converts any affine matrix to nodes that have a translation, a rotation and a scale.
///
/// A matrix with perpendicular axes becomes one node. A sheared one is split by singular value decomposition,
/// `M = (U S) Vᵀ`: the outer node rotates by U and scales by S, the inner one rotates by Vᵀ. Mirrored and flat matrices
/// (determinant negative or zero) are supported. The outer node gets the name; the inner one is called "NAME inner".
pub fn from_affine(name: &str, matrix: Affine3A) -> Nested {
    let axes = svd::columns(matrix);
    let translation = Vec3::from(matrix.translation);
    if let Some((rotation, scale)) = svd::rotation_and_scale(axes) {
        return Nested { outer: placed(name.to_owned(), translation, rotation, scale), inner: None };
    }
    let (left, values, right) = svd::decompose(axes);
    let outer = placed(name.to_owned(), translation, left, values);
    let inner = placed(format!("{name} inner"), Vec3::ZERO, right, DVec3::ONE);
    Nested { outer, inner: Some(inner) }
}

fn placed(name: String, translation: Vec3, rotation: glam::DQuat, scale: DVec3) -> Node {
    Node { name, translation, rotation: rotation.as_quat(), scale: scale.as_vec3(), ..Node::default() }
}

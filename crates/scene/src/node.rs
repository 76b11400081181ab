//! Nodes: where things stand, and how any affine matrix becomes nodes.

mod svd;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use glam::{Affine3A, DVec3, Quat, Vec3};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::{Extras, ImageId, LightId, MeshId, NodeId, SkinId};

/// A place in the scene, and what stands there. The default is the identity.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What the node is called.
    pub name: String,
    /// Meters, in the parent's space.
    pub translation: Vec3,
    /// Need not have unit length; it is written with unit length.
    pub rotation: Quat,
    /// Factors along the node's own axes.
    pub scale: Vec3,
    /// The mesh shown here.
    pub mesh: Option<MeshId>,
    /// The light that shines from here.
    pub light: Option<LightId>,
    /// The joints the mesh hangs on.
    pub skin: Option<SkinId>,
    /// What the mesh is to things that move, which [engines are told](crate::Scene::adapt_to).
    pub body: Option<Body>,
    /// A mesh whose convex hull notices what comes into it, from this node on (`OMI_physics_body`).
    pub trigger: Option<MeshId>,
    /// The layer of the scene that it belongs to.
    pub layer: Option<Layer>,
    /// A picture that belongs to the node without being shown; its image's number is written as `extras.image`.
    pub picture: Option<ImageId>,
    /// Nodes that move with this one.
    pub children: Vec<NodeId>,
    /// Written as `extras`.
    pub extras: Extras,
    /// Written as `extras` in place of those above. What is read from a file stands in those above.
    pub packed_extras: Option<PackedExtras>,
}

/// What the mesh of a node is to things that move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// It is seen, and nothing passes through.
    Solid,
    /// It is not seen, and nothing passes through.
    Barrier,
    /// It is not seen, stops nothing, and notices what comes into it.
    Trigger,
}

/// What a node has to do with the layers of a scene: things of one kind that are shown, hidden or selected together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layer {
    /// It belongs to the layer of this name, with others below the same parent.
    Member(Cow<'static, str>),
    /// It is a layer: all that stands below it belongs together.
    Whole,
}

/// A place of a mesh that stands in many.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// Meters, in the node's space.
    pub translation: Vec3,
    /// Need not have unit length; it is written with unit length.
    pub rotation: Quat,
    /// Factors along the mesh's own axes.
    pub scale: Vec3,
}

impl Instance {
    /// From the mesh's space to the node's.
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

/// Extras as the text that is written. They take a tenth of the memory, for nodes that have long extras and for many nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedExtras(Box<[u8]>);

impl PackedExtras {
    /// Packs a value that has members. Numbers that JSON cannot hold are strings of their bits, as in records. `None` when JSON cannot hold it.
    #[must_use]
    pub fn new(value: &impl Serialize) -> Option<Self> {
        json::to_compact(value).ok().map(|text| Self(text.into()))
    }

    /// The members of the value.
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
    /// A node that is only a name: a group.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// From the node's space to its parent's.
    pub fn to_parent(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// A matrix as nodes: one, or two where it is sheared. Add it with [`Scene::add_nested`](crate::Scene::add_nested).
#[derive(Debug, Clone, PartialEq)]
pub struct Nested {
    /// Carries the translation.
    pub outer: Node,
    /// Only for a sheared matrix: a rotation before the outer node's scale. What is to be shown belongs here.
    pub inner: Option<Node>,
}

impl Nested {
    /// The node whose space is the matrix's own.
    pub fn innermost(&mut self) -> &mut Node {
        self.inner.as_mut().unwrap_or(&mut self.outer)
    }
}

/// Turns any affine matrix into nodes that have a translation, a rotation and a scale.
///
/// A matrix whose axes are perpendicular to each other is one node. A sheared one is split by singular value decomposition,
/// `M = (U S) Vᵀ`: the outer node turns by U and scales by S, the inner one turns by Vᵀ. Mirrored and flat matrices
/// (determinant negative or zero) are fine. The name goes to the outer node; the inner one is called "NAME inner".
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

//! Skins: the joints that deform a mesh.

use glam::Affine3A;

use crate::{Extras, NodeId};

/// The joints that deform a mesh. The node that uses the skin is a root with the identity transform (glTF ignores its
/// transform), and all joints are descendants of one node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Name of the skin.
    pub name: String,
    /// The nodes that act as joints.
    pub joints: Vec<NodeId>,
    /// One matrix per joint: the transform from mesh space to the joint's space in the bind pose. Empty for identity
    /// matrices.
    pub inverse_bind: Vec<Affine3A>,
    /// The root of the joint hierarchy, as a hint; an ancestor of all joints (or one of them).
    pub skeleton: Option<NodeId>,
    /// Written as `extras`.
    pub extras: Extras,
}

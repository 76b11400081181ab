//! Skins: the joints a mesh hangs on.

use glam::Affine3A;

use crate::{Extras, NodeId};

/// The joints a mesh hangs on. The node that wears it is a root without a transform of its own (glTF ignores one),
/// and all joints stand below one node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// What the skin is called.
    pub name: String,
    /// The nodes that move the mesh.
    pub joints: Vec<NodeId>,
    /// One for each joint: from mesh space to the joint's own space, in the pose the mesh was made in.
    /// Empty means the identity for each.
    pub inverse_bind: Vec<Affine3A>,
    /// The joint hierarchy's root, as a hint; an ancestor of all joints (or one of them).
    pub skeleton: Option<NodeId>,
    /// Written as `extras`.
    pub extras: Extras,
}

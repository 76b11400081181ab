//! The node tree of a scene: parents, depths and matrices.

use glam::{DAffine3, DQuat};
use record::{Error, Result};
use scene::{Node, NodeId, Scene};

/// Maximum nesting depth of nodes. Skeletons have about twenty levels.
pub(crate) const MAX_DEPTH: usize = 96;

/// The nodes of a scene that are reachable from its roots.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Parents before their children, in the order of the scene.
    pub(crate) order: Vec<NodeId>,
    parents: Vec<Option<NodeId>>,
    /// Matrices from each node's space to the scene's, at rest.
    matrices: Vec<Option<DAffine3>>,
}

impl Tree {
    /// # Errors
    /// [`Kind::Limit`](record::Kind::Limit) for nodes that are nested too deeply.
    pub(crate) fn of(scene: &Scene) -> Result<Self> {
        let count = scene.nodes.len();
        let mut tree = Self {
            order: Vec::with_capacity(count),
            parents: vec![None; count],
            matrices: vec![None; count],
        };
        let mut stack: Vec<(NodeId, Option<NodeId>, usize)> =
            scene.roots.iter().rev().map(|root| (*root, None, 1)).collect();
        while let Some((id, parent, level)) = stack.pop() {
            let Some(node) = scene.nodes.get(id.0) else { continue };
            // A node that is reached twice violates the tree structure; it counts once.
            if tree.matrix_of(id).is_some() {
                continue;
            }
            if level > MAX_DEPTH {
                let message = format!("nodes are nested more than {MAX_DEPTH} levels deep");
                return Err(Error::limit(message));
            }
            let parent_matrix = parent.and_then(|parent| tree.matrix_of(parent)).unwrap_or_default();
            if let (Some(matrix), Some(above)) = (tree.matrices.get_mut(id.0), tree.parents.get_mut(id.0)) {
                (*matrix, *above) = (Some(product(parent_matrix, local(node))), parent);
            }
            tree.order.push(id);
            let children = node.children.iter().rev();
            stack.extend(children.map(|child| (*child, Some(id), level.saturating_add(1))));
        }
        Ok(tree)
    }

    fn matrix_of(&self, id: NodeId) -> Option<DAffine3> {
        self.matrices.get(id.0).copied().flatten()
    }

    /// Returns the matrix from a node's space to the scene's, at rest; the identity for a node that is not part of the scene.
    pub(crate) fn matrix(&self, id: NodeId) -> DAffine3 {
        self.matrix_of(id).unwrap_or_default()
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.parents.get(id.0).copied().flatten()
    }

    /// Whether a node's matrix mirrors its space.
    pub(crate) fn is_mirrored(&self, id: NodeId) -> bool {
        self.matrix(id).matrix3.determinant() < 0.0
    }
}

/// Returns the matrix from a node's space to its parent's.
pub(crate) fn local(node: &Node) -> DAffine3 {
    let rotation = node.rotation.as_dquat();
    let length = rotation.length_squared();
    let rotation = if length > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    DAffine3::from_scale_rotation_translation(node.scale.as_dvec3(), rotation, node.translation.as_dvec3())
}

/// Returns the product: applies the second matrix, then the first.
#[expect(clippy::arithmetic_side_effects, reason = "matrices of floats cannot overflow")]
pub(crate) fn product(a: DAffine3, b: DAffine3) -> DAffine3 {
    a * b
}

/// Whether two matrices are equal within single precision.
pub(crate) fn is_same(a: DAffine3, b: DAffine3) -> bool {
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let size = |numbers: &[f64]| numbers.iter().fold(0.0, |size: f64, number| size.max(number.abs()));
    let (linear, translation) = (a.get(..9).unwrap_or_default(), a.get(9..).unwrap_or_default());
    let linear_tolerance = size(linear).max(1e-12) * TOLERANCE;
    let translation_tolerance = size(translation).max(size(linear)).max(1e-12) * TOLERANCE;
    let mut pairs = a.iter().zip(&b).enumerate();
    pairs.all(|(at, (a, b))| (a - b).abs() <= if at < 9 { linear_tolerance } else { translation_tolerance })
}

/// Tolerance for equal numbers of magnitude 1.
const TOLERANCE: f64 = 2e-5;

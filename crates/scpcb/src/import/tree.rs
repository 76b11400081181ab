//! Where the nodes of a scene stand: parents, depths and matrices.

use glam::{DAffine3, DQuat};
use record::{Error, Result};
use scene::{Node, NodeId, Scene};

/// Deeper scenes are refused: skeletons have some twenty levels.
pub(crate) const MOST_LEVELS: usize = 96;

/// The nodes that stand in a scene.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Parents before their children, in the order of the scene.
    pub(crate) order: Vec<NodeId>,
    parents: Vec<Option<NodeId>>,
    /// From each node's space to that of the scene, at rest.
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
            // A node that is met twice is no tree; it counts once.
            if tree.matrix_of(id).is_some() {
                continue;
            }
            if level > MOST_LEVELS {
                let message = format!("nodes are nested more than {MOST_LEVELS} levels deep");
                return Err(Error::limit(message));
            }
            let around = parent.and_then(|parent| tree.matrix_of(parent)).unwrap_or_default();
            if let (Some(matrix), Some(above)) = (tree.matrices.get_mut(id.0), tree.parents.get_mut(id.0)) {
                (*matrix, *above) = (Some(product(around, local(node))), parent);
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

    /// From a node's space to that of the scene, at rest; the identity for one that does not stand in it.
    pub(crate) fn matrix(&self, id: NodeId) -> DAffine3 {
        self.matrix_of(id).unwrap_or_default()
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.parents.get(id.0).copied().flatten()
    }

    /// Whether left and right are swapped where a node stands.
    pub(crate) fn is_mirrored(&self, id: NodeId) -> bool {
        self.matrix(id).matrix3.determinant() < 0.0
    }
}

/// From a node's space to its parent's.
pub(crate) fn local(node: &Node) -> DAffine3 {
    let rotation = node.rotation.as_dquat();
    let length = rotation.length_squared();
    let rotation = if length > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    DAffine3::from_scale_rotation_translation(node.scale.as_dvec3(), rotation, node.translation.as_dvec3())
}

/// First the second, then the first.
#[expect(clippy::arithmetic_side_effects, reason = "matrices of floats cannot overflow")]
pub(crate) fn product(a: DAffine3, b: DAffine3) -> DAffine3 {
    a * b
}

/// Whether two matrices are the same but for what single precision loses.
pub(crate) fn is_same(a: DAffine3, b: DAffine3) -> bool {
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let size = |numbers: &[f64]| numbers.iter().fold(0.0, |size: f64, number| size.max(number.abs()));
    let (linear, places) = (a.get(..9).unwrap_or_default(), a.get(9..).unwrap_or_default());
    let turned = size(linear).max(1e-12) * SAME;
    let moved = size(places).max(size(linear)).max(1e-12) * SAME;
    let mut pairs = a.iter().zip(&b).enumerate();
    pairs.all(|(at, (a, b))| (a - b).abs() <= if at < 9 { turned } else { moved })
}

/// How far apart two numbers of a size of 1 may be and still be considered equal.
const SAME: f64 = 2e-5;

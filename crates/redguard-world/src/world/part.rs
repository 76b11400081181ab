//! The models of an object in a scene, for all its placements.

use glam::Vec3;
use scene::{MeshId, Node, NodeId};

use super::held::HeldItem;
use crate::map::ModelEntry;

/// One model of an object in the scene.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) node: NodeId,
    pub(super) mesh: Option<MeshId>,
    /// The number of frames in the file.
    pub(super) frames: usize,
    /// The name of the model, without extension.
    pub(super) stem: String,
    /// Its index among the models of the object.
    pub(super) index: usize,
    /// Its path, if the model was not found.
    pub(super) unresolved: Option<String>,
}

impl Part {
    /// Creates its node. Of several models of an object, only the first is visible at rest.
    pub(super) fn as_node(&self) -> Node {
        let mut node = Node { mesh: self.mesh, ..Node::named(format!("{} {}", self.stem, self.index)) };
        node.extras.insert("raan".into(), self.index.into());
        if self.index > 0 {
            node.scale = Vec3::ZERO;
        }
        if let Some(path) = &self.unresolved {
            node.extras.insert("unresolved".into(), path.clone().into());
        }
        node
    }
}

/// A further instance of a model.
#[derive(Debug, Clone, Copy)]
struct Instance {
    node: NodeId,
    /// Whether it has a mesh: the number of meshes in a scene is limited.
    has_mesh: bool,
}

/// The models of an object, with all its instances.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The first instance of each model.
    pub(super) first: Vec<Part>,
    /// The further instances, by model.
    others: Vec<Vec<Instance>>,
    /// The number of frames of each model according to the map, which determines the frame numbering even if the files differ.
    pub(super) frames: Vec<u8>,
    /// The held item.
    pub(super) held: Option<HeldItem>,
}

impl Parts {
    pub(super) fn new(models: &[ModelEntry]) -> Self {
        Self { frames: models.iter().map(|model| model.frame_count).collect(), ..Self::default() }
    }

    /// Adds an instance.
    pub(super) fn add(&mut self, instance: Vec<Part>) {
        if self.first.is_empty() {
            self.others = vec![Vec::new(); instance.len()];
            self.first = instance;
            return;
        }
        for (others, part) in self.others.iter_mut().zip(instance) {
            others.push(Instance { node: part.node, has_mesh: part.mesh.is_some() });
        }
    }

    /// Returns the additional targets of a track of a model.
    pub(super) fn also(&self, index: usize, target: impl Fn(NodeId) -> scene::Target) -> Vec<scene::Target> {
        self.others.get(index).into_iter().flatten().map(|instance| target(instance.node)).collect()
    }

    /// Returns the nodes of all instances of a model with a mesh, whose weights a track can change.
    pub(super) fn with_mesh(&self, index: usize) -> Vec<NodeId> {
        let first = self.first.get(index).filter(|part| part.mesh.is_some()).map(|part| part.node);
        let others = self.others.get(index).into_iter().flatten();
        first.into_iter().chain(others.filter(|it| it.has_mesh).map(|it| it.node)).collect()
    }
}

/// A placement whose poses are animated.
#[derive(Debug, Clone)]
pub(super) struct PoseTrack {
    pub(super) placement: usize,
    /// The node that moves and rotates.
    pub(super) node: NodeId,
    /// Its models.
    pub(super) parts: Vec<Part>,
    /// The number of frames of each model according to the map.
    pub(super) frames: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(node: usize, mesh: Option<usize>) -> Part {
        Part {
            node: NodeId(node),
            mesh: mesh.map(MeshId),
            frames: 2,
            stem: "GUARDA01".to_owned(),
            index: 0,
            unresolved: None,
        }
    }

    #[test]
    fn only_instances_with_a_mesh_have_weights() {
        let mut parts = Parts::default();
        [part(1, None), part(2, Some(0)), part(3, None), part(4, Some(1))]
            .into_iter()
            .for_each(|it| parts.add(vec![it]));
        assert_eq!(parts.with_mesh(0), [NodeId(2), NodeId(4)]);
        assert_eq!(parts.with_mesh(1), []);
    }
}

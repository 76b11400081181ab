//! A scene as a part of another one: brought over once, placed many times.

use std::collections::BTreeMap;

use crate::moved::{Moved, image_to};
use crate::{Instance, LightId, Mesh, MeshId, Node, NodeId, Scene};

/// The nodes of a scene whose meshes, lights and pictures were brought to another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Their children are places in this list.
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
    instances: BTreeMap<NodeId, Vec<Instance>>,
}

impl Part {
    /// How many nodes each placement adds.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }
}

impl Scene {
    /// Brings the meshes, materials, textures, images and lights of another scene to this one, without placing anything. What is here already is not
    /// added again. Skins and animations stay behind.
    pub fn bring(&mut self, other: &Self) -> Part {
        let mut moved = Moved::of(other);
        let meshes: Vec<MeshId> = other.meshes.iter().map(|mesh| self.bring_mesh(mesh, &mut moved)).collect();
        let lights: Vec<LightId> = other.lights.iter().map(|light| self.add_light(light.clone())).collect();
        let nodes = other.nodes.iter().map(|node| Node {
            mesh: node.mesh.and_then(|mesh| meshes.get(mesh.0).copied()),
            light: node.light.and_then(|light| lights.get(light.0).copied()),
            picture: node.picture.and_then(|image| Some(image_to(other.images.get(image.0)?, self))),
            skin: None,
            trigger: node.trigger.and_then(|mesh| meshes.get(mesh.0).copied()),
            ..node.clone()
        });
        Part { nodes: nodes.collect(), roots: other.roots.clone(), instances: other.instances.clone() }
    }

    fn bring_mesh(&mut self, mesh: &Mesh, moved: &mut Moved<'_>) -> MeshId {
        let mut mesh = mesh.clone();
        for primitive in &mut mesh.primitives {
            primitive.material = primitive.material.and_then(|material| moved.material(material, self));
        }
        match self.meshes.iter().position(|known| *known == mesh) {
            Some(index) => MeshId(index),
            None => self.add_mesh(mesh),
        }
    }

    /// Places all nodes of a part below a node.
    pub fn place(&mut self, part: &Part, parent: NodeId) {
        let first = self.nodes.len();
        let moved = |id: &NodeId| NodeId(id.0.saturating_add(first));
        self.nodes.extend(
            part.nodes
                .iter()
                .map(|node| Node { children: node.children.iter().map(moved).collect(), ..node.clone() }),
        );
        self.instances.extend(part.instances.iter().map(|(id, places)| (moved(id), places.clone())));
        let roots = part.roots.iter().map(moved);
        match self.nodes.get_mut(parent.0) {
            Some(parent) => parent.children.extend(roots),
            None => self.roots.extend(roots),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::placeholder;
    use crate::{Light, Material, Primitive, Sampler, Texture, TextureRef};

    fn room() -> Scene {
        let mut room = Scene::new("room");
        let image = room.add_image(placeholder("wall"));
        let texture = room.add_texture(Texture { name: "wall".into(), image, sampler: Sampler::default() });
        let base_color_texture = Some(TextureRef::new(texture));
        let material =
            room.add_material(Material { name: "wall".into(), base_color_texture, ..Material::default() });
        let triangle = Primitive {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            indices: vec![0, 1, 2],
            material: Some(material),
            ..Primitive::default()
        };
        let mesh = room.add_mesh(Mesh { primitives: vec![triangle], ..Mesh::default() });
        let root = room.add_root(Node { mesh: Some(mesh), ..Node::named("room") });
        let light = room.add_light(Light::default());
        room.add_child(root, Node { light: Some(light), ..Node::named("lamp") });
        room
    }

    #[test]
    fn a_part_is_brought_once_and_placed_many_times() {
        let mut map = Scene::new("map");
        let part = map.bring(&room());
        let places: Vec<NodeId> = ["a", "b"].map(|name| map.add_root(Node::named(name))).into();
        for place in &places {
            map.place(&part, *place);
        }
        assert_eq!((map.meshes.len(), map.materials.len(), map.lights.len()), (1, 1, 1));
        assert_eq!((map.nodes.len(), map.roots.len(), part.node_count()), (6, 2, 2));
        for place in places {
            let [room] = map.nodes[place.0].children[..] else { panic!("a place has one room") };
            let [lamp] = map.nodes[room.0].children[..] else { panic!("a room has one lamp") };
            assert_eq!(
                (map.nodes[room.0].mesh, map.nodes[lamp.0].light),
                (Some(MeshId(0)), Some(LightId(0)))
            );
        }
    }

    #[test]
    fn what_is_here_already_is_not_added_again() {
        let mut map = Scene::new("map");
        let first = map.bring(&room());
        let second = map.bring(&room());
        assert_eq!((map.meshes.len(), map.textures.len(), map.images.len()), (1, 1, 1));
        assert_eq!(first.nodes[0].mesh, second.nodes[0].mesh);
    }
}

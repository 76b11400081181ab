//! Scenes as parts of another scene: imported once, placed many times.

use std::collections::BTreeMap;

use crate::import::{Importer, import_image};
use crate::{Instance, LightId, Mesh, MeshId, Node, NodeId, Scene};

/// The nodes of a scene whose meshes, lights and images were imported into another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Their children are indices into this list.
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
    instances: BTreeMap<NodeId, Vec<Instance>>,
}

impl Part {
    /// Returns the number of nodes that each placement adds.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }
}

impl Scene {
    /// Imports the meshes, materials, textures, images and lights of another scene without placing anything. Objects
    /// that already exist are not added again. Skins and animations are ignored.
    pub fn import(&mut self, other: &Self) -> Part {
        let mut importer = Importer::new(other);
        let meshes: Vec<MeshId> =
            other.meshes.iter().map(|mesh| self.import_mesh(mesh, &mut importer)).collect();
        let lights: Vec<LightId> = other.lights.iter().map(|light| self.add_light(light.clone())).collect();
        let nodes = other.nodes.iter().map(|node| Node {
            mesh: node.mesh.and_then(|mesh| meshes.get(mesh.0).copied()),
            light: node.light.and_then(|light| lights.get(light.0).copied()),
            picture: node.picture.and_then(|image| Some(import_image(other.images.get(image.0)?, self))),
            skin: None,
            trigger: node.trigger.and_then(|mesh| meshes.get(mesh.0).copied()),
            ..node.clone()
        });
        Part { nodes: nodes.collect(), roots: other.roots.clone(), instances: other.instances.clone() }
    }

    fn import_mesh(&mut self, mesh: &Mesh, importer: &mut Importer<'_>) -> MeshId {
        let mut mesh = mesh.clone();
        for primitive in &mut mesh.primitives {
            primitive.material = primitive.material.and_then(|material| importer.material(material, self));
        }
        match self.meshes.iter().position(|known| *known == mesh) {
            Some(index) => MeshId(index),
            None => self.add_mesh(mesh),
        }
    }

    /// Places all nodes of a part under a node.
    pub fn place(&mut self, part: &Part, parent: NodeId) {
        let first = self.nodes.len();
        let renumbered = |id: &NodeId| NodeId(id.0.saturating_add(first));
        self.nodes.extend(
            part.nodes.iter().map(|node| Node {
                children: node.children.iter().map(renumbered).collect(),
                ..node.clone()
            }),
        );
        self.instances
            .extend(part.instances.iter().map(|(id, instances)| (renumbered(id), instances.clone())));
        let roots = part.roots.iter().map(renumbered);
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
    fn imports_a_part_once_and_places_it_many_times() {
        let mut map = Scene::new("map");
        let part = map.import(&room());
        let parents: Vec<NodeId> = ["a", "b"].map(|name| map.add_root(Node::named(name))).into();
        for parent in &parents {
            map.place(&part, *parent);
        }
        assert_eq!((map.meshes.len(), map.materials.len(), map.lights.len()), (1, 1, 1));
        assert_eq!((map.nodes.len(), map.roots.len(), part.node_count()), (6, 2, 2));
        for parent in parents {
            let [room] = map.nodes[parent.0].children[..] else { panic!("each parent has one room") };
            let [lamp] = map.nodes[room.0].children[..] else { panic!("a room has one lamp") };
            assert_eq!(
                (map.nodes[room.0].mesh, map.nodes[lamp.0].light),
                (Some(MeshId(0)), Some(LightId(0)))
            );
        }
    }

    #[test]
    fn does_not_add_existing_objects_again() {
        let mut map = Scene::new("map");
        let first = map.import(&room());
        let second = map.import(&room());
        assert_eq!((map.meshes.len(), map.textures.len(), map.images.len()), (1, 1, 1));
        assert_eq!(first.nodes[0].mesh, second.nodes[0].mesh);
    }
}

//! The scene: the content of one file.

use std::collections::BTreeMap;

use crate::{
    Animation, Extras, Image, ImageId, Instance, Light, LightId, Material, MaterialId, Mesh, MeshId, Node,
    NodeId, Skin, SkinId, Texture, TextureId, node::Nested,
};

/// The content of one glTF file. The lists refer to each other by typed indices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// Name of the scene.
    pub name: String,
    /// All nodes, in any order. Each has at most one parent.
    pub nodes: Vec<Node>,
    /// The root nodes, which have no parent.
    pub roots: Vec<NodeId>,
    /// Placements of the meshes of some nodes, in the space of the node (`EXT_mesh_gpu_instancing`). All other meshes
    /// are placed once, at their nodes.
    pub instances: BTreeMap<NodeId, Vec<Instance>>,
    /// Meshes; several nodes may show the same one.
    pub meshes: Vec<Mesh>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Textures: an image and its sampling parameters.
    pub textures: Vec<Texture>,
    /// Encoded images. Two with the same bytes are written once.
    pub images: Vec<Image>,
    /// Lights, positioned by nodes.
    pub lights: Vec<Light>,
    /// Skins, used by nodes.
    pub skins: Vec<Skin>,
    /// Animations. Viewers play one at a time.
    pub animations: Vec<Animation>,
    /// Parts of the scene that are written as separate glTF scenes; their roots are all of the roots above. If there
    /// are any, the file has no default scene, and Blender creates a collection for each.
    pub collections: Vec<Collection>,
    /// Minimum height of the visible area in a rendered picture of the scene, in meters, so that pictures of several
    /// scenes can be compared. `None` fits each scene to its picture.
    pub shared_frame: Option<f32>,
    /// Written as the scene's `extras`.
    pub extras: Extras,
    /// Written as the file's copyright notice.
    pub copyright: Option<String>,
}

/// A named part of a scene.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collection {
    /// Name of the collection.
    pub name: String,
    /// Roots of the scene that belong to the collection.
    pub roots: Vec<NodeId>,
}

impl Scene {
    /// Creates an empty scene.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a node without attaching it: add its id to [`Scene::roots`] or to a parent's children.
    pub fn add_node(&mut self, node: Node) -> NodeId {
        NodeId(push(&mut self.nodes, node))
    }

    /// Adds a node without a parent.
    pub fn add_root(&mut self, node: Node) -> NodeId {
        let id = self.add_node(node);
        self.roots.push(id);
        id
    }

    /// Adds a node under another one. If the parent is not in this scene, the node becomes a root, so that it is not
    /// lost.
    pub fn add_child(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = self.add_node(node);
        match self.nodes.get_mut(parent.0) {
            Some(parent) => parent.children.push(id),
            None => self.roots.push(id),
        }
        id
    }

    /// Adds the result of [`node::from_affine`](crate::node::from_affine) as a root or under a parent. Returns the
    /// outer and the inner node, which are identical if one node was enough.
    pub fn add_nested(&mut self, parent: Option<NodeId>, nested: Nested) -> (NodeId, NodeId) {
        let outer = match parent {
            Some(parent) => self.add_child(parent, nested.outer),
            None => self.add_root(nested.outer),
        };
        let inner = nested.inner.map_or(outer, |inner| self.add_child(outer, inner));
        (outer, inner)
    }

    /// Adds a mesh.
    pub fn add_mesh(&mut self, mesh: Mesh) -> MeshId {
        MeshId(push(&mut self.meshes, mesh))
    }

    /// Adds a material.
    pub fn add_material(&mut self, material: Material) -> MaterialId {
        MaterialId(push(&mut self.materials, material))
    }

    /// Adds a texture.
    pub fn add_texture(&mut self, texture: Texture) -> TextureId {
        TextureId(push(&mut self.textures, texture))
    }

    /// Adds an image.
    pub fn add_image(&mut self, image: Image) -> ImageId {
        ImageId(push(&mut self.images, image))
    }

    /// Adds a light; a node positions it.
    pub fn add_light(&mut self, light: Light) -> LightId {
        LightId(push(&mut self.lights, light))
    }

    /// Adds a skin; a node uses it.
    pub fn add_skin(&mut self, skin: Skin) -> SkinId {
        SkinId(push(&mut self.skins, skin))
    }

    /// Adds an animation.
    pub fn add_animation(&mut self, animation: Animation) {
        self.animations.push(animation);
    }
}

fn push<T>(list: &mut Vec<T>, item: T) -> usize {
    list.push(item);
    list.len().saturating_sub(1)
}

//! The scene: everything that goes into one file.

use std::collections::BTreeMap;

use crate::{
    Animation, Extras, Image, ImageId, Instance, Light, LightId, Material, MaterialId, Mesh, MeshId, Node,
    NodeId, Skin, SkinId, Texture, TextureId, node::Nested,
};

/// Everything that goes into one glTF file. The lists refer to each other by id, which is a place in a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// What the scene is called.
    pub name: String,
    /// All nodes, in any order. Each has one parent at most.
    pub nodes: Vec<Node>,
    /// The nodes that stand in the scene themselves; they have no parent.
    pub roots: Vec<NodeId>,
    /// Where the meshes of some nodes stand, each from its node on (`EXT_mesh_gpu_instancing`); all others stand at their nodes.
    pub instances: BTreeMap<NodeId, Vec<Instance>>,
    /// Meshes; several nodes may show the same one.
    pub meshes: Vec<Mesh>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Textures: an image and how it is sampled.
    pub textures: Vec<Texture>,
    /// Encoded images. Two with the same bytes are written once.
    pub images: Vec<Image>,
    /// Lights, placed by nodes.
    pub lights: Vec<Light>,
    /// Skins, worn by nodes.
    pub skins: Vec<Skin>,
    /// Animations. A viewer plays one of them at a time.
    pub animations: Vec<Animation>,
    /// Parts of the scene that are written as glTF scenes of their own; their roots are all of those above. Where there are any, the file has no default
    /// scene, and Blender makes a collection of each.
    pub collections: Vec<Collection>,
    /// How much a picture of the scene takes in from its lower to its upper edge at least, meters, so that pictures of several scenes can be compared.
    /// `None` where each fills its picture.
    pub shared_frame: Option<f32>,
    /// Written as the scene's `extras`.
    pub extras: Extras,
    /// Written as the file's copyright notice.
    pub copyright: Option<String>,
}

/// A part of a scene, with a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collection {
    /// What it is called.
    pub name: String,
    /// Some of the roots of the scene.
    pub roots: Vec<NodeId>,
}

impl Scene {
    /// An empty scene.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a node that stands nowhere yet: give it to [`Scene::roots`] or to a parent's children.
    pub fn add_node(&mut self, node: Node) -> NodeId {
        NodeId(push(&mut self.nodes, node))
    }

    /// Adds a node without a parent.
    pub fn add_root(&mut self, node: Node) -> NodeId {
        let id = self.add_node(node);
        self.roots.push(id);
        id
    }

    /// Adds a node below another. A parent that is not in this scene makes it a root, so that it is not lost.
    pub fn add_child(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = self.add_node(node);
        match self.nodes.get_mut(parent.0) {
            Some(parent) => parent.children.push(id),
            None => self.roots.push(id),
        }
        id
    }

    /// Adds what [`node::from_affine`](crate::node::from_affine) made, as a root or below a parent.
    /// Gives the outer and the inner node, which are the same one where one was enough.
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

    /// Adds a light; a node places it.
    pub fn add_light(&mut self, light: Light) -> LightId {
        LightId(push(&mut self.lights, light))
    }

    /// Adds a skin; a node wears it.
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

//! Fits a scene to the program that will import it: names, materials, groups and units by which it takes what is solid, what is a trigger and what
//! shines for that.
//!
//! glTF itself knows neither collision nor layers, so each importer has rules of its own:
//!
//! - **Godot** makes static bodies of meshes whose nodes' names end in `-col` (seen) or `-colonly` (not seen), in versions 3 and 4 alike. Nothing in a name
//!   makes an area; from version 4.3 on it makes one of a trigger of `OMI_physics_body` with a shape of `OMI_physics_shape`. In version 3 such a node is a
//!   mesh that cannot be seen. (Manual: "Node type customization using name suffixes"; engine source: `modules/gltf/extensions/physics`.)
//!   It reads `KHR_materials_unlit` from versions 3.6 and 4.1 on (pull requests 74287 and 74933); older ones light such surfaces, whatever the file says.
//! - **Unity** (`glTFast`, `UnityGLTF`) and **Unreal** (Interchange) make no bodies of names that a whole room could use: Unreal's prefixes `UCX_` and the like
//!   stand for convex parts of one mesh. What is solid stands in nodes of its own, and what is not seen in groups of their own that are not drawn, so that
//!   one selection is enough to add colliders.
//! - **Blender** makes a collection of each glTF scene where a file has several and none is the default (from version 4.5 on), divides candela by 683 to get
//!   watts, and shows what is not seen in the game as translucent shapes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use json::json;
use serde::Serialize;

use crate::node::Layer;
use crate::{
    AlphaMode, Body, Collection, Extras, Material, MaterialId, Mesh, MeshId, Node, NodeId, Primitive, Scene,
    Shading, Sidedness, VertexFormat,
};

#[cfg(test)]
mod tests;

/// A program that imports scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Engine {
    /// Versions 3 and 4.
    Godot,
    /// With `glTFast` or `UnityGLTF`.
    Unity,
    /// Version 5, with Interchange.
    Unreal,
    /// For pictures, and for editing.
    Blender,
}

impl Engine {
    /// The word for it: `godot`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Godot => "godot",
            Self::Unity => "unity",
            Self::Unreal => "unreal",
            Self::Blender => "blender",
        }
    }

    /// The engine with a [name](Self::name), in any letter case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let all = [Self::Godot, Self::Unity, Self::Unreal, Self::Blender];
        all.into_iter().find(|engine| engine.name().eq_ignore_ascii_case(name))
    }

    /// Whether it opens files whose vertices are integers, which require the extension `KHR_mesh_quantization`.
    #[must_use]
    pub const fn opens_integer_vertices(self) -> bool {
        !matches!(self, Self::Godot)
    }
}

/// Godot's ends of names, the longer first.
const SUFFIXES: [&str; 2] = ["-colonly", "-col"];

/// Lumens per watt: Blender divides the intensity of a light by it, unless told otherwise.
const BLENDER_LIGHT: f32 = 683.0;

/// Godot takes candela as its energy, of which one is as bright as π candela; this is the nearest power of two. Version 3 divides what is above 10 by 100.
const GODOT_LIGHT: f32 = 0.25;

/// The member of a light's extras that says what its intensity was multiplied with.
const INTENSITY_SCALE: &str = "intensity_scale";

/// A name without the end that tells Godot what a mesh is.
#[must_use]
pub fn without_suffix(name: &str) -> &str {
    SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name)
}

/// The intensity that a light has in the scene, where it was multiplied for an engine; the extras forget it.
pub(crate) fn true_intensity(written: f32, extras: &mut Extras) -> f32 {
    let scale = extras.get(INTENSITY_SCALE).and_then(json::Value::as_f64);
    let known = [BLENDER_LIGHT, GODOT_LIGHT].into_iter();
    let scale = scale.and_then(|scale| known.clone().find(|known| (f64::from(*known) - scale).abs() < 1e-3));
    match scale {
        Some(scale) => {
            extras.shift_remove(INTENSITY_SCALE);
            written / scale
        }
        None => written,
    }
}

impl Scene {
    /// Fits the scene to a program that will import it. What nodes say of their [`Body`] and [`Layer`] becomes what that program understands.
    pub fn adapt_to(&mut self, engine: Engine) {
        self.name_bodies(engine);
        self.paint_unseen(engine);
        if engine == Engine::Godot {
            self.set_triggers();
            // It refuses files that require integers (KHR_mesh_quantization).
            for mesh in &mut self.meshes {
                mesh.quantization = None;
                mesh.primitives.iter_mut().for_each(|part| part.vertex_format = VertexFormat::Float);
            }
        }
        self.group_layers();
        match engine {
            Engine::Godot => self.scale_lights(GODOT_LIGHT),
            Engine::Blender => {
                self.scale_lights(BLENDER_LIGHT);
                self.collect_layers();
            }
            Engine::Unity | Engine::Unreal => {}
        }
    }

    fn name_bodies(&mut self, engine: Engine) {
        for node in &mut self.nodes {
            let Some(body) = node.body else { continue };
            let suffix = match (engine, body) {
                (Engine::Godot, Body::Solid) => "-col",
                (Engine::Godot, Body::Barrier) => "-colonly",
                _ => "",
            };
            node.name = format!("{}{suffix}", without_suffix(&node.name));
            // Godot looks at the names of meshes too.
            let mesh = node.mesh.and_then(|mesh| self.meshes.get_mut(mesh.0));
            if let Some(mesh) = mesh {
                mesh.name = without_suffix(&mesh.name).to_owned();
            }
        }
    }

    /// Gives materials to meshes that have none because the game never shows them.
    fn paint_unseen(&mut self, engine: Engine) {
        let mut materials: BTreeMap<bool, MaterialId> = BTreeMap::new();
        for index in 0..self.nodes.len() {
            let Some(node) = self.nodes.get(index) else { continue };
            let is_trigger = match node.body {
                Some(Body::Barrier) => false,
                Some(Body::Trigger) => true,
                Some(Body::Solid) | None => continue,
            };
            let Some(mesh) = node.mesh else { continue };
            let is_bare = |primitive: &Primitive| primitive.material.is_none();
            if !self.meshes.get(mesh.0).is_some_and(|mesh| mesh.primitives.iter().any(is_bare)) {
                continue;
            }
            let material = match materials.get(&is_trigger) {
                Some(known) => *known,
                None => self.add_material(unseen(engine, is_trigger)),
            };
            materials.insert(is_trigger, material);
            let primitives = self.meshes.get_mut(mesh.0).map(|mesh| &mut mesh.primitives);
            for primitive in primitives.into_iter().flatten().filter(|primitive| is_bare(primitive)) {
                primitive.material = Some(material);
            }
        }
    }

    /// Makes triggers of the meshes that are some. A hull of several parts would close the gaps between them, so each part gets its own.
    fn set_triggers(&mut self) {
        for index in 0..self.nodes.len() {
            let Some(node) = self.nodes.get_mut(index) else { continue };
            let Some(mesh) = node.mesh.filter(|_| node.body == Some(Body::Trigger)) else { continue };
            let parts = self.meshes.get(mesh.0).map_or(0, |mesh| mesh.primitives.len());
            if parts < 2 {
                node.trigger = Some(mesh);
                continue;
            }
            let name = node.name.clone();
            for part in 0..parts {
                let name = format!("{name}_part_{part}");
                let trigger = self.part_of(mesh, part, &name);
                self.add_child(NodeId(index), Node { trigger, ..Node::named(name) });
            }
        }
    }

    /// A mesh of one of the parts of another.
    fn part_of(&mut self, mesh: MeshId, part: usize, name: &str) -> Option<MeshId> {
        let primitive = self.meshes.get(mesh.0)?.primitives.get(part)?.clone();
        Some(self.add_mesh(Mesh { name: name.to_owned(), primitives: vec![primitive], ..Mesh::default() }))
    }

    /// Puts the members of each layer below a node of their own, where the first of them stood.
    fn group_layers(&mut self) {
        let roots = std::mem::take(&mut self.roots);
        self.roots = self.grouped(roots);
        for index in 0..self.nodes.len() {
            let children = self.nodes.get_mut(index).map(|node| std::mem::take(&mut node.children));
            let children = self.grouped(children.unwrap_or_default());
            if let Some(node) = self.nodes.get_mut(index) {
                node.children = children;
            }
        }
    }

    fn grouped(&mut self, nodes: Vec<NodeId>) -> Vec<NodeId> {
        let mut groups: BTreeMap<Cow<'static, str>, NodeId> = BTreeMap::new();
        let mut out = Vec::with_capacity(nodes.len());
        for id in nodes {
            let is_member = |layer: &mut Layer| matches!(layer, Layer::Member(_));
            let layer = self.nodes.get_mut(id.0).and_then(|node| node.layer.take_if(is_member));
            let Some(Layer::Member(name)) = layer else {
                out.push(id);
                continue;
            };
            let group = *groups.entry(name).or_insert_with_key(|name| {
                let node = Node { layer: Some(Layer::Whole), ..Node::named(name.clone()) };
                let group = self.add_node(node);
                out.push(group);
                group
            });
            if let Some(group) = self.nodes.get_mut(group.0) {
                group.children.push(id);
            }
        }
        out
    }

    /// Makes a collection of each layer that can stand on its own: nothing above it moves it.
    fn collect_layers(&mut self) {
        let mut layers: Vec<Collection> = Vec::new();
        let mut stack = self.roots.clone();
        let mut met = vec![false; self.nodes.len()];
        while let Some(id) = stack.pop() {
            let (Some(node), Some(met)) = (self.nodes.get_mut(id.0), met.get_mut(id.0)) else { continue };
            if std::mem::replace(met, true) || !stands_still(node) {
                continue;
            }
            let children = std::mem::take(&mut node.children);
            let (whole, rest): (Vec<NodeId>, Vec<NodeId>) =
                children.into_iter().partition(|child| self.is_layer(*child));
            stack.extend(&rest);
            if let Some(node) = self.nodes.get_mut(id.0) {
                node.children = rest;
            }
            whole.into_iter().for_each(|layer| self.put(layer, &mut layers));
        }
        let (whole, rest): (Vec<NodeId>, Vec<NodeId>) =
            std::mem::take(&mut self.roots).into_iter().partition(|root| self.is_layer(*root));
        whole.into_iter().for_each(|layer| self.put(layer, &mut layers));
        self.roots.clone_from(&rest);
        self.roots.extend(layers.iter().flat_map(|layer| &layer.roots));
        if !layers.is_empty() {
            self.collections = [Collection { name: self.name.clone(), roots: rest }].into();
            self.collections.append(&mut layers);
        }
    }

    fn is_layer(&self, id: NodeId) -> bool {
        self.nodes.get(id.0).is_some_and(|node| node.layer == Some(Layer::Whole))
    }

    /// Adds a layer to those of its name.
    fn put(&self, layer: NodeId, layers: &mut Vec<Collection>) {
        let name = self.nodes.get(layer.0).map_or("", |node| &node.name);
        match layers.iter_mut().find(|known| known.name == name) {
            Some(known) => known.roots.push(layer),
            None => layers.push(Collection { name: name.to_owned(), roots: vec![layer] }),
        }
    }

    /// Undoes what a program does to candela. In Blender, a light of one candela is then one of 4π watts.
    fn scale_lights(&mut self, scale: f32) {
        for light in &mut self.lights {
            light.intensity *= scale;
            light.extras.insert(INTENSITY_SCALE.into(), json!(scale));
        }
    }
}

/// Whether a node leaves its children where they are.
fn stands_still(node: &Node) -> bool {
    node.translation == Vec3::ZERO && node.rotation == Quat::IDENTITY && node.scale == Vec3::ONE
}

/// The material of what the game never shows: translucent where it is to be edited, else clear.
fn unseen(engine: Engine, is_trigger: bool) -> Material {
    let (name, [red, green, blue]) =
        if is_trigger { ("trigger", [0.1, 0.7, 0.25]) } else { ("collision", [0.9, 0.2, 0.1]) };
    let alpha = if engine == Engine::Blender { 0.25 } else { 0.0 };
    Material {
        name: name.to_owned(),
        base_color: [red, green, blue, alpha],
        alpha: AlphaMode::Blend,
        sidedness: Sidedness::Double,
        shading: Shading::Unlit,
        ..Material::default()
    }
}

//! Adapts a scene to the program that will import it: the names, materials, groups and units by which that program
//! recognizes collision meshes, triggers and lights.
//!
//! glTF itself has neither collision nor layers, so each importer has its own rules:
//!
//! - **Godot** creates static bodies from meshes whose nodes' names end in `-col` (visible) or `-colonly`
//!   (invisible), in versions 3 and 4. No name creates an area; from version 4.3 on, a trigger of `OMI_physics_body`
//!   with a shape of `OMI_physics_shape` becomes one. In version 3 such a node is an invisible mesh. (Manual: "Node
//!   type customization using name suffixes"; engine source: `modules/gltf/extensions/physics`.) Godot reads
//!   `KHR_materials_unlit` from versions 3.6 and 4.1 on (pull requests 74287 and 74933); older versions light such
//!   surfaces regardless.
//! - **Unity** (`glTFast`, `UnityGLTF`) and **Unreal** (Interchange) create no bodies from names that an entire room
//!   could use: Unreal's prefixes such as `UCX_` are for the convex parts of one mesh. Solid geometry is stored in
//!   separate nodes, and invisible geometry in separate groups that are not drawn, so that one selection is enough to
//!   add colliders.
//! - **Blender** creates a collection for each glTF scene if a file has several and none is the default (from version
//!   4.5 on), divides candela by 683 to get watts, and shows geometry that is invisible in the game as translucent
//!   shapes.

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
    /// Godot, versions 3 and 4.
    Godot,
    /// Unity with `glTFast` or `UnityGLTF`.
    Unity,
    /// Unreal Engine 5 with Interchange.
    Unreal,
    /// Blender, for rendering and editing.
    Blender,
}

impl Engine {
    /// Returns the lowercase name, such as `godot`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Godot => "godot",
            Self::Unity => "unity",
            Self::Unreal => "unreal",
            Self::Blender => "blender",
        }
    }

    /// Returns the engine with this [name](Self::name), in any letter case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let all = [Self::Godot, Self::Unity, Self::Unreal, Self::Blender];
        all.into_iter().find(|engine| engine.name().eq_ignore_ascii_case(name))
    }

    /// Whether the program opens files whose vertices are integers, which require the extension
    /// `KHR_mesh_quantization`.
    #[must_use]
    pub const fn opens_integer_vertices(self) -> bool {
        !matches!(self, Self::Godot)
    }
}

/// Godot's name suffixes, the longer first.
const SUFFIXES: [&str; 2] = ["-colonly", "-col"];

/// Lumens per watt: by default, Blender divides the intensity of a light by it.
const BLENDER_LIGHT: f32 = 683.0;

/// Godot reads candela as its light energy, one of which is as bright as π candela; this is the nearest power of two
/// to 1/π. Version 3 divides values above 10 by 100.
const GODOT_LIGHT: f32 = 0.25;

/// The member of a light's extras that stores the factor its intensity was multiplied by.
const INTENSITY_SCALE: &str = "intensity_scale";

/// Removes the suffix that specifies the kind of a mesh in Godot.
#[must_use]
pub fn without_suffix(name: &str) -> &str {
    SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name)
}

/// Returns a light's intensity before it was scaled for an engine, and removes the scale from the extras.
pub(crate) fn true_intensity(written: f32, extras: &mut Extras) -> f32 {
    let scale = extras.get(INTENSITY_SCALE).and_then(json::Value::as_f64);
    let scales = [BLENDER_LIGHT, GODOT_LIGHT].into_iter();
    let scale = scale.and_then(|scale| scales.clone().find(|known| (f64::from(*known) - scale).abs() < 1e-3));
    match scale {
        Some(scale) => {
            extras.shift_remove(INTENSITY_SCALE);
            written / scale
        }
        None => written,
    }
}

impl Scene {
    /// Adapts the scene to a program that will import it. Each node's [`Body`] and [`Layer`] are expressed in that
    /// program's conventions.
    pub fn adapt_to(&mut self, engine: Engine) {
        self.name_bodies(engine);
        self.add_invisible_materials(engine);
        if engine == Engine::Godot {
            self.set_triggers();
            // Godot refuses files that require integers (KHR_mesh_quantization).
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
            // Godot also evaluates the names of meshes.
            let mesh = node.mesh.and_then(|mesh| self.meshes.get_mut(mesh.0));
            if let Some(mesh) = mesh {
                mesh.name = without_suffix(&mesh.name).to_owned();
            }
        }
    }

    /// Assigns materials to meshes that have none because the game never shows them.
    fn add_invisible_materials(&mut self, engine: Engine) {
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
                None => self.add_material(invisible_material(engine, is_trigger)),
            };
            materials.insert(is_trigger, material);
            let primitives = self.meshes.get_mut(mesh.0).map(|mesh| &mut mesh.primitives);
            for primitive in primitives.into_iter().flatten().filter(|primitive| is_bare(primitive)) {
                primitive.material = Some(material);
            }
        }
    }

    /// Sets the triggers of nodes that are triggers. The hull of several parts would close the gaps between them, so
    /// each part gets its own trigger.
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
                let trigger = self.add_part_mesh(mesh, part, &name);
                self.add_child(NodeId(index), Node { trigger, ..Node::named(name) });
            }
        }
    }

    /// Adds a mesh that consists of one part of another mesh.
    fn add_part_mesh(&mut self, mesh: MeshId, part: usize, name: &str) -> Option<MeshId> {
        let primitive = self.meshes.get(mesh.0)?.primitives.get(part)?.clone();
        Some(self.add_mesh(Mesh { name: name.to_owned(), primitives: vec![primitive], ..Mesh::default() }))
    }

    /// Moves the members of each layer under a common group node, at the position of the first member.
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
                let node = Node { layer: Some(Layer::Group), ..Node::named(name.clone()) };
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

    /// Converts each layer whose ancestors have identity transforms to a collection.
    fn collect_layers(&mut self) {
        let mut layers: Vec<Collection> = Vec::new();
        let mut stack = self.roots.clone();
        let mut visited = vec![false; self.nodes.len()];
        while let Some(id) = stack.pop() {
            let (Some(node), Some(visited)) = (self.nodes.get_mut(id.0), visited.get_mut(id.0)) else {
                continue;
            };
            if std::mem::replace(visited, true) || !has_identity_transform(node) {
                continue;
            }
            let children = std::mem::take(&mut node.children);
            let (groups, rest): (Vec<NodeId>, Vec<NodeId>) =
                children.into_iter().partition(|child| self.is_layer(*child));
            stack.extend(&rest);
            if let Some(node) = self.nodes.get_mut(id.0) {
                node.children = rest;
            }
            groups.into_iter().for_each(|layer| self.add_to_collection(layer, &mut layers));
        }
        let (groups, rest): (Vec<NodeId>, Vec<NodeId>) =
            std::mem::take(&mut self.roots).into_iter().partition(|root| self.is_layer(*root));
        groups.into_iter().for_each(|layer| self.add_to_collection(layer, &mut layers));
        self.roots.clone_from(&rest);
        self.roots.extend(layers.iter().flat_map(|layer| &layer.roots));
        if !layers.is_empty() {
            self.collections = [Collection { name: self.name.clone(), roots: rest }].into();
            self.collections.append(&mut layers);
        }
    }

    fn is_layer(&self, id: NodeId) -> bool {
        self.nodes.get(id.0).is_some_and(|node| node.layer == Some(Layer::Group))
    }

    /// Adds a layer to the collection with its name.
    fn add_to_collection(&self, layer: NodeId, layers: &mut Vec<Collection>) {
        let name = self.nodes.get(layer.0).map_or("", |node| &node.name);
        match layers.iter_mut().find(|known| known.name == name) {
            Some(known) => known.roots.push(layer),
            None => layers.push(Collection { name: name.to_owned(), roots: vec![layer] }),
        }
    }

    /// Compensates for the program's conversion of candela. In Blender, a light of one candela is then one of 4π
    /// watts.
    fn scale_lights(&mut self, scale: f32) {
        for light in &mut self.lights {
            light.intensity *= scale;
            light.extras.insert(INTENSITY_SCALE.into(), json!(scale));
        }
    }
}

/// Whether a node does not transform its children.
fn has_identity_transform(node: &Node) -> bool {
    node.translation == Vec3::ZERO && node.rotation == Quat::IDENTITY && node.scale == Vec3::ONE
}

/// The material of geometry that the game never shows: translucent in Blender, where it is edited, otherwise
/// transparent.
fn invisible_material(engine: Engine, is_trigger: bool) -> Material {
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

//! Collision geometry of models: the faces listed by the collision nodes of a model (section 4), and the spheres of models that collide
//! like actors.
//!
//! The game tests the faces of a collision node when something touches the sphere of the node. Faces of no node never collide. The game
//! loads the nodes of v5.0 only.
//!
//! Source: redguard-preservation's notes on collision.

mod sphere;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use asset::Words;
use json::json;
use scene::{Body, Layer, Material, MaterialId, Mesh, MeshId, Node, NodeId, Primitive, Scene, Shading};

pub(crate) use self::sphere::CollisionSphere;
use super::options::MeshOptions;
use super::scene::{Winding, add_fan};
use super::{Glide, Model};
use crate::axes::UNITS_PER_METER;

/// A layer that can be added to the scene of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelLayer {
    /// Collision geometry.
    Collision,
}

/// `--with`.
pub(crate) const WITH: Words<ModelLayer> = Words::new(
    "with",
    "Layers of a model to add.",
    &[("collision", "faces that stop the player, or spheres of models that collide like actors")],
    &[ModelLayer::Collision],
)
.as_layers();

/// The name of the layer in extras.
const LAYER: &str = "collision";

/// Suffix of names of shapes that are solid but not shown, as in Godot.
const SUFFIX: &str = "-colonly";

impl Model {
    /// Indices of the faces listed by collision nodes, in the order of their first reference. References to missing faces are skipped.
    #[must_use]
    pub fn collision_faces(&self) -> Vec<usize> {
        match self {
            Self::Glide(model) => model.collision_faces(),
            Self::Software(_) => Vec::new(),
        }
    }
}

impl Glide {
    fn collision_faces(&self) -> Vec<usize> {
        let mut is_listed = vec![false; self.faces.len()];
        let named = self.nodes.iter().flat_map(|node| &node.faces);
        let numbers = named.map(|face| usize::from(face.face_times_4 / 4));
        let is_new = |number: &usize| {
            is_listed.get_mut(*number).is_some_and(|is_listed| !std::mem::replace(is_listed, true))
        };
        numbers.filter(is_new).collect()
    }
}

/// Returns the name of the node of a collision shape.
pub(crate) fn shape_name(name: &str) -> String {
    format!("{name}{SUFFIX}")
}

/// Whether a node of an imported scene contains collision geometry that a conversion added. The nodes of the original model contain it too.
fn is_added(node: &Node) -> bool {
    node.extras.get("layer").and_then(json::Value::as_str) == Some(LAYER)
}

/// Whether a node of an imported scene contains collision geometry instead of visible geometry.
pub(crate) fn is_shape(node: &Node) -> bool {
    is_added(node) || is_named_shape(node)
}

/// Whether a node of an imported scene is collision geometry by its name alone.
pub(crate) fn is_foreign_shape(node: &Node) -> bool {
    is_named_shape(node) && !is_added(node)
}

fn is_named_shape(node: &Node) -> bool {
    scene::without_copy_number(&node.name).ends_with(SUFFIX)
}

/// The collision meshes of a scene. They share a material, and all spheres share a mesh.
#[derive(Debug, Default)]
pub(crate) struct CollisionMeshes {
    material: Option<MaterialId>,
    sphere: Option<MeshId>,
}

impl CollisionMeshes {
    fn material(&mut self, scene: &mut Scene) -> MaterialId {
        let material = || Material {
            name: LAYER.to_owned(),
            base_color: [0.9, 0.2, 0.1, 0.35],
            alpha: scene::AlphaMode::Blend,
            shading: Shading::Unlit,
            ..Material::default()
        };
        *self.material.get_or_insert_with(|| scene.add_material(material()))
    }

    /// Returns the mesh of a sphere of radius 1, which all spheres scale.
    fn sphere(&mut self, scene: &mut Scene) -> MeshId {
        if let Some(sphere) = self.sphere {
            return sphere;
        }
        let primitives = vec![Primitive { material: Some(self.material(scene)), ..sphere::unit_sphere() }];
        let added = scene.add_mesh(Mesh { name: "sphere".to_owned(), primitives, ..Mesh::default() });
        self.sphere = Some(added);
        added
    }

    /// Adds spheres as children of a node, named after it.
    pub(crate) fn add_spheres(
        &mut self,
        scene: &mut Scene,
        (parent, name): (NodeId, &str),
        spheres: &[CollisionSphere],
        options: MeshOptions,
    ) {
        for (number, sphere) in spheres.iter().enumerate() {
            let mesh = Some(self.sphere(scene));
            let mut node = Node::named(shape_name(&format!("{name}_{number}")));
            (node.mesh, node.body) = (mesh, Some(Body::Barrier));
            let center = options.axes.position(sphere.center.to_array());
            node.translation = glam::Vec3::from(center) * options.scale + 0.0;
            node.scale = glam::Vec3::splat(sphere.radius / UNITS_PER_METER * options.scale);
            scene.add_child(parent, node);
        }
    }

    /// Adds the mesh of the faces listed by the collision nodes of a model, in its first frame; `None` if there are none.
    pub(crate) fn add_faces(
        &mut self,
        scene: &mut Scene,
        model: &Model,
        name: &str,
        options: MeshOptions,
    ) -> Option<MeshId> {
        let primitive = options.collision_primitive(model)?;
        let primitives = vec![Primitive { material: Some(self.material(scene)), ..primitive }];
        let quantization = Some(options.quantization());
        let name = format!("{name} {LAYER}");
        Some(scene.add_mesh(Mesh { name, primitives, quantization, ..Mesh::default() }))
    }

    /// Adds the listed faces of a model as a child of its node. The game ignores them in v4.0, so that they are not solid there. Returns
    /// whether there are any.
    pub(crate) fn add_to_model(
        &mut self,
        scene: &mut Scene,
        (parent, name): (NodeId, &str),
        model: &Model,
        options: MeshOptions,
    ) -> bool {
        let Some(mesh) = self.add_faces(scene, model, name, options) else { return false };
        let is_loaded = model.version().has_loaded_nodes();
        let name = format!("C_{name}");
        let mut node = added_node(if is_loaded { shape_name(&name) } else { name }, "faces");
        node.mesh = Some(mesh);
        node.body = is_loaded.then_some(Body::Barrier);
        if !is_loaded {
            node.extras.insert("loaded_by_game".to_owned(), false.into());
        }
        scene.add_child(parent, node);
        true
    }

    /// Adds the spheres of a model that collides like an actor as children of its node.
    pub(crate) fn add_spheres_to_model(
        &mut self,
        scene: &mut Scene,
        (parent, name): (NodeId, &str),
        spheres: &[CollisionSphere],
        options: MeshOptions,
    ) {
        let name = format!("C_{name}");
        let top = scene.add_child(parent, added_node(name.clone(), "actor"));
        self.add_spheres(scene, (top, &name), spheres, options);
    }
}

/// Creates the node of the collision geometry of a model.
fn added_node(name: String, collides_as: &str) -> Node {
    let mut node = Node { layer: Some(Layer::Member(LAYER.into())), ..Node::named(name) };
    node.extras.insert("layer".to_owned(), LAYER.into());
    node.extras.insert("collides_as".to_owned(), json!(collides_as));
    node
}

impl MeshOptions {
    /// Creates the triangles of the faces listed by the collision nodes of a model; `None` if there are none.
    fn collision_primitive(self, model: &Model) -> Option<Primitive> {
        let listed = model.collision_faces();
        if listed.is_empty() {
            return None;
        }
        let faces = model.faces();
        let positions = self.positions(model, 0);
        let outward = model.face_normals(0).into_iter().map(|normal| self.axes.direction(normal));
        let winding = Winding::new(&faces, &positions, &outward.collect::<Vec<_>>());
        let mut primitive = Primitive::default();
        let mut vertices: BTreeMap<usize, u32> = BTreeMap::new();
        for number in listed {
            let (Some(face), Some(is_ccw)) = (faces.get(number), winding.is_ccw.get(number)) else {
                continue;
            };
            let corners: Option<Vec<usize>> = face.corners.iter().map(|corner| corner.vertex).collect();
            let Some(corners) = corners else { continue };
            let mut fan = Vec::with_capacity(corners.len());
            for vertex in corners {
                let next = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
                let index = *vertices.entry(vertex).or_insert(next);
                if index == next {
                    primitive.positions.push(positions.get(vertex).copied().unwrap_or_default());
                }
                fan.push(index);
            }
            add_fan(&fan, *is_ccw, &mut primitive.indices);
        }
        (!primitive.indices.is_empty()).then_some(primitive)
    }
}

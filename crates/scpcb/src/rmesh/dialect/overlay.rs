//! Adds the features of another dialect to the scene of the approximating plain room.

use std::collections::BTreeMap;

use asset::{Report, Target};
use glam::Vec3;
use json::{Value, json};
use scene::{Extras, Layer, Mesh, Node, NodeId, Primitive, Scene};

use super::approximation::{Approximation, EntityTransform, OriginalEntity};
use super::normal::NormalOrder;
use crate::axes;
use crate::rmesh::node::layer_of;
use crate::rmesh::warning;

/// Sets the dialect of the room, the original class and fields of nodes, and the normals of primitives.
pub(super) fn apply(
    scene: &mut Scene,
    dialect: &str,
    approximation: &Approximation,
    extras: &dyn Fn(usize) -> Extras,
    target: &Target<'_>,
    report: &mut Report,
) {
    for node in scene.nodes.iter_mut().filter(|node| node.extras.contains_key("header")) {
        node.extras.insert("header".into(), dialect.into());
        if let Some(held) = node.extras.get_mut("holds").and_then(|holds| holds.get_mut("entities")) {
            *held = entity_counts(approximation);
        }
    }
    #[expect(clippy::as_conversions, reason = "a factor for lengths in single precision")]
    let scale = target.scale as f32;
    for (index, (plain, original)) in
        approximation.room.entities().iter().zip(&approximation.originals).enumerate()
    {
        let Some(original) = original else { continue };
        let plain_name = format!("{}_{index}", plain.class());
        let is_it = |node: &&mut Node| node.name == plain_name && node.extras.contains_key("entity");
        if let Some(node) = scene.nodes.iter_mut().find(is_it) {
            node.extras.extend(extras(index));
            apply_to_node(node, original, index, scale, report);
        }
    }
    let normal_order = normal_order(approximation, report);
    if normal_order == Some(NormalOrder::Xyz) {
        for node in scene.nodes.iter_mut().filter(|node| node.extras.contains_key("header")) {
            node.extras.insert("normals".into(), NormalOrder::Xyz.text().into());
        }
    }
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if let Some(surface) = surface_of(primitive) {
            if let (Some(normal_order), Some(normals)) = (normal_order, &approximation.normals) {
                add_normals(
                    primitive,
                    normal_order,
                    normals.get(surface).map(Vec::as_slice).unwrap_or_default(),
                );
            }
            if let Some(render_only) = surface.checked_sub(approximation.solid_surfaces()) {
                primitive.extras.remove("surface");
                primitive.extras.insert("render_surface".into(), json!(render_only));
            }
        }
    }
    split_render_only(scene);
}

/// Moves render-only surfaces to their own node, so that other programs can distinguish them from solid ones.
fn split_render_only(scene: &mut Scene) {
    let is_apart = |primitive: &mut Primitive| primitive.extras.contains_key("render_surface");
    let meshes = scene.meshes.iter_mut();
    let primitives: Vec<_> = meshes.flat_map(|mesh| mesh.primitives.extract_if(.., is_apart)).collect();
    let root = scene.nodes.iter().position(|node| node.extras.contains_key("header"));
    let (Some(root), false) = (root, primitives.is_empty()) else { return };
    let mesh = scene.add_mesh(Mesh { name: RENDER_ONLY.to_owned(), primitives, ..Mesh::default() });
    let mut node = Node { mesh: Some(mesh), ..Node::named(RENDER_ONLY) };
    node.extras.insert("solid".into(), false.into());
    scene.add_child(NodeId(root), node);
}

/// The name of the node of render-only surfaces.
const RENDER_ONLY: &str = "render_only-nocol";

fn apply_to_node(node: &mut Node, original: &OriginalEntity, index: usize, scale: f32, report: &mut Report) {
    node.name = format!("{}_{index}", original.class);
    node.layer = Some(Layer::Member(layer_of(&original.class).to_owned().into()));
    let has_no_collision =
        node.extras.get("entity").and_then(|entity| entity.get("has_collision")) == Some(&json!(0));
    if has_no_collision {
        node.body = None;
    }
    let Some(EntityTransform { position, rotation, scale: size }) = original.transform else { return };
    let (position, rotation) = (axes::position(position) * scale, axes::rotation(rotation));
    let size = size.map_or(Vec3::ONE, |size| Vec3::from(size) * scale);
    if position.is_finite() && rotation.is_finite() && size.is_finite() {
        (node.translation, node.rotation, node.scale) = (position, rotation, size);
    } else {
        report
            .warn(&warning::BAD_TRANSFORM, "its position, rotation or scale is not finite")
            .in_field(format!("entities[{index}]"));
    }
}

/// The number of entities of each class of the dialect.
fn entity_counts(approximation: &Approximation) -> Value {
    let mut classes: BTreeMap<_, usize> = BTreeMap::new();
    for class in approximation.classes() {
        let count = classes.entry(class).or_default();
        *count = count.saturating_add(1);
    }
    json!(classes)
}

/// The component order of normals, reported once.
fn normal_order(approximation: &Approximation, report: &mut Report) -> Option<NormalOrder> {
    let normals = approximation.normals.as_ref().filter(|normals| !normals.is_empty())?;
    let normal_order = NormalOrder::of(&approximation.room.surfaces, normals);
    let message = match normal_order {
        NormalOrder::Xzy => "normals are read as x, z, y, like in the game",
        NormalOrder::Xyz => {
            "normals are read as x, y, z, which fits the triangles better than the x, z, y of the game"
        }
    };
    report.warn(&warning::NORMALS_READ, message);
    Some(normal_order)
}

/// The surface index of a primitive.
fn surface_of(primitive: &Primitive) -> Option<usize> {
    primitive.extras.get("surface").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok())
}

/// Sets the normals of a primitive, unless its vertices differ from the surface's.
fn add_normals(primitive: &mut Primitive, normal_order: NormalOrder, normals: &[[f32; 3]]) {
    if normals.len() != primitive.positions.len() {
        return;
    }
    let shown = |normal: &[f32; 3]| {
        let direction = axes::direction(normal_order.apply(*normal));
        if direction.is_finite() { direction.to_array() } else { [0.0; 3] }
    };
    primitive.normals = Some(normals.iter().map(shown).collect());
}

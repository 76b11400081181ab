//! Converts primitives to vertices, triangles and weights, unless they equal the original mesh.

use std::collections::BTreeMap;

use asset::Report;
use glam::{DAffine3, DMat3, DVec3, Vec3};
use record::{Error, Result};
use scene::{MaterialId, NodeId, Primitive};

use super::super::chunk::{Chunk, Mesh};
use super::super::layout::{Triangles, Vertex, VertexForm, Vertices, Weight};
use super::super::warning;
use super::base::{Base, is_same_material};
use super::brush::{BoundBrush, Layer};
use super::node::{MeshSource, Nodes};
use super::skin::{Group, inverse, inverse_bind};
use super::transform::Transform;
use super::{Import, corners};
use crate::axes;
use crate::import::color::display;
use crate::import::flat::with_normals;
use crate::import::tree::{is_same, product};
use crate::import::uv::transformed;

/// Maximum number of vertices of a surface in the engine.
const MAX_VERTICES: usize = 65_535;

/// Tolerance of vertex positions, relative to the size of the mesh.
const POSITION_TOLERANCE: f32 = 5e-5;

/// Tolerance of other vertex attributes. Other programs store normals in few bits.
const TOLERANCE: f32 = 1e-2;

/// A vertex in the scene's axes and units, but in the space of the model's mesh.
#[derive(Debug, Clone, Default)]
struct Corner {
    position: Vec3,
    normal: Option<Vec3>,
    sets: Vec<[f32; 2]>,
    color: Option<[f32; 4]>,
    /// Joints with their weights.
    weights: NodeWeights,
}

/// Joints of a vertex with their weights.
type NodeWeights = Vec<(usize, f32)>;

/// A primitive of a new mesh.
#[derive(Debug)]
struct PrimitiveData {
    material: Option<MaterialId>,
    corners: Vec<Corner>,
    /// Front faces are counterclockwise, as in scenes.
    triangles: Vec<[u32; 3]>,
    /// Whether the conversion to the model's space mirrors it.
    is_mirrored: bool,
}

/// Adds the mesh of each group.
pub(super) fn add_skinned<'a>(
    import: &mut Import<'a>,
    nodes: &mut Nodes<'a>,
    groups: &[Group],
    base: Option<&Base<'a>>,
    report: &mut Report,
) -> Result<()> {
    for group in groups {
        let mut parts = Vec::new();
        for member in &group.members {
            parts.extend(skinned_parts(import, nodes, group, *member)?);
        }
        let known = nodes.get(group.mesh_node).and_then(|node| node.base).map(|(number, _)| number);
        if let (Some(base), Some(number)) = (base, known)
            && is_same_mesh(import, nodes, base, number, &parts)
        {
            if let Some(node) = nodes.get_mut(group.mesh_node) {
                node.mesh = MeshSource::Kept;
            }
            continue;
        }
        let (mesh, weights) =
            build_mesh(import, parts, nodes.get(group.mesh_node).map_or("", |node| &node.name))?;
        warn_many(&mesh, nodes, group.mesh_node, report);
        if let Some(node) = nodes.get_mut(group.mesh_node) {
            node.mesh = MeshSource::New(mesh);
        }
        let mut of_joint: BTreeMap<usize, Vec<Weight>> =
            group.joints.iter().map(|joint| (*joint, Vec::new())).collect();
        // Bones that are no longer part of the scene influence nothing.
        if let (Some(base), Some(number)) = (base, known) {
            let bones = base.bones_of(number);
            for (index, node) in nodes.list.iter().enumerate() {
                if node.base.is_some_and(|(number, _)| bones.contains(&number)) {
                    of_joint.entry(index).or_default();
                }
            }
        }
        let own = group.mesh_node;
        let mixed = weights
            .iter()
            .filter(|weights| weights.len() > 1 && weights.iter().any(|(joint, _)| *joint == own));
        import.count_unsupported("weights of the mesh node mixed with bone weights", mixed.count());
        for (vertex, weights) in (0_u32..).zip(weights) {
            for (joint, weight) in weights.into_iter().filter(|(joint, _)| *joint != own) {
                of_joint.entry(joint).or_default().push(Weight { vertex, weight });
            }
        }
        let count = of_joint.len();
        if count > MAX_BONES {
            let message = format!("{count} bones, but the engine can index only {MAX_BONES}");
            report.warn(&warning::MANY_BONES, message);
        }
        for (joint, weights) in of_joint {
            if let Some(node) = nodes.get_mut(joint) {
                (node.is_bone, node.weights) = (true, Some(weights));
            }
        }
    }
    Ok(())
}

/// Maximum number of bones of a mesh in the engine.
const MAX_BONES: usize = 254;

/// Adds the meshes of all other nodes.
pub(super) fn add_plain<'a>(
    import: &mut Import<'a>,
    nodes: &mut Nodes<'a>,
    base: Option<&Base<'a>>,
    report: &mut Report,
) -> Result<()> {
    let has_bones_below = nodes_above_bones(nodes);
    for number in 0..nodes.list.len() {
        let Some(out) = nodes.get(number) else { continue };
        let Some(node) = out.source.and_then(|source| import.scene.nodes.get(source.0)) else { continue };
        let is_skinned = node.skin.is_some() && !has_dropped_skin(nodes, out.source, node);
        let Some(mesh) = import.mesh(node).filter(|_| !is_skinned) else {
            continue;
        };
        import.spend(corners(mesh))?;
        let is_mirrored = out.source.is_some_and(|source| import.tree.is_mirrored(source));
        let parts: Vec<PrimitiveData> = mesh
            .primitives
            .iter()
            .filter(|primitive| !primitive.is_empty())
            .map(|primitive| part(primitive, |_, _| (DAffine3::IDENTITY, Vec::new()), is_mirrored))
            .collect();
        let known = out.base.map(|(number, _)| number);
        let is_taken = !matches!(out.mesh, MeshSource::None) || has_bones_below.get(number) == Some(&true);
        if let (Some(base), Some(known), false) = (base, known, is_taken)
            && is_same_mesh(import, nodes, base, known, &parts)
        {
            if let Some(out) = nodes.get_mut(number) {
                out.mesh = MeshSource::Kept;
            }
            continue;
        }
        let name = out.name.clone();
        for (index, parts) in split(parts).into_iter().enumerate() {
            let (mesh, _) = build_mesh(import, parts, &name)?;
            if mesh.chunks.is_empty() {
                continue;
            }
            let target = if index == 0 && !is_taken {
                number
            } else {
                let name = format!("{name} mesh {}", index.saturating_add(1));
                nodes.push(name, None, Some(number), Transform::of(&scene::Node::default()))
            };
            warn_many(&mesh, nodes, target, report);
            if let Some(out) = nodes.get_mut(target) {
                out.mesh = MeshSource::New(mesh);
            }
        }
    }
    Ok(())
}

/// Keeps original meshes without triangles, which a scene does not show.
pub(super) fn keep_empty_meshes(nodes: &mut Nodes<'_>, base: &Base<'_>) {
    for node in &mut nodes.list {
        let unseen = node.base.filter(|(number, _)| base.has_mesh(*number) && base.mesh(*number).is_none());
        if unseen.is_some() && matches!(node.mesh, MeshSource::None) {
            node.mesh = MeshSource::Kept;
        }
    }
}

/// Whether a node's skin was dropped: then the node exists in the model only for its mesh.
fn has_dropped_skin(nodes: &Nodes<'_>, source: Option<NodeId>, node: &scene::Node) -> bool {
    node.children.is_empty() && source.is_some_and(|source| nodes.by_source.contains_key(&source))
}

/// Returns whether each node has descendants that are bones of a mesh higher up. With a mesh of its own, it would take over these
/// bones.
fn nodes_above_bones(nodes: &Nodes<'_>) -> Vec<bool> {
    let mut flags = vec![false; nodes.list.len()];
    for (number, node) in nodes.list.iter().enumerate() {
        if node.weights.is_none() {
            continue;
        }
        for above in nodes.above(number).skip(1) {
            if !matches!(nodes.get(above).map(|node| &node.mesh), Some(MeshSource::None)) {
                break;
            }
            if let Some(flags) = flags.get_mut(above) {
                *flags = true;
            }
        }
    }
    flags
}

/// Returns the primitives of a skinned mesh in the space of the group's mesh: that of the mesh node's parent.
fn skinned_parts<'a>(
    import: &mut Import<'a>,
    nodes: &Nodes<'a>,
    group: &Group,
    member: NodeId,
) -> Result<Vec<PrimitiveData>> {
    let scene = import.scene;
    let Some(node) = scene.nodes.get(member.0) else { return Ok(Vec::new()) };
    let Some(mesh) = import.mesh(node) else { return Ok(Vec::new()) };
    let Some(skin) = node.skin.and_then(|skin| scene.skins.get(skin.0)) else { return Ok(Vec::new()) };
    import.spend(corners(mesh))?;
    let parent = nodes.get(group.mesh_node).and_then(|node| node.parent);
    let to_parent = inverse(nodes.matrix(parent));
    let joints: Vec<(usize, DAffine3)> = (skin.joints.iter().enumerate())
        .map(|(index, joint)| {
            let number = nodes.by_source.get(joint).copied().unwrap_or(group.mesh_node);
            (number, product(product(to_parent, nodes.matrix(Some(number))), inverse_bind(skin, index)))
        })
        .collect();
    let first = joints.first().map_or(DAffine3::IDENTITY, |(_, matrix)| *matrix);
    let rigid = joints.iter().all(|(_, matrix)| is_same(*matrix, first)).then(|| {
        // Rounding errors are not applied to the vertices.
        if is_same(first, DAffine3::IDENTITY) { DAffine3::IDENTITY } else { first }
    });
    let is_mirrored = first.matrix3.determinant() < 0.0;
    let of_vertex = |influences: &scene::Influences, vertex: usize| {
        let (joints_of, weights) = (influences.joints.get(vertex), influences.weights.get(vertex));
        let pairs = joints_of.into_iter().flatten().zip(weights.into_iter().flatten());
        let mut list: Vec<(usize, f32)> = Vec::new();
        let mut sum = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
        let mut total = 0.0_f64;
        for (joint, weight) in pairs.filter(|(_, weight)| **weight > 0.0) {
            let Some((number, matrix)) = joints.get(usize::from(*joint)) else { continue };
            list.push((*number, *weight));
            let share = f64::from(*weight);
            total += share;
            sum.matrix3 += matrix.matrix3 * share;
            sum.translation += matrix.translation * share;
        }
        if let Some(rigid) = rigid {
            return (rigid, list);
        }
        if total <= 0.0 {
            return (first, list);
        }
        (
            DAffine3 { matrix3: sum.matrix3 * total.recip(), translation: sum.translation * total.recip() },
            list,
        )
    };
    let parts = mesh.primitives.iter().filter(|primitive| !primitive.is_empty()).map(|primitive| {
        part(
            primitive,
            |primitive, vertex| match &primitive.influences {
                Some(influences) => of_vertex(influences, vertex),
                None => (first, Vec::new()),
            },
            is_mirrored,
        )
    });
    Ok(parts.collect())
}

fn part(
    primitive: &Primitive,
    of_vertex: impl Fn(&Primitive, usize) -> (DAffine3, Vec<(usize, f32)>),
    is_mirrored: bool,
) -> PrimitiveData {
    let primitive = &with_normals(primitive);
    let corners = primitive.positions.iter().enumerate().map(|(vertex, position)| {
        let (matrix, weights) = of_vertex(primitive, vertex);
        let is_plain = matrix == DAffine3::IDENTITY;
        let normal = primitive.normals.as_ref().and_then(|normals| normals.get(vertex)).map(|normal| {
            let normal = Vec3::from(*normal);
            if is_plain { normal } else { transform_normal(matrix.matrix3, normal) }
        });
        let position = Vec3::from(*position);
        Corner {
            position: if is_plain {
                position
            } else {
                matrix.transform_point3(position.as_dvec3()).as_vec3()
            },
            normal,
            sets: primitive.uvs.iter().map(|set| set.get(vertex).copied().unwrap_or_default()).collect(),
            color: primitive.colors.as_ref().and_then(|colors| colors.get(vertex)).copied(),
            weights,
        }
    });
    let (triangles, _) = primitive.indices.as_chunks::<3>();
    let material = primitive.material;
    PrimitiveData { material, corners: corners.collect(), triangles: triangles.to_vec(), is_mirrored }
}

/// Transforms a normal. A mirroring matrix flips normals with their triangles.
fn transform_normal(matrix: DMat3, normal: Vec3) -> Vec3 {
    let (x, y, z) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
    let sign = if matrix.determinant() < 0.0 { -1.0 } else { 1.0 };
    let cofactor = DMat3::from_cols(y.cross(z) * sign, z.cross(x) * sign, x.cross(y) * sign);
    (cofactor * normal.as_dvec3()).normalize_or_zero().as_vec3()
}

/// Whether the primitives equal the original ones of a node, except for rounding: the same triangles in the same order.
fn is_same_mesh(
    import: &Import<'_>,
    nodes: &Nodes<'_>,
    base: &Base<'_>,
    number: usize,
    parts: &[PrimitiveData],
) -> bool {
    let Some((mesh, skin)) = base.mesh(number) else { return false };
    let Some(mesh) = base.scene.meshes.get(mesh.0) else { return false };
    let mut expected: BTreeMap<Option<MaterialId>, Vec<(&Primitive, [u32; 3])>> = BTreeMap::new();
    for primitive in &mesh.primitives {
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        let list = expected.entry(primitive.material).or_default();
        list.extend(triangles.iter().map(|triangle| (primitive, *triangle)));
    }
    let coordinates = mesh.primitives.iter().flat_map(|primitive| primitive.positions.as_flattened());
    let size = coordinates.fold(0.0_f32, |size, number| size.max(number.abs()));
    let mut found: BTreeMap<Option<MaterialId>, Vec<(&PrimitiveData, [u32; 3])>> = BTreeMap::new();
    let mut known: BTreeMap<Option<MaterialId>, Option<MaterialId>> = BTreeMap::new();
    for part in parts {
        let given = part.material.and_then(|id| import.scene.materials.get(id.0));
        let is_material = |id: &Option<MaterialId>| {
            let before = id.and_then(|id| base.scene.materials.get(id.0));
            match (given, before) {
                (Some(given), Some(before)) => is_same_material((import.scene, given), (&base.scene, before)),
                (None, None) => true,
                _ => false,
            }
        };
        let material = match known.get(&part.material) {
            Some(material) => *material,
            None => {
                let Some(material) = expected.keys().find(|id| is_material(id)) else { return false };
                known.insert(part.material, *material);
                *material
            }
        };
        let list = found.entry(material).or_default();
        list.extend(part.triangles.iter().map(|triangle| (part, *triangle)));
    }
    let number_of = |joint: &u16| base.number(*skin?.joints.get(usize::from(*joint))?);
    expected.iter().all(|(material, expected)| {
        let found = found.get(material).map(Vec::as_slice).unwrap_or_default();
        found.len() == expected.len()
            && found.iter().zip(expected).all(|((part, triangle), (primitive, before))| {
                triangle.iter().zip(before).all(|(corner, before)| {
                    let at = |corner: &u32| usize::try_from(*corner).unwrap_or(usize::MAX);
                    part.corners.get(at(corner)).is_some_and(|corner| {
                        is_same_corner(nodes, corner, (primitive, at(before)), size, &number_of)
                    })
                })
            })
    })
}

fn is_same_corner(
    nodes: &Nodes<'_>,
    corner: &Corner,
    (primitive, before): (&Primitive, usize),
    size: f32,
    number_of: &dyn Fn(&u16) -> Option<usize>,
) -> bool {
    let Some(position) = primitive.positions.get(before) else { return false };
    if (corner.position - Vec3::from(*position)).abs().max_element() > POSITION_TOLERANCE * size {
        return false;
    }
    let normal = primitive.normals.as_ref().and_then(|normals| normals.get(before)).copied().map(Vec3::from);
    if let (Some(found), Some(normal)) = (corner.normal, normal) {
        // A normal without a direction is written as up.
        let normal = normal.try_normalize().unwrap_or(Vec3::Y);
        if found.normalize_or_zero().dot(normal) < 1.0 - TOLERANCE * TOLERANCE {
            return false;
        }
    }
    let sets = primitive.uvs.iter().filter_map(|set| set.get(before));
    let is_same_set = |(found, set): (&[f32; 2], &[f32; 2])| {
        found.iter().zip(set).all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs().max(1.0))
    };
    if !corner.sets.iter().zip(sets).all(is_same_set) {
        return false;
    }
    let color = primitive.colors.as_ref().and_then(|colors| colors.get(before));
    if let (Some(found), Some(color)) = (corner.color, color)
        && !found.iter().zip(color).all(|(a, b)| (a - b).abs() <= TOLERANCE)
    {
        return false;
    }
    let Some(influences) = &primitive.influences else { return true };
    let (joints, weights) = (influences.joints.get(before), influences.weights.get(before));
    let mut differences: BTreeMap<Option<usize>, f32> = BTreeMap::new();
    for (joint, weight) in joints.into_iter().flatten().zip(weights.into_iter().flatten()) {
        *differences.entry(number_of(joint)).or_default() += weight;
    }
    for (joint, weight) in &corner.weights {
        let number = nodes.get(*joint).and_then(|node| node.base).map(|(number, _)| number);
        *differences.entry(number).or_default() -= weight;
    }
    differences.values().all(|difference| difference.abs() <= TOLERANCE)
}

/// Distributes primitives among meshes so that no brush has too many vertices in one mesh.
fn split(parts: Vec<PrimitiveData>) -> Vec<Vec<PrimitiveData>> {
    let mut counts: BTreeMap<Option<MaterialId>, usize> = BTreeMap::new();
    for part in &parts {
        let count = counts.entry(part.material).or_default();
        *count = count.saturating_add(part.corners.len());
    }
    let mut out: Vec<Vec<PrimitiveData>> = Vec::new();
    let mut put = |mesh: usize, part: PrimitiveData| {
        if out.len() <= mesh {
            out.resize_with(mesh.saturating_add(1), Vec::new);
        }
        if let Some(parts) = out.get_mut(mesh) {
            parts.push(part);
        }
    };
    // Index of the mesh being filled, and its number of vertices of the material, by material.
    let mut filled: BTreeMap<Option<MaterialId>, (usize, usize)> = BTreeMap::new();
    for part in parts {
        if counts.get(&part.material).is_none_or(|count| *count <= MAX_VERTICES) {
            put(0, part);
            continue;
        }
        let (mut mesh, mut vertex_count) = filled.get(&part.material).copied().unwrap_or_default();
        let empty = || PrimitiveData { corners: Vec::new(), triangles: Vec::new(), ..empty_like(&part) };
        let (mut chunk, mut numbers) = (empty(), BTreeMap::new());
        for triangle in &part.triangles {
            let new = triangle.iter().filter(|corner| !numbers.contains_key(*corner)).count();
            if vertex_count.saturating_add(new) > MAX_VERTICES {
                put(mesh, std::mem::replace(&mut chunk, empty()));
                numbers.clear();
                (mesh, vertex_count) = (mesh.saturating_add(1), 0);
            }
            chunk.triangles.push(triangle.map(|corner| {
                *numbers.entry(corner).or_insert_with(|| {
                    let at = usize::try_from(corner).unwrap_or(usize::MAX);
                    chunk.corners.push(part.corners.get(at).cloned().unwrap_or_default());
                    vertex_count = vertex_count.saturating_add(1);
                    u32::try_from(chunk.corners.len().saturating_sub(1)).unwrap_or(u32::MAX)
                })
            }));
        }
        filled.insert(part.material, (mesh, vertex_count));
        put(mesh, chunk);
    }
    out
}

/// Returns an empty primitive with the same material.
fn empty_like(part: &PrimitiveData) -> PrimitiveData {
    let (material, is_mirrored) = (part.material, part.is_mirrored);
    PrimitiveData { material, corners: Vec::new(), triangles: Vec::new(), is_mirrored }
}

/// Builds a mesh, and the weights of its vertices.
fn build_mesh(
    import: &mut Import<'_>,
    parts: Vec<PrimitiveData>,
    name: &str,
) -> Result<(Mesh, Vec<NodeWeights>)> {
    let bound: Vec<(PrimitiveData, BoundBrush)> = parts
        .into_iter()
        .map(|part| {
            let has_colors = part.corners.iter().any(|corner| corner.color.is_some());
            let brush = import.brushes.get(part.material, has_colors);
            (part, brush)
        })
        .collect();
    let has_colors = bound.iter().any(|(_, brush)| brush.tint.is_some());
    let has_lightmap = bound.iter().any(|(_, brush)| brush.lightmap.is_some());
    let has_sets = bound.iter().any(|(part, _)| part.corners.iter().any(|corner| !corner.sets.is_empty()));
    let sets = if has_lightmap { 2 } else { i32::from(has_sets) };
    let written = usize::try_from(sets).unwrap_or_default();
    let further = bound.iter().filter_map(|(part, _)| part.corners.first()).map(|corner| corner.sets.len());
    let further = further.fold(0_usize, |sum, sets| sum.saturating_add(sets.saturating_sub(written)));
    import.count_unsupported("additional texture coordinate sets", further);
    let flags = VertexForm::NORMALS | if has_colors { VertexForm::COLORS } else { 0 };
    let mut vertices = Vec::new();
    let mut weights = Vec::new();
    let mut triangles: Vec<(i32, Vec<[u32; 3]>)> = Vec::new();
    let mut by_brush: BTreeMap<i32, usize> = BTreeMap::new();
    let node = scene::Node::named(name);
    for (part, brush) in bound {
        // Only vertices that triangles use, in their order.
        let mut numbers: Vec<Option<u32>> = vec![None; part.corners.len()];
        for corner in part.triangles.as_flattened() {
            let at = usize::try_from(*corner).ok().and_then(|corner| numbers.get_mut(corner));
            if let Some(at) = at {
                *at = Some(0);
            }
        }
        let used = part.corners.into_iter().zip(&mut numbers).filter(|(_, number)| number.is_some());
        for (corner, number) in used {
            *number = u32::try_from(vertices.len()).ok();
            let second = brush.lightmap.unwrap_or(Layer { set: 1, transform: None });
            let layers = [brush.base, second];
            let coordinates = layers.iter().take(written);
            let color = brush.tint.map(|tint| color(corner.color.unwrap_or([1.0; 4]), tint));
            vertices.push(Vertex {
                position: import.game_position(corner.position, &node)?,
                normal: Some(axes::direction(corner.normal.unwrap_or(Vec3::Y).to_array()).to_array())
                    .map(|normal| if part.is_mirrored { normal.map(|number| -number) } else { normal }),
                color: has_colors.then(|| color.unwrap_or([1.0; 4])),
                coordinates: coordinates.flat_map(|layer| layer.at(&corner.sets)).collect(),
            });
            weights.push(corner.weights);
        }
        let corner = |corner: u32| {
            let at = usize::try_from(corner).ok().and_then(|corner| numbers.get(corner));
            at.copied().flatten().unwrap_or_default()
        };
        let list = part.triangles.iter().map(|triangle| {
            let triangle = triangle.map(corner);
            // Mirroring swaps front and back; the engine does not swap them back.
            if part.is_mirrored { triangle } else { axes::winding(triangle) }
        });
        let next = triangles.len();
        let index = *by_brush.entry(brush.number).or_insert(next);
        match triangles.get_mut(index) {
            Some((_, known)) => known.extend(list),
            None => triangles.push((brush.number, list.collect())),
        }
    }
    if u32::try_from(vertices.len()).is_err() {
        return Err(Error::limit(format!("node \"{name:.80}\": too many vertices")));
    }
    vertices.shrink_to_fit();
    let mut mesh = Mesh { brush: -1, chunks: Vec::new(), rest: record::Bytes::default() };
    if !vertices.is_empty() {
        let form =
            Vertices { flags, coordinate_sets: sets, coordinate_size: 2, vertices, ..Vertices::default() };
        mesh.chunks.reserve_exact(triangles.len().saturating_add(1));
        mesh.chunks.push(Chunk::Vertices(Box::new(form)));
        mesh.chunks.extend(triangles.into_iter().map(|(brush, triangles)| {
            Chunk::Triangles(Triangles { brush, triangles, ..Triangles::default() })
        }));
    }
    Ok((mesh, weights))
}

/// Returns a color in display space.
fn color([red, green, blue, alpha]: [f32; 4], [r, g, b, a]: [f32; 4]) -> [f32; 4] {
    let [red, green, blue] = [red * r, green * g, blue * b].map(display);
    [red, green, blue, (alpha * a).clamp(0.0, 1.0)]
}

impl Layer {
    /// Returns the texture coordinates of a vertex; missing ones are 0.
    fn at(self, sets: &[[f32; 2]]) -> [f32; 2] {
        transformed(sets.get(self.set).copied().unwrap_or_default(), self.transform)
    }
}

fn warn_many(mesh: &Mesh, nodes: &Nodes<'_>, number: usize, report: &mut Report) {
    let name = nodes.get(number).map_or("", |node| &node.name);
    for chunk in &mesh.chunks {
        let Chunk::Triangles(Triangles { brush, triangles, .. }) = chunk else { continue };
        let used: std::collections::BTreeSet<u32> = triangles.as_flattened().iter().copied().collect();
        if used.len() > MAX_VERTICES {
            let message = format!(
                "brush {brush} of \"{name:.80}\" uses {} vertices, but the engine can index only {MAX_VERTICES}",
                used.len()
            );
            report.warn(&warning::MANY_VERTICES, message);
        }
    }
}

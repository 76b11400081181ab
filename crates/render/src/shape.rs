//! All triangles of a scene in world space.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Affine3A, Vec2, Vec3};

use crate::pose::Pose;
use scene::static_model::{MeshTransform, cofactor};
use scene::{
    Material, MaterialId, Mesh, Node, NodeId, Primitive, Scene, Sidedness, TextureRef, Topology, UvTransform,
};

/// Maximum number of corners; further ones are not drawn.
const MAX_CORNERS: usize = 1_500_000;
/// Maximum number of triangles; further ones are not drawn.
const MAX_TRIANGLES: usize = 2_000_000;
/// Maximum coordinate in meters; triangles farther away are not drawn.
const MAX_COORDINATE: f32 = 1e7;

/// A vertex of triangles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    /// Position in the scene; later in camera space.
    pub(crate) position: Vec3,
    /// Normal, or zero if there is none.
    pub(crate) normal: Vec3,
    /// Coordinates on the base color texture.
    pub(crate) uv: Vec2,
    /// Coordinates on the lightmap.
    pub(crate) light_uv: Vec2,
    /// Linear color with alpha. An array instead of a vector, whose alignment would need a quarter more memory.
    pub(crate) color: [f32; 4],
}

/// A triangle whose front is counter-clockwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub(crate) corners: [u32; 3],
    pub(crate) material: Option<MaterialId>,
    pub(crate) is_double: bool,
}

/// Triangles and their corners.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) corners: Vec<Corner>,
    pub(crate) triangles: Vec<Triangle>,
}

impl Shape {
    /// Returns the triangles that a scene shows in a pose.
    pub(crate) fn of(scene: &Scene, pose: &Pose) -> Self {
        let transforms = scene.world_transforms_with(|id, node| pose.local(id, node));
        let by_node: BTreeMap<NodeId, Affine3A> = transforms.iter().copied().collect();
        let mut out = Self::default();
        // Large scenes have megabytes of these: growing by doubling would need twice as much memory.
        let (corners, triangles) = counts_of(scene, &transforms);
        out.corners.reserve_exact(corners.min(MAX_CORNERS));
        out.triangles.reserve_exact(triangles.min(MAX_TRIANGLES));
        for (id, matrix) in transforms {
            let Some(node) = scene.nodes.get(id.0) else { continue };
            let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh.0)) else { continue };
            if is_hidden(node) {
                continue;
            }
            let bones = scene.joint_matrices(node, &by_node);
            let transform = MeshTransform { matrix, bones: bones.as_deref() };
            let weights = pose.weights(id).unwrap_or(&mesh.weights);
            let mut show = |transform: &MeshTransform<'_>| {
                for primitive in &mesh.primitives {
                    out.add(scene, pose, mesh, primitive, transform, weights);
                }
            };
            match scene.instances.get(&id) {
                Some(instances) => {
                    for instance in instances {
                        show(&MeshTransform { matrix: matrix * instance.to_node(), ..transform });
                    }
                }
                None => show(&transform),
            }
        }
        out
    }

    /// Returns the materials in use.
    pub(crate) fn materials<'a>(&self, scene: &'a Scene) -> Vec<(MaterialId, &'a Material)> {
        let ids: BTreeSet<_> = self.triangles.iter().filter_map(|triangle| triangle.material).collect();
        ids.into_iter().filter_map(|id| Some((id, scene.materials.get(id.0)?))).collect()
    }

    /// Returns the corners of a triangle.
    pub(crate) fn corners_of(&self, triangle: &Triangle) -> Option<[&Corner; 3]> {
        let [a, b, c] = triangle.corners.map(|corner| self.corners.get(corner as usize));
        Some([a?, b?, c?])
    }

    /// Returns the positions of a triangle's corners.
    pub(crate) fn positions_of(&self, triangle: &Triangle) -> Option<[Vec3; 3]> {
        self.corners_of(triangle).map(|corners| corners.map(|corner| corner.position))
    }

    fn add(
        &mut self,
        scene: &Scene,
        pose: &Pose,
        mesh: &Mesh,
        part: &Primitive,
        transform: &MeshTransform<'_>,
        weights: &[f32],
    ) {
        let capacity = MAX_CORNERS - self.corners.len();
        let first = self.corners.len() as u32;
        if part.topology != Topology::Triangles {
            return;
        }
        if mesh.primitives.is_empty() || part.is_empty() || part.positions.len() > capacity {
            return;
        }
        let material = part.material.and_then(|id| Some((id, scene.materials.get(id.0)?)));
        let base = material.and_then(|(id, material)| {
            let slot = material.base_color_texture?;
            Some(TextureRef { transform: pose.uv_transform(id, slot.transform), ..slot })
        });
        let light = material.and_then(|(_, material)| Some(material.lightmap?.texture));
        let (base, light) = (Coordinates::of(part, base), Coordinates::of(part, light));
        let is_mirrored = transform.is_mirrored();
        for (vertex, position) in part.positions.iter().enumerate() {
            let matrix = transform.vertex_matrix(vertex, part.influences.as_ref());
            let mut position = Vec3::from(*position);
            let normals = part.normals.as_ref().and_then(|normals| normals.get(vertex));
            let mut normal = normals.copied().map(Vec3::from).unwrap_or_default();
            for (target, weight) in part.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                let more = |list: Option<&Vec<[f32; 3]>>| {
                    let item = list.and_then(|list| list.get(vertex)).copied().unwrap_or_default();
                    Vec3::from(item) * *weight
                };
                position += more(Some(&target.positions));
                normal += more(target.normals.as_ref());
            }
            let color = part.colors.as_ref().and_then(|colors| colors.get(vertex));
            self.corners.push(Corner {
                position: matrix.transform_point3(position),
                normal: (cofactor(matrix.matrix3) * normal).normalize_or_zero(),
                uv: base.at(vertex),
                light_uv: light.at(vertex),
                color: color.copied().unwrap_or([1.0; 4]).map(|channel| channel.clamp(0.0, 1.0)),
            });
        }
        let is_double = material.is_some_and(|(_, material)| material.sidedness == Sidedness::Double);
        let material = material.map(|(id, _)| id);
        let (triangles, _) = part.indices.as_chunks::<3>();
        let capacity = MAX_TRIANGLES - self.triangles.len();
        for [a, b, c] in triangles.iter().take(capacity) {
            let winding = if is_mirrored { [a, c, b] } else { [a, b, c] };
            let corners = winding.map(|corner| first.saturating_add(*corner));
            let triangle = Triangle { corners, material, is_double };
            if self.positions_of(&triangle).is_some_and(|positions| positions.into_iter().all(is_in_range)) {
                self.triangles.push(triangle);
            }
        }
    }
}

/// Returns the numbers of corners and triangles of these nodes, including hidden ones.
fn counts_of(scene: &Scene, transforms: &[(NodeId, Affine3A)]) -> (usize, usize) {
    let of_node = |id: &NodeId| {
        let mesh = scene.nodes.get(id.0)?.mesh.and_then(|mesh| scene.meshes.get(mesh.0))?;
        let corners: usize = mesh.primitives.iter().map(|primitive| primitive.positions.len()).sum();
        let indices: usize = mesh.primitives.iter().map(|primitive| primitive.indices.len()).sum();
        let shown = scene.instances.get(id).map_or(1, Vec::len);
        Some((corners.saturating_mul(shown), (indices / 3).saturating_mul(shown)))
    };
    let counts = transforms.iter().filter_map(|(id, _)| of_node(id));
    counts.fold((0, 0), |(corners, triangles), (more, others)| {
        (corners.saturating_add(more), usize::saturating_add(triangles, others))
    })
}

/// Collision meshes are invisible.
fn is_hidden(node: &Node) -> bool {
    node.name.ends_with("-colonly")
}

fn is_in_range(position: Vec3) -> bool {
    position.is_finite() && position.abs().max_element() < MAX_COORDINATE
}

/// Returns the cosine and the sine of an angle. Computed in double precision, so that every machine rounds to the same
/// value.
fn direction(angle: f32) -> Vec2 {
    let (sine, cosine) = f64::from(angle).sin_cos();
    Vec2::new(cosine as f32, sine as f32)
}

/// A set of texture coordinates and its transform.
struct Coordinates<'a> {
    list: &'a [[f32; 2]],
    transform: Option<(UvTransform, Vec2)>,
}

impl<'a> Coordinates<'a> {
    fn of(part: &'a Primitive, slot: Option<TextureRef>) -> Self {
        let list = slot.and_then(|slot| part.uvs.get(slot.uv_set)).map_or(&[][..], Vec::as_slice);
        let transform = slot.and_then(|slot| slot.transform);
        Self { list, transform: transform.map(|it| (it, direction(it.rotation))) }
    }

    fn at(&self, vertex: usize) -> Vec2 {
        let uv = self.list.get(vertex).copied().map(Vec2::from).unwrap_or_default();
        let Some((transform, turn)) = self.transform else { return uv };
        let scaled = uv * Vec2::from(transform.scale);
        // Counter-clockwise on coordinates whose second axis points down.
        let rotated = Vec2::new(turn.x * scaled.x + turn.y * scaled.y, turn.x * scaled.y - turn.y * scaled.x);
        Vec2::from(transform.offset) + rotated
    }
}

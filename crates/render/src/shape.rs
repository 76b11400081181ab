//! All triangles of a scene where they stand.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Affine3A, Vec2, Vec3};

use crate::pose::Pose;
use scene::still::{Motion, cofactor};
use scene::{
    Material, MaterialId, Mesh, Node, NodeId, Primitive, Scene, Sidedness, TextureRef, Topology, UvTransform,
};

/// More corners are not drawn.
const MOST_CORNERS: usize = 1_500_000;
/// More triangles are not drawn.
const MOST_TRIANGLES: usize = 2_000_000;
/// What lies further out than so many meters is not drawn.
const FAR: f32 = 1e7;

/// A corner of triangles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    /// In the scene; later as the camera sees it.
    pub(crate) position: Vec3,
    /// Zero where there is none.
    pub(crate) normal: Vec3,
    /// On the base color texture.
    pub(crate) uv: Vec2,
    /// On the lightmap.
    pub(crate) light_uv: Vec2,
    /// Linear, with alpha. No vector: those are aligned, which takes a quarter more.
    pub(crate) color: [f32; 4],
}

/// A triangle; its front is counter-clockwise.
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
    /// What a scene shows in a pose.
    pub(crate) fn of(scene: &Scene, pose: &Pose) -> Self {
        let places = scene.places_by(|id, node| pose.local(id, node));
        let by_node: BTreeMap<NodeId, Affine3A> = places.iter().copied().collect();
        let mut out = Self::default();
        // Large scenes have megabytes of these: doubling would take twice as much.
        let (corners, triangles) = counts_of(scene, &places);
        out.corners.reserve_exact(corners.min(MOST_CORNERS));
        out.triangles.reserve_exact(triangles.min(MOST_TRIANGLES));
        for (id, matrix) in places {
            let Some(node) = scene.nodes.get(id.0) else { continue };
            let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh.0)) else { continue };
            if is_hidden(node) {
                continue;
            }
            let bones = scene.bones(node, &by_node);
            let motion = Motion { matrix, bones: bones.as_deref() };
            let weights = pose.weights(id).unwrap_or(&mesh.weights);
            let mut show = |motion: &Motion<'_>| {
                for primitive in &mesh.primitives {
                    out.add(scene, pose, mesh, primitive, motion, weights);
                }
            };
            match scene.instances.get(&id) {
                Some(instances) => {
                    for instance in instances {
                        show(&Motion { matrix: matrix * instance.to_node(), ..motion });
                    }
                }
                None => show(&motion),
            }
        }
        out
    }

    /// The materials in use.
    pub(crate) fn materials<'a>(&self, scene: &'a Scene) -> Vec<(MaterialId, &'a Material)> {
        let ids: BTreeSet<_> = self.triangles.iter().filter_map(|triangle| triangle.material).collect();
        ids.into_iter().filter_map(|id| Some((id, scene.materials.get(id.0)?))).collect()
    }

    /// The corners of a triangle.
    pub(crate) fn corners_of(&self, triangle: &Triangle) -> Option<[&Corner; 3]> {
        let [a, b, c] = triangle.corners.map(|corner| self.corners.get(corner as usize));
        Some([a?, b?, c?])
    }

    /// The places of a triangle's corners.
    pub(crate) fn places_of(&self, triangle: &Triangle) -> Option<[Vec3; 3]> {
        self.corners_of(triangle).map(|corners| corners.map(|corner| corner.position))
    }

    fn add(
        &mut self,
        scene: &Scene,
        pose: &Pose,
        mesh: &Mesh,
        part: &Primitive,
        motion: &Motion<'_>,
        weights: &[f32],
    ) {
        let room = MOST_CORNERS - self.corners.len();
        let first = self.corners.len() as u32;
        if part.topology != Topology::Triangles {
            return;
        }
        if mesh.primitives.is_empty() || part.is_empty() || part.positions.len() > room {
            return;
        }
        let material = part.material.and_then(|id| Some((id, scene.materials.get(id.0)?)));
        let base = material.and_then(|(id, material)| {
            let slot = material.base_color_texture?;
            Some(TextureRef { transform: pose.uv_transform(id, slot.transform), ..slot })
        });
        let light = material.and_then(|(_, material)| Some(material.lightmap?.texture));
        let (base, light) = (Coordinates::of(part, base), Coordinates::of(part, light));
        let mirrors = motion.mirrors();
        for (vertex, position) in part.positions.iter().enumerate() {
            let matrix = motion.of_vertex(vertex, part.influences.as_ref());
            let mut place = Vec3::from(*position);
            let normals = part.normals.as_ref().and_then(|normals| normals.get(vertex));
            let mut normal = normals.copied().map(Vec3::from).unwrap_or_default();
            for (target, weight) in part.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                let more = |list: Option<&Vec<[f32; 3]>>| {
                    let item = list.and_then(|list| list.get(vertex)).copied().unwrap_or_default();
                    Vec3::from(item) * *weight
                };
                place += more(Some(&target.positions));
                normal += more(target.normals.as_ref());
            }
            let color = part.colors.as_ref().and_then(|colors| colors.get(vertex));
            self.corners.push(Corner {
                position: matrix.transform_point3(place),
                normal: (cofactor(matrix.matrix3) * normal).normalize_or_zero(),
                uv: base.at(vertex),
                light_uv: light.at(vertex),
                color: color.copied().unwrap_or([1.0; 4]).map(|channel| channel.clamp(0.0, 1.0)),
            });
        }
        let is_double = material.is_some_and(|(_, material)| material.sidedness == Sidedness::Double);
        let material = material.map(|(id, _)| id);
        let (triangles, _) = part.indices.as_chunks::<3>();
        let room = MOST_TRIANGLES - self.triangles.len();
        for [a, b, c] in triangles.iter().take(room) {
            let turned = if mirrors { [a, c, b] } else { [a, b, c] };
            let corners = turned.map(|corner| first.saturating_add(*corner));
            let triangle = Triangle { corners, material, is_double };
            if self.places_of(&triangle).is_some_and(|places| places.into_iter().all(is_near)) {
                self.triangles.push(triangle);
            }
        }
    }
}

/// How many corners and triangles there are at these places, hidden ones included.
fn counts_of(scene: &Scene, places: &[(NodeId, Affine3A)]) -> (usize, usize) {
    let of_node = |id: &NodeId| {
        let mesh = scene.nodes.get(id.0)?.mesh.and_then(|mesh| scene.meshes.get(mesh.0))?;
        let corners: usize = mesh.primitives.iter().map(|primitive| primitive.positions.len()).sum();
        let indices: usize = mesh.primitives.iter().map(|primitive| primitive.indices.len()).sum();
        let shown = scene.instances.get(id).map_or(1, Vec::len);
        Some((corners.saturating_mul(shown), (indices / 3).saturating_mul(shown)))
    };
    let counts = places.iter().filter_map(|(id, _)| of_node(id));
    counts.fold((0, 0), |(corners, triangles), (more, others)| {
        (corners.saturating_add(more), usize::saturating_add(triangles, others))
    })
}

/// Collision shapes are walked into, not looked at.
fn is_hidden(node: &Node) -> bool {
    node.name.ends_with("-colonly")
}

fn is_near(place: Vec3) -> bool {
    place.is_finite() && place.abs().max_element() < FAR
}

/// The cosine and the sine of an angle. Reckoned in double precision, so that every machine rounds to the same.
fn direction(angle: f32) -> Vec2 {
    let (sine, cosine) = f64::from(angle).sin_cos();
    Vec2::new(cosine as f32, sine as f32)
}

/// A set of texture coordinates and how they are moved.
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
        let turned = Vec2::new(turn.x * scaled.x + turn.y * scaled.y, turn.x * scaled.y - turn.y * scaled.x);
        Vec2::from(transform.offset) + turned
    }
}

//! Collects the triangles of all mesh instances, with their corners in all frames.

use asset::{Report, counted};
use glam::{DAffine3, DMat3, DVec2, DVec3};
use record::{Error, Result};
use scene::{Primitive, UvTransform};

use super::super::layout::Triple;
use super::super::normal::{cosine, direction_of, of_face, rounded};
use super::super::{FaceTexture, warning};
use super::frames::Frames;
use super::material::{DEFAULT_SIZE, FaceMaterial, texels};
use super::{Importer, MeshInstance};

/// A triangle in counter-clockwise order seen from outside.
#[derive(Debug, Clone)]
pub(super) struct Triangle {
    pub(super) corners: [Corner; 3],
    pub(super) texture: FaceTexture,
    /// Canonical texture word.
    pub(super) word: u32,
    /// Period of the image in 16ths of a texel.
    pub(super) repeat: [i32; 2],
}

/// A corner of a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    /// Index into `TriangleMesh::positions`.
    pub(super) position: usize,
    /// Texture coordinates in 16ths of a texel from the top left of the image.
    pub(super) uv: [i32; 2],
    /// The normal in the scene, converted to the game's axes; `None` without normals.
    pub(super) normal: Option<[f32; 3]>,
}

/// Triangles and vertex positions of all mesh instances.
#[derive(Debug, Default)]
pub(super) struct TriangleMesh {
    pub(super) triangles: Vec<Triangle>,
    /// For each vertex of the scene, its position in each frame, in 256ths of a world unit.
    pub(super) positions: Vec<Box<[Triple]>>,
    /// Whether palette color 0 is transparent on some face.
    pub(super) is_keyed: bool,
    out_of_range: usize,
}

/// Maximum number of vertex positions over all frames of a model, and maximum number of faces of a model.
const MAX_POSITIONS: usize = 4 << 20;
const MAX_FACES: usize = 1 << 20;

/// Minimum cosine of the angle between the normal of a flat triangle and the normals of its corners.
const MIN_FLAT_COSINE: f32 = 0.9999;

/// File units (16ths) per texel.
const SIXTEENTHS: f64 = 16.0;
/// File units (256ths) per world unit.
const UNIT: f64 = 256.0;

impl TriangleMesh {
    pub(super) fn of(
        import: &mut Importer<'_>,
        instances: &[MeshInstance],
        frames: &Frames<'_>,
        report: &mut Report,
    ) -> Result<Self> {
        check_size(import, instances, frames)?;
        let scene = import.scene;
        let mut mesh = Self::default();
        for instance in instances {
            let primitives = scene.meshes.get(instance.mesh.0).map(|mesh| mesh.primitives.as_slice());
            for primitive in primitives.unwrap_or_default().iter().filter(|primitive| !primitive.is_empty()) {
                let material = import.face_material(primitive.material, report);
                import.count_lost("vertex colors", primitive.colors.iter().count());
                mesh.is_keyed |= material.is_keyed;
                mesh.add(import, instance, primitive, material, frames)?;
            }
        }
        mesh.report_problems(report);
        Ok(mesh)
    }

    fn add(
        &mut self,
        import: &mut Importer<'_>,
        instance: &MeshInstance,
        primitive: &Primitive,
        material: FaceMaterial,
        frames: &Frames<'_>,
    ) -> Result<()> {
        let start = self.positions.len();
        let weights: Vec<Vec<(usize, f64)>> =
            (0..frames.count).map(|frame| frames.weights(import.scene, instance, frame)).collect();
        let weight_count = weights.iter().map(Vec::len).fold(0, usize::saturating_add);
        import.spend(weight_count.saturating_mul(primitive.positions.len()))?;
        for vertex in 0..primitive.positions.len() {
            let mut position = |weights: &Vec<(usize, f64)>| {
                let position = import.axes.game_position(morphed(primitive, vertex, weights, &instance.map));
                let raw = position.map(|number| (number * UNIT / import.scale).round());
                self.out_of_range = self
                    .out_of_range
                    .saturating_add(usize::from(raw.iter().any(|number| number.abs() > 2e9)));
                raw.map(rounded)
            };
            let positions = weights.iter().map(&mut position).collect();
            self.positions.push(positions);
        }
        let is_mirrored = instance.map.matrix3.determinant() < 0.0;
        let size = material
            .texels
            .or_else(|| primitive.extras.get("texels").and_then(texels).filter(|_| material.matches_extras))
            .unwrap_or(DEFAULT_SIZE);
        let rotation = instance.map.matrix3.inverse().transpose();
        let keeps_directions = keeps_directions(instance.map.matrix3);
        let corner = |index: u32| {
            let at = usize::try_from(index).unwrap_or(usize::MAX);
            let normal = primitive.normals.as_ref().and_then(|normals| normals.get(at)).copied();
            let normal = normal.map(|normal| {
                let rotated = if keeps_directions {
                    normal
                } else {
                    (rotation * DVec3::from(normal.map(f64::from))).normalize_or_zero().as_vec3().to_array()
                };
                import.axes.direction(rotated)
            });
            let uv =
                primitive.uvs.get(material.uv_set).and_then(|uvs| uvs.get(at)).copied().unwrap_or_default();
            let uv =
                material.uv_transform.map_or(uv.map(f64::from), |uv_transform| transformed(uv_transform, uv));
            let [u, v] = uv;
            let [width, height] = size;
            Corner {
                position: start.saturating_add(at),
                uv: [u * width, v * height].map(|texels| rounded(texels * SIXTEENTHS)),
                normal,
            }
        };
        let repeat = size.map(|side| rounded(side * SIXTEENTHS));
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        self.triangles.extend(triangles.iter().map(|[a, b, c]| {
            let corners = if is_mirrored { [*a, *c, *b] } else { [*a, *b, *c] };
            Triangle { corners: corners.map(corner), texture: material.texture, word: material.word, repeat }
        }));
        Ok(())
    }

    /// Positions of a corner in all frames.
    pub(super) fn positions_of(&self, corner: &Corner) -> &[Triple] {
        self.positions.get(corner.position).map(|positions| &**positions).unwrap_or_default()
    }

    /// Normal of a triangle in the first frame; zero if the triangle has no area.
    pub(super) fn normal(&self, triangle: &Triangle) -> Triple {
        let first = |corner: &Corner| self.positions_of(corner).first().copied().unwrap_or_default();
        of_face(&triangle.corners.each_ref().map(first))
    }

    /// Whether each corner of a triangle has the normal of the triangle or no normal.
    pub(super) fn is_flat(&self, triangle: &Triangle) -> bool {
        let own = direction_of(self.normal(triangle));
        let is_own = |normal: [f32; 3]| cosine(own, normal).is_none_or(|cosine| cosine > MIN_FLAT_COSINE);
        triangle.corners.iter().filter_map(|corner| corner.normal).all(is_own)
    }

    fn report_problems(&self, report: &mut Report) {
        if self.out_of_range > 0 {
            let message = format!(
                "{} out of the 32-bit range",
                counted(self.out_of_range, "position is", "positions are")
            );
            report.warn(&warning::TOO_FAR, message);
        }
    }
}

fn check_size(import: &mut Importer<'_>, instances: &[MeshInstance], frames: &Frames<'_>) -> Result<()> {
    let primitives = instances.iter().filter_map(|instance| import.scene.meshes.get(instance.mesh.0));
    let (mut vertices, mut indices) = (0_usize, 0_usize);
    for primitive in primitives.flat_map(|mesh| &mesh.primitives) {
        vertices = vertices.saturating_add(primitive.positions.len());
        indices = indices.saturating_add(primitive.indices.len());
    }
    let faces = indices / 3;
    let positions = vertices.saturating_mul(frames.count);
    if positions <= MAX_POSITIONS && faces <= MAX_FACES {
        return import.spend(positions.saturating_add(faces));
    }
    Err(Error::limit(format!(
        "the scene is too large for a model: {}, {}, {}",
        counted(frames.count, "frame", "frames"),
        counted(vertices, "vertex", "vertices"),
        counted(faces, "triangle", "triangles")
    )))
}

/// Position of a vertex with morph targets applied, in meters.
fn morphed(primitive: &Primitive, vertex: usize, weights: &[(usize, f64)], map: &DAffine3) -> [f64; 3] {
    let at = |list: &[[f32; 3]]| DVec3::from(list.get(vertex).copied().unwrap_or_default().map(f64::from));
    let mut position = at(&primitive.positions);
    for (target, weight) in weights {
        if let Some(target) = primitive.targets.get(*target) {
            position += at(&target.positions) * *weight;
        }
    }
    map.transform_point3(position).to_array()
}

/// Whether a matrix is a uniform scale.
fn keeps_directions(matrix: DMat3) -> bool {
    let factor = matrix.x_axis.x;
    factor > 0.0 && matrix == DMat3::from_diagonal(DVec3::splat(factor))
}

/// Applies a `KHR_texture_transform` to texture coordinates.
fn transformed(uv_transform: UvTransform, uv: [f32; 2]) -> [f64; 2] {
    let wide = |pair: [f32; 2]| DVec2::from(pair.map(f64::from));
    let rotated =
        DVec2::from_angle(-f64::from(uv_transform.rotation)).rotate(wide(uv_transform.scale) * wide(uv));
    (rotated + wide(uv_transform.offset)).to_array()
}

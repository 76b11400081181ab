//! Collects the faces of all mesh instances, with their corners in all frames.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use asset::{Report, counted};
use glam::{DAffine3, DMat3, DVec2, DVec3};
use record::{Error, Result};
use scene::{Primitive, UvTransform};
use serde_json::Value;

use super::super::exact::runs::read_run;
use super::super::layout::Triple;
use super::super::normal::{of_face, rounded};
use super::super::{FaceTexture, warning};
use super::frames::Frames;
use super::material::{FaceMaterial, texels};
use super::{Importer, MeshInstance};

/// A face.
#[derive(Debug, Clone)]
pub(super) struct Polygon {
    /// Its original index in the file.
    pub(super) number: Option<usize>,
    pub(super) corners: Vec<Corner>,
    pub(super) word: u32,
    pub(super) brightness: u8,
    /// Whether its corners are in counter-clockwise order seen from outside.
    pub(super) is_ccw: bool,
    /// The period of the image in 16ths of a texel.
    pub(super) repeat: [i32; 2],
}

/// A corner of a face.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    /// Index into the list of positions.
    pub(super) position: usize,
    /// The original index of its vertex in the file.
    pub(super) number: Option<usize>,
    /// In 16ths of a texel from the top left of the image.
    pub(super) uv: [i32; 2],
    /// The normal of the scene in the game's axes; the face normal if there is none.
    pub(super) normal: [f32; 3],
}

/// The faces and vertex positions of a model.
#[derive(Debug, Default)]
pub(super) struct PolygonMesh {
    pub(super) polygons: Vec<Polygon>,
    /// For each vertex of the scene its position in each frame, in 256ths.
    pub(super) positions: Vec<Box<[Triple]>>,
    /// Whether palette color 0 is transparent on some face.
    pub(super) is_keyed: bool,
    out_of_range: usize,
    degenerate: usize,
    edited: usize,
}

/// The most vertex positions over all frames of a model, and the most faces of a model.
const MOST: usize = 4 << 20;
const MOST_FACES: usize = 1 << 20;

/// 16ths of a texel.
const SIXTEENTHS: f64 = 16.0;
/// 256ths of a world unit.
const UNIT: f64 = 256.0;
/// The usual size of an image, for those of unknown size.
const USUAL_SIDE: [f64; 2] = [64.0; 2];

impl PolygonMesh {
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
        mesh.number();
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
        let shown = weights.iter().map(Vec::len).fold(0, usize::saturating_add);
        import.spend(shown.saturating_mul(primitive.positions.len()))?;
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
        let extras = (!is_mirrored).then(|| FaceExtras::of(primitive)).flatten();
        let edited = primitive.extras.contains_key("faces") && extras.is_none();
        self.edited = self.edited.saturating_add(usize::from(edited));
        let size = material
            .texels
            .or_else(|| primitive.extras.get("texels").and_then(texels).filter(|_| material.is_known))
            .unwrap_or(USUAL_SIDE);
        let rotation = instance.map.matrix3.inverse().transpose();
        let keeps_directions = keeps_directions(instance.map.matrix3);
        let corner = |index: u32, own: [f32; 3], numbers: &[usize]| {
            let at = usize::try_from(index).unwrap_or(usize::MAX);
            let normal = primitive.normals.as_ref().and_then(|normals| normals.get(at)).copied();
            let normal = normal.map_or(own, |normal| {
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
                number: numbers.get(at).copied(),
                uv: [u * width, v * height].map(|texels| rounded(texels * SIXTEENTHS)),
                normal,
            }
        };
        let repeat = size.map(|side| rounded(side * SIXTEENTHS));
        let (faces, numbers) = match &extras {
            Some(extras) => (extras.faces.clone(), extras.numbers.as_slice()),
            None => (triangles(primitive, is_mirrored), &[][..]),
        };
        for face in faces {
            let positions = face.corners.iter().filter_map(|index| {
                let at = start.checked_add(usize::try_from(*index).ok()?)?;
                self.positions.get(at)?.first().copied()
            });
            let mut normal = of_face(&positions.collect::<Vec<_>>());
            if !face.is_ccw {
                normal = normal.map(i32::wrapping_neg);
            }
            if normal == [0; 3] && extras.is_none() {
                self.degenerate = self.degenerate.saturating_add(1);
                continue;
            }
            let own = unit(normal);
            let stored_word = face.word.filter(|word| FaceTexture::of_glide(*word) == material.texture);
            self.polygons.push(Polygon {
                number: face.number,
                corners: face.corners.iter().map(|index| corner(*index, own, numbers)).collect(),
                word: stored_word.unwrap_or(material.word),
                brightness: face.brightness,
                is_ccw: face.is_ccw,
                repeat,
            });
        }
        Ok(())
    }

    /// Restores the original face order, or drops the indices when they are not unique.
    fn number(&mut self) {
        let mut seen = BTreeSet::new();
        let fits =
            self.polygons.iter().all(|polygon| polygon.number.is_some_and(|number| seen.insert(number)));
        if fits {
            self.polygons.sort_by_key(|polygon| polygon.number);
            return;
        }
        for polygon in &mut self.polygons {
            polygon.number = None;
            polygon.corners.iter_mut().for_each(|corner| corner.number = None);
        }
    }

    fn report_problems(&self, report: &mut Report) {
        if self.out_of_range > 0 {
            let message = format!(
                "{} out of the 32-bit range",
                counted(self.out_of_range, "position is", "positions are")
            );
            report.warn(&warning::TOO_FAR, message);
        }
        if self.degenerate > 0 {
            let message = format!(
                "{} dropped because of zero area",
                counted(self.degenerate, "triangle was", "triangles were")
            );
            report.warn(&warning::NO_AREA, message);
        }
        if self.edited > 0 {
            let instances = counted(self.edited, "primitive was", "primitives were");
            let message = format!("{instances} edited; triangles are imported as faces there");
            report.warn(&warning::STALE, message);
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
    if positions <= MOST && faces <= MOST_FACES {
        return import.spend(positions.saturating_add(faces));
    }
    Err(Error::limit(format!(
        "the scene is too large for a model: {}, {}, {}",
        counted(frames.count, "frame", "frames"),
        counted(vertices, "vertex", "vertices"),
        counted(faces, "triangle", "triangles")
    )))
}

/// The position of a vertex with morph targets applied, in meters.
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

/// Whether a matrix only scales, and by the same factor along all axes.
fn keeps_directions(matrix: DMat3) -> bool {
    let factor = matrix.x_axis.x;
    factor > 0.0 && matrix == DMat3::from_diagonal(DVec3::splat(factor))
}

fn unit(normal: Triple) -> [f32; 3] {
    DVec3::from(normal.map(f64::from)).normalize_or_zero().as_vec3().to_array()
}

/// Applies a `KHR_texture_transform` to texture coordinates.
fn transformed(uv_transform: UvTransform, uv: [f32; 2]) -> [f64; 2] {
    let wide = |pair: [f32; 2]| DVec2::from(pair.map(f64::from));
    let rotated =
        DVec2::from_angle(-f64::from(uv_transform.rotation)).rotate(wide(uv_transform.scale) * wide(uv));
    (rotated + wide(uv_transform.offset)).to_array()
}

/// A face over the vertices of its primitive.
#[derive(Debug, Clone, PartialEq)]
struct Face {
    number: Option<usize>,
    corners: Vec<u32>,
    brightness: u8,
    is_ccw: bool,
    word: Option<u32>,
}

fn triangles(primitive: &Primitive, is_mirrored: bool) -> Vec<Face> {
    let (triangles, _) = primitive.indices.as_chunks::<3>();
    let face = |[a, b, c]: &[u32; 3]| Face {
        number: None,
        corners: if is_mirrored { vec![*a, *c, *b] } else { vec![*a, *b, *c] },
        brightness: 0,
        is_ccw: true,
        word: None,
    };
    triangles.iter().map(face).collect()
}

/// The faces and original vertex indices in the extras of a primitive.
#[derive(Debug)]
struct FaceExtras {
    faces: Vec<Face>,
    numbers: Vec<usize>,
}

impl FaceExtras {
    /// `None` when they do not match the triangles.
    fn of(primitive: &Primitive) -> Option<Self> {
        let text = |name: &str| primitive.extras.get(name).and_then(Value::as_str);
        let runs = text("vertices")?.split_ascii_whitespace().map_while(read_run);
        // A run may be longer than any model: one number too many tells that.
        let most = primitive.positions.len().saturating_add(1);
        let numbers: Vec<usize> = runs.flatten().take(most).collect();
        (numbers.len() == primitive.positions.len()).then_some(())?;
        let (mut triangles, _) = primitive.indices.as_chunks::<3>();
        let mut faces = Vec::new();
        for word in text("faces")?.split_ascii_whitespace() {
            let (run, face, count) = face(word)?;
            for number in run {
                let (fan, rest) = triangles.split_at_checked(count.checked_sub(2).filter(|it| *it > 0)?)?;
                triangles = rest;
                faces.push(Face {
                    number: Some(number),
                    corners: corners(fan, face.is_ccw)?,
                    ..face.clone()
                });
            }
        }
        triangles.is_empty().then_some(Self { faces, numbers })
    }
}

/// Parses faces that are alike, such as `12-15/4/0-#fff70c1f`; returns their numbers, what they have in common, and their number of corners.
fn face(word: &str) -> Option<(RangeInclusive<usize>, Face, usize)> {
    let (word, stored_word) = match word.split_once('#') {
        Some((word, stored_word)) => (word, Some(u32::from_str_radix(stored_word, 16).ok()?)),
        None => (word, None),
    };
    let (word, is_ccw) = word.strip_suffix('-').map_or((word, true), |word| (word, false));
    let mut numbers = word.split('/');
    let run = read_run(numbers.next()?)?;
    let count: u8 = numbers.next()?.parse().ok()?;
    let brightness = numbers.next()?.parse().ok()?;
    Some((
        run,
        Face { number: None, corners: Vec::new(), brightness, is_ccw, word: stored_word },
        count.into(),
    ))
}

/// The corners of a face in file order, from its triangle fan.
fn corners(fan: &[[u32; 3]], is_ccw: bool) -> Option<Vec<u32>> {
    let in_file = |[a, b, c]: [u32; 3]| if is_ccw { [a, b, c] } else { [a, c, b] };
    let [first, second, third] = in_file(*fan.first()?);
    let mut out = vec![first, second, third];
    for triangle in fan.iter().skip(1) {
        let [around, before, next] = in_file(*triangle);
        (around == first && out.last() == Some(&before)).then_some(())?;
        out.push(next);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fan_becomes_a_face_in_either_winding() {
        let fan = [[7, 1, 2], [7, 2, 3]];
        assert_eq!(corners(&fan, true), Some(vec![7, 1, 2, 3]));
        assert_eq!(corners(&[[7, 2, 1], [7, 3, 2]], false), Some(vec![7, 1, 2, 3]));
        assert_eq!(corners(&[[7, 1, 2], [8, 2, 3]], true), None);
        assert_eq!(corners(&[], true), None);
    }

    #[test]
    fn a_face_word_has_index_corner_count_brightness_and_texture_word() {
        let (run, found, count) = face("12-15/4/9-#fff70c1f").unwrap();
        assert_eq!((run, count, found.brightness, found.is_ccw), (12..=15, 4, 9, false));
        assert_eq!(found.word, Some(0xfff7_0c1f));
        assert!(face("1/3").is_none() && face("1/3/0#").is_none() && face("1/999/0").is_none());
    }
}

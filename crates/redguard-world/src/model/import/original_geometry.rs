//! The geometry of the original as an importer reads it from an unedited conversion.

use scene::correspondence;

use super::super::face::Face;
use super::super::layout::Triple;
use super::super::normal::rounded;
use super::super::original::Original;
use super::super::scene::Winding;
use super::super::{FaceTexture, Glide};
use crate::axes::Axes;
use crate::number::single;

/// File units (256ths) per world unit.
const UNIT: f64 = 256.0;
/// File units (16ths) per texel.
const SIXTEENTHS: f64 = 16.0;

/// The geometry of the original.
pub(super) struct OriginalGeometry {
    /// Positions of each vertex in all frames, as read from the scene.
    pub(super) positions: Vec<Box<[Triple]>>,
    pub(super) faces: Vec<OriginalFace>,
    /// Triangles of all faces.
    pub(super) triangles: Vec<OriginalTriangle>,
}

/// A face of the original.
pub(super) struct OriginalFace {
    /// Corners of the face; empty if the face is not in the scene because a vertex does not exist.
    pub(super) corners: Vec<OriginalCorner>,
    pub(super) texture: FaceTexture,
    /// Whether the corners are in counter-clockwise order seen from outside.
    pub(super) is_ccw: bool,
    /// Normal in the first frame.
    pub(super) normal: [f32; 3],
}

/// A corner of a face of the original.
#[derive(Clone, Copy, Default)]
pub(super) struct OriginalCorner {
    pub(super) vertex: usize,
    /// Texture coordinates in 16ths of a texel.
    pub(super) uv: [i32; 2],
    /// The corner's own normal; `None` for flat shading.
    pub(super) normal: Option<[f32; 3]>,
}

/// A triangle of a face.
#[derive(Clone, Copy)]
pub(super) struct OriginalTriangle {
    pub(super) face: usize,
    /// Indices of the corners in the face, counter-clockwise seen from outside.
    pub(super) corners: [usize; 3],
}

impl OriginalGeometry {
    /// Computes the geometry of a model that was converted with the settings of `original`.
    pub(super) fn of(model: &Glide, original: &Original<'_>) -> Self {
        let transform = SceneTransform { axes: original.axes, scale: original.scale };
        let delta_sign = original.interpretation.delta_sign;
        let in_units = |position: Triple| position.map(|number| single(f64::from(number) / UNIT));
        let frames: Vec<Vec<[f32; 3]>> = (0..=model.poses.len())
            .map(|frame| model.raw_positions(frame, delta_sign))
            .map(|positions| {
                positions.into_iter().map(|position| transform.position(in_units(position))).collect()
            })
            .collect();
        let first = frames.first().map(Vec::as_slice).unwrap_or_default();
        let positions = (0..model.vertices.len()).map(|vertex| transform.read(&frames, vertex)).collect();
        let faces = model.as_faces();
        let normals: Vec<[f32; 3]> = model.face_normals.iter().copied().map(in_units).collect();
        let outward: Vec<[f32; 3]> = normals.iter().map(|normal| original.axes.direction(*normal)).collect();
        let winding = Winding::new(&faces, first, &outward);
        let originals =
            faces.iter().zip(&winding.is_ccw).enumerate().map(|(number, (face, is_ccw))| OriginalFace {
                corners: corners(face).unwrap_or_default(),
                texture: face.texture,
                is_ccw: *is_ccw,
                normal: normals.get(number).copied().unwrap_or_default(),
            });
        let faces: Vec<OriginalFace> = originals.collect();
        let triangles = faces.iter().enumerate().flat_map(|(face, original)| fan(face, original)).collect();
        Self { positions, faces, triangles }
    }

    /// Corners of a triangle.
    pub(super) fn corners(&self, triangle: &OriginalTriangle) -> Option<[OriginalCorner; 3]> {
        let face = self.faces.get(triangle.face)?;
        let [a, b, c] = triangle.corners.map(|corner| face.corners.get(corner).copied());
        Some([a?, b?, c?])
    }

    /// Positions of a vertex in all frames.
    pub(super) fn positions_of(&self, vertex: usize) -> &[Triple] {
        self.positions.get(vertex).map(|positions| &**positions).unwrap_or_default()
    }

    /// Whether a triangle has no area in the first frame. Other programs drop such triangles.
    pub(super) fn is_degenerate(&self, triangle: &OriginalTriangle) -> bool {
        let first =
            |corner: OriginalCorner| self.positions_of(corner.vertex).first().copied().unwrap_or_default();
        self.corners(triangle)
            .is_none_or(|corners| super::super::normal::of_face(&corners.map(first)) == [0; 3])
    }
}

/// Triangulates a face: a fan around its first corner.
fn fan(face: usize, original: &OriginalFace) -> impl Iterator<Item = OriginalTriangle> {
    let is_ccw = original.is_ccw;
    (2..original.corners.len()).map(move |last| {
        let (second, third) =
            if is_ccw { (last.saturating_sub(1), last) } else { (last, last.saturating_sub(1)) };
        OriginalTriangle { face, corners: [0, second, third] }
    })
}

/// Corners of a face; `None` if a vertex does not exist.
fn corners(face: &Face) -> Option<Vec<OriginalCorner>> {
    let corner = |corner: &super::super::FaceCorner| {
        Some(OriginalCorner {
            vertex: corner.vertex?,
            uv: corner.uv.map(|texels| rounded(f64::from(texels) * SIXTEENTHS)),
            normal: corner.normal,
        })
    };
    face.corners.iter().map(corner).collect()
}

/// The transform from a model to a scene.
struct SceneTransform {
    axes: Axes,
    scale: f32,
}

impl SceneTransform {
    /// Returns a position in the scene.
    fn position(&self, position: [f32; 3]) -> [f32; 3] {
        self.axes.position(position).map(|number| number * self.scale)
    }

    /// Positions of a vertex in all frames, read back from the scene, which stores frames as single-precision differences.
    fn read(&self, frames: &[Vec<[f32; 3]>], vertex: usize) -> Box<[Triple]> {
        let at = |frame: &Vec<[f32; 3]>| frame.get(vertex).copied().unwrap_or_default();
        let first = frames.first().map(at).unwrap_or_default();
        let read = |(number, frame): (usize, &Vec<[f32; 3]>)| {
            let mut position = first.map(f64::from);
            if number > 0 {
                for ((sum, now), base) in position.iter_mut().zip(at(frame)).zip(first) {
                    *sum += f64::from(now - base);
                }
            }
            self.axes.game_position(position).map(|number| rounded(number * UNIT / f64::from(self.scale)))
        };
        frames.iter().enumerate().map(read).collect()
    }
}

/// Assigns an index to each distinct value.
#[derive(Default)]
pub(super) struct IndexTable<T>(std::collections::HashMap<T, u32>);

impl<T: std::hash::Hash + Eq> IndexTable<T> {
    fn of(&mut self, value: T) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(value).or_insert(next)
    }
}

/// Indices of the properties that corners of triangles have in common.
#[derive(Default)]
pub(super) struct CornerKeys<'a> {
    first: IndexTable<Option<Triple>>,
    motions: IndexTable<&'a [Triple]>,
    uvs: IndexTable<[i32; 2]>,
    textures: IndexTable<Option<FaceTexture>>,
}

impl<'a> CornerKeys<'a> {
    /// Returns the key of a corner by its positions in the frames that both models have.
    pub(super) fn corner(&mut self, positions: &'a [Triple], uv: [i32; 2]) -> correspondence::Corner {
        correspondence::Corner {
            position: self.first.of(positions.first().copied()),
            motion: self.motions.of(positions),
            uv: self.uvs.of(uv),
        }
    }

    pub(super) fn texture(&mut self, texture: Option<FaceTexture>) -> u32 {
        self.textures.of(texture)
    }
}

//! What the scene of a model shows: the geometry of the original as an importer reads it from an unedited conversion.

use scene::correspondence;

use super::super::face::Face;
use super::super::layout::Triple;
use super::super::normal::rounded;
use super::super::original::Original;
use super::super::scene::Winding;
use super::super::{FaceTexture, Glide};
use crate::axes::Axes;
use crate::number::single;

/// 256ths of a world unit.
const UNIT: f64 = 256.0;
/// 16ths of a texel.
const SIXTEENTHS: f64 = 16.0;

/// The geometry of the original.
pub(super) struct Shown {
    /// The positions of each vertex in all frames, as they are read from the scene.
    pub(super) positions: Vec<Box<[Triple]>>,
    pub(super) faces: Vec<ShownFace>,
    /// The triangles of all faces.
    pub(super) triangles: Vec<ShownTriangle>,
}

/// A face of the original.
pub(super) struct ShownFace {
    /// Empty if the face is not shown, because a vertex does not exist.
    pub(super) corners: Vec<ShownCorner>,
    pub(super) texture: FaceTexture,
    /// Whether its corners are in counter-clockwise order seen from outside.
    pub(super) is_ccw: bool,
    /// Its normal in the first frame.
    pub(super) normal: [f32; 3],
}

/// A corner of a face of the original.
#[derive(Clone, Copy, Default)]
pub(super) struct ShownCorner {
    pub(super) vertex: usize,
    /// In 16ths of a texel.
    pub(super) uv: [i32; 2],
    /// Its own normal; `None` for flat shading.
    pub(super) normal: Option<[f32; 3]>,
}

/// A triangle of a face.
#[derive(Clone, Copy)]
pub(super) struct ShownTriangle {
    pub(super) face: usize,
    /// The indices of its corners in the face, counter-clockwise seen from outside.
    pub(super) corners: [usize; 3],
}

impl Shown {
    /// The geometry of a model, which was converted like this original.
    pub(super) fn of(model: &Glide, original: &Original<'_>) -> Self {
        let view = View { axes: original.axes, scale: original.scale };
        let delta_sign = original.interpretation.delta_sign;
        let in_units = |position: Triple| position.map(|number| single(f64::from(number) / UNIT));
        let frames: Vec<Vec<[f32; 3]>> = (0..=model.poses.len())
            .map(|frame| model.raw_positions(frame, delta_sign))
            .map(|positions| positions.into_iter().map(|place| view.position(in_units(place))).collect())
            .collect();
        let first = frames.first().map(Vec::as_slice).unwrap_or_default();
        let positions = (0..model.vertices.len()).map(|vertex| view.read(&frames, vertex)).collect();
        let faces = model.as_faces();
        let normals: Vec<[f32; 3]> = model.face_normals.iter().copied().map(in_units).collect();
        let outward: Vec<[f32; 3]> = normals.iter().map(|normal| original.axes.direction(*normal)).collect();
        let winding = Winding::new(&faces, first, &outward);
        let shown = faces.iter().zip(&winding.is_ccw).enumerate().map(|(number, (face, is_ccw))| ShownFace {
            corners: corners(face).unwrap_or_default(),
            texture: face.texture,
            is_ccw: *is_ccw,
            normal: normals.get(number).copied().unwrap_or_default(),
        });
        let faces: Vec<ShownFace> = shown.collect();
        let triangles = faces.iter().enumerate().flat_map(|(face, shown)| fan(face, shown)).collect();
        Self { positions, faces, triangles }
    }

    /// The corners of a triangle.
    pub(super) fn corners(&self, triangle: &ShownTriangle) -> Option<[ShownCorner; 3]> {
        let face = self.faces.get(triangle.face)?;
        let [a, b, c] = triangle.corners.map(|corner| face.corners.get(corner).copied());
        Some([a?, b?, c?])
    }

    /// The positions of a vertex in all frames.
    pub(super) fn positions_of(&self, vertex: usize) -> &[Triple] {
        self.positions.get(vertex).map(|positions| &**positions).unwrap_or_default()
    }

    /// Whether a triangle has no area in the first frame. Other programs drop such triangles.
    pub(super) fn is_degenerate(&self, triangle: &ShownTriangle) -> bool {
        let first =
            |corner: ShownCorner| self.positions_of(corner.vertex).first().copied().unwrap_or_default();
        self.corners(triangle)
            .is_none_or(|corners| super::super::normal::of_face(&corners.map(first)) == [0; 3])
    }
}

/// The triangles of a face: a fan around its first corner.
fn fan(face: usize, shown: &ShownFace) -> impl Iterator<Item = ShownTriangle> {
    let is_ccw = shown.is_ccw;
    (2..shown.corners.len()).map(move |last| {
        let (second, third) =
            if is_ccw { (last.saturating_sub(1), last) } else { (last, last.saturating_sub(1)) };
        ShownTriangle { face, corners: [0, second, third] }
    })
}

/// The corners of a face; `None` if a vertex does not exist.
fn corners(face: &Face) -> Option<Vec<ShownCorner>> {
    let corner = |corner: &super::super::FaceCorner| {
        Some(ShownCorner {
            vertex: corner.vertex?,
            uv: corner.uv.map(|texels| rounded(f64::from(texels) * SIXTEENTHS)),
            normal: corner.normal,
        })
    };
    face.corners.iter().map(corner).collect()
}

/// How a model becomes a scene.
struct View {
    axes: Axes,
    scale: f32,
}

impl View {
    /// A position in the scene.
    fn position(&self, position: [f32; 3]) -> [f32; 3] {
        self.axes.position(position).map(|number| number * self.scale)
    }

    /// The positions of a vertex in all frames, read back from the scene, which stores frames as single-precision differences.
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

/// The number of each distinct value.
#[derive(Default)]
pub(super) struct Numbers<T>(std::collections::HashMap<T, u32>);

impl<T: std::hash::Hash + Eq> Numbers<T> {
    fn of(&mut self, value: T) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(value).or_insert(next)
    }
}

/// The numbers of what the corners of triangles have in common.
#[derive(Default)]
pub(super) struct CornerNumbers<'a> {
    first: Numbers<Option<Triple>>,
    motions: Numbers<&'a [Triple]>,
    uvs: Numbers<[i32; 2]>,
    textures: Numbers<Option<FaceTexture>>,
}

impl<'a> CornerNumbers<'a> {
    /// The key of a corner by its positions in as many frames as both models have.
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

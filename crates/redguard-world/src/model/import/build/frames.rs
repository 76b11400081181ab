//! The frames of the model being built, and its face normals in them.

use super::super::super::glide::{Face, Frame, Glide, Pose};
use super::super::super::layout::{Normals, Triple, VertexPositions};
use super::super::super::normal;
use super::super::plan::PlannedFace;
use super::{ModelBuilder, frame_of};

impl ModelBuilder<'_> {
    /// Adds the face normals of the first frame. Unmoved faces of the original keep their normals.
    pub(super) fn add_normals(&self, model: &mut Glide) {
        let positions = std::mem::take(&mut model.vertices);
        let found =
            self.normals(&model.faces, &positions, 0, |number| self.base.face_normals.get(number).copied());
        (model.vertices, model.face_normals) =
            (positions, found.into_iter().map(FaceNormal::stored).collect());
    }

    /// Face normals in a frame: unmoved faces of the original use the ones that `stored` returns, the others are computed.
    fn normals<T>(
        &self,
        faces: &[Face],
        positions: &[Triple],
        frame: usize,
        stored: impl Fn(usize) -> Option<T>,
    ) -> Vec<FaceNormal<T>> {
        let mut corners: Vec<Triple> = Vec::new();
        let normal = |(face, planned): (&Face, &PlannedFace)| {
            let at = |corner: &super::Corner| {
                let vertex = usize::try_from(corner.vertex).unwrap_or(usize::MAX);
                positions.get(vertex).copied().unwrap_or_default()
            };
            corners.clear();
            corners.extend(face.corners.iter().map(at));
            let kept = planned.original.filter(|number| self.is_in_place(*number, face, &corners, frame));
            if let Some(stored) = kept.and_then(&stored) {
                return FaceNormal::Stored(stored);
            }
            let found = normal::of_face(&corners);
            FaceNormal::Computed(if planned.is_ccw { found } else { found.map(i32::wrapping_neg) })
        };
        faces.iter().zip(&self.plan.faces).map(normal).collect()
    }

    /// Whether a face has the same corners as a face of the original, at the same positions.
    fn is_in_place(&self, number: usize, face: &Face, positions: &[Triple], frame: usize) -> bool {
        let Some(base) = self.base.faces.get(number).filter(|base| base.corners.len() == face.corners.len())
        else {
            return false;
        };
        let was = |corner: &super::Corner| {
            self.vertices.get(usize::try_from(corner.vertex).ok()?)?.get(frame).copied()
        };
        base.corners.iter().zip(positions).all(|(corner, now)| was(corner).unwrap_or_default() == *now)
    }

    /// Adds the frames after the first, with the frame kind of the original or the smallest kind that can represent them.
    pub(super) fn add_frames(&self, model: &mut Glide, positions: &[Box<[Triple]>]) {
        let base = &self.base.frames;
        let kind = base.first().map(|first| first.kind).filter(|_| !self.base.faces.is_empty());
        if self.count == 1 {
            model.poses.clear();
            if !self.base.poses.is_empty() || kind.is_none() {
                model.frames.truncate(1);
                set_kind(model, self.default_kind);
            }
            return;
        }
        let frames: Vec<Vec<Triple>> = (1..self.count).map(|frame| frame_of(positions, frame)).collect();
        let kept = kind.filter(|_| !self.base.poses.is_empty());
        for kind in kept.into_iter().chain([WORDS, LONG]) {
            let poses: Option<Vec<VertexPositions>> =
                frames.iter().map(|frame| stored(kind, &model.vertices, frame)).collect();
            let Some(poses) = poses else { continue };
            let row = Frame { offset_vertices: 0, offset_normals: 0, reserved: 0, kind: 0 };
            model.frames.resize(self.count, row);
            set_kind(model, kind);
            model.poses = (1..)
                .zip(poses)
                .zip(&frames)
                .map(|((frame, vertices), positions)| self.pose(model, (frame, kind), vertices, positions))
                .collect();
            return;
        }
    }

    fn pose(
        &self,
        model: &Glide,
        (frame, kind): (usize, u32),
        vertices: VertexPositions,
        positions: &[Triple],
    ) -> Pose {
        let before =
            frame.checked_sub(1).and_then(|index| self.base.poses.get(index)).map(|pose| &pose.normals);
        let normals = if kind == 0 {
            let stored = |number: usize| match before {
                Some(Normals::Absolute(list)) => list.get(number).copied(),
                _ => None,
            };
            let found = self.normals(&model.faces, positions, frame, stored);
            Normals::Absolute(found.into_iter().map(FaceNormal::stored).collect())
        } else {
            let stored = |number: usize| match before {
                Some(Normals::Packed(list)) => list.get(number).copied(),
                Some(Normals::Absolute(list)) => list.get(number).copied().map(normal::packed),
                None => None,
            };
            let found = self.normals(&model.faces, positions, frame, stored);
            Normals::Packed(found.into_iter().map(FaceNormal::packed).collect())
        };
        Pose { vertices, normals }
    }
}

/// The normal of a face.
enum FaceNormal<T> {
    /// The normal of the original, as stored.
    Stored(T),
    Computed(Triple),
}

impl FaceNormal<Triple> {
    fn stored(self) -> Triple {
        match self {
            Self::Stored(normal) | Self::Computed(normal) => normal,
        }
    }
}

impl FaceNormal<u32> {
    fn packed(self) -> u32 {
        match self {
            Self::Stored(normal) => normal,
            Self::Computed(normal) => normal::packed(normal),
        }
    }
}

/// Frame kinds: 16-bit deltas and 32-bit positions.
const WORDS: u32 = 2;
const LONG: u32 = 4;

fn set_kind(model: &mut Glide, kind: u32) {
    if let Some(first) = model.frames.first_mut() {
        first.kind = kind;
    }
}

/// Encodes the positions of a frame; `None` if the frame kind cannot represent them.
fn stored(kind: u32, base: &[Triple], frame: &[Triple]) -> Option<VertexPositions> {
    let steps = |unit: i32| {
        base.iter().zip(frame).map(move |(base, position)| {
            let [a, b, c] = base;
            let [x, y, z] = position;
            let step = |from: i32, to: i32| {
                let step = i64::from(from).checked_sub(i64::from(to))?;
                let steps = step.checked_div(unit.into())?;
                Some(steps).filter(|steps| steps.checked_mul(unit.into()) == Some(step))
            };
            Some([step(*a, *x)?, step(*b, *y)?, step(*c, *z)?])
        })
    };
    let words = |unit: i32| -> Option<Vec<[i16; 3]>> {
        let word = |step: i64| i16::try_from(step).ok();
        steps(unit).map(|step| step.and_then(|[x, y, z]| Some([word(x)?, word(y)?, word(z)?]))).collect()
    };
    let bytes = |unit: i32| -> Option<Vec<[i8; 3]>> {
        let byte = |step: i64| i8::try_from(step).ok();
        steps(unit).map(|step| step.and_then(|[x, y, z]| Some([byte(x)?, byte(y)?, byte(z)?]))).collect()
    };
    match kind {
        0 | LONG => Some(VertexPositions::Absolute(frame.to_vec())),
        1 => bytes(256).map(VertexPositions::Bytes),
        WORDS => words(1).map(VertexPositions::Words),
        0x12 => words(256).map(VertexPositions::Words),
        _ => None,
    }
}

//! The camera: above and to one side, at a distance from which everything is visible.

use glam::Vec3;

use crate::shape::{Shape, Triangle};

/// Tangent of half the vertical field of view.
const TANGENT: f32 = 0.27;
/// Margin around the scene, as a fraction of the picture.
const MARGIN: f32 = 0.06;
/// Default direction from an object towards the camera; not normalized.
const OBJECT_DIRECTION: Vec3 = Vec3::new(0.62, 0.42, 1.0);
/// Default direction from a room towards the camera.
const ROOM_DIRECTION: Vec3 = Vec3::new(0.55, 1.15, 0.85);
/// Factor by which the visible area from another side must be larger for that side to be preferred.
const PREFERENCE: f32 = 1.6;

/// The camera's orientation, position and projection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    right: Vec3,
    up: Vec3,
    /// Direction towards the camera.
    back: Vec3,
    eye: Vec3,
    /// Tangents of half the horizontal and vertical field of view.
    pub(crate) tangents: [f32; 2],
    /// Distance of the near plane in meters.
    pub(crate) near: f32,
    /// Whether all back faces are culled, regardless of their materials.
    pub(crate) is_room: bool,
}

impl View {
    /// Returns a view of the entire shape that shows at least `frame` meters vertically; `None` if nothing is visible.
    pub(crate) fn of(shape: &Shape, aspect: f32, frame: Option<f32>) -> Option<Self> {
        let faces = faces_of(shape);
        let is_room = faces_inwards(shape, &faces);
        let first = if is_room { ROOM_DIRECTION } else { OBJECT_DIRECTION };
        let sides = [first, rotated(first), rotated(rotated(first)), rotated(rotated(rotated(first)))];
        let mut best = (first, seen_from(&faces, first, is_room));
        let threshold = best.1 * PREFERENCE;
        for side in sides {
            let seen = seen_from(&faces, side, is_room);
            if seen > threshold && seen > best.1 {
                best = (side, seen);
            }
        }
        let back = best.0.normalize();
        let right = Vec3::Y.cross(back).normalize();
        let up = back.cross(right);
        let tangents = [TANGENT * aspect, TANGENT];
        let axes = [right, up, back];
        let (eye, distance) = fit(&visible_positions(shape, &faces, back, is_room), axes, tangents, frame)?;
        Some(Self { right, up, back, eye, tangents, near: distance * 1e-3, is_room })
    }

    /// Transforms a position to camera space: right, up, and away from the camera.
    pub(crate) fn camera_space(&self, position: Vec3) -> Vec3 {
        let from_eye = position - self.eye;
        Vec3::new(self.right.dot(from_eye), self.up.dot(from_eye), -self.back.dot(from_eye))
    }

    /// Returns the direction towards the light: over the camera's left shoulder.
    pub(crate) fn light(&self) -> Vec3 {
        (self.back * 0.8 + self.up * 0.7 - self.right * 0.45).normalize()
    }

    /// Returns the vector from a position to the camera.
    pub(crate) fn direction_to_eye(&self, position: Vec3) -> Vec3 {
        self.eye - position
    }
}

/// Rotates a direction by a quarter turn to the left.
const fn rotated(back: Vec3) -> Vec3 {
    Vec3::new(back.z, back.y, -back.x)
}

/// A triangle as used for choosing the view.
struct Face {
    /// The normal, with twice the triangle's area as its length.
    area: Vec3,
    center: Vec3,
    is_double: bool,
}

/// Returns the faces of all triangles, in their order.
fn faces_of(shape: &Shape) -> Vec<Face> {
    let face = |triangle: &Triangle| {
        let [a, b, c] = shape.positions_of(triangle).unwrap_or_default();
        Face { area: (b - a).cross(c - a), center: (a + b + c) / 3.0, is_double: triangle.is_double }
    };
    shape.triangles.iter().map(face).collect()
}

/// Returns the positions of all triangle corners that are visible from a side.
fn visible_positions(shape: &Shape, faces: &[Face], towards: Vec3, is_room: bool) -> Vec<Vec3> {
    let mut is_shown = vec![false; shape.corners.len()];
    for (triangle, face) in shape.triangles.iter().zip(faces) {
        let facing = face.area.dot(towards);
        if facing > 0.0 || (face.is_double && !is_room && facing < 0.0) {
            for corner in triangle.corners {
                is_shown[corner as usize] = true;
            }
        }
    }
    let shown = shape.corners.iter().zip(is_shown).filter(|(_, shown)| *shown);
    shown.map(|(corner, _)| corner.position).collect()
}

/// Whether most of the surface faces the center, as the walls, floor and ceiling of a room do.
fn faces_inwards(shape: &Shape, faces: &[Face]) -> bool {
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for position in shape.triangles.iter().filter_map(|triangle| shape.positions_of(triangle)).flatten() {
        min = min.min(position);
        max = max.max(position);
    }
    let middle = (min + max) * 0.5;
    let (mut inward, mut all, mut sum) = (0.0_f32, 0.0_f32, Vec3::ZERO);
    for Face { area, center, .. } in faces.iter().filter(|face| !face.is_double) {
        let offset = *center - middle;
        let distance = offset.length();
        if distance > 0.0 {
            inward -= area.dot(offset) / distance;
            all += area.length();
            sum += *area;
        }
    }
    // A surface that faces in one direction only is a wall, not a room.
    inward > 0.25 * all && sum.length() < 0.7 * all
}

/// Returns the visible surface area from a side.
fn seen_from(faces: &[Face], back: Vec3, is_room: bool) -> f32 {
    let back = back.normalize();
    let seen = |face: &Face| {
        let facing = face.area.dot(back);
        if face.is_double && !is_room { facing.abs() } else { facing.max(0.0) }
    };
    faces.iter().map(seen).sum()
}

/// Returns the camera position from which all positions are visible, and its distance from the nearest one. At the
/// middle depth, at least `frame` meters fit into the picture's height.
fn fit(
    positions: &[Vec3],
    [right, up, back]: [Vec3; 3],
    tangents: [f32; 2],
    frame: Option<f32>,
) -> Option<(Vec3, f32)> {
    let mut bounds = [[f32::INFINITY, f32::NEG_INFINITY]; 2];
    let (mut nearest, mut furthest) = (f32::NEG_INFINITY, f32::INFINITY);
    for &position in positions {
        let depth = back.dot(position);
        (nearest, furthest) = (nearest.max(depth), furthest.min(depth));
        for ((bounds, axis), tangent) in bounds.iter_mut().zip([right, up]).zip(tangents) {
            let [min, max] = bounds;
            let tangent = tangent * (1.0 - MARGIN);
            *min = min.min(axis.dot(position) - tangent * depth);
            *max = max.max(axis.dot(position) + tangent * depth);
        }
    }
    if nearest < furthest {
        return None;
    }
    let [(x, across), (y, along)] = [0, 1].map(|side| {
        let [min, max] = bounds[side];
        let tangent = tangents[side] * (1.0 - MARGIN);
        ((min + max) * 0.5, (max - min) * 0.5 / tangent)
    });
    // The camera must not be inside a flat object seen edge-on.
    let min_depth = nearest + ((nearest - furthest) * 0.01).max(1e-6);
    let wide = frame.map(|frame| (nearest + furthest) * 0.5 + frame * 0.5 / (TANGENT * (1.0 - MARGIN)));
    let depth = across.max(along).max(min_depth).max(wide.unwrap_or(f32::NEG_INFINITY));
    let mut at = [x, y];
    // Near objects take up more of the picture, so the visible area is centered iteratively.
    for _ in 0..4 {
        let mut seen = [[f32::INFINITY, f32::NEG_INFINITY]; 2];
        for &position in positions {
            let distance = depth - back.dot(position);
            for (([min, max], axis), at) in seen.iter_mut().zip([right, up]).zip(at) {
                let here = (axis.dot(position) - at) / distance;
                (*min, *max) = (min.min(here), max.max(here));
            }
        }
        for (at, [min, max]) in at.iter_mut().zip(seen) {
            *at += (min + max) * 0.5 * (depth - (nearest + furthest) * 0.5);
        }
    }
    let [x, y] = at;
    Some((right * x + up * y + back * depth, depth - nearest))
}

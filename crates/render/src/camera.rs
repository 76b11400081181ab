//! Where the camera stands: above and to one side, so far away that everything fits.

use glam::Vec3;

use crate::shape::{Shape, Triangle};

/// Half the height of the picture over its distance.
const TANGENT: f32 = 0.27;
/// How much of the picture is left free around the scene.
const MARGIN: f32 = 0.06;
/// From where things are looked at: towards the camera, not of unit length.
const AT_THINGS: Vec3 = Vec3::new(0.62, 0.42, 1.0);
/// From where rooms are looked into.
const INTO_ROOMS: Vec3 = Vec3::new(0.55, 1.15, 0.85);
/// How much more another side must show to be looked at instead.
const BETTER: f32 = 1.6;

/// How the camera sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    right: Vec3,
    up: Vec3,
    /// Towards the camera.
    back: Vec3,
    eye: Vec3,
    /// Half the picture's width and height over its distance.
    pub(crate) tangents: [f32; 2],
    /// Nothing nearer than this is drawn, meters.
    pub(crate) near: f32,
    /// Whether no triangle shows its back, whatever its material says.
    pub(crate) is_room: bool,
}

impl View {
    /// The view that takes in all of a shape, and so many meters from its lower to its upper edge at least; `None` when there is nothing to see.
    pub(crate) fn of(shape: &Shape, aspect: f32, frame: Option<f32>) -> Option<Self> {
        let faces = faces_of(shape);
        let is_room = faces_inwards(shape, &faces);
        let first = if is_room { INTO_ROOMS } else { AT_THINGS };
        let sides = [first, turned(first), turned(turned(first)), turned(turned(turned(first)))];
        let mut best = (first, seen_from(&faces, first, is_room));
        let bar = best.1 * BETTER;
        for side in sides {
            let seen = seen_from(&faces, side, is_room);
            if seen > bar && seen > best.1 {
                best = (side, seen);
            }
        }
        let back = best.0.normalize();
        let right = Vec3::Y.cross(back).normalize();
        let up = back.cross(right);
        let tangents = [TANGENT * aspect, TANGENT];
        let axes = [right, up, back];
        let (eye, distance) = fit(&shown_places(shape, &faces, back, is_room), axes, tangents, frame)?;
        Some(Self { right, up, back, eye, tangents, near: distance * 1e-3, is_room })
    }

    /// A place as the camera sees it: to the right, up, and away from it.
    pub(crate) fn see(&self, place: Vec3) -> Vec3 {
        let from_eye = place - self.eye;
        Vec3::new(self.right.dot(from_eye), self.up.dot(from_eye), -self.back.dot(from_eye))
    }

    /// Where the light comes from: over the camera's left shoulder.
    pub(crate) fn light(&self) -> Vec3 {
        (self.back * 0.8 + self.up * 0.7 - self.right * 0.45).normalize()
    }

    /// Towards the camera from a place.
    pub(crate) fn towards(&self, place: Vec3) -> Vec3 {
        self.eye - place
    }
}

/// A quarter turn to the left.
const fn turned(back: Vec3) -> Vec3 {
    Vec3::new(back.z, back.y, -back.x)
}

/// A triangle, seen from afar.
struct Face {
    /// Twice its area, along its normal.
    area: Vec3,
    centre: Vec3,
    is_double: bool,
}

/// The faces of all triangles, in their order.
fn faces_of(shape: &Shape) -> Vec<Face> {
    let face = |triangle: &Triangle| {
        let [a, b, c] = shape.places_of(triangle).unwrap_or_default();
        Face { area: (b - a).cross(c - a), centre: (a + b + c) / 3.0, is_double: triangle.is_double }
    };
    shape.triangles.iter().map(face).collect()
}

/// The places of all corners of triangles that are seen from a side.
fn shown_places(shape: &Shape, faces: &[Face], towards: Vec3, is_room: bool) -> Vec<Vec3> {
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

/// Whether most of what there is faces the middle: walls, floor and ceiling of a room.
fn faces_inwards(shape: &Shape, faces: &[Face]) -> bool {
    let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for place in shape.triangles.iter().filter_map(|triangle| shape.places_of(triangle)).flatten() {
        least = least.min(place);
        most = most.max(place);
    }
    let middle = (least + most) * 0.5;
    let (mut inward, mut all, mut sum) = (0.0_f32, 0.0_f32, Vec3::ZERO);
    for Face { area, centre, .. } in faces.iter().filter(|face| !face.is_double) {
        let away = *centre - middle;
        let distance = away.length();
        if distance > 0.0 {
            inward -= area.dot(away) / distance;
            all += area.length();
            sum += *area;
        }
    }
    // What faces one way only is a wall, not a room.
    inward > 0.25 * all && sum.length() < 0.7 * all
}

/// How much of a shape's surface is seen from a side.
fn seen_from(faces: &[Face], back: Vec3, is_room: bool) -> f32 {
    let back = back.normalize();
    let seen = |face: &Face| {
        let facing = face.area.dot(back);
        if face.is_double && !is_room { facing.abs() } else { facing.max(0.0) }
    };
    faces.iter().map(seen).sum()
}

/// Where the camera stands to see all places, and how far from the nearest. `frame` meters fit into the picture's height at the middle of what is seen.
fn fit(
    places: &[Vec3],
    [right, up, back]: [Vec3; 3],
    tangents: [f32; 2],
    frame: Option<f32>,
) -> Option<(Vec3, f32)> {
    let mut bounds = [[f32::INFINITY, f32::NEG_INFINITY]; 2];
    let (mut nearest, mut furthest) = (f32::NEG_INFINITY, f32::INFINITY);
    for &place in places {
        let depth = back.dot(place);
        (nearest, furthest) = (nearest.max(depth), furthest.min(depth));
        for ((bounds, axis), tangent) in bounds.iter_mut().zip([right, up]).zip(tangents) {
            let [least, most] = bounds;
            let tangent = tangent * (1.0 - MARGIN);
            *least = least.min(axis.dot(place) - tangent * depth);
            *most = most.max(axis.dot(place) + tangent * depth);
        }
    }
    if nearest < furthest {
        return None;
    }
    let [(x, across), (y, along)] = [0, 1].map(|side| {
        let [least, most] = bounds[side];
        let tangent = tangents[side] * (1.0 - MARGIN);
        ((least + most) * 0.5, (most - least) * 0.5 / tangent)
    });
    // Even a flat thing seen on edge is not looked at from within.
    let least = nearest + ((nearest - furthest) * 0.01).max(1e-6);
    let wide = frame.map(|frame| (nearest + furthest) * 0.5 + frame * 0.5 / (TANGENT * (1.0 - MARGIN)));
    let depth = across.max(along).max(least).max(wide.unwrap_or(f32::NEG_INFINITY));
    let mut at = [x, y];
    // What is near takes more of the picture: the middle of what is seen moves to the middle of the picture.
    for _ in 0..4 {
        let mut seen = [[f32::INFINITY, f32::NEG_INFINITY]; 2];
        for &place in places {
            let distance = depth - back.dot(place);
            for (([least, most], axis), at) in seen.iter_mut().zip([right, up]).zip(at) {
                let here = (axis.dot(place) - at) / distance;
                (*least, *most) = (least.min(here), most.max(here));
            }
        }
        for (at, [least, most]) in at.iter_mut().zip(seen) {
            *at += (least + most) * 0.5 * (depth - (nearest + furthest) * 0.5);
        }
    }
    let [x, y] = at;
    Some((right * x + up * y + back * depth, depth - nearest))
}

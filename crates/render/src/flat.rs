//! Triangles on the canvas: where their edges run, and what color they have at a place.

use std::ops::Range;

use glam::{DVec2, Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::camera::View;
use crate::shade::{Paint, Spot};
use crate::shape::{Corner, Shape, Triangle};
use scene::MaterialId;

/// A triangle on the canvas.
pub(super) struct Flat {
    pub(super) material: Option<MaterialId>,
    /// Of each corner: where it is on the two textures, its color and normal.
    uvs: [Vec4; 3],
    colors: [Vec4; 3],
    normals: [Vec3; 3],
    /// 1 over the distance of each corner.
    pub(super) near: [f32; 3],
    edges: [Edge; 3],
    crossings: [Crossing; 3],
    /// 1 over the distance at each place.
    pub(super) nearness: Edge,
    /// The places that may be covered: first and last, across and down.
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) top: usize,
    pub(super) bottom: usize,
    /// How often the two textures are halved.
    pub(super) halved: [usize; 2],
    /// Of the triangle itself, towards the camera.
    normal: Vec3,
    /// Twice how many places it covers, as far as it is on the canvas or not.
    pub(super) area: f64,
    /// All of it has one color, but for the textures.
    is_plain: bool,
}

/// What says on which side of an edge a place is: the weight of the corner across from it.
#[derive(Clone, Copy, Default)]
pub(super) struct Edge {
    pub(super) x: f64,
    y: f64,
    at_origin: f64,
}

impl Edge {
    /// What is the same in a whole row.
    pub(super) fn in_row(self, y: f64) -> f64 {
        self.y * y + self.at_origin
    }
}

/// Where rows cross an edge.
#[derive(Clone, Copy, Default)]
pub(super) struct Crossing {
    slope: f64,
    at_origin: f64,
}

/// A triangle, or what is left of it where it reaches behind the camera: up to two.
pub(super) type Pieces = [Option<Flat>; MOST_PIECES];

pub(super) const MOST_PIECES: usize = 2;

/// Brings a triangle onto a canvas of some width and height, unless it shows its back or lies outside. What reaches behind the camera is cut off.
pub(super) fn pieces_of(
    shape: &Shape,
    view: &View,
    paint: &Paint<'_>,
    triangle: &Triangle,
    size: [usize; 2],
) -> Pieces {
    let mut out = [None, None];
    let Some(corners) = shape.corners_of(triangle) else { return out };
    let [a, b, c] = corners.map(|corner| corner.position);
    let normal = (b - a).cross(c - a);
    let facing = normal.dot(view.towards(a));
    let sees_back = facing <= 0.0;
    if sees_back && (view.is_room || !triangle.is_double) {
        return out;
    }
    let normal = if sees_back { -normal } else { normal }.normalize_or_zero();
    let seen = corners.map(|corner| Corner { position: view.see(corner.position), ..*corner });
    let [first, second, third] = seen;
    let is_near = |corner: &Corner| corner.position.z < view.near;
    if !seen.iter().any(is_near) {
        out[0] = Flat::of(triangle.material, seen, paint, view, size, normal);
        return out;
    }
    let mut kept: Vec<Corner> = Vec::with_capacity(4);
    for (from, to) in [(first, second), (second, third), (third, first)] {
        if !is_near(&from) {
            kept.push(from);
        }
        if is_near(&from) != is_near(&to) {
            let share = (view.near - from.position.z) / (to.position.z - from.position.z);
            kept.push(between(&from, &to, share));
        }
    }
    if let Some((first, rest)) = kept.split_first() {
        for (pair, out) in rest.windows(2).zip(&mut out) {
            if let [second, third] = pair {
                let corners = [*first, *second, *third];
                *out = Flat::of(triangle.material, corners, paint, view, size, normal);
            }
        }
    }
    out
}

fn between(a: &Corner, b: &Corner, share: f32) -> Corner {
    Corner {
        position: a.position.lerp(b.position, share),
        normal: a.normal.lerp(b.normal, share),
        uv: a.uv.lerp(b.uv, share),
        light_uv: a.light_uv.lerp(b.light_uv, share),
        color: Vec4::from(a.color).lerp(b.color.into(), share).to_array(),
    }
}

impl Flat {
    fn of(
        material: Option<MaterialId>,
        corners: [Corner; 3],
        paint: &Paint<'_>,
        view: &View,
        size: [usize; 2],
        normal: Vec3,
    ) -> Option<Self> {
        let [width, height] = size.map(|side| side as f32);
        let [tangent_x, tangent_y] = view.tangents;
        let place = |corner: Corner| {
            let Vec3 { x, y, z } = corner.position;
            Vec2::new((x / (z * tangent_x) + 1.0) * 0.5 * width, (1.0 - y / (z * tangent_y)) * 0.5 * height)
        };
        let places = corners.map(place);
        let [a, b, c] = places.map(Vec2::as_dvec2);
        let twice = (b - a).perp_dot(c - a);
        if !twice.is_finite() || twice == 0.0 {
            return None;
        }
        let edge = |from: DVec2, to: DVec2| Edge {
            x: (from.y - to.y) / twice,
            y: (to.x - from.x) / twice,
            at_origin: from.perp_dot(to) / twice,
        };
        let least = places.into_iter().fold(Vec2::INFINITY, Vec2::min);
        let most = places.into_iter().fold(Vec2::NEG_INFINITY, Vec2::max);
        if most.x < 0.0 || most.y < 0.0 || least.x >= width || least.y >= height {
            return None;
        }
        let end = |most: f32, size: usize| (most.ceil() as usize).min(size);
        let near = corners.map(|corner| 1.0 / corner.position.z);
        let edges = [edge(b, c), edge(c, a), edge(a, b)];
        let mut nearness = Edge::default();
        for (edge, near) in edges.iter().zip(near.map(f64::from)) {
            nearness.x += edge.x * near;
            nearness.y += edge.y * near;
            nearness.at_origin += edge.at_origin * near;
        }
        Some(Self {
            material,
            uvs: corners.map(|corner| Vec4::from((corner.uv, corner.light_uv))),
            colors: corners.map(|corner| Vec4::from(corner.color)),
            normals: corners.map(|corner| corner.normal),
            near,
            edges,
            crossings: edges
                .map(|edge| Crossing { slope: -edge.y / edge.x, at_origin: -edge.at_origin / edge.x }),
            nearness,
            left: least.x.floor() as usize,
            right: end(most.x, size[0]),
            top: least.y.floor() as usize,
            bottom: end(most.y, size[1]),
            halved: halvings(&corners, twice.abs(), paint),
            normal,
            area: twice.abs(),
            is_plain: corners.iter().all(|corner| corner.color == corners[0].color),
        })
    }

    /// The weights of the three corners at a place on the canvas.
    pub(super) fn weights(&self, x: f64, y: f64) -> [f32; 3] {
        self.edges.map(|edge| single(edge.x * x + edge.in_row(y)).max(0.0))
    }

    /// The weights of the corners on the triangle itself, which lies aslant.
    fn aslant(&self, weights: [f32; 3]) -> [f32; 3] {
        let ([near_a, near_b, near_c], [a, b, c]) = (self.near, weights);
        let (a, b, c) = (near_a * a, near_b * b, near_c * c);
        let whole = 1.0 / (a + b + c);
        [a * whole, b * whole, c * whole]
    }

    /// The places of a row that are covered. Those right on an edge are covered by both triangles that share it, however it is rounded.
    pub(super) fn span(&self, row: f64) -> Range<usize> {
        const NEAR: f64 = 1e-7;
        let (mut first, mut last) = (0.0_f64, f64::MAX);
        for (edge, Crossing { slope, at_origin }) in self.edges.iter().zip(&self.crossings) {
            let crossing = slope * row + at_origin;
            if edge.x > 0.0 {
                first = first.max(crossing);
            } else if edge.x < 0.0 {
                last = last.min(crossing);
            } else if edge.in_row(row) < 0.0 {
                return 0..0;
            }
        }
        // The middle of a place is half of one from its beginning, and rounding up is rounding down one further on.
        let start = self.left.max(place_at(first + (0.5 - NEAR)));
        start..self.right.min(place_at(last + (0.5 + NEAR))).max(start)
    }

    pub(super) fn color_at(&self, weights: [f32; 3], paint: &Paint<'_>, light: Vec3) -> Vec4 {
        let [a, b, c] = self.aslant(weights);
        let mut normal = self.normal;
        if paint.is_shaded() {
            let [first, second, third] = self.normals;
            let mixed = (first * a + second * b + third * c).normalize_or_zero();
            // A surface that is seen from behind is lit there.
            normal = if mixed.dot(normal) < 0.0 { -mixed } else { mixed };
            if normal == Vec3::ZERO {
                normal = self.normal;
            }
        }
        let mixed = |[first, second, third]: [Vec4; 3]| first * a + second * b + third * c;
        let uvs = mixed(self.uvs);
        let spot = Spot {
            uv: uvs.xy(),
            light_uv: uvs.zw(),
            color: if self.is_plain { self.colors[0] } else { mixed(self.colors) },
            normal,
            halved: self.halved,
        };
        paint.at(&spot, light)
    }

    pub(super) fn alpha_at(&self, weights: [f32; 3], paint: &Paint<'_>) -> f32 {
        let [a, b, c] = self.aslant(weights);
        let mixed = |[first, second, third]: [Vec4; 3]| first * a + second * b + third * c;
        paint.alpha_at(mixed(self.uvs).xy(), mixed(self.colors), self.halved[0])
    }
}

/// The place at a distance from the edge of the canvas; beyond what there is it saturates.
const fn place_at(distance: f64) -> usize {
    distance as usize
}

pub(super) const fn single(value: f64) -> f32 {
    value as f32
}

/// How often the textures are halved, so that one to four of their pixels fall on a pixel of the picture: so many are mixed where it
/// is colored.
fn halvings(corners: &[Corner; 3], twice: f64, paint: &Paint<'_>) -> [usize; 2] {
    let [a, b, c] = corners;
    let areas =
        [(b.uv - a.uv).perp_dot(c.uv - a.uv), (b.light_uv - a.light_uv).perp_dot(c.light_uv - a.light_uv)];
    let mut out = [0_usize; 2];
    for ((halved, area), size) in out.iter_mut().zip(areas).zip(paint.sizes()) {
        let mut share = f64::from(area.abs()) * f64::from(size.x) * f64::from(size.y) / twice;
        while share > 1.0 && *halved < 16 {
            share *= 0.25;
            *halved += 1;
        }
    }
    out
}

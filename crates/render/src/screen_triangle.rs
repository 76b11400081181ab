//! Projected triangles: their edges on the canvas, and their color at a pixel.

use std::ops::Range;

use glam::{DVec2, Vec2, Vec3, Vec4, Vec4Swizzles};

use crate::camera::View;
use crate::shade::{Surface, SurfacePoint};
use crate::shape::{Corner, Shape, Triangle};
use scene::MaterialId;

/// A triangle on the canvas.
pub(super) struct ScreenTriangle {
    pub(super) material: Option<MaterialId>,
    /// For each corner: the coordinates on both textures, the color and the normal.
    uvs: [Vec4; 3],
    colors: [Vec4; 3],
    normals: [Vec3; 3],
    /// Reciprocal of the distance of each corner.
    pub(super) near: [f32; 3],
    edges: [Edge; 3],
    crossings: [Crossing; 3],
    /// Reciprocal of the distance, as a linear function of the position on the canvas.
    pub(super) nearness: Edge,
    /// Bounds of the pixels that may be covered.
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) top: usize,
    pub(super) bottom: usize,
    /// Mipmap level of each of the two textures.
    pub(super) mip_level: [usize; 2],
    /// Face normal, towards the camera.
    normal: Vec3,
    /// Twice the area in pixels, including parts outside of the canvas.
    pub(super) area: f64,
    /// Whether all corners have the same vertex color.
    is_plain: bool,
}

/// Edge function: the barycentric weight of the opposite corner, as a linear function of the position on the canvas.
#[derive(Clone, Copy, Default)]
pub(super) struct Edge {
    pub(super) x: f64,
    y: f64,
    at_origin: f64,
}

impl Edge {
    /// Returns the constant part of the function in a row.
    pub(super) fn in_row(self, y: f64) -> f64 {
        self.y * y + self.at_origin
    }
}

/// The position at which rows cross an edge.
#[derive(Clone, Copy, Default)]
pub(super) struct Crossing {
    slope: f64,
    at_origin: f64,
}

/// A triangle, clipped at the near plane into up to two triangles.
pub(super) type Pieces = [Option<ScreenTriangle>; MAX_PIECES];

pub(super) const MAX_PIECES: usize = 2;

/// Projects a triangle onto a canvas of the given width and height, unless it is a culled back face or off-screen.
/// Parts beyond the near plane are clipped.
pub(super) fn pieces_of(
    shape: &Shape,
    view: &View,
    surface: &Surface<'_>,
    triangle: &Triangle,
    size: [usize; 2],
) -> Pieces {
    let mut out = [None, None];
    let Some(corners) = shape.corners_of(triangle) else { return out };
    let [a, b, c] = corners.map(|corner| corner.position);
    let normal = (b - a).cross(c - a);
    let facing = normal.dot(view.direction_to_eye(a));
    let sees_back = facing <= 0.0;
    if sees_back && (view.is_room || !triangle.is_double) {
        return out;
    }
    let normal = if sees_back { -normal } else { normal }.normalize_or_zero();
    let seen = corners.map(|corner| Corner { position: view.camera_space(corner.position), ..*corner });
    let [first, second, third] = seen;
    let is_clipped = |corner: &Corner| corner.position.z < view.near;
    if !seen.iter().any(is_clipped) {
        out[0] = ScreenTriangle::of(triangle.material, seen, surface, view, size, normal);
        return out;
    }
    let mut kept: Vec<Corner> = Vec::with_capacity(4);
    for (from, to) in [(first, second), (second, third), (third, first)] {
        if !is_clipped(&from) {
            kept.push(from);
        }
        if is_clipped(&from) != is_clipped(&to) {
            let fraction = (view.near - from.position.z) / (to.position.z - from.position.z);
            kept.push(between(&from, &to, fraction));
        }
    }
    if let Some((first, rest)) = kept.split_first() {
        for (pair, out) in rest.windows(2).zip(&mut out) {
            if let [second, third] = pair {
                let corners = [*first, *second, *third];
                *out = ScreenTriangle::of(triangle.material, corners, surface, view, size, normal);
            }
        }
    }
    out
}

fn between(a: &Corner, b: &Corner, fraction: f32) -> Corner {
    Corner {
        position: a.position.lerp(b.position, fraction),
        normal: a.normal.lerp(b.normal, fraction),
        uv: a.uv.lerp(b.uv, fraction),
        light_uv: a.light_uv.lerp(b.light_uv, fraction),
        color: Vec4::from(a.color).lerp(b.color.into(), fraction).to_array(),
    }
}

impl ScreenTriangle {
    fn of(
        material: Option<MaterialId>,
        corners: [Corner; 3],
        surface: &Surface<'_>,
        view: &View,
        size: [usize; 2],
        normal: Vec3,
    ) -> Option<Self> {
        let [width, height] = size.map(|side| side as f32);
        let [tangent_x, tangent_y] = view.tangents;
        let position = |corner: Corner| {
            let Vec3 { x, y, z } = corner.position;
            Vec2::new((x / (z * tangent_x) + 1.0) * 0.5 * width, (1.0 - y / (z * tangent_y)) * 0.5 * height)
        };
        let positions = corners.map(position);
        let [a, b, c] = positions.map(Vec2::as_dvec2);
        let twice = (b - a).perp_dot(c - a);
        if !twice.is_finite() || twice == 0.0 {
            return None;
        }
        let edge = |from: DVec2, to: DVec2| Edge {
            x: (from.y - to.y) / twice,
            y: (to.x - from.x) / twice,
            at_origin: from.perp_dot(to) / twice,
        };
        let min = positions.into_iter().fold(Vec2::INFINITY, Vec2::min);
        let max = positions.into_iter().fold(Vec2::NEG_INFINITY, Vec2::max);
        if max.x < 0.0 || max.y < 0.0 || min.x >= width || min.y >= height {
            return None;
        }
        let end = |max: f32, size: usize| (max.ceil() as usize).min(size);
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
            left: min.x.floor() as usize,
            right: end(max.x, size[0]),
            top: min.y.floor() as usize,
            bottom: end(max.y, size[1]),
            mip_level: mip_levels(&corners, twice.abs(), surface),
            normal,
            area: twice.abs(),
            is_plain: corners.iter().all(|corner| corner.color == corners[0].color),
        })
    }

    /// Returns the barycentric weights of the three corners at a position on the canvas.
    pub(super) fn weights(&self, x: f64, y: f64) -> [f32; 3] {
        self.edges.map(|edge| single(edge.x * x + edge.in_row(y)).max(0.0))
    }

    /// Converts screen-space weights to perspective-correct weights on the triangle.
    fn perspective_correct(&self, weights: [f32; 3]) -> [f32; 3] {
        let ([near_a, near_b, near_c], [a, b, c]) = (self.near, weights);
        let (a, b, c) = (near_a * a, near_b * b, near_c * c);
        let scale = 1.0 / (a + b + c);
        [a * scale, b * scale, c * scale]
    }

    /// Returns the range of covered pixels in a row. Pixels exactly on an edge are covered by both triangles that
    /// share it, regardless of rounding.
    pub(super) fn span(&self, row: f64) -> Range<usize> {
        const TOLERANCE: f64 = 1e-7;
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
        // Pixel centers are offset by half a pixel, and rounding up is rounding down plus one.
        let start = self.left.max(pixel_at(first + (0.5 - TOLERANCE)));
        start..self.right.min(pixel_at(last + (0.5 + TOLERANCE))).max(start)
    }

    pub(super) fn color_at(&self, weights: [f32; 3], surface: &Surface<'_>, light: Vec3) -> Vec4 {
        let [a, b, c] = self.perspective_correct(weights);
        let mut normal = self.normal;
        if surface.is_shaded() {
            let [first, second, third] = self.normals;
            let mixed = (first * a + second * b + third * c).normalize_or_zero();
            // Both sides of a surface are lit.
            normal = if mixed.dot(normal) < 0.0 { -mixed } else { mixed };
            if normal == Vec3::ZERO {
                normal = self.normal;
            }
        }
        let mixed = |[first, second, third]: [Vec4; 3]| first * a + second * b + third * c;
        let uvs = mixed(self.uvs);
        let point = SurfacePoint {
            uv: uvs.xy(),
            light_uv: uvs.zw(),
            color: if self.is_plain { self.colors[0] } else { mixed(self.colors) },
            normal,
            mip_level: self.mip_level,
        };
        surface.at(&point, light)
    }

    pub(super) fn alpha_at(&self, weights: [f32; 3], surface: &Surface<'_>) -> f32 {
        let [a, b, c] = self.perspective_correct(weights);
        let mixed = |[first, second, third]: [Vec4; 3]| first * a + second * b + third * c;
        surface.alpha_at(mixed(self.uvs).xy(), mixed(self.colors), self.mip_level[0])
    }
}

/// Returns the pixel at a distance from the edge of the canvas; saturates outside of the canvas.
const fn pixel_at(distance: f64) -> usize {
    distance as usize
}

pub(super) const fn single(value: f64) -> f32 {
    value as f32
}

/// Returns the mipmap levels of the textures at which one to four texels correspond to a pixel, which are then
/// averaged.
fn mip_levels(corners: &[Corner; 3], twice: f64, surface: &Surface<'_>) -> [usize; 2] {
    let [a, b, c] = corners;
    let areas =
        [(b.uv - a.uv).perp_dot(c.uv - a.uv), (b.light_uv - a.light_uv).perp_dot(c.light_uv - a.light_uv)];
    let mut out = [0_usize; 2];
    for ((mip_level, area), size) in out.iter_mut().zip(areas).zip(surface.sizes()) {
        let mut fraction = f64::from(area.abs()) * f64::from(size.x) * f64::from(size.y) / twice;
        while fraction > 1.0 && *mip_level < 16 {
            fraction *= 0.25;
            *mip_level += 1;
        }
    }
    out
}

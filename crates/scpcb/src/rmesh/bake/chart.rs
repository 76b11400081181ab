//! Charts: the connected sections of a surface, and their flat layout in a baked texture.
//!
//! In a lightmap all surfaces of a room are packed together, so the triangles of one surface fill a few hundredths of their bounding
//! rectangle. Each chart is therefore cropped separately, and the charts of a surface are packed into textures.
//!
//! A chart keeps its shape from the lightmap, scaled to the density of its texture. If the lightmap's space differs from the
//! texture's own space only by one affine map (any flat wall), or if the chart has no area in the lightmap, the texture's own space
//! is used instead: then the texture's pixels are copied without another interpolation.

use std::collections::HashMap;

use glam::{DVec2, Vec3};

use super::super::groups::Groups;
use super::super::layout::Vertex;
use super::{MAX_PATCH, PATCH_SIDE};
use crate::number::index;

/// Game units per meter.
const UNITS: f64 = 256.0;

/// Size in lightmap pixels below which a chart has the same light across it.
const THIN: f64 = 0.02;

/// The corners of a triangle in both pictures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corners {
    pub(super) texture: [DVec2; 3],
    pub(super) lightmap: [DVec2; 3],
}

/// The vertices and valid triangles of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct SurfaceGeometry<'a> {
    pub(super) vertices: &'a [Vertex],
    /// Vertex indices, three per triangle.
    pub(super) indices: &'a [u32],
}

impl SurfaceGeometry<'_> {
    fn vertex(&self, index: usize) -> Vertex {
        self.vertices.get(index).copied().unwrap_or_default()
    }

    /// The triangles as vertex indices.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let (triangles, _) = self.indices.as_chunks::<3>();
        triangles.iter().map(|triangle| triangle.map(index))
    }

    /// One triangle as vertex indices.
    pub(super) fn triangle(&self, number: usize) -> [usize; 3] {
        let (triangles, _) = self.indices.as_chunks::<3>();
        triangles.get(number).copied().unwrap_or_default().map(index)
    }

    /// The area of a triangle in the room, in square meters.
    pub(super) fn square_meters(&self, triangle: [usize; 3]) -> f64 {
        let [a, b, c] =
            triangle.map(|index| Vec3::from_array(self.vertex(index).position).as_dvec3() / UNITS);
        (b - a).cross(c - a).length() / 2.0
    }

    pub(super) fn corners(&self, triangle: [usize; 3]) -> Corners {
        let vertices = triangle.map(|index| self.vertex(index));
        Corners {
            texture: vertices.map(|vertex| finite_or_zero(vertex.texture_uv)),
            lightmap: vertices.map(|vertex| finite_or_zero(vertex.lightmap_uv)),
        }
    }
}

/// Replaces non-finite coordinates with 0, as in the rest of the conversion.
pub(super) fn finite_or_zero(uv: [f32; 2]) -> DVec2 {
    let [u, v] = uv.map(|number| if number.is_finite() { f64::from(number) } else { 0.0 });
    DVec2::new(u, v)
}

/// The coordinate space of a chart's layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Texture,
    Lightmap,
}

/// A connected section of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chart {
    pub(super) space: Space,
    /// Bounding rectangle in that space.
    pub(super) low: DVec2,
    pub(super) high: DVec2,
    /// Pixels per unit of that space, at the full density of the texture.
    density: DVec2,
    /// Number of pixels that its triangles cover, at that density.
    pub(super) pixels: f64,
    /// Area in the room.
    pub(super) square_meters: f64,
    /// Width and height of the largest triangle's bounding rectangle in that space.
    largest: DVec2,
    /// Scale factor at which it has the resolution of the lightmap.
    pub(super) of_lightmap: f64,
    /// Additional scale factor, for a chart without visible [detail](super::detail).
    pub(super) reduction: f64,
    /// The mean squared difference that the additional factor makes.
    pub(super) loss: f64,
}

/// Steps per octave of scale: four steps halve the sides, so that few copies of each texture are needed.
const STEPS: f64 = 4.0;

/// Maximum number of steps. It reduces the extremes of single precision, in both pictures at once, to less than a pixel.
const MAX_STEPS: f64 = 4000.0;

impl Chart {
    /// The scale factor of the chart, so that it has at most about `per_meter` pixels per meter, and its largest triangle fits
    /// into a texture.
    pub(super) fn factor(&self, per_meter: f64) -> f64 {
        let full = (self.pixels / self.square_meters).sqrt();
        let steps = |factor: f64| -factor.log2() * STEPS;
        // NaN without an area, when nothing of the chart is visible.
        let by_density = if full.is_nan() { 0.0 } else { steps(per_meter / full).min(MAX_STEPS).round() };
        let largest = self.largest * self.density;
        let too_long = largest.max_element() / PATCH_SIDE;
        let too_large = (largest.element_product() / MAX_PATCH).sqrt();
        let by_size = steps(1.0 / too_long.max(too_large)).ceil();
        (-by_density.max(by_size).clamp(0.0, MAX_STEPS) / STEPS).exp2()
    }

    /// Counts a chart without area as a line of pixels.
    fn with_lines(self) -> Self {
        let length = ((self.high - self.low) * self.density).max_element();
        Self { pixels: self.pixels.max(length), ..self }
    }

    /// Pixels per unit of its space when the texture is scaled by a factor.
    pub(super) fn scale(&self, factor: f64) -> DVec2 {
        match self.space {
            Space::Texture => reduced(self.density, factor),
            Space::Lightmap => self.density * factor,
        }
    }

    /// Selects the coordinates of a corner in the space of the chart.
    pub(super) fn location(&self, texture: DVec2, lightmap: DVec2) -> DVec2 {
        match self.space {
            Space::Texture => texture,
            Space::Lightmap => lightmap,
        }
    }

    /// Selects the corners of a triangle in the space of the chart.
    pub(super) fn corners(&self, corners: Corners) -> [DVec2; 3] {
        match self.space {
            Space::Texture => corners.texture,
            Space::Lightmap => corners.lightmap,
        }
    }
}

/// The size of a texture scaled by a factor, rounded down to integers unless it is tiny.
pub(super) fn reduced(size: DVec2, factor: f64) -> DVec2 {
    let exact = size * factor;
    if factor < 1.0 && exact.min_element() >= 8.0 { exact.floor() } else { exact }
}

/// The charts of a surface.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Charts {
    pub(super) list: Vec<Chart>,
    /// The chart of each vertex; `None` if no triangle uses the vertex.
    pub(super) of_vertex: Vec<Option<usize>>,
}

impl Charts {
    /// Finds the charts of a surface whose texture and lightmap have these sizes.
    pub(super) fn find(geometry: SurfaceGeometry<'_>, texture: DVec2, lightmap: DVec2) -> Self {
        Self::by(geometry, &connected(geometry), texture, lightmap)
    }

    /// The entire surface as one chart.
    pub(super) fn single(geometry: SurfaceGeometry<'_>, texture: DVec2, lightmap: DVec2) -> Self {
        Self::by(geometry, &vec![0; geometry.vertices.len()], texture, lightmap)
    }

    /// Builds the charts. `group` has the same number for all vertices of a chart.
    fn by(geometry: SurfaceGeometry<'_>, group: &[usize], texture: DVec2, lightmap: DVec2) -> Self {
        let mut of_vertex = vec![None; geometry.vertices.len()];
        let mut known = HashMap::new();
        let mut measures: Vec<Measure> = Vec::new();
        for triangle in geometry.triangles() {
            let [first, ..] = triangle;
            let chart = *known.entry(group.get(first).copied()).or_insert_with(|| {
                measures.push(Measure::default());
                measures.len().saturating_sub(1)
            });
            if let Some(measure) = measures.get_mut(chart) {
                measure.add(geometry.corners(triangle), texture);
                measure.square_meters += geometry.square_meters(triangle);
            }
            for vertex in triangle {
                if let Some(location) = of_vertex.get_mut(vertex) {
                    *location = Some(chart);
                }
            }
        }
        for triangle in geometry.triangles() {
            let [first, ..] = triangle;
            let chart = of_vertex.get(first).copied().flatten();
            if let Some(measure) = chart.and_then(|chart| measures.get_mut(chart)) {
                measure.compare(geometry.corners(triangle), texture);
            }
        }
        let list = measures.iter().map(|measure| measure.chart(texture, lightmap)).collect();
        Self { list, of_vertex }
    }
}

/// For each vertex, the first vertex it is connected to: through triangles, and through vertices with the same position in the room
/// and in both pictures.
fn connected(geometry: SurfaceGeometry<'_>) -> Vec<usize> {
    let mut groups = Groups::new(geometry.vertices.len());
    let mut known = HashMap::new();
    for triangle in geometry.triangles() {
        let [first, ..] = triangle;
        for vertex in triangle {
            groups.join(first, vertex);
            let Vertex { position: [x, y, z], texture_uv: [s, t], lightmap_uv: [u, v], .. } =
                geometry.vertex(vertex);
            // Adding 0 turns negative zero into zero.
            let location = [x, y, z, s, t, u, v].map(|number| (number + 0.0).to_bits());
            groups.join(*known.entry(location).or_insert(vertex), vertex);
        }
    }
    (0..geometry.vertices.len()).map(|vertex| groups.first(vertex)).collect()
}

/// Measurements of a chart.
#[derive(Debug, Clone, Copy)]
struct Measure {
    lightmap: Bounds,
    texture: Bounds,
    /// Sizes of the largest triangles.
    largest_in_lightmap: DVec2,
    largest_in_texture: DVec2,
    /// Area in the room, and the triangles' area in the texture.
    square_meters: f64,
    texture_area: f64,
    /// Area in the lightmap, and the number of texture pixels along its two axes, weighted by that area.
    area: f64,
    stretch: DVec2,
    /// Area of the largest triangle in the lightmap.
    largest: f64,
    map: Affine,
    /// Maximum distance of a corner from its position by that triangle's map, in texture pixels.
    error: f64,
}

impl Default for Measure {
    fn default() -> Self {
        Self {
            lightmap: Bounds::NOTHING,
            texture: Bounds::NOTHING,
            largest_in_lightmap: DVec2::ZERO,
            largest_in_texture: DVec2::ZERO,
            square_meters: 0.0,
            texture_area: 0.0,
            area: 0.0,
            stretch: DVec2::ZERO,
            largest: 0.0,
            map: Affine::default(),
            error: 0.0,
        }
    }
}

impl Measure {
    fn add(&mut self, corners: Corners, texture: DVec2) {
        self.lightmap.add(corners.lightmap);
        self.texture.add(corners.texture);
        self.largest_in_lightmap = self.largest_in_lightmap.max(Bounds::of(corners.lightmap).size());
        self.largest_in_texture = self.largest_in_texture.max(Bounds::of(corners.texture).size());
        let [a, b, c] = corners.texture;
        self.texture_area += (b - a).perp_dot(c - a).abs() / 2.0;
        let Some((map, area)) = Affine::between(corners.lightmap, corners.texture.map(|at| at * texture))
        else {
            return;
        };
        self.area += area;
        self.stretch += DVec2::new(map.x.length(), map.y.length()) * area;
        if area > self.largest {
            (self.largest, self.map) = (area, map);
        }
    }

    fn compare(&mut self, corners: Corners, texture: DVec2) {
        for (from, to) in corners.lightmap.into_iter().zip(corners.texture) {
            self.error = self.error.max(self.map.at(from).distance(to * texture));
        }
    }

    fn chart(&self, texture: DVec2, lightmap: DVec2) -> Chart {
        let stretch = if self.area > 0.0 { self.stretch / self.area } else { DVec2::ZERO };
        // The density of the lightmap is the minimum, because the light can have finer detail than the texture.
        let density = stretch.max(lightmap);
        let of_lightmap = (lightmap / density).max_element();
        let by_light = Chart {
            space: Space::Lightmap,
            low: self.lightmap.low,
            high: self.lightmap.high,
            density,
            pixels: self.area * density.element_product(),
            square_meters: self.square_meters,
            largest: self.largest_in_lightmap,
            of_lightmap,
            reduction: 1.0,
            loss: 0.0,
        };
        let by_texture = Chart {
            space: Space::Texture,
            low: self.texture.low,
            high: self.texture.high,
            density: texture,
            pixels: self.texture_area * texture.element_product(),
            largest: self.largest_in_texture,
            ..by_light
        };
        let [by_light, by_texture] = [by_light, by_texture].map(Chart::with_lines);
        let (light_size, texture_size) = (self.lightmap.size() * lightmap, self.texture.size() * texture);
        let own = if light_size.min_element() < THIN {
            texture_size.min_element() >= 1.0
        } else {
            let fine = self.map.x.length() >= 0.99 * lightmap.x && self.map.y.length() >= 0.99 * lightmap.y;
            let bounds = by_light.density * self.lightmap.size();
            self.error <= 0.5
                && fine
                && self.map.is_square()
                && texture_size.element_product() <= 1.2 * bounds.element_product()
        };
        if own { by_texture } else { by_light }
    }
}

/// An axis-aligned rectangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) low: DVec2,
    pub(super) high: DVec2,
}

impl Bounds {
    pub(super) const NOTHING: Self = Self { low: DVec2::INFINITY, high: DVec2::NEG_INFINITY };

    fn of(corners: [DVec2; 3]) -> Self {
        let mut bounds = Self::NOTHING;
        bounds.add(corners);
        bounds
    }

    pub(super) fn add(&mut self, corners: [DVec2; 3]) {
        for corner in corners {
            (self.low, self.high) = (self.low.min(corner), self.high.max(corner));
        }
    }

    pub(super) fn size(&self) -> DVec2 {
        self.high - self.low
    }
}

/// `at = origin + x * from.x + y * from.y`.
#[derive(Debug, Clone, Copy, Default)]
struct Affine {
    origin: DVec2,
    x: DVec2,
    y: DVec2,
}

impl Affine {
    /// The map from the corners of one triangle to those of another, and the area of the first; `None` if it has no area.
    fn between(from: [DVec2; 3], to: [DVec2; 3]) -> Option<(Self, f64)> {
        let ([p, q, r], [a, b, c]) = (from, to);
        let (right, down) = (q - p, r - p);
        let area = right.perp_dot(down);
        let (along, aside) = (b - a, c - a);
        let x = (along * down.y - aside * right.y) / area;
        let y = (aside * right.x - along * down.x) / area;
        let map = Self { origin: a - x * p.x - y * p.y, x, y };
        (area != 0.0 && map.origin.is_finite() && x.is_finite() && y.is_finite())
            .then_some((map, area.abs() / 2.0))
    }

    fn at(&self, from: DVec2) -> DVec2 {
        self.origin + self.x * from.x + self.y * from.y
    }

    /// Whether a square stays approximately square, without strong shear.
    fn is_square(&self) -> bool {
        self.x.perp_dot(self.y).abs() >= 0.5 * self.x.length() * self.y.length()
    }
}

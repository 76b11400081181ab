//! Unwrapping of triangles: non-overlapping charts, placed on pages.
//!
//! Connected triangles with similar normals become a [chart](grow), projected along the normal. No two triangles of a
//! chart overlap: a triangle that would overlap starts a new chart. The outermost edges of a chart run through the
//! centers of texels, so that the edges of two charts that meet in a corner get the same light. Each chart is
//! surrounded by [`PADDING`]; charts are [packed](pack) into pages whose sides are powers of two, and those of a
//! group are next to each other.

mod flat;
mod grow;
mod pack;
#[cfg(test)]
mod tests;

use glam::{Vec2, Vec3A};
use record::{Error, Result};

use flat::FlatChart;

/// Number of texels around each chart that belong to no other chart.
pub const PADDING: u32 = 2;

/// A triangle to be unwrapped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// The corners, counter-clockwise from the front in right-handed axes. They must be finite.
    pub corners: [Vec3A; 3],
    /// Group of the triangle. A chart only contains triangles of one group.
    pub group: u32,
}

impl Facet {
    /// Returns the unit normal of the front; zero if the triangle has no area.
    #[must_use]
    pub fn normal(&self) -> Vec3A {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a).normalize_or_zero()
    }

    /// Returns the area.
    #[must_use]
    pub fn area(&self) -> f32 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a).length() / 2.0
    }
}

/// Parameters of unwrapping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// Texels per unit of length.
    pub density: f32,
    /// Maximum width and height of a page in texels; a power of two.
    pub side: u32,
    /// Limits the total number of texels to this number of pages with the maximum size.
    pub pages: u32,
}

/// The width and height of a page in texels.
pub type PageSize = [u32; 2];

/// The placement of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Index of the page.
    pub page: usize,
    /// Index of the chart, counted across all pages.
    pub chart: usize,
    /// The corners in texels from the top left corner of the page.
    pub corners: [Vec2; 3],
}

/// The result of unwrapping.
#[derive(Debug, Clone, PartialEq)]
pub struct Unwrapped {
    /// Sizes of the pages.
    pub pages: Vec<PageSize>,
    /// Number of charts.
    pub charts: usize,
    /// Number of charts that were scaled down because they are longer than a page.
    pub reduced: usize,
    /// Placement of each triangle; `None` for a triangle without area.
    pub placements: Vec<Option<Placement>>,
    /// Texels per unit of length; less than requested if that needed too many texels.
    pub density: f32,
}

/// Maximum number of attempts with decreasing density.
const ATTEMPTS: u32 = 12;

/// Unwraps triangles.
///
/// # Errors
/// If there are too many charts to fit, even at a low density.
pub fn unwrap(facets: &[Facet], layout: Layout) -> Result<Unwrapped> {
    let available =
        u64::from(layout.side).saturating_mul(layout.side.into()).saturating_mul(layout.pages.into());
    let mut density = layout.density.max(f32::MIN_POSITIVE);
    for _ in 0..ATTEMPTS {
        let charts = charts(facets, density, layout.side);
        let area = |[width, height]: PageSize| u64::from(width) * u64::from(height);
        let sizes: Vec<PageSize> = charts.iter().map(|chart| outer(chart.size)).collect();
        let taken = sizes.iter().map(|size| area(*size)).fold(0, u64::saturating_add);
        let factor = if taken <= available {
            let pages = pack::pack(&sizes, layout.side);
            let texels = pages.iter().map(|page| area(page.size)).fold(0, u64::saturating_add);
            if texels <= available {
                return Ok(placed(facets, &charts, &pages, density));
            }
            0.9
        } else {
            // The padding of small charts does not shrink with the density.
            (ratio(available, taken).sqrt() * 0.95).clamp(0.05, 0.95)
        };
        density *= factor;
    }
    Err(Error::limit(format!(
        "the surfaces consist of too many separate parts: they do not fit into {} pages of {} x {} texels",
        layout.pages, layout.side, layout.side
    )))
}

fn ratio(one: u64, other: u64) -> f32 {
    let small = |number: u64| u32::try_from(number >> 8).unwrap_or(u32::MAX) as f32;
    small(one) / small(other).max(1.0)
}

/// Returns a size including padding.
fn outer(size: PageSize) -> PageSize {
    size.map(|side| side + 2 * PADDING)
}

fn charts(facets: &[Facet], density: f32, side: u32) -> Vec<FlatChart> {
    let widest = side.saturating_sub(2 * PADDING).max(2);
    grow::charts(facets, density, widest as f32).into_iter().map(|chart| chart.flatten(widest)).collect()
}

/// Translates the triangles to their placements on the pages.
fn placed(facets: &[Facet], charts: &[FlatChart], pages: &[pack::Page], density: f32) -> Unwrapped {
    let mut placements = vec![None; facets.len()];
    for (page, packed) in pages.iter().enumerate() {
        for (chart, corner) in &packed.placements {
            let origin = Vec2::from_array(corner.map(|side| (side + PADDING) as f32));
            for (facet, corners) in &charts[*chart].triangles {
                let corners = corners.map(|corner| corner + origin);
                placements[*facet as usize] = Some(Placement { page, chart: *chart, corners });
            }
        }
    }
    let sizes = pages.iter().map(|page| page.size).collect();
    let reduced = charts.iter().filter(|chart| chart.is_reduced).count();
    Unwrapped { pages: sizes, charts: charts.len(), reduced, placements, density }
}

/// Converts a length to a number of texels, rounded.
fn texels(length: f32) -> u32 {
    (length.clamp(0.0, 1e9) + 0.5) as u32
}

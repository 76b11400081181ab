//! Triangles spread out flat: charts without overlap, each at its place in a page.
//!
//! Triangles that are connected and face about the same way become a [chart](grow), laid flat as seen from its front. No two triangles of a chart
//! overlap: one that would begins a chart of its own. The outermost edges of a chart lie on the middle of texels, so that light at the edges
//! of two charts that meet in a corner is the light of that corner. Around each chart is [`PADDING`]; charts are [packed](pack) into pages whose
//! sides are powers of two, those of a group next to each other.

mod flat;
mod grow;
mod pack;
#[cfg(test)]
mod tests;

use glam::{Vec2, Vec3A};
use record::{Error, Result};

use flat::FlatChart;

/// Texels around each chart that belong to no other.
pub const PADDING: u32 = 2;

/// A triangle to spread out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// Its corners, counter-clockwise from the front in right-handed axes. Must be finite.
    pub corners: [Vec3A; 3],
    /// Only triangles of the same group are in one chart.
    pub group: u32,
}

impl Facet {
    /// The direction of its front, of length 1; 0 where it has no area.
    #[must_use]
    pub fn normal(&self) -> Vec3A {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a).normalize_or_zero()
    }

    /// Its area.
    #[must_use]
    pub fn area(&self) -> f32 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a).length() / 2.0
    }
}

/// How triangles are spread out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// Texels along a side for each unit of length.
    pub density: f32,
    /// The sides of a page have no more texels; a power of two.
    pub side: u32,
    /// All pages together have no more texels than that many pages of that side.
    pub pages: u32,
}

/// The width and the height of a page, in texels.
pub type PageSize = [u32; 2];

/// Where a triangle lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The number of the page.
    pub page: usize,
    /// The number of the chart, counted through all pages.
    pub chart: usize,
    /// Its corners in texels from the top left corner of the page.
    pub corners: [Vec2; 3],
}

/// Triangles spread out flat.
#[derive(Debug, Clone, PartialEq)]
pub struct Unwrapped {
    /// The sizes of the pages.
    pub pages: Vec<PageSize>,
    /// How many charts there are.
    pub charts: usize,
    /// How many of them were made smaller because they are longer than a page.
    pub reduced: usize,
    /// Where each triangle lies; `None` for one without area.
    pub places: Vec<Option<Place>>,
    /// Texels for each unit of length: less than was asked for where that was too much.
    pub density: f32,
}

/// So often less density is tried.
const ATTEMPTS: u32 = 12;

/// Spreads triangles out.
///
/// # Errors
/// When there are so many charts that they do not fit, however small.
pub fn unwrap(facets: &[Facet], layout: Layout) -> Result<Unwrapped> {
    let most = u64::from(layout.side).saturating_mul(layout.side.into()).saturating_mul(layout.pages.into());
    let mut density = layout.density.max(f32::MIN_POSITIVE);
    for _ in 0..ATTEMPTS {
        let charts = charts(facets, density, layout.side);
        let area = |[width, height]: PageSize| u64::from(width) * u64::from(height);
        let sizes: Vec<PageSize> = charts.iter().map(|chart| outer(chart.size)).collect();
        let taken = sizes.iter().map(|size| area(*size)).fold(0, u64::saturating_add);
        let fewer = if taken <= most {
            let pages = pack::pack(&sizes, layout.side);
            let texels = pages.iter().map(|page| area(page.size)).fold(0, u64::saturating_add);
            if texels <= most {
                return Ok(placed(facets, &charts, &pages, density));
            }
            0.9
        } else {
            // The padding of small charts does not become less.
            (share(most, taken).sqrt() * 0.95).clamp(0.05, 0.95)
        };
        density *= fewer;
    }
    Err(Error::limit(format!(
        "the surfaces consist of too many separate parts: they do not fit into {} pages of {} x {} texels",
        layout.pages, layout.side, layout.side
    )))
}

fn share(one: u64, other: u64) -> f32 {
    let small = |number: u64| u32::try_from(number >> 8).unwrap_or(u32::MAX) as f32;
    small(one) / small(other).max(1.0)
}

/// A size with the padding around it.
fn outer(size: PageSize) -> PageSize {
    size.map(|side| side + 2 * PADDING)
}

fn charts(facets: &[Facet], density: f32, side: u32) -> Vec<FlatChart> {
    let widest = side.saturating_sub(2 * PADDING).max(2);
    grow::charts(facets, density, widest as f32).into_iter().map(|chart| chart.flat(widest)).collect()
}

/// The triangles at their places in the pages.
fn placed(facets: &[Facet], charts: &[FlatChart], pages: &[pack::Page], density: f32) -> Unwrapped {
    let mut places = vec![None; facets.len()];
    for (page, packed) in pages.iter().enumerate() {
        for (chart, corner) in &packed.places {
            let origin = Vec2::from_array(corner.map(|side| (side + PADDING) as f32));
            for (facet, corners) in &charts[*chart].triangles {
                let corners = corners.map(|corner| corner + origin);
                places[*facet as usize] = Some(Place { page, chart: *chart, corners });
            }
        }
    }
    let sizes = pages.iter().map(|page| page.size).collect();
    let reduced = charts.iter().filter(|chart| chart.is_reduced).count();
    Unwrapped { pages: sizes, charts: charts.len(), reduced, places, density }
}

/// The number of texels of a length, rounded.
fn texels(length: f32) -> u32 {
    (length.clamp(0.0, 1e9) + 0.5) as u32
}

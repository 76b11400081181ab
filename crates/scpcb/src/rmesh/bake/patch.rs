//! Patches: charts in pixels, cut between triangles if a chart is too large for one texture.
//!
//! All patches of a chart share one pixel grid. So both patches have the same pixels along a cut, and no seam is visible.

use glam::DVec2;

use super::atlas::Slot;
use super::chart::{Bounds, Chart, Charts, SurfaceGeometry};
use super::{MAX_PATCH, PATCH_SIDE};
use crate::number::{double, truncate};

/// A chart, or a section of one, in pixels: `pixel = coordinates * scale - origin`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Patch {
    /// Index of its chart.
    pub(super) chart: usize,
    /// Scale factor of the texture, at most 1.
    pub(super) factor: f64,
    pub(super) scale: DVec2,
    /// The grid pixel at its top left.
    pub(super) origin: DVec2,
    /// Width and height in pixels.
    pub(super) size: [u32; 2],
    /// Indices of its triangles.
    pub(super) triangles: Vec<usize>,
}

/// The grid pixels that a rectangle covers: the first one, and the width and height.
fn grid(bounds: &Bounds, scale: DVec2) -> (DVec2, [u32; 2]) {
    let origin = (bounds.low * scale).floor();
    let size = ((bounds.high * scale).ceil() - origin).clamp(DVec2::ONE, DVec2::splat(PATCH_SIDE + 2.0));
    (origin, size.to_array().map(truncate))
}

/// Whether a rectangle fits into a texture.
fn fits(bounds: &Bounds, scale: DVec2) -> bool {
    let size = bounds.size() * scale;
    size.max_element() <= PATCH_SIDE && size.element_product() <= MAX_PATCH
}

/// The approximate number of pixels of a chart with margins, at a limit of `per_meter` pixels per meter.
pub(super) fn area(chart: &Chart, per_meter: f64) -> f64 {
    let scale = chart.scale(chart.factor(per_meter));
    let bounds = Bounds { low: chart.low, high: chart.high };
    if fits(&bounds, scale) {
        let (_, size) = grid(&bounds, scale);
        double(Slot::around(size).area())
    } else {
        (bounds.size() * scale).element_product()
    }
}

/// The patches of all charts of a surface.
pub(super) fn of_surface(geometry: SurfaceGeometry<'_>, charts: &Charts, per_meter: f64) -> Vec<Patch> {
    let mut triangles: Vec<Vec<usize>> = vec![Vec::new(); charts.list.len()];
    for (number, [first, ..]) in geometry.triangles().enumerate() {
        let chart = charts.of_vertex.get(first).copied().flatten();
        if let Some(list) = chart.and_then(|chart| triangles.get_mut(chart)) {
            list.push(number);
        }
    }
    let mut patches = Vec::with_capacity(charts.list.len());
    for (number, (chart, triangles)) in charts.list.iter().zip(triangles).enumerate() {
        let factor = chart.factor(per_meter) * chart.reduction;
        let cutter = Cutter { geometry, chart, scale: chart.scale(factor) };
        for triangles in cutter.cut(triangles) {
            let (origin, size) = grid(&cutter.bounds(&triangles), cutter.scale);
            patches.push(Patch { chart: number, factor, scale: cutter.scale, origin, size, triangles });
        }
    }
    patches
}

/// Cuts a chart into sections that fit into a texture.
struct Cutter<'a> {
    geometry: SurfaceGeometry<'a>,
    chart: &'a Chart,
    scale: DVec2,
}

impl Cutter<'_> {
    fn corners(&self, triangle: usize) -> [DVec2; 3] {
        self.chart.corners(self.geometry.corners(self.geometry.triangle(triangle)))
    }

    fn bounds(&self, triangles: &[usize]) -> Bounds {
        let mut bounds = Bounds::NOTHING;
        triangles.iter().for_each(|triangle| bounds.add(self.corners(*triangle)));
        bounds
    }

    /// Halves oversized sections at the middle of their longer side, until each fits or has one triangle.
    fn cut(&self, triangles: Vec<usize>) -> Vec<Vec<usize>> {
        let (mut pending, mut done) = (vec![triangles], Vec::new());
        while let Some(triangles) = pending.pop() {
            let bounds = self.bounds(&triangles);
            if triangles.len() < 2 || fits(&bounds, self.scale) {
                done.push(triangles);
                continue;
            }
            let size = bounds.size() * self.scale;
            let is_wide = size.x >= size.y;
            let along = |at: DVec2| if is_wide { at.x } else { at.y };
            let middle = along(bounds.low + bounds.size() / 2.0);
            let center = |triangle: &usize| {
                let [a, b, c] = self.corners(*triangle);
                along(a / 3.0 + b / 3.0 + c / 3.0)
            };
            let (mut low, mut high): (Vec<_>, Vec<_>) =
                triangles.into_iter().partition(|triangle| center(triangle) < middle);
            if low.is_empty() || high.is_empty() {
                low.append(&mut high);
                high = low.split_off(low.len() >> 1);
            }
            pending.extend([high, low]);
        }
        done
    }
}

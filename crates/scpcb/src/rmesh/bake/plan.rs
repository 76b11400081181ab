//! The density of a room's baked textures, and the contents of each texture.
//!
//! The perceived sharpness of a wall depends on its pixels per meter. So all surfaces of a room have the same number of them,
//! unless their
//! texture has fewer.

use super::BakeInput;
use super::atlas::{Atlas, Slot};
use super::chart::Charts;
use super::patch::{self, Patch};
use crate::number::double;

/// Default: a room keeps its full density if that takes at most this many pixels, margins included.
const SMALL_ROOM: f64 = 12.0 * 1024.0 * 1024.0;

/// Default: the minimum number of pixels per meter of a surface, unless its texture has fewer.
const LEAST_PER_METER: f64 = 128.0;

/// Default maximum number of pixels of all baked textures of a room, 512 MiB in a viewer's memory.
const ROOM: f64 = 128.0 * 1024.0 * 1024.0;

/// Maximum number of pixels of all baked textures of a room: 2 GiB in a viewer's memory.
const MAX_ROOM: f64 = 512.0 * 1024.0 * 1024.0;

/// Pixels per meter beyond the density of any texture.
const FULL: f64 = 1e9;

/// Pixels per meter at which each chart has only a few pixels in total, regardless of the coordinates in the room.
const COARSEST: f64 = 1e-60;

/// Limits on the pixels of a room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limits {
    /// Pixels per meter that all surfaces may have, regardless of the size of the room.
    pub(super) per_meter: f64,
    /// Total number of pixels up to which the density may be higher.
    pub(super) small_room: f64,
    /// Maximum total number of pixels.
    pub(super) room: f64,
}

impl Limits {
    /// The limits for a number of pixels per meter, or the default limits.
    pub(super) fn new(per_meter: Option<f64>) -> Self {
        match per_meter {
            Some(per_meter) => Self { per_meter, small_room: 0.0, room: MAX_ROOM },
            None => Self { per_meter: LEAST_PER_METER, small_room: SMALL_ROOM, room: ROOM },
        }
    }
}

/// The textures of a room.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) surfaces: Vec<PlannedSurface>,
    /// Maximum number of pixels per meter.
    pub(super) per_meter: f64,
    /// Number of pixels that the textures would have without [`Limits::room`]; `None` if that limit is not exceeded.
    pub(super) too_many: Option<f64>,
}

/// The textures of a surface.
#[derive(Debug)]
pub(super) struct PlannedSurface {
    pub(super) charts: Charts,
    pub(super) pages: Vec<Page>,
    /// Density relative to the texture: 1 if each pixel of the texture becomes one baked pixel.
    pub(super) density: f64,
}

/// A texture of a surface.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) patches: Vec<(Patch, Slot)>,
}

impl Plan {
    /// Distributes the pixels of a room among its surfaces. `reduce` may [reduce](super::detail) the charts of a surface, given its
    /// number and the pixels per meter.
    pub(super) fn new(
        inputs: &[BakeInput<'_>],
        limits: Limits,
        reduce: impl Fn(usize, &mut Charts, f64),
    ) -> Self {
        // The smallest slot has 64 pixels; margins should take less than a quarter of all pixels.
        let most_charts =
            limits.room / 256.0 / double(u64::try_from(inputs.len()).unwrap_or(u64::MAX)).max(1.0);
        let charts: Vec<Charts> = inputs.iter().map(|input| input.charts(most_charts)).collect();
        let area = |per_meter: f64| {
            charts
                .iter()
                .flat_map(|charts| &charts.list)
                .map(|chart| patch::area(chart, per_meter))
                .sum::<f64>()
        };
        let mut per_meter = limits.per_meter.max(densest(limits.small_room, &area));
        let wanted = area(per_meter);
        let too_many = (wanted > limits.room).then_some(wanted);
        if too_many.is_some() {
            per_meter = densest(limits.room, &area);
        }
        let surface = |(number, (input, mut charts)): (usize, (&BakeInput<'_>, Charts))| {
            reduce(number, &mut charts, per_meter);
            PlannedSurface::new(input, charts, per_meter)
        };
        let surfaces = inputs.iter().zip(charts).enumerate().map(surface).collect();
        Self { surfaces, per_meter, too_many }
    }

    /// The share of the room's area that has fewer pixels because it has no visible detail, and the root mean square of the differences
    /// in it.
    pub(super) fn reduced(&self) -> (f64, f64) {
        let charts = self.surfaces.iter().flat_map(|surface| &surface.charts.list);
        let (mut all, mut reduced, mut loss) = (0.0, 0.0, 0.0);
        for chart in charts {
            all += chart.square_meters;
            if chart.reduction < 1.0 {
                reduced += chart.square_meters;
                loss += chart.loss * chart.square_meters;
            }
        }
        if reduced > 0.0 { (reduced / all, (loss / reduced).sqrt()) } else { (0.0, 0.0) }
    }

    /// The average density over the room's area, where 1 is the full density of the textures.
    pub(super) fn density(&self) -> f64 {
        let charts = self.surfaces.iter().flat_map(|surface| &surface.charts.list);
        let (sum, area) = charts.fold((0.0, 0.0), |(sum, area), chart| {
            (sum + chart.factor(self.per_meter) * chart.square_meters, area + chart.square_meters)
        });
        if area > 0.0 { sum / area } else { 1.0 }
    }
}

/// The highest number of pixels per meter at which all charts together have at most `pixels` pixels.
fn densest(pixels: f64, area: &impl Fn(f64) -> f64) -> f64 {
    if area(FULL) <= pixels {
        return FULL;
    }
    let (mut fits, mut too_dense) = (COARSEST, FULL);
    // Accurate to 1%.
    while too_dense / fits > 1.01 {
        let middle = (fits * too_dense).sqrt();
        if area(middle) <= pixels {
            fits = middle;
        } else {
            too_dense = middle;
        }
    }
    fits
}

impl BakeInput<'_> {
    /// The charts of the surface, or the entire surface as one chart if there are more than `most`.
    fn charts(&self, most: f64) -> Charts {
        let charts = Charts::find(self.geometry, self.texture, self.lightmap);
        if double(u64::try_from(charts.list.len()).unwrap_or(u64::MAX)) > most {
            return Charts::single(self.geometry, self.texture, self.lightmap);
        }
        charts
    }
}

impl PlannedSurface {
    fn new(input: &BakeInput<'_>, charts: Charts, per_meter: f64) -> Self {
        let patches = patch::of_surface(input.geometry, &charts, per_meter);
        let slots: Vec<Slot> = patches.iter().map(|patch| Slot::around(patch.size)).collect();
        let mut patches: Vec<Option<Patch>> = patches.into_iter().map(Some).collect();
        let mut page = |atlas: Atlas| {
            let mut take = |(number, slot): (usize, Slot)| Some((patches.get_mut(number)?.take()?, slot));
            let patches = atlas.slots.into_iter().filter_map(&mut take).collect();
            Page { width: atlas.width, height: atlas.height, patches }
        };
        let pages = Atlas::pack(&slots).into_iter().map(&mut page).collect();
        let density = density(&charts, per_meter);
        Self { charts, pages, density }
    }
}

/// The number of drawn pixels per side, relative to full density.
fn density(charts: &Charts, per_meter: f64) -> f64 {
    let seen = charts.list.iter().filter(|chart| chart.square_meters > 0.0);
    let (full, drawn) = seen.fold((0.0, 0.0), |(full, drawn), chart| {
        (full + chart.pixels, drawn + chart.pixels * chart.factor(per_meter).powi(2))
    });
    if full > 0.0 { (drawn / full).sqrt() } else { 1.0 }
}

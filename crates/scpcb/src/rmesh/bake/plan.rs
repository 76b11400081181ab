//! How dense the baked textures of a room are, and what lies in which texture.
//!
//! What one sees of a wall depends on its pixels per meter. So all surfaces of a room have the same number of them, unless their
//! texture has fewer.

use super::Part;
use super::atlas::{Atlas, Slot};
use super::chart::Charts;
use super::patch::{self, Patch};
use crate::number::double;

/// If the user does not say: a room keeps its full density if that takes no more pixels than this, margins included.
const SMALL_ROOM: f64 = 12.0 * 1024.0 * 1024.0;

/// If the user does not say: no surface gets fewer pixels per meter than this, unless its texture has fewer.
const LEAST_PER_METER: f64 = 128.0;

/// Pixels of all baked textures of a room if the user does not say, 512 MiB in a viewer's memory.
const ROOM: f64 = 128.0 * 1024.0 * 1024.0;

/// Pixels of all baked textures of a room, at most: 2 GiB in a viewer's memory.
const MAX_ROOM: f64 = 512.0 * 1024.0 * 1024.0;

/// More pixels per meter than any texture has.
const FULL: f64 = 1e9;

/// With so few pixels per meter each chart is a few pixels in all, however large the numbers of the room.
const COARSEST: f64 = 1e-60;

/// How many pixels a room may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limits {
    /// A density that all surfaces may have, however large the room.
    pub(super) per_meter: f64,
    /// If all together have no more pixels than this, the density may be higher.
    pub(super) small_room: f64,
    /// No more pixels than this.
    pub(super) room: f64,
}

impl Limits {
    /// The limits for a number of pixels per meter, or those if the user does not say.
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
    /// Pixels per meter, at most.
    pub(super) per_meter: f64,
    /// How many pixels the textures would have if they were not limited to [`Limits::room`]; `None` if they are not.
    pub(super) too_many: Option<f64>,
}

/// The textures of a surface.
#[derive(Debug)]
pub(super) struct PlannedSurface {
    pub(super) charts: Charts,
    pub(super) pages: Vec<Page>,
    /// How dense it is: 1 where each pixel of the texture has one of its own.
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
    /// Shares the pixels of a room out among its surfaces.
    pub(super) fn new(parts: &[Part<'_>], limits: Limits) -> Self {
        // The smallest slot has 64 pixels; margins are not to take a quarter of them all.
        let most_charts =
            limits.room / 256.0 / double(u64::try_from(parts.len()).unwrap_or(u64::MAX)).max(1.0);
        let charts: Vec<Charts> = parts.iter().map(|part| part.charts(most_charts)).collect();
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
        let surface = |(part, charts): (&Part<'_>, Charts)| PlannedSurface::new(part, charts, per_meter);
        Self { surfaces: parts.iter().zip(charts).map(surface).collect(), per_meter, too_many }
    }

    /// How dense the room is: the average over its area, where 1 is the full density of the textures.
    pub(super) fn density(&self) -> f64 {
        let charts = self.surfaces.iter().flat_map(|surface| &surface.charts.list);
        let (sum, area) = charts.fold((0.0, 0.0), |(sum, area), chart| {
            (sum + chart.factor(self.per_meter) * chart.square_meters, area + chart.square_meters)
        });
        if area > 0.0 { sum / area } else { 1.0 }
    }
}

/// The most pixels per meter with which all charts together have no more than some pixels.
fn densest(pixels: f64, area: &impl Fn(f64) -> f64) -> f64 {
    if area(FULL) <= pixels {
        return FULL;
    }
    let (mut fits, mut too_dense) = (COARSEST, FULL);
    // To less than a hundredth.
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

impl Part<'_> {
    /// Its charts, if there are not too many; otherwise the surface as it lies in the lightmap.
    fn charts(&self, most: f64) -> Charts {
        let charts = Charts::find(self.geometry, self.texture, self.lightmap);
        if double(u64::try_from(charts.list.len()).unwrap_or(u64::MAX)) > most {
            return Charts::whole(self.geometry, self.texture, self.lightmap);
        }
        charts
    }
}

impl PlannedSurface {
    fn new(part: &Part<'_>, charts: Charts, per_meter: f64) -> Self {
        let patches = patch::of_surface(part.geometry, &charts, per_meter);
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

/// How many pixels there are along a side for each one at full density.
fn density(charts: &Charts, per_meter: f64) -> f64 {
    let seen = charts.list.iter().filter(|chart| chart.square_meters > 0.0);
    let (full, drawn) = seen.fold((0.0, 0.0), |(full, drawn), chart| {
        (full + chart.pixels, drawn + chart.pixels * chart.factor(per_meter).powi(2))
    });
    if full > 0.0 { (drawn / full).sqrt() } else { 1.0 }
}

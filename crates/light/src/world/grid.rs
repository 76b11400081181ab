//! Interpolation of light between texels.
//!
//! Light that changes slowly along a surface is computed for the texels of a coarse grid, and interpolated between them. Where
//! they differ, it is computed for the texels of a finer grid.

use glam::Vec3A;

use super::neighbor::{AROUND, Neighborhood};
use super::{each, in_chunks};

/// Distance between the texels of the coarsest grid; a power of two.
const COARSEST: u32 = 4;

/// Maximum difference of the texels to interpolate between, relative to the brightest one.
const RELATIVE_TOLERANCE: f32 = 0.15;

/// Difference that is allowed in addition. At the ambient light of the game, it is four of 255 levels of a lightmap.
const ABSOLUTE_TOLERANCE: f32 = 0.008;

/// When the light of a sample is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grid {
    /// First, because it is on the coarsest grid or on no page.
    Coarsest,
    /// After the grid with twice this distance.
    Finer(u32),
    /// Last, because it is only next to a triangle.
    Border,
}

impl Grid {
    fn of(near: &Neighborhood<'_>, sample: usize) -> Self {
        let Some(place) = near.place(sample) else { return Self::Coarsest };
        if !near.lit().is_on_triangle(sample) {
            return Self::Border;
        }
        let steps = place.map(|at| at & at.wrapping_neg());
        match steps.into_iter().filter(|step| *step > 0).min() {
            Some(step) if step < COARSEST => Self::Finer(step),
            _ => Self::Coarsest,
        }
    }
}

/// Returns the light of all samples, computed with a function for lists of samples where it cannot be
/// interpolated.
pub(super) fn coarse_to_fine(
    near: &Neighborhood<'_>,
    progress: &(dyn Fn(f32) + Sync),
    compute: impl Fn(&[usize]) -> Vec<Option<Vec3A>> + Sync + Send,
) -> Vec<Option<Vec3A>> {
    let count = near.lit().len();
    let grids: Vec<Grid> = (0..count).map(|sample| Grid::of(near, sample)).collect();
    let (mut light, mut done) = (vec![None; count], 0);
    for grid in [Grid::Coarsest, Grid::Finer(2), Grid::Finer(1), Grid::Border] {
        let samples: Vec<usize> = (0..count).filter(|sample| grids[*sample] == grid).collect();
        let found = each(&samples, &|_| {}, || (), |(), _, sample| interpolated(near, &light, *sample, grid));
        let missing = samples.iter().zip(&found).filter(|(_, found)| found.is_none());
        let missing: Vec<usize> = missing.map(|(sample, _)| *sample).collect();
        let step = |share: f32| progress((done as f32 + share * samples.len() as f32) / count as f32);
        let computed = in_chunks(&missing, &step, |_, samples| compute(samples));
        let all = samples.iter().zip(found).chain(missing.iter().zip(computed));
        for (sample, found) in all {
            light[*sample] = found;
        }
        done += samples.len();
    }
    light
}

/// Returns light that is interpolated between known neighbors, or extrapolated from neighbors on one side; `None` if there
/// are none, or they differ.
fn interpolated(
    near: &Neighborhood<'_>,
    light: &[Option<Vec3A>],
    sample: usize,
    grid: Grid,
) -> Option<Vec3A> {
    let known = |offset: [i32; 2]| near.neighbor(sample, offset).and_then(|neighbor| light[neighbor]);
    let mut mean = Mean::new();
    match grid {
        Grid::Coarsest => {}
        Grid::Border => {
            for offset in AROUND {
                // The surface point of the texel is close to the neighbor.
                let both = known(offset).zip(known(offset.map(|by| by * 2)));
                both.into_iter().for_each(|(first, second)| mean.add(first, second, first));
            }
        }
        Grid::Finer(step) => {
            let is_odd = near.place(sample)?.map(|at| at & step != 0);
            // Only texels of the grid with twice the distance.
            for offset in AROUND.into_iter().filter(|[right, down]| [*right != 0, *down != 0] == is_odd) {
                let known = |factor: i32| known(offset.map(|by| by * step as i32 * factor));
                let Some(first) = known(1) else { continue };
                if known(-1).is_some() {
                    mean.add(first, first, first);
                } else if let Some(second) = known(3) {
                    mean.add(first, second, (first * 1.5 - second * 0.5).max(Vec3A::ZERO));
                }
            }
        }
    }
    mean.agreed()
}

/// A mean of light that agrees.
struct Mean {
    least: Vec3A,
    most: Vec3A,
    sum: Vec3A,
    count: usize,
}

impl Mean {
    fn new() -> Self {
        Self { least: Vec3A::INFINITY, most: Vec3A::ZERO, sum: Vec3A::ZERO, count: 0 }
    }

    /// Adds a value that is derived from the light of two texels, which must agree.
    fn add(&mut self, first: Vec3A, second: Vec3A, value: Vec3A) {
        self.least = self.least.min(first).min(second);
        self.most = self.most.max(first).max(second);
        self.sum += value;
        self.count += 1;
    }

    fn agreed(&self) -> Option<Vec3A> {
        let tolerance = self.most * RELATIVE_TOLERANCE + ABSOLUTE_TOLERANCE;
        let agrees = (self.most - self.least).cmple(tolerance).all();
        (self.count > 0 && agrees).then(|| self.sum / self.count as f32)
    }
}

//! Neighboring texels that show the same surface.

use glam::{Vec2, Vec3A};

use super::World;
use crate::texel::{Texel, TexelMap};

/// Maximum distance between the surface points of two texels, relative to their distance on the page.
const STRETCH: f32 = 1.5;

/// Minimum cosine of the angle between the surfaces of neighbors.
const SAME_NORMAL: f32 = 0.95;

/// The offsets of the eight texels around a texel.
pub(super) const AROUND: [[i32; 2]; 8] =
    [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// Where a sample is in the scene and on its page.
#[derive(Debug, Clone, Copy)]
struct Spot {
    /// Mean of its surface points; not a number if there are none.
    center: [f32; 3],
    facet: u32,
    /// Index of the page; that of no page for additional samples.
    page: u32,
    /// Index of the texel on the page.
    cell: u32,
}

/// All samples with their neighbors.
pub(super) struct Neighborhood<'a> {
    world: &'a World,
    lit: &'a TexelMap,
    spots: Vec<Spot>,
    /// Side length of a texel on each triangle, in units of the scene; 0 if it is not on a page.
    sizes: Vec<f32>,
}

impl<'a> Neighborhood<'a> {
    pub(super) fn new(world: &'a World, lit: &'a TexelMap) -> Self {
        let mut spots: Vec<Spot> = lit.texels.iter().map(|texel| world.spot(texel)).collect();
        for (number, page) in (0_u32..).zip(&lit.pages) {
            for (cell, sample) in (0_u32..).zip(&page.texels) {
                if let Some(spot) = sample.and_then(|sample| spots.get_mut(sample as usize)) {
                    (spot.page, spot.cell) = (number, cell);
                }
            }
        }
        let sizes = (0..world.triangles.len()).map(|facet| texel_size(world, lit, facet)).collect();
        Self { world, lit, spots, sizes }
    }

    pub(super) fn lit(&self) -> &'a TexelMap {
        self.lit
    }

    /// Returns the column and the row of a sample; `None` if it is on no page.
    pub(super) fn place(&self, sample: usize) -> Option<[u32; 2]> {
        let spot = self.spots.get(sample)?;
        let [width, _] = self.lit.pages.get(spot.page as usize)?.size;
        Some([spot.cell.checked_rem(width)?, spot.cell / width])
    }

    /// Returns the sample at an offset in texels, if it shows the same surface.
    pub(super) fn neighbor(&self, sample: usize, [right, down]: [i32; 2]) -> Option<usize> {
        let spot = self.spots.get(sample)?;
        let page = self.lit.pages.get(spot.page as usize)?;
        let ([x, y], [width, _]) = (self.place(sample)?, page.size);
        let (x, y) = (x.checked_add_signed(right)?, y.checked_add_signed(down)?);
        let cell = y as usize * width as usize + x as usize;
        let found = page.texels.get(cell).copied().flatten().filter(|_| x < width)? as usize;
        let distance = (right * right + down * down) as f32;
        let reach = self.reach(sample, distance.sqrt()).min(self.world.quality.spacing);
        self.is_within(sample, found, reach).then_some(found)
    }

    /// Whether two samples in a small block of a page show the same surface.
    pub(super) fn is_close(&self, sample: usize, other: usize) -> bool {
        let distance = |[[x, y], [right, down]]: [[u32; 2]; 2]| {
            Vec2::new(x as f32, y as f32).distance(Vec2::new(right as f32, down as f32))
        };
        let places = self.place(sample).zip(self.place(other));
        places
            .is_some_and(|(one, two)| self.is_within(sample, other, self.reach(sample, distance([one, two]))))
    }

    /// Returns the maximum distance in the scene of a sample that is at a distance in texels.
    fn reach(&self, sample: usize, texels: f32) -> f32 {
        let facet = self.spots.get(sample).map_or(u32::MAX, |spot| spot.facet);
        STRETCH * texels * self.sizes.get(facet as usize).copied().unwrap_or_default()
    }

    /// Whether two samples have similar normals, and at most a distance.
    fn is_within(&self, sample: usize, other: usize, reach: f32) -> bool {
        let (Some(one), Some(two)) = (self.spots.get(sample), self.spots.get(other)) else { return false };
        let distance = Vec3A::from_array(one.center).distance_squared(Vec3A::from_array(two.center));
        distance <= reach * reach && self.normal(one).dot(self.normal(two)) >= SAME_NORMAL
    }

    fn normal(&self, spot: &Spot) -> Vec3A {
        self.world.normals.get(spot.facet as usize).copied().unwrap_or_default()
    }
}

impl World {
    fn spot(&self, texel: &Texel) -> Spot {
        let points = self.points(texel);
        let sum: Vec3A = points.iter().map(|point| point.position).sum();
        Spot {
            center: (sum / points.len() as f32).to_array(),
            facet: texel.points().next().map_or(u32::MAX, |point| point.facet),
            page: u32::MAX,
            cell: 0,
        }
    }
}

/// Returns the side length of a texel on a triangle.
fn texel_size(world: &World, lit: &TexelMap, facet: usize) -> f32 {
    let (Some(triangle), Some(Some(placement))) = (world.triangles.get(facet), lit.placements.get(facet))
    else {
        return 0.0;
    };
    let ([a, b, c], [d, e, f]) = (triangle.corners, placement.corners);
    let area = (b - a).cross(c - a).length();
    let texels = (e - d).perp_dot(f - d).abs();
    if texels > 0.0 { (area / texels).sqrt() } else { 0.0 }
}

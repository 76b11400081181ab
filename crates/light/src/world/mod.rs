//! The triangles and lamps of a scene, and the computation of light.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use glam::Vec3A;
use record::{Error, Result};

use crate::lamp::Lamp;
use crate::parallel;
use crate::pattern::{Pattern, on_disk, on_hemisphere, perpendicular};
use crate::rays::{Face, Hit, RayCaster, Side};
use crate::texel::{MAX_POINTS, SurfacePoint, Texel, TexelMap, between};
use crate::unwrap::Facet;

/// A triangle of the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    /// The corners, counter-clockwise from the front in right-handed axes. They must be finite, and far below the
    /// largest numbers.
    pub corners: [Vec3A; 3],
    /// The fraction of light that it reflects.
    pub albedo: Vec3A,
    /// Number of the body it belongs to.
    pub body: u32,
}

impl Triangle {
    fn normal(&self) -> Vec3A {
        Facet { corners: self.corners, group: 0 }.normal()
    }
}

/// Computing effort per texel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// Number of shadow rays per lamp in penumbras.
    pub shadow_rays: u32,
    /// Number of rays for bounced light.
    pub bounce_rays: u32,
    /// Distance between a surface and the origins of its rays, so that these do not intersect the surface.
    pub offset: f32,
}

/// Number of rays that test whether a lamp is partially hidden.
const PENUMBRA_TEST_RAYS: u32 = 16;

/// Number of rays that test whether a point is buried.
const BURIED_RAYS: u32 = 16;

/// A point is buried if more than this fraction of its rays hits back faces.
const BURIED: f32 = 0.6;

/// Number of texels per unit of work.
const CHUNK: usize = 128;

/// Maximum number of rays.
const MAX_RAYS: u64 = 1 << 32;

/// Every n-th texel is examined to estimate how many lamps shine on all texels.
const SURVEY: usize = 16;

/// A scene with lamps.
#[derive(Debug)]
pub struct World {
    triangles: Vec<Triangle>,
    normals: Vec<Vec3A>,
    lamps: Vec<Lamp>,
    rays: RayCaster,
    quality: Quality,
    traced: AtomicU64,
}

/// A lit point.
#[derive(Debug, Clone, Copy)]
struct Point {
    position: Vec3A,
    normal: Vec3A,
}

impl World {
    /// Prepares a scene for lighting.
    ///
    /// # Errors
    /// If thousands of triangles have the same bounding box.
    pub fn new(triangles: Vec<Triangle>, lamps: Vec<Lamp>, quality: Quality) -> Result<Self> {
        let faces =
            (0_u32..).zip(&triangles).map(|(number, triangle)| Face::new(triangle.corners, number)).collect();
        let normals = triangles.iter().map(Triangle::normal).collect();
        Ok(Self {
            normals,
            lamps,
            rays: RayCaster::new(faces)?,
            quality,
            traced: AtomicU64::new(0),
            triangles,
        })
    }

    /// Returns the number of rays traced so far.
    #[must_use]
    pub fn rays_traced(&self) -> u64 {
        self.traced.load(Ordering::Relaxed)
    }

    fn count(&self, rays: u32) {
        self.traced.fetch_add(rays.into(), Ordering::Relaxed);
    }

    /// Estimates the number of rays for the light of all lamps and a number of bounces.
    #[must_use]
    pub fn effort(&self, lit: &TexelMap, bounces: u32) -> u64 {
        let lamps = lit.texels.iter().step_by(SURVEY).map(|texel| {
            let point = texel.points().next().map(|point| self.point(point));
            let shines = |lamp: &&Lamp| point.is_some_and(|it| lamp.falloff(it.position, it.normal) > 0.0);
            self.lamps.iter().filter(shines).count()
        });
        let lamps = (lamps.sum::<usize>() as u64).saturating_mul(SURVEY as u64);
        let bounced =
            (lit.len() as u64).saturating_mul(bounces.into()).saturating_mul(self.quality.bounce_rays.into());
        lamps.saturating_mul(self.quality.shadow_rays.into()).saturating_add(bounced)
    }

    /// Refuses work that would take too long.
    ///
    /// # Errors
    /// If it requires more than about four billion rays.
    pub fn check_effort(&self, lit: &TexelMap, bounces: u32) -> Result<()> {
        let rays = self.effort(lit, bounces);
        if rays <= MAX_RAYS {
            return Ok(());
        }
        Err(Error::limit(format!(
            "{} lamps on {} texels take about {} million rays, more than {} million",
            self.lamps.len(),
            lit.len(),
            rays >> 20,
            MAX_RAYS >> 20
        )))
    }

    /// Removes points inside of solid objects, so that they do not darken their surroundings.
    pub fn remove_buried(&self, lit: &mut TexelMap, progress: &(dyn Fn(f32) + Sync)) {
        let kept = self.each(&lit.texels, progress, |number, texel| {
            let mut seen = [true; MAX_POINTS];
            let seeds = number as u64;
            for (at, (point, seen)) in texel.all().zip(&mut seen).enumerate() {
                let seed = seeds.wrapping_shl(2) | at as u64;
                *seen = point.is_none_or(|point| !self.is_buried(self.point(point), seed));
            }
            seen
        });
        for (texel, kept) in lit.texels.iter_mut().zip(kept) {
            texel.retain(|at, _| kept[at]);
        }
    }

    fn is_buried(&self, point: Point, seed: u64) -> bool {
        let is_back = |direction: Vec3A| {
            self.rays.first_hit(point.position, direction).is_some_and(|hit| hit.crossing.side == Side::Back)
        };
        self.count(1);
        if !is_back(point.normal) {
            return false;
        }
        self.count(BURIED_RAYS);
        let pattern = Pattern::new(seed);
        let backs =
            (0..BURIED_RAYS).filter(|ray| is_back(on_hemisphere(point.normal, pattern.point(*ray)))).count();
        backs as f32 > BURIED_RAYS as f32 * BURIED
    }

    /// Returns the direct light of all lamps for each sample; `None` if it shows nothing.
    #[must_use]
    pub fn direct(&self, lit: &TexelMap, progress: &(dyn Fn(f32) + Sync)) -> Vec<Option<Vec3A>> {
        self.each(&lit.texels, progress, |_, texel| {
            let points = self.points(texel);
            let lamps = (0_u64..).zip(&self.lamps);
            (!points.is_empty())
                .then(|| lamps.map(|(seed, lamp)| self.light_of_lamp(lamp, &points, seed)).sum())
        })
    }

    /// Returns the light of one lamp on a texel.
    fn light_of_lamp(&self, lamp: &Lamp, points: &[Point], seed: u64) -> Vec3A {
        let falloffs: Vec<f32> =
            points.iter().map(|point| lamp.falloff(point.position, point.normal)).collect();
        if falloffs.iter().all(|falloff| *falloff <= 0.0) {
            return Vec3A::ZERO;
        }
        // All texels use the same pattern, so that shadows have no noise.
        let pattern = Pattern::new(seed);
        let counts = |facet: u32| lamp.is_blocked_by(self.triangles[facet as usize].body);
        let (mut light, mut traced, mut open, mut taken) = (0.0, 0_u32, 0_u32, 0_u32);
        let mut last = usize::MAX;
        for (ray, (point, falloff)) in (0..self.quality.shadow_rays).zip(points.iter().zip(&falloffs).cycle())
        {
            // If all rays agree so far, more rays are not needed.
            let is_clear = ray >= PENUMBRA_TEST_RAYS && (open == 0 || open == traced);
            if is_clear && (ray as usize).is_multiple_of(points.len()) {
                break;
            }
            taken += 1;
            if *falloff <= 0.0 {
                continue;
            }
            traced += 1;
            let direction = (lamp.center - point.position).normalize_or(point.normal);
            let [right, up] = perpendicular(direction);
            let at = on_disk(pattern.point(ray)) * lamp.radius;
            let aim = lamp.center + right * at.x + up * at.y;
            if !self.rays.shades(point.position, aim, counts, &mut last) {
                open += 1;
                light += falloff;
            }
        }
        self.count(traced);
        lamp.light * (light / taken.max(1) as f32)
    }

    /// Returns the light that arrives from lit surfaces for each sample. In a closed room whose surfaces are all lit
    /// equally, it is that light multiplied by their albedo.
    #[must_use]
    pub fn bounced(
        &self,
        lit: &TexelMap,
        light: &[Option<Vec3A>],
        pass: u32,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Vec<Option<Vec3A>> {
        // All texels use the same pattern: errors appear as slight differences of large areas instead of noise.
        let pattern = Pattern::new(pass.into());
        self.each(&lit.texels, progress, |_, texel| {
            let points = self.points(texel);
            if points.is_empty() {
                return None;
            }
            self.count(self.quality.bounce_rays);
            let rays = (0..self.quality.bounce_rays).zip(points.iter().cycle());
            let found = rays.map(|(ray, point)| {
                let direction = on_hemisphere(point.normal, pattern.point(ray));
                let hit = self.rays.first_hit(point.position, direction);
                hit.map_or(Vec3A::ZERO, |hit| self.reflected(&hit, lit, light))
            });
            Some(found.sum::<Vec3A>() / self.quality.bounce_rays.max(1) as f32)
        })
    }

    /// Returns the light that a surface reflects at the intersection of a ray.
    fn reflected(&self, hit: &Hit, lit: &TexelMap, light: &[Option<Vec3A>]) -> Vec3A {
        let facet = hit.owner as usize;
        if hit.crossing.side == Side::Back {
            return Vec3A::ZERO;
        }
        let number = match lit.placements.get(facet).copied().flatten() {
            Some(placement) => {
                let [a, b, c] = placement.corners;
                let [u, v] = hit.crossing.weights;
                lit.pages.get(placement.page).and_then(|page| page.texel(a + (b - a) * u + (c - a) * v))
            }
            None => lit.centers.get(facet).copied().flatten().map(|number| number as usize),
        };
        let found = number.and_then(|number| light.get(number).copied().flatten());
        found.unwrap_or_default() * self.triangles[facet].albedo
    }

    fn point(&self, point: SurfacePoint) -> Point {
        let facet = point.facet as usize;
        let normal = self.normals.get(facet).copied().unwrap_or_default();
        let corners = self.triangles.get(facet).map_or([Vec3A::ZERO; 3], |triangle| triangle.corners);
        Point { position: between(corners, point.weights) + normal * self.quality.offset, normal }
    }

    fn points(&self, texel: &Texel) -> Vec<Point> {
        texel.points().map(|point| self.point(point)).filter(|point| point.normal != Vec3A::ZERO).collect()
    }

    /// Calls a function for each texel, on all threads of the pool, and returns the results.
    fn each<T: Send>(
        &self,
        texels: &[Texel],
        progress: &(dyn Fn(f32) + Sync),
        make: impl Fn(usize, &Texel) -> T + Sync + Send,
    ) -> Vec<T> {
        let done = AtomicUsize::new(0);
        let chunks: Vec<&[Texel]> = texels.chunks(CHUNK).collect();
        let count = chunks.len() as f32;
        let of_chunk = |number: usize, chunk: &&[Texel]| -> Vec<T> {
            let first = number * CHUNK;
            let made = chunk.iter().enumerate().map(|(at, texel)| make(first + at, texel)).collect();
            progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f32 / count);
            made
        };
        parallel::map(&chunks, of_chunk).into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests;

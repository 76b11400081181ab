//! Triangles and lamps, and the light there is.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use glam::Vec3A;
use record::{Error, Result};

use crate::lamp::Lamp;
use crate::parallel;
use crate::pattern::{Pattern, across, on_disk, over};
use crate::rays::{Face, Hit, Rays, Side};
use crate::texel::{Lit, SPOTS, Spot, Texel, between};
use crate::unwrap::Facet;

/// A triangle of the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    /// Its corners, counter-clockwise from the front in right-handed axes. Must be finite, and far less than the largest numbers.
    pub corners: [Vec3A; 3],
    /// The share of light that it gives back.
    pub albedo: Vec3A,
    /// What it belongs to.
    pub body: u32,
}

impl Triangle {
    fn normal(&self) -> Vec3A {
        Facet { corners: self.corners, group: 0 }.normal()
    }
}

/// How much is spent on a texel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// Rays to a lamp, where it is partly hidden.
    pub shadow_rays: u32,
    /// Rays that look for bounced light.
    pub bounce_rays: u32,
    /// Rays start so far over a surface, so that they do not meet it.
    pub offset: f32,
}

/// Rays that look whether a lamp is partly hidden at all.
const FIRST_LOOK: u32 = 16;

/// Rays that look whether a place is buried.
const BURIED_RAYS: u32 = 16;

/// A place is buried if this share of the rays from it meets backs of triangles.
const BURIED: f32 = 0.6;

/// Texels that a thread takes at once.
const CHUNK: usize = 128;

/// More rays are not traced.
const MOST_RAYS: u64 = 1 << 32;

/// Of each so many texels one tells how many lamps shine on all of them.
const SURVEY: usize = 16;

/// A scene with lamps.
#[derive(Debug)]
pub struct World {
    triangles: Vec<Triangle>,
    normals: Vec<Vec3A>,
    lamps: Vec<Lamp>,
    rays: Rays,
    quality: Quality,
    traced: AtomicU64,
}

/// A place that is lit.
#[derive(Debug, Clone, Copy)]
struct Point {
    place: Vec3A,
    normal: Vec3A,
}

impl World {
    /// Makes a scene that can be lit.
    ///
    /// # Errors
    /// When thousands of triangles have the same box.
    pub fn new(triangles: Vec<Triangle>, lamps: Vec<Lamp>, quality: Quality) -> Result<Self> {
        let faces =
            (0_u32..).zip(&triangles).map(|(number, triangle)| Face::new(triangle.corners, number)).collect();
        let normals = triangles.iter().map(Triangle::normal).collect();
        Ok(Self { normals, lamps, rays: Rays::new(faces)?, quality, traced: AtomicU64::new(0), triangles })
    }

    /// How many rays were traced until now.
    #[must_use]
    pub fn rays_traced(&self) -> u64 {
        self.traced.load(Ordering::Relaxed)
    }

    fn count(&self, rays: u32) {
        self.traced.fetch_add(rays.into(), Ordering::Relaxed);
    }

    /// About how many rays the light of all lamps and so many bounces take.
    #[must_use]
    pub fn effort(&self, lit: &Lit, bounces: u32) -> u64 {
        let lamps = lit.texels.iter().step_by(SURVEY).map(|texel| {
            let point = texel.spots().next().map(|spot| self.point(spot));
            let shines = |lamp: &&Lamp| point.is_some_and(|it| lamp.share(it.place, it.normal) > 0.0);
            self.lamps.iter().filter(shines).count()
        });
        let lamps = (lamps.sum::<usize>() as u64).saturating_mul(SURVEY as u64);
        let bounced =
            (lit.len() as u64).saturating_mul(bounces.into()).saturating_mul(self.quality.bounce_rays.into());
        lamps.saturating_mul(self.quality.shadow_rays.into()).saturating_add(bounced)
    }

    /// Refuses work that would not end in a sensible time.
    ///
    /// # Errors
    /// When it takes more rays than about four billion.
    pub fn check_effort(&self, lit: &Lit, bounces: u32) -> Result<()> {
        let rays = self.effort(lit, bounces);
        if rays <= MOST_RAYS {
            return Ok(());
        }
        Err(Error::limit(format!(
            "{} lamps on {} texels take about {} million rays, more than {} million",
            self.lamps.len(),
            lit.len(),
            rays >> 20,
            MOST_RAYS >> 20
        )))
    }

    /// Leaves out the places that are inside of something solid, so that they do not darken their surroundings.
    pub fn leave_out_buried(&self, lit: &mut Lit, progress: &(dyn Fn(f32) + Sync)) {
        let kept = self.each(&lit.texels, progress, |number, texel| {
            let mut seen = [true; SPOTS];
            let seeds = number as u64;
            for (at, (spot, seen)) in texel.all().zip(&mut seen).enumerate() {
                let seed = seeds.wrapping_shl(2) | at as u64;
                *seen = spot.is_none_or(|spot| !self.is_buried(self.point(spot), seed));
            }
            seen
        });
        for (texel, kept) in lit.texels.iter_mut().zip(kept) {
            texel.retain(|at, _| kept[at]);
        }
    }

    fn is_buried(&self, point: Point, seed: u64) -> bool {
        let is_back =
            |way: Vec3A| self.rays.first(point.place, way).is_some_and(|hit| hit.crossing.side == Side::Back);
        self.count(1);
        if !is_back(point.normal) {
            return false;
        }
        self.count(BURIED_RAYS);
        let pattern = Pattern::new(seed);
        let backs = (0..BURIED_RAYS).filter(|ray| is_back(over(point.normal, pattern.point(*ray)))).count();
        backs as f32 > BURIED_RAYS as f32 * BURIED
    }

    /// The light of the lamps at each place; `None` where there is none to be seen.
    #[must_use]
    pub fn direct(&self, lit: &Lit, progress: &(dyn Fn(f32) + Sync)) -> Vec<Option<Vec3A>> {
        self.each(&lit.texels, progress, |_, texel| {
            let points = self.points(texel);
            let lamps = (0_u64..).zip(&self.lamps);
            (!points.is_empty()).then(|| lamps.map(|(seed, lamp)| self.of_lamp(lamp, &points, seed)).sum())
        })
    }

    /// The light of one lamp on a texel.
    fn of_lamp(&self, lamp: &Lamp, points: &[Point], seed: u64) -> Vec3A {
        let shares: Vec<f32> = points.iter().map(|point| lamp.share(point.place, point.normal)).collect();
        if shares.iter().all(|share| *share <= 0.0) {
            return Vec3A::ZERO;
        }
        // The same for all texels, so that shadows have no noise.
        let pattern = Pattern::new(seed);
        let counts = |facet: u32| lamp.is_shaded_by(self.triangles[facet as usize].body);
        let (mut light, mut traced, mut open, mut taken) = (0.0, 0_u32, 0_u32, 0_u32);
        let mut last = usize::MAX;
        for (ray, (point, share)) in (0..self.quality.shadow_rays).zip(points.iter().zip(&shares).cycle()) {
            // Where all rays agree, more of them would too.
            let is_clear = ray >= FIRST_LOOK && (open == 0 || open == traced);
            if is_clear && (ray as usize).is_multiple_of(points.len()) {
                break;
            }
            taken += 1;
            if *share <= 0.0 {
                continue;
            }
            traced += 1;
            let way = (lamp.center - point.place).normalize_or(point.normal);
            let [right, up] = across(way);
            let at = on_disk(pattern.point(ray)) * lamp.radius;
            let aim = lamp.center + right * at.x + up * at.y;
            if !self.rays.shade(point.place, aim, counts, &mut last) {
                open += 1;
                light += share;
            }
        }
        self.count(traced);
        lamp.light * (light / taken.max(1) as f32)
    }

    /// The light that comes from surfaces that are lit so at each place: over a closed room in which all surfaces are lit alike, it is that light times
    /// their albedo.
    #[must_use]
    pub fn bounced(
        &self,
        lit: &Lit,
        light: &[Option<Vec3A>],
        pass: u32,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Vec<Option<Vec3A>> {
        // The same for all texels: what it misses shows as a slight difference of large parts, not as noise.
        let pattern = Pattern::new(pass.into());
        self.each(&lit.texels, progress, |_, texel| {
            let points = self.points(texel);
            if points.is_empty() {
                return None;
            }
            self.count(self.quality.bounce_rays);
            let rays = (0..self.quality.bounce_rays).zip(points.iter().cycle());
            let found = rays.map(|(ray, point)| {
                let way = over(point.normal, pattern.point(ray));
                let hit = self.rays.first(point.place, way);
                hit.map_or(Vec3A::ZERO, |hit| self.given_back(&hit, lit, light))
            });
            Some(found.sum::<Vec3A>() / self.quality.bounce_rays.max(1) as f32)
        })
    }

    /// The light that a surface gives back where a ray met it.
    fn given_back(&self, hit: &Hit, lit: &Lit, light: &[Option<Vec3A>]) -> Vec3A {
        let facet = hit.owner as usize;
        if hit.crossing.side == Side::Back {
            return Vec3A::ZERO;
        }
        let number = match lit.places.get(facet).copied().flatten() {
            Some(place) => {
                let [a, b, c] = place.corners;
                let [u, v] = hit.crossing.shares;
                lit.pages.get(place.page).and_then(|page| page.texel(a + (b - a) * u + (c - a) * v))
            }
            None => lit.middles.get(facet).copied().flatten().map(|number| number as usize),
        };
        let found = number.and_then(|number| light.get(number).copied().flatten());
        found.unwrap_or_default() * self.triangles[facet].albedo
    }

    fn point(&self, spot: Spot) -> Point {
        let facet = spot.facet as usize;
        let normal = self.normals.get(facet).copied().unwrap_or_default();
        let corners = self.triangles.get(facet).map_or([Vec3A::ZERO; 3], |triangle| triangle.corners);
        Point { place: between(corners, spot.shares) + normal * self.quality.offset, normal }
    }

    fn points(&self, texel: &Texel) -> Vec<Point> {
        texel.spots().map(|spot| self.point(spot)).filter(|point| point.normal != Vec3A::ZERO).collect()
    }

    /// What a function makes of each texel, on all threads of the pool.
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

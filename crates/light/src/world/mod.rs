//! The triangles and lamps of a scene, and the computation of light.

mod bounce;
mod buried;
mod cluster;
mod direct;
mod grid;
mod neighbor;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use glam::Vec3A;
use record::{Error, Result};

use crate::lamp::Lamp;
use crate::parallel;
use crate::rays::{Face, RayCaster};
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
    /// Maximum distance between points between which bounced light is interpolated.
    pub spacing: f32,
}

/// Number of texels per unit of work.
const CHUNK: usize = 32;

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
#[derive(Debug, Clone, Copy, Default)]
struct Point {
    position: Vec3A,
    normal: Vec3A,
}

/// The lit points of a texel.
struct Points {
    list: [Point; MAX_POINTS],
    count: usize,
}

impl std::ops::Deref for Points {
    type Target = [Point];

    fn deref(&self) -> &[Point] {
        &self.list[..self.count]
    }
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

    fn point(&self, point: SurfacePoint) -> Point {
        let facet = point.facet as usize;
        let normal = self.normals.get(facet).copied().unwrap_or_default();
        let corners = self.triangles.get(facet).map_or([Vec3A::ZERO; 3], |triangle| triangle.corners);
        Point { position: between(corners, point.weights) + normal * self.quality.offset, normal }
    }

    fn points(&self, texel: &Texel) -> Points {
        let mut out = Points { list: [Point::default(); MAX_POINTS], count: 0 };
        let points =
            texel.points().map(|point| self.point(point)).filter(|point| point.normal != Vec3A::ZERO);
        for (slot, point) in out.list.iter_mut().zip(points) {
            *slot = point;
            out.count += 1;
        }
        out
    }
}

/// Calls a function for each item, on all threads of the pool, and returns the results. The items of a chunk share a
/// state, which must not affect the results.
fn each<I: Sync, S, T: Send>(
    items: &[I],
    progress: &(dyn Fn(f32) + Sync),
    start: impl Fn() -> S + Sync + Send,
    make: impl Fn(&mut S, usize, &I) -> T + Sync + Send,
) -> Vec<T> {
    in_chunks(items, progress, |first, chunk| {
        let mut state = start();
        chunk.iter().enumerate().map(|(at, item)| make(&mut state, first + at, item)).collect()
    })
}

/// Calls a function for each chunk of items and the index of its first item, on all threads of the pool, and returns the
/// results for all items.
fn in_chunks<I: Sync, T: Send>(
    items: &[I],
    progress: &(dyn Fn(f32) + Sync),
    make: impl Fn(usize, &[I]) -> Vec<T> + Sync + Send,
) -> Vec<T> {
    let done = AtomicUsize::new(0);
    let chunks: Vec<&[I]> = items.chunks(CHUNK).collect();
    let count = chunks.len() as f32;
    let of_chunk = |number: usize, chunk: &&[I]| -> Vec<T> {
        let made = make(number * CHUNK, chunk);
        progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f32 / count);
        made
    };
    parallel::map(&chunks, of_chunk).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;

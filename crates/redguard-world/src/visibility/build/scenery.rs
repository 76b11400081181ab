//! The statics and the ground of a map as triangles in world units: those that occlude, and those that can be occluded.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Context, Report, counted};
use glam::{DMat3, DVec3, Vec3A};
use light::{Face, RayCaster};
use record::{Error, Result};

use super::ground::Ground;
use super::limits::Limits;
use crate::map::{Map, Surroundings};
use crate::model::Model;
use crate::model::rob::SegmentHeader;
use crate::visibility::warning;

/// Maximum number of triangles.
const MAX_TRIANGLES: usize = 8 << 20;

/// Owner of the ground's triangles.
pub(super) const GROUND: u32 = u32::MAX;

/// Bit 1 of a model's attributes: palette color 0 is transparent.
const KEYED: u8 = 2;

/// A static of the map.
#[derive(Debug)]
pub(super) struct Body {
    /// Vertex positions in world units.
    pub(super) corners: Vec<Vec3A>,
    /// Triangles, each with the total area of the triangles up to it.
    triangles: Vec<([u32; 3], f32)>,
    /// Bounding box of the vertices.
    pub(super) min: Vec3A,
    pub(super) max: Vec3A,
}

impl Body {
    /// Creates a body without a model, whose shape is unknown.
    fn unknown(position: Vec3A) -> Self {
        Self { corners: Vec::new(), triangles: Vec::new(), min: position, max: position }
    }

    fn new(corners: Vec<Vec3A>, faces: &[[u32; 3]]) -> Self {
        let min = corners.iter().copied().fold(Vec3A::INFINITY, Vec3A::min);
        let max = corners.iter().copied().fold(Vec3A::NEG_INFINITY, Vec3A::max);
        let mut area = 0.0;
        let mut out = Self { corners, triangles: Vec::with_capacity(faces.len()), min, max };
        for face in faces {
            let [a, b, c] = face.map(|corner| out.corner(corner));
            area += (b - a).cross(c - a).length();
            out.triangles.push((*face, area));
        }
        out
    }

    fn corner(&self, number: u32) -> Vec3A {
        let position = usize::try_from(number).ok().and_then(|number| self.corners.get(number));
        position.copied().unwrap_or_default()
    }

    /// Whether the shape is unknown.
    pub(super) const fn is_unknown(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Returns a point of the body, selected by four numbers in 0..1: a vertex, or any point of the surface.
    pub(super) fn sample_point(&self, [kind, selector, across, along]: [f32; 4]) -> Vec3A {
        if kind < 0.5 {
            let number = super::number::nth(selector, self.corners.len());
            return self.corners.get(number).copied().unwrap_or(self.min);
        }
        let target = selector * self.triangles.last().map_or(0.0, |(_, area)| *area);
        let number = self.triangles.partition_point(|(_, area)| *area < target);
        let Some((face, _)) = self.triangles.get(number).or(self.triangles.last()) else { return self.min };
        let [a, b, c] = face.map(|corner| self.corner(corner));
        let (across, along) =
            if across + along > 1.0 { (1.0 - across, 1.0 - along) } else { (across, along) };
        a + (b - a) * across + (c - a) * along
    }

    /// Squared distance from a box.
    pub(super) fn distance_squared(&self, min: Vec3A, max: Vec3A) -> f32 {
        let away = (self.min - max).max(min - self.max).max(Vec3A::ZERO);
        away.length_squared()
    }
}

/// Number of pairs of cells and statics that are kept for any map.
const MIN_PAIRS: usize = 1 << 20;

/// Number of additional pairs per static, which takes 66 bytes in a map.
const PAIRS_PER_STATIC: usize = 64;

/// Number of additional pairs per triangle of a model, which takes about 50 bytes in a file.
const PAIRS_PER_TRIANGLE: usize = 100;

/// The statics and the ground of a map.
pub(super) struct Scenery {
    /// Statics, by number.
    pub(super) bodies: Vec<Body>,
    /// Occluders: opaque statics and the ground.
    pub(super) opaque: RayCaster,
    /// Bounding boxes and owners of triangles.
    pub(super) boxes: Vec<(Vec3A, Vec3A, u32)>,
    /// The ground; `None` if the world has no terrain.
    pub(super) ground: Option<Ground>,
    /// Total number of triangles of the distinct models.
    model_faces: usize,
}

impl Scenery {
    /// Collects the statics of a map, and the ground up to a margin around all statics.
    ///
    /// # Errors
    /// When the map has no statics, or they have too many triangles.
    pub(super) fn of(map: &Map, context: &Context<'_>, margin: f32, report: &mut Report) -> Result<Self> {
        if map.statics().is_empty() {
            return Err(Error::unsupported("the map has no statics, so there is nothing to occlude"));
        }
        let surroundings = Surroundings::new(context);
        let ground = Ground::of_map(&surroundings, context, report);
        let mut shapes = ShapeCache { context, surroundings: &surroundings, cache: BTreeMap::new() };
        let (mut opaque, mut clear, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
        let mut missing: BTreeMap<String, usize> = BTreeMap::new();
        for (owner, static_model) in (0_u32..).zip(map.statics()) {
            let position = DVec3::from(static_model.position.map(f64::from));
            let name = static_model.model.text();
            let Some(shape) = shapes.get(&name) else {
                let count = missing.entry(name).or_default();
                *count = count.saturating_add(1);
                bodies.push(Body::unknown(position.as_vec3a()));
                continue;
            };
            let [a, b, c, d, e, f, g, h, i] =
                static_model.matrix.map(|number| f64::from(number) / f64::from(1 << 28));
            let matrix = DMat3::from_cols_array(&[a, d, g, b, e, h, c, f, i]);
            let corners =
                shape.corners.iter().map(|corner| (matrix * *corner + position).as_vec3a()).collect();
            // A mirroring transform reverses the winding.
            let is_mirror = matrix.determinant() < 0.0;
            let rewound = |[a, b, c]: [u32; 3]| if is_mirror { [a, c, b] } else { [a, b, c] };
            let faces: Vec<_> = shape.faces.iter().map(|face| rewound(*face)).collect();
            let body = Body::new(corners, &faces);
            let list = if shape.is_clear { &mut clear } else { &mut opaque };
            if list.len().saturating_add(faces.len()) > MAX_TRIANGLES {
                return Err(Error::limit("the statics of the map have too many triangles"));
            }
            list.extend(faces.iter().map(|face| Face::new(face.map(|corner| body.corner(corner)), owner)));
            bodies.push(body);
        }
        for (name, count) in missing {
            let message = format!(
                "model {name} was not found or cannot be read; it occludes nothing, and its {} everywhere nearby",
                counted(count, "static is visible", "statics are visible")
            );
            report.warn(&warning::MODEL, message);
        }
        if let Some(ground) = &ground {
            let min = bodies.iter().map(|body| body.min).fold(Vec3A::INFINITY, Vec3A::min) - margin;
            let max = bodies.iter().map(|body| body.max).fold(Vec3A::NEG_INFINITY, Vec3A::max) + margin;
            let faces = ground.faces(min, max);
            opaque.extend(faces.map(|corners| Face::new(corners, GROUND)));
        }
        let bounds = |face: &Face| {
            let [min, max] = face.bounds();
            (min, max, face.owner)
        };
        let boxes = opaque.iter().chain(&clear).map(bounds).collect();
        let cache = shapes.cache.values().flatten();
        let model_faces = cache.map(|shape| shape.faces.len()).fold(0, usize::saturating_add);
        Ok(Self { bodies, opaque: RayCaster::new(opaque)?, boxes, ground, model_faces })
    }

    /// Limits for a map of this size: building its tree needs no more memory than other work on files of this size.
    pub(super) fn limits(&self) -> Limits {
        let of_statics = self.bodies.len().saturating_mul(PAIRS_PER_STATIC);
        let of_models = self.model_faces.saturating_mul(PAIRS_PER_TRIANGLE);
        Limits { cells: 1 << 18, pairs: MIN_PAIRS.saturating_add(of_statics).saturating_add(of_models) }
    }
}

/// First frame of a model.
struct Shape {
    corners: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
    is_clear: bool,
}

impl Shape {
    fn of(model: &Model, header: Option<&SegmentHeader>) -> Self {
        let corners: Vec<_> =
            model.positions(0).into_iter().map(|position| DVec3::from(position.map(f64::from))).collect();
        let mut faces = Vec::new();
        for face in model.faces() {
            let mut numbers = face.corners.iter().filter_map(|corner| u32::try_from(corner.vertex?).ok());
            let (Some(first), Some(mut last)) = (numbers.next(), numbers.next()) else { continue };
            for next in numbers {
                faces.push([first, last, next]);
                last = next;
            }
        }
        let is_clear = header.is_some_and(|header| {
            header.attributes & KEYED != 0 || (1..=253).contains(&header.render_mode())
        });
        Self { corners, faces, is_clear }
    }
}

/// Models of statics, each read once.
struct ShapeCache<'a> {
    context: &'a Context<'a>,
    surroundings: &'a Surroundings<'a>,
    cache: BTreeMap<String, Option<Arc<Shape>>>,
}

impl ShapeCache<'_> {
    fn get(&mut self, name: &str) -> Option<Arc<Shape>> {
        if let Some(cache) = self.cache.get(name) {
            return cache.clone();
        }
        let shape = self.read(name).filter(|shape| !shape.faces.is_empty()).map(Arc::new);
        self.cache.insert(name.to_owned(), shape.clone());
        shape
    }

    fn read(&self, name: &str) -> Option<Shape> {
        let stem = redguard_files::settings::ini::world::stem_of(name).to_uppercase();
        let found = self.surroundings.model(&stem)?;
        let read = found.read(self.context).ok()?;
        Some(Shape::of(read.model()?, found.header.as_ref()))
    }
}

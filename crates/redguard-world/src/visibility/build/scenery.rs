//! What stands in a map, as triangles in world units: what hides, and what can be hidden.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Context, Report, counted};
use glam::{DMat3, DVec3, Vec3A};
use light::{Face, Rays};
use record::{Error, Result};

use super::ground::Ground;
use super::limits::Limits;
use crate::map::{Map, Surroundings};
use crate::model::Model;
use crate::model::rob::SegmentHeader;
use crate::visibility::warning;

/// More triangles are not taken.
const MOST_TRIANGLES: usize = 8 << 20;

/// What stands for the ground among the owners of triangles.
pub(super) const GROUND: u32 = u32::MAX;

/// Bit 1 of a model's attributes: the first color of the palette is clear.
const KEYED: u8 = 2;

/// A static of the map.
#[derive(Debug)]
pub(super) struct Body {
    /// Its corners in world units.
    pub(super) corners: Vec<Vec3A>,
    /// Its triangles, and the area of all up to each.
    triangles: Vec<([u32; 3], f32)>,
    /// The box around its corners.
    pub(super) least: Vec3A,
    pub(super) most: Vec3A,
}

impl Body {
    /// A body without a model: nobody knows what it looks like.
    fn unknown(place: Vec3A) -> Self {
        Self { corners: Vec::new(), triangles: Vec::new(), least: place, most: place }
    }

    fn new(corners: Vec<Vec3A>, faces: &[[u32; 3]]) -> Self {
        let least = corners.iter().copied().fold(Vec3A::INFINITY, Vec3A::min);
        let most = corners.iter().copied().fold(Vec3A::NEG_INFINITY, Vec3A::max);
        let mut area = 0.0;
        let mut out = Self { corners, triangles: Vec::with_capacity(faces.len()), least, most };
        for face in faces {
            let [a, b, c] = face.map(|corner| out.corner(corner));
            area += (b - a).cross(c - a).length();
            out.triangles.push((*face, area));
        }
        out
    }

    fn corner(&self, number: u32) -> Vec3A {
        let place = usize::try_from(number).ok().and_then(|number| self.corners.get(number));
        place.copied().unwrap_or_default()
    }

    /// Whether nothing is known of its shape.
    pub(super) const fn is_unknown(&self) -> bool {
        self.triangles.is_empty()
    }

    /// A place of it, by four numbers within 0..1: one of its corners, or any place on its surface.
    pub(super) fn place(&self, [kind, which, across, along]: [f32; 4]) -> Vec3A {
        if kind < 0.5 {
            let number = super::number::nth(which, self.corners.len());
            return self.corners.get(number).copied().unwrap_or(self.least);
        }
        let wanted = which * self.triangles.last().map_or(0.0, |(_, area)| *area);
        let number = self.triangles.partition_point(|(_, area)| *area < wanted);
        let Some((face, _)) = self.triangles.get(number).or(self.triangles.last()) else { return self.least };
        let [a, b, c] = face.map(|corner| self.corner(corner));
        let (across, along) =
            if across + along > 1.0 { (1.0 - across, 1.0 - along) } else { (across, along) };
        a + (b - a) * across + (c - a) * along
    }

    /// The square of its distance from a box.
    pub(super) fn distance_squared(&self, least: Vec3A, most: Vec3A) -> f32 {
        let away = (self.least - most).max(least - self.most).max(Vec3A::ZERO);
        away.length_squared()
    }
}

/// So many pairs of cells and statics are kept for any map.
const FEWEST_PAIRS: usize = 1 << 20;

/// So many more for each static, which takes 66 bytes of a map.
const PAIRS_PER_STATIC: usize = 64;

/// So many more for each triangle of a model, which takes about 50 bytes of a file.
const PAIRS_PER_TRIANGLE: usize = 100;

/// All that stands in a map.
pub(super) struct Scenery {
    /// The statics, by their numbers.
    pub(super) bodies: Vec<Body>,
    /// What hides: opaque statics and the ground.
    pub(super) opaque: Rays,
    /// Where triangles are: their boxes and owners.
    pub(super) boxes: Vec<(Vec3A, Vec3A, u32)>,
    /// The ground; none where the world has no terrain.
    pub(super) ground: Option<Ground>,
    /// How many triangles the models have, each model once.
    model_faces: usize,
}

impl Scenery {
    /// Gathers what stands in a map, with the ground up to a margin around all statics.
    ///
    /// # Errors
    /// When the map has no statics, or they have too many triangles.
    pub(super) fn of(map: &Map, context: &Context<'_>, margin: f32, report: &mut Report) -> Result<Self> {
        if map.statics().is_empty() {
            return Err(Error::unsupported("the map has no statics: there is nothing that could be hidden"));
        }
        let around = Surroundings::new(context);
        let ground = Ground::of_map(&around, context, report);
        let mut shapes = Shapes { context, around: &around, known: BTreeMap::new() };
        let (mut opaque, mut clear, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
        let mut missing: BTreeMap<String, usize> = BTreeMap::new();
        for (owner, it) in (0_u32..).zip(map.statics()) {
            let place = DVec3::from(it.position.map(f64::from));
            let name = it.model.text();
            let Some(shape) = shapes.get(&name) else {
                let count = missing.entry(name).or_default();
                *count = count.saturating_add(1);
                bodies.push(Body::unknown(place.as_vec3a()));
                continue;
            };
            let [a, b, c, d, e, f, g, h, i] = it.matrix.map(|number| f64::from(number) / f64::from(1 << 28));
            let matrix = DMat3::from_cols_array(&[a, d, g, b, e, h, c, f, i]);
            let corners = shape.corners.iter().map(|corner| (matrix * *corner + place).as_vec3a()).collect();
            // A mirror turns triangles inside out.
            let is_mirror = matrix.determinant() < 0.0;
            let turned = |[a, b, c]: [u32; 3]| if is_mirror { [a, c, b] } else { [a, b, c] };
            let faces: Vec<_> = shape.faces.iter().map(|face| turned(*face)).collect();
            let body = Body::new(corners, &faces);
            let list = if shape.is_clear { &mut clear } else { &mut opaque };
            if list.len().saturating_add(faces.len()) > MOST_TRIANGLES {
                return Err(Error::limit("the statics of the map have too many triangles"));
            }
            list.extend(faces.iter().map(|face| Face::new(face.map(|corner| body.corner(corner)), owner)));
            bodies.push(body);
        }
        for (name, count) in missing {
            let message = format!(
                "the model {name} was not found or cannot be read: it hides nothing, and its {} from everywhere near",
                counted(count, "static is seen", "statics are seen")
            );
            report.warn(&warning::MODEL, message);
        }
        if let Some(ground) = &ground {
            let least = bodies.iter().map(|body| body.least).fold(Vec3A::INFINITY, Vec3A::min) - margin;
            let most = bodies.iter().map(|body| body.most).fold(Vec3A::NEG_INFINITY, Vec3A::max) + margin;
            let faces = ground.faces(least, most);
            opaque.extend(faces.map(|corners| Face::new(corners, GROUND)));
        }
        let bounds = |face: &Face| {
            let [least, most] = face.bounds();
            (least, most, face.owner)
        };
        let boxes = opaque.iter().chain(&clear).map(bounds).collect();
        let known = shapes.known.values().flatten();
        let model_faces = known.map(|shape| shape.faces.len()).fold(0, usize::saturating_add);
        Ok(Self { bodies, opaque: Rays::new(opaque)?, boxes, ground, model_faces })
    }

    /// How much may be kept of a map with so much in it: a tree takes no more memory than other work on files of this size.
    pub(super) fn limits(&self) -> Limits {
        let of_statics = self.bodies.len().saturating_mul(PAIRS_PER_STATIC);
        let of_models = self.model_faces.saturating_mul(PAIRS_PER_TRIANGLE);
        Limits { cells: 1 << 18, pairs: FEWEST_PAIRS.saturating_add(of_statics).saturating_add(of_models) }
    }
}

/// The first frame of a model.
struct Shape {
    corners: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
    is_clear: bool,
}

impl Shape {
    fn of(model: &Model, header: Option<&SegmentHeader>) -> Self {
        let corners: Vec<_> =
            model.positions(0).into_iter().map(|place| DVec3::from(place.map(f64::from))).collect();
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

/// The models of statics, each read once.
struct Shapes<'a> {
    context: &'a Context<'a>,
    around: &'a Surroundings<'a>,
    known: BTreeMap<String, Option<Arc<Shape>>>,
}

impl Shapes<'_> {
    fn get(&mut self, name: &str) -> Option<Arc<Shape>> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let shape = self.read(name).filter(|shape| !shape.faces.is_empty()).map(Arc::new);
        self.known.insert(name.to_owned(), shape.clone());
        shape
    }

    fn read(&self, name: &str) -> Option<Shape> {
        let stem = redguard_files::settings::ini::world::stem_of(name).to_uppercase();
        let found = self.around.model(&stem)?;
        let read = found.read(self.context).ok()?;
        Some(Shape::of(read.model()?, found.header.as_ref()))
    }
}

//! The triangles of a room that block light: its opaque surfaces and its props.

use std::collections::HashMap;

use asset::{Context, Report};
use glam::{Affine3A, Vec3, Vec3A};
use light::Triangle;
use scene::color::srgb_to_linear;
use scene::{AlphaMode, Node, Scene};

use super::super::groups::Groups;
use super::super::layout::{Entity, Surface, TextureKind};
use super::super::prop::Props;
use super::super::texture::{Textures, Use};
use super::super::{RMesh, node};
use crate::axes;

/// Maximum coordinate in meters, far beyond real rooms.
const MAX_COORDINATE: f32 = 1e5;

/// Maximum number of triangles.
const MAX_TRIANGLES: usize = 4 << 20;

/// Maximum size of a body, in meters, that is the housing of a lamp inside it.
const HOUSING: f32 = 2.0;

/// Distance from a lamp's sphere to the bounding box of a body, in meters, below which the lamp is inside.
const NEAR: f32 = 0.05;

/// The linear albedo of surfaces whose texture cannot be read.
const UNKNOWN_ALBEDO: f32 = 0.2;

/// Maximum albedo.
const MAX_ALBEDO: f32 = 0.9;

/// Whether a surface receives and blocks light.
pub(super) fn is_opaque(surface: &Surface) -> bool {
    surface.texture.kind != TextureKind::TRANSPARENT
}

/// The triangle of a surface from which a triangle comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) surface: usize,
    pub(super) triangle: usize,
}

/// The triangles of a room in meters and glTF's axes, surfaces before props.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    pub(super) triangles: Vec<Triangle>,
    /// The origins of the triangles of surfaces, which come first.
    pub(super) origins: Vec<Origin>,
    /// Number of props.
    pub(super) props: usize,
    /// Bounding boxes of bodies, by number.
    boxes: Vec<[Vec3A; 2]>,
}

impl Bodies {
    /// Collects the triangles of a room. Missing textures and props are reported.
    pub(super) fn of(room: &RMesh, context: &Context<'_>, report: &mut Report) -> record::Result<Self> {
        let mut out = Self::default();
        let mut textures = Textures::default();
        let mut components = Components::default();
        for (index, surface) in room.surfaces.iter().enumerate().filter(|(_, surface)| is_opaque(surface)) {
            let albedo =
                albedo(surface, &format!("surfaces[{index}].texture"), &mut textures, context, report);
            for (number, corners) in surface.triangles.iter().enumerate() {
                let Some(corners) = usable(surface, *corners) else { continue };
                let corners = axes::winding([0, 1, 2]).map(|corner| {
                    let corner = usize::try_from(corner).ok().and_then(|corner| corners.get(corner));
                    Vec3A::from(axes::position(corner.copied().unwrap_or_default()))
                });
                components.add(corners);
                out.triangles.push(Triangle { corners, albedo, body: 0 });
                out.origins.push(Origin { surface: index, triangle: number });
            }
        }
        for (triangle, body) in out.triangles.iter_mut().zip(components.numbers()) {
            triangle.body = body;
        }
        out.measure();
        out.add_props(room, context, report);
        out.measure();
        if out.triangles.len() > MAX_TRIANGLES {
            let count = out.triangles.len();
            let message = format!("the room and its props have {count} triangles, more than {MAX_TRIANGLES}");
            return Err(record::Error::limit(message));
        }
        Ok(out)
    }

    fn add_props(&mut self, room: &RMesh, context: &Context<'_>, report: &mut Report) {
        let (mut props, mut scene) = (Props::default(), Scene::new("props"));
        for (index, entity) in room.entities().iter().enumerate() {
            if !matches!(entity, Entity::Model(_)) || self.triangles.len() > MAX_TRIANGLES {
                continue;
            }
            let field = format!("entities[{index}]");
            let mut node = Node::default();
            node::set_transform(&mut node, entity, 1.0, &field, report);
            let matrix =
                Affine3A::from_scale_rotation_translation(node.scale, node.rotation, node.translation);
            if let Some(mesh) = props.mesh(&mut scene, context, entity, &field, report) {
                let body = u32::try_from(self.boxes.len().saturating_add(self.props)).unwrap_or(u32::MAX);
                self.props = self.props.saturating_add(1);
                self.triangles.extend(triangles(&scene, mesh, matrix, body));
            }
        }
        props.warn(report);
    }

    /// Updates the bounding boxes of the bodies.
    fn measure(&mut self) {
        for triangle in &self.triangles {
            let Ok(body) = usize::try_from(triangle.body) else { continue };
            if self.boxes.len() <= body {
                self.boxes.resize(body.saturating_add(1), [Vec3A::INFINITY, Vec3A::NEG_INFINITY]);
            }
            if let Some([low, high]) = self.boxes.get_mut(body) {
                let [a, b, c] = triangle.corners;
                *low = low.min(a).min(b).min(c);
                *high = high.max(a).max(b).max(c);
            }
        }
    }

    /// The small bodies around a lamp's sphere, which are its housing.
    pub(super) fn housing(&self, position: Vec3A, radius: f32) -> Vec<u32> {
        let near = radius + NEAR;
        let is_housing = |[low, high]: &[Vec3A; 2]| {
            let is_small = (*high - *low).max_element() <= HOUSING;
            is_small && (*low - near).cmple(position).all() && (*high + near).cmpge(position).all()
        };
        (0_u32..).zip(&self.boxes).filter(|(_, bounds)| is_housing(bounds)).map(|(body, _)| body).collect()
    }
}

/// The corners of a triangle, if they exist and are within range.
fn usable(surface: &Surface, triangle: [u32; 3]) -> Option<[[f32; 3]; 3]> {
    let mut out = [[0.0; 3]; 3];
    for (corner, position) in triangle.into_iter().zip(&mut out) {
        let vertex = usize::try_from(corner).ok().and_then(|corner| surface.vertices.get(corner))?;
        let far = axes::position(vertex.position).abs();
        *position = (far.is_finite() && far.max_element() <= MAX_COORDINATE).then_some(vertex.position)?;
    }
    Some(out)
}

/// The albedo of a surface: the mean color of its texture.
fn albedo(
    surface: &Surface,
    field: &str,
    textures: &mut Textures,
    context: &Context<'_>,
    report: &mut Report,
) -> Vec3A {
    let name = surface.texture.named();
    let source = name.and_then(|name| textures.decodable(context, name, Use::Texture, field, report));
    let picture = source.filter(|source| !source.is_placeholder()).and_then(|it| it.picture(context).ok());
    picture.map_or(Vec3A::splat(UNKNOWN_ALBEDO), |picture| {
        let linear = picture.mean_color().map(|level| srgb_to_linear(f32::from(level) / 255.0));
        Vec3A::from_array(linear).min(Vec3A::splat(MAX_ALBEDO))
    })
}

/// The opaque triangles of a mesh in a scene.
fn triangles(scene: &Scene, mesh: scene::MeshId, matrix: Affine3A, body: u32) -> Vec<Triangle> {
    let mut out = Vec::new();
    let primitives = scene.meshes.get(mesh.0).into_iter().flat_map(|mesh| &mesh.primitives);
    for primitive in primitives {
        let material = primitive.material.and_then(|material| scene.materials.get(material.0));
        if material.is_some_and(|material| material.alpha != AlphaMode::Opaque) {
            continue;
        }
        let (corners, _) = primitive.indices.as_chunks::<3>();
        let position = |corner: u32| {
            let position = usize::try_from(corner).ok().and_then(|corner| primitive.positions.get(corner))?;
            let position = matrix.transform_point3(Vec3::from_array(*position));
            (position.is_finite() && position.abs().max_element() <= MAX_COORDINATE)
                .then_some(Vec3A::from(position))
        };
        for [a, b, c] in corners {
            if let (Some(a), Some(b), Some(c)) = (position(*a), position(*b), position(*c)) {
                out.push(Triangle { corners: [a, b, c], albedo: Vec3A::splat(UNKNOWN_ALBEDO), body });
            }
        }
    }
    out
}

/// Connected components of the room: triangles that share corners.
#[derive(Debug, Default)]
struct Components {
    positions: HashMap<[u32; 3], usize>,
    groups: Groups,
    /// The first position of each triangle.
    firsts: Vec<usize>,
}

impl Components {
    fn add(&mut self, corners: [Vec3A; 3]) {
        let [first, second, third] = corners.map(|corner| {
            // Adding 0 turns negative zero into zero.
            let key = corner.to_array().map(|number| (number + 0.0).to_bits());
            *self.positions.entry(key).or_insert_with(|| self.groups.add())
        });
        self.groups.join(first, second);
        self.groups.join(first, third);
        self.firsts.push(first);
    }

    /// The component number of each triangle.
    fn numbers(self) -> Vec<u32> {
        let Self { mut groups, firsts, .. } = self;
        let mut known: HashMap<usize, u32> = HashMap::new();
        let number = |first: usize| {
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            *known.entry(groups.first(first)).or_insert(next)
        };
        firsts.into_iter().map(number).collect()
    }
}

//! Collision shapes of actors: spheres around objects and on vertices of their models.

use glam::{Quat, Vec3};
use json::json;
use scene::{Material, Mesh, MeshId, Node, NodeId, Primitive, Shading};

use super::builder::{SceneBuilder, packed};
use crate::map::resolved::{asset_stem, rotation};
use crate::map::{Object, Placement, Size};
use crate::number::{float, single};

/// The radius of the sphere of an object without a size, in world units.
const DEFAULT_RADIUS: f32 = 12.0;

/// The minimum size of an object from side to side, in world units.
const MIN_TOTAL: i32 = 4;

/// The unit of the scale of a sphere.
const SCALE: f32 = 256.0;

/// The maximum number of spheres of an object.
const MAX_SPHERES: u16 = 16;

/// The number of segments per quarter turn of a sphere mesh, around its axis and from its equator to a pole.
const SEGMENTS: u16 = 3;

/// A sphere relative to the origin of its object, in world units with the game's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CollisionSphere {
    center: Vec3,
    radius: f32,
}

impl SceneBuilder<'_> {
    pub(super) fn collision(&mut self, layer: NodeId) {
        let sections = self.map.object_sections();
        let mut mesh = None;
        for (index, it) in self.map.placements().iter().enumerate() {
            let Some((_, object)) = self.actors.object(self.map, index) else { continue };
            let size = usize::try_from(object.size).ok().and_then(|row| self.map.sizes().get(row));
            let scale = sections.extra(object).flatten().map_or(0, |extra| extra.sphere_scale);
            let mut shapes = size_spheres(size, scale);
            shapes.extend(self.vertex_spheres(object));
            let mesh = *mesh.get_or_insert_with(|| self.sphere_mesh());
            self.add_spheres(layer, index, it, &shapes, mesh);
        }
    }

    fn add_spheres(
        &mut self,
        layer: NodeId,
        index: usize,
        it: &Placement,
        spheres: &[CollisionSphere],
        mesh: MeshId,
    ) {
        let name = format!("C_{index:03}_{}", it.object.text());
        let nested = self.rotated(&name, &rotation(it.angles), self.fine_position(it.position));
        let top = self.add(layer, nested, &name, |node| {
            node.packed_extras = packed(&json!({ "layer": "collision", "index": index, "id": it.id }));
        });
        for (number, sphere) in spheres.iter().enumerate() {
            let body = Some(scene::Body::Barrier);
            let mut node = Node { mesh: Some(mesh), body, ..Node::named(format!("{name}_{number}-colonly")) };
            node.translation =
                Vec3::from(self.options.axes.direction(self.size(sphere.center).to_array())) + 0.0;
            node.rotation = Quat::IDENTITY;
            node.scale = Vec3::splat(self.length(sphere.radius));
            self.scene.add_child(top, node);
        }
    }

    /// Returns the spheres on vertices of the first model of an object.
    fn vertex_spheres(&mut self, object: &Object) -> Vec<CollisionSphere> {
        let sections = self.map.object_sections();
        let spheres = sections.spheres(object).unwrap_or_default();
        if spheres.is_empty() {
            return Vec::new();
        }
        let first = sections.models(object).and_then(|models| models.into_iter().next());
        let Some(first) = first else { return Vec::new() };
        let loaded = self.library.of_object(&first.path, &asset_stem(&first.path), self.report);
        let vertices = loaded.as_ref().and_then(|it| it.model()).map(|model| model.positions(0));
        let vertices = vertices.unwrap_or_default();
        let convert = |sphere: &crate::map::Sphere| {
            let vertex = vertices.get(usize::from(sphere.vertex)).copied()?;
            let offset = Vec3::from(sphere.offset.map(f32::from));
            Some(CollisionSphere {
                center: Vec3::from(vertex) + offset,
                radius: single(f64::from(sphere.radius)),
            })
        };
        spheres.iter().filter_map(convert).collect()
    }

    /// Adds the mesh of a sphere of radius 1, which all spheres scale.
    fn sphere_mesh(&mut self) -> MeshId {
        let material = self.scene.add_material(Material {
            name: "collision".to_owned(),
            base_color: [0.9, 0.2, 0.1, 0.35],
            alpha: scene::AlphaMode::Blend,
            shading: Shading::Unlit,
            ..Material::default()
        });
        let primitives = vec![Primitive { material: Some(material), ..unit_sphere() }];
        self.scene.add_mesh(Mesh { name: "sphere".to_owned(), primitives, ..Mesh::default() })
    }
}

/// Returns the spheres of an object of this size: along its longest side, or upright. A scale of 0 means no scale.
///
/// The number of spheres that the game uses is unknown; here they touch one another from one end to the other.
fn size_spheres(size: Option<&Size>, scale: i16) -> Vec<CollisionSphere> {
    let Some(size) = size else {
        return vec![CollisionSphere { center: Vec3::ZERO, radius: DEFAULT_RADIUS }];
    };
    let scale = if scale == 0 { 1.0 } else { f32::from(scale) / SCALE };
    let total = [0, 1, 2].map(|axis| {
        let part = |list: &[i32; 3]| list.get(axis).copied().unwrap_or_default();
        part(&size.positive).saturating_add(part(&size.negative))
    });
    let [x, y, z] = total;
    let radius = float(x.max(z).max(MIN_TOTAL)) / 2.0 * scale;
    // Upright, unless one side is longer than all others.
    let axis = if x > y && x > z {
        0
    } else if z > y && z > x {
        2
    } else {
        1
    };
    let end = |list: &[i32; 3]| float(list.get(axis).copied().unwrap_or_default());
    let (from, to) = (-end(&size.negative) + radius, end(&size.positive) - radius);
    let direction = Vec3::from([0, 1, 2].map(|it| if it == axis { 1.0 } else { 0.0 }));
    if to <= from || radius <= 0.0 {
        return vec![CollisionSphere { center: direction * (from + to) / 2.0, radius: radius.max(0.0) }];
    }
    let count =
        (1..MAX_SPHERES).find(|count| f32::from(*count) * 2.0 * radius >= to - from).unwrap_or(MAX_SPHERES);
    let at = |number: u16| from + (to - from) * f32::from(number) / f32::from(count);
    (0..=count).map(|number| CollisionSphere { center: direction * at(number), radius }).collect()
}

/// Creates a sphere of radius 1 with few vertices.
#[expect(clippy::arithmetic_side_effects, reason = "numbers of rows and columns are small")]
fn unit_sphere() -> Primitive {
    let (around, down) = (u32::from(SEGMENTS) * 4, u32::from(SEGMENTS) * 2);
    let angle = |part: u32, of: u32, turn: f32| single(f64::from(part)) / single(f64::from(of)) * turn;
    let mut positions = Vec::new();
    for row in 0..=down {
        let (ring, height) = angle(row, down, std::f32::consts::PI).sin_cos();
        for column in 0..around {
            let (sin, cos) = angle(column, around, std::f32::consts::TAU).sin_cos();
            positions.push([ring * cos, height, ring * sin]);
        }
    }
    let mut indices = Vec::new();
    for row in 0..down {
        for column in 0..around {
            let next = (column + 1) % around;
            let [a, b, c, d] = [(row, column), (row, next), (row + 1, next), (row + 1, column)]
                .map(|(row, column)| row * around + column);
            if row > 0 {
                indices.extend([a, b, c]);
            }
            if row + 1 < down {
                indices.extend([a, c, d]);
            }
        }
    }
    Primitive { normals: Some(positions.clone()), positions, indices, ..Primitive::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(positive: [i32; 3], negative: [i32; 3]) -> Size {
        Size { unknown_00: 0, extent: [0; 3], centre: [0; 3], positive, negative, number: None }
    }

    #[test]
    fn an_object_without_a_size_has_one_sphere() {
        assert_eq!(size_spheres(None, 0), [CollisionSphere { center: Vec3::ZERO, radius: 12.0 }]);
    }

    #[test]
    fn spheres_are_stacked_vertically_unless_another_side_is_longest() {
        let upright = size_spheres(Some(&size([10, 40, 8], [10, 40, 8])), 256);
        assert_eq!(
            upright.first(),
            Some(&CollisionSphere { center: Vec3::new(0.0, -30.0, 0.0), radius: 10.0 })
        );
        assert_eq!(
            upright.last(),
            Some(&CollisionSphere { center: Vec3::new(0.0, 30.0, 0.0), radius: 10.0 })
        );
        // There is no gap between them.
        assert!(upright.windows(2).all(|two| (two[1].center - two[0].center).length() <= 20.0));
        let long = size_spheres(Some(&size([10, 5, 50], [10, 5, 50])), 128);
        assert!(long.iter().all(|sphere| sphere.center.y == 0.0 && sphere.radius == 25.0));
        let flat = size_spheres(Some(&size([0, 3, 0], [0, 3, 0])), 256);
        assert_eq!(flat.first().map(|sphere| sphere.radius), Some(2.0));
    }

    #[test]
    fn the_sphere_faces_outward() {
        let it = unit_sphere();
        for triangle in it.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from(it.positions[triangle[corner] as usize]));
            assert!((b - a).cross(c - a).dot(a + b + c) > 0.0, "{a} {b} {c}");
        }
    }
}

//! What actors collide with: spheres around objects, and on vertices of their models.

use glam::{Quat, Vec3};
use json::json;
use scene::{Material, Mesh, MeshId, Node, NodeId, Primitive, Shading};

use super::maker::{Maker, packed};
use crate::map::resolved::{asset_stem, rotation};
use crate::map::{Object, Placement, Size};
use crate::number::{float, single};

/// The radius of the sphere of an object without a size, in world units.
const USUAL_RADIUS: f32 = 12.0;

/// The least size of an object from side to side, in world units.
const LEAST_TOTAL: i32 = 4;

/// What the scale of a sphere counts.
const SCALE: f32 = 256.0;

/// So many spheres an object has at most.
const MOST_SPHERES: u16 = 16;

/// Quarters of a turn around a sphere and from its middle to a pole are divided into so many parts.
const PARTS: u16 = 3;

/// A sphere from the origin of its object on, in world units with the game's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ball {
    center: Vec3,
    radius: f32,
}

impl Maker<'_> {
    pub(super) fn collision(&mut self, layer: NodeId) {
        let sections = self.map.object_sections();
        let mut mesh = None;
        for (index, it) in self.map.placements().iter().enumerate() {
            let Some((_, object)) = self.cast.object(self.map, index) else { continue };
            let size = usize::try_from(object.size).ok().and_then(|row| self.map.sizes().get(row));
            let scale = sections.extra(object).flatten().map_or(0, |extra| extra.sphere_scale);
            let mut balls = spheres(size, scale);
            balls.extend(self.vertex_spheres(object));
            let mesh = *mesh.get_or_insert_with(|| self.ball());
            self.balls(layer, index, it, &balls, mesh);
        }
    }

    fn balls(&mut self, layer: NodeId, index: usize, it: &Placement, balls: &[Ball], mesh: MeshId) {
        let name = format!("C_{index:03}_{}", it.object.text());
        let nested = self.turned(&name, &rotation(it.angles), self.fine_place(it.position));
        let top = self.add(layer, nested, &name, |node| {
            node.packed_extras = packed(&json!({ "layer": "collision", "index": index, "id": it.id }));
        });
        for (number, ball) in balls.iter().enumerate() {
            let body = Some(scene::Body::Barrier);
            let mut node = Node { mesh: Some(mesh), body, ..Node::named(format!("{name}_{number}-colonly")) };
            node.translation =
                Vec3::from(self.options.axes.direction(self.size(ball.center).to_array())) + 0.0;
            node.rotation = Quat::IDENTITY;
            node.scale = Vec3::splat(self.length(ball.radius));
            self.scene.add_child(top, node);
        }
    }

    /// The spheres on vertices of the first model of an object.
    fn vertex_spheres(&mut self, object: &Object) -> Vec<Ball> {
        let sections = self.map.object_sections();
        let spheres = sections.spheres(object).unwrap_or_default();
        if spheres.is_empty() {
            return Vec::new();
        }
        let first = sections.models(object).and_then(|models| models.into_iter().next());
        let Some(first) = first else { return Vec::new() };
        let shown = self.library.of_object(&first.path, &asset_stem(&first.path), self.report);
        let vertices = shown.as_ref().and_then(|it| it.model()).map(|model| model.positions(0));
        let vertices = vertices.unwrap_or_default();
        let ball = |sphere: &crate::map::Sphere| {
            let vertex = vertices.get(usize::from(sphere.vertex)).copied()?;
            let offset = Vec3::from(sphere.offset.map(f32::from));
            Some(Ball { center: Vec3::from(vertex) + offset, radius: single(f64::from(sphere.radius)) })
        };
        spheres.iter().filter_map(ball).collect()
    }

    /// A sphere of radius 1, which all others are scales of.
    fn ball(&mut self) -> MeshId {
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

/// The spheres of an object of this size: along its longest side, or upright; a scale of 0 is taken for none.
///
/// How many spheres the game puts there is not known: here they touch one another from one end to the other.
fn spheres(size: Option<&Size>, scale: i16) -> Vec<Ball> {
    let Some(size) = size else { return vec![Ball { center: Vec3::ZERO, radius: USUAL_RADIUS }] };
    let scale = if scale == 0 { 1.0 } else { f32::from(scale) / SCALE };
    let total = [0, 1, 2].map(|axis| {
        let part = |list: &[i32; 3]| list.get(axis).copied().unwrap_or_default();
        part(&size.positive).saturating_add(part(&size.negative))
    });
    let [x, y, z] = total;
    let radius = float(x.max(z).max(LEAST_TOTAL)) / 2.0 * scale;
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
    let way = Vec3::from([0, 1, 2].map(|it| if it == axis { 1.0 } else { 0.0 }));
    if to <= from || radius <= 0.0 {
        return vec![Ball { center: way * (from + to) / 2.0, radius: radius.max(0.0) }];
    }
    let count =
        (1..MOST_SPHERES).find(|count| f32::from(*count) * 2.0 * radius >= to - from).unwrap_or(MOST_SPHERES);
    let at = |number: u16| from + (to - from) * f32::from(number) / f32::from(count);
    (0..=count).map(|number| Ball { center: way * at(number), radius }).collect()
}

/// A sphere of radius 1 with few corners.
#[expect(clippy::arithmetic_side_effects, reason = "numbers of rows and columns are small")]
fn unit_sphere() -> Primitive {
    let (around, down) = (u32::from(PARTS) * 4, u32::from(PARTS) * 2);
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
        assert_eq!(spheres(None, 0), [Ball { center: Vec3::ZERO, radius: 12.0 }]);
    }

    #[test]
    fn spheres_stand_upright_unless_a_side_is_longest() {
        let upright = spheres(Some(&size([10, 40, 8], [10, 40, 8])), 256);
        assert_eq!(upright.first(), Some(&Ball { center: Vec3::new(0.0, -30.0, 0.0), radius: 10.0 }));
        assert_eq!(upright.last(), Some(&Ball { center: Vec3::new(0.0, 30.0, 0.0), radius: 10.0 }));
        // No gap between them.
        assert!(upright.windows(2).all(|two| (two[1].center - two[0].center).length() <= 20.0));
        let long = spheres(Some(&size([10, 5, 50], [10, 5, 50])), 128);
        assert!(long.iter().all(|ball| ball.center.y == 0.0 && ball.radius == 25.0));
        let flat = spheres(Some(&size([0, 3, 0], [0, 3, 0])), 256);
        assert_eq!(flat.first().map(|ball| ball.radius), Some(2.0));
    }

    #[test]
    fn the_sphere_faces_outwards() {
        let it = unit_sphere();
        for triangle in it.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from(it.positions[triangle[corner] as usize]));
            assert!((b - a).cross(c - a).dot(a + b + c) > 0.0, "{a} {b} {c}");
        }
    }
}

//! Collision shapes: spheres of objects and on vertices of their models, faces of statics.

use std::collections::BTreeMap;

use glam::Vec3;
use json::json;
use scene::{Body, MeshId, NodeId};

use super::builder::{SceneBuilder, packed};
use super::library::LoadedModel;
use crate::map::resolved::{asset_stem, rotation, static_rotation};
use crate::map::{Object, Placement, Size, Static, warning};
use crate::model::collision::{CollisionMeshes, CollisionSphere, shape_name};
use crate::model::rob::Collision;
use crate::number::{float, single};

/// The unit of the scale of a sphere.
const SCALE: f32 = 256.0;

/// The maximum number of names in the note about statics without collision faces.
const MAX_NAMES: usize = 5;

/// The meshes of faces by file; `None` for models without collision faces.
type FaceMeshes = BTreeMap<String, Option<MeshId>>;

impl SceneBuilder<'_> {
    pub(super) fn collision(&mut self, layer: NodeId) {
        let mut meshes = CollisionMeshes::default();
        let sections = self.map.object_sections();
        for (index, it) in self.map.placements().iter().enumerate() {
            let Some((_, object)) = self.actors.object(self.map, index) else { continue };
            let size = usize::try_from(object.size).ok().and_then(|row| self.map.sizes().get(row));
            let scale = sections.extra(object).flatten().map_or(0, |extra| extra.sphere_scale);
            let mut shapes = size_spheres(size, scale);
            shapes.extend(self.vertex_spheres(object));
            self.object_spheres(layer, (index, it), &shapes, &mut meshes);
        }
        self.static_shapes(layer, &mut meshes);
    }

    fn object_spheres(
        &mut self,
        layer: NodeId,
        (index, it): (usize, &Placement),
        spheres: &[CollisionSphere],
        meshes: &mut CollisionMeshes,
    ) {
        let name = format!("C_{index:03}_{}", it.object.text());
        let nested = self.rotated(&name, &rotation(it.angles), self.fine_position(it.position));
        let top = self.add(layer, nested, &name, |node| {
            node.packed_extras = packed(&json!({ "layer": "collision", "index": index, "id": it.id }));
        });
        meshes.add_spheres(&mut self.scene, (top, &name), spheres, self.options);
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

    /// Adds the collision shapes of statics: faces of their models, or spheres. Models that do not collide have none.
    fn static_shapes(&mut self, layer: NodeId, meshes: &mut CollisionMeshes) {
        let mut faces = FaceMeshes::new();
        let mut passable: BTreeMap<String, usize> = BTreeMap::new();
        for (index, it) in self.map.statics().iter().enumerate() {
            let model = it.model.text();
            let Some(loaded) = self.library.by_name(&asset_stem(&model), self.report) else { continue };
            match loaded.collision() {
                Collision::None => {}
                Collision::Actor => {
                    let spheres = loaded.found.header.map_or_else(Vec::new, |header| header.spheres());
                    let top = self.static_shape(layer, (index, it), Collision::Actor, None);
                    let name = static_name(index, it);
                    meshes.add_spheres(&mut self.scene, (top, &name), &spheres, self.options);
                }
                Collision::Faces => match self.face_mesh(&loaded, meshes, &mut faces) {
                    Some(mesh) => {
                        self.static_shape(layer, (index, it), Collision::Faces, Some(mesh));
                    }
                    None => {
                        let count = passable.entry(model).or_default();
                        *count = count.saturating_add(1);
                    }
                },
            }
        }
        self.report_passable(&passable);
    }

    /// Adds the node of the collision shape of a static.
    fn static_shape(
        &mut self,
        layer: NodeId,
        (index, it): (usize, &Static),
        collides_as: Collision,
        mesh: Option<MeshId>,
    ) -> NodeId {
        let mut name = static_name(index, it);
        if mesh.is_some() {
            name = shape_name(&name);
        }
        let nested = self.rotated(&name, &static_rotation(&it.matrix), self.position(it.position));
        self.add(layer, nested, &name, |node| {
            (node.mesh, node.body) = (mesh, mesh.map(|_| Body::Barrier));
            node.packed_extras = packed(&json!({
                "layer": "collision", "of": "statics", "index": index, "id": it.id, "collides_as": collides_as.name(),
            }));
        })
    }

    /// Returns the mesh of the faces of a model with which the game collides.
    fn face_mesh(
        &mut self,
        loaded: &LoadedModel,
        meshes: &mut CollisionMeshes,
        known: &mut FaceMeshes,
    ) -> Option<MeshId> {
        let model = loaded.model().filter(|model| model.version().has_loaded_nodes())?;
        let file = &loaded.found.file;
        if let Some(known) = known.get(file) {
            return *known;
        }
        let added = meshes.add_faces(&mut self.scene, model, loaded.found.name(), self.options);
        known.insert(file.clone(), added);
        added
    }

    /// Reports statics that the player passes through, because their models have no collision faces.
    fn report_passable(&mut self, counts: &BTreeMap<String, usize>) {
        let count = counts.values().fold(0_usize, |sum, count| sum.saturating_add(*count));
        if count == 0 {
            return;
        }
        let mut names: Vec<&str> = counts.keys().take(MAX_NAMES).map(String::as_str).collect();
        if counts.len() > MAX_NAMES {
            names.push("...");
        }
        let has = if count == 1 { "has a model" } else { "have models" };
        let statics = asset::counted(count, "static", "statics");
        let message = format!("{statics} {has} without collision faces: {}", names.join(", "));
        self.report.warn(&warning::PASSABLE, message);
    }
}

/// Returns the name of the node of the collision shape of a static.
fn static_name(index: usize, it: &Static) -> String {
    format!("C_S{index:03}_{}", it.model.text())
}

/// Returns the spheres of an object of this size. A scale of 0 or below means no scale.
fn size_spheres(size: Option<&Size>, scale: i16) -> Vec<CollisionSphere> {
    let Some(size) = size else { return vec![CollisionSphere::DEFAULT] };
    let scale = if scale <= 0 { 1.0 } else { f32::from(scale) / SCALE };
    let [positive, negative] = [size.positive, size.negative].map(|side| Vec3::from(side.map(float)));
    CollisionSphere::of_box(positive, negative, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_without_a_size_has_one_sphere() {
        assert_eq!(size_spheres(None, 0), [CollisionSphere { center: Vec3::ZERO, radius: 12.0 }]);
    }

    #[test]
    fn the_scale_of_an_object_applies_to_its_radius() {
        let (positive, negative) = ([10, 40, 8], [10, 40, 8]);
        let size = Size { unknown_00: 0, extent: [0; 3], centre: [0; 3], positive, negative, number: None };
        let radius = |scale| size_spheres(Some(&size), scale).first().map(|sphere| sphere.radius);
        assert_eq!([0, -1, 256, 128].map(radius), [Some(10.0), Some(10.0), Some(10.0), Some(5.0)]);
    }
}

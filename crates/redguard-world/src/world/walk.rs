//! Places without a shape of their own: markers, and the ways that actors walk.

use glam::Vec3;
use json::json;
use scene::{Material, MaterialId, Mesh, Node, NodeId, Primitive, Shading, Topology};

use super::maker::{Maker, packed};
use crate::map::WalkMap;

impl Maker<'_> {
    /// Adds the places that scripts name by their numbers.
    pub(super) fn markers(&mut self, layer: NodeId) {
        for (index, it) in self.map.markers().iter().enumerate() {
            let mut node = Node::named(format!("M{index:03}"));
            node.translation = self.place(it.position);
            node.packed_extras = packed(&json!({ "layer": "markers", "index": index, "flag": it.flag }));
            self.scene.add_child(layer, node);
        }
    }

    /// Adds the ways between the nodes of the walk maps, as lines.
    pub(super) fn walk_maps(&mut self, layer: NodeId) {
        let mut material = None;
        for (index, it) in self.map.walk_maps().iter().enumerate() {
            let name = format!("W{index:03}");
            let lines = self.ways(it);
            let material = *material.get_or_insert_with(|| self.walk_material());
            let primitives = vec![Primitive { material: Some(material), ..lines }];
            let mesh = self.scene.add_mesh(Mesh { name: name.clone(), primitives, ..Mesh::default() });
            let mut node = Node { mesh: Some(mesh), ..Node::named(name) };
            node.translation = self.place(it.position);
            node.packed_extras = packed(&json!({
                "layer": "walk", "index": index, "radius": it.radius, "nodes": it.nodes.len(),
            }));
            self.scene.add_child(layer, node);
        }
    }

    fn walk_material(&mut self) -> MaterialId {
        self.scene.add_material(Material {
            name: "walk".to_owned(),
            base_color: [0.1, 0.8, 0.2, 1.0],
            shading: Shading::Unlit,
            ..Material::default()
        })
    }

    /// A line for each pair of nodes with a route in either direction, from the place of the map on.
    fn ways(&self, it: &WalkMap) -> Primitive {
        let origin = self.place(it.position);
        let from_origin = |node: &crate::map::WalkNode| (self.place(node.position) - origin).to_array();
        let positions: Vec<[f32; 3]> = it.nodes.iter().map(from_origin).collect();
        let mut pairs = std::collections::BTreeSet::new();
        for (number, node) in (0_u32..).zip(&it.nodes) {
            let targets = node.routes.iter().map(|route| u32::from(route.target));
            let is_there = |target: &u32| usize::try_from(*target).is_ok_and(|it| it < positions.len());
            pairs.extend(targets.filter(is_there).map(|target| (number.min(target), number.max(target))));
        }
        let indices = pairs.into_iter().filter(|(from, to)| from != to).flat_map(|(from, to)| [from, to]);
        Primitive { topology: Topology::Lines, indices: indices.collect(), positions, ..Primitive::default() }
    }

    /// A size in world units, in meters.
    pub(super) fn length(&self, units: f32) -> f32 {
        units / crate::axes::UNITS_PER_METER * self.options.scale
    }

    /// The same for each axis.
    pub(super) fn size(&self, units: Vec3) -> Vec3 {
        units / crate::axes::UNITS_PER_METER * self.options.scale
    }
}

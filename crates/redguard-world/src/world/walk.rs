//! Records without a shape: markers and the walk paths of actors.

use json::json;
use scene::{Material, MaterialId, Mesh, Node, NodeId, Primitive, Shading, Topology};

use super::builder::{SceneBuilder, packed};
use crate::map::WalkMap;

impl SceneBuilder<'_> {
    /// Adds the markers: positions that scripts reference by number.
    pub(super) fn markers(&mut self, layer: NodeId) {
        for (index, it) in self.map.markers().iter().enumerate() {
            let mut node = Node::named(format!("M{index:03}"));
            node.translation = self.position(it.position);
            node.packed_extras = packed(&json!({ "layer": "markers", "index": index, "flag": it.flag }));
            self.scene.add_child(layer, node);
        }
    }

    /// Adds the routes between the nodes of the walk maps as lines.
    pub(super) fn walk_maps(&mut self, layer: NodeId) {
        let mut material = None;
        for (index, it) in self.map.walk_maps().iter().enumerate() {
            let name = format!("W{index:03}");
            let lines = self.route_lines(it);
            let material = *material.get_or_insert_with(|| self.walk_material());
            let primitives = vec![Primitive { material: Some(material), ..lines }];
            let mesh = self.scene.add_mesh(Mesh { name: name.clone(), primitives, ..Mesh::default() });
            let mut node = Node { mesh: Some(mesh), ..Node::named(name) };
            node.translation = self.position(it.position);
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

    /// Creates a line for each pair of nodes with a route in either direction, relative to the position of the walk map.
    fn route_lines(&self, it: &WalkMap) -> Primitive {
        let origin = self.position(it.position);
        let from_origin = |node: &crate::map::WalkNode| (self.position(node.position) - origin).to_array();
        let positions: Vec<[f32; 3]> = it.nodes.iter().map(from_origin).collect();
        let mut pairs = std::collections::BTreeSet::new();
        for (number, node) in (0_u32..).zip(&it.nodes) {
            let targets = node.routes.iter().map(|route| u32::from(route.target));
            let exists = |target: &u32| usize::try_from(*target).is_ok_and(|it| it < positions.len());
            pairs.extend(targets.filter(exists).map(|target| (number.min(target), number.max(target))));
        }
        let indices = pairs.into_iter().filter(|(from, to)| from != to).flat_map(|(from, to)| [from, to]);
        Primitive { topology: Topology::Lines, indices: indices.collect(), positions, ..Primitive::default() }
    }
}

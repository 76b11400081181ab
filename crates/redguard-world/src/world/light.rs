//! The lights of a map as nodes, and daylight in the extras of the root.

use json::json;
use scene::Node;

use super::builder::{SceneBuilder, packed};
use super::point_light::PointLight;
use crate::axes::Axes;
use crate::engine::light::{Daylight, shines_in};
use redguard_files::settings::ini::world::World;

impl SceneBuilder<'_> {
    /// Adds the lights of the map. Lights of other worlds than the displayed one are nodes without a light.
    pub(super) fn lights(&mut self, layer: scene::NodeId) {
        let world = self.setting.world_shown();
        for (index, it) in self.map.lights().iter().enumerate() {
            let name = format!("L{index:03}");
            let is_active = it.is_active == 1 && shines_in(it.world, world);
            let point_light = PointLight { radius: it.radius, color: it.color, is_active };
            let light = point_light.add(&mut self.scene, &name, self.options.scale);
            let mut node = Node { light, ..Node::named(name) };
            node.translation = self.position(it.position);
            node.packed_extras = packed(&json!({
                "layer": "lights", "index": index, "id": it.id, "radius": it.radius, "value": it.unknown_16,
                "rgb": it.color, "active": it.is_active, "world_index": it.world,
            }));
            self.scene.add_child(layer, node);
        }
    }
}

/// Returns the daylight for the extras of the root; the direction of the sunlight is given both in the game's axes and in the axes of the
/// scene.
pub(super) fn extras(world: &World, axes: Axes) -> json::Value {
    let daylight = Daylight::of_world(world);
    json!({
        "ambient": world.ambient, "sun": world.sun, "direction": daylight.direction,
        "shines_to": axes.direction(daylight.direction), "sprites": crate::engine::light::sprite_light(world),
    })
}

//! The lights of a map as nodes, and the daylight in the extras of the root.

use json::json;
use scene::Node;

use super::lamp::Lamp;
use super::maker::{Maker, packed};
use crate::axes::Axes;
use crate::engine::light::{Daylight, shines_in};
use redguard_files::settings::ini::world::World;

impl Maker<'_> {
    /// Adds the lights of the map. Those of other worlds than the one shown stay as nodes, but do not shine.
    pub(super) fn lights(&mut self, layer: scene::NodeId) {
        let world = self.setting.world_shown();
        for (index, it) in self.map.lights().iter().enumerate() {
            let name = format!("L{index:03}");
            let is_active = it.is_active == 1 && shines_in(it.world, world);
            let lamp = Lamp { radius: it.radius, color: it.color, is_active };
            let light = lamp.add(&mut self.scene, &name, self.options.scale);
            let mut node = Node { light, ..Node::named(name) };
            node.translation = self.place(it.position);
            node.packed_extras = packed(&json!({
                "layer": "lights", "index": index, "id": it.id, "radius": it.radius, "value": it.unknown_16,
                "rgb": it.color, "active": it.is_active, "world_index": it.world,
            }));
            self.scene.add_child(layer, node);
        }
    }
}

/// The daylight in the extras of the root; where the sun shines to both as the game has it and in the axes of the scene.
pub(super) fn extras(world: &World, axes: Axes) -> json::Value {
    let daylight = Daylight::of_world(world);
    json!({
        "ambient": world.ambient, "sun": world.sun, "direction": daylight.direction,
        "shines_to": axes.direction(daylight.direction), "sprites": crate::engine::light::sprite_light(world),
    })
}

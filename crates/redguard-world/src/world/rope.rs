//! Ropes and chains: vertically stacked links and an end model.

use glam::Vec3;
use json::{Map as Members, Value, json};
use record::Result;
use scene::{MeshId, Node, NodeId};

use super::builder::{SceneBuilder, packed};
use super::static_model::{Missing, PlacedModel, unresolved};
use crate::engine::light::ModelKind;
use crate::map::Rope;
use crate::map::resolved::{FRACTION, LINK, Matrix, asset_stem, rotation};
use crate::map::warning;

/// The maximum number of links of all ropes of a map. The ropes of the game have several hundred links in total.
const MAX_LINKS: usize = 1 << 14;

impl SceneBuilder<'_> {
    pub(super) fn ropes(&mut self, layer: NodeId) -> Result<()> {
        let mut missing = Missing::new("rope", "ropes");
        let mut remaining = MAX_LINKS;
        for (index, it) in self.map.ropes().iter().enumerate() {
            let links = usize::try_from(it.links).unwrap_or(0);
            match remaining.checked_sub(links) {
                Some(fewer) => remaining = fewer,
                None => {
                    let message = format!(
                        "rope {index} has {links} links, but a scene has room for only {remaining} more; skipped"
                    );
                    self.report.warn(&warning::LONG_ROPE, message);
                    continue;
                }
            }
            self.rope(layer, index, it, &mut missing)?;
        }
        missing.report(self.report);
        Ok(())
    }

    fn rope(&mut self, layer: NodeId, index: usize, it: &Rope, missing: &mut Missing) -> Result<()> {
        let (link, end) = (it.link_model.text(), it.end_model.text());
        let name = format!("R{index:03}_{link}");
        // A rope is rotated only around its vertical axis.
        let matrix = rotation([0, it.angle, 0]);
        let mut missing_names = Vec::new();
        let mut mesh = |builder: &mut Self, model: &str, down: f64| -> Result<Option<MeshId>> {
            let found = builder.rope_mesh(model, it, &matrix, down)?;
            if found.is_none() && !model.is_empty() {
                missing_names.push(model.to_owned());
            }
            Ok(found.flatten())
        };
        let count = u16::try_from(it.links).unwrap_or(0);
        // With baked light, each link needs a separate mesh.
        let is_lit = self.illumination.is_some();
        let mut shared = None;
        let mut links = Vec::new();
        for number in 0..count {
            let down = f64::from(number) * LINK;
            let found = match shared {
                Some(shared) => shared,
                None => mesh(self, &link, down)?,
            };
            if !is_lit {
                shared = Some(found);
            }
            links.push((down, found));
        }
        let end_down = f64::from(count) * LINK;
        let end_mesh = if end.is_empty() { None } else { mesh(self, &end, end_down)? };
        missing_names.sort_unstable();
        missing_names.dedup();
        missing_names.iter().for_each(|model| missing.add(model));
        let mut extras = extras(index, it);
        if let Some(missing_names) = unresolved(&missing_names) {
            extras.insert("unresolved".into(), missing_names);
        }
        let nested = self.rotated(&name, &matrix, self.fine_position(it.position));
        let top = self.add(layer, nested, &name, |node| node.packed_extras = packed(&extras));
        for (number, (down, mesh)) in links.into_iter().enumerate() {
            let mut node = Node { mesh, ..Node::named(format!("{name} link {number}")) };
            node.translation = self.below(down);
            node.packed_extras = packed(&json!({ "layer": "ropes", "index": index, "link": number }));
            self.scene.add_child(top, node);
        }
        if !end.is_empty() {
            let mut node = Node { mesh: end_mesh, ..Node::named(format!("{name} {end}")) };
            node.translation = self.below(end_down);
            node.packed_extras = packed(&json!({ "layer": "ropes", "index": index, "terminal": true }));
            self.scene.add_child(top, node);
        }
        Ok(())
    }

    /// Returns the offset to a point below the rope, at a distance in world units.
    fn below(&self, down: f64) -> Vec3 {
        let offset = [0.0, crate::number::single(down), 0.0];
        Vec3::from(self.options.axes.position(offset)) * self.options.scale + 0.0
    }

    fn rope_mesh(
        &mut self,
        model: &str,
        it: &Rope,
        matrix: &Matrix,
        down: f64,
    ) -> Result<Option<Option<MeshId>>> {
        let [x, y, z] = it.position.map(|number| f64::from(number) / FRACTION);
        let placed =
            PlacedModel { kind: ModelKind::AnimatedActor, rotation: matrix, origin: [x, y + down, z] };
        self.placed_mesh(&asset_stem(model), &placed)
    }
}

fn extras(index: usize, it: &Rope) -> Members<String, Value> {
    let extras = json!({
        "layer": "ropes", "index": index, "id": it.id, "angle_y": it.angle, "type": it.kind, "swing": it.swing, "speed": it.speed,
        "length": it.links, "swing_sounds": it.sounds,
    });
    match extras {
        Value::Object(extras) => extras,
        _ => Members::new(),
    }
}

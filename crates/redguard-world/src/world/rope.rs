//! Ropes and chains: links below one another, and what hangs at the end.

use glam::Vec3;
use json::{Map as Members, Value, json};
use record::Result;
use scene::{MeshId, Node, NodeId};

use super::maker::{Maker, packed};
use super::still::{Missing, Standing, unresolved};
use crate::engine::light::Body;
use crate::map::Rope;
use crate::map::resolved::{FRACTION, LINK, Matrix, asset_stem, rotation};
use crate::map::warning;

/// The ropes of a map have no more links. Those of the game have some hundred together.
const MOST_LINKS: usize = 1 << 14;

impl Maker<'_> {
    pub(super) fn ropes(&mut self, layer: NodeId) -> Result<()> {
        let mut missing = Missing::new("rope", "ropes");
        let mut left = MOST_LINKS;
        for (index, it) in self.map.ropes().iter().enumerate() {
            let links = usize::try_from(it.links).unwrap_or(0);
            match left.checked_sub(links) {
                Some(fewer) => left = fewer,
                None => {
                    let message = format!("rope {index} has {links} links, too many for a scene");
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
        // It is turned around its own axis alone.
        let matrix = rotation([0, it.angle, 0]);
        let mut lost = Vec::new();
        let mut mesh = |maker: &mut Self, model: &str, down: f64| -> Result<Option<MeshId>> {
            let found = maker.rope_mesh(model, it, &matrix, down)?;
            if found.is_none() && !model.is_empty() {
                lost.push(model.to_owned());
            }
            Ok(found.flatten())
        };
        let count = u16::try_from(it.links).unwrap_or(0);
        // With light of their own the links are meshes of their own.
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
        lost.sort_unstable();
        lost.dedup();
        lost.iter().for_each(|model| missing.add(model));
        let mut extras = extras(index, it);
        if let Some(lost) = unresolved(&lost) {
            extras.insert("unresolved".into(), lost);
        }
        let nested = self.turned(&name, &matrix, self.fine_place(it.position));
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

    /// So many world units below the rope.
    fn below(&self, down: f64) -> Vec3 {
        let place = [0.0, crate::number::single(down), 0.0];
        Vec3::from(self.options.axes.position(place)) * self.options.scale + 0.0
    }

    fn rope_mesh(
        &mut self,
        model: &str,
        it: &Rope,
        matrix: &Matrix,
        down: f64,
    ) -> Result<Option<Option<MeshId>>> {
        let [x, y, z] = it.position.map(|number| f64::from(number) / FRACTION);
        let standing = Standing { body: Body::AnimatedActor, rotation: matrix, origin: [x, y + down, z] };
        self.standing_mesh(&asset_stem(model), &standing)
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

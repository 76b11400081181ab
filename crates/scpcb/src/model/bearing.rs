//! How large the game shows characters and items, and which way up.
//!
//! Rooms and the props in them are scaled by 8/2048, and so are their models here. A character or an item is scaled by a number of its own,
//! which the game's code gives, for characters mostly from a table (`Data/NPCs.ini`), and some lie on their backs in their files. The root of the
//! scene gets both, so that every converted file uses the same unit.
//!
//! A model is recognized by the name of its file, otherwise by its shape: mods rename the files of the game.

use asset::{Context, Report};
use glam::Vec3;
use json::json;
use scene::Scene;

use super::signature::{self, Measured};
use super::sizes::{self, CHARACTERS, ITEMS, Known, Over, Size, VEHICLES};
use super::warning;
use crate::axes;

/// The table of characters, from the folder of the game on.
const TABLE: &str = "Data/NPCs.ini";

/// Pictures of characters take in so many meters, so that their sizes can be compared: people are 1.1 high, frames of doors 1.25.
const CHARACTER_FRAME: f32 = 2.0;

/// The folders whose models have sizes of their own, each with the models that are known.
const FOLDERS: &[(&str, &[Known])] = &[("npcs", CHARACTERS), ("items", ITEMS)];

/// The name and folder of a model, which say whether it may be a character or an item.
#[derive(Debug)]
struct Place {
    /// Its name in lower case, without the extension.
    stem: String,
    /// The models that it may be.
    models: &'static [Known],
    /// The folder whose models all have a size of their own, if it is in one.
    folder: Option<&'static str>,
}

impl Place {
    /// `None` where the unit of rooms is right.
    fn of(context: &Context<'_>) -> Option<Self> {
        let path = context.location.as_ref()?.path().to_string().to_lowercase();
        let mut parts = path.rsplit(['/', '\\']);
        let name = parts.next()?;
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
        let folders: Vec<_> = parts.collect();
        // Battery/Battery.x is an item as well.
        let own = folders.iter().find_map(|part| FOLDERS.iter().find(|(folder, _)| folder == part));
        let (models, folder) = match (own, folders.as_slice()) {
            (Some((folder, models)), _) => (*models, Some(*folder)),
            (None, ["gfx"]) => (VEHICLES, None),
            // Names of characters are like no others, so their files are known outside of the game, too.
            (None, []) => (CHARACTERS, None),
            _ => return None,
        };
        Some(Self { stem, models, folder })
    }
}

/// Gives the root of a model's scene the size and the bearing that it has in the game. `factor` multiplies all lengths of the scene. Reports a
/// character or an item whose size is not known.
pub(crate) fn apply(scene: &mut Scene, context: &Context<'_>, factor: f32, report: &mut Report) {
    let Some(place) = Place::of(context) else { return };
    let of_name = sizes::of_name(place.models, &place.stem);
    let Some(model) = of_name.or_else(|| sizes::of_shape(place.models, &Measured::of(scene, factor)?)) else {
        if place.folder.is_some() {
            report.warn(&warning::UNKNOWN_SIZE, unknown_size(scene));
        }
        return;
    };
    let Some(Sized { scale, source }) = model.size.find(scene, context, factor) else { return };
    let [pitch, yaw] = model.turn;
    let Some(root) = scene.roots.first().and_then(|root| scene.nodes.get_mut(root.0)) else { return };
    root.rotation = axes::rotation([pitch, yaw, 0.0]);
    root.scale = glam::DVec3::splat(scale * f64::from(axes::UNITS_PER_METER)).as_vec3();
    root.extras.insert("game_scale".into(), json!(scale));
    root.extras.insert("game_scale_from".into(), source.into());
    if place.folder == Some("npcs") {
        scene.shared_frame = Some(CHARACTER_FRAME * factor);
    }
}

/// What a model is scaled by.
struct Sized {
    /// Meters for a unit of the file.
    scale: f64,
    /// Where that is from.
    source: &'static str,
}

/// The name of what the code of the game says.
const CODE: &str = "the game's code";

impl Size {
    /// `None` where it cannot be told.
    fn find(self, scene: &Scene, context: &Context<'_>, factor: f32) -> Option<Sized> {
        let (number, source) = match of_table(context, self.sections) {
            Some(number) => (number, TABLE),
            None => (self.shipped, CODE),
        };
        let over = match self.over {
            Over::Number(over) => over,
            Over::Width => signature::extents(scene, factor)?[0],
            Over::Depth => signature::extents(scene, factor)?[2],
        };
        let scale = number / over;
        (scale.is_finite() && scale > 0.0).then_some(Sized { scale, source })
    }
}

/// The scale in the first of these sections that the table has.
fn of_table(context: &Context<'_>, sections: &[&str]) -> Option<f64> {
    let table = crate::ini::of_install(context, TABLE)?;
    let section = sections.iter().find_map(|section| table.section(section))?;
    let value = section.get("scale")?.trim().parse::<f64>().ok()?;
    (value.is_finite() && value > 0.0).then_some(value)
}

/// The message on a model whose size is not known: how large it is, so that what it should be can be told.
fn unknown_size(scene: &Scene) -> String {
    let Vec3 { x, y, z } = size_at_rest(scene);
    let [width, height, depth] = [x, y, z].map(significant);
    format!(
        "how large the game shows this model is not known; it is converted as if it stood in a room: {width} m wide, {height} m high and {depth} m deep"
    )
}

/// The extents of all meshes of a scene, in meters.
fn size_at_rest(scene: &Scene) -> Vec3 {
    let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for (id, place) in scene.places() {
        let mesh = scene.nodes.get(id.0).and_then(|node| scene.meshes.get(node.mesh?.0));
        for position in mesh.iter().flat_map(|mesh| &mesh.primitives).flat_map(|part| &part.positions) {
            let position = place.transform_point3((*position).into());
            (least, most) = (least.min(position), most.max(position));
        }
    }
    let size = most - least;
    if size.is_finite() { size.max(Vec3::ZERO) } else { Vec3::ZERO }
}

/// A length with two significant digits after leading zeros: `43.2`, `0.0043`.
fn significant(length: f32) -> String {
    let decimals = match length {
        1.0.. => 1,
        0.1.. => 2,
        0.01.. => 3,
        0.001.. => 4,
        _ => 5,
    };
    format!("{length:.decimals$}")
}

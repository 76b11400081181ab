//! Scale and orientation of characters and items in the game.
//!
//! Rooms and the props in them are scaled by 8/2048, and so are their models here. Characters and items are scaled by individual
//! factors in the game's code, for characters mostly from a table (`Data/NPCs.ini`), and some lie on their backs in their files.
//! The root of the scene gets both, so that every converted file uses the same unit.
//!
//! A model is recognized by its file name, otherwise by its shape: mods rename the files of the game.

use asset::{Context, Report};
use glam::Vec3;
use json::json;
use scene::Scene;

use super::signature::{self, Measurements};
use super::sizes::{self, CHARACTERS, Divisor, ITEMS, KnownModel, Size, VEHICLES};
use super::warning;
use crate::axes;

/// Path of the table of characters, relative to the game folder.
const TABLE: &str = "Data/NPCs.ini";

/// Size of the shared frame of character images in meters, so that their sizes can be compared: people are 1.1 m high, door frames
/// 1.25 m.
const CHARACTER_FRAME: f32 = 2.0;

/// Folders whose models have individual scales, each with its known models.
const FOLDERS: &[(&str, &[KnownModel])] = &[("npcs", CHARACTERS), ("items", ITEMS)];

/// The name of a model, and the known models that it may be.
#[derive(Debug)]
struct ModelLocation {
    /// File name in lowercase, without the extension.
    stem: String,
    /// Candidates for the model.
    models: &'static [KnownModel],
    /// The folder whose models have individual scales, if it is in one.
    folder: Option<&'static str>,
}

impl ModelLocation {
    /// Returns `None` if the unit of rooms applies.
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
            // Names of characters are distinctive, so their files are recognized outside of the game, too.
            (None, []) => (CHARACTERS, None),
            _ => return None,
        };
        Some(Self { stem, models, folder })
    }
}

/// Applies the scale and orientation in the game to the root of a model's scene. `factor` multiplies all lengths of the scene.
/// Reports a character or an item of unknown size.
pub(crate) fn apply(scene: &mut Scene, context: &Context<'_>, factor: f32, report: &mut Report) {
    let Some(location) = ModelLocation::of(context) else { return };
    let by_name = sizes::find_by_name(location.models, &location.stem);
    let Some(model) =
        by_name.or_else(|| sizes::find_by_shape(location.models, &Measurements::of(scene, factor)?))
    else {
        if location.folder.is_some() {
            report.warn(&warning::UNKNOWN_SIZE, unknown_size(scene));
        }
        return;
    };
    let Some(GameScale { scale, source }) = model.size.find(scene, context, factor) else { return };
    let [pitch, yaw] = model.rotation;
    let Some(root) = scene.roots.first().and_then(|root| scene.nodes.get_mut(root.0)) else { return };
    root.rotation = axes::rotation([pitch, yaw, 0.0]);
    root.scale = glam::DVec3::splat(scale * f64::from(axes::UNITS_PER_METER)).as_vec3();
    root.extras.insert("game_scale".into(), json!(scale));
    root.extras.insert("game_scale_from".into(), source.into());
    if location.folder == Some("npcs") {
        scene.shared_frame = Some(CHARACTER_FRAME * factor);
    }
}

/// The scale of a model in the game.
struct GameScale {
    /// Meters per unit of the file.
    scale: f64,
    /// Source of the scale.
    source: &'static str,
}

/// Name of the game's code as a source.
const CODE: &str = "the game's code";

impl Size {
    /// Returns the scale; `None` if it cannot be determined.
    fn find(self, scene: &Scene, context: &Context<'_>, factor: f32) -> Option<GameScale> {
        let (number, source) = match scale_in_table(context, self.sections) {
            Some(number) => (number, TABLE),
            None => (self.shipped, CODE),
        };
        let divisor = match self.divisor {
            Divisor::Number(divisor) => divisor,
            Divisor::Width => signature::extents(scene, factor)?[0],
            Divisor::Depth => signature::extents(scene, factor)?[2],
        };
        let scale = number / divisor;
        (scale.is_finite() && scale > 0.0).then_some(GameScale { scale, source })
    }
}

/// Returns the scale in the first of these sections that the table has.
fn scale_in_table(context: &Context<'_>, sections: &[&str]) -> Option<f64> {
    let table = crate::ini::of_install(context, TABLE)?;
    let section = sections.iter().find_map(|section| table.section(section))?;
    let value = section.get("scale")?.trim().parse::<f64>().ok()?;
    (value.is_finite() && value > 0.0).then_some(value)
}

/// Returns the message for a model of unknown size, with its dimensions.
fn unknown_size(scene: &Scene) -> String {
    let Vec3 { x, y, z } = size_at_rest(scene);
    let [width, height, depth] = [x, y, z].map(significant);
    format!(
        "the model's size in the game is unknown; converted with the unit of rooms: {width} m wide, {height} m high and {depth} m deep"
    )
}

/// Returns the extents of all meshes of a scene, in meters.
fn size_at_rest(scene: &Scene) -> Vec3 {
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for (id, matrix) in scene.world_transforms() {
        let mesh = scene.nodes.get(id.0).and_then(|node| scene.meshes.get(node.mesh?.0));
        for position in mesh.iter().flat_map(|mesh| &mesh.primitives).flat_map(|part| &part.positions) {
            let position = matrix.transform_point3((*position).into());
            (min, max) = (min.min(position), max.max(position));
        }
    }
    let size = max - min;
    if size.is_finite() { size.max(Vec3::ZERO) } else { Vec3::ZERO }
}

/// Formats a length with at least two significant digits: `43.2`, `0.0043`.
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

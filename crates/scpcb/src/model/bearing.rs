//! How large the game shows characters and items, and which way up.
//!
//! Rooms and what stands in them are scaled by 8/2048, and so are their models here. A character or an item is scaled by a number of its own,
//! which the game's code gives, for characters mostly from a table (`Data/NPCs.ini`), and some lie on their backs in their files. The root of the
//! scene takes both, so that all that is converted has one unit.
//!
//! Source: the game's published code (version 1.3.11).

use asset::{Code, Context, Report};
use scene::Scene;
use serde_json::json;

use crate::axes;

/// The table of characters, from the folder of the game on.
const TABLE: &str = "Data/NPCs.ini";

/// Pictures of characters take in so many meters, so that their sizes can be compared: people are 1.1 high, frames of doors 1.25.
const CHARACTER_FRAME: f32 = 2.0;

/// What the game scales by.
#[derive(Debug, Clone, Copy)]
enum Size {
    /// A number in its code.
    Fixed(f64),
    /// A number in its code, over the size of the mesh.
    Over(f64, Side),
    /// The scale of a section of the table (as shipped, where there is no table), over a number.
    Table(&'static str, f64, f64),
    /// The same over the size of the mesh.
    TableOver(&'static str, f64, Side),
    /// As rooms are.
    Room,
}

/// The extent of a mesh that counts.
#[derive(Debug, Clone, Copy)]
enum Side {
    Width,
    Depth,
}

/// A model that the code of the game loads.
#[derive(Debug, Clone, Copy)]
struct Known {
    name: &'static str,
    size: Size,
    /// How its body is turned while it stands: pitch and yaw in degrees.
    turn: [f32; 2],
}

const fn known(name: &'static str, size: Size) -> Known {
    Known { name, size, turn: [0.0; 2] }
}

const fn turned(name: &'static str, size: Size, pitch: f32, yaw: f32) -> Known {
    Known { name, size, turn: [pitch, yaw] }
}

/// In `GFX/npcs`.
const CHARACTERS: &[Known] = &[
    turned("173_2.b3d", Size::TableOver("SCP-173", 0.35, Side::Depth), 0.0, -180.0),
    known("106_2.b3d", Size::Table("SCP-106", 0.25, 2.2)),
    turned("guard.b3d", Size::Table("Guard", 0.29, 2.5), 0.0, 180.0),
    turned("mtf2.b3d", Size::Table("MTF", 0.29, 2.5), -90.0, 0.0),
    turned("classd.b3d", Size::Over(0.5, Side::Width), 0.0, -180.0),
    turned("clerk.b3d", Size::Over(0.5, Side::Width), 0.0, -180.0),
    turned("zombiesurgeon.b3d", Size::Over(0.5, Side::Width), 0.0, -180.0),
    known("372.b3d", Size::Over(0.35, Side::Width)),
    known("bll.b3d", Size::Over(1.8, Side::Width)),
    known("scp096.b3d", Size::Table("SCP-096", 0.6, 3.0)),
    known("scp-049.b3d", Size::Table("SCP-049", 1.2, 1.0)),
    turned("zombie1.b3d", Size::Table("SCP-049-2", 0.27, 2.5), -90.0, 0.0),
    turned("035tentacle.b3d", Size::Fixed(0.065), -90.0, -180.0),
    turned("forestmonster.b3d", Size::Table("forestmonster", 0.5, 20.0), -90.0, 0.0),
    turned("scp-939.b3d", Size::Table("SCP-939", 0.5, 2.5), -90.0, 0.0),
    known("scp-066.b3d", Size::Table("SCP-066", 0.17, 2.5)),
    turned("scp-966.b3d", Size::Table("SCP-966", 0.5, 40.0), -90.0, 0.0),
    known("scp-1048a.b3d", Size::Fixed(0.05)),
    // Each is between 0.8 and 1 times as large, at random.
    turned("1499-1.b3d", Size::Table("SCP-1499-1", 0.08, 4.0 / 0.9), 0.0, -180.0),
];

/// In `GFX`.
const VEHICLES: &[Known] = &[
    known("apache.b3d", Size::Fixed(0.6)),
    known("apacherotor.b3d", Size::Fixed(0.6)),
    known("apacherotor2.b3d", Size::Fixed(0.6)),
];

/// In `GFX/items`. Where one model serves several items, as large as the usual one.
const ITEMS: &[Known] = &[
    known("420.x", Size::Fixed(0.0004)),
    known("427.b3d", Size::Fixed(0.001)),
    known("513.x", Size::Fixed(0.1)),
    known("battery.x", Size::Fixed(0.01)),
    known("hgib_skull1.b3d", Size::Fixed(0.015)),
    known("nvg.b3d", Size::Fixed(0.02)),
    known("scp-1499.b3d", Size::Fixed(0.023)),
    known("syringe.b3d", Size::Fixed(0.005)),
    known("badge.x", Size::Fixed(0.0001)),
    known("clipboard.b3d", Size::Fixed(0.003)),
    known("cup.x", Size::Fixed(0.04)),
    known("electronics.x", Size::Fixed(0.0011)),
    known("eyedrops.b3d", Size::Fixed(0.0012)),
    known("firstaid.x", Size::Fixed(0.03)),
    known("gasmask.b3d", Size::Fixed(0.02)),
    known("hazmat.b3d", Size::Fixed(0.013)),
    known("key.b3d", Size::Fixed(0.001)),
    known("keycard.x", Size::Fixed(0.0004)),
    known("navigator.x", Size::Fixed(0.0008)),
    known("note.x", Size::Fixed(0.0025)),
    known("origami.b3d", Size::Fixed(0.003)),
    known("paper.x", Size::Fixed(0.003)),
    known("pill.b3d", Size::Fixed(0.0001)),
    known("radio.x", Size::Fixed(1.0)),
    known("scp1025.b3d", Size::Fixed(0.1)),
    known("scp148.x", Size::Room),
    known("metalpanel.x", Size::Room),
    known("scp714.b3d", Size::Fixed(0.3)),
    known("severedhand.b3d", Size::Fixed(0.04)),
    known("vest.x", Size::Fixed(0.02)),
    known("wallet.b3d", Size::Fixed(0.0005)),
];

/// The folders whose models have sizes of their own, each with the models that are known. That of others in them is not known.
const FOLDERS: &[(&str, &[Known], bool)] =
    &[("npcs", CHARACTERS, true), ("items", ITEMS, true), ("gfx", VEHICLES, false)];

/// Gives the root of a model's scene the size and the bearing that it has in the game. `factor` multiplies all lengths of the scene. Reports a
/// character or an item whose size is not known with `unknown`.
pub(crate) fn apply(
    scene: &mut Scene,
    context: &Context<'_>,
    factor: f32,
    unknown: &'static Code,
    report: &mut Report,
) {
    let Some((folder, name)) = super::folder_and_name(context) else { return };
    let known = FOLDERS.iter().find(|(of, ..)| Some(*of) == folder.as_deref());
    // Names of characters are like no others, so their files are known outside of the game, too.
    let Some((_, models, are_all)) = known.or(folder.is_none().then_some(&("", CHARACTERS, false))) else {
        return;
    };
    let Some(model) = models.iter().find(|model| model.name == name) else {
        if *are_all {
            let message = format!(
                "how large the game shows \"{name}\" is not known; it is as large as if it stood in a room"
            );
            report.warn(unknown, message);
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
    if folder.as_deref() == Some("npcs") {
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
        let (scale, source) = match self {
            Self::Room => (f64::from(axes::UNITS_PER_METER).recip(), CODE),
            Self::Fixed(scale) => (scale, CODE),
            Self::Over(scale, side) => (scale / side.of(scene, factor)?, CODE),
            Self::Table(section, shipped, over) => {
                let (scale, source) = of_table(context, section, shipped);
                (scale / over, source)
            }
            Self::TableOver(section, shipped, side) => {
                let (scale, source) = of_table(context, section, shipped);
                (scale / side.of(scene, factor)?, source)
            }
        };
        (scale.is_finite() && scale > 0.0).then_some(Sized { scale, source })
    }
}

/// The scale in a section of the table, or the one that it is shipped with; and where it is from.
fn of_table(context: &Context<'_>, section: &str, shipped: f64) -> (f64, &'static str) {
    let table = crate::ini::of_install(context, TABLE);
    let value = table.and_then(|table| table.section(section)?.get("scale")?.trim().parse::<f64>().ok());
    match value.filter(|value| value.is_finite() && *value > 0.0) {
        Some(value) => (value, TABLE),
        None => (shipped, CODE),
    }
}

impl Side {
    /// The extent of the first mesh in units of the file.
    fn of(self, scene: &Scene, factor: f32) -> Option<f64> {
        let mesh = scene.meshes.first()?;
        let places = mesh.primitives.iter().flat_map(|primitive| &primitive.positions);
        let along = places.map(|[x, _, z]| match self {
            Self::Width => *x,
            Self::Depth => *z,
        });
        let (least, most) =
            along.fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), it| (least.min(it), most.max(it)));
        let extent = f64::from(most - least) * f64::from(axes::UNITS_PER_METER) / f64::from(factor);
        (extent.is_finite() && extent > 0.0).then_some(extent)
    }
}

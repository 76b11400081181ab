//! A small synthetic game folder, written by the writers of this crate: one hall with textures, a lightmap, a glass pane, lights, a
//! trigger box, ceiling lamps and swaying plants.
//!
//! Nothing in it comes from the game. The demo, tests and benchmarks use it.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "samples use small constants, not numbers from files"
)]

mod canvas;
mod geometry;
mod hall;
mod lampshade;
mod light;
mod plant;
pub(crate) mod saved_game;
mod specimen;
pub(crate) mod three_ds;

pub use specimen::specimens;

use asset::Sink;
use record::Result;
use scene::Sound;
use scene::sound::{Depth, SampleFormat};

use crate::cbmap::{Map, PlacedRoom};
use crate::rmesh::RMesh;

/// The path of the room in the sample's folder.
pub const ROOM: &str = "GFX/map/hall_opt.rmesh";

const ROOMS: &str = "\
; The rooms of the sample.
[room ambience]
ambience1 = SFX\\Ambient\\hum.wav

[hall]
descr=A hall with pillars, a glass pane and a sign.
mesh path=GFX\\map\\hall_opt.rmesh
shape = 2
commonness = 50
zone1=1
";

const MATERIALS: &str = "\
[tiles.png]
stepsound = 1
";

/// The events of the sample.
const EVENTS: &str = "\
[hum]
descr=The hall hums.
room1=hall
";

/// A map of three halls in a row.
pub(crate) fn map() -> Map {
    let room = |y, event: &str| PlacedRoom {
        x: 9,
        y,
        room: "hall".into(),
        quarter_turns: 0,
        event: event.into(),
        event_chance: 1.0,
    };
    Map {
        author: "Antiquary".into(),
        description: "Three halls in a row.".into(),
        light_row: 13,
        heavy_row: 7,
        rooms: vec![room(6, ""), room(7, "hum"), room(8, "")],
        forest: Vec::new(),
        tunnels: Vec::new(),
        rest: Vec::new().into(),
    }
}

/// Writes the folder: `GFX/map`, `GFX/map/Props`, `GFX/screens`, `Map Creator/Maps` and `Data`, as in the game.
///
/// # Errors
/// If the sink fails.
pub fn write(sink: &mut dyn Sink) -> Result<()> {
    let hall = hall::build();
    sink.put(ROOM, &hall.room.write()?)?;
    for (name, picture) in &hall.pictures {
        sink.put(name, &scene::image::encode_png(picture))?;
    }
    let prop = |name: &str| format!("GFX/map/Props/{name}");
    sink.put(&prop(lampshade::MODEL), lampshade::model().as_bytes())?;
    sink.put(&prop(plant::MODEL), &plant::model()?)?;
    for (name, picture) in [
        (lampshade::TEXTURE, lampshade::texture()),
        (plant::LEAF, plant::leaf_picture()),
        (plant::CLAY, plant::clay_picture()),
    ] {
        sink.put(&prop(name), &scene::image::encode_png(&picture))?;
    }
    sink.put("SFX/Ambient/hum.wav", &scene::sound::encode_wav(&hum())?)?;
    sink.put("Map Creator/Maps/halls.cbmap2", &map().write()?)?;
    sink.put("Data/events.ini", EVENTS.as_bytes())?;
    sink.put("Data/rooms.ini", ROOMS.as_bytes())?;
    sink.put("Data/materials.ini", MATERIALS.as_bytes())
}

/// Half a second of mains hum, which loops seamlessly.
fn hum() -> Sound {
    let wave = |at: u16| {
        let turns = f64::from(at) * 50.0 / f64::from(HUM_RATE);
        let height =
            (turns * std::f64::consts::TAU).sin() + 0.4 * (turns * 3.0 * std::f64::consts::TAU).sin();
        height * 40.0
    };
    // 8-bit samples are centered at 128.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounding is intended"
    )]
    let data = (0..HUM_RATE / 2).map(|at| (128.0 + wave(at)).round() as u8).collect();
    let form = SampleFormat { rate: u32::from(HUM_RATE), channels: 1, depth: Depth::Eight };
    Sound { form, data, loops: None }
}

/// Sample rate of the hum, in hertz.
const HUM_RATE: u16 = 11_025;

/// The hall without its images.
#[must_use]
pub fn room() -> RMesh {
    hall::build().room
}

#[cfg(test)]
mod tests {
    use super::*;
    use asset::{MemorySink, Report};

    #[test]
    fn the_sample_is_valid_and_deterministic() {
        let (mut first, mut second) = (MemorySink::new(), MemorySink::new());
        write(&mut first).unwrap();
        write(&mut second).unwrap();
        assert_eq!(first, second);
        let bytes = first.get(ROOM).unwrap();
        let mut report = Report::new();
        let room = RMesh::read(bytes, &mut report).unwrap();
        assert!(report.is_empty(), "{report:?}");
        assert_eq!(room.write().unwrap(), bytes);
        assert_eq!(room, super::room());
    }
}

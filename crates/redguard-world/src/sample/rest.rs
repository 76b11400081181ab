//! The small files of the game folder: cheats, settings, images of paint programs, a saved game.

use asset::Sink;
use media::anm::Anm;
use media::lbm::{Chunk, Content, Cycle, Lbm};
use media::pcx::Pcx;
use record::Result;

use super::canvas::{self, Ramp, SIDE};
use redguard_files::picture::shade::ShadeTable;
use redguard_files::save::{Item, Save};
use redguard_files::settings::cht::Cheats;
use redguard_files::settings::cpf::Console;

pub(super) fn write(sink: &mut dyn Sink) -> Result<()> {
    sink.put("REDGUARD.CHT", &Cheats { magiccarpet: 1, ..Cheats::default() }.write()?)?;
    sink.put("system/gui.anm", &animation()?.write()?)?;
    sink.put("system/gui.lbm", &panel()?.write()?)?;
    sink.put("system/SKY_61.PCX", &clouds()?.write()?)?;
    sink.put("3dart/SHADE.001", &shade().write()?)?;
    sink.put("3dart/HAZE.001", &haze().write()?)?;
    sink.put("REDGUARD.CPF", &Console::default().write()?)?;
    sink.put("SAVEGAME/SAVEGAME.000/SAVEGAME.SAV", &game("At the harbour")?.write()?)?;
    sink.put("SAVEGAME/SAVEGAME.000/ISLAND.TSG", &game("")?.write()?)
}

/// Specimens of formats whose sample files are already small.
pub(super) fn specimens(sink: &mut dyn Sink) -> Result<()> {
    sink.put("rgm/ISLAND.RGM", &super::map::specimen()?)?;
    super::settings::specimens(sink)?;
    sink.put("cht/REDGUARD.CHT", &Cheats { magiccarpet: 1, ..Cheats::default() }.write()?)?;
    sink.put("shade/SHADE.001", &shade().write()?)?;
    sink.put("cpf/REDGUARD.CPF", &Console::default().write()?)?;
    sink.put("save/SAVEGAME.SAV", &Save::new("At the harbour", 1, vec![Item::default()])?.write()?)
}

/// Width and height of an image, in pixels.
fn size() -> (u16, u16) {
    let side = u16::try_from(SIDE).unwrap_or_default();
    (side, side)
}

/// A stone panel with a color cycle of the darker shades.
fn panel() -> Result<Lbm> {
    let mut out = Lbm::new(size(), canvas::palette(), canvas::ground(Ramp::Stone, 4))?;
    let cycle = Cycle { rate: 2730, flags: 1, low: 1, high: 15, ..Cycle::default() };
    out.chunks.insert(2, Chunk::new(Content::Cycle(cycle)));
    Ok(out)
}

fn clouds() -> Result<Pcx> {
    Pcx::new(size(), canvas::palette(), canvas::ground(Ramp::Blue, 5))
}

/// Maps each ramp from black to its own shades.
fn shade() -> ShadeTable {
    ShadeTable::of(|level, index| {
        let shade = u16::from(index & 15) * u16::from(level) / 63;
        index & 0xf0 | u8::try_from(shade).unwrap_or(15)
    })
}

/// Maps each ramp from its own shades to its brightest one.
fn haze() -> ShadeTable {
    ShadeTable::of(|level, index| {
        let shade = u16::from(index & 15);
        let more = (15 - shade) * u16::from(level) / 63;
        index & 0xf0 | u8::try_from(shade + more).unwrap_or(15)
    })
}

/// A looping flame on black, at 10 frames per second.
fn animation() -> Result<Anm> {
    Anm::new(size(), canvas::palette(), &canvas::flame(), 10)
}

/// A saved game on the island, with a saber and some gold.
fn game(text: &str) -> Result<Save> {
    let item =
        |player_total: i32, player_max: i32| Item { total: 100, player_max, player_total, ..Item::default() };
    Save::new(text, 1, vec![item(1, 1), item(1, 1), item(30, 9999), item(0, 10)])
}

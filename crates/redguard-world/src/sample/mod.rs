//! A small game folder, generated with our own writers: palettes, texture banks and models of both renderers, a sky, a font, a bitmap,
//! sound effects, instruments, a few lines of dialogue, a map of a landing with a hut, palm trees, a bridge and a boat, the settings of the
//! game, its menu and HUD, and the small files of a game folder.
//!
//! None of it comes from the game. It is used by the demo, tests and benchmarks.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "samples are computed from small constants, not from files"
)]

mod barrel;
mod canvas;
mod carpentry;
mod flag;
mod font;
mod island;
mod map;
mod rest;
mod scenery;
mod screen;
mod script;
mod settings;
mod sound;
mod specimen;
pub(crate) mod terrain;
mod tone;
mod town;
mod walker;

pub use specimen::specimens;
pub use town::{Town, town};

use asset::{MemorySink, Sink};
use record::Result;
use scene::image::Delay;

use crate::model::{Model, Version};
use canvas::{Ramp, SIDE, palette, six_bit};
use media::picture::Frames;
use redguard_files::picture::bsi::Bsi;
use redguard_files::picture::gxa::Gxa;
use redguard_files::picture::palette::Palette;
use redguard_files::picture::texbsi::{Bank, Entry, Image, ImageKey};
use redguard_files::picture::texture::TextureSet;
use sound::Operators;

/// Bank of the terrain's textures; image 0 is the sea.
const TERRAIN: u16 = 302;

/// Bank of the sprites.
const SPRITES: u16 = 352;

/// Frame duration in milliseconds.
const DELAY: i16 = 71;

/// Writes the folder: `fxart`, `3dart`, `fonts`, `system`, `sound`, the dialogue and the small files, with the names used by the game.
///
/// # Errors
/// Errors of the sink.
pub fn write(sink: &mut dyn Sink) -> Result<()> {
    sink.put("fxart/ISLAND.COL", &Palette::new(palette()).write()?)?;
    sink.put("fxart/TEXBSI.302", &terrain()?.write()?)?;
    sink.put("fxart/TEXBSI.352", &sprites()?.write()?)?;
    sink.put("fxart/SKY001.BSI", &sky()?.write()?)?;
    sink.put("fxart/SKY001.COL", &Palette::new(palette()).write()?)?;
    sink.put("fxart/SUN001.BSI", &sun()?.write()?)?;
    sink.put("3dart/ART_PAL.COL", &Palette::new(palette()).write()?)?;
    sink.put("3dart/TEXTURE.302", &software()?.write()?)?;
    sink.put("system/COMPASS.GXA", &compass()?.write()?)?;
    sink.put("fonts/SAMPLE.FNT", &font::font()?.write()?)?;
    screen::write(sink)?;
    sink.put("sound/MAIN.SFX", &sound::effects()?)?;
    sink.put("sound/SAMPLE.OPL", &sound::timbres(Operators::Four)?)?;
    sink.put("sound/SAMPLE.AD", &sound::timbres(Operators::Two)?)?;
    sink.put("ENGLISH.RTX", &sound::dialogue()?)?;
    models(sink)?;
    sink.put("maps/ISLAND.RGM", &map::island()?)?;
    sink.put("maps/ISLAND.WLD", &terrain::island().write()?)?;
    settings::write(sink)?;
    sink.put("maps/ISLAND.PVO", &visibility()?)?;
    rest::write(sink)
}

/// Builds the visibility tree from the map, in the same way as users do.
fn visibility() -> Result<Vec<u8>> {
    let mut game = MemorySink::new();
    models(&mut game)?;
    game.put("maps/ISLAND.RGM", &map::island()?)?;
    game.put("maps/ISLAND.WLD", &terrain::island().write()?)?;
    settings::write(&mut game)?;
    crate::visibility::build::of_files(game.files(), "maps/ISLAND.RGM")
}

/// Writes a barrel for both renderers, a walking person, a flag and the models of the island, with their images.
fn models(sink: &mut dyn Sink) -> Result<()> {
    let (barrel, walker) = (barrel::barrel(), walker::walker());
    sink.put("fxart/TEXBSI.210", &carpentry::bank()?.write()?)?;
    sink.put("3dart/TEXTURE.210", &carpentry::set()?.write()?)?;
    sink.put("fxart/BARREL01.3D", &Model::Glide(barrel.glide(Version::V5_0)).write()?)?;
    sink.put("fxart/WALKER01.3DC", &Model::Glide(walker.glide(Version::V4_0)).write()?)?;
    sink.put("fxart/FLAG01.3DC", &Model::Glide(flag::flag().glide(Version::V4_0)).write()?)?;
    sink.put("3dart/BARREL01.3D", &Model::Software(barrel.software()).write()?)?;
    sink.put("fxart/ISLAND.ROB", &island::island(&barrel, &walker)?.write()?)
}

fn entry(bank: u16, image: u16, content: Image) -> Entry {
    let name = ImageKey { bank, image }.name().unwrap_or_default();
    Entry { name, image: content, rest: record::Bytes::default() }
}

/// The sea, grass, sand, rock, and a shore whose upper half is static, so that its frames share rows.
fn terrain() -> Result<Bank> {
    let image = |frames: &[Vec<u8>]| Image::new(SIDE, SIDE, frames, DELAY, None);
    let animated = |frames: &[Vec<u8>]| Image::new(SIDE, SIDE, frames, DELAY, Some(six_bit()));
    let entries = vec![
        entry(TERRAIN, 0, animated(&canvas::sea())?),
        entry(TERRAIN, 1, image(&[canvas::ground(Ramp::Green, 1)])?),
        entry(TERRAIN, 2, image(&[canvas::ground(Ramp::Sand, 2)])?),
        entry(TERRAIN, 3, image(&[canvas::ground(Ramp::Stone, 3)])?),
        entry(TERRAIN, 31, animated(&canvas::shore())?),
    ];
    Ok(Bank { entries, ..Bank::default() })
}

/// A flame on a transparent background.
fn sprites() -> Result<Bank> {
    let flame = Image::new(SIDE, SIDE, &canvas::flame(), DELAY, Some(six_bit()))?;
    Ok(Bank { entries: vec![entry(SPRITES, 1, flame)], ..Bank::default() })
}

fn sky() -> Result<Bsi> {
    let image = Image::new(SIDE, SIDE, &[canvas::ground(Ramp::Blue, 9)], 0, None)?;
    Ok(Bsi { image, rest: record::Bytes::default() })
}

/// A round sun, whose pixels are opacities.
fn sun() -> Result<Bsi> {
    let image = Image::new(SIDE, SIDE, &[canvas::disc()], 0, None)?;
    Ok(Bsi { image, rest: record::Bytes::default() })
}

/// The terrain's textures and the flame, for the software renderer.
fn software() -> Result<TextureSet> {
    let delay = Delay::milliseconds(DELAY.unsigned_abs());
    let picture = |frames| Frames { width: SIDE, height: SIDE, frames, delay };
    let pictures = [
        picture(canvas::sea()),
        picture(vec![canvas::ground(Ramp::Green, 1)]),
        picture(vec![canvas::ground(Ramp::Sand, 2)]),
        picture(vec![canvas::ground(Ramp::Stone, 3)]),
        picture(canvas::flame()),
    ];
    TextureSet::new("sample", &pictures)
}

/// The compass needle in four directions.
fn compass() -> Result<Gxa> {
    let side = u16::try_from(SIDE).unwrap_or_default();
    Gxa::new(six_bit(), canvas::needles().into_iter().map(|needle| (side, side, needle)).collect())
}

/// The map of the island.
#[cfg(test)]
pub(crate) fn map_of_island() -> crate::map::Map {
    crate::map::Map::read(&map::island().unwrap()).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_rows_between_frames_of_the_shore() {
        let bank = terrain().unwrap();
        let shore = &bank.image(31).unwrap().image;
        let plain = shore.layout(0).unwrap();
        let pixels = (plain.frames * plain.width * plain.height) as usize;
        assert!(shore.data().unwrap().1.len() < pixels * 2 / 3);
    }
}

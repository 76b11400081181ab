//! Textures of barrels and people: wood, hoops, a brand, cloth, a face and leaves.

use media::picture::Frames;
use record::Result;
use scene::image::Delay;

use super::canvas::{Ramp, SIDE, index, noise, picture};
use redguard_files::picture::texbsi::{Bank, Image};
use redguard_files::picture::texture::TextureSet;

/// Number of the texture bank and of the software renderer's texture set.
pub(super) const BANK: u16 = 210;

/// Image numbers in the bank.
pub(super) const STAVES: u16 = 0;
pub(super) const BRANDED: u16 = 1;
pub(super) const LID: u16 = 2;
pub(super) const CLOTH: u16 = 3;
pub(super) const FACE: u16 = 4;
pub(super) const LEAF: u16 = 5;

/// An asymmetric letter that reveals mirroring.
const BRAND: [&str; 7] = ["####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"];

/// Whether the brand covers a pixel, given the top left of the brand and the size of its dots.
fn is_branded(x: u32, y: u32, left: u32, top: u32, dot: u32) -> bool {
    let at = |pixel: u32, start: u32| usize::try_from(pixel.checked_sub(start)?.checked_div(dot)?).ok();
    let letter = || BRAND.get(at(y, top)?)?.as_bytes().get(at(x, left)?).copied();
    letter() == Some(b'#')
}

/// Vertical planks, 16 pixels wide, with wood grain.
fn plank(x: u32, y: u32) -> i64 {
    let grain = i64::from(noise(x, y / 8, 31) / 64) + i64::from(noise(x, y, 32) / 128);
    let edge = if matches!(x % 16, 0 | 15) { 5 } else { 0 };
    8 + grain - edge
}

fn stave(x: u32, y: u32) -> u8 {
    match y {
        8..=12 | 51..=55 => index(Ramp::Stone, if matches!(y, 8 | 51) { 11 } else { 6 }),
        _ => index(Ramp::Wood, plank(x, y)),
    }
}

fn branded(x: u32, y: u32) -> u8 {
    if is_branded(x, y, 17, 20, 4) { index(Ramp::Wood, 2) } else { stave(x, y) }
}

fn lid(x: u32, y: u32) -> u8 {
    if is_branded(x, y, 22, 18, 4) { index(Ramp::Wood, 2) } else { index(Ramp::Wood, plank(y, x) - 1) }
}

/// A shirt with a belt.
fn cloth(x: u32, y: u32) -> u8 {
    let weave = i64::from((x + y) % 2) + i64::from(noise(x / 2, y / 2, 77) / 96);
    match y {
        52..=57 if x.abs_diff(32) < 5 => index(Ramp::Fire, 13),
        52..=57 => index(Ramp::Wood, 3),
        _ => index(Ramp::Cloth, weave + 9),
    }
}

/// A face: eyes, nose, mouth, and hair above.
fn face(x: u32, y: u32) -> u8 {
    let from_middle = x.abs_diff(SIDE / 2);
    match (from_middle, y) {
        (_, 0..=15) => index(Ramp::Wood, 4),
        (9..=15, 26..=31) => index(Ramp::Stone, if matches!(from_middle, 11..=13) { 1 } else { 15 }),
        (9..=16, 22..=23) => index(Ramp::Wood, 3),
        (0..=3, 32..=42) => index(Ramp::Sand, 9),
        (0..=10, 49..=51) => index(Ramp::Cloth, 9),
        _ => index(Ramp::Sand, 13),
    }
}

/// Leaves on both sides of a stem, on a transparent background.
fn leaf(x: u32, y: u32) -> u8 {
    let from_stem = x.abs_diff(SIDE / 2);
    let along = (y + from_stem / 2) % 16;
    let width = (y + 8).min(30);
    match (from_stem, along) {
        (0..=1, _) => index(Ramp::Wood, 6),
        (_, 0..=7) if from_stem < width => index(Ramp::Green, 6 + i64::from(noise(x, y, 5) / 50)),
        _ => 0,
    }
}

fn pictures() -> Vec<Vec<u8>> {
    [stave, branded, lid, cloth, face, leaf].into_iter().map(picture).collect()
}

/// The bank of the Glide renderer.
pub(super) fn bank() -> Result<Bank> {
    let entries = (0..)
        .zip(pictures())
        .map(|(number, pixels)| Ok(super::entry(BANK, number, Image::new(SIDE, SIDE, &[pixels], 0, None)?)));
    Ok(Bank { entries: entries.collect::<Result<_>>()?, ..Bank::default() })
}

/// The texture set of the software renderer.
pub(super) fn set() -> Result<TextureSet> {
    let frames =
        |pixels| Frames { width: SIDE, height: SIDE, frames: vec![pixels], delay: Delay::milliseconds(0) };
    TextureSet::new("carpentry", &pictures().into_iter().map(frames).collect::<Vec<_>>())
}

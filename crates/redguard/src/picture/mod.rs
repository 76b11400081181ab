//! Pictures of the game: palettes, texture banks, bitmaps, texture sets and tables of shades, and what they have in common.

pub mod bsi;
pub mod gxa;
pub mod palette;
pub(crate) mod pixels;
pub mod shade;
#[cfg(test)]
mod tests;
pub mod texbsi;
pub mod texture;

use asset::picture::Index0;
use asset::{Choice, Context};
use scene::image::Delay;

/// `--key-color`. `None` leaves it to the file.
pub(crate) const INDEX_0: Choice<Option<Index0>> = Choice::new(
    "key-color",
    "Whether the first color of the palette is seen through.",
    &[
        ("auto", "as far as the file tells; else clear, as in sprites and on the screen"),
        ("clear", "seen through; the color itself is kept"),
        ("opaque", "a color like the others, as on terrain, in the sky and on most models"),
    ],
    &[None, Some(Index0::Clear), Some(Index0::Opaque)],
);

/// Whether the first colour is seen through: as `--key-color` says, and `usual` where it leaves that to the file.
pub(crate) fn asked_index_0(context: &Context<'_>, usual: Index0) -> Index0 {
    context.options.choice(&INDEX_0).unwrap_or(usual)
}

/// How long the engine shows a frame: it counts 18.2 ticks a second, and a frame stays for the delay rounded to ticks, at least one.
#[must_use]
pub fn ticks(milliseconds: i16) -> u16 {
    let milliseconds = u32::try_from(milliseconds).unwrap_or_default();
    let ticks = milliseconds.saturating_mul(182).saturating_add(5000) / 10_000;
    u16::try_from(ticks).unwrap_or(u16::MAX).max(1)
}

/// So many ticks of the engine's clock, of which 18.2065 make a second.
#[must_use]
pub fn delay_of(ticks: u16) -> Delay {
    Delay { numerator: ticks.saturating_mul(100), denominator: 1821 }
}

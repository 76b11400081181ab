//! Images of the game: palettes, texture banks, bitmaps, texture sets and shade tables, and what they share.

pub mod bsi;
pub mod gxa;
pub(crate) mod matching;
pub mod palette;
pub(crate) mod pixels;
mod renderer;
pub mod shade;
#[cfg(test)]
mod tests;
pub mod texbsi;
pub mod texture;

pub use renderer::Renderer;

use asset::{Choice, Context};
use media::picture::Index0;
use scene::image::Delay;

/// `--key-color`. `None` means auto.
pub const INDEX_0: Choice<Option<Index0>> = Choice::new(
    "key-color",
    "Whether palette color 0 is transparent.",
    &[
        ("auto", "as the file says; otherwise clear, as for sprites and the user interface"),
        ("clear", "transparent; the color value is kept"),
        ("opaque", "opaque, as on terrain, in the sky and on most models"),
    ],
    &[None, Some(Index0::Clear), Some(Index0::Opaque)],
);

/// Whether palette color 0 is transparent: as `--key-color` says, or `default` for auto.
pub(crate) fn asked_index_0(context: &Context<'_>, default: Index0) -> Index0 {
    context.options.choice(&INDEX_0).unwrap_or(default)
}

/// The duration of a frame in ticks of the engine, 18.2 per second: the delay rounded to ticks, at least one.
#[must_use]
pub fn ticks(milliseconds: i16) -> u16 {
    let milliseconds = u32::try_from(milliseconds).unwrap_or_default();
    let ticks = milliseconds.saturating_mul(182).saturating_add(5000) / 10_000;
    u16::try_from(ticks).unwrap_or(u16::MAX).max(1)
}

/// The duration of ticks of the engine's clock, 18.2065 per second.
#[must_use]
pub fn delay_of(ticks: u16) -> Delay {
    Delay { numerator: ticks.saturating_mul(100), denominator: 1821 }
}

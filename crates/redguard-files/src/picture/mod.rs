//! Images of the game: palettes, texture banks, bitmaps, texture sets and shade tables.

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

/// The option `--key-color`. `None` means auto.
pub const INDEX_0: Choice<Option<Index0>> = Choice::new(
    "key-color",
    "Whether palette color 0 is transparent.",
    &[
        ("auto", "as specified by the file; otherwise clear, as for sprites and the user interface"),
        ("clear", "transparent; the color value is kept"),
        ("opaque", "opaque, as on terrain, in the sky and on most models"),
    ],
    &[None, Some(Index0::Clear), Some(Index0::Opaque)],
);

/// Returns whether palette color 0 is transparent: the value of `--key-color`, or `default` for auto.
pub(crate) fn requested_index_0(context: &Context<'_>, default: Index0) -> Index0 {
    context.options.choice(&INDEX_0).unwrap_or(default)
}

/// Converts a frame duration to engine ticks (18.2 per second): rounded, at least one.
#[must_use]
pub fn ticks(milliseconds: i16) -> u16 {
    let milliseconds = u32::try_from(milliseconds).unwrap_or_default();
    let ticks = milliseconds.saturating_mul(182).saturating_add(5000) / 10_000;
    u16::try_from(ticks).unwrap_or(u16::MAX).max(1)
}

/// Converts engine ticks (18.2065 per second) to a frame duration.
#[must_use]
pub fn delay_of(ticks: u16) -> Delay {
    Delay { numerator: ticks.saturating_mul(100), denominator: 1821 }
}

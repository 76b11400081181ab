//! A palette as a picture: 16 by 16 squares, the first colour at the top left.

use record::{Error, Result};
use scene::image::{Indexed8, Limits, decode};

use asset::picture::{Colors, Index0};

/// Squares along each side.
const SQUARES: u32 = 16;

/// Pixels along each side of a square.
const SQUARE: u32 = 16;

/// Pixels along each side of the picture.
const SIDE: u32 = SQUARES * SQUARE;

/// The palette as a picture of 256 by 256 pixels that has the palette itself, so that painters can load it from there too.
///
/// # Errors
/// Never for colors; those of the picture.
pub fn picture(colors: &Colors) -> Result<Indexed8> {
    let squares = |at: u32| (0..SQUARES).map(move |square| square.saturating_add(at));
    let row = |y: u32| {
        let first = (y / SQUARE).saturating_mul(SQUARES);
        squares(first).flat_map(|index| std::iter::repeat_n(u8::try_from(index).unwrap_or(u8::MAX), 16))
    };
    Indexed8::new(SIDE, SIDE, (0..SIDE).flat_map(row).collect(), Index0::Opaque.apply(colors))
}

/// The colours of such a picture, taken from the middle of each square.
///
/// # Errors
/// When it is no picture, or its sides are not equal and a multiple of 16.
pub fn from_picture(bytes: &[u8]) -> Result<Colors> {
    let picture = decode(bytes, &Limits::default())?;
    let (width, height) = (picture.width(), picture.height());
    if width != height || !width.is_multiple_of(SQUARES) {
        return Err(Error::usage(format!(
            "a palette's picture is a square of 16 by 16 squares; {width} x {height} pixels are none"
        )));
    }
    let square = width / SQUARES;
    let mut out = Colors::default();
    for (index, color) in (0..).zip(out.0.iter_mut()) {
        let middle = |square_number: u32| square_number.saturating_mul(square).saturating_add(square / 2);
        let pixel = picture.get(middle(index % SQUARES), middle(index / SQUARES));
        let [red, green, blue, _] = pixel.unwrap_or_default();
        *color = [red, green, blue];
    }
    Ok(out)
}

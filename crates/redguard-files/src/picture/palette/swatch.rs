//! A palette as an image: 16 by 16 squares, the first color at the top left.

use record::{Error, Result};
use scene::image::Indexed8;
use scene::product::Picture;

use media::picture::{Colors, Index0};

/// The number of squares along each side.
const SQUARES: u32 = 16;

/// The side length of a square in pixels.
const SQUARE: u32 = 16;

/// The side length of the picture in pixels.
const SIDE: u32 = SQUARES * SQUARE;

/// Draws the palette as an indexed image of 256 by 256 pixels. Paint programs can also load the palette from it.
///
/// # Errors
/// Never fails for valid colors.
pub fn picture(colors: &Colors) -> Result<Indexed8> {
    let squares = |at: u32| (0..SQUARES).map(move |square| square.saturating_add(at));
    let row = |y: u32| {
        let first = (y / SQUARE).saturating_mul(SQUARES);
        squares(first).flat_map(|index| std::iter::repeat_n(u8::try_from(index).unwrap_or(u8::MAX), 16))
    };
    Indexed8::new(SIDE, SIDE, (0..SIDE).flat_map(row).collect(), Index0::Opaque.apply(colors))
}

/// Reads the colors from a picture: from the center of each square, or from a row of 256 pixels (the decoded form of palette
/// files).
///
/// # Errors
/// Returns an error if the picture is neither a row of 256 pixels nor a square with a side length that is a multiple of 16.
pub fn from_picture(picture: &Picture) -> Result<Colors> {
    let picture = picture.to_rgba8();
    let (width, height) = (picture.width(), picture.height());
    let is_row = height == 1;
    if is_row && width != SIDE {
        return Err(Error::malformed(format!("expected 256 colors, found {width}")));
    }
    if !is_row && (width != height || !width.is_multiple_of(SQUARES)) {
        return Err(Error::usage(format!(
            "a palette image must be a square with sides that are a multiple of 16, not {width} x {height} pixels"
        )));
    }
    let square = width / SQUARES;
    let mut out = Colors::default();
    for (index, color) in (0..).zip(out.0.iter_mut()) {
        let middle = |number: u32| number.saturating_mul(square).saturating_add(square / 2);
        let (x, y) = if is_row { (index, 0) } else { (middle(index % SQUARES), middle(index / SQUARES)) };
        let [red, green, blue, _] = picture.get(x, y).unwrap_or_default();
        *color = [red, green, blue];
    }
    Ok(out)
}

//! GIF: the moving picture that every program shows. At most 256 colors, one of them clear.

use ::gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::{Format, IndexedAnimation};
use crate::Error;

/// Encodes a film as a GIF, repeated for ever. The palette's order is kept. Delays are hundredths of a second; what rounding takes
/// from one frame the next gets.
///
/// # Errors
/// `Unsupported` when a side has more than 65535 pixels, or the palette has more than one clear colour or a colour that is
/// neither solid nor clear, and the film uses it.
pub fn encode_gif(film: &IndexedAnimation) -> Result<Vec<u8>, Error> {
    let clear = clear_color(film)?;
    let side = |length: u32| {
        let longest = || Format::Gif.unsupported(format!("a side of {length} pixels"));
        u16::try_from(length).map_err(|_| longest())
    };
    let (width, height) = (side(film.width())?, side(film.height())?);
    let colors: Vec<u8> =
        film.palette().iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let failed = |error: ::gif::EncodingError| Format::Gif.unsupported(error.to_string());
    let mut encoder = Encoder::new(Vec::new(), width, height, &colors).map_err(failed)?;
    if film.frames().len() > 1 {
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    }
    for (indices, delay) in film.frames().iter().zip(film.delay().in_hundredths()) {
        let frame = Frame {
            width,
            height,
            delay: if film.frames().len() > 1 { delay } else { 0 },
            // What is clear in the next frame must not show this one.
            dispose: if clear.is_some() { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: clear,
            buffer: indices.as_slice().into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(failed)?;
    }
    encoder.into_inner().map_err(failed)
}

/// The one color that is clear.
fn clear_color(film: &IndexedAnimation) -> Result<Option<u8>, Error> {
    let mut used = [false; 256];
    for index in film.frames().iter().flatten() {
        if let Some(used) = used.get_mut(usize::from(*index)) {
            *used = true;
        }
    }
    let mut clear = None;
    for (index, ([.., alpha], used)) in (0_u8..=255).zip(film.palette().iter().zip(used)) {
        match (alpha, used, clear) {
            (255, ..) | (_, false, _) => {}
            (0, true, None) => clear = Some(index),
            (0, true, Some(_)) => return Err(Format::Gif.unsupported("a second transparent color")),
            _ => return Err(Format::Gif.unsupported("a partially transparent color")),
        }
    }
    Ok(clear)
}

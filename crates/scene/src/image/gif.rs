//! GIF encoding: the most widely supported animation format. At most 256 colors, one of them transparent.

use ::gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::{Format, IndexedAnimation};
use crate::Error;

/// Encodes an animation as a GIF, repeated forever. The palette's order is kept. Delays are hundredths of a second;
/// rounding errors are carried over to the next frame.
///
/// # Errors
/// `Unsupported` if a side has more than 65535 pixels, or if the animation uses a second transparent color or a
/// partially transparent color.
pub fn encode_gif(animation: &IndexedAnimation) -> Result<Vec<u8>, Error> {
    let transparent = transparent_color(animation)?;
    let side = |length: u32| {
        let longest = || Format::Gif.unsupported(format!("a side of {length} pixels"));
        u16::try_from(length).map_err(|_| longest())
    };
    let (width, height) = (side(animation.width())?, side(animation.height())?);
    let colors: Vec<u8> =
        animation.palette().iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let failed = |error: ::gif::EncodingError| Format::Gif.unsupported(error.to_string());
    let mut encoder = Encoder::new(Vec::new(), width, height, &colors).map_err(failed)?;
    if animation.frames().len() > 1 {
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    }
    for (indices, delay) in animation.frames().iter().zip(animation.delay().in_hundredths()) {
        let frame = Frame {
            width,
            height,
            delay: if animation.frames().len() > 1 { delay } else { 0 },
            // Transparent pixels of the next frame must not show this frame.
            dispose: if transparent.is_some() { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent,
            buffer: indices.as_slice().into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(failed)?;
    }
    encoder.into_inner().map_err(failed)
}

/// Returns the index of the transparent color, if any.
fn transparent_color(animation: &IndexedAnimation) -> Result<Option<u8>, Error> {
    let mut used = [false; 256];
    for index in animation.frames().iter().flatten() {
        if let Some(used) = used.get_mut(usize::from(*index)) {
            *used = true;
        }
    }
    let mut transparent = None;
    for (index, ([.., alpha], used)) in (0_u8..=255).zip(animation.palette().iter().zip(used)) {
        match (alpha, used, transparent) {
            (255, ..) | (_, false, _) => {}
            (0, true, None) => transparent = Some(index),
            (0, true, Some(_)) => return Err(Format::Gif.unsupported("a second transparent color")),
            _ => return Err(Format::Gif.unsupported("a partially transparent color")),
        }
    }
    Ok(transparent)
}

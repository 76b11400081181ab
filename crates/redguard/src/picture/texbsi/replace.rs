//! One image of a bank replaced: by a `.BSI` file, by a picture, or by a GIF where it moves.

use asset::{Context, Report};
use record::{Error, Reader, Record, Result, write_whole};
use scene::image::{Format, Limits, decode_gif, sniff};

use super::layout::{Bank, Image, Section};
use super::warning;
use crate::picture::asked_index_0;
use crate::picture::palette::{Home, Shelf};
use asset::picture::{Budget, Edited, Index0, MOST_PIXELS, matched, read_picture};

/// The bytes of the bank with other content for one image. `name` is what the content is called.
pub(super) fn replace(
    bank: &Bank,
    context: &Context<'_>,
    index: usize,
    (name, content): (&str, &[u8]),
    report: &mut Report,
) -> Result<Vec<u8>> {
    let mut bank = bank.clone();
    let entry = bank.entries.get_mut(index).ok_or_else(|| Error::usage("there is no such image"))?;
    let is_image = [&b"BSIF"[..], b"IFHD", b"BHDR"].iter().any(|tag| content.starts_with(tag));
    match sniff(content).filter(|_| !is_image) {
        Some(Format::Gif) => put_film(&mut entry.image, context, (name, content), report)?,
        Some(_) => put_picture(&mut entry.image, context, (name, content), report)?,
        None => entry.image = image_of(content)?,
    }
    write_whole(&bank, ())
}

/// The image of a `.BSI` file.
fn image_of(content: &[u8]) -> Result<Image> {
    let mut reader = Reader::new(content);
    let image = Image::read(&mut reader, ()).and_then(|image| image.check_whole(0).map(|()| image));
    let image = image.map_err(|error| {
        let message = error.message();
        Error::unsupported(format!(
            "it is neither a .BSI file nor a picture (PNG, JPEG, BMP, TGA, GIF): {message}"
        ))
    })?;
    match reader.remaining() {
        0 => Ok(image),
        rest => Err(Error::usage(format!(
            "{rest} bytes stand behind the end of the image, which a bank has no place for"
        ))),
    }
}

/// The frames an image has, and the colours it is shown with.
struct Shown {
    shape: super::Shape,
    frames: Vec<Vec<u8>>,
    palette: Vec<[u8; 4]>,
}

fn shown(image: &Image, context: &Context<'_>) -> Result<Shown> {
    let shape = image.shape(0)?;
    Budget::default().take(shape.width, shape.height, shape.frames)?;
    let frames = image.frames(&shape)?.frames;
    let shelf = Shelf::new(context, Home::Glide)?;
    let colors = shelf.choose(image.palette()).colors;
    let palette = asked_index_0(context, Index0::Clear).apply(&colors);
    Ok(Shown { shape, frames, palette })
}

fn put_picture(
    image: &mut Image,
    context: &Context<'_>,
    (name, content): (&str, &[u8]),
    report: &mut Report,
) -> Result<()> {
    let Shown { shape, mut frames, palette } = shown(image, context)?;
    if shape.frames > 1 {
        return Err(Error::usage(format!(
            "the image has {} frames and {name} is one picture: give it a GIF with its frames, or a .BSI file",
            shape.frames
        )));
    }
    let old = frames.pop().map(|indices| Edited { width: shape.width, height: shape.height, indices });
    let new = read_picture(name, content, &palette, old.as_ref(), &warning::INEXACT, report)?;
    put(image, &shape, vec![new])
}

fn put_film(
    image: &mut Image,
    context: &Context<'_>,
    (name, content): (&str, &[u8]),
    report: &mut Report,
) -> Result<()> {
    let limits = Limits { max_pixels: MOST_PIXELS };
    let (pictures, delay) = decode_gif(content, &limits).map_err(|error| error.in_file(name))?;
    let Shown { shape, frames, palette } = shown(image, context)?;
    let count = pictures.len();
    let new = pictures.iter().enumerate().map(|(number, picture)| {
        let old = frames.get(number).filter(|_| frames.len() == count).cloned();
        let old = old.map(|indices| Edited { width: shape.width, height: shape.height, indices });
        let path = if count > 1 { format!("frame {number} of {name}") } else { name.to_owned() };
        matched(&path, picture, &palette, old.as_ref(), &warning::INEXACT, report)
    });
    let new: Vec<Edited> = new.collect();
    let was_still = frames.len() < 2;
    put(image, &shape, new)?;
    if was_still
        && count > 1
        && let Some(header) = image.header_mut()
    {
        header.anim_delay = i16::try_from(delay).unwrap_or(i16::MAX);
    }
    Ok(())
}

/// Puts frames into an image: into its rows when they have its size and number, else the image is made anew.
fn put(image: &mut Image, shape: &super::Shape, new: Vec<Edited>) -> Result<()> {
    let Some((width, height)) = new.first().map(|frame| (frame.width, frame.height)) else { return Ok(()) };
    let count = u32::try_from(new.len()).unwrap_or(u32::MAX);
    let frames: Vec<Vec<u8>> = new.into_iter().map(|frame| frame.indices).collect();
    if (width, height, count) == (shape.width, shape.height, shape.frames) {
        let numbered: Vec<_> = frames.into_iter().enumerate().collect();
        return image.set_frames(shape, &numbered);
    }
    if (count > 1) != (shape.frames > 1) {
        mark(image, width, height, &frames)?;
    }
    image.remake(width, height, &frames)
}

/// Gives the image the marker that one with these frames has.
fn mark(image: &mut Image, width: u32, height: u32, frames: &[Vec<u8>]) -> Result<()> {
    let is_marker = |section: &Section| matches!(section, Section::Static(_) | Section::Animated(_));
    let usual = Image::new(width, height, frames, 0, None)?;
    let marker = usual.sections.into_iter().find(is_marker);
    let place = image.sections.iter_mut().find(|section| is_marker(section));
    if let (Some(marker), Some(place)) = (marker, place) {
        *place = marker;
    }
    Ok(())
}

//! Replaces an image of a bank with a `.BSI` file, an image file, or a GIF if it is animated.

use asset::{Context, Report};
use media::picture::{Budget, Edited, Index0, MOST_PIXELS, decode_picture, indices_of, is_colored, matched};
use record::{Error, Reader, Record, Result, write_whole};
use scene::image::{Format, Limits, decode_gif, sniff};

use super::layout::{Bank, Image, Section};
use super::warning;
use crate::picture::Renderer;
use crate::picture::matching::{MatchCodes, report_matched_palette};
use crate::picture::palette::{PaletteChoices, PaletteOrigin};
use crate::picture::requested_index_0;

/// The warning codes of matched colors.
pub(super) const CODES: MatchCodes =
    MatchCodes { matched: &warning::MATCHED, guessed: &warning::MATCHED_WITH_GUESS };

/// Returns the bank with one image replaced. `name` is the file name of the new content.
pub(super) fn replace(
    bank: &Bank,
    context: &Context<'_>,
    index: usize,
    (name, content): (&str, &[u8]),
    report: &mut Report,
) -> Result<Vec<u8>> {
    let mut bank = bank.clone();
    let entry = bank.entries.get_mut(index).ok_or_else(|| Error::usage("image index out of range"))?;
    replace_image(&mut entry.image, context, (name, content), report)?;
    write_whole(&bank, ())
}

/// Replaces an image.
pub(super) fn replace_image(
    image: &mut Image,
    context: &Context<'_>,
    (name, content): (&str, &[u8]),
    report: &mut Report,
) -> Result<()> {
    match picture_format(content) {
        Some(Format::Gif) => replace_with_gif(image, context, (name, content), report)?,
        Some(_) => replace_with_picture(image, context, (name, content), report)?,
        None => *image = image_of(content)?,
    }
    Ok(())
}

/// Returns the format of an image file; `None` for a `.BSI` file.
pub(super) fn picture_format(content: &[u8]) -> Option<Format> {
    let is_image = [&b"BSIF"[..], b"IFHD", b"BHDR"].iter().any(|tag| content.starts_with(tag));
    sniff(content).filter(|_| !is_image)
}

/// Reads a `.BSI` file.
pub(super) fn image_of(content: &[u8]) -> Result<Image> {
    let mut reader = Reader::new(content);
    let image = Image::read(&mut reader, ()).and_then(|image| image.check_complete(0).map(|()| image));
    let image = image.map_err(|error| {
        let message = error.message();
        Error::unsupported(format!("not a .BSI file or an image (PNG, JPEG, BMP, TGA, GIF): {message}"))
    })?;
    match reader.remaining() {
        0 => Ok(image),
        rest => Err(Error::usage(format!(
            "{rest} unexpected bytes after the end of the image, which a bank cannot store"
        ))),
    }
}

/// The frames of an image and its palette.
struct DecodedImage {
    layout: super::ImageLayout,
    frames: Vec<Vec<u8>>,
    palette: Vec<[u8; 4]>,
    /// The origin of the palette; `None` if grayscale was requested.
    origin: Option<PaletteOrigin>,
}

fn decode_image(image: &Image, context: &Context<'_>) -> Result<DecodedImage> {
    let layout = image.layout(0)?;
    Budget::default().take(layout.width, layout.height, layout.frames)?;
    let frames = image.frames(&layout)?.frames;
    let palettes = PaletteChoices::new(context, Renderer::Glide)?;
    let chosen = palettes.choose(image.palette());
    let palette = requested_index_0(context, Index0::Clear).apply(&chosen.colors);
    let origin = (!palettes.is_gray_requested()).then_some(chosen.origin);
    Ok(DecodedImage { layout, frames, palette, origin })
}

fn replace_with_picture(
    image: &mut Image,
    context: &Context<'_>,
    (name, content): (&str, &[u8]),
    report: &mut Report,
) -> Result<()> {
    let DecodedImage { layout, mut frames, palette, origin } = decode_image(image, context)?;
    if layout.frames > 1 {
        return Err(Error::usage(format!(
            "the image has {} frames, but {name} is a single picture; use a GIF or a .BSI file",
            layout.frames
        )));
    }
    let old = frames.pop().map(|indices| Edited { width: layout.width, height: layout.height, indices });
    let picture = decode_picture(name, content)?;
    report_matched_palette(name, origin.as_ref(), &|| is_colored(&picture.to_rgba8()), &CODES, report)?;
    let new = indices_of(name, &picture, &palette, old.as_ref(), &warning::INEXACT, report);
    put(image, &layout, vec![new])
}

fn replace_with_gif(
    image: &mut Image,
    context: &Context<'_>,
    (name, content): (&str, &[u8]),
    report: &mut Report,
) -> Result<()> {
    let limits = Limits { max_pixels: MOST_PIXELS };
    let (pictures, delay) = decode_gif(content, &limits).map_err(|error| error.in_file(name))?;
    let DecodedImage { layout, frames, palette, origin } = decode_image(image, context)?;
    report_matched_palette(name, origin.as_ref(), &|| pictures.iter().any(is_colored), &CODES, report)?;
    let count = pictures.len();
    let new = pictures.iter().enumerate().map(|(number, picture)| {
        let old = frames.get(number).filter(|_| frames.len() == count).cloned();
        let old = old.map(|indices| Edited { width: layout.width, height: layout.height, indices });
        let path = if count > 1 { format!("frame {number} of {name}") } else { name.to_owned() };
        matched(&path, picture, &palette, old.as_ref(), &warning::INEXACT, report)
    });
    let new: Vec<Edited> = new.collect();
    let was_still = frames.len() < 2;
    put(image, &layout, new)?;
    if was_still
        && count > 1
        && let Some(header) = image.header_mut()
    {
        header.anim_delay = i16::try_from(delay).unwrap_or(i16::MAX);
    }
    Ok(())
}

/// Replaces the frames of an image: in place if their size and number match, otherwise by rebuilding the image.
fn put(image: &mut Image, layout: &super::ImageLayout, new: Vec<Edited>) -> Result<()> {
    let Some((width, height)) = new.first().map(|frame| (frame.width, frame.height)) else { return Ok(()) };
    let count = u32::try_from(new.len()).unwrap_or(u32::MAX);
    let frames: Vec<Vec<u8>> = new.into_iter().map(|frame| frame.indices).collect();
    if (width, height, count) == (layout.width, layout.height, layout.frames) {
        let numbered: Vec<_> = frames.into_iter().enumerate().collect();
        return image.set_frames(layout, &numbered);
    }
    if (count > 1) != (layout.frames > 1) {
        set_marker(image, width, height, &frames)?;
    }
    image.rebuild(width, height, &frames)
}

/// Sets the marker to match the number of frames.
fn set_marker(image: &mut Image, width: u32, height: u32, frames: &[Vec<u8>]) -> Result<()> {
    let is_marker = |section: &Section| matches!(section, Section::Static(_) | Section::Animated(_));
    let usual = Image::new(width, height, frames, 0, None)?;
    let marker = usual.sections.into_iter().find(is_marker);
    let existing = image.sections.iter_mut().find(|section| is_marker(section));
    if let (Some(marker), Some(existing)) = (marker, existing) {
        *existing = marker;
    }
    Ok(())
}

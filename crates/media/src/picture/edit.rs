//! Views of pictures, and conversion of edited views to palette indices.

use std::collections::{BTreeMap, BTreeSet};

use asset::unpack::EditedView;
use asset::{Code, Error, Report};
use record::{Bytes, Result};
use scene::ProductKind;
use scene::image::{Rgba8, match_palette};
use scene::product::{Decoded, Picture, decode};
use serde::{Deserialize, Serialize};

/// The palettes of the views of an unpacked file, which are needed to read edited views.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewPalettes {
    palettes: Vec<ViewPalette>,
    /// Index into `palettes` for each view.
    views: BTreeMap<String, usize>,
}

/// The palette of one or more views.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ViewPalette {
    /// Origin of the palette.
    source: String,
    /// Red, green, blue and alpha of each color.
    colors: Bytes,
}

impl ViewPalettes {
    /// Records the palette of a view.
    pub fn note(&mut self, view: String, palette: &[[u8; 4]], source: &str) {
        let colors = palette.as_flattened();
        let known = self.palettes.iter().position(|known| *known.colors == *colors && known.source == source);
        let index = known.unwrap_or_else(|| {
            self.palettes.push(ViewPalette { source: source.to_owned(), colors: colors.into() });
            self.palettes.len().saturating_sub(1)
        });
        self.views.insert(view, index);
    }

    /// Returns the palette of most views and its origin; a palette with the origin `avoided` is only returned if there is no
    /// other. `None` if no view has a palette.
    #[must_use]
    pub fn most_common(&self, avoided: &str) -> Option<(Vec<[u8; 4]>, &str)> {
        let mut counts = vec![0_usize; self.palettes.len()];
        for index in self.views.values() {
            if let Some(count) = counts.get_mut(*index) {
                *count = count.saturating_add(1);
            }
        }
        let (_, palette) = counts
            .iter()
            .zip(&self.palettes)
            .rev()
            .max_by_key(|(count, palette)| (palette.source != avoided, **count))?;
        Some((palette.colors.as_chunks::<4>().0.to_vec(), &palette.source))
    }

    /// Returns the palette of a view.
    pub fn palette(&self, view: &str) -> Result<Vec<[u8; 4]>> {
        let palette = self.views.get(view).and_then(|index| self.palettes.get(*index));
        let palette = palette.ok_or_else(|| {
            Error::malformed(format!("antiquary.json does not record the palette of views/{view}"))
                .in_file("antiquary.json")
                .in_field("context")
        })?;
        let (colors, _) = palette.colors.as_chunks::<4>();
        Ok(colors.to_vec())
    }
}

/// A picture as palette indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// One index per pixel, rows from the top.
    pub indices: Vec<u8>,
}

/// Reads an edited view. If it is an indexed image with its original palette, its indices are used; otherwise its colors are
/// matched with the palette, and pixels that look the same as in `old` keep their indices.
pub fn read_view(
    view: &EditedView,
    palette: &[[u8; 4]],
    old: Option<&Edited>,
    inexact: &'static Code,
    report: &mut Report,
) -> Result<Edited> {
    let picture = view.image()?;
    Ok(indices_of(&view.path(), &picture, palette, old, inexact, report))
}

/// Reads a picture that replaces another one, in the same way as [`read_view`]. `path` is its name in messages.
pub fn read_picture(
    path: &str,
    bytes: &[u8],
    palette: &[[u8; 4]],
    old: Option<&Edited>,
    inexact: &'static Code,
    report: &mut Report,
) -> Result<Edited> {
    let picture = decode_picture(path, bytes)?;
    Ok(indices_of(path, &picture, palette, old, inexact, report))
}

/// Decodes an image file.
///
/// # Errors
/// When the file is not a valid image.
pub fn decode_picture(path: &str, bytes: &[u8]) -> Result<Picture> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let decoded = decode(bytes, extension, ProductKind::Image).and_then(Decoded::into_image);
    decoded.map_err(|error| error.in_file(path))
}

/// Whether a picture has colors other than gray.
#[must_use]
pub fn is_colored(picture: &Rgba8) -> bool {
    picture.pixels().chunks_exact(4).any(|pixel| match pixel {
        [red, green, blue, alpha] => *alpha > 0 && (red != green || green != blue),
        _ => false,
    })
}

/// Converts a picture to indices: uses its own if it has the palette, otherwise matches its colors.
pub fn indices_of(
    path: &str,
    picture: &Picture,
    palette: &[[u8; 4]],
    old: Option<&Edited>,
    inexact: &'static Code,
    report: &mut Report,
) -> Edited {
    if let Picture::Indexed(animation) = picture
        && is_same_palette(animation.palette(), palette)
    {
        let first = animation.first();
        let (width, height) = (first.width(), first.height());
        return Edited { width, height, indices: first.indices().to_vec() };
    }
    matched(path, &picture.to_rgba8(), palette, old, inexact, report)
}

/// Matches the colors of a picture with a palette.
pub fn matched(
    path: &str,
    picture: &Rgba8,
    palette: &[[u8; 4]],
    old: Option<&Edited>,
    inexact: &'static Code,
    report: &mut Report,
) -> Edited {
    let (width, height) = (picture.width(), picture.height());
    let old = old.filter(|old| (old.width, old.height) == (width, height));
    let matched = match_palette(picture, palette, old.map(|old| &*old.indices));
    if matched.inexact > 0 {
        let message = format!(
            "in {path}, {} of {} pixels were changed to the nearest color of the palette, which differs by up to {:.0}",
            matched.inexact,
            matched.indices.len(),
            matched.worst.ceil()
        );
        report.warn(inexact, message);
    }
    Edited { width, height, indices: matched.indices }
}

/// Whether an image has the original palette, or only its first colors because an editor removed unused ones at the end.
fn is_same_palette(found: &[[u8; 4]], written: &[[u8; 4]]) -> bool {
    let solid = |[red, green, blue, _]: &[u8; 4]| [*red, *green, *blue];
    !found.is_empty()
        && found.len() <= written.len()
        && found.iter().zip(written).all(|(a, b)| solid(a) == solid(b))
}

/// Fails if an edited view belongs to an image that is no longer in the record, so that the edit is not ignored silently.
pub fn refuse_unused(edited: &[EditedView], used: &BTreeSet<&str>) -> Result<()> {
    match edited.iter().find(|view| !used.contains(view.name.as_str())) {
        Some(view) => Err(Error::usage(format!(
            "views/{} was edited, but record.json no longer contains its blob",
            view.name
        ))),
        None => Ok(()),
    }
}

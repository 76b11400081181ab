//! Pictures as views to paint on, and painted ones back as indices.

use std::collections::{BTreeMap, BTreeSet};

use asset::unpack::EditedView;
use asset::{Code, Error, Report};
use record::{Bytes, Result};
use scene::ProductKind;
use scene::image::{Rgba8, match_palette};
use scene::product::{Decoded, Picture, decode};
use serde::{Deserialize, Serialize};

/// The palettes that the views of an unpacked file were written with: without them a painted view could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewPalettes {
    palettes: Vec<ViewPalette>,
    /// The place in `palettes` for each view.
    views: BTreeMap<String, usize>,
}

/// A palette of views.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ViewPalette {
    /// Where it came from.
    source: String,
    /// Red, green, blue, alpha of each color.
    colors: Bytes,
}

impl ViewPalettes {
    /// Notes which palette a view was written with.
    pub fn note(&mut self, view: String, palette: &[[u8; 4]], source: &str) {
        let colors = palette.as_flattened();
        let known = self.palettes.iter().position(|known| *known.colors == *colors && known.source == source);
        let place = known.unwrap_or_else(|| {
            self.palettes.push(ViewPalette { source: source.to_owned(), colors: colors.into() });
            self.palettes.len().saturating_sub(1)
        });
        self.views.insert(view, place);
    }

    /// The palette of most views, and where it came from; one from `avoided` only if there is no other. `None` when no view has one.
    #[must_use]
    pub fn usual(&self, avoided: &str) -> Option<(Vec<[u8; 4]>, &str)> {
        let mut counts = vec![0_usize; self.palettes.len()];
        for place in self.views.values() {
            if let Some(count) = counts.get_mut(*place) {
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

    /// The palette of a view.
    pub fn palette(&self, view: &str) -> Result<Vec<[u8; 4]>> {
        let palette = self.views.get(view).and_then(|place| self.palettes.get(*place));
        let palette = palette.ok_or_else(|| {
            Error::malformed(format!("antiquary.json does not record the palette of views/{view}"))
                .in_file("antiquary.json")
                .in_field("context")
        })?;
        let (colors, _) = palette.colors.as_chunks::<4>();
        Ok(colors.to_vec())
    }
}

/// A painted view as indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// One index a pixel, rows from the top.
    pub indices: Vec<u8>,
}

/// Reads a painted view. An indexed picture that still has the palette it was written with gives its indices as they are; any other is
/// matched colour by colour, where pixels that look as before keep their index. `old` is what the picture was.
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

/// Reads a picture that takes the place of another, as [`read_view`] does. `path` is what it is called.
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
/// When it is none.
pub fn decode_picture(path: &str, bytes: &[u8]) -> Result<Picture> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let decoded = decode(bytes, extension, ProductKind::Image).and_then(Decoded::into_image);
    decoded.map_err(|error| error.in_file(path))
}

/// Whether a picture has other colors than grays.
#[must_use]
pub fn is_colored(picture: &Rgba8) -> bool {
    picture.pixels().chunks_exact(4).any(|pixel| match pixel {
        [red, green, blue, alpha] => *alpha > 0 && (red != green || green != blue),
        _ => false,
    })
}

/// A picture as indices: its own where it still has the palette, else matched.
pub fn indices_of(
    path: &str,
    picture: &Picture,
    palette: &[[u8; 4]],
    old: Option<&Edited>,
    inexact: &'static Code,
    report: &mut Report,
) -> Edited {
    if let Picture::Indexed(film) = picture
        && is_same_palette(film.palette(), palette)
    {
        let first = film.first();
        let (width, height) = (first.width(), first.height());
        return Edited { width, height, indices: first.indices().to_vec() };
    }
    matched(path, &picture.to_rgba8(), palette, old, inexact, report)
}

/// A picture matched color by color with a palette.
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

/// Whether a picture came back with its palette, or with its first colors because an editor cut off those at the end that are not used.
fn is_same_palette(found: &[[u8; 4]], written: &[[u8; 4]]) -> bool {
    let solid = |[red, green, blue, _]: &[u8; 4]| [*red, *green, *blue];
    !found.is_empty()
        && found.len() <= written.len()
        && found.iter().zip(written).all(|(a, b)| solid(a) == solid(b))
}

/// A painted view whose image is no longer in the record must not be forgotten in silence.
pub fn refuse_unused(edited: &[EditedView], used: &BTreeSet<&str>) -> Result<()> {
    match edited.iter().find(|view| !used.contains(view.name.as_str())) {
        Some(view) => Err(Error::usage(format!(
            "views/{} was edited, but record.json no longer has the blob it was made from",
            view.name
        ))),
        None => Ok(()),
    }
}

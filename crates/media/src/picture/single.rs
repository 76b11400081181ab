//! Files that contain a single picture: the view of the picture, and reading the edited view.

use asset::{Code, Error, Offer, Parts, ProductKind, Report, Unpacked, ViewSource};
use record::Result;
use scene::image::Indexed8;

use super::edit::{Edited, ViewPalettes, read_view};

/// Name of the view, without extension.
const VIEW: &str = "picture";

/// The view of a picture.
#[derive(Debug)]
pub struct View<'a> {
    /// Pixels and size.
    pub picture: Edited,
    /// Red, green, blue and alpha of each index.
    pub palette: Vec<[u8; 4]>,
    /// Origin of the palette.
    pub source: &'a str,
    /// Sources of the view.
    pub shows: Vec<ViewSource<'a>>,
}

/// Writes the view, if there is one and views are written.
pub fn unpack(view: Option<View<'_>>, parts: &mut Parts<'_>) -> Result<()> {
    let Some(View { picture, palette, source, shows }) = view.filter(|_| parts.wants_views()) else {
        return Ok(());
    };
    let indexed = Indexed8::new(picture.width, picture.height, picture.indices, palette.clone())?;
    let name = parts.view(VIEW, indexed, &shows)?;
    let mut views = ViewPalettes::default();
    views.note(name, &palette, source);
    parts.context(&views)
}

/// Offers the picture as the image of the file.
pub fn image<'a>(shown: impl FnOnce(&mut Report) -> Result<(Edited, Vec<[u8; 4]>)> + 'a) -> Offer<'a> {
    Offer::new(ProductKind::Image, |making| {
        let (Edited { width, height, indices }, palette) = shown(making.report)?;
        Indexed8::new(width, height, indices, palette).map(Some)
    })
}

/// Returns the picture if its view was edited and differs from the old one.
pub fn edited(
    folder: &Unpacked,
    old: impl FnOnce() -> Result<Edited>,
    inexact: &'static Code,
    report: &mut Report,
) -> Result<Option<Edited>> {
    let edited = folder.edited_views()?;
    let Some(view) = edited.iter().find(|view| view.stem() == VIEW) else { return Ok(None) };
    let views: ViewPalettes = folder.context()?;
    let old = old()?;
    let new = read_view(view, &views.palette(&view.name)?, Some(&old), inexact, report)?;
    Ok((new != old).then_some(new))
}

/// Rows of a picture as they are stored, with padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// Number of bytes per row.
    pub stride: usize,
    /// All rows.
    pub bytes: Vec<u8>,
}

impl Lines {
    /// Returns the rows without padding.
    pub fn without_padding(&self, width: usize) -> Vec<u8> {
        let row = |row: &[u8]| row.get(..width).unwrap_or_default().to_vec();
        self.bytes.chunks_exact(self.stride.max(1)).flat_map(row).collect()
    }

    /// Returns rows of new pixels. The padding is preserved if the size is unchanged, and is zero otherwise.
    pub fn with(&self, picture: &Edited, stride: usize) -> Self {
        let width = usize::try_from(picture.width).unwrap_or(usize::MAX).max(1);
        let count = picture.indices.len().checked_div(width).unwrap_or_default();
        let is_old = self.stride == stride && self.bytes.len() == count.saturating_mul(stride);
        let mut out =
            if is_old { self.clone() } else { Self { stride, bytes: vec![0; count.saturating_mul(stride)] } };
        let rows = out.bytes.chunks_exact_mut(stride.max(1));
        for (row, pixels) in rows.zip(picture.indices.chunks_exact(width)) {
            if let Some(target) = row.get_mut(..pixels.len()) {
                target.copy_from_slice(pixels);
            }
        }
        out
    }
}

/// Decompressed rows, and findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// The rows.
    pub lines: Lines,
    /// Number of unused compressed bytes.
    pub left: usize,
    /// Number of runs that continue in the next row, which is invalid.
    pub crossing: usize,
}

/// A run of pixels.
#[derive(Debug)]
pub enum Run<'a> {
    /// Literal pixels.
    Pixels(&'a [u8]),
    /// A number of equal pixels.
    Repeat(usize, u8),
}

/// Decompresses runs to `count` rows of `stride` bytes. `next` takes a run from the front of the bytes, and returns `None` if
/// they are truncated. `base` is the offset of the data in the file.
pub fn unpack_rows<'a>(
    data: &'a [u8],
    (stride, count): (usize, usize),
    base: u64,
    next: impl Fn(&mut &'a [u8]) -> Option<Run<'a>>,
) -> Result<Rows> {
    /// Maximum number of pixels per byte in any of the formats.
    const BEST_RATIO: usize = 64;
    let all = stride.saturating_mul(count);
    if all > data.len().saturating_mul(BEST_RATIO) {
        let message = format!("{count} rows of {stride} bytes are too many for {} packed bytes", data.len());
        return Err(Error::malformed(message).at(base));
    }
    let mut bytes = Vec::with_capacity(all);
    let (mut rest, mut crossing) = (data, 0_usize);
    while bytes.len() < all {
        let at = data.len().saturating_sub(rest.len());
        let at = base.saturating_add(u64::try_from(at).unwrap_or(u64::MAX));
        let found = bytes.len();
        let truncated =
            || Error::malformed(format!("the run-length data ends after {found} of {all} bytes")).at(at);
        let run = next(&mut rest).ok_or_else(truncated)?;
        let length = match &run {
            Run::Pixels(pixels) => pixels.len(),
            Run::Repeat(length, _) => *length,
        };
        let end = found.saturating_add(length);
        if end > all {
            let message =
                format!("a run of {length} bytes extends {} past the end of {all}", end.saturating_sub(all));
            return Err(Error::malformed(message).at(at));
        }
        let row = |position: usize| position.checked_div(stride).unwrap_or_default();
        if length > 0 && row(found) != row(end.saturating_sub(1)) {
            crossing = crossing.saturating_add(1);
        }
        match run {
            Run::Pixels(pixels) => bytes.extend_from_slice(pixels),
            Run::Repeat(_, pixel) => bytes.resize(end, pixel),
        }
    }
    Ok(Rows { lines: Lines { stride, bytes }, left: rest.len(), crossing })
}

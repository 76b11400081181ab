//! Contact sheets: thumbnails of many images on one sheet.

use super::Rgba8;

/// Maximum width and height of a thumbnail; of larger images, only every n-th pixel is shown.
const LARGEST: u32 = 256;

/// Maximum width of a row in pixels.
const ROW: u32 = 1024;

/// Gap between images in pixels.
const GAP: u32 = 2;

/// Maximum number of images on a sheet.
const MAX_IMAGES: usize = 512;

/// A contact sheet. Images are added one after another and immediately reduced to thumbnails.
#[derive(Debug, Default)]
pub struct ContactSheet {
    thumbnails: Vec<Rgba8>,
}

impl ContactSheet {
    /// Adds an image, unless the sheet is full.
    pub fn add(&mut self, picture: &Rgba8) {
        if self.thumbnails.len() < MAX_IMAGES {
            self.thumbnails.push(thumbnail(picture));
        }
    }

    /// Whether another image fits on the sheet.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.thumbnails.len() < MAX_IMAGES
    }

    /// Draws the images in rows, in their order; `None` if there are none.
    #[must_use]
    pub fn paint(&self) -> Option<Rgba8> {
        paint(&self.thumbnails)
    }
}

/// Returns the thumbnail of an image.
fn thumbnail(picture: &Rgba8) -> Rgba8 {
    let step = picture.width().max(picture.height()).div_ceil(LARGEST).max(1);
    if step == 1 {
        return picture.clone();
    }
    let size = |side: u32| side.div_ceil(step);
    let along = |side: u32| (0..side).step_by(usize::try_from(step).unwrap_or(usize::MAX));
    let pixel = |x: u32, y: u32| picture.get(x, y).unwrap_or_default();
    let pixels =
        along(picture.height()).flat_map(|y| along(picture.width()).flat_map(move |x| pixel(x, y))).collect();
    Rgba8::new(size(picture.width()), size(picture.height()), pixels).unwrap_or_else(|_| picture.clone())
}

/// Draws the thumbnails in rows, in their order.
fn paint(thumbnails: &[Rgba8]) -> Option<Rgba8> {
    let mut places: Vec<(u32, u32)> = Vec::new();
    let (mut x, mut y, mut row_height, mut width) = (0_u32, 0_u32, 0_u32, 0_u32);
    for thumb in thumbnails {
        if x > 0 && x.saturating_add(thumb.width()) > ROW {
            (x, y, row_height) = (0, y.saturating_add(row_height).saturating_add(GAP), 0);
        }
        places.push((x, y));
        width = width.max(x.saturating_add(thumb.width()));
        x = x.saturating_add(thumb.width()).saturating_add(GAP);
        row_height = row_height.max(thumb.height());
    }
    let height = y.saturating_add(row_height);
    let bytes = usize::try_from(u64::from(width).checked_mul(height.into())?.checked_mul(4)?).ok()?;
    let mut sheet = Rgba8::new(width, height, vec![0; bytes]).ok()?;
    let stride = usize::try_from(width).ok()?.checked_mul(4)?;
    for (thumb, (x, y)) in thumbnails.iter().zip(places) {
        let start = usize::try_from(x).ok()?.checked_mul(4)?;
        let across = usize::try_from(thumb.width()).ok()?.checked_mul(4)?;
        let rows = sheet.pixels_mut().chunks_exact_mut(stride).skip(usize::try_from(y).ok()?);
        for (row, from) in rows.zip(thumb.pixels().chunks_exact(across)) {
            if let Some(place) = row.get_mut(start..start.saturating_add(across)) {
                place.copy_from_slice(from);
            }
        }
    }
    Some(sheet)
}

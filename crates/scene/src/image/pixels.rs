//! Decoded images.

use twox_hash::XxHash3_128;

use super::Alpha;
use crate::{Error, error};

/// An image of 8-bit red, green, blue and alpha, rows from the top; display colors (sRGB), alpha not premultiplied.
#[derive(Clone, PartialEq, Eq)]
pub struct Rgba8 {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl std::fmt::Debug for Rgba8 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rgba8({}x{})", self.width, self.height)
    }
}

impl Rgba8 {
    /// Creates an image from its bytes, four per pixel.
    ///
    /// # Errors
    /// If the number of bytes does not match the size, or the image has no pixels.
    pub fn new(width: u32, height: u32, pixels: Vec<u8>) -> Result<Self, Error> {
        check(width, height, 4, pixels.len())?;
        Ok(Self { width, height, pixels })
    }

    /// Width in pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The bytes, four per pixel.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The bytes for modification, four per pixel.
    pub fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }

    /// Returns the bytes by value, four per pixel.
    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }

    /// Returns a pixel, counted from the top left; `None` outside the image.
    pub fn get(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width {
            return None;
        }
        let index = u64::from(y).checked_mul(u64::from(self.width))?.checked_add(u64::from(x))?;
        let (pixels, _) = self.pixels.as_chunks::<4>();
        pixels.get(usize::try_from(index).ok()?).copied()
    }
}

/// An image of indices into a palette of at most 256 colors, rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Indexed8 {
    width: u32,
    height: u32,
    indices: Vec<u8>,
    palette: Vec<[u8; 4]>,
}

impl std::fmt::Debug for Indexed8 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Indexed8({}x{}, {} colors)", self.width, self.height, self.palette.len())
    }
}

impl Indexed8 {
    /// Creates an image from one index per pixel and a palette of RGBA colors (sRGB).
    ///
    /// # Errors
    /// If the number of indices does not match the size, or the image has no pixels; if an index is not in the
    /// palette; or if there are more than 256 colors.
    pub fn new(width: u32, height: u32, indices: Vec<u8>, palette: Vec<[u8; 4]>) -> Result<Self, Error> {
        check(width, height, 1, indices.len())?;
        if palette.len() > 256 {
            return Err(error::count("palette", palette.len(), 256));
        }
        let last = usize::from(indices.iter().copied().max().unwrap_or_default());
        if last >= palette.len() {
            return Err(error::out_of_range("palette", last, palette.len()));
        }
        Ok(Self { width, height, indices, palette })
    }

    /// Width in pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The indices, one per pixel.
    pub fn indices(&self) -> &[u8] {
        &self.indices
    }

    /// RGBA color of each index.
    pub fn palette(&self) -> &[[u8; 4]] {
        &self.palette
    }

    /// Creates an image without the checks of [`Indexed8::new`], from parts that were validated before.
    pub(super) const fn new_unchecked(
        width: u32,
        height: u32,
        indices: Vec<u8>,
        palette: Vec<[u8; 4]>,
    ) -> Self {
        Self { width, height, indices, palette }
    }

    /// Returns the indices and the palette.
    #[must_use]
    pub fn into_parts(self) -> (Vec<u8>, Vec<[u8; 4]>) {
        (self.indices, self.palette)
    }

    /// Converts the image to one without a palette.
    pub fn to_rgba8(&self) -> Rgba8 {
        let color = |index: &u8| self.palette.get(usize::from(*index)).copied().unwrap_or_default();
        Rgba8 {
            width: self.width,
            height: self.height,
            pixels: self.indices.iter().map(color).collect::<Vec<_>>().into_flattened(),
        }
    }

    /// Returns a hash of the image's size, pixels and colors.
    #[must_use]
    pub fn content_hash(&self) -> u128 {
        let mut hasher = XxHash3_128::new();
        hasher.write(&self.width.to_le_bytes());
        hasher.write(&self.height.to_le_bytes());
        hasher.write(&self.indices);
        hasher.write(self.palette.as_flattened());
        hasher.finish_128()
    }

    /// Returns the use of alpha in the colors that occur.
    pub fn alpha_use(&self) -> Alpha {
        let mut used = [false; 256];
        for index in &self.indices {
            if let Some(used) = used.get_mut(usize::from(*index)) {
                *used = true;
            }
        }
        classify_alpha(self.palette.iter().zip(used).filter(|(_, used)| *used).map(|(color, _)| color[3]))
    }
}

/// Returns the use of alpha in an image's pixels; never [`Alpha::Possible`].
pub fn alpha_use(picture: &Rgba8) -> Alpha {
    let (pixels, _) = picture.pixels.as_chunks::<4>();
    classify_alpha(pixels.iter().map(|pixel| pixel[3]))
}

fn classify_alpha(alphas: impl Iterator<Item = u8>) -> Alpha {
    let mut found = Alpha::Opaque;
    for alpha in alphas {
        match alpha {
            255 => {}
            0 => found = Alpha::Binary,
            _ => return Alpha::Blended,
        }
    }
    found
}

fn check(width: u32, height: u32, bytes_per_pixel: u64, found: usize) -> Result<(), Error> {
    // 2^32 * 2^32 * 4 does not fit into 64 bits, but such an image does not fit into memory either.
    let expected = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(bytes_per_pixel);
    if expected == 0 || u64::try_from(found).ok() != Some(expected) {
        return Err(error::pixel_count(width, height, found, expected));
    }
    Ok(())
}

//! Conversion of pixels to the units of a TrueType font.

use super::{Glyph, PixelFont};
use crate::Error;
use crate::error::forbidden;

/// Units per pixel, unless the font is too large.
const UNITS: i32 = 64;

/// Maximum distance of any point from the origin, so that differences also fit into 16 bits.
const MAX_DISTANCE: i32 = 16383;

/// The format's limits for the units per em.
const EM: std::ops::RangeInclusive<i32> = 16..=16384;

/// The scale of a font: a line is one em, so that text whose size in pixels is the line height shows each pixel of
/// the font as one pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    /// Units per pixel.
    pub(super) unit: i32,
    /// Units per em.
    pub(super) em: u16,
}

impl Scale {
    /// Returns the largest scale at which everything fits.
    pub(super) fn of(font: &PixelFont) -> Result<Self, Error> {
        let line = i32::from(font.line_height).max(1);
        let farthest = farthest(font);
        let mut unit = UNITS;
        while unit > 0 {
            let em = line.saturating_mul(unit).max(*EM.start());
            if EM.contains(&em) && farthest.saturating_mul(unit.into()) <= i64::from(MAX_DISTANCE) {
                return Ok(Self { unit, em: u16::try_from(em).unwrap_or(u16::MAX) });
            }
            unit /= 2;
        }
        let problem = format!(
            "lines of {line} pixels and glyphs up to {farthest} pixels are too large for a TrueType font"
        );
        Err(forbidden("font", problem))
    }

    /// Converts pixels to units.
    pub(super) fn units(self, pixels: i64) -> Result<i16, Error> {
        let units = pixels.saturating_mul(self.unit.into());
        i16::try_from(units).map_err(|_| forbidden("font", format!("{units} font units are out of range")))
    }
}

/// Returns the largest distance of any point from the start of the baseline, in pixels.
fn farthest(font: &PixelFont) -> i64 {
    let reach = |glyph: &Glyph| {
        let (left, top) = (i64::from(glyph.left), i64::from(glyph.top));
        let right = left + i64::from(glyph.width);
        let bottom = top + i64::from(glyph.height);
        let from_baseline = |y: i64| (y - i64::from(font.baseline)).abs();
        [left.abs(), right.abs(), from_baseline(top), from_baseline(bottom), glyph.advance.into()]
            .into_iter()
            .max()
            .unwrap_or_default()
    };
    let glyphs = font.characters().map(|(_, glyph)| reach(glyph)).max().unwrap_or_default();
    glyphs.max(font.line_height.into()).max(font.baseline.into())
}

/// The bounding box of the drawn outlines, in units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) left: i16,
    pub(super) bottom: i16,
    pub(super) right: i16,
    pub(super) top: i16,
}

impl Bounds {
    /// Returns the bounding box of points; `None` without any.
    pub(super) fn around(points: impl Iterator<Item = (i16, i16)>) -> Option<Self> {
        let point = |(x, y)| Self { left: x, bottom: y, right: x, top: y };
        points.map(point).reduce(Self::with)
    }

    /// Returns the bounding box of both.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            bottom: self.bottom.min(other.bottom),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
        }
    }
}

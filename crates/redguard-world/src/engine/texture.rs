//! Images on the screen: the current frame of an animated image, and the texture memory it uses.

pub use redguard_files::picture::ticks as delay_ticks;

/// The playback state of an animated image, shared by all users of the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageAnimation {
    /// The current frame.
    pub frame: u16,
    /// The BIOS tick from which the next frame is shown.
    pub deadline: u64,
}

impl ImageAnimation {
    /// Returns the state when the image is first drawn, at this BIOS tick.
    #[must_use]
    pub fn first(now: u64, delay: u16) -> Self {
        Self { frame: 0, deadline: now.saturating_add(delay.max(1).into()) }
    }

    /// Returns the state when the image is drawn again. It advances by at most one frame regardless of the elapsed time, since the game
    /// advances only images that it draws and never catches up. \[E\]
    #[must_use]
    pub fn drawn(self, now: u64, frames: u16, delay: u16) -> Self {
        if now < self.deadline {
            return self;
        }
        let next = self.frame.saturating_add(1);
        Self { frame: if next < frames { next } else { 0 }, ..Self::first(now, delay) }
    }
}

/// The longest side of an image in texture memory.
const MAX_SIDE: u32 = 256;

/// The maximum ratio of the sides.
const MAX_RATIO: u32 = 8;

/// Returns the size of an image in the memory of the graphics card: powers of two up to 256, with one side at most eight times the other.
/// The image is not stretched; the remaining area is filled with color 0. Models repeat their images over this size. \[E\]
#[must_use]
pub fn memory_size(width: u32, height: u32) -> [u32; 2] {
    let side = |side: u32| side.clamp(1, MAX_SIDE).checked_next_power_of_two().unwrap_or(MAX_SIDE);
    let (width, height) = (side(width), side(height));
    [width.max(height / MAX_RATIO), height.max(width / MAX_RATIO)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_rounded_to_ticks() {
        // 71 * 18.2 / 1000 = 1.29, 83 * 18.2 / 1000 = 1.51.
        assert_eq!([-5, 0, 71, 83, 500, 1000].map(delay_ticks), [1, 1, 1, 2, 9, 18]);
    }

    #[test]
    fn an_image_never_catches_up() {
        let first = ImageAnimation::first(100, 5);
        assert_eq!(first, ImageAnimation { frame: 0, deadline: 105 });
        assert_eq!(first.drawn(104, 3, 5), first);
        let late = first.drawn(1000, 3, 5);
        assert_eq!(late, ImageAnimation { frame: 1, deadline: 1005 });
        assert_eq!(late.drawn(1005, 2, 5), ImageAnimation { frame: 0, deadline: 1010 });
        assert_eq!(ImageAnimation::first(0, 0).drawn(1, 1, 0).frame, 0);
    }

    #[test]
    fn image_sizes_are_rounded_up_to_powers_of_two() {
        assert_eq!(memory_size(100, 64), [128, 64]);
        assert_eq!(memory_size(256, 9), [256, 32]);
        assert_eq!(memory_size(1, 128), [16, 128]);
        assert_eq!((memory_size(640, 480), memory_size(0, 0)), ([256, 256], [1, 1]));
    }
}

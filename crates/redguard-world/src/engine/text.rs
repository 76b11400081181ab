//! Text on the 640 x 480 pixel screen: width, position, wrapping and duration.

use redguard_files::screen::centered_at;
use redguard_files::text::fnt::Font;

pub use redguard_files::screen::{SHADOW, shadow_alpha};
pub use redguard_files::wrap::{MOVIE_CHARACTERS, wrapped};

/// The X of the center of centered lines.
const CENTER: i32 = 320;

/// The lower edge of a block of subtitles.
const BOTTOM: i32 = 470;

/// The line height of subtitles and other texts in the font REDSEL.
pub const LINE_HEIGHT: i32 = 26;

/// The shadow offset of movie texts. \[E\]
pub const MOVIE_SHADOW: [i32; 2] = [2, 2];

/// Returns the width of a line in pixels: the sum of its characters' advance widths. \[E\]
#[must_use]
pub fn width(font: &Font, line: &str) -> i32 {
    i32::try_from(font.text_width(line)).unwrap_or(i32::MAX)
}

/// Returns the start of a centered line of this width, in pixels from the left. \[E\]
#[must_use]
pub const fn centered(width: i32) -> i32 {
    centered_at(CENTER, width)
}

/// Returns the top of a block of subtitles in pixels. Blocks of one and two lines begin at the same height. \[E\]
#[must_use]
pub fn subtitle_top(lines: u16) -> i32 {
    let breaks = i32::from(lines).saturating_sub(1);
    BOTTOM.wrapping_sub(LINE_HEIGHT.wrapping_mul(breaks.max(1).wrapping_add(1)))
}

/// Returns the initial display time of a subtitle without speech: 256 per second of its clip, or 15 per character if it has no clip. \[E\]
#[must_use]
pub fn subtitle_time(clip_seconds: Option<i32>, characters: i32) -> i32 {
    clip_seconds.map_or_else(|| characters.saturating_mul(15), |seconds| seconds.saturating_mul(256))
}

/// Returns the remaining display time after a number of nominal ticks; the subtitle ends at 0 or below. \[E\]
#[must_use]
pub const fn subtitle_time_left(time: i32, ticks: i32) -> i32 {
    time.saturating_sub(ticks.saturating_mul(21))
}

/// Whether a movie text is shown in a frame (one-based): from its start frame up to the frame before its stop frame. \[E\]
#[must_use]
pub fn is_in_movie(start: u32, stop: u32, frame: u32) -> bool {
    (start..stop).contains(&frame)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Ten pixels per character.
    fn tens(line: &str) -> i32 {
        i32::try_from(line.len() * 10).unwrap()
    }

    #[test]
    fn lines_are_narrower_than_the_limit() {
        assert_eq!(wrapped("ab cd ef", 60, tens), ["ab cd", "ef"]);
        // 50 is not less than 50.
        assert_eq!(wrapped("ab cd ef", 50, tens), ["ab", "cd", "ef"]);
        assert_eq!(wrapped("  abcdefgh  i j", 30, tens), ["abcdefgh", "i", "j"]);
        assert_eq!(wrapped("", 30, tens), Vec::<&str>::new());
    }

    #[test]
    fn a_line_is_centered_with_the_half_pixel_to_the_right() {
        assert_eq!([0, 100, 101].map(centered), [320, 270, 270]);
    }

    #[test]
    fn one_line_begins_where_two_do() {
        assert_eq!([0, 1, 2, 3, 4].map(subtitle_top), [418, 418, 418, 392, 366]);
    }

    #[test]
    fn subtitle_time_depends_on_the_clip_or_the_characters() {
        assert_eq!((subtitle_time(Some(3), 99), subtitle_time(None, 10)), (768, 150));
        // 8 * 21 = 168.
        assert_eq!((subtitle_time_left(150, 7), subtitle_time_left(150, 8)), (3, -18));
        assert_eq!([4, 5, 9, 10].map(|frame| is_in_movie(5, 10, frame)), [false, true, true, false]);
        assert_eq!((shadow_alpha(255), shadow_alpha(128)), (199, 100));
    }

    #[test]
    fn a_width_is_the_sum_of_the_advances() {
        let mut sink = asset::MemorySink::new();
        crate::sample::write(&mut sink).unwrap();
        let (_, bytes) = sink.files().iter().find(|(name, _)| name.to_lowercase().ends_with(".fnt")).unwrap();
        let font = Font::read(bytes).unwrap();
        let advance =
            |code: char| i32::try_from(font.advance(usize::try_from(u32::from(code)).unwrap() - 32)).unwrap();
        assert!(advance('A') > 1);
        assert_eq!(width(&font, "A A"), 2 * advance('A') + advance(' '));
        // Characters missing from the font have no width.
        assert_eq!(width(&font, "A\u{4e00}"), advance('A'));
    }

    proptest! {
        #[test]
        fn wrapping_keeps_all_words(text in "[ab é]{0,60}", limit in 0_i32..200) {
            let lines = wrapped(&text, limit, tens);
            let found: Vec<_> = lines.iter().flat_map(|line| line.split(' ')).filter(|word| !word.is_empty()).collect();
            let expected: Vec<_> = text.split(' ').filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(found, expected);
            prop_assert!(lines.iter().all(|line| tens(line) < limit || !line.contains(' ')));
        }
    }
}

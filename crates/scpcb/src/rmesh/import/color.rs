//! Vertex colors out of linear light: the other way of what [`material`](super::super::material) does.

use record::Bytes;
use scene::color::linear_to_srgb;

/// What colors were multiplied with before they became light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Factor {
    /// Of transparent surfaces.
    One,
    /// Of surfaces lit by their vertices. All from half of the scale on is white, and comes back as one level.
    Two {
        /// That level.
        bright: u8,
    },
}

/// The least level that is white when it is doubled.
pub(super) const HALF: u8 = 128;

impl Factor {
    /// The factor of a surface that is lit by its vertices. One that is white all over was white before; in others, what is bright
    /// is assumed to be as bright as need be: the game blends between vertices before it cuts at white.
    pub(super) fn of_lit(light: &[[f32; 4]]) -> Self {
        let is_white = light.iter().flat_map(|[colors @ .., _]| colors).all(|light| is_white(*light));
        Self::Two { bright: if is_white { 255 } else { HALF } }
    }

    fn level(self, light: f32) -> u8 {
        match self {
            Self::One => rounded(display(light)),
            Self::Two { bright } if is_white(light) => bright,
            Self::Two { .. } => rounded(display(light) / 2.0),
        }
    }

    /// Whether a level gives this light.
    fn gives(self, level: u8, light: f32) -> bool {
        match self {
            Self::Two { .. } if level >= HALF => is_white(light),
            _ => self.level(light) == level,
        }
    }

    /// The color of a vertex: the one that was stored, if there is one and it gives the light that exists.
    pub(super) fn color(self, [red, green, blue, _]: [f32; 4], stored: Option<[u8; 3]>) -> [u8; 3] {
        let light = [red, green, blue];
        match stored {
            Some(stored) if stored.iter().zip(light).all(|(level, light)| self.gives(*level, light)) => {
                stored
            }
            _ => light.map(|light| self.level(light)),
        }
    }
}

/// What a display shows, of 255.
fn display(light: f32) -> f32 {
    linear_to_srgb(light.clamp(0.0, 1.0)) * 255.0
}

/// 127 doubled is 254.
fn is_white(light: f32) -> bool {
    display(light) >= 254.5
}

/// To the nearest whole level.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped; what is no number becomes 0"
)]
pub(super) fn rounded(level: f32) -> u8 {
    level.round().clamp(0.0, 255.0) as u8
}

/// Colors that were stored as bytes, when there is one for each vertex.
pub(super) fn stored(value: Option<&json::Value>, vertices: usize) -> Option<Vec<[u8; 3]>> {
    let bytes: Bytes = json::from_value(value?.clone()).ok()?;
    let (colors, rest) = bytes.as_chunks::<3>();
    (rest.is_empty() && colors.len() == vertices).then(|| colors.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::color::srgb_to_linear;

    /// What a GLB keeps of a channel.
    fn kept(light: f32) -> f32 {
        (light * 65535.0).round() / 65535.0
    }

    #[test]
    fn every_level_comes_back_and_doubled_light_up_to_white() {
        let lit = Factor::Two { bright: 200 };
        for level in 0..=255_u8 {
            let shown = f32::from(level) / 255.0;
            assert_eq!(Factor::One.level(kept(srgb_to_linear(shown))), level);
            let doubled = kept(srgb_to_linear((2.0 * shown).min(1.0)));
            assert_eq!(lit.level(doubled), if level < HALF { level } else { 200 });
            assert_eq!(lit.color([doubled, doubled, doubled, 1.0], Some([level; 3])), [level; 3]);
        }
    }

    #[test]
    fn bright_light_is_as_bright_as_need_be_unless_all_is_white() {
        let (gray, white) = ([0.2, 0.2, 0.2, 1.0], [1.0, 1.0, 1.0, 0.5]);
        assert_eq!(Factor::of_lit(&[white, white]), Factor::Two { bright: 255 });
        assert_eq!(Factor::of_lit(&[white, gray]), Factor::Two { bright: 128 });
    }

    #[test]
    fn a_color_that_was_painted_over_counts_and_not_the_stored_one() {
        let gray = srgb_to_linear(0.5);
        assert_eq!(Factor::One.color([gray, gray, gray, 1.0], Some([200; 3])), [128; 3]);
        let lit = Factor::Two { bright: 128 };
        assert_eq!(lit.color([gray, 1.0, 1.0, 1.0], Some([200; 3])), [64, 128, 128]);
    }
}

//! Vertex colors from linear light: the inverse of [`material`](super::super::material).

use record::Bytes;
use scene::color::linear_to_srgb;

/// The factor by which colors were multiplied before the conversion to light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Factor {
    /// For transparent surfaces.
    One,
    /// For surfaces lit by their vertices. All levels from half the maximum became white, and are restored as one level.
    Two {
        /// The level for white.
        bright: u8,
    },
}

/// The lowest level that is white when it is doubled.
pub(super) const HALF: u8 = 128;

impl Factor {
    /// The factor of a surface that is lit by its vertices. An all-white surface was white before; in others, white is restored as
    /// the lowest level that is white when doubled, because the game interpolates between vertices before it clamps.
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

    /// Whether a level becomes this light.
    fn matches(self, level: u8, light: f32) -> bool {
        match self {
            Self::Two { .. } if level >= HALF => is_white(light),
            _ => self.level(light) == level,
        }
    }

    /// The color of a vertex: the stored one if it is consistent with the light, otherwise a color computed from the light.
    pub(super) fn color(self, [red, green, blue, _]: [f32; 4], stored: Option<[u8; 3]>) -> [u8; 3] {
        let light = [red, green, blue];
        match stored {
            Some(stored) if stored.iter().zip(light).all(|(level, light)| self.matches(*level, light)) => {
                stored
            }
            _ => light.map(|light| self.level(light)),
        }
    }
}

/// The display value, 0 to 255.
fn display(light: f32) -> f32 {
    linear_to_srgb(light.clamp(0.0, 1.0)) * 255.0
}

/// Whether light is white: 127 doubled is 254.
fn is_white(light: f32) -> bool {
    display(light) >= 254.5
}

/// Rounds to the nearest level.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped; NaN becomes 0"
)]
pub(super) fn rounded(level: f32) -> u8 {
    level.round().clamp(0.0, 255.0) as u8
}

/// Colors that were stored as bytes, if there is one for each vertex.
pub(super) fn stored(value: Option<&json::Value>, vertices: usize) -> Option<Vec<[u8; 3]>> {
    let bytes: Bytes = json::from_value(value?.clone()).ok()?;
    let (colors, rest) = bytes.as_chunks::<3>();
    (rest.is_empty() && colors.len() == vertices).then(|| colors.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::color::srgb_to_linear;

    /// The value of a channel after a round trip through a GLB.
    fn kept(light: f32) -> f32 {
        (light * 65535.0).round() / 65535.0
    }

    #[test]
    fn every_level_round_trips_and_doubled_light_up_to_white() {
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
    fn white_light_is_restored_as_half_unless_all_is_white() {
        let (gray, white) = ([0.2, 0.2, 0.2, 1.0], [1.0, 1.0, 1.0, 0.5]);
        assert_eq!(Factor::of_lit(&[white, white]), Factor::Two { bright: 255 });
        assert_eq!(Factor::of_lit(&[white, gray]), Factor::Two { bright: 128 });
    }

    #[test]
    fn an_edited_color_takes_precedence_over_the_stored_one() {
        let gray = srgb_to_linear(0.5);
        assert_eq!(Factor::One.color([gray, gray, gray, 1.0], Some([200; 3])), [128; 3]);
        let lit = Factor::Two { bright: 128 };
        assert_eq!(lit.color([gray, 1.0, 1.0, 1.0], Some([200; 3])), [64, 128, 128]);
    }
}

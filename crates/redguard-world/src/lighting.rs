//! Whether scenes have the game's own light in them.

use asset::Choice;

/// `--light`.
pub(crate) const LIGHT: Choice<Light> = Choice::new(
    "light",
    "What lights the scene of a map or a terrain.",
    &[
        ("plain", "nothing: the viewer's lights, and the lights of the map"),
        ("baked", "the game: its light stands in the colors of the vertices"),
    ],
    &[Light::Plain, Light::Baked],
);

/// What lights a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Light {
    /// The viewer.
    Plain,
    /// The game, once and for all.
    Baked,
}

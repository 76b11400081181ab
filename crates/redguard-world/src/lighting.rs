//! The lighting of scenes: the viewer's, or the game's baked lighting.

use asset::Choice;

/// `--light`.
pub(crate) const LIGHT: Choice<Light> = Choice::new(
    "light",
    "Lighting of the scene of a map or a terrain.",
    &[
        ("plain", "no baked light: the lights of the viewer and of the map"),
        ("baked", "the game's light, stored in the vertex colors"),
    ],
    &[Light::Plain, Light::Baked],
);

/// The lighting of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Light {
    /// Lighting by the viewer.
    Plain,
    /// The game's lighting, baked into vertex colors.
    Baked,
}

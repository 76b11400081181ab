//! The layers of a scene, which are left out and added one by one.

use asset::{Context, Words};

/// A layer: a node below the root, with the nodes of one kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// What scripts control.
    Objects,
    /// Models that only stand there.
    Statics,
    /// Ropes and chains.
    Ropes,
    /// Pictures that face the camera.
    Flats,
    /// Lights.
    Lights,
    /// Places that scripts name by their numbers.
    Markers,
    /// The ground and the water.
    Terrain,
    /// Ways that actors walk, as lines.
    Walk,
    /// The cells of the visibility tree, as lines.
    Visibility,
    /// Spheres that actors collide with.
    Collision,
    /// The sky as a plane, and the sun.
    Sky,
}

/// The words of `--with` and `--without`.
const WORDS: &[(&str, &str)] = &[
    ("objects", "what scripts control"),
    ("statics", "models that only stand there"),
    ("ropes", "ropes and chains"),
    ("flats", "pictures that face the camera"),
    ("lights", "lights"),
    ("markers", "places that scripts name by their numbers"),
    ("terrain", "the ground and the water"),
    ("walk", "ways that actors walk, as lines"),
    ("visibility", "the cells of the visibility tree, as lines"),
    ("collision", "spheres that actors collide with"),
    ("sky", "the sky as a plane, and the sun"),
];

/// `--with`.
pub(super) const WITH: Words<Layer> = Words::new(
    "with",
    "Layers of a map that are added: walk, visibility, collision and sky are off unless named.",
    WORDS,
    &Layer::ALL,
)
.as_layers();

/// `--without`.
pub(super) const WITHOUT: Words<Layer> =
    Words::new("without", "Layers of a map that are left out.", WORDS, &Layer::ALL);

impl Layer {
    /// All of them, in the order in which they stand in the scene.
    pub(super) const ALL: [Self; 11] = [
        Self::Objects,
        Self::Statics,
        Self::Ropes,
        Self::Flats,
        Self::Lights,
        Self::Markers,
        Self::Terrain,
        Self::Walk,
        Self::Visibility,
        Self::Collision,
        Self::Sky,
    ];

    /// Its word.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Statics => "statics",
            Self::Ropes => "ropes",
            Self::Flats => "flats",
            Self::Lights => "lights",
            Self::Markers => "markers",
            Self::Terrain => "terrain",
            Self::Walk => "walk",
            Self::Visibility => "visibility",
            Self::Collision => "collision",
            Self::Sky => "sky",
        }
    }

    /// Whether the options ask for it.
    pub(super) fn is_wanted(self, context: &Context<'_>) -> bool {
        let is_usual = !matches!(self, Self::Walk | Self::Visibility | Self::Collision | Self::Sky);
        let is_added = context.options.has(&WITH, &self);
        (is_usual || is_added) && !context.options.has(&WITHOUT, &self)
    }
}

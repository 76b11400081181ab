//! The layers of a scene, which can be added and omitted individually.

use asset::{Context, Words};

/// A layer: a node below the root that contains the nodes of one kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Objects controlled by scripts.
    Objects,
    /// Static models.
    Statics,
    /// Ropes and chains.
    Ropes,
    /// Billboards: images that face the camera.
    Flats,
    /// Lights.
    Lights,
    /// Markers: positions that scripts reference by number.
    Markers,
    /// Ground and water.
    Terrain,
    /// Walk paths of actors, as lines.
    Walk,
    /// The cells of the visibility tree, as lines.
    Visibility,
    /// Collision shapes: spheres of objects, and faces of statics.
    Collision,
    /// The sky as a plane, and the sun.
    Sky,
}

/// The values of `--with` and `--without`.
const WORDS: &[(&str, &str)] = &[
    ("objects", "objects controlled by scripts"),
    ("statics", "static models"),
    ("ropes", "ropes and chains"),
    ("flats", "billboards: images that face the camera"),
    ("lights", "lights"),
    ("markers", "positions that scripts reference by number"),
    ("terrain", "ground and water"),
    ("walk", "walk paths of actors, as lines"),
    ("visibility", "the cells of the visibility tree, as lines"),
    ("collision", "collision shapes: spheres of objects, faces of statics"),
    ("sky", "the sky as a plane, and the sun"),
];

/// `--with`.
pub(super) const WITH: Words<Layer> = Words::new(
    "with",
    "Layers of a map to add. Walk, visibility, collision and sky are off by default.",
    WORDS,
    &Layer::ALL,
)
.as_layers();

/// `--without`.
pub(super) const WITHOUT: Words<Layer> =
    Words::new("without", "Layers of a map to omit.", WORDS, &Layer::ALL);

impl Layer {
    /// All layers, in the order of the scene.
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

    /// Returns the name of the layer.
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

    /// Whether the options enable the layer.
    pub(super) fn is_enabled(self, context: &Context<'_>) -> bool {
        let is_default = !matches!(self, Self::Walk | Self::Visibility | Self::Collision | Self::Sky);
        let is_added = context.options.has(&WITH, &self);
        (is_default || is_added) && !context.options.has(&WITHOUT, &self)
    }
}

//! Shared by the imports of rooms and models: names, node transforms, track evaluation, and the original file of a scene.

pub(crate) mod color;
pub(crate) mod curve;
pub(crate) mod flat;
pub(crate) mod name;
pub(crate) mod tree;
pub(crate) mod uv;

//! Shared by all model formats: looking up images, computing missing normals, and mirrored meshes.

pub(crate) mod bearing;
pub(crate) mod mirror;
pub(crate) mod normal;
pub(crate) mod shapes;
pub(crate) mod texture;

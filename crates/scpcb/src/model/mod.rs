//! What models of all formats have in common: how their images are found, how missing normals are made, and what mirrored meshes need.

pub(crate) mod mirror;
pub(crate) mod normal;
pub(crate) mod texture;

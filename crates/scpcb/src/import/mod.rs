//! What imports of rooms and models share: names, where nodes stand, what tracks say at a time, and the file that a scene was made of.

pub(crate) mod color;
pub(crate) mod curve;
pub(crate) mod flat;
pub(crate) mod name;
pub(crate) mod tree;
pub(crate) mod uv;

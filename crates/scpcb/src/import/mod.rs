//! What imports of rooms and models share: names, where nodes stand, and what tracks say at a time.

pub(crate) mod curve;
pub(crate) mod name;
pub(crate) mod tree;

//! Differences between two files: by fields if they can be read, by bytes otherwise.

mod align;
mod bytes;
mod change;
mod fields;
#[cfg(test)]
mod tests;
#[cfg(feature = "scripts")]
mod text;

/// Number of changes of a file that are reported unless another limit is given; others are only counted.
pub const MAX_CHANGES: usize = 100;

pub use bytes::first_difference;
pub use change::{Change, ChangeKind, Differences};
pub use fields::{Blobs, compare};
#[cfg(feature = "scripts")]
pub(crate) use text::compare_lines;

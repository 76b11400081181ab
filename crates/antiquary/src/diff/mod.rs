//! Differences between two files: by fields if they can be read, by bytes otherwise.

mod align;
mod bytes;
mod change;
mod fields;
#[cfg(test)]
mod tests;
#[cfg(feature = "scripts")]
mod text;

pub use bytes::first_difference;
pub use change::{Change, ChangeKind, Differences};
pub use fields::{Blobs, compare};
#[cfg(feature = "scripts")]
pub(crate) use text::compare_lines;

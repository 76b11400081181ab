//! Bytes to structs and back: readers, writers, located errors and spans from one declaration.

extern crate self as record;

mod error;
mod source;
mod span;

pub use error::{Error, Kind, Result};
pub use source::Source;
pub use span::{Span, Visit, Visitor};

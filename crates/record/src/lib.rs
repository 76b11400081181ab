//! Bytes to structs and back: readers, writers, located errors and spans from one declaration.
//!
//! A structure on disk is a plain struct whose fields are the documented table, in order, with `#[derive(Record)]`. That one
//! declaration reads it from a slice, writes the same bytes back, and explains every byte to a [`Visitor`]; with serde it is
//! also the JSON people edit ([`json`]).
//!
//! ```
//! use record::{Bytes, Record, read_whole, write_whole};
//!
//! /// A picture of a made-up game.
//! #[derive(Record, Debug, PartialEq)]
//! #[record(magic = b"PIC!")]
//! struct Picture {
//!     version: u16,
//!     /// Since version 2.
//!     #[record(when = version >= 2)]
//!     author: Option<u32>,
//!     #[record(count = u8)]
//!     palette: Vec<[u8; 3]>,
//!     #[record(count = u32)]
//!     pixels: Bytes,
//! }
//!
//! let file = b"PIC!\x01\x00\x01\xff\x80\x00\x02\0\0\0\x00\x00";
//! let picture: Picture = read_whole(file, ())?;
//! assert_eq!(picture.palette, [[255, 128, 0]]);
//! assert_eq!(write_whole(&picture, ())?, file);
//!
//! let error = read_whole::<Picture>(&file[..9], ()).unwrap_err();
//! assert_eq!(error.to_string(), "palette: 1 of at least 3 bytes each cannot fit into the 2 bytes left, at offset 0x6");
//! # Ok::<(), record::Error>(())
//! ```
//!
//! # The derive
//!
//! On a struct or an enum, in `#[record(...)]`:
//!
//! | | |
//! | --- | --- |
//! | `magic = b"..."` | bytes it starts with |
//! | `order = big` | the byte order within it (`little` unless told) |
//! | `context = TYPE` | what its layout depends on besides the bytes; expressions call it `context` |
//! | `flat` | all fields are flat records ([`Flat`]), so lists of it are read as one block; structs of plain numbers are without saying so |
//! | `tag = TYPE` | enum: what tells the variants apart; each variant says `tag = VALUE` |
//! | `length = TYPE` | enum: behind the tag stands how many bytes the body takes, and the body must take them all |
//!
//! On a variant: `tag = VALUE`; `with = CONTEXT` for its record; or `unknown`, a variant of two unnamed fields (the tag, [`Bytes`]) that
//! keeps what no other variant knows.
//!
//! On a field:
//!
//! | | |
//! | --- | --- |
//! | `count = u32` | a list with its length in front of it, as that type |
//! | `count = header.count` | a list whose length another field holds; writing sets that field |
//! | `limit = N` | longer lists are refused |
//! | `when = version >= 2` | there only then: the type is `Option<...>`; writing a value the version has no room for is an error |
//! | `with = version` | the context given to it |
//! | `order = big` | its byte order |
//! | `at = header.offset`, `size = header.size` | it stands at an offset; writing sets the fields |
//! | `each = entries, at = entry.offset, size = entry.length` | one item for each element of another field, at the element's offset (`at = entry` when the elements are the offsets) |
//! | `from_end = 8` | it is the last 8 bytes of the file |
//! | `rank = 2` | its turn among the parts at offsets when a file is made from scratch (1 unless told, the record itself 0) |
//! | `layout` | the [`Layout`] that a record with offsets keeps, so that it is written as it was |
//!
//! A field of type [`Bytes`] without `count` takes everything that is left.

extern crate self as record;

mod bytes;
mod derived;
mod error;
pub mod json;
mod layout;
mod number;
mod reader;
mod record_trait;
mod source;
mod span;
mod writer;

pub use bytes::Bytes;
#[doc(hidden)]
pub use derived::{from_end, from_offset, missing, no_room, same_count, to_offset};
pub use error::{Error, Kind, Result};
pub use layout::{Gap, Layout, Place};
#[doc(hidden)]
pub use layout::{LAST, LayoutReader, LayoutWriter};
pub use number::{Count, Flat, Order};
pub use reader::{Reader, read_whole, trace_whole};
pub use record_derive::Record;
pub use record_trait::{Record, Sequence};
pub use source::Source;
pub use span::{Span, Visit, Visitor};
pub use writer::{Reserved, Writer, write_whole};

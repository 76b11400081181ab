//! Bytes to structs and back: readers, writers, located errors and spans from one declaration.
//!
//! A structure on disk is a plain struct whose fields are the documented table, in order, with `#[derive(Record)]`. That one
//! declaration reads it from a slice, writes the same bytes back, and explains every byte to a [`Visitor`]; with serde it is
//! also the JSON people edit.
//!
//! ```
//! use antiquary_record::{Bytes, Record, read_whole, write_whole};
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
//! assert_eq!(error.to_string(), "palette: expected 1 items of at least 3 bytes each, but only 2 bytes are left, at offset 0x6");
//! # Ok::<(), antiquary_record::Error>(())
//! ```
//!
//! # The derive
//!
//! In `#[record(...)]`. `EXPR` may name the fields before it, the numbers of `before` and `after`, and the context, which it calls `context`.
//!
//! On a struct or an enum:
//!
//! | | |
//! | --- | --- |
//! | `crate = path` | the path of this crate; by default the dependency `antiquary-record`, or else `antiquary::record` |
//! | `context = TYPE` | what its layout depends on besides the bytes |
//! | `order = big` | the byte order within it (`little` by default) |
//! | `magic = b"..."` | struct: bytes it starts with |
//! | `flat` | struct: all fields are flat records ([`Flat`]), so lists of it are read as one block; structs of plain numbers are without saying so |
//! | `from = TYPE` | it is stored as a `TYPE`, another record: read by `TryFrom<TYPE>`, written by `From<&Self> for TYPE` |
//! | `check = function` | `fn(&Self) -> Result<()>` refuses what the format does not allow, on reading and on writing |
//! | `show = "{}"`, `show = function` | it is one span, shown as the format string or what the function makes of a reference to it |
//!
//! The variant of an enum is selected by a tag, by the bytes that follow, or by its context:
//!
//! | | |
//! | --- | --- |
//! | `tag = TYPE` | the type of the tag; each variant says `tag = VALUE`. Variants without fields are nothing but their tags |
//! | `length = TYPE`, `length_order = big` | the tag is followed by the length of the body in bytes, and the body must take them all |
//! | `body = "name"` | what the body is called in paths, where that is a step of its own |
//! | `ahead = TYPE` | a record that is read ahead, for the `when` of the variants |
//! | `unknown = function` | the error for what is no variant, from a reference to the tag (to the context where there is no tag) |
//!
//! On a variant: `tag = VALUE`; `when = EXPR`, of `context`, `ahead`, `length` and `rest` (the bytes that follow), without which it is the
//! one that it is otherwise; `with = EXPR`, the context for its record; `unknown`, a variant of two fields (the tag, [`Bytes`]) that keeps what
//! no other variant knows.
//!
//! On a field, its encoding in the file:
//!
//! | | |
//! | --- | --- |
//! | `count = u32` | a list with its length in front of it, as that type |
//! | `count = header.count` | a list whose length another field holds; writing sets that field |
//! | `limit = N` | longer lists are refused; for those with `count` or `leave` |
//! | `until = end`, `until = b"END "`, `until = function` | a list up to the end of the data, up to bytes that come next, or until `fn(&Reader) -> Result<bool>` says so; `function(EXPR, ...)` gives it more arguments |
//! | `leave = N` | a list of as many whole items as fit before the last `N` bytes |
//! | `terminator = b"\0"` | bytes up to a terminator, which is not kept |
//! | `present = b"END "` | a `bool`: whether these bytes follow |
//! | `by = module`, `by = module(EXPR, ...)` | read by `module::read(reader, ...)`, written by `module::write(&value, writer, ...)` |
//! | `min = N` | the fewest bytes it takes, where that cannot be seen |
//! | `when = EXPR` | there only then: the type is `Option<...>`; writing a value the version has no room for is an error |
//! | `with = EXPR` | the context given to it |
//! | `order = big` | its byte order |
//! | `inline` | it is no step in paths: its own fields, or its tag, take its place |
//! | `check = function`, `show = ...` | as on a struct, for the field; `show` leaves the number in front of a list a span of its own |
//!
//! A field of type [`Bytes`] that says nothing of its length takes everything that is left; of another type it is a record.
//!
//! And what surrounds fields:
//!
//! | | |
//! | --- | --- |
//! | `begin(tag = b"BODY", size: u32, order = big, name = "body")` | a section starts with this field: its tag, then how many bytes it takes; each of the four may be missing. `name` is what tag and size are called in paths |
//! | `end` | the section ends with this field; the last field ends it anyway. Its fields must take all its bytes: end it with [`Bytes`] to keep the rest |
//! | `before(item_count: u16 = items.len())` | a number before the field that the struct does not keep: it is written as said, and expressions can name it |
//! | `after(...)` | the same behind the field |
//!
//! Where parts are found through offsets, and stay where they were as long as their lengths do: [`LayoutReader`] and [`LayoutWriter`].

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

extern crate self as antiquary_record;

mod bytes;
mod derived;
mod error;
pub mod git_lfs;
mod layout;
mod locate;
mod number;
mod parts;
mod raw;
mod reader;
mod record_trait;
#[cfg_attr(
    not(test),
    expect(clippy::disallowed_methods, reason = "what the others are to use in place of it")
)]
mod source;
mod span;
mod writer;

pub use bytes::Bytes;
#[doc(hidden)]
pub use derived::{AtEnd, Stop, Stored, check_same_count, missing, unsupported_in_version};
pub use error::{Error, Kind, Result};
pub use layout::{Extent, Gap, Layout, LayoutReader, LayoutWriter};
pub use locate::Locator;
pub use number::{Count, Flat, Order};
pub use parts::PartTracer;
pub use raw::Raw;
pub use reader::{Reader, read_whole, trace_whole};
pub use record_derive::Record;
pub use record_trait::{Record, Sequence};
pub use source::{ReadAt, Source};
pub use span::{FieldDoc, Span, Visit, Visitor};
pub use writer::{Reserved, Writer, write_whole};

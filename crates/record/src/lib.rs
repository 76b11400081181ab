#![cfg_attr(docsrs, feature(doc_cfg))]
//! Binary records: readers, writers, located errors and byte spans from one declaration.
//!
//! An on-disk structure is a plain struct with `#[derive(Record)]` whose fields are the documented layout, in order. That one
//! declaration reads it from a slice, writes the same bytes back, and reports the span of every field to a [`Visitor`]. With serde, the
//! same struct is also the JSON that people edit.
//!
//! ```
//! use antiquary_record::{Bytes, Record, read_whole, write_whole};
//!
//! /// A picture of a fictional game.
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
//! [`read_whole`] and [`write_whole`] convert complete files; [`trace_whole`] reports their spans. Within a file, a [`Reader`] and a
//! [`Writer`] keep the current position. The [`Record`] trait is implemented for numbers, arrays, [`Bytes`], [`Raw`] and every type that
//! derives it. Numbers are little-endian unless `order = big` is given. Counts are checked against the remaining bytes before memory is
//! allocated, so a damaged file causes an error and not an allocation of gigabytes.
//!
//! # Versions
//!
//! If the layout depends on more than the bytes themselves, such as the version in a file's header, the record declares the type of a
//! *context*. Its parent passes the value with `with`, both when reading and when writing.
//!
//! ```
//! use antiquary_record::{Record, read_whole, write_whole};
//!
//! #[derive(Record, Debug, PartialEq)]
//! struct Actor {
//!     version: u8,
//!     #[record(with = version)]
//!     stats: Stats,
//! }
//!
//! #[derive(Record, Debug, PartialEq)]
//! #[record(context = u8)]
//! struct Stats {
//!     health: u16,
//!     #[record(when = context >= 2)]
//!     armor: Option<u8>,
//! }
//!
//! let mut actor: Actor = read_whole(b"\x02\x64\0\x09", ())?;
//! assert_eq!(actor.stats, Stats { health: 100, armor: Some(9) });
//!
//! actor.version = 1;
//! let error = write_whole(&actor, ()).unwrap_err();
//! assert_eq!(error.to_string(), "stats.armor: not supported by this version of the format");
//! # Ok::<(), antiquary_record::Error>(())
//! ```
//!
//! # Variants
//!
//! An enum is a record with several layouts, usually selected by a tag. A variant marked `unknown` keeps the bytes of every other tag.
//!
//! ```
//! use antiquary_record::{Bytes, Record, read_whole, write_whole};
//!
//! #[derive(Record, Debug, PartialEq)]
//! #[record(tag = [u8; 4], length = u32, length_order = big)]
//! enum Section {
//!     #[record(tag = *b"SIZE")]
//!     Size { width: u16, height: u16 },
//!     #[record(unknown)]
//!     Other([u8; 4], Bytes),
//! }
//!
//! let section: Section = read_whole(b"SIZE\0\0\0\x04\x40\x01\xc8\x00", ())?;
//! assert_eq!(section, Section::Size { width: 320, height: 200 });
//!
//! let section: Section = read_whole(b"NAME\0\0\0\x02me", ())?;
//! assert_eq!(section, Section::Other(*b"NAME", Bytes(b"me".to_vec())));
//! assert_eq!(write_whole(&section, ())?, b"NAME\0\0\0\x02me");
//! # Ok::<(), antiquary_record::Error>(())
//! ```
//!
//! # Attribute reference
//!
//! All attributes are entries of `#[record(...)]`, separated by commas. `EXPR` is a Rust expression that can use the fields declared
//! before it, the numbers declared with `before` and `after`, and the context under the name `context`.
//!
//! ## Structs and enums
//!
//! | attribute | meaning |
//! | --- | --- |
//! | `crate = path` | the path of this crate; default: the dependency `antiquary-record`, otherwise `antiquary::record` |
//! | `context = TYPE` | the type of the context: the information that the layout depends on in addition to the bytes |
//! | `order = big` | the byte order of numbers within the record (default: that of the reader or writer, which start with `little`) |
//! | `magic = b"..."` | structs: the fixed bytes at the start of the record |
//! | `flat` | structs: all fields are [`Flat`] records, so lists are read as one block; not needed for structs of plain numbers |
//! | `from = TYPE` | the record is stored as a `TYPE`, another record: reading uses `TryFrom<TYPE>`, writing `From<&Self> for TYPE` |
//! | `check = function` | a validation function `fn(&Self) -> Result<()>`, called when reading and when writing |
//! | `show = "{}"`, `show = function` | the record is a single span; its value is the format string, or the result of the function, applied to a reference to the record |
//!
//! ## Enums
//!
//! The variant is selected by a tag, by the bytes that follow, or by the context:
//!
//! | attribute | meaning |
//! | --- | --- |
//! | `tag = TYPE` | the type of the tag; each variant gives its value with `tag = VALUE`. A variant without fields consists of the tag alone |
//! | `length = TYPE`, `length_order = big` | the tag is followed by the length of the body in bytes; a body that does not use all of them is an error |
//! | `body = "name"` | the name of the body in paths, if the body is a separate path segment |
//! | `ahead = TYPE` | a record that is read ahead, without moving the reader, for use in the `when` of the variants |
//! | `unknown = function` | the function that makes the error if no variant matches; it takes a reference to the tag, or to the context if there is no tag |
//!
//! ## Variants
//!
//! | attribute | meaning |
//! | --- | --- |
//! | `tag = VALUE` | the value of the tag |
//! | `when = EXPR` | a condition, which can use `context`, `ahead`, `length` and `rest` (the bytes that follow). Conditions are tried in order; the variant without `tag` and `when` is the default |
//! | `with = EXPR` | the context of the variant's record |
//! | `unknown` | the variant that keeps every unknown tag; it has two fields: the tag and [`Bytes`] |
//!
//! ## Fields
//!
//! | attribute | meaning |
//! | --- | --- |
//! | `count = u32` | a list with its length before it, stored as this integer type |
//! | `count = header.count` | a list whose length is another field. In a struct, writing sets that field; otherwise, a list of another length is an error |
//! | `limit = N` | the largest allowed length of a list with `count`, `leave` or `until` |
//! | `until = end` | a list that extends to the end of the data |
//! | `until = b"END "` | a list that ends before these bytes, which are not part of it |
//! | `until = b"END " \|\| end` | a list that ends before these bytes, or at the end of the data |
//! | `until = function` | a list that ends when `fn(&Reader) -> Result<bool>` returns `true`; `function(EXPR, ...)` passes more arguments |
//! | `leave = N` | a list of all the complete items before the last `N` bytes |
//! | `terminator = b"\0"` | bytes up to a terminator, which is not kept |
//! | `present = b"END "` | a `bool`: whether these optional bytes follow |
//! | `by = module`, `by = module(EXPR, ...)` | a custom encoding: `module::read(reader, ...)` and `module::write(&value, writer, ...)` |
//! | `min = N` | the minimum size in bytes, if the derive cannot determine it |
//! | `when = EXPR` | an optional field of type `Option<...>`, stored only if the condition is true. Writing a value that the version does not have, or omitting one that it requires, is an error |
//! | `with = EXPR` | the context of the field |
//! | `order = big` | the byte order of the field |
//! | `inline` | the field is not a segment of paths: its fields, or its tag, appear as those of the parent |
//! | `stored_as = TYPE` | with [`Declared`](derive@Declared): the type in the file, if it is not that of the field |
//! | `check = function`, `show = ...` | as for structs, but for this field; with `show`, the length before a list remains a separate span |
//!
//! `count`, `leave`, `until`, `terminator`, `present` and `by` are mutually exclusive. Without them, a field is one record; a field of
//! type [`Bytes`] takes all remaining bytes.
//!
//! ## Sections and computed numbers
//!
//! | attribute | meaning |
//! | --- | --- |
//! | `begin(tag = b"BODY", size: u32, order = big, name = "body")` | on the first field of a section: its tag, the name and type of its length in bytes, the byte order of the length, and the name of tag and length in paths. Each is optional |
//! | `end` | on the last field of a section; the last field of the record always ends it. The fields must use all bytes of the section: put [`Bytes`] last to keep the rest |
//! | `before(item_count: u16 = items.len())` | a number stored before the field but not kept in the struct: writing computes it, and expressions can use it |
//! | `after(item_count: u16 = items.len())` | the same, stored after the field |
//!
//! # Paths
//!
//! Errors and spans name a field by its path, such as `actors[12].script_length`. The only field of a tuple struct or tuple variant is
//! not a segment of its own. [`Locator`] finds the offsets of given paths; [`PartTracer`] reports the spans of a file whose records are
//! read separately, such as an archive.
//!
//! # Offsets
//!
//! Formats that find their parts through offsets implement [`Record`] by hand with [`LayoutReader`] and [`LayoutWriter`]. The parts keep
//! their positions as long as their lengths do not change, and the bytes between them are kept.
//!
//! # Schemas
//!
//! [`Record::schema`] returns a static description of the declaration, from which documentation and readers in other languages are
//! generated. For a record that is implemented by hand, the struct derives [`Declared`](derive@Declared), and the implementation has the
//! attribute [`by_hand`]: the same attributes of fields describe the encoding as far as they can.
//!
//! # Glossary
//!
//! | term | meaning |
//! | --- | --- |
//! | record | a value with a binary encoding; a type that implements [`Record`] |
//! | context | the information that a layout depends on in addition to the bytes, such as a version or a flag |
//! | flat record | a record of fixed size in which every bit pattern is valid ([`Flat`]) |
//! | span | the byte range of one field, with its path and its value ([`Span`]) |
//! | path | the name of a field within a file, such as `surfaces[2].texture` |
//! | section | a run of bytes with a known length, often with a tag before it (a *chunk* in RIFF) |
//! | part | a separately stored run of bytes that is found through an offset ([`Layout`]) |
//! | gap | bytes that belong to no part ([`Gap`]) |
//! | count | the number of items of a list, or of bytes of a section ([`Count`]) |

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
mod order;
mod parts;
#[doc(hidden)]
pub mod probe;
mod raw;
mod reader;
mod record_trait;
pub mod schema;
#[cfg_attr(
    not(test),
    expect(clippy::disallowed_methods, reason = "implements the replacement of the disallowed methods")
)]
mod source;
mod span;
mod writer;

pub use bytes::Bytes;
#[doc(hidden)]
pub use derived::{AtEnd, AtEndOr, Stop, Stored, check_same_count, missing, unsupported_in_version};
pub use error::{Error, Kind, Result};
pub use layout::{Extent, Gap, Layout, LayoutReader, LayoutWriter};
pub use locate::Locator;
pub use number::{Count, Flat};
pub use order::Order;
pub use parts::PartTracer;
pub use raw::Raw;
pub use reader::{Reader, read_whole, trace_whole};
pub use record_derive::{Declared, Record, by_hand};
pub use record_trait::{Record, Sequence};
pub use source::{ReadAt, Source};
pub use span::{FieldDoc, Span, Visit, Visitor};
pub use writer::{Reserved, Writer, write_whole};

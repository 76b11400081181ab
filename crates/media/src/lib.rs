//! File formats that several games share: files of paint, animation and sound programs, which games use unchanged, settings
//! files, and images of palette indices.
//!
//! - [`dds`] reads DirectDraw surfaces (`.DDS`);
//! - [`anm`] reads and writes Deluxe Paint animations (`.ANM`), [`lbm`] Deluxe Paint pictures (`.LBM`);
//! - [`pcx`] reads and writes PC Paintbrush pictures (`.PCX`);
//! - [`smk`] reads the header of Smacker videos (`.SMK`);
//! - [`ogg`] reads the headers of Ogg files with Vorbis or Opus (`.OGG`), and [`wav`] reads those of RIFF WAVE files (`.WAV`);
//! - [`ini`] reads and writes settings files (`.INI`), line by line; the meaning of the keys depends on the game;
//! - [`picture`] is shared by formats with palette indices: palettes, frames, and reading of edited pictures.
//!
//! # Glossary
//!
//! | format's word | meaning |
//! | --- | --- |
//! | record (ANM) | the difference between two consecutive frames, as skips, copies and runs |
//! | page (ANM) | a block of up to 65,536 bytes that holds consecutive records |
//! | mipmap (DDS) | a smaller copy of a picture, half as large as the one before |
//! | BC1, DXT1 ... (DDS) | block compression: 4 x 4 pixels in 8 or 16 bytes |
//! | CRNG, cycle | color cycling: a range of palette entries that is rotated over time |
//! | BODY (LBM) | the pixel data, raw or run-length encoded (ByteRun1) |
//! | ring frame (SMK) | an extra last frame that leads back to the first, for seamless loops |
//! | page (Ogg) | a block of up to 65,307 bytes of a stream, with a header |
//! | granule position (Ogg) | number of frames of the stream up to the end of a page |
//! | serial (Ogg) | id of a stream: a file may have several interleaved streams |
//! | block align (WAV) | bytes of a frame, or of a block of compressed frames |
//! | trees (SMK) | the Huffman tables that the frames are decoded with |

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub(crate) use asset::codes;

pub mod anm;
pub mod dds;
pub mod ini;
pub mod lbm;
pub mod ogg;
pub mod pcx;
pub mod picture;
pub mod smk;
mod sound;
mod specimen;
pub mod wav;

pub use specimen::specimens;

use asset::Format;

/// The formats, which belong to no particular game.
pub static FORMATS: &[&Format] =
    &[&anm::FORMAT, &dds::FORMAT, &lbm::FORMAT, &pcx::FORMAT, &smk::FORMAT, &ogg::FORMAT, &wav::FORMAT];

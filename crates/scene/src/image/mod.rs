//! Images: recognising, decoding and encoding them, and the form in which they go into glTF.
//!
//! Bytes from outside are never trusted: sizes are compared with [`Limits`] and with the length of the file
//! before memory is taken.

mod bmp;
mod decode;
mod encode;
mod encoded;
mod format;
mod jpeg;
mod pixels;
mod placeholder;
mod png;
mod prepare;
#[cfg(test)]
mod tests;
mod tga;

pub use self::{
    decode::{Limits, decode},
    encode::{encode_indexed_png, encode_png},
    encoded::{Alpha, Encoded, Image, ImageKind, Integrity},
    format::{Format, size, sniff},
    pixels::{Indexed8, Rgba8, alpha_use},
    placeholder::placeholder,
    prepare::{for_gltf, png_for_gltf},
};

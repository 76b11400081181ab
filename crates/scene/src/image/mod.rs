//! Images: recognition, decoding, encoding, and preparation for glTF.
//!
//! Input is never trusted: sizes are compared with [`Limits`] and with the length of the file before memory is
//! allocated.

mod apng;
mod bmp;
mod chroma;
mod contact_sheet;
mod dds;
mod decode;
mod deflate;
mod encode;
mod encoded;
mod format;
mod gif;
mod gif_frames;
mod gray;
mod indexed_animation;
mod jpeg;
mod limits;
mod palette_file;
mod paletted;
mod pixels;
mod placeholder;
mod png;
mod prepare;
mod reduce;
mod shrink;
mod sniff;
#[cfg(test)]
mod tests;
mod tga;
mod webp;

pub use self::{
    apng::encode_apng,
    bmp::encode_bmp,
    contact_sheet::ContactSheet,
    dds::{Dds, DdsEncoding, DdsMasks},
    decode::decode,
    encode::{encode_indexed_png, encode_png, encode_png_with},
    encoded::{Alpha, Encoded, Image, ImageKind, Integrity},
    format::Format,
    gif::encode_gif,
    gif_frames::decode_gif,
    gray::{Gray16, decode_gray16, encode_gray16_png},
    indexed_animation::{Delay, IndexedAnimation},
    limits::Limits,
    palette_file::{from_act, from_gpl, is_gpl, to_act, to_gpl},
    paletted::{Matched, decode_indexed, match_palette},
    pixels::{Indexed8, Rgba8, alpha_use},
    placeholder::placeholder,
    prepare::{for_gltf, indexed_for_gltf, jpeg_for_gltf, png_for_gltf},
    reduce::decode_reduced,
    shrink::{encode_jpeg, fitted_size, shrink},
    sniff::{size, sniff},
    tga::encode_tga,
    webp::encode_webp,
};

//! A file as text in the extras of the scene that was made from it: base64 of zlib. With it, importers restore what nobody edited.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Files that compress better than this are not embedded, so that a short text never takes much memory.
const MOST_RATIO: usize = 64;

/// The compression level, of 10.
const LEVEL: u8 = 6;

/// Encodes a file; `None` if it compresses so well that [`decode`] would refuse it.
#[must_use]
pub fn encode(bytes: &[u8]) -> Option<String> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(bytes, LEVEL);
    (bytes.len() <= packed.len().saturating_mul(MOST_RATIO)).then(|| STANDARD.encode(packed))
}

/// Decodes a text of [`encode`]; `None` for any other text.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let packed = STANDARD.decode(text).ok()?;
    let most = packed.len().saturating_mul(MOST_RATIO);
    miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&packed, most).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back_and_a_short_text_never_becomes_a_long_one() {
        let file: Vec<u8> =
            (0..5000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        assert_eq!(decode(&encode(&file).unwrap()), Some(file));
        assert_eq!(encode(&[0; 1 << 20]), None);
        let bomb = STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(&[0; 1 << 20], LEVEL));
        assert_eq!(decode(&bomb), None);
        assert_eq!((decode("no base64!"), decode("AAAA")), (None, None));
    }
}

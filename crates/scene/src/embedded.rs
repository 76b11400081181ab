//! Files embedded as text in the extras of the scene created from them: base64 of zlib. Importers use them to restore
//! unedited parts.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Files with a higher compression ratio are not embedded, so that a short text cannot require much memory.
const MAX_RATIO: usize = 64;

/// The compression level (0 to 10): three times as fast as 6, and a few percent larger, measured on models.
const LEVEL: u8 = 3;

/// Encodes a file; `None` if it compresses so well that [`decode`] would refuse it.
#[must_use]
pub fn encode(bytes: &[u8]) -> Option<String> {
    let compressed = miniz_oxide::deflate::compress_to_vec_zlib(bytes, LEVEL);
    (bytes.len() <= compressed.len().saturating_mul(MAX_RATIO)).then(|| STANDARD.encode(compressed))
}

/// Decodes a text written by [`encode`]; `None` for any other text.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let compressed = STANDARD.decode(text).ok()?;
    let max_len = compressed.len().saturating_mul(MAX_RATIO);
    miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&compressed, max_len).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_a_file_and_refuses_a_decompression_bomb() {
        let file: Vec<u8> =
            (0..5000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        assert_eq!(decode(&encode(&file).unwrap()), Some(file));
        assert_eq!(encode(&[0; 1 << 20]), None);
        let bomb = STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(&[0; 1 << 20], LEVEL));
        assert_eq!(decode(&bomb), None);
        assert_eq!((decode("no base64!"), decode("AAAA")), (None, None));
    }
}

//! A file as a text in the extras of its scene: base64 of zlib.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A file that is compressed more than that is not kept: so a short text never takes much memory.
const MOST_RATIO: usize = 64;

/// How well a file is compressed, of 10.
const LEVEL: u8 = 6;

/// `None` for a file that becomes so short that [`unpack`] would refuse it.
pub(crate) fn pack(bytes: &[u8]) -> Option<String> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(bytes, LEVEL);
    (bytes.len() <= packed.len().saturating_mul(MOST_RATIO)).then(|| STANDARD.encode(packed))
}

/// `None` for a text that is none of these.
pub(crate) fn unpack(text: &str) -> Option<Vec<u8>> {
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
        assert_eq!(unpack(&pack(&file).unwrap()), Some(file));
        assert_eq!(pack(&[0; 1 << 20]), None);
        let bomb = STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(&[0; 1 << 20], LEVEL));
        assert_eq!(unpack(&bomb), None);
        assert_eq!((unpack("no base64!"), unpack("AAAA")), (None, None));
    }
}

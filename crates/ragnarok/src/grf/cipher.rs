//! Encryption of the packed bytes of files.
//!
//! The cipher works on blocks of 8 bytes. A short last block is padded with zeros. Sources: GRF Editor, zgrf, the grfio of the
//! rAthena family, roBrowserLegacy, RagLite; public test archives.

use serde::Serialize;

use super::des;
use super::flag;
use super::version::Version;

/// Number of blocks at the start that are always encrypted.
const HEAD: u64 = 20;

/// Interval of shuffled blocks among the unencrypted blocks.
const SHUFFLE_INTERVAL: u64 = 7;

/// The encryption of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cipher {
    /// No encryption.
    None,
    /// Encryption of the first 20 blocks.
    Header,
    /// Encryption of the first 20 blocks, then of blocks at a regular interval. Of the other blocks, every seventh is shuffled.
    Mixed,
}

impl Cipher {
    /// Determines the cipher of an entry: from the file extension before 0x200, later from the flags.
    pub(super) fn of(version: Version, name: &[u8], flags: u8) -> Self {
        /// Extensions of files that only have their header encrypted in old archives.
        const HEADER_ONLY: [&[u8]; 4] = [b".gnd", b".gat", b".act", b".str"];
        if version.is_scrambled() {
            let extension = name.len().checked_sub(4).and_then(|at| name.get(at..)).unwrap_or_default();
            let header_only = HEADER_ONLY.iter().any(|known| known.eq_ignore_ascii_case(extension));
            return if header_only { Self::Header } else { Self::Mixed };
        }
        match (flags & flag::MIXED != 0, flags & flag::HEADER_ONLY != 0) {
            (true, _) => Self::Mixed,
            (false, true) => Self::Header,
            (false, false) => Self::None,
        }
    }

    /// The displayed name. Empty if there is no encryption.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Header => "header enciphered",
            Self::Mixed => "enciphered",
        }
    }
}

/// Decrypts the bytes of one file, block by block.
#[derive(Debug, Clone)]
pub(super) struct Decryptor {
    cipher: Cipher,
    /// After the head, blocks whose index is a multiple of this are encrypted.
    cycle: u64,
    /// Index of the next block.
    block: u64,
    /// Number of unencrypted blocks since the head.
    plain: u64,
}

impl Decryptor {
    /// Creates a decryptor for a file with `packed` bytes, not counting the padding of the last block.
    pub(super) fn new(cipher: Cipher, packed: u32) -> Self {
        Self { cipher, cycle: cycle(packed), block: 0, plain: 0 }
    }

    /// Decrypts complete blocks in place. Bytes after the last complete block are unchanged.
    pub(super) fn apply(&mut self, bytes: &mut [u8]) {
        for block in bytes.as_chunks_mut::<8>().0 {
            self.apply_block(block);
        }
    }

    fn apply_block(&mut self, block: &mut [u8; 8]) {
        let number = self.block;
        self.block = number.saturating_add(1);
        let is_encrypted = match self.cipher {
            Cipher::None => return,
            _ if number < HEAD => true,
            Cipher::Header => return,
            Cipher::Mixed => number.is_multiple_of(self.cycle),
        };
        if is_encrypted {
            *block = des::encrypt(u64::from_be_bytes(*block)).to_be_bytes();
            return;
        }
        if self.plain > 0 && self.plain.is_multiple_of(SHUFFLE_INTERVAL) {
            *block = unshuffle(*block);
        }
        self.plain = self.plain.saturating_add(1);
    }
}

/// Interval of encrypted blocks in a file with the mixed cipher. It depends on the number of decimal digits of the packed size.
fn cycle(packed: u32) -> u64 {
    let digits = u64::from(packed.checked_ilog10().unwrap_or(0)).saturating_add(1);
    match digits {
        // Such a small file has no blocks after the head.
        0..=2 => 3,
        3..=4 => digits.saturating_add(1),
        5..=6 => digits.saturating_add(9),
        _ => digits.saturating_add(15),
    }
}

fn unshuffle([a, b, c, d, e, f, g, h]: [u8; 8]) -> [u8; 8] {
    [d, e, g, a, b, c, f, swap(h)]
}

/// Swaps seven pairs of byte values.
fn swap(byte: u8) -> u8 {
    match byte {
        0x00 => 0x2b,
        0x2b => 0x00,
        0x6c => 0x80,
        0x80 => 0x6c,
        0x01 => 0x68,
        0x68 => 0x01,
        0x48 => 0x77,
        0x77 => 0x48,
        0x60 => 0xff,
        0xff => 0x60,
        0xb9 => 0xc0,
        0xc0 => 0xb9,
        0xfe => 0xeb,
        0xeb => 0xfe,
        other => other,
    }
}

/// Unscrambles a name of old versions: swaps the nibbles of each byte, then decrypts every block. Only the nibbles are swapped in an
/// incomplete last block.
pub(super) fn unscramble(name: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = name.iter().map(|byte| byte.rotate_left(4)).collect();
    for block in out.as_chunks_mut::<8>().0 {
        *block = des::encrypt(u64::from_be_bytes(*block)).to_be_bytes();
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Scrambles a name as in archives of old versions.
    pub(in crate::grf) fn scramble(name: &[u8]) -> Vec<u8> {
        let mut out = name.to_vec();
        out.resize((name.len() / 8 + 1) * 8, 0);
        for block in out.as_chunks_mut::<8>().0 {
            *block = des::encrypt(u64::from_be_bytes(*block)).to_be_bytes();
        }
        out.iter().map(|byte| byte.rotate_left(4)).collect()
    }

    /// Encrypts the packed bytes of a file, padded to complete blocks.
    pub(in crate::grf) fn encrypt(cipher: Cipher, packed: &[u8]) -> Vec<u8> {
        let cycle = cycle(u32::try_from(packed.len()).unwrap());
        let mut out = packed.to_vec();
        out.resize(packed.len().next_multiple_of(8), 0);
        let mut plain = 0;
        for (number, block) in (0..).zip(out.as_chunks_mut::<8>().0) {
            let later = cipher == Cipher::Mixed && number >= HEAD;
            if (cipher != Cipher::None && number < HEAD) || (later && number % cycle == 0) {
                *block = des::encrypt(u64::from_be_bytes(*block)).to_be_bytes();
            } else if later {
                if plain > 0 && plain % SHUFFLE_INTERVAL == 0 {
                    let [a, b, c, d, e, f, g, h] = *block;
                    *block = [d, e, f, a, b, g, c, swap(h)];
                }
                plain += 1;
            }
        }
        out
    }

    #[test]
    fn the_cycle_follows_the_digits_of_the_packed_size() {
        let cycles = [100, 999, 1000, 9999, 10_000, 99_999, 100_000, 1_000_000, 10_000_000].map(cycle);
        assert_eq!(cycles, [4, 4, 5, 5, 14, 14, 15, 22, 23]);
    }

    #[test]
    fn unshuffles_blocks_and_swaps_are_symmetric() {
        for byte in 0..=255 {
            assert_eq!(swap(swap(byte)), byte);
        }
        assert_eq!(unshuffle([4, 5, 6, 1, 2, 7, 3, 0x2b]), [1, 2, 3, 4, 5, 6, 7, 0]);
    }

    #[test]
    fn unscrambles_names() {
        let stored = [0xd4, 0xd7, 0x63, 0x96, 0x03, 0x11, 0x62, 0xd7];
        assert_eq!(unscramble(&stored), b"High Pri");
        assert_eq!(scramble(b"High Pri")[..8], stored);
        for name in [&b""[..], b"a", b"data\\x.rsm", b"data\\model\\\xc0\xaf\xc0\xfa.rsm"] {
            let (again, length) = (unscramble(&scramble(name)), name.len());
            assert_eq!(again[..length], *name);
            assert!(again.len() > length && again[length..].iter().all(|byte| *byte == 0));
        }
    }

    #[test]
    fn decrypts_what_was_encrypted_in_chunks_of_any_size() {
        for length in [0, 1, 8, 99, 159, 160, 161, 999, 1000, 5000, 12_345, 123_456] {
            let packed: Vec<u8> = (0..length).map(|at: usize| ((at * at) >> 3) as u8).collect();
            for cipher in [Cipher::None, Cipher::Header, Cipher::Mixed] {
                let mut bytes = encrypt(cipher, &packed);
                let mut decryptor = Decryptor::new(cipher, u32::try_from(length).unwrap());
                for piece in bytes.chunks_mut(1024) {
                    decryptor.apply(piece);
                }
                assert!(bytes[..length] == packed, "{cipher:?} {length}");
            }
        }
    }
}

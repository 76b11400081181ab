//! The block cipher of archives: a single round of DES without a key.
//!
//! The tables are from FIPS 46-3. With a single round, a round key of zero and no exchange of the halves, the cipher is
//! `(L, R) = IP(block); IP^-1(L xor f(R), R)`. It is its own inverse: the same function encrypts and decrypts.

use std::sync::LazyLock;

/// A block. Its first byte is the most significant.
pub(super) type Block = u64;

/// The bits of the left half of a block, counted from 1 as in the standard.
const LEFT: [u32; 32] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, //
    62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
];

/// The bits of the right half of a block.
const RIGHT: [u32; 32] = [
    57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3, //
    61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
];

/// The permutation P of the output of the S-boxes.
const P: [u32; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, //
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
];

/// The S-boxes S1 to S8, each in four rows of sixteen.
#[rustfmt::skip]
const S: [[u32; 64]; 8] = [
    [14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7,
     0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8,
     4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0,
     15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13],
    [15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10,
     3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5,
     0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15,
     13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9],
    [10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8,
     13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1,
     13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7,
     1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12],
    [7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15,
     13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9,
     10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4,
     3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14],
    [2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9,
     14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6,
     4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14,
     11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3],
    [12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11,
     10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8,
     9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6,
     4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13],
    [4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1,
     13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6,
     1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2,
     6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12],
    [13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7,
     1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2,
     7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8,
     2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11],
];

/// For each S-box and each of its inputs: the bits of the block that change.
static CHANGES: LazyLock<Vec<[Block; 64]>> =
    LazyLock::new(|| (0_u32..).zip(&S).map(|(number, rows)| changes(number, rows)).collect());

fn changes(number: u32, rows: &[u32; 64]) -> [Block; 64] {
    let mut out = [0; 64];
    for (input, change) in (0_usize..).zip(&mut out) {
        // The outer two bits choose the row, the inner four the column.
        let row = (input >> 4 & 2) | (input & 1);
        let cell = row << 4 | (input >> 1 & 15);
        let value = rows.get(cell).copied().unwrap_or_default();
        // Bits 1 to 32 of the combined output of the S-boxes.
        let output = value << 28_u32.saturating_sub(number.saturating_mul(4));
        for (from, to) in P.iter().zip(LEFT) {
            *change |= bit(u64::from(output) << 32, *from) << 64_u32.saturating_sub(to);
        }
    }
    out
}

/// One bit of a block, counted from 1 at the most significant.
fn bit(block: Block, number: u32) -> u64 {
    block >> 64_u32.saturating_sub(number) & 1
}

/// Encrypts or decrypts one block.
pub(super) fn encrypt(block: Block) -> Block {
    let right = RIGHT
        .iter()
        .fold(0_u32, |half, number| half << 1 | u32::from(block >> 64_u32.saturating_sub(*number) & 1 == 1));
    // Each S-box uses four bits of the half, the bit before and the bit after. The first S-box also uses the last bit.
    let mut window = right.rotate_right(1);
    let mut out = block;
    for changes in CHANGES.iter() {
        let input = usize::try_from(window >> 26).unwrap_or_default();
        out ^= changes.get(input).copied().unwrap_or_default();
        window = window.rotate_left(4);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn encrypts_and_decrypts_known_blocks() {
        let (plain, encrypted) = (*b"High Pri", [0x4d, 0x7d, 0x36, 0x69, 0x30, 0x11, 0x26, 0x7d]);
        assert_eq!(encrypt(u64::from_be_bytes(plain)).to_be_bytes(), encrypted);
        assert_eq!(encrypt(u64::from_be_bytes(encrypted)).to_be_bytes(), plain);
    }

    #[test]
    fn the_right_half_never_changes() {
        let right = RIGHT.iter().fold(0_u64, |mask, number| mask | 1 << (64 - number));
        for seed in 0..1000_u64 {
            let block = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            assert_eq!((block ^ encrypt(block)) & right, 0, "{block:#x}");
        }
    }

    proptest! {
        #[test]
        fn encrypting_twice_changes_nothing(block: u64) {
            prop_assert_eq!(encrypt(encrypt(block)), block);
        }
    }
}

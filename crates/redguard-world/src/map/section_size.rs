//! Checks that the bytes of a section fit its layout exactly.

use super::entry::DrawMode;

/// Whether the bytes begin with a count, and consist of `head` bytes followed by exactly that number of items.
pub(super) fn counted(bytes: &[u8], head: usize, item: usize) -> bool {
    let (Some(count), Some(items)) = (number(bytes, 0), bytes.len().checked_sub(head)) else { return false };
    count.checked_mul(item) == Some(items)
}

/// Reads a 32-bit number.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*number)).ok()
}

/// Whether the bytes consist of walk maps only.
pub(super) fn are_walk_maps(bytes: &[u8]) -> bool {
    /// The number of bytes of a map before its nodes, and of a node before its routes.
    const MAP: usize = 28;
    const NODE: usize = 12;
    let end = || {
        let mut at = 4_usize;
        for _ in 0..number(bytes, 0)? {
            let nodes = number(bytes, at.checked_add(8)?)?;
            at = at.checked_add(MAP)?;
            for _ in 0..nodes {
                let routes = usize::from(*bytes.get(at.checked_add(NODE)?.checked_sub(1)?)?);
                at = at.checked_add(NODE)?.checked_add(routes.checked_mul(4)?)?;
            }
        }
        Some(at)
    };
    end() == Some(bytes.len())
}

/// Whether the bytes are 512 counts and the corresponding records.
pub(super) fn are_draw_modes(bytes: &[u8]) -> bool {
    let Some((counts, records)) = bytes.split_at_checked(1024) else { return false };
    let (counts, _) = counts.as_chunks::<2>();
    let count = counts.iter().map(|count| usize::from(u16::from_le_bytes(*count))).sum::<usize>();
    count.checked_mul(DrawMode::SIZE) == Some(records.len())
}

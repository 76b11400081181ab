//! Inputs that consist of several parts.

/// The separator between the parts of an input. Unlike lengths, it stays valid when a part grows or shrinks.
pub const SEPARATOR: [u8; 4] = *b"\xff~~\xff";

/// Splits an input into its parts.
pub(crate) fn split(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(input);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let at = bytes.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
        let Some((part, tail)) = at.and_then(|at| bytes.split_at_checked(at)) else {
            rest = None;
            return Some(bytes);
        };
        rest = tail.get(SEPARATOR.len()..);
        Some(part)
    })
}

/// Joins parts to an input.
pub(crate) fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.join(&SEPARATOR[..])
}

//! Inputs that consist of several parts.

/// Stands between the parts of an input. Bytes can be added to a part or taken away without moving the others.
pub const SEPARATOR: [u8; 4] = *b"\xff~~\xff";

/// The parts of an input.
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

/// An input of these parts.
pub(crate) fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.join(&SEPARATOR[..])
}

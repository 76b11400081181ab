//! Keyframes: values with their times.

use std::cmp::Ordering;

use glam::Quat;

/// Sorts keys by time. Of several at one time, the last one is kept. Returns the number of removed keys.
pub(crate) fn sort_and_dedup<T: PartialEq, V: Copy>(
    keys: &mut Vec<(T, V)>,
    order: impl Fn(&T, &T) -> Ordering,
) -> usize {
    keys.sort_by(|a, b| order(&a.0, &b.0));
    let before = keys.len();
    // `dedup_by` removes the later of the two, so its value is copied to the earlier one.
    keys.dedup_by(|later, kept| {
        let is_same = later.0 == kept.0;
        if is_same {
            kept.1 = later.1;
        }
        is_same
    });
    before.saturating_sub(keys.len())
}

/// Changes the sign of each rotation to the one closer to the previous rotation: a rotation and its negative are the same.
pub(crate) fn align<T>(rotations: &mut [(T, Quat)]) {
    let mut before: Option<Quat> = None;
    for (_, rotation) in rotations {
        if before.is_some_and(|before| rotation.dot(before) < 0.0) {
            *rotation = -*rotation;
        }
        before = Some(*rotation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_of_several_keys_at_one_time() {
        let mut keys = vec![(5, 'a'), (1, 'b'), (5, 'c'), (1, 'd'), (3, 'e')];
        assert_eq!(sort_and_dedup(&mut keys, i32::cmp), 2);
        assert_eq!(keys, [(1, 'd'), (3, 'e'), (5, 'c')]);
    }
}

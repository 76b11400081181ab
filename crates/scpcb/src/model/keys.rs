//! Keys of movements: values with their times.

use std::cmp::Ordering;

use glam::Quat;

/// Puts keys in order of time; of several at one time the last one stays. Returns how many are left out.
pub(crate) fn sort_and_dedup<T: PartialEq, V: Copy>(
    keys: &mut Vec<(T, V)>,
    order: impl Fn(&T, &T) -> Ordering,
) -> usize {
    keys.sort_by(|a, b| order(&a.0, &b.0));
    let before = keys.len();
    // The one removed is the later of the two: it hands its value to the one that stays.
    keys.dedup_by(|later, kept| {
        let is_same = later.0 == kept.0;
        if is_same {
            kept.1 = later.1;
        }
        is_same
    });
    before.saturating_sub(keys.len())
}

/// Gives each rotation the sign that is closer to the previous one: a rotation and its negative are the same.
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
    fn the_later_of_two_keys_with_one_time_counts() {
        let mut keys = vec![(5, 'a'), (1, 'b'), (5, 'c'), (1, 'd'), (3, 'e')];
        assert_eq!(sort_and_dedup(&mut keys, i32::cmp), 2);
        assert_eq!(keys, [(1, 'd'), (3, 'e'), (5, 'c')]);
    }
}

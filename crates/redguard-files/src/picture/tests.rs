//! The clock of pictures that move.

use super::*;

/// Rows of the document: 0, 71 and 500 ms.
#[test]
fn a_delay_is_rounded_to_ticks_of_the_engines_clock() {
    assert_eq!([0, 71, 200, 500, -5, i16::MAX].map(ticks), [1, 1, 4, 9, 1, 596]);
    assert_eq!(delay_of(9), Delay { numerator: 900, denominator: 1821 });
}

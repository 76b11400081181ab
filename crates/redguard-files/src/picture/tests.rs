//! Frame durations.

use super::*;

/// Rows of the documented table: 0, 71 and 500 ms.
#[test]
fn rounds_delays_to_engine_ticks() {
    assert_eq!([0, 71, 200, 500, -5, i16::MAX].map(ticks), [1, 1, 4, 9, 1, 596]);
    assert_eq!(delay_of(9), Delay { numerator: 900, denominator: 1821 });
}

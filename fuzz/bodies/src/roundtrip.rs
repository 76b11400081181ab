//! Every readable file can be unpacked and packed to the same bytes.

use crate::subject::{assert_round_trip, formats};

pub(crate) fn run(bytes: &[u8]) {
    formats().for_each(|format| assert_round_trip(format, bytes));
}

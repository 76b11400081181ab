//! Whatever can be read can be unpacked, and packed again gives the same bytes.

use crate::subject::{assert_comes_back, formats};

pub(crate) fn run(bytes: &[u8]) {
    formats().for_each(|format| assert_comes_back(format, bytes));
}

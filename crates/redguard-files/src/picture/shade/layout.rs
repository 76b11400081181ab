//! The layout of a `SHADE.###` or `HAZE.###` file: 64 rows of 256 indices, 16,384 bytes.
//!
//! Source: redguard-preservation. It is uncertain which row is the brightest or the nearest; all rows are kept.

use record::{Error, Record, Result};
use serde::{Deserialize, Serialize};

use record::Raw;

/// The number of rows.
pub const LEVELS: u64 = 64;

/// The size of every file in bytes.
pub const FILE_SIZE: usize = 16_384;

/// Maps each palette index to another one at each of 64 levels of light or haze.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShadeTable {
    /// The rows: byte `i` of row `r` replaces index `i` at level `r`.
    #[record(count = LEVELS, check = check_rows)]
    pub rows: Vec<Raw<256>>,
}

impl ShadeTable {
    /// Creates a table whose entries are computed from a level and an index.
    #[must_use]
    pub fn of(mapped: impl Fn(u8, u8) -> u8) -> Self {
        let row = |level: u8| {
            let mut row = [0; 256];
            (0..=255).zip(&mut row).for_each(|(index, entry)| *entry = mapped(level, index));
            Raw(row)
        };
        Self { rows: (0..64).map(row).collect() }
    }

    /// Returns all bytes, row by row.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.rows.iter().flat_map(|row| row.0).collect()
    }
}

fn check_rows(rows: &[Raw<256>]) -> Result<()> {
    if u64::try_from(rows.len()) == Ok(LEVELS) {
        return Ok(());
    }
    Err(Error::usage(format!("expected {LEVELS} rows, found {}", rows.len())))
}

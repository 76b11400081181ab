//! Flags of an entry.

/// The entry is a file.
pub(super) const FILE: u8 = 0x01;
/// The file has the mixed encryption.
pub(super) const MIXED: u8 = 0x02;
/// Only the header of the file is encrypted.
pub(super) const HEADER_ONLY: u8 = 0x04;
/// The file has been removed by a patch.
pub(super) const REMOVED: u8 = 0x10;
/// The file has been encrypted by GRF Editor with a password.
pub(super) const PASSWORD: u8 = 0x20;
/// The file has Gravity's encryption of 2026.
pub(super) const GRAVITY: u8 = 0x80;

//! The flags of an entry.

/// It is a file.
pub(super) const FILE: u8 = 0x01;
/// Mixed cipher.
pub(super) const MIXED: u8 = 0x02;
/// Only the header is enciphered.
pub(super) const HEADER_ONLY: u8 = 0x04;
/// A patch has removed it.
pub(super) const REMOVED: u8 = 0x10;
/// GRF Editor's cipher with a password.
pub(super) const PASSWORD: u8 = 0x20;
/// Gravity's cipher of 2026.
pub(super) const GRAVITY: u8 = 0x80;

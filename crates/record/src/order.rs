//! Byte order.

/// Byte order of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Least significant byte first, as on PCs.
    #[default]
    Little,
    /// Most significant byte first, as in IFF containers.
    Big,
}

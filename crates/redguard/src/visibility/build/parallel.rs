//! Work for all processors, where threads may be had.

/// What a function makes of each number up to a count, in their order.
pub(super) fn map<T: Send>(count: u32, make: impl Fn(u32) -> T + Sync + Send) -> Vec<T> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(make).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        (0..count).map(make).collect()
    }
}

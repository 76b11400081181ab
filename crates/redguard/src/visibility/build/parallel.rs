//! Work for all processors, where threads may be had.

/// What a function makes of each item, in their order.
pub(super) fn map<I: Sync, T: Send>(items: &[I], make: impl Fn(&I) -> T + Sync + Send) -> Vec<T> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        items.par_iter().map(make).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        items.iter().map(make).collect()
    }
}

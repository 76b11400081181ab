//! Work for all processors, where threads may be had.

/// What a function makes of each item with its number, in their order.
pub(crate) fn map<I: Sync, T: Send>(items: &[I], make: impl Fn(usize, &I) -> T + Sync + Send) -> Vec<T> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        items.par_iter().enumerate().map(|(number, item)| make(number, item)).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        items.iter().enumerate().map(|(number, item)| make(number, item)).collect()
    }
}

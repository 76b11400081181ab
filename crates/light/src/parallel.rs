//! Distribution of work among threads.

/// Returns the results of a function for each item and its index, in order.
///
/// When called from a thread of a rayon pool, the threads of that pool share the work. Otherwise, and without the
/// feature `parallel`, the calling thread does all of it. No threads are started.
pub fn map<I: Sync, T: Send>(items: &[I], make: impl Fn(usize, &I) -> T + Sync + Send) -> Vec<T> {
    #[cfg(feature = "parallel")]
    if rayon::current_thread_index().is_some() {
        use rayon::prelude::*;
        return items.par_iter().enumerate().map(|(number, item)| make(number, item)).collect();
    }
    items.iter().enumerate().map(|(number, item)| make(number, item)).collect()
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn uses_only_threads_of_the_current_pool() {
        let items: Vec<_> = (0..100).collect();
        let own = thread::current().id();
        let made = map(&items, |number, item| (number, *item, thread::current().id()));
        assert_eq!(made, Vec::from_iter(items.iter().map(|item| (*item, *item, own))));

        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let inside = |number: usize, item: &usize| (number, *item, rayon::current_thread_index().is_some());
        let made = pool.install(|| map(&items, inside));
        assert_eq!(made, Vec::from_iter(items.iter().map(|item| (*item, *item, true))));
    }
}

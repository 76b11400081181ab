//! Threads of a run, and its memory budgets.

#[cfg(feature = "parallel")]
use std::num::NonZero;
#[cfg(feature = "parallel")]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use asset::Asset;
#[cfg(feature = "parallel")]
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Input;
use super::memory::{MemoryBudget, Reservation};

/// Stack size of the threads in bytes, sufficient for deeply nested formats.
const STACK: usize = 8 << 20;

/// Threads of a run, started when there is work to divide. If none can be started, all work is done on the calling thread.
pub(crate) struct Workers {
    #[cfg(feature = "parallel")]
    threads: usize,
    #[cfg(feature = "parallel")]
    stack: usize,
    #[cfg(feature = "parallel")]
    pool: OnceLock<Option<ThreadPool>>,
    inputs: MemoryBudget,
    scenes: MemoryBudget,
}

impl Workers {
    /// Creates threads for files, and for work divided within a file; 0 means one per processor.
    pub(crate) fn new(threads: usize) -> Self {
        Self::with_stack(threads, STACK)
    }

    #[cfg(feature = "parallel")]
    fn with_stack(threads: usize, stack: usize) -> Self {
        let (inputs, scenes) = (MemoryBudget::default(), MemoryBudget::default());
        Self { threads: number_of_threads(threads), stack, pool: OnceLock::new(), inputs, scenes }
    }

    #[cfg(feature = "parallel")]
    fn pool(&self) -> Option<&ThreadPool> {
        let start = || ThreadPoolBuilder::new().num_threads(self.threads).stack_size(self.stack).build().ok();
        self.pool.get_or_init(|| if self.threads < 2 { None } else { start() }).as_ref()
    }

    #[cfg(not(feature = "parallel"))]
    fn with_stack(_threads: usize, _stack: usize) -> Self {
        Self { inputs: MemoryBudget::default(), scenes: MemoryBudget::default() }
    }

    /// Runs a function that divides its work among the threads.
    pub(super) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        #[cfg(feature = "parallel")]
        if let Some(pool) = self.pool() {
            return pool.install(work);
        }
        work()
    }

    /// Waits until an input can be unpacked within the memory budget.
    pub(super) fn reserve_for_input(&self, input: &Input) -> Option<Reservation<'_>> {
        self.inputs.reserve_for_input(input)
    }

    /// Waits until the scene of a file can be built within the memory budget.
    pub(super) fn reserve_for_scene(&self, asset: &dyn Asset) -> Option<Reservation<'_>> {
        self.scenes.reserve_for_scene(asset)
    }

    /// Runs a task for each index below `count`, started in order. A single task is run on the calling thread.
    pub(crate) fn each(&self, count: usize, task: impl Fn(usize) + Sync) {
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    break;
                }
                task(index);
            }
        };
        #[cfg(feature = "parallel")]
        if count > 1
            && let Some(pool) = self.pool()
        {
            pool.broadcast(|_| work());
            return;
        }
        work();
    }
}

/// Returns the number of threads: the requested number, or one per processor; at most four per processor.
#[cfg(feature = "parallel")]
fn number_of_threads(asked: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    if asked == 0 { processors } else { asked.min(processors * 4) }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn limits_the_number_of_threads_per_processor() {
        let processors = std::thread::available_parallelism().unwrap().get();
        for (asked, threads) in [(0, processors), (100_000, processors * 4), (1, 1)] {
            assert_eq!(number_of_threads(asked), threads, "{asked}");
        }
    }

    #[test]
    fn starts_threads_when_there_is_work_to_divide() {
        let (workers, own) = (Workers::new(2), std::thread::current().id());
        workers.each(1, |_| assert_eq!(std::thread::current().id(), own));
        assert!(workers.pool.get().is_none());
        let is_own = workers.run(|| std::thread::current().id() == own);
        assert!(!is_own && workers.pool.get().is_some());
    }

    #[test]
    fn uses_the_calling_thread_if_no_threads_can_be_started() {
        let workers = Workers::with_stack(2, usize::MAX / 2);
        assert!(workers.pool().is_none(), "no system provides this much stack");
        let (done, own) = (Mutex::new(Vec::new()), std::thread::current().id());
        workers.each(10, |index| {
            assert_eq!(std::thread::current().id(), own);
            done.lock().unwrap().push(index);
        });
        assert_eq!(done.into_inner().unwrap(), Vec::from_iter(0..10));
    }
}

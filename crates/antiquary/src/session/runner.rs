//! Runs work on threads: started and reported in order, and isolated from panics in a format.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
#[cfg(feature = "parallel")]
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
#[cfg(feature = "parallel")]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use asset::{Asset, Error};
#[cfg(feature = "parallel")]
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::memory::{MemoryBudget, Reservation};
use super::work::Work;
use super::{Input, OnFailure, Session};
use crate::run::Outcome;
use crate::run::Strictness;

/// Stack size of the threads, sufficient for deeply nested formats.
const STACK: usize = 8 << 20;

/// Receives progress events.
pub trait Progress: Sync {
    /// The number of files that will be processed.
    fn start(&self, files: usize) {
        let _ = files;
    }

    /// A file is done, and became so many bytes in files; called from any thread, in any order.
    fn done(&self, written: u64) {
        let _ = written;
    }

    /// The outcome of a file; called one at a time, in the order of the inputs. At the end it is called again for a file whose outputs
    /// could not replace what stands there.
    fn outcome(&self, outcome: &Outcome) {
        let _ = outcome;
    }

    /// How much of the work on one file is done, from 0 to 1; called where that takes long.
    fn share(&self, share: f32) {
        let _ = share;
    }

    /// Whether nobody waits for the result any longer: then no more files are begun, and the run ends with those before.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Ignores all events.
impl Progress for () {}

impl fmt::Debug for dyn Progress + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Progress")
    }
}

/// The threads of a run, started when there is something to divide. Where none can be started, all work is done on the calling thread.
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
    /// Threads for files, and for what is divided within a file; 0 is one for each processor.
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

    /// Runs work that divides itself on the threads.
    pub(super) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        #[cfg(feature = "parallel")]
        if let Some(pool) = self.pool() {
            return pool.install(work);
        }
        work()
    }

    /// Waits until there is memory to unpack an input.
    pub(super) fn reserve_for_input(&self, input: &Input) -> Option<Reservation<'_>> {
        self.inputs.reserve_for_input(input)
    }

    /// Waits until there is memory for the scene that a file becomes.
    pub(super) fn reserve_for_scene(&self, asset: &dyn Asset) -> Option<Reservation<'_>> {
        self.scenes.reserve_for_scene(asset)
    }

    /// Runs a task for each index up to a count, started in order. A single task is run on the calling thread.
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

    /// Runs a task for each file.
    pub(super) fn work<'w>(
        &self,
        session: &Session<'_>,
        works: &'w [Work<'w>],
        task: impl Fn(usize, &Work<'w>, &mut Outcome) -> Result<(), Error> + Sync,
    ) -> Vec<Outcome> {
        let progress = session.progress;
        progress.start(works.len());
        let queue = Mutex::new(OutcomeQueue::default());
        let last = AtomicUsize::new(usize::MAX);
        self.each(works.len(), |index| {
            let Some(work) = works.get(index) else { return };
            if index > last.load(Ordering::Acquire) || progress.is_cancelled() {
                return;
            }
            let reserved = self.reserve_for_input(work.input);
            let outcome = run_one(session.strictness, work, |outcome| task(index, work, outcome));
            drop(reserved);
            if !outcome.ok && session.on_failure == OnFailure::Stop {
                last.fetch_min(index, Ordering::AcqRel);
            }
            progress.done(outcome.written.unwrap_or_default());
            queue.lock().unwrap_or_else(PoisonError::into_inner).add(
                index,
                outcome,
                session.on_failure,
                progress,
            );
        });
        queue.into_inner().unwrap_or_else(PoisonError::into_inner).done
    }
}

/// How many threads there are: those asked for, or one for each processor; no more than files, and no more than four for each processor.
#[cfg(feature = "parallel")]
fn number_of_threads(asked: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    if asked == 0 { processors } else { asked.min(processors.saturating_mul(4)) }
}

/// Outcomes that wait for earlier ones, so that they are reported in order.
#[derive(Default)]
struct OutcomeQueue {
    waiting: BTreeMap<usize, Outcome>,
    done: Vec<Outcome>,
    /// The last outcome to report is done.
    closed: bool,
}

impl OutcomeQueue {
    fn add(&mut self, index: usize, outcome: Outcome, on_failure: OnFailure, progress: &dyn Progress) {
        self.waiting.insert(index, outcome);
        while !self.closed
            && let Some(outcome) = self.waiting.remove(&self.done.len())
        {
            progress.outcome(&outcome);
            self.closed = !outcome.ok && on_failure == OnFailure::Stop;
            self.done.push(outcome);
        }
    }
}

/// Runs the task for one file and catches panics.
fn run_one(
    strictness: Strictness,
    work: &Work<'_>,
    task: impl FnOnce(&mut Outcome) -> Result<(), Error>,
) -> Outcome {
    let format = work.found.as_ref().ok().map(|format| format.id);
    let mut outcome = Outcome::new(work.input.path().display().to_string(), format);
    let result = match &work.found {
        Ok(_) => caught(|| task(&mut outcome)),
        Err(error) => Ok(Err(error.clone())),
    };
    outcome.error = match result {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.in_file(work.input.path())),
        Err(fault) => Some(fault),
    };
    outcome.ok = outcome.error.is_none() && !outcome.is_refused(strictness);
    outcome
}

/// Runs work on one file. A panic in it is an error, so that it does not stop the others.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| internal_error(panic_message(&*panic)))
}

/// A fault of the program that one file has shown.
pub(super) fn internal_error(what: &str) -> Error {
    Error::internal(format!("internal error while processing this file: {what}"))
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(message), _) => message,
        (_, Some(message)) => message,
        _ => "no message",
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use asset::Source;

    use super::*;

    #[test]
    fn there_are_few_threads_for_each_processor() {
        let processors = std::thread::available_parallelism().unwrap().get();
        for (asked, threads) in [(0, processors), (100_000, processors * 4), (1, 1)] {
            assert_eq!(number_of_threads(asked), threads, "{asked}");
        }
    }

    #[test]
    fn a_run_that_nobody_waits_for_begins_no_more_files() {
        /// Cancelled as soon as one file is done.
        #[derive(Default)]
        struct Impatient(AtomicUsize);
        impl Progress for Impatient {
            fn done(&self, _written: u64) {
                self.0.fetch_add(1, Ordering::Relaxed);
            }

            fn is_cancelled(&self) -> bool {
                self.0.load(Ordering::Relaxed) > 0
            }
        }
        let inputs: Vec<_> =
            (0..10).map(|number| Input::of_source(&format!("{number}.x"), Source::from(vec![1]))).collect();
        let files: Vec<_> = inputs.iter().collect();
        let progress = Impatient::default();
        let session = Session::default().threads(1).progress(&progress);
        let run = session.each_of(&files, &[], |_, _| Ok(())).unwrap();
        assert_eq!((run.outcomes.len(), progress.0.into_inner()), (1, 1));
    }

    #[test]
    fn without_threads_the_calling_thread_does_the_work() {
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

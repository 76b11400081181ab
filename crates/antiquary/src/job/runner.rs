//! Work spread over threads: begun in order, reported in order, and never stopped by a fault in one format.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use asset::Error;
#[cfg(feature = "parallel")]
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::work::Work;
use super::{Job, OnFailure};
use crate::run::Strictness;
use crate::run::{Failure, Outcome};

/// Room for formats whose parts lie deep within one another.
const STACK: usize = 8 << 20;

/// Is told how work gets on.
pub trait Progress: Sync {
    /// So many files will be worked on.
    fn start(&self, files: usize) {
        let _ = files;
    }

    /// One more file is done; in no particular order, from any thread.
    fn done(&self) {}

    /// What came of a file; in the order of the inputs, one at a time.
    fn outcome(&self, outcome: &Outcome) {
        let _ = outcome;
    }
}

/// Nobody wants to know.
impl Progress for () {}

/// The threads of a job; without any, the caller's own thread does all the work.
pub(super) struct Crew {
    #[cfg(feature = "parallel")]
    pool: Option<ThreadPool>,
}

impl Crew {
    /// Threads for so many files; for a single one, and where no threads can be made, the caller's own thread.
    pub(super) fn new(threads: usize, files: usize) -> Self {
        Self::with_stack(threads, files, STACK)
    }

    #[cfg(feature = "parallel")]
    fn with_stack(threads: usize, files: usize, stack: usize) -> Self {
        if threads == 1 || files < 2 {
            return Self { pool: None };
        }
        Self { pool: ThreadPoolBuilder::new().num_threads(threads).stack_size(stack).build().ok() }
    }

    #[cfg(not(feature = "parallel"))]
    fn with_stack(_threads: usize, _files: usize, _stack: usize) -> Self {
        Self {}
    }

    /// Does something with each index up to a count. They are begun in order.
    pub(super) fn each(&self, count: usize, task: impl Fn(usize) + Sync) {
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
        if let Some(pool) = &self.pool {
            pool.broadcast(|_| work());
            return;
        }
        work();
    }

    /// Does the work on each file.
    pub(super) fn work<'w>(
        &self,
        job: &Job,
        works: &'w [Work<'w>],
        progress: &dyn Progress,
        task: impl Fn(usize, &Work<'w>, &mut Outcome) -> Result<(), Error> + Sync,
    ) -> Vec<Outcome> {
        progress.start(works.len());
        let line = Mutex::new(Line::default());
        let last = AtomicUsize::new(usize::MAX);
        self.each(works.len(), |index| {
            let Some(work) = works.get(index) else { return };
            if index > last.load(Ordering::Acquire) {
                return;
            }
            let outcome = one(job.strictness, work, |outcome| task(index, work, outcome));
            if !outcome.ok && job.on_failure == OnFailure::Stop {
                last.fetch_min(index, Ordering::AcqRel);
            }
            progress.done();
            line.lock().unwrap_or_else(PoisonError::into_inner).add(index, outcome, job.on_failure, progress);
        });
        line.into_inner().unwrap_or_else(PoisonError::into_inner).done
    }
}

/// Outcomes that wait for those before them.
#[derive(Default)]
struct Line {
    waiting: BTreeMap<usize, Outcome>,
    done: Vec<Outcome>,
    /// The last outcome that counts is done.
    closed: bool,
}

impl Line {
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

/// Does the work on one file, whatever happens.
fn one(
    strictness: Strictness,
    work: &Work<'_>,
    task: impl FnOnce(&mut Outcome) -> Result<(), Error>,
) -> Outcome {
    let format = work.found.as_ref().ok().map(|format| format.id);
    let mut outcome = Outcome::new(work.input.path().display().to_string(), format);
    let result = match &work.found {
        Ok(_) => catch_unwind(AssertUnwindSafe(|| task(&mut outcome))),
        Err(error) => Ok(Err(error.clone())),
    };
    outcome.error = match result {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(Failure::from(&error.in_file(work.input.path()))),
        Err(panic) => Some(Failure::internal(what_panicked(&*panic))),
    };
    outcome.ok = outcome.error.is_none() && !outcome.is_refused(strictness);
    outcome
}

fn what_panicked(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(message), _) => message,
        (_, Some(message)) => message,
        _ => "no message",
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    #[test]
    fn where_no_threads_can_be_made_the_callers_own_does_the_work() {
        let crew = Crew::with_stack(2, 10, usize::MAX / 2);
        assert!(crew.pool.is_none(), "no system gives so much stack");
        let (done, own) = (Mutex::new(Vec::new()), std::thread::current().id());
        crew.each(10, |index| {
            assert_eq!(std::thread::current().id(), own);
            done.lock().unwrap().push(index);
        });
        assert_eq!(done.into_inner().unwrap(), Vec::from_iter(0..10));
    }
}

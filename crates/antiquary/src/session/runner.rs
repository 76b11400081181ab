//! Runs tasks on threads: started and reported in order, and isolated from panics in a format.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use asset::Error;

use super::work::Work;
use super::workers::Workers;
use super::{OnFailure, Progress, Session};
use crate::run::{Outcome, Strictness};

impl Workers {
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

/// Outcomes that wait for earlier ones, so that they are reported in order.
#[derive(Default)]
struct OutcomeQueue {
    waiting: BTreeMap<usize, Outcome>,
    done: Vec<Outcome>,
    /// Whether the last outcome to report was added.
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

/// Runs a function for one file. A panic becomes an error, so that it does not stop the other files.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| internal_error(panic_message(&*panic)))
}

/// Creates the error for a bug in the program that one file has triggered.
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

    use super::super::Input;
    use super::*;

    #[test]
    fn a_canceled_run_starts_no_further_files() {
        /// Canceled as soon as one file is done.
        #[derive(Default)]
        struct CancelAfterOne(AtomicUsize);
        impl Progress for CancelAfterOne {
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
        let progress = CancelAfterOne::default();
        let session = Session::default().threads(1).progress(&progress);
        let run = session.each_of(&files, &[], |_, _| Ok(())).unwrap();
        assert_eq!((run.outcomes.len(), progress.0.into_inner()), (1, 1));
    }
}

//! Work without the lock of the interpreter: on another thread, while the calling thread reports progress and handles Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use antiquary::{Error, Progress};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::error::Result;

/// The interval in which the calling thread handles signals and reports progress.
const TICK: Duration = Duration::from_millis(50);

/// Stack size of the working thread in bytes, sufficient for deeply nested formats.
const STACK: usize = 8 << 20;

/// The progress of a run, and the request to end it.
#[derive(Debug, Default)]
pub(crate) struct Monitor {
    total: AtomicUsize,
    done: AtomicUsize,
    /// The completed share of the work on a single file, as bits of a number from 0 to 1.
    share: AtomicU32,
    is_cancelled: AtomicBool,
}

impl Progress for Monitor {
    fn start(&self, files: usize) {
        self.total.fetch_add(files, Ordering::Relaxed);
    }

    fn done(&self, _written: u64) {
        self.share.store(0, Ordering::Relaxed);
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn share(&self, share: f32) {
        self.share.store(share.clamp(0.0, 1.0).to_bits(), Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

impl Monitor {
    /// Returns the completed and the total number of files.
    fn state(&self) -> (f64, usize) {
        let total = self.total.load(Ordering::Relaxed).max(1);
        let share = f64::from(f32::from_bits(self.share.load(Ordering::Relaxed)));
        let done = self.done.load(Ordering::Relaxed) as f64 + share;
        (done.min(total as f64), total)
    }
}

/// The function that Python passed as `progress`.
struct Callback {
    function: Py<PyAny>,
    last: Option<(f64, usize)>,
    /// Called at the end: closes a bar.
    close: Option<Py<PyAny>>,
}

impl Callback {
    /// Interprets the argument `progress`: a function, or `True` for a bar of `tqdm`.
    fn of(progress: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Self>> {
        let Some(progress) = progress else { return Ok(None) };
        let Ok(is_wanted) = progress.cast::<PyBool>() else {
            return Ok(Some(Self { function: progress.clone().unbind(), last: None, close: None }));
        };
        if !is_wanted.is_true() {
            return Ok(None);
        }
        let bar = progress.py().import("antiquary._progress")?.call_method0("bar")?;
        let close = Some(bar.getattr("close")?.unbind());
        Ok(Some(Self { function: bar.unbind(), last: None, close }))
    }

    fn report(&mut self, py: Python<'_>, state: (f64, usize)) -> PyResult<()> {
        if self.last == Some(state) {
            return Ok(());
        }
        self.last = Some(state);
        self.function.call1(py, state).map(drop)
    }
}

/// Runs work that reports progress and can be canceled. Ctrl-C, or an exception of the callback, cancels it: files that are
/// being processed are finished, no others are started, and the exception is raised.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Monitor) -> Result<T> + Send,
) -> Result<T> {
    let mut callback = Callback::of(progress)?;
    let monitor = &Monitor::default();
    let (result, raised) = py.detach(|| {
        thread::scope(|scope| {
            // Dropped with the closure, which ends the waiting.
            let (alive, ended) = sync_channel::<()>(0);
            let work = move || {
                let _alive = alive;
                caught(|| work(monitor))
            };
            let worker = match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
                Ok(worker) => worker,
                Err(error) => return (Err(Error::from(error).into()), None),
            };
            let raised = watch(&ended, monitor, callback.as_mut()).err();
            let result = worker.join().unwrap_or_else(|_| Err(Error::internal("the work has ended").into()));
            (result, raised)
        })
    });
    if let Some(callback) = &mut callback {
        let last = if raised.is_none() { callback.report(py, monitor.state()) } else { Ok(()) };
        if let Some(close) = &callback.close {
            close.call0(py)?;
        }
        last?;
    }
    match raised {
        Some(raised) => Err(raised.into()),
        None => result,
    }
}

/// Waits for the end of the work. Returns the exception that canceled it.
fn watch(ended: &Receiver<()>, monitor: &Monitor, mut callback: Option<&mut Callback>) -> PyResult<()> {
    while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        Python::attach(|py| {
            py.check_signals()?;
            callback.as_mut().map_or(Ok(()), |callback| callback.report(py, monitor.state()))
        })
        .inspect_err(|_| monitor.is_cancelled.store(true, Ordering::Relaxed))?;
    }
    Ok(())
}

/// Runs work on one file that cannot be canceled. On Ctrl-C, its result is abandoned: `KeyboardInterrupt` is raised at once,
/// and the thread ends when the work is done.
pub(crate) fn compute<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let (send, received) = sync_channel(1);
    spawn(move || {
        // The receiver is gone if the result was abandoned.
        let _ = send.send(caught(work));
    })?;
    let result = receive(py, &Mutex::new(received))?;
    result.unwrap_or_else(|| Err(Error::internal("the work has ended").into()))
}

/// Starts a thread for work that does not end with the calling function.
pub(crate) fn spawn(work: impl FnOnce() + Send + 'static) -> Result<()> {
    thread::Builder::new().stack_size(STACK).spawn(work).map_err(Error::from)?;
    Ok(())
}

/// Waits for a value from another thread while handling signals. Returns `None` if that thread has ended.
pub(crate) fn receive<T: Send>(py: Python<'_>, received: &Mutex<Receiver<T>>) -> Result<Option<T>> {
    loop {
        let value = py.detach(|| received.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK));
        match value {
            Ok(value) => return Ok(Some(value)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}

/// Runs work, and turns a panic into an error.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
            (Some(message), _) => message,
            (_, Some(message)) => message.as_str(),
            _ => "no message",
        };
        Err(Error::internal(format!("internal error: {message}")).into())
    })
}

//! Progress events, and the cancellation of work.

use std::ffi::{CString, c_int, c_void};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use facade::{Outcome, Progress};

use crate::string::c_string;

/// The state of an operation.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ProgressEvent {
    /// Number of files to process.
    pub files: u64,
    /// Number of files that were processed.
    pub done: u64,
    /// Number of bytes that were written.
    pub written: u64,
    /// Completed share of the work on the current file, from 0 to 1, if that work takes long; otherwise 0.
    pub share: f32,
    /// The file that was processed last, as given or found; empty before the first one. Valid during the call.
    pub input: *const std::ffi::c_char,
}

/// Receives the progress of an operation. A result other than 0 cancels it: no further files are started.
///
/// It is called from any thread, but never from two threads at once, and not after the operation has returned. It must
/// return normally: no exception and no `longjmp` may leave it. It must not call functions of this library.
pub type ProgressCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, event: *const ProgressEvent) -> c_int>;

/// A callback of C as the receiver of progress events.
pub(crate) struct Callback {
    function: ProgressCallback,
    state: Mutex<State>,
    is_canceled: AtomicBool,
}

struct State {
    user: *mut c_void,
    files: u64,
    done: u64,
    written: u64,
    input: CString,
}

// SAFETY: `user` is only passed to the callback, which the caller allows to run on any thread.
unsafe impl Send for State {}

impl Callback {
    /// # Safety
    /// The function may be called with `user` from any thread while the value exists.
    pub(crate) unsafe fn new(function: ProgressCallback, user: *mut c_void) -> Self {
        let input = CString::default();
        let state = State { user, files: 0, done: 0, written: 0, input };
        Self { function, state: Mutex::new(state), is_canceled: AtomicBool::new(false) }
    }

    /// Whether the callback canceled the work.
    pub(crate) fn is_canceled(&self) -> bool {
        self.is_canceled.load(Ordering::Relaxed)
    }

    /// Changes the state and reports it. The lock is held meanwhile, so that calls never overlap.
    fn report(&self, share: f32, change: impl FnOnce(&mut State)) {
        let Some(function) = self.function else { return };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        let event = ProgressEvent {
            files: state.files,
            done: state.done,
            written: state.written,
            share,
            input: state.input.as_ptr(),
        };
        let user = state.user;
        // SAFETY: the creator of this value guarantees that the function may be called with `user`. The event lives until
        // the call returns.
        let call = || unsafe { function(user, &raw const event) };
        if call() != 0 {
            self.is_canceled.store(true, Ordering::Relaxed);
        }
    }
}

impl Progress for Callback {
    fn start(&self, files: usize) {
        self.report(0.0, |state| state.files = u64::try_from(files).unwrap_or(u64::MAX));
    }

    fn done(&self, written: u64) {
        self.report(0.0, |state| {
            state.done = state.done.saturating_add(1);
            state.written = state.written.saturating_add(written);
        });
    }

    fn outcome(&self, outcome: &Outcome) {
        self.report(0.0, |state| state.input = c_string(&outcome.input));
    }

    fn share(&self, share: f32) {
        self.report(share, |_| ());
    }

    fn is_cancelled(&self) -> bool {
        self.is_canceled()
    }
}

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callback").finish_non_exhaustive()
    }
}

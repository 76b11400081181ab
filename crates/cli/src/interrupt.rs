//! Ctrl-C as a request to pause, for commands that support it. Otherwise, Ctrl-C ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a command handles Ctrl-C as a request.
static IS_LISTENING: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed and not yet handled.
static IS_PRESSED: AtomicBool = AtomicBool::new(false);

/// Guard: while it exists, Ctrl-C does not end the program.
#[derive(Debug)]
pub(crate) struct InterruptListener(());

impl InterruptListener {
    /// Starts handling Ctrl-C as a request.
    pub(crate) fn start() -> Self {
        IS_PRESSED.store(false, Ordering::SeqCst);
        IS_LISTENING.store(true, Ordering::SeqCst);
        Self(())
    }

    /// Whether Ctrl-C was pressed since the last call.
    #[expect(clippy::unused_self, reason = "the listener must exist while this is called")]
    pub(crate) fn is_pressed(&self) -> bool {
        IS_PRESSED.swap(false, Ordering::SeqCst)
    }
}

impl Drop for InterruptListener {
    fn drop(&mut self) {
        IS_LISTENING.store(false, Ordering::SeqCst);
    }
}

/// Records that Ctrl-C was pressed. Returns whether a command handles it as a request; if the previous press has not been handled yet, it
/// does not.
pub(crate) fn is_caught() -> bool {
    IS_LISTENING.load(Ordering::SeqCst) && !IS_PRESSED.swap(true, Ordering::SeqCst)
}

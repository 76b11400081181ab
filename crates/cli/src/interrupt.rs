//! Ctrl-C as a request to pause, where a command says so. Otherwise it ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a command takes Ctrl-C as a request.
static IS_LISTENING: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed.
static IS_PRESSED: AtomicBool = AtomicBool::new(false);

/// While this exists, Ctrl-C does not end the program.
#[derive(Debug)]
pub(crate) struct Listening(());

impl Listening {
    /// Begins to take Ctrl-C as a request.
    pub(crate) fn start() -> Self {
        IS_PRESSED.store(false, Ordering::SeqCst);
        IS_LISTENING.store(true, Ordering::SeqCst);
        Self(())
    }

    /// Whether Ctrl-C was pressed since this was last asked.
    #[expect(clippy::unused_self, reason = "only who listens may ask")]
    pub(crate) fn is_pressed(&self) -> bool {
        IS_PRESSED.swap(false, Ordering::SeqCst)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        IS_LISTENING.store(false, Ordering::SeqCst);
    }
}

/// Ctrl-C was pressed: whether a command takes it as a request. If it has not noticed the one before, it does not.
pub(crate) fn is_caught() -> bool {
    IS_LISTENING.load(Ordering::SeqCst) && !IS_PRESSED.swap(true, Ordering::SeqCst)
}

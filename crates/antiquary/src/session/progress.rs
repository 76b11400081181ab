//! What a run reports while it works.

use std::fmt;

use crate::run::Outcome;

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

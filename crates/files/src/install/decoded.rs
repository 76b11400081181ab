//! The caches of an install: values decoded from its files, and results computed from those.

use std::fmt;
use std::sync::Arc;

use record::Error;

use super::cache::Cache;

/// Two caches of limited size: one for decoded files, and one for results that take much longer to compute than to keep. They are
/// separate because decoded files are so large that they would evict all results.
pub struct Decoded {
    files: Cache,
    results: Cache,
}

impl Decoded {
    /// Default limit in bytes.
    pub const BUDGET: usize = 256 << 20;

    /// Creates the caches with a limit in bytes, three eighths of which are for results.
    #[must_use]
    pub fn with_budget(budget: usize) -> Self {
        let results = (budget >> 3).saturating_mul(3);
        Self {
            files: Cache::with_budget(budget.saturating_sub(results)),
            results: Cache::with_budget(results),
        }
    }

    /// Returns the value of type `T` that `owner` (an install, a program) stores under a name, or computes it with `make`, which
    /// also returns its size in bytes.
    ///
    /// `make` may request other values, but must not wait for work that it passed to other threads.
    ///
    /// # Errors
    /// The error of `make`, now or before, or an error if the value depends on itself.
    pub fn get<T: Send + Sync + 'static>(
        &self,
        owner: u64,
        name: &str,
        make: impl FnOnce() -> Result<(T, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        self.files.get(owner, name, make)
    }

    /// Like [`get`](Self::get), for a result that is computed from decoded files.
    ///
    /// # Errors
    /// See [`get`](Self::get).
    pub fn result<T: Send + Sync + 'static>(
        &self,
        owner: u64,
        name: &str,
        make: impl FnOnce() -> Result<(T, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        self.results.get(owner, name, make)
    }

    /// Total size of the cached values in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.files.bytes().saturating_add(self.results.bytes())
    }
}

impl Default for Decoded {
    fn default() -> Self {
        Self::with_budget(Self::BUDGET)
    }
}

impl fmt::Debug for Decoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, results } = self;
        write!(f, "Decoded({files:?} of files, {results:?} of results)")
    }
}

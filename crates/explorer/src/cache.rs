//! What was decoded, kept within a budget of bytes.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache as Shelf;

/// How many things a budget is made for; a guess, the cache grows and shrinks.
const THINGS: usize = 1024;
/// What a thing takes at least, with its name.
const LEAST: u64 = 256;

/// Keeps things by name and type; what was not asked for long goes first. Two who ask at once may both make a thing.
pub(crate) struct Cache(Shelf<String, Kept, ByBytes>);

#[derive(Clone)]
struct Kept {
    thing: Arc<dyn Any + Send + Sync>,
    bytes: u64,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<String, Kept> for ByBytes {
    fn weight(&self, name: &String, kept: &Kept) -> u64 {
        let name = u64::try_from(name.len()).unwrap_or(u64::MAX);
        kept.bytes.saturating_add(name).saturating_add(LEAST)
    }
}

impl Cache {
    /// Keeps up to this many bytes.
    pub(crate) fn new(budget: u64) -> Self {
        Self(Shelf::with_weighter(THINGS, budget, ByBytes))
    }

    /// A thing as kept, or else made now. The maker also says how many bytes it takes. What fails is not kept.
    pub(crate) fn get<T: Send + Sync + 'static, E>(
        &self,
        name: String,
        make: impl FnOnce() -> Result<(T, u64), E>,
    ) -> Result<Arc<T>, E> {
        let kept = self.0.get(&name).and_then(|kept| kept.thing.downcast().ok());
        if let Some(thing) = kept {
            return Ok(thing);
        }
        let (thing, bytes) = make()?;
        let thing = Arc::new(thing);
        self.0.insert(name, Kept { thing: Arc::<T>::clone(&thing), bytes });
        Ok(thing)
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache({} of {} bytes)", self.0.weight(), self.0.capacity())
    }
}

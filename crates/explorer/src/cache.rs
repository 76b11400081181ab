//! What was decoded, kept within a budget of bytes.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use quick_cache::sync::{Cache as Shelf, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

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
        kept.bytes.saturating_add(name.len() as u64).saturating_add(LEAST)
    }
}

impl Cache {
    /// Keeps up to this many bytes.
    pub(crate) fn new(budget: u64) -> Self {
        let mut options = OptionsBuilder::new();
        // One shard: with several each would refuse what is larger than its own part of the budget.
        options.estimated_items_capacity(THINGS).weight_capacity(budget).shards(1);
        let options = options.build().ok();
        let shelf = options.map(|options| {
            Shelf::with_options(options, ByBytes, DefaultHashBuilder::default(), DefaultLifecycle::default())
        });
        Self(shelf.unwrap_or_else(|| Shelf::with_weighter(THINGS, budget, ByBytes)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_that_fits_into_the_budget_is_made_once() {
        let cache = Cache::new(1 << 20);
        let mut made = 0;
        for _ in 0..3 {
            let thing = cache.get("large".to_owned(), || {
                made += 1;
                Ok::<_, ()>((made, 1 << 19))
            });
            assert_eq!(thing.map(|thing| *thing), Ok(1));
        }
    }

    #[test]
    fn what_is_too_much_goes() {
        let cache = Cache::new(1 << 20);
        for name in 0..100 {
            let _ = cache.get(name.to_string(), || Ok::<_, ()>((name, 1 << 17)));
        }
        assert!(cache.0.weight() <= 1 << 20);
    }

    #[test]
    fn a_failure_is_tried_again() {
        let cache = Cache::new(1 << 20);
        assert_eq!(cache.get::<u8, _>("a".to_owned(), || Err("no")).err(), Some("no"));
        assert_eq!(cache.get("a".to_owned(), || Ok::<_, &str>((1_u8, 1))).map(|thing| *thing), Ok(1));
    }
}

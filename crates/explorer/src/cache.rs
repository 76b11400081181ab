//! Cache of decoded data, limited by a budget in bytes.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use quick_cache::sync::{Cache as Store, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

/// Estimated number of items, which sizes the cache initially.
const ITEMS: usize = 1024;
/// Minimum weight of an item in bytes, including its name.
const MIN_BYTES: u64 = 256;

/// Cache of items by name and type, which evicts the least recently used ones. Two concurrent requests may both create an
/// item.
pub(crate) struct Cache(Store<String, CachedItem, WeightInBytes>);

#[derive(Clone)]
struct CachedItem {
    item: Arc<dyn Any + Send + Sync>,
    bytes: u64,
}

#[derive(Clone)]
struct WeightInBytes;

impl Weighter<String, CachedItem> for WeightInBytes {
    fn weight(&self, name: &String, cached: &CachedItem) -> u64 {
        cached.bytes.saturating_add(name.len() as u64).saturating_add(MIN_BYTES)
    }
}

impl Cache {
    /// Creates a cache of at most this many bytes.
    pub(crate) fn new(budget: u64) -> Self {
        let mut options = OptionsBuilder::new();
        // A single shard is used, because each of several shards would reject items larger than its own part of the budget.
        options.estimated_items_capacity(ITEMS).weight_capacity(budget).shards(1);
        let options = options.build().ok();
        let store = options.map(|options| {
            Store::with_options(
                options,
                WeightInBytes,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            )
        });
        Self(store.unwrap_or_else(|| Store::with_weighter(ITEMS, budget, WeightInBytes)))
    }

    /// Returns the cached item, or creates it. `make` also returns its size in bytes. Failures are not cached.
    pub(crate) fn get<T: Send + Sync + 'static, E>(
        &self,
        name: String,
        make: impl FnOnce() -> Result<(T, u64), E>,
    ) -> Result<Arc<T>, E> {
        let cached = self.0.get(&name).and_then(|cached| cached.item.downcast().ok());
        if let Some(item) = cached {
            return Ok(item);
        }
        let (item, bytes) = make()?;
        let item = Arc::new(item);
        self.0.insert(name, CachedItem { item: Arc::<T>::clone(&item), bytes });
        Ok(item)
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
    fn creates_an_item_that_fits_into_the_budget_once() {
        let cache = Cache::new(1 << 20);
        let mut made = 0;
        for _ in 0..3 {
            let item = cache.get("large".to_owned(), || {
                made += 1;
                Ok::<_, ()>((made, 1 << 19))
            });
            assert_eq!(item.map(|item| *item), Ok(1));
        }
    }

    #[test]
    fn evicts_items_beyond_the_budget() {
        let cache = Cache::new(1 << 20);
        for name in 0..100 {
            let _ = cache.get(name.to_string(), || Ok::<_, ()>((name, 1 << 17)));
        }
        assert!(cache.0.weight() <= 1 << 20);
    }

    #[test]
    fn retries_after_a_failure() {
        let cache = Cache::new(1 << 20);
        assert_eq!(cache.get::<u8, _>("a".to_owned(), || Err("no")).err(), Some("no"));
        assert_eq!(cache.get("a".to_owned(), || Ok::<_, &str>((1_u8, 1))).map(|item| *item), Ok(1));
    }
}

//! A cache of values that were decoded from files: a texture that fifty rooms share is decoded once.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use record::Error;

/// The key of a value: its type and its source.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    kind: TypeId,
    owner: u64,
    name: String,
}

type CachedValue = Arc<dyn Any + Send + Sync>;
type CachedResult = Result<CachedValue, Error>;

/// A cache of limited size; the least recently used values are evicted first.
///
/// Each value is computed once, even if several threads request it at the same time, and no lock is held meanwhile. Errors are
/// cached like values.
pub(super) struct Cache {
    budget: usize,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    slots: HashMap<Key, Entry>,
    /// Computed values by their last use.
    by_use: BTreeMap<u64, Key>,
    bytes: usize,
    clock: u64,
}

struct Entry {
    slot: Arc<Slot>,
    /// Size and last use, once it is computed.
    computed: Option<(usize, u64)>,
}

/// The slot of a value, which may not have been computed yet.
#[derive(Default)]
struct Slot {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    Empty,
    Computing,
    Done(CachedResult),
}

thread_local! {
    /// The values that this thread is computing, outermost first.
    static COMPUTING: RefCell<Vec<(usize, Key)>> = const { RefCell::new(Vec::new()) };
}

impl Cache {
    /// Creates a cache with a limit in bytes.
    pub(super) fn with_budget(budget: usize) -> Self {
        Self { budget, entries: Mutex::default() }
    }

    /// Returns the value of type `T` that `owner` (an install, a program) stores under a name, or computes it with `make`, which
    /// also returns its size in bytes.
    ///
    /// `make` may request other values, but must not wait for work that it passed to other threads.
    ///
    /// # Errors
    /// The error of `make`, now or before, or an error if the value depends on itself.
    pub(super) fn get<T: Send + Sync + 'static>(
        &self,
        owner: u64,
        name: &str,
        make: impl FnOnce() -> Result<(T, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        let key = Key { kind: TypeId::of::<T>(), owner, name: name.to_owned() };
        let computed = self.get_any(&key, || {
            let (value, size) = make()?;
            let value: CachedValue = Arc::new(value);
            Ok((value, size))
        })?;
        computed.downcast().map_err(|_| Error::usage(format!("{name} is cached as another type")))
    }

    /// Total size of the cached values in bytes.
    pub(super) fn bytes(&self) -> usize {
        lock(&self.entries).bytes
    }

    fn get_any(&self, key: &Key, make: impl FnOnce() -> Result<(CachedValue, usize), Error>) -> CachedResult {
        let identity = std::ptr::from_ref(self).addr();
        let (own, nested) = COMPUTING.with_borrow(|stack| {
            (stack.iter().any(|(cache, at)| *cache == identity && at == key), !stack.is_empty())
        });
        if own {
            return Err(Error::malformed("circular reference"));
        }
        let slot = self.slot(key);
        let mut state = lock(&slot.state);
        loop {
            match &*state {
                State::Done(computed) => {
                    let computed = computed.clone();
                    drop(state);
                    self.touch(key);
                    return computed;
                }
                State::Empty => break,
                // Threads that wait for each other's values would deadlock, so a thread that is computing a value never waits.
                State::Computing if nested => {
                    drop(state);
                    let _mark = ComputingMark::enter(identity, key);
                    return make().map(|(value, _)| value);
                }
                State::Computing => {
                    state = slot.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        *state = State::Computing;
        drop(state);
        self.compute_in(key, &slot, identity, make)
    }

    fn compute_in(
        &self,
        key: &Key,
        slot: &Arc<Slot>,
        identity: usize,
        make: impl FnOnce() -> Result<(CachedValue, usize), Error>,
    ) -> CachedResult {
        // Restored if `make` panics, so that other threads do not wait forever.
        let mut final_state = StateOnDrop { slot, state: State::Empty };
        let mark = ComputingMark::enter(identity, key);
        let result = make();
        drop(mark);
        let (computed, size) = match result {
            Ok((value, size)) => (Ok(value), size),
            Err(error) => (Err(error), key.name.len().saturating_add(256)),
        };
        final_state.state = State::Done(computed.clone());
        drop(final_state);
        self.keep(key, slot, size);
        computed
    }

    fn slot(&self, key: &Key) -> Arc<Slot> {
        let mut entries = lock(&self.entries);
        let entry = entries
            .slots
            .entry(key.clone())
            .or_insert_with(|| Entry { slot: Arc::default(), computed: None });
        Arc::clone(&entry.slot)
    }

    /// Records that a value was used again.
    fn touch(&self, key: &Key) {
        let mut entries = lock(&self.entries);
        let now = entries.tick();
        let Some(entry) = entries.slots.get_mut(key) else { return };
        let Some((_, used)) = &mut entry.computed else { return };
        let before = std::mem::replace(used, now);
        entries.by_use.remove(&before);
        entries.by_use.insert(now, key.clone());
    }

    /// Records that a value was computed, and evicts others if the limit is exceeded.
    fn keep(&self, key: &Key, slot: &Arc<Slot>, size: usize) {
        let mut entries = lock(&self.entries);
        let now = entries.tick();
        let Some(entry) = entries.slots.get_mut(key) else { return };
        if !Arc::ptr_eq(&entry.slot, slot) || entry.computed.is_some() {
            return;
        }
        entry.computed = Some((size, now));
        entries.by_use.insert(now, key.clone());
        entries.bytes = entries.bytes.saturating_add(size);
        while entries.bytes > self.budget {
            let Some((_, oldest)) = entries.by_use.pop_first() else { break };
            if let Some(Entry { computed: Some((size, _)), .. }) = entries.slots.remove(&oldest) {
                entries.bytes = entries.bytes.saturating_sub(size);
            }
        }
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache({} of {} bytes)", self.bytes(), self.budget)
    }
}

impl Entries {
    fn tick(&mut self) -> u64 {
        self.clock = self.clock.saturating_add(1);
        self.clock
    }
}

/// Marks a value as being computed by this thread, until it is dropped.
struct ComputingMark;

impl ComputingMark {
    fn enter(cache: usize, key: &Key) -> Self {
        COMPUTING.with_borrow_mut(|stack| stack.push((cache, key.clone())));
        Self
    }
}

impl Drop for ComputingMark {
    fn drop(&mut self) {
        COMPUTING.with_borrow_mut(|stack| stack.pop());
    }
}

/// Sets the final state and wakes up all waiting threads when it is dropped, even after a panic.
struct StateOnDrop<'a> {
    slot: &'a Slot,
    state: State,
}

impl Drop for StateOnDrop<'_> {
    fn drop(&mut self) {
        *lock(&self.slot.state) = std::mem::take(&mut self.state);
        self.slot.changed.notify_all();
    }
}

/// Locks a mutex, even if another thread has panicked: no state here is ever inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    fn number(cache: &Cache, name: &str, value: usize) -> usize {
        *cache.get(0, name, || Ok((value, 10))).unwrap()
    }

    #[test]
    fn concurrent_requests_compute_a_value_once() {
        let (cache, computed) = (Cache::with_budget(1 << 20), AtomicUsize::new(0));
        let barrier = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    barrier.wait();
                    for name in ["a", "b", "c"] {
                        let value = cache.get(0, name, || {
                            computed.fetch_add(1, Ordering::SeqCst);
                            thread::sleep(Duration::from_millis(5));
                            Ok((name.to_owned(), 1))
                        });
                        assert_eq!(*value.unwrap(), name);
                    }
                });
            }
        });
        assert_eq!(computed.load(Ordering::SeqCst), 3);
        assert_eq!(cache.bytes(), 3);
    }

    #[test]
    fn no_lock_is_held_while_a_value_is_computed() {
        let cache = Cache::with_budget(1 << 20);
        let both_computing = Barrier::new(2);
        let make = |name: &str| {
            *cache
                .get(0, name, || {
                    both_computing.wait();
                    Ok((1_u8, 1))
                })
                .unwrap()
        };
        thread::scope(|scope| {
            scope.spawn(|| make("a"));
            scope.spawn(|| make("b"));
        });
    }

    #[test]
    fn the_least_recently_used_value_is_evicted_first() {
        let cache = Cache::with_budget(30);
        for name in ["a", "b", "c"] {
            number(&cache, name, 1);
        }
        number(&cache, "a", 2);
        number(&cache, "d", 1);
        assert_eq!(cache.bytes(), 30);
        assert_eq!(number(&cache, "a", 3), 1, "a was used recently and stays");
        assert_eq!(number(&cache, "b", 3), 3, "b was evicted");
    }

    #[test]
    fn a_value_larger_than_the_budget_is_returned_but_not_cached() {
        let cache = Cache::with_budget(5);
        assert_eq!(number(&cache, "a", 1), 1);
        assert_eq!(cache.bytes(), 0);
        assert_eq!(number(&cache, "a", 2), 2);
    }

    #[test]
    fn an_error_is_cached_and_a_panic_is_not() {
        let cache = Cache::with_budget(1 << 20);
        let fail = |message: &str| {
            cache.get::<u8>(0, "x", || Err(Error::malformed(message))).unwrap_err().to_string()
        };
        assert_eq!(fail("first"), "first");
        assert_eq!(fail("second"), "first");
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = cache.get::<u8>(0, "y", || panic!("on purpose"));
        }));
        assert!(panicked.is_err());
        assert_eq!(*cache.get(0, "y", || Ok((7_u8, 1))).unwrap(), 7);
    }

    #[test]
    fn a_circular_reference_is_an_error_instead_of_a_deadlock() {
        let cache = Cache::with_budget(1 << 20);
        let outer = cache.get(0, "a", || {
            let middle = cache.get(0, "b", || {
                let inner = cache.get::<u8>(0, "a", || Ok((1, 1)))?;
                Ok((*inner, 1))
            })?;
            Ok((*middle, 1))
        });
        assert_eq!(outer.unwrap_err().to_string(), "circular reference");
    }

    #[test]
    fn two_mutually_dependent_values_do_not_deadlock() {
        let cache = Cache::with_budget(1 << 20);
        let both_computing = Barrier::new(2);
        let make = |own: &str, other: &str| {
            let computed = cache.get(0, own, || {
                both_computing.wait();
                let needed = cache.get(0, other, || Ok((1_usize, 1)))?;
                Ok((*needed, 1))
            });
            computed.unwrap()
        };
        thread::scope(|scope| {
            scope.spawn(|| make("a", "b"));
            scope.spawn(|| make("b", "a"));
        });
        assert_eq!(cache.bytes(), 2);
    }
}

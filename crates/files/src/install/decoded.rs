//! Things made from files and kept for the next who asks: a texture that fifty rooms share is decoded once.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use record::Error;

/// What is kept: its type and where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    kind: TypeId,
    owner: u64,
    name: String,
}

type Thing = Arc<dyn Any + Send + Sync>;
type Made = Result<Thing, Error>;

/// Keeps what was made, up to a number of bytes; what was not asked for longest goes first.
///
/// Each thing is made once, even when several threads ask at once, and nothing is locked while it is made.
/// A failure is kept like a success.
pub struct Decoded {
    budget: usize,
    shelf: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    slots: HashMap<Key, Kept>,
    /// Made things by when they were last asked for.
    by_use: BTreeMap<u64, Key>,
    bytes: usize,
    clock: u64,
}

struct Kept {
    slot: Arc<Slot>,
    /// Size and last use, once it is made.
    made: Option<(usize, u64)>,
}

/// Where one thing will stand once it is made.
#[derive(Default)]
struct Slot {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    Nobody,
    InWork,
    Done(Made),
}

thread_local! {
    /// What this thread is making, outermost first.
    static IN_WORK: RefCell<Vec<(usize, Key)>> = const { RefCell::new(Vec::new()) };
}

impl Decoded {
    /// How many bytes are kept unless told otherwise.
    pub const BUDGET: usize = 256 << 20;

    /// Keeps up to this many bytes.
    #[must_use]
    pub fn with_budget(budget: usize) -> Self {
        Self { budget, shelf: Mutex::default() }
    }

    /// The thing of type `T` that `owner` (an install, a program) keeps under a name: as kept, or else made now. The maker
    /// also says how many bytes it takes.
    ///
    /// A maker may ask for other things, but must not hand work to other threads and wait for them.
    ///
    /// # Errors
    /// What the maker failed with, now or before; or that the thing needs itself to be made.
    pub fn get<T: Send + Sync + 'static>(
        &self,
        owner: u64,
        name: &str,
        make: impl FnOnce() -> Result<(T, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        let key = Key { kind: TypeId::of::<T>(), owner, name: name.to_owned() };
        let made = self.get_any(&key, || {
            let (thing, size) = make()?;
            let thing: Thing = Arc::new(thing);
            Ok((thing, size))
        })?;
        made.downcast().map_err(|_| Error::usage(format!("{name} is cached as another type")))
    }

    /// How many bytes are kept now.
    #[must_use]
    pub fn bytes(&self) -> usize {
        lock(&self.shelf).bytes
    }

    fn get_any(&self, key: &Key, make: impl FnOnce() -> Result<(Thing, usize), Error>) -> Made {
        let identity = std::ptr::from_ref(self).addr();
        let (own, nested) = IN_WORK.with_borrow(|stack| {
            (stack.iter().any(|(cache, at)| *cache == identity && at == key), !stack.is_empty())
        });
        if own {
            return Err(Error::malformed("circular reference"));
        }
        let slot = self.slot(key);
        let mut state = lock(&slot.state);
        loop {
            match &*state {
                State::Done(made) => {
                    let made = made.clone();
                    drop(state);
                    self.touch(key);
                    return made;
                }
                State::Nobody => break,
                // Two threads that wait for each other's things would wait for ever, so who is making something never waits.
                State::InWork if nested => {
                    drop(state);
                    let _mark = InWork::enter(identity, key);
                    return make().map(|(thing, _)| thing);
                }
                State::InWork => {
                    state = slot.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        *state = State::InWork;
        drop(state);
        self.make_in(key, &slot, identity, make)
    }

    fn make_in(
        &self,
        key: &Key,
        slot: &Arc<Slot>,
        identity: usize,
        make: impl FnOnce() -> Result<(Thing, usize), Error>,
    ) -> Made {
        // Put back when the maker panics, so that nobody waits for ever.
        let mut outcome = Outcome { slot, state: State::Nobody };
        let mark = InWork::enter(identity, key);
        let result = make();
        drop(mark);
        let (made, size) = match result {
            Ok((thing, size)) => (Ok(thing), size),
            Err(error) => (Err(error), key.name.len().saturating_add(256)),
        };
        outcome.state = State::Done(made.clone());
        drop(outcome);
        self.keep(key, slot, size);
        made
    }

    fn slot(&self, key: &Key) -> Arc<Slot> {
        let mut shelf = lock(&self.shelf);
        let kept =
            shelf.slots.entry(key.clone()).or_insert_with(|| Kept { slot: Arc::default(), made: None });
        Arc::clone(&kept.slot)
    }

    /// Notes that a made thing was asked for again.
    fn touch(&self, key: &Key) {
        let mut shelf = lock(&self.shelf);
        let now = shelf.tick();
        let Some(kept) = shelf.slots.get_mut(key) else { return };
        let Some((_, used)) = &mut kept.made else { return };
        let before = std::mem::replace(used, now);
        shelf.by_use.remove(&before);
        shelf.by_use.insert(now, key.clone());
    }

    /// Notes that a thing was made, and lets go of others if there is too much.
    fn keep(&self, key: &Key, slot: &Arc<Slot>, size: usize) {
        let mut shelf = lock(&self.shelf);
        let now = shelf.tick();
        let Some(kept) = shelf.slots.get_mut(key) else { return };
        if !Arc::ptr_eq(&kept.slot, slot) || kept.made.is_some() {
            return;
        }
        kept.made = Some((size, now));
        shelf.by_use.insert(now, key.clone());
        shelf.bytes = shelf.bytes.saturating_add(size);
        while shelf.bytes > self.budget {
            let Some((_, oldest)) = shelf.by_use.pop_first() else { break };
            if let Some(Kept { made: Some((size, _)), .. }) = shelf.slots.remove(&oldest) {
                shelf.bytes = shelf.bytes.saturating_sub(size);
            }
        }
    }
}

impl Default for Decoded {
    fn default() -> Self {
        Self::with_budget(Self::BUDGET)
    }
}

impl fmt::Debug for Decoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decoded({} of {} bytes)", self.bytes(), self.budget)
    }
}

impl Shelf {
    fn tick(&mut self) -> u64 {
        self.clock = self.clock.saturating_add(1);
        self.clock
    }
}

/// Marks what a thread is making for as long as it does.
struct InWork;

impl InWork {
    fn enter(cache: usize, key: &Key) -> Self {
        IN_WORK.with_borrow_mut(|stack| stack.push((cache, key.clone())));
        Self
    }
}

impl Drop for InWork {
    fn drop(&mut self) {
        IN_WORK.with_borrow_mut(|stack| stack.pop());
    }
}

/// Tells everybody who waits what came of the work, even if it ended in a panic.
struct Outcome<'a> {
    slot: &'a Slot,
    state: State,
}

impl Drop for Outcome<'_> {
    fn drop(&mut self) {
        *lock(&self.slot.state) = std::mem::take(&mut self.state);
        self.slot.changed.notify_all();
    }
}

/// A lock that another thread's panic does not close: nothing here is left half-done.
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

    fn number(cache: &Decoded, name: &str, value: usize) -> usize {
        *cache.get(0, name, || Ok((value, 10))).unwrap()
    }

    #[test]
    fn concurrent_requests_compute_a_value_once() {
        let (cache, made) = (Decoded::default(), AtomicUsize::new(0));
        let barrier = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    barrier.wait();
                    for name in ["a", "b", "c"] {
                        let thing = cache.get(0, name, || {
                            made.fetch_add(1, Ordering::SeqCst);
                            thread::sleep(Duration::from_millis(5));
                            Ok((name.to_owned(), 1))
                        });
                        assert_eq!(*thing.unwrap(), name);
                    }
                });
            }
        });
        assert_eq!(made.load(Ordering::SeqCst), 3);
        assert_eq!(cache.bytes(), 3);
    }

    #[test]
    fn no_lock_is_held_while_a_value_is_computed() {
        let cache = Decoded::default();
        let both_at_work = Barrier::new(2);
        let make = |name: &str| {
            *cache
                .get(0, name, || {
                    both_at_work.wait();
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
        let cache = Decoded::with_budget(30);
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
        let cache = Decoded::with_budget(5);
        assert_eq!(number(&cache, "a", 1), 1);
        assert_eq!(cache.bytes(), 0);
        assert_eq!(number(&cache, "a", 2), 2);
    }

    #[test]
    fn an_error_is_cached_and_a_panic_is_not() {
        let cache = Decoded::default();
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
        let cache = Decoded::default();
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
        let cache = Decoded::default();
        let both_at_work = Barrier::new(2);
        let make = |own: &str, other: &str| {
            let made = cache.get(0, own, || {
                both_at_work.wait();
                let needed = cache.get(0, other, || Ok((1_usize, 1)))?;
                Ok((*needed, 1))
            });
            made.unwrap()
        };
        thread::scope(|scope| {
            scope.spawn(|| make("a", "b"));
            scope.spawn(|| make("b", "a"));
        });
        assert_eq!(cache.bytes(), 2);
    }
}

//! Limits on memory in use at the same time: a file in an archive can be a thousand times as long as the archive, and the
//! scene of a map contains the models of an entire archive with all their frames.

use std::sync::{Condvar, Mutex, PoisonError};

use asset::Asset;
use asset::archive::{Archive, unpacked_at_once};

use super::Input;

/// Maximum total size in bytes of large scenes in memory at the same time. With it, converting an entire game stays below 1
/// GB on computers with few processors.
const SCENES: u64 = 720 << 20;

/// A limit on the memory in use at the same time.
#[derive(Debug, Default)]
pub(super) struct MemoryBudget {
    used: Mutex<u64>,
    freed: Condvar,
}

/// Reserved memory, which is released on drop.
#[derive(Debug)]
pub(super) struct Reservation<'a> {
    budget: &'a MemoryBudget,
    size: u64,
}

impl MemoryBudget {
    /// Waits until an input can be unpacked within the budget. An input larger than the entire budget waits until it is the
    /// only one.
    pub(super) fn reserve_for_input(&self, input: &Input) -> Option<Reservation<'_>> {
        let member = input.member()?;
        let entry = member.container.entry(member.index).filter(|entry| entry.length > entry.stored)?;
        Some(self.reserve(entry.length, unpacked_at_once(member.archive_length)))
    }

    /// Waits until the scene of a file can be built within the budget, if the file reports that it is large.
    pub(super) fn reserve_for_scene(&self, asset: &dyn Asset) -> Option<Reservation<'_>> {
        let size = asset.scene_memory();
        (size > 0).then(|| self.reserve(size, SCENES))
    }

    fn reserve(&self, size: u64, most: u64) -> Reservation<'_> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used > 0 && used.saturating_add(size) > most {
            used = self.freed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used = used.saturating_add(size);
        Reservation { budget: self, size }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut used = self.budget.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_sub(self.size);
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn only_a_reservation_larger_than_the_budget_exceeds_it_and_it_is_alone() {
        let (budget, at_once, highest) = (MemoryBudget::default(), AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for size in [3, 4, 3, 25, 4, 2, 25, 0] {
                let (budget, at_once, highest) = (&budget, &at_once, &highest);
                scope.spawn(move || {
                    let reservation = budget.reserve(size, 10);
                    let now = at_once.fetch_add(size, Ordering::SeqCst) + size;
                    assert!(now <= 10 || now == 25, "{now}");
                    highest.fetch_max(now, Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(2));
                    at_once.fetch_sub(size, Ordering::SeqCst);
                    drop(reservation);
                });
            }
        });
        assert_eq!(highest.into_inner(), 25);
        assert_eq!(*budget.used.lock().unwrap(), 0);
    }
}

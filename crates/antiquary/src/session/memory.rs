//! How much may be in memory at once: files in one archive can be a thousand times as long as the archive is, and the scene of a map has the
//! models of a whole archive with all their frames.

use std::sync::{Condvar, Mutex, PoisonError};

use asset::Asset;
use asset::archive::{Archive, unpacked_at_once};

use super::Input;

/// Large scenes that are made at the same time take no more bytes together. A whole game stays within 1 GB on computers with a few processors.
const SCENES: u64 = 720 << 20;

/// Limits what is in memory at the same time.
#[derive(Debug, Default)]
pub(super) struct MemoryBudget {
    used: Mutex<u64>,
    freed: Condvar,
}

/// Memory that is reserved; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Reservation<'a> {
    budget: &'a MemoryBudget,
    size: u64,
}

impl MemoryBudget {
    /// Waits until there is memory to unpack an input. One that is larger than the whole budget waits until it is alone.
    pub(super) fn reserve_for_input(&self, input: &Input) -> Option<Reservation<'_>> {
        let member = input.member()?;
        let entry = member.container.entry(member.index).filter(|entry| entry.length > entry.stored)?;
        Some(self.reserve(entry.length, unpacked_at_once(member.archive_length)))
    }

    /// Waits until there is memory for the scene that a file becomes, where the file says that it is large.
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
    fn no_more_is_unpacked_at_once_than_there_is_room_for_but_for_what_is_larger_alone() {
        let (budget, at_once, highest) = (MemoryBudget::default(), AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for size in [3, 4, 3, 25, 4, 2, 25, 0] {
                let (budget, at_once, highest) = (&budget, &at_once, &highest);
                scope.spawn(move || {
                    let taken = budget.reserve(size, 10);
                    let now = at_once.fetch_add(size, Ordering::SeqCst) + size;
                    assert!(now <= 10 || now == 25, "{now}");
                    highest.fetch_max(now, Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(2));
                    at_once.fetch_sub(size, Ordering::SeqCst);
                    drop(taken);
                });
            }
        });
        assert_eq!(highest.into_inner(), 25);
        assert_eq!(*budget.used.lock().unwrap(), 0);
    }
}

//! How much may be in memory at once: files in one archive can be a thousand times as long as the archive is, and a map has the models of a
//! whole archive with all their frames.

use std::sync::{Condvar, Mutex, PoisonError};

use asset::archive::{Archive, unpacked_at_once};
use asset::{Format, NameKind};

use super::Input;

/// So many maps are made to scenes at once. One with as much in it as the largest of Redguard takes 240 MB; so a whole game stays within 1 GB on
/// computers with a few processors.
const MAPS: u64 = 3;

/// The room for what is in memory at the same time.
#[derive(Debug, Default)]
pub(super) struct Room {
    used: Mutex<u64>,
    freed: Condvar,
}

/// Room that is taken; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Taken<'a> {
    room: &'a Room,
    size: u64,
}

impl Room {
    /// Waits until there is room for an input, where it is packed. One that is larger than all room waits until it is alone.
    pub(super) fn take(&self, input: &Input) -> Option<Taken<'_>> {
        let member = input.member()?;
        let entry = member.container.entry(member.index).filter(|entry| entry.length > entry.stored)?;
        Some(self.take_of(entry.length, unpacked_at_once(member.archive_length)))
    }

    /// Waits until there is room to make a scene, where that is a whole map.
    pub(super) fn take_for_scene(&self, format: &Format) -> Option<Taken<'_>> {
        (format.names.file == Some(NameKind::Map)).then(|| self.take_of(1, MAPS))
    }

    fn take_of(&self, size: u64, most: u64) -> Taken<'_> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used > 0 && used.saturating_add(size) > most {
            used = self.freed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used = used.saturating_add(size);
        Taken { room: self, size }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut used = self.room.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_sub(self.size);
        self.room.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn no_more_is_unpacked_at_once_than_there_is_room_for_but_for_what_is_larger_alone() {
        let (room, at_once, highest) = (Room::default(), AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for size in [3, 4, 3, 25, 4, 2, 25, 0] {
                let (room, at_once, highest) = (&room, &at_once, &highest);
                scope.spawn(move || {
                    let taken = room.take_of(size, 10);
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
        assert_eq!(*room.used.lock().unwrap(), 0);
    }

    #[test]
    fn whole_maps_wait_for_one_another_and_other_files_for_none() {
        let room = Room::default();
        let taken: Vec<_> = (0..MAPS).map(|_| room.take_for_scene(&redguard::world::FORMAT)).collect();
        assert!(taken.iter().all(Option::is_some));
        assert_eq!(*room.used.lock().unwrap(), MAPS);
        assert!(room.take_for_scene(&redguard::world::model::FORMAT).is_none());
        drop(taken);
        assert_eq!(*room.used.lock().unwrap(), 0);
    }
}

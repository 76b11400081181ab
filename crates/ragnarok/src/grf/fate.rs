//! What becomes of the files of an archive with changes.

use std::collections::HashSet;

use asset::archive::{Archive, Change, EntryChange, EntryFate};

use super::{Entry, Grf, name};

/// What becomes of the files, in the order of the changes.
pub(super) fn fates(grf: &Grf, changes: &[Change]) -> Vec<EntryChange> {
    let known: HashSet<String> = grf.entries.iter().map(|entry| name::folded(&entry.text())).collect();
    let own = |index: usize| grf.entries.get(index).map(Entry::text).unwrap_or_default();
    let put = |name: String| {
        let is_known = known.contains(&name::folded(&name.replace('/', "\\")));
        EntryChange { name, what: if is_known { EntryFate::Replaced } else { EntryFate::Added } }
    };
    let fate = |change: &Change| match change {
        Change::Remove(index) => EntryChange { name: own(*index), what: EntryFate::Removed },
        Change::Rename(index, to) => {
            EntryChange { name: own(*index), what: EntryFate::Renamed { to: to.clone() } }
        }
        Change::Put { name, .. } => put(name.clone()),
        Change::Take { from, index } => {
            let other = from.asset().typed::<Grf>().and_then(|other| other.entry(*index));
            put(other.map(|entry| entry.name.into_owned()).unwrap_or_default())
        }
    };
    changes.iter().map(fate).collect()
}

//! The effects of changes on the entries of an archive.

use std::collections::HashSet;

use asset::archive::{Archive, Change, EntryChange, EntryChangeKind};

use super::{Entry, Grf, name};

/// Returns the effect of each change, in the order of the changes.
pub(super) fn entry_changes(grf: &Grf, changes: &[Change]) -> Vec<EntryChange> {
    let names: HashSet<String> = grf.entries.iter().map(|entry| name::folded(&entry.text())).collect();
    let own = |index: usize| grf.entries.get(index).map(Entry::text).unwrap_or_default();
    let put = |name: String| {
        let exists = names.contains(&name::folded(&name.replace('/', "\\")));
        EntryChange { name, what: if exists { EntryChangeKind::Replaced } else { EntryChangeKind::Added } }
    };
    let effect = |change: &Change| match change {
        Change::Remove(index) => EntryChange { name: own(*index), what: EntryChangeKind::Removed },
        Change::Rename(index, to) => {
            EntryChange { name: own(*index), what: EntryChangeKind::Renamed { to: to.clone() } }
        }
        Change::Put { name, .. } => put(name.clone()),
        Change::Take { from, index } => {
            let other = from.asset().typed::<Grf>().and_then(|other| other.entry(*index));
            put(other.map(|entry| entry.name.into_owned()).unwrap_or_default())
        }
    };
    changes.iter().map(effect).collect()
}

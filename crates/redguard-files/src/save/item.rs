//! Item names, from the game's ITEM.INI if available.

use std::collections::BTreeMap;

use asset::{Charset, Context};

use crate::location::Named;

/// The maximum size of an item list in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Item names by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ItemNames(BTreeMap<usize, String>);

impl ItemNames {
    /// Returns the item names of the game that a file belongs to; `None` if there is no list.
    pub(super) fn of_game(context: &Context<'_>) -> Option<Self> {
        let found = Named::Items.find(context)?;
        let source =
            context.install.open(&found.location).ok().filter(|source| source.len() <= MAX_FILE_BYTES)?;
        let names = Self::read(&Charset::Cp437.decode(&source.read_all().ok()?));
        (!names.0.is_empty()).then_some(names)
    }

    /// Reads item names. `name[1] = ?i01` contains the tag of a dialogue line; a comment above it takes precedence.
    fn read(text: &str) -> Self {
        let mut out = BTreeMap::new();
        let mut comment = "";
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(text) = line.strip_prefix(';') {
                comment = text.trim();
                continue;
            }
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            if let Some(number) = number_of(key.trim()) {
                let name = if comment.is_empty() { value.trim() } else { comment };
                // As in all lists of the game, the first entry takes precedence.
                out.entry(number).or_insert_with(|| name.to_owned());
            }
            comment = "";
        }
        Self(out)
    }

    /// Returns the name of an item.
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        self.0.get(&number).map(String::as_str)
    }

    /// Returns the number of items.
    pub(super) fn count(&self) -> usize {
        self.0.keys().next_back().map_or(0, |last| last.saturating_add(1))
    }
}

/// Parses the number in `name[7]`.
fn number_of(key: &str) -> Option<usize> {
    let (name, number) = key.strip_suffix(']')?.split_once('[')?;
    if name.trim().eq_ignore_ascii_case("name") { number.trim().parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_named_by_comments_and_the_first_entry_wins() {
        let text = "[items]\r\n; list\r\nother = 1\r\n\r\n; compass \r\nNAME[0] = ?i00\r\ntype[0]=0\r\nname[2]=?i02\r\n; x\r\nname[0] = y\r\n";
        let names = ItemNames::read(text);
        assert_eq!((names.get(0), names.get(1), names.get(2)), (Some("compass"), None, Some("?i02")));
        assert_eq!((names.count(), ItemNames::default().count()), (3, 0));
    }
}

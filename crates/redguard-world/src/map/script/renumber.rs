//! Updating of the numbers in scripts when the tables of their actor change.

use record::Bytes;
use soup::Definitions;
use soup::bytecode::{Operands, Script};

use crate::map::assembled::AssembledObject;

/// The opcode of a text among the arguments of a hook.
const TEXT: u8 = 0x15;

/// An object's state before an edit, and its reduced counts after it.
pub(in crate::map) struct Change<'a> {
    /// The name of the object.
    pub(in crate::map) name: &'a str,
    /// The previous texts.
    pub(in crate::map) texts: &'a [String],
    /// The new number of variables, if it decreased.
    pub(in crate::map) variables: Option<usize>,
    /// The new number of locations, if it decreased.
    pub(in crate::map) locations: Option<usize>,
}

/// Returns the new index of each text: the index of the same text if there is one, otherwise of the text that replaced it; `None` if it was
/// removed.
fn moved(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    let new_index = |(index, text): (usize, &String)| {
        let current = new.get(index);
        if current == Some(text) {
            return Some(index);
        }
        let same = new.iter().position(|it| it == text);
        same.or_else(|| current.filter(|it| !old.contains(it)).map(|_| index))
    };
    old.iter().enumerate().map(new_index).collect()
}

/// Whether a function takes the number of a location of its actor.
fn takes_location(function: u16) -> bool {
    let name = Definitions::shipped().function(function).map_or("", |it| it.name.as_str());
    name.ends_with("Loc") || name.contains("Location") && !name.contains("Node")
}

impl Change<'_> {
    /// Updates the text numbers in the script and the hook of an object.
    ///
    /// # Errors
    /// Returns a message with the removed item and the position of its use.
    pub(in crate::map) fn apply(&self, object: &mut AssembledObject) -> Result<(), String> {
        let Some(bytes) = object.script.as_ref().filter(|script| !script.is_empty()) else { return Ok(()) };
        let texts = moved(self.texts, object.texts.as_deref().unwrap_or_default());
        let is_unchanged = texts.iter().enumerate().all(|(index, it)| *it == Some(index));
        if is_unchanged && self.variables.is_none() && self.locations.is_none() {
            return Ok(());
        }
        let mut script = Script::read(bytes, object.script_start, Operands::Engine);
        let refuse = |what: &str, at: u32| {
            Err(format!("{}: a {what} was removed, but its script still uses it at 0x{at:x}", self.name))
        };
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        if let Some(at) = self.variables.and_then(|it| script.uses_local_from(count(it))) {
            return refuse("variable", at);
        }
        if let Some(at) = self.locations.and_then(|it| script.calls_with_from(count(it), &takes_location)) {
            return refuse("location", at);
        }
        if is_unchanged {
            return Ok(());
        }
        let new = |old: u32| match usize::try_from(old).ok().and_then(|old| texts.get(old)) {
            Some(new) => new.and_then(|new| u32::try_from(new).ok()),
            // The number was invalid before, and remains so.
            None => Some(old),
        };
        if let Err(at) = script.renumber_texts(&new) {
            return refuse("text", at);
        }
        for argument in object.hook.iter_mut().flat_map(|hook| &mut hook.arguments) {
            if argument.opcode == TEXT
                && let Ok(old) = u32::try_from(argument.value)
            {
                let new = new(old).and_then(|new| i32::try_from(new).ok());
                let removed = || format!("{}: a text was removed, but its hook still uses it", self.name);
                argument.value = new.ok_or_else(removed)?;
            }
        }
        object.script = Some(Bytes::from(script.write()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_text_is_found_and_a_changed_text_keeps_its_number() {
        let texts = |names: &str| names.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let table: [(&str, &str, &[Option<usize>]); 6] = [
            ("a b c", "a b c d", &[Some(0), Some(1), Some(2)]),
            ("a b c", "c b a", &[Some(2), Some(1), Some(0)]),
            ("a b c", "b c", &[None, Some(0), Some(1)]),
            ("a b c", "x c", &[Some(0), None, Some(1)]),
            ("a b a", "b a", &[Some(1), Some(0), Some(1)]),
            ("a b", "z y", &[Some(0), Some(1)]),
        ];
        for (old, new, expected) in table {
            assert_eq!(moved(&texts(old), &texts(new)), expected, "{old} -> {new}");
        }
    }
}

//! Scripts as text: one statement a line.
//!
//! ```text
//! actor "DREEKIUS" #12
//!
//! L0000:
//! if After_League = 1 and Me.pos.vx > var0 {
//!     RTX('dr01')    ; "Well met."
//!     goto L0000
//! }
//! end
//! ```
//!
//! | text | means |
//! | --- | --- |
//! | `NAME(...)` | a call that runs as the function is declared; `task`, `multitask` or `function` before it says otherwise |
//! | `Me.NAME(...)`, `"DOOR".NAME(...)` | a call for another object: `Me`, `Player`, `Camera`, a name, a local; `opcode task` or `opcode function` where it has the unusual one of its two opcodes |
//! | `After_League`, `var0`, `Me.pos.vx` | a flag, a local variable, a property |
//! | `flag_12`, `function_12`, `ref_12`, `string_12` | what has no name that could stand there |
//! | `#NAME`, `#"NAME"` | the number of a flag, attribute, animation group, item or map, where an argument is one |
//! | `'dr01'` | the number of a dialogue label |
//! | `5`, `alt 5` | a number; the second with the opcode that calls about flags use |
//! | `++x`, `--x` | in a condition: changed before it is compared |
//! | `if ... {` `} else {` `}` | a block; in front of `else` stands a goto behind the whole. `} else if ... {` goes on in the same way |
//! | `while ... {` `}` | a block with a goto to its condition at its end |
//! | `loop {` `}` | statements with a goto to the first of them at their end |
//! | `break`, `continue` | a goto behind the innermost loop, or to its beginning |
//! | `L0000:` | a label; `L0000+2` is two bytes behind its statement |
//! | `start:` | where the main run begins, if that is not the beginning |
//! | `end` | the run ends; the next one begins at the beginning, or at a label |
//! | `scriptrv 3` | the statement below is skipped unless the script-return byte is 3 |
//! | `bytes 08 ff` | what cannot be read as a statement |
//!
//! [`Script::text`](crate::Script::text) writes gotos as gotos; [`Script::structured_text`](crate::Script::structured_text) writes `else` and loops
//! where these stand for exactly the gotos that the script has. All of them can be read in any text, among gotos and labels.
//!
//! Formulas are computed strictly from left to right. What follows `;` is a comment.

mod format;
pub(crate) mod lex;
mod parse;
pub(crate) mod structure;
#[cfg(test)]
mod tests;
mod word;
mod write;

use std::collections::HashMap;

use crate::Lexicon;

pub use format::{formatted, without_labels};
pub use parse::{Parsed, Problem, actor_of};
pub(crate) use write::quoted;
pub use write::{Text, call_text, place_label};

/// What a script's text depends on besides its bytes.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The names of the game.
    pub lexicon: &'a Lexicon,
    /// The name of the actor.
    pub actor: &'a str,
    /// The number of the actor in its map.
    pub index: usize,
    /// The texts of the actor, by number.
    pub texts: &'a [String],
    /// What is spoken with a dialogue label.
    pub spoken: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> Surroundings<'a> {
    /// The number of each text; of equal ones the first.
    pub(crate) fn text_numbers(&self) -> HashMap<String, u32> {
        let mut out = HashMap::new();
        for (number, text) in (0..).zip(self.texts) {
            out.entry(text.clone()).or_insert(number);
        }
        out
    }

    /// How many there are of each text.
    pub(crate) fn text_counts(&self) -> HashMap<&'a str, usize> {
        let mut out: HashMap<&str, usize> = HashMap::new();
        for text in self.texts {
            let count = out.entry(text).or_default();
            *count = count.saturating_add(1);
        }
        out
    }
}

impl std::fmt::Debug for Surroundings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surroundings")
            .field("actor", &self.actor)
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

/// The four characters of a dialogue label, the first one lowest.
pub(crate) fn label_of(number: i32) -> Option<String> {
    let bytes = number.to_le_bytes();
    let is_plain = |it: &u8| it.is_ascii_graphic() && *it != b'\'' || *it == b' ';
    bytes.iter().all(is_plain).then(|| bytes.iter().copied().map(char::from).collect())
}

//! Scripts as source text with one statement per line.
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
//! | text | meaning |
//! | --- | --- |
//! | `NAME(...)` | a call with the declared dispatch of the function, unless `task`, `multitask` or `function` precedes it |
//! | `Me.NAME(...)`, `"DOOR".NAME(...)` | a call on another object: `Me`, `Player`, `Camera`, a name, a local; `opcode task` or `opcode function` for the less common of its two opcodes |
//! | `After_League`, `var0`, `Me.pos.vx` | a flag, a local variable, a property |
//! | `flag_12`, `function_12`, `ref_12`, `string_12` | an item without a usable name, by number |
//! | `#NAME`, `#"NAME"` | the number of a flag, attribute, animation group, item or map, in an argument of that kind |
//! | `'dr01'` | the number of a dialogue label |
//! | `5`, `alt 5` | a number; the second form has the opcode that calls about flags use |
//! | `++x`, `--x` | in a condition: incremented or decremented before the comparison |
//! | `if ... {` `} else {` `}` | a block; a goto to the end of all branches precedes `else`. `} else if ... {` works in the same way |
//! | `while ... {` `}` | a block that ends with a goto to its condition |
//! | `loop {` `}` | statements that end with a goto to the first of them |
//! | `break`, `continue` | a goto to the end or the beginning of the innermost loop |
//! | `L0000:` | a label; `L0000+2` is two bytes after the start of its statement |
//! | `start:` | the start of the main run, if it is not the beginning |
//! | `end` | ends the run; the next one starts at the beginning, or at a label |
//! | `scriptrv 3` | skips the next statement unless the script-return byte is 3 |
//! | `bytes 08 ff` | bytes that are not a valid statement |
//!
//! [`Script::text`](crate::Script::text) writes gotos as gotos; [`Script::structured_text`](crate::Script::structured_text) writes `else`
//! and loops where they correspond exactly to gotos of the script. Both forms can be mixed in one source text.
//!
//! Formulas are evaluated strictly from left to right. A `;` starts a comment.

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
pub use write::{Text, call_text, label_at};

/// The context that source text depends on, in addition to the bytes of the script.
#[derive(Clone, Copy)]
pub struct SourceContext<'a> {
    /// The names of the game.
    pub lexicon: &'a Lexicon,
    /// The name of the actor.
    pub actor: &'a str,
    /// The number of the actor in its map.
    pub index: usize,
    /// The texts of the actor, by number.
    pub texts: &'a [String],
    /// Returns the spoken text of a dialogue label.
    pub spoken: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> SourceContext<'a> {
    /// Returns the number of each text; the first one for duplicates.
    pub(crate) fn text_numbers(&self) -> HashMap<String, u32> {
        let mut out = HashMap::new();
        for (number, text) in (0..).zip(self.texts) {
            out.entry(text.clone()).or_insert(number);
        }
        out
    }

    /// Returns the number of occurrences of each text.
    pub(crate) fn text_counts(&self) -> HashMap<&'a str, usize> {
        let mut out: HashMap<&str, usize> = HashMap::new();
        for text in self.texts {
            let count = out.entry(text).or_default();
            *count = count.saturating_add(1);
        }
        out
    }
}

impl std::fmt::Debug for SourceContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SourceContext")
            .field("actor", &self.actor)
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

/// Returns the four characters of a dialogue label, the first one in the lowest byte.
pub(crate) fn label_of(number: i32) -> Option<String> {
    let bytes = number.to_le_bytes();
    let is_plain = |it: &u8| it.is_ascii_graphic() && *it != b'\'' || *it == b' ';
    bytes.iter().all(is_plain).then(|| bytes.iter().copied().map(char::from).collect())
}

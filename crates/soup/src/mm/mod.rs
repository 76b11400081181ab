//! Reads and writes the text format of Redguard Mod Manager.
//!
//! ```text
//! Maps\ISLAND.RGM
//! IDs: 1, 27
//!
//! var2 = 5
//!
//! attr_health = 100
//!
//! DREEKIUS (Execution starts at #0E)
//! {
//!   if After_League = 1 and var0++ > 2
//!   {
//!     RTX("dr01") // Dlg dr01 = Well met.
//!   }
//!
//!   #0E:
//!   Goto #0E
//! }
//! ```
//!
//! | text | meaning |
//! | --- | --- |
//! | `#0E:` | a label: the offset of the next statement, as two or more hexadecimal digits |
//! | `Goto`, `End` without label | continues at the beginning |
//! | `NAME(...)` | runs as a task if it is declared as one, else as a function; `@NAME(...)` as a multitask |
//! | `door.NAME(...)` | a call on the object with this name; opcode 19 for tasks, 1A for functions |
//! | `var0++` | in a condition: changed before the comparison |
//! | `"dr01"`, `"a text"` | a dialogue label where a function takes one, otherwise a text of the actor |
//! | `<Guard Sword>`, `<ISLAND>` | the number of an item or a map |
//! | `*`, `/` | operators 4 and 3, which divide and multiply: they are swapped |
//! | `if <ScriptRv> = 1` | the only statement in its block is skipped unless the script-return byte is 1 |
//! | `<TaskPause(#05)>` | 1B, which stops the task whose operands are at the offset |
//! | `<Anchor>=5` | sets the anchor |
//!
//! Statements that this format cannot express are reported as findings and written as a comment or as the closest equivalent. Source text
//! is assembled for the game, not as Mod Manager would; differences cause warnings.
//!
//! Source: Dillonn241/redguard-mod-manager, for the keywords; no file written by it is public.

mod lex;
mod parse;
#[cfg(test)]
mod tests;
mod write;

pub use parse::{ActorText, Assignment, Parsed, split};
pub use write::{ActorFacts, header};

use crate::Lexicon;
use crate::bytecode::{Dispatch, ObjectOpcode};
use crate::definitions::FunctionKind;
use crate::lexicon::Role;

/// Returns the declared kind of a function.
fn kind_of(lexicon: &Lexicon, function: u16) -> FunctionKind {
    lexicon.definitions.function(function).map_or(FunctionKind::Function, |it| it.kind)
}

/// Returns the dispatch of a call from its declaration and whether `@` precedes it.
fn dispatch_of(lexicon: &Lexicon, function: u16, is_multitask: bool) -> Dispatch {
    match kind_of(lexicon, function) {
        _ if is_multitask => Dispatch::Multitask,
        FunctionKind::Task => Dispatch::Task,
        FunctionKind::Multitask | FunctionKind::Function => Dispatch::Function,
    }
}

/// Returns the opcode of a call on another object.
fn opcode_of(lexicon: &Lexicon, function: u16) -> ObjectOpcode {
    match kind_of(lexicon, function) {
        FunctionKind::Function => ObjectOpcode::Function,
        FunctionKind::Task | FunctionKind::Multitask => ObjectOpcode::Task,
    }
}

/// Returns whether numeric arguments of a function have opcode 16.
fn takes_flag(lexicon: &Lexicon, function: u16) -> bool {
    lexicon.role(function, 0) == Some(Role::Flag)
}

/// Returns whether quoted arguments of a function are dialogue labels.
fn takes_label(lexicon: &Lexicon, function: u16) -> bool {
    lexicon.role(function, 0) == Some(Role::Dialogue)
}

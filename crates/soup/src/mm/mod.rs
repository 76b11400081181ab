//! The text of Redguard Mod Manager, written and read.
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
//! | text | means |
//! | --- | --- |
//! | `#0E:` | a label: the offset of the statement below, as two or more hexadecimal digits |
//! | `Goto`, `End` without label | to the beginning |
//! | `NAME(...)` | runs as a task if it is declared as one, else as a function; `@NAME(...)` as a multitask |
//! | `door.NAME(...)` | a call for the object with this name; opcode 19 for tasks, 1A for functions |
//! | `var0++` | in a condition: changed before it is compared |
//! | `"dr01"`, `"a text"` | a dialogue label where a function takes one, else a text of the actor |
//! | `<Guard Sword>`, `<ISLAND>` | the number of an item or a map |
//! | `*`, `/` | operators 4 and 3, which divide and multiply: they are swapped |
//! | `if <ScriptRv> = 1` | the one statement in its block is skipped unless the script-return byte is 1 |
//! | `<TaskPause(#05)>` | 1B, which stops the task with its operands there |
//! | `<Anchor>=5` | sets the anchor |
//!
//! What this text has no words for is told as a finding and written as a comment or as what comes nearest. Texts are assembled to what the game reads,
//! not to what Mod Manager would write; where these differ there is a warning.
//!
//! Sources: Dillonn241/redguard-mod-manager, for the words; no file that it wrote is public.

mod lex;
mod parse;
#[cfg(test)]
mod tests;
mod write;

pub use parse::{ActorText, Given, Parsed, split};
pub use write::{ActorFacts, header};

use crate::Lexicon;
use crate::bytecode::{Dispatch, ObjectOpcode};
use crate::definitions::FunctionKind;
use crate::lexicon::Role;

/// How a function is declared.
fn kind_of(lexicon: &Lexicon, function: u16) -> FunctionKind {
    lexicon.definitions.function(function).map_or(FunctionKind::Function, |it| it.kind)
}

/// How a call runs, by its declaration and whether `@` stands before it.
fn dispatch_of(lexicon: &Lexicon, function: u16, is_multitask: bool) -> Dispatch {
    match kind_of(lexicon, function) {
        _ if is_multitask => Dispatch::Multitask,
        FunctionKind::Task => Dispatch::Task,
        FunctionKind::Multitask | FunctionKind::Function => Dispatch::Function,
    }
}

/// The opcode of a call for another object.
fn opcode_of(lexicon: &Lexicon, function: u16) -> ObjectOpcode {
    match kind_of(lexicon, function) {
        FunctionKind::Function => ObjectOpcode::Function,
        FunctionKind::Task | FunctionKind::Multitask => ObjectOpcode::Task,
    }
}

/// Whether the numbers among the arguments of a function have opcode 16.
fn takes_flag(lexicon: &Lexicon, function: u16) -> bool {
    lexicon.role(function, 0) == Some(Role::Flag)
}

/// Whether quotes among the arguments of a function are around dialogue labels.
fn takes_label(lexicon: &Lexicon, function: u16) -> bool {
    lexicon.role(function, 0) == Some(Role::Dialogue)
}

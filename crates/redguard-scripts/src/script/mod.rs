//! Conversion of scripts to text and back.

mod assemble;
mod dialect;
pub(crate) mod editor;
mod language;
mod listing;
pub mod raw;
mod references;
mod replacement;
#[cfg(test)]
mod tests;

use asset::{Asset, Choice, Context};
use record::{Error, Result, Source};
use redguard_world::map::Map;
use soup::bytecode::Operands;

pub use self::{
    assemble::assemble,
    dialect::Dialect,
    language::{ScriptTextOptions, SpokenLine, disassemble, find, lines},
    listing::Disassembly,
    references::{KINDS, Reference, Target, references},
    replacement::SourceText,
};

/// The option `--soup-operands`.
pub(crate) const OPERANDS: Choice<Operands> = Choice::new(
    "soup-operands",
    "Operand encoding of conditions.",
    &[
        ("game", "the game's own compiler"),
        ("mm", "Redguard Mod Manager: a zero follows each change, and properties on the right have no byte"),
    ],
    &[Operands::Engine, Operands::ModManager],
);

/// The context of a map with scripts.
#[derive(Debug, Clone)]
pub struct ScriptContext<'a> {
    /// The game.
    pub context: Context<'a>,
    /// The name of the file, without folders.
    pub file_name: &'a str,
    /// A definition file that replaces the game's own.
    pub definitions: Option<&'a Source>,
}

/// Returns the map that an asset contains.
///
/// # Errors
/// Returns an error if the asset is not a map.
pub fn map_of(asset: &dyn Asset) -> Result<&Map> {
    asset.typed::<Map>().ok_or_else(|| Error::usage("not a map"))
}

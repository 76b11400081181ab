//! `antiquary script lsp`: help for editors.

use std::io::{self, BufReader};
use std::path::PathBuf;

use clap::Args;
use script_tools::lsp::Settings;

use crate::fault::{Fault, Verdict};
use crate::run::session;
use crate::terminal;

/// Help an editor with texts of scripts (language server)
///
/// Editors start this by themselves and exchange messages with it over standard input and output, by the Language Server Protocol. It shows problems while
/// you type, completes and explains names, follows them through the whole game, renames and formats.
///
/// The texts of an unpacked map know their map. For others, a game folder or a map can be given here or in the settings of the editor (game, map, def).
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "What an editor has to start" => "script lsp",
    "Texts of a folder that is no unpacked map" => "script lsp --map Redguard/maps/ISLAND.RGM",
))]
pub(super) struct Arguments {
    /// The map that the texts belong to
    #[arg(long, value_name = "MAP")]
    map: Option<PathBuf>,
    /// Take the names of functions, properties and flags from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// The game folder; can be repeated, earlier ones take precedence
    ///
    /// By default, the game that contains each text is detected by its layout.
    #[arg(long = "game", value_name = "DIR", display_order = 400)]
    games: Vec<PathBuf>,
    /// Exchange messages over standard input and output, as is always done
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<Verdict, Fault> {
    let Arguments { map, definitions, games, stdio: _ } = arguments;
    let settings = Settings { games, map, definitions };
    let input = BufReader::new(io::stdin());
    let mut output = terminal::raw_output();
    let ended = script_tools::lsp::run(&session(), settings, input, &mut output)?;
    Fault::ended(ended)
}

//! `antiquary script lsp`: the language server.

use std::io::{self, BufReader};
use std::path::PathBuf;

use clap::Args;
use script_tools::lsp::Settings;

use crate::fault::{Fault, Verdict};
use crate::run::session;
use crate::terminal;

/// Start the language server for script files and settings files
///
/// Editors start this command and communicate with it over standard input and output, using the Language Server Protocol. It reports
/// problems as you type, completes and explains names, finds their definitions and uses in the entire game, renames them, and formats
/// script files. In settings files, such as SYSTEM.INI, it reports problems, and completes and explains sections, keys and values.
///
/// For script files in an unpacked map, the map is known. For others, specify a game folder or a map here or in the settings of the editor
/// (game, map, def).
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Start the server, as an editor does" => "script lsp",
    "Edit script files outside of an unpacked map" => "script lsp --map Redguard/maps/ISLAND.RGM",
))]
pub(super) struct Arguments {
    /// Map that the script files belong to
    #[arg(long, value_name = "MAP")]
    map: Option<PathBuf>,
    /// Read the names of functions, properties and flags from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// Game folder; can be repeated (earlier ones take precedence)
    ///
    /// By default, the game that contains each file is detected by its layout.
    #[arg(long = "game", value_name = "DIR", display_order = 400)]
    games: Vec<PathBuf>,
    /// Communicate over standard input and output; always enabled
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<Verdict, Fault> {
    let Arguments { map, definitions, games, stdio: _ } = arguments;
    let settings = Settings { games, map, definitions };
    let input = BufReader::new(io::stdin());
    let mut output = terminal::raw_output();
    let shutdown = script_tools::lsp::run(&session(), settings, input, &mut output)?;
    Fault::from_shutdown(shutdown)
}

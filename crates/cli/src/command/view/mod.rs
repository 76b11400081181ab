//! `antiquary view`: the explorer, a page in the browser.

mod connection;
mod gate;
mod page;
mod server;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use antiquary::{CATALOG, Error};
use clap::Args;
use explorer::Explorer;

use crate::fault::{Fault, Verdict};
use crate::run::links;
use crate::terminal;
use gate::Gate;
use server::Server;

/// Browse games in a web browser
///
/// Opens a page that shows all content of game folders and archives: scenes, images, sounds, fonts, tables, texts, and every field next to
/// its bytes. Nothing is written, and no data leaves this computer: the page is served to this computer only, at an address that cannot be
/// guessed, and loads nothing from other servers. Press Ctrl+C to quit.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Browse a game" => "view games/{game}",
    "Browse two games at once" => "view games/redguard games/{game}",
    "Browse an archive" => "view data.{archive}",
    "Show one file" => "view example.{extension}",
    "Print the address instead of opening a browser" => "view games/{game} --no-open --port 8080",
))]
pub(crate) struct Arguments {
    /// Game folders, other folders, archives or files
    #[arg(value_name = "GAME", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
    /// Listen on this port; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Fault> {
    let explorer = Arc::new(Explorer::open(CATALOG, &arguments.paths, links())?);
    let first = explorer.named_files().next();
    let gate = Gate::new(first.map(|file| format!("#/{}", page::in_hash(&file))).unwrap_or_default())?;
    let server = Server::bind(arguments.port, gate, explorer)?;
    let mut out = terminal::output();
    writeln!(out, "{}", server.address())?;
    out.flush()?;
    terminal::message(|out| match page::is_built() {
        true => writeln!(out, "Press Ctrl+C to quit."),
        false => {
            writeln!(out, "This program was built without its web page; open the address for instructions.")
        }
    });
    if !arguments.no_open && page::is_built() && opener::open_browser(server.one_time_address()?).is_err() {
        terminal::message(|out| writeln!(out, "No browser could be started; open the address manually."));
    }
    server.run()?;
    Ok(Verdict::Success)
}

/// An error of setting up the server.
fn failed(what: &str, error: &std::io::Error) -> Error {
    Error::new(antiquary::Kind::Io, format!("{what}: {error}"))
}

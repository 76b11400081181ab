//! Decodes every image of a game on all processors. An image that cannot be decoded does not stop the others.
//!
//! ```console
//! $ cargo run --release --example every_image -- Redguard
//! ```
#![allow(clippy::print_stdout, reason = "prints its result")]
#![allow(unreachable_pub, reason = "tests call it")]

use std::path::Path;
use std::sync::mpsc::channel;

use antiquary::{Error, Game};

/// Returns a line for each image, including those that cannot be decoded, sorted.
pub fn lines(game: &Path) -> Result<Vec<String>, Error> {
    let (sender, receiver) = channel();
    Game::open(game)?.par_images(|image| {
        let line = match image {
            Ok(image) => format!("{}: {} bytes", image.name(), image.to_rgba8().pixels().len()),
            Err(error) => error.to_string(),
        };
        let _ = sender.send(line);
    });
    drop(sender);
    let mut lines: Vec<_> = receiver.iter().collect();
    lines.sort();
    Ok(lines)
}

#[allow(dead_code, reason = "tests call what it calls")]
fn main() -> Result<(), Error> {
    let game = std::env::args_os()
        .nth(1)
        .ok_or_else(|| Error::usage("expected one argument: the folder of a game"))?;
    lines(game.as_ref())?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

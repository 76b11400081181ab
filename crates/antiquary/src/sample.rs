//! Small sample games, made by our own writers: the demo, the fixtures of tests, the input of benchmarks.

use asset::sink::Below;
use asset::{Error, Sink};

use crate::catalogue::Catalogue;

/// Writes the sample of every game into a folder of the sink that is named by the game's id.
///
/// # Errors
/// When the sink fails.
pub fn write(catalogue: Catalogue, sink: &mut dyn Sink) -> Result<(), Error> {
    for game in catalogue.games() {
        (game.sample)(&mut Below::new(sink, game.id))?;
    }
    Ok(())
}

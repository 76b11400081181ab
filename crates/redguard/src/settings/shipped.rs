//! What the shipped game has, so that one sees where an install differs.
//!
//! Sources: the tests of bethesda-multitool on a retail install; redguard-preservation.

use std::collections::BTreeSet;
use std::sync::Arc;

use asset::{Context, Install, Location, thousands};

use crate::sound::rtx::Dialogue;

/// The file with the dialogue.
pub(super) const DIALOGUE: &str = "ENGLISH.RTX";

/// A game with so many maps is meant to be whole.
const WHOLE: usize = 20;

/// The maps of a game; none where there are too few for a whole game.
pub(crate) fn maps(install: &Install) -> Vec<Location> {
    let mut files = install.folder("maps").files();
    files.retain(|file| file.path().name().to_ascii_lowercase().ends_with(".rgm"));
    if files.len() < WHOLE { Vec::new() } else { files }
}

/// Whether the game around a file is meant to be whole.
pub(super) fn is_whole(context: &Context<'_>) -> bool {
    !maps(context.install).is_empty()
}

/// How something differs from the shipped game.
pub(crate) fn difference(what: &str, found: u64, shipped: u64) -> Option<String> {
    (found != shipped).then(|| format!("{what}: {} (shipped game: {})", thousands(found), thousands(shipped)))
}

/// The labels of all lines of dialogue of the game around a file; `None` where there is no dialogue that can be read.
pub(super) fn labels(context: &Context<'_>) -> Option<Arc<BTreeSet<String>>> {
    let found = context.install.find(DIALOGUE).found()?;
    let read = || {
        let dialogue = Dialogue::read(&context.install.open(&found.location)?)?;
        let lines = dialogue.pieces.iter().filter_map(|piece| piece.line());
        let labels: BTreeSet<String> = lines.map(|line| line.tag.to_string()).collect();
        let size = labels.len().saturating_mul(64);
        Ok((labels, size))
    };
    context.install.decoded(&found.location, "labels", read).ok()
}

//! Conversion of a file of the game to GLB.

use std::path::Path;

use asset::{Asset, Context, Format, Install, MemorySink, Options, Report, Target};

static GAMES: &[&asset::GameInfo] = &[&antiquary_scpcb::GAME];

/// Converts a file with options, by name and value.
pub(crate) fn glb(
    format: &Format,
    asset: &dyn Asset,
    path: &Path,
    given: &[(&str, &str)],
    scale: f64,
) -> Vec<u8> {
    let install = asset::game::install_around(path, GAMES).unwrap_or_else(|_| Install::empty());
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(format.options, &given).unwrap();
    let context = Context { install: &install, location: install.location_of(path), options: &options };
    let mut sink = MemorySink::new();
    // The name is a class of rooms, too.
    let target = Target::new("model", scale);
    format.convert(asset, "glb", &context, target, &mut sink, &mut Report::new()).unwrap();
    sink.get("model.glb").unwrap().to_vec()
}

//! Small sample games, generated with the library's own writers, for the demo, test fixtures and benchmarks. Also tiny
//! specimens, one for each format and version, for golden dumps and as seeds for fuzzing.

use asset::{Error, Sink};
use files::sink::Subfolder;

use crate::catalog::Catalog;

/// Writes the sample of every game into a folder of the sink named after the game's id.
///
/// # Errors
/// Fails if the sink fails.
pub fn write(catalog: Catalog, sink: &mut dyn Sink) -> Result<(), Error> {
    for game in catalog.games() {
        (game.sample)(&mut Subfolder::new(sink, game.id))?;
    }
    Ok(())
}

/// Writes tests of the sample scripts into `tests`, next to the folders of the games.
///
/// # Errors
/// Fails if the sink fails.
pub fn script_tests(sink: &mut dyn Sink) -> Result<(), Error> {
    let tests = [
        ("tests/greeting.souptest.toml", include_str!("sample/greeting.souptest.toml")),
        ("tests/round.souptest.toml", include_str!("sample/round.souptest.toml")),
        ("tests/talk.souptest.toml", include_str!("sample/talk.souptest.toml")),
    ];
    tests.into_iter().try_for_each(|(name, text)| sink.put(name, text.as_bytes()))
}

/// Writes a file of a few hundred bytes for each format, and for each of its versions, dialects and packings:
/// `redguard/3d/v2.6.3d`. The folders are the parts of the format's id.
///
/// # Errors
/// Fails if the sink fails.
pub fn specimens(sink: &mut dyn Sink) -> Result<(), Error> {
    #[cfg(feature = "scpcb")]
    scpcb::sample::specimens(&mut Subfolder::new(sink, "scpcb"))?;
    #[cfg(feature = "ragnarok")]
    ragnarok::sample::specimens(&mut Subfolder::new(sink, "ragnarok"))?;
    #[cfg(feature = "redguard")]
    redguard::sample::specimens(&mut Subfolder::new(sink, "redguard"))?;
    media::specimens(sink)
}

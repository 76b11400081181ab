//! A small file of each format and version, as input for golden dumps and the fuzzing corpus.

pub(crate) mod picture;
pub(crate) mod sound;

use asset::Sink;
use files::sink::Subfolder;
use record::Result;

/// Writes the files, each to a folder that is named after the parts of its format's id.
///
/// # Errors
/// The errors of the sink.
pub fn specimens(sink: &mut dyn Sink) -> Result<()> {
    sound::specimens(&mut Subfolder::new(sink, "audio"))?;
    picture::specimens(&mut Subfolder::new(sink, "paint"))
}

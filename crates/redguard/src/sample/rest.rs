//! The small files of the game's folder: cheats, settings, pictures of other programs, a saved game.

use asset::Sink;
use record::Result;

use crate::cht::Cheats;

pub(super) fn write(sink: &mut dyn Sink) -> Result<()> {
    sink.put("REDGUARD.CHT", &Cheats { magiccarpet: 1, ..Cheats::default() }.write()?)
}

//! Other voices and texts for a line.

use asset::Report;
use record::{Error, Result, Source};
use scene::sound::Sound;

use super::model::{Content, Dialogue, Piece, Voice, encode};
use super::warning::SOUND;
use crate::sound::{Room, SoundHeader, take_wav};

/// No longer text is read. What the game shows is a few hundred characters.
const LONGEST_TEXT: u64 = 16 << 20;

/// The volume of all voices of the game.
const VOLUME: u8 = 100;

impl Dialogue {
    /// The volume that a new voice gets: that of the first there is.
    pub(super) fn usual_volume(&self) -> u8 {
        let voices = self.pieces.iter().filter_map(Piece::line).filter_map(|line| line.payload.voice());
        voices.map(|voice| voice.header.volume).next().unwrap_or(VOLUME)
    }
}

/// A line with another voice. One that had none gets one of this volume.
pub(super) fn voice(old: &Content, sound: &Sound, volume: u8, report: &mut Report) -> Result<Content> {
    let before = old.voice.as_ref().map(|voice| voice.header);
    let mut header = before.unwrap_or_else(|| SoundHeader::new(sound.form, volume));
    take_wav(&mut header, sound, Room::Mono, &SOUND, report)?;
    let pcm = Source::from(sound.data.clone());
    Ok(Content { voice: Some(Voice { header, pcm }), ..old.clone() })
}

/// A line with another text, in UTF-8. Editors end a file with a line break that is not meant: it is not taken unless the old text ends in
/// one too.
pub(super) fn text(old: &Content, new: &Source) -> Result<Content> {
    if new.len() > LONGEST_TEXT {
        return Err(Error::limit(format!("a text of {} bytes; at most {LONGEST_TEXT} are read", new.len())));
    }
    let bytes = new.read_all()?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let at = u64::try_from(error.valid_up_to()).unwrap_or(0);
        Error::usage("a line takes a WAV, or a text in UTF-8; this is neither").at(at)
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = if old.text.ends_with(b"\n") {
        text
    } else {
        text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
    };
    Ok(Content { text: encode(text)?, ..old.clone() })
}

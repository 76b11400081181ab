//! Replaces the voice or text of a line.

use asset::Report;
use record::{Error, Result, Source};
use scene::sound::Sound;

use super::model::{Content, Dialogue, Piece, Voice, encode};
use super::warning::SOUND;
use crate::sound::{ChannelLimit, SoundHeader, apply_wav, fit};

/// The maximum size in bytes of a text. The game displays a few hundred characters.
const MAX_TEXT_BYTES: u64 = 16 << 20;

/// The volume of all voices in the game.
const VOLUME: u8 = 100;

impl Dialogue {
    /// Returns the volume for a new voice, copied from the first existing one.
    pub(super) fn usual_volume(&self) -> u8 {
        let voices = self.pieces.iter().filter_map(Piece::line).filter_map(|line| line.payload.voice());
        voices.map(|voice| voice.header.volume).next().unwrap_or(VOLUME)
    }
}

/// Replaces the voice of a line. `volume` is used if the line had no voice.
pub(super) fn voice(old: &Content, sound: Sound, volume: u8, report: &mut Report) -> Result<Content> {
    let before = old.voice.as_ref().map(|voice| voice.header);
    let sound = fit(sound, before.as_ref(), ChannelLimit::Mono, &SOUND, report)?;
    let mut header = before.unwrap_or_else(|| SoundHeader::new(sound.form, volume));
    apply_wav(&mut header, &sound, &SOUND, report);
    let pcm = Source::from(sound.data);
    Ok(Content { voice: Some(Voice { header, pcm }), ..old.clone() })
}

/// Replaces the text of a line, given in UTF-8. A final line break, which text editors add, is dropped unless the old text also
/// ends with one.
pub(super) fn text(old: &Content, new: &Source) -> Result<Content> {
    if new.len() > MAX_TEXT_BYTES {
        return Err(Error::limit(format!("the text has {} bytes (limit: {MAX_TEXT_BYTES})", new.len())));
    }
    let bytes = new.read_all()?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let at = u64::try_from(error.valid_up_to()).unwrap_or(0);
        Error::usage("expected a WAV file or UTF-8 text").at(at)
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = if old.text.ends_with(b"\n") {
        text
    } else {
        text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
    };
    Ok(Content { text: encode(text)?, ..old.clone() })
}

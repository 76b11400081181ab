//! An effect file as an archive: each effect is a WAV file.

use std::io::Write;

use asset::archive::{Change, Content, EditMode, EditParts, Entry, EntryChange};
use asset::{Archive, Context, Report};
use files::sink::Output;
use record::{Error, Result, Source};

use super::file_name;
use super::layout::SoundBank;
use crate::sound::{HEADER, length, read_wav, wav_bytes, wav_of};

pub(super) fn missing() -> Error {
    Error::usage("effect index out of range")
}

impl Archive for SoundBank {
    fn count(&self) -> usize {
        self.effects.len()
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        let effect = self.effects.get(index)?;
        let (header, bytes) = (&effect.header, length(&effect.pcm));
        let playable = header.form().is_some();
        Some(Entry {
            name: file_name(index).into(),
            length: if playable { wav_bytes(header, bytes) } else { bytes },
            stored: HEADER.saturating_add(bytes),
            content: if playable { Content::File } else { Content::Unreadable },
            note: header.note(bytes).into(),
        })
    }

    fn open(&self, index: usize) -> Result<Source> {
        let effect = self.effects.get(index).ok_or_else(missing)?;
        wav_of(&effect.header, &effect.pcm).map(Source::from)
    }

    fn replace(
        &self,
        _context: &Context<'_>,
        index: usize,
        name: &str,
        content: &Source,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<()> {
        let mut bank = self.clone();
        let effect = bank.effects.get_mut(index).ok_or_else(missing)?;
        let sound = read_wav(content).map_err(|error| error.in_file(name))?;
        // A WAV cannot store an incomplete frame; an unedited sound keeps it.
        let same = self.open(index).is_ok_and(|old| old.read_all().ok() == content.read_all().ok());
        if !same {
            effect.replace_samples(sound, report).map_err(|error| error.in_file(name))?;
        }
        Ok(out.write_all(&bank.write()?)?)
    }

    fn edit(
        &self,
        _context: &Context<'_>,
        changes: &[Change],
        _mode: EditMode,
        out: &mut dyn Output,
        report: &mut Report,
    ) -> Result<Vec<EntryChange>> {
        let mut bank = self.clone();
        let changes = bank.make(changes, report)?;
        out.write_all(&bank.write()?)?;
        Ok(changes)
    }
}

//! Adds and removes effects. They are identified by number, and the numbers never change.

use std::collections::BTreeSet;

use asset::archive::{EditParts, EntryChangeKind, PartChanges, stem_and_extension};
use asset::counted;
use record::{Bytes, Error, Result, Source};
use scene::sound::{Depth, SampleFormat};

use super::archive::missing;
use super::layout::{Effect, SoundBank};
use super::{file_name, warning};
use crate::sound::{END_OF_SOUND, SoundHeader, named, read_wav};

/// The volume of a new effect in a file without effects. Sources disagree about the value in the game's effects (64 or 100).
const VOLUME: u8 = 100;

/// The sample format of the silence that replaces an effect that cannot be played.
const SILENCE: SampleFormat = SampleFormat { rate: 11025, channels: 1, depth: Depth::Eight };

/// The maximum number of frames of silence that replace an effect: 10 ms at the highest usual rate.
const SILENT_FRAMES: usize = 220;

impl EditParts for SoundBank {
    /// Removes effects at the end. Others are silenced instead, because removing them would renumber all later effects.
    fn remove(&mut self, entries: &BTreeSet<usize>, done: &mut PartChanges<'_>) -> Result<()> {
        for number in entries.iter().rev() {
            let later = self.effects.len().checked_sub(number.saturating_add(1)).ok_or_else(missing)?;
            if later == 0 {
                self.effects.pop();
                done.note(file_name(*number), EntryChangeKind::Removed);
                continue;
            }
            self.effects.get_mut(*number).ok_or_else(missing)?.silence();
            let message = format!(
                "{} was silenced instead of removed: {} would be renumbered",
                file_name(*number),
                counted(later, "later effect", "later effects"),
            );
            done.report.warn(&warning::SILENCED, message);
            done.note(file_name(*number), EntryChangeKind::Emptied);
        }
        Ok(())
    }

    fn rename(&mut self, _entry: usize, _to: &str, _done: &mut PartChanges<'_>) -> Result<()> {
        Err(Error::unsupported("effects have numbers, not names; their order cannot be changed"))
    }

    fn put(&mut self, name: &str, content: &Source, done: &mut PartChanges<'_>) -> Result<()> {
        let number = self.number_of(name)?;
        let sound = read_wav(content)?;
        if let Some(effect) = self.effects.get_mut(number) {
            named(name, done.report, |report| effect.replace_samples(sound, report))?;
            done.note(file_name(number), EntryChangeKind::Replaced);
            return Ok(());
        }
        let volume = self.effects.first().map_or(VOLUME, |effect| effect.header.volume);
        let header = SoundHeader::new(SILENCE, volume);
        let mut effect = Effect { header, pcm: Bytes::default() };
        named(name, done.report, |report| effect.replace_samples(sound, report))?;
        self.effects.push(effect);
        done.note(file_name(number), EntryChangeKind::Added);
        Ok(())
    }
}

impl SoundBank {
    /// Returns the number for a file name: an existing number, or the next free one.
    fn number_of(&self, name: &str) -> Result<usize> {
        let (stem, _) = stem_and_extension(name);
        let next = self.effects.len();
        if stem.is_empty() || !stem.bytes().all(|letter| letter.is_ascii_digit()) {
            return Ok(next);
        }
        stem.parse().ok().filter(|number| *number <= next).ok_or_else(|| {
            let message = format!(
                "effect {stem} does not exist and the next free number is {next}; rename the file to {}",
                file_name(next)
            );
            Error::usage(message)
        })
    }
}

impl Effect {
    /// Replaces the effect by a moment of silence, played once. An effect without samples might not be supported by the game.
    fn silence(&mut self) {
        let form = self.header.form().unwrap_or(SILENCE);
        let frames = usize::try_from(form.rate / 100).unwrap_or(SILENT_FRAMES).clamp(1, SILENT_FRAMES);
        let size = usize::try_from(form.frame()).unwrap_or(1).saturating_mul(frames);
        let level = if form.depth == Depth::Eight { 0x80 } else { 0 };
        self.pcm = Bytes(vec![level; size]);
        self.header = SoundHeader {
            loop_flag: 0,
            loop_offset: 0,
            loop_end: END_OF_SOUND,
            ..if self.header.form().is_some() {
                self.header
            } else {
                SoundHeader::new(SILENCE, self.header.volume)
            }
        };
        self.header.data_length = u32::try_from(size).unwrap_or(u32::MAX);
    }
}

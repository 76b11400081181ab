//! Unpacks effects to WAVs for editing, and packs them again.

use std::collections::BTreeMap;

use asset::archive::put_new_views;
use asset::{Error, Parts, Report, Unpacked, ViewSource};
use json::Step;
use record::Result;

use super::check;
use super::layout::SoundBank;
use crate::sound::{WAV_FIELDS, named, sound_of};

/// Moves the samples from the record into blobs, and writes every effect as a view.
pub(super) fn unpack(bank: &SoundBank, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
    let blobs = parts.typed_with_blobs(bank, &mut |path, _| match path {
        [Step::Member("effects"), Step::Item(number), Step::Member("pcm")] => {
            Some(format!("{number:03}.pcm"))
        }
        _ => None,
    })?;
    if !parts.wants_views() {
        return Ok(());
    }
    for (number, effect) in bank.effects.iter().enumerate() {
        let Some(blob) = blobs.get(&pcm_of(number)) else { continue };
        if !check::check_wav(number, effect, report) {
            continue;
        }
        let fields = WAV_FIELDS.map(|name| format!("/effects/{number}/header/{name}"));
        let shows: Vec<ViewSource<'_>> =
            fields.iter().map(|field| ViewSource::Record(field)).chain([ViewSource::Blob(blob)]).collect();
        parts.view(&format!("{number:03}"), sound_of(&effect.header, &effect.pcm)?, &shows)?;
    }
    Ok(())
}

/// Writes the file from the record and the blobs, and from the views for edited and new effects.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let (mut bank, blobs): (SoundBank, _) = folder.typed_with_names()?;
    // Effects are matched by their samples, because some may have been removed from the record.
    let numbers = (0..bank.effects.len()).filter_map(|number| Some((blobs.get(&pcm_of(number))?, number)));
    let numbers: BTreeMap<&str, usize> = numbers.collect();
    for view in folder.edited_views()? {
        let number = view.blobs.first().and_then(|blob| numbers.get(blob.as_str()));
        let effect = number.and_then(|number| bank.effects.get_mut(*number));
        let missing = || Error::usage("was edited, but the effect does not exist").in_file(view.path());
        let effect = effect.ok_or_else(missing)?;
        let sound = view.sound()?;
        named(&view.path(), report, |report| effect.replace_samples(sound, report))?;
    }
    put_new_views(&mut bank, folder, &["wav"], report)?;
    bank.write()
}

/// Returns the JSON pointer to the samples of an effect.
fn pcm_of(number: usize) -> String {
    format!("/effects/{number}/pcm")
}

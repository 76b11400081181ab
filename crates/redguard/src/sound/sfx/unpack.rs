//! The effects as WAVs to edit, and back.

use asset::{Error, Parts, Report, Shows, Unpacked};
use record::json::Step;
use record::{Result, Source};

use super::layout::SoundBank;
use super::{check, file_name};
use crate::sound::{FOLLOWING, read_wav, wav_of};

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
        let Some(blob) = blobs.get(&format!("/effects/{number}/pcm")) else { continue };
        if !check::can_be_wav(number, effect, report) {
            continue;
        }
        let fields = FOLLOWING.map(|name| format!("/effects/{number}/header/{name}"));
        let shows: Vec<Shows<'_>> =
            fields.iter().map(|field| Shows::Record(field)).chain([Shows::Blob(blob)]).collect();
        parts.view(&file_name(number), &wav_of(&effect.header, &effect.pcm)?, &shows)?;
    }
    Ok(())
}

/// Writes the file from the record and the blobs; edited effects from their views.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut bank: SoundBank = folder.typed()?;
    for view in folder.edited_views()? {
        let file = format!("views/{}", view.name);
        let number = view.name.strip_suffix(".wav").and_then(|number| number.parse::<usize>().ok());
        let effect = number.and_then(|number| bank.effects.get_mut(number));
        let effect = effect
            .ok_or_else(|| Error::usage("was edited, but the record has no such effect").in_file(&file))?;
        let sound = read_wav(&Source::from(view.bytes)).map_err(|error| error.in_file(&file))?;
        effect.take(&sound, report).map_err(|error| error.in_file(&file))?;
    }
    bank.write()
}

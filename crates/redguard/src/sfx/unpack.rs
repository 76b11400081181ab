//! The effects as WAVs to edit, and back.

use asset::{Error, Parts, Report, Shows, Unpacked};
use record::{Result, Source, json};
use serde_json::Value;

use super::layout::SoundBank;
use super::{check, file_name};
use crate::blob;
use crate::sound::{FOLLOWING, read_wav, wav_of};

/// Moves the samples from the record into blobs, and writes every effect as a view.
pub(super) fn unpack(bank: &SoundBank, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
    let mut record = serde_json::to_value(bank).map_err(|error| Error::usage(error.to_string()))?;
    let mut blobs = Vec::with_capacity(bank.effects.len());
    for number in 0..bank.effects.len() {
        let pointer = format!("/effects/{number}/pcm");
        blobs.push(blob::move_out(&mut record, &pointer, &format!("{number:03}.pcm"), parts)?);
    }
    parts.record(json::to_vec(&record)?)?;
    for ((number, at, effect), blob) in bank.placed().zip(&blobs) {
        if !check::can_be_wav(number, at, effect, report) {
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
    let malformed = |error: serde_json::Error| Error::malformed(error.to_string()).in_file("record.json");
    let mut record: Value = serde_json::from_slice(&folder.record()?).map_err(malformed)?;
    blob::move_in(&mut record, folder)?;
    let mut bank: SoundBank = serde_json::from_value(record).map_err(malformed)?;
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

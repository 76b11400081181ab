//! Whether a file of effects is sound.

use asset::Report;

use super::layout::{END, Effect, SoundBank};
use super::warning::{self, SOUND};
use crate::sound::length;

pub(super) fn check(bank: &SoundBank, report: &mut Report) {
    if !bank.header_rest.is_empty() {
        let message = format!("{} bytes stand behind the count of effects", bank.header_rest.len());
        report.warn(&warning::REST, message).in_field("header_rest");
    }
    for (number, effect) in bank.effects.iter().enumerate() {
        let field = format!("effects[{number}].header");
        effect.header.check(length(&effect.pcm), &field, &SOUND, report);
    }
    if !bank.effects_rest.is_empty() {
        let (bytes, effects) = (bank.effects_rest.len(), bank.effects.len());
        let message = format!("{bytes} bytes stand behind the {effects} effects that are counted");
        report.warn(&warning::REST, message).in_field("effects_rest");
    }
    if bank.end[..] != *END {
        let message = format!("the file ends in {} bytes instead of \"END \"", bank.end.len());
        let noted = report.warn(&warning::END, message);
        if !bank.end.is_empty() {
            noted.in_field("end");
        }
    }
}

/// Tells what of an effect has no place in a WAV; whether it can be one at all.
pub(super) fn can_be_wav(number: usize, effect: &Effect, report: &mut Report) -> bool {
    let (bytes, field) = (length(&effect.pcm), format!("effects[{number}]"));
    match effect.header.playable() {
        Ok(form) => {
            let left = bytes.checked_rem(form.frame()).unwrap_or(0);
            if left > 0 {
                let message = format!("the last {left} bytes are no whole frame and not in the WAV");
                report.warn(&warning::PARTIAL, message).in_field(field);
            }
            true
        }
        Err(why) => {
            report.warn(&warning::UNPLAYABLE, format!("{why}: it is left out")).in_field(field);
            false
        }
    }
}

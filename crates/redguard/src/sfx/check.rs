//! Whether a file of effects is sound.

use asset::Report;

use super::layout::{END, Effect, SoundBank};
use super::warning::{self, SOUND};
use crate::sound::length;

pub(super) fn check(bank: &SoundBank, report: &mut Report) {
    if !bank.header_rest.is_empty() {
        let message = format!("{} bytes stand behind the count of effects", bank.header_rest.len());
        report.warn(&warning::REST, message).at(44).in_field("header.rest");
    }
    for (number, at, effect) in bank.placed() {
        let field = format!("effects[{number}].header");
        effect.header.check(length(&effect.pcm), (at, &field), &SOUND, report);
    }
    let behind = bank.behind_effects();
    if !bank.effects_rest.is_empty() {
        let (bytes, effects) = (bank.effects_rest.len(), bank.effects.len());
        let message = format!("{bytes} bytes stand behind the {effects} effects that are counted");
        report.warn(&warning::REST, message).at(behind).in_field("effects.rest");
    }
    if bank.end[..] != *END {
        let message = format!("the file ends in {} bytes instead of \"END \"", bank.end.len());
        let at = behind.saturating_add(length(&bank.effects_rest));
        report.warn(&warning::END, message).at(at).in_field("end");
    }
}

/// Tells what of an effect has no place in a WAV; whether it can be one at all.
pub(super) fn can_be_wav(number: usize, at: u64, effect: &Effect, report: &mut Report) -> bool {
    let (bytes, field) = (length(&effect.pcm), format!("effects[{number}]"));
    match effect.header.playable() {
        Ok(form) => {
            let left = bytes.checked_rem(form.frame()).unwrap_or(0);
            if left > 0 {
                let message = format!("the last {left} bytes are no whole frame and not in the WAV");
                report.warn(&warning::PARTIAL, message).at(at).in_field(field);
            }
            true
        }
        Err(why) => {
            report.warn(&warning::UNPLAYABLE, format!("{why}: it is left out")).at(at).in_field(field);
            false
        }
    }
}

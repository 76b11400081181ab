//! Checks an effect file.

use asset::Report;

use super::layout::{END, Effect, SoundBank};
use super::warning::{self, SOUND};
use crate::sound::length;

pub(super) fn check(bank: &SoundBank, report: &mut Report) {
    if !bank.header_rest.is_empty() {
        let message = format!("{} unexpected bytes after the effect count", bank.header_rest.len());
        report.warn(&warning::REST, message).in_field("header_rest");
    }
    for (number, effect) in bank.effects.iter().enumerate() {
        let field = format!("effects[{number}].header");
        effect.header.check(length(&effect.pcm), &field, &SOUND, report);
    }
    if !bank.effects_rest.is_empty() {
        let (bytes, effects) = (bank.effects_rest.len(), bank.effects.len());
        let message = format!("{bytes} unexpected bytes after the {effects} effects");
        report.warn(&warning::REST, message).in_field("effects_rest");
    }
    if bank.end[..] != *END {
        let message =
            format!("expected \"END \" at the end of the file, found {} other bytes", bank.end.len());
        let noted = report.warn(&warning::END, message);
        if !bank.end.is_empty() {
            noted.in_field("end");
        }
    }
}

/// Reports the parts of an effect that a WAV cannot represent. Returns whether the effect can be converted at all.
pub(super) fn check_wav(number: usize, effect: &Effect, report: &mut Report) -> bool {
    let (bytes, field) = (length(&effect.pcm), format!("effects[{number}]"));
    match effect.header.playable() {
        Ok(form) => {
            let left = bytes.checked_rem(form.frame()).unwrap_or(0);
            if left > 0 {
                let message = format!("the last {left} bytes are an incomplete frame and not in the WAV");
                report.warn(&warning::PARTIAL, message).in_field(field);
            }
            true
        }
        Err(why) => {
            report.warn(&warning::UNPLAYABLE, format!("{why}; skipped")).in_field(field);
            false
        }
    }
}

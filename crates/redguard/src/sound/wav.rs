//! Converts effects and voices to and from WAV.

use asset::Report;
use record::{Error, Result, Source};
use scene::ProductKind;
use scene::product::{decode, encode};
use scene::sound::{SampleFormat, SampleLoop, Sound, wav_length};

use super::{
    END_OF_SOUND, FOREVER, RateDisplay, SoundCodes, SoundHeader, USUAL_RATES, describe_form, type_of,
};

/// The largest supported WAV: sounds have 32-bit lengths.
const LONGEST: u64 = 1 << 30;

/// The channels that a sound supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChannelLimit {
    /// Voices are mono.
    Mono,
    /// Effects are mono or stereo.
    Stereo,
}

/// The number of bytes.
pub(crate) fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// The size of the WAV of a sound in bytes.
pub(crate) fn wav_bytes(header: &SoundHeader, bytes: u64) -> u64 {
    let whole = header.form().map_or(0, |form| form.frames(bytes).saturating_mul(form.frame()));
    wav_length(whole, header.repeats(bytes).map(|_| 1))
}

/// A sound of the complete frames; an incomplete frame at the end is dropped.
///
/// # Errors
/// When it cannot be played.
pub(crate) fn sound_of(header: &SoundHeader, pcm: &[u8]) -> Result<Sound> {
    let form = header.playable().map_err(Error::unsupported)?;
    let bytes = length(pcm);
    let whole = usize::try_from(form.frames(bytes).saturating_mul(form.frame())).unwrap_or(usize::MAX);
    let data = pcm.get(..whole).unwrap_or(pcm).to_vec();
    let loops = header.repeats(bytes).map(|it| vec![it]);
    Ok(Sound { form, data, loops })
}

/// A sound as a WAV.
///
/// # Errors
/// When it cannot be played.
pub(crate) fn wav_of(header: &SoundHeader, pcm: &[u8]) -> Result<Vec<u8>> {
    encode(&mut sound_of(header, pcm)?.into(), "sound", "wav")
}

/// Reads a WAV.
///
/// # Errors
/// When it is not a WAV or uses an unsupported format.
pub(crate) fn read_wav(wav: &Source) -> Result<Sound> {
    if wav.len() > LONGEST {
        return Err(Error::limit(format!("the WAV has {} bytes (limit: {LONGEST})", wav.len())));
    }
    decode(&wav.read_all()?, "wav", ProductKind::Sound)?.into_sound()
}

/// Replaces a sound by a WAV: sample rate, channels and bit depth are taken from the WAV, and so are loops if it specifies
/// any; everything else is kept.
///
/// # Errors
/// When it has too many channels.
pub(crate) fn apply_wav(
    header: &mut SoundHeader,
    sound: &Sound,
    limit: ChannelLimit,
    codes: &SoundCodes,
    report: &mut Report,
) -> Result<()> {
    let form = sound.form;
    let fits = match limit {
        ChannelLimit::Mono => form.channels == 1,
        ChannelLimit::Stereo => matches!(form.channels, 1 | 2),
    };
    if !fits {
        let limit = match limit {
            ChannelLimit::Mono => "a voice must be mono with 8 or 16 bits",
            ChannelLimit::Stereo => "an effect must be mono or stereo with 8 or 16 bits",
        };
        return Err(Error::usage(format!(
            "the WAV is {}; {limit}",
            describe_form(form, RateDisplay::Hidden)
        )));
    }
    let bytes = length(&sound.data);
    if header.form().map(|old| (old.channels, old.depth)) != Some((form.channels, form.depth)) {
        (header.type_id, header.bit_depth) = type_of(form);
    }
    if header.sample_rate != form.rate && !USUAL_RATES.contains(&form.rate) {
        let message =
            format!("the sample rate is {} Hz; the game's own sounds have 11025 or 22050 Hz", form.rate);
        report.warn(codes.rate, message);
    }
    header.sample_rate = form.rate;
    match &sound.loops {
        None => keep_loop(header, form, bytes),
        Some(loops) if header.repeats(bytes).as_slice() == loops.as_slice() => {}
        Some(loops) => apply_loops(header, form, sound.frames(), loops, codes, report),
    }
    Ok(())
}

/// Keeps the old loop as far as it is within the new samples.
fn keep_loop(header: &mut SoundHeader, form: SampleFormat, bytes: u64) {
    if u64::from(header.loop_offset) >= bytes {
        header.loop_offset = 0;
    }
    if header.loop_end != END_OF_SOUND && u64::from(header.loop_end) > form.frames(bytes) {
        header.loop_end = END_OF_SOUND;
    }
}

fn apply_loops(
    header: &mut SoundHeader,
    form: SampleFormat,
    frames: u64,
    loops: &[SampleLoop],
    codes: &SoundCodes,
    report: &mut Report,
) {
    let Some(first) = loops.first() else {
        (header.loop_flag, header.loop_offset, header.loop_end) = (0, 0, END_OF_SOUND);
        return;
    };
    if loops.len() > 1 {
        let message = format!("the WAV has {} loops; only the first is used", loops.len());
        report.warn(codes.inexact, message);
    }
    header.loop_flag = match u8::try_from(first.times) {
        Ok(0) => FOREVER,
        Ok(times) if times < FOREVER => times,
        _ => {
            let message = format!("{} repetitions are too many; looping forever instead", first.times);
            report.warn(codes.inexact, message);
            FOREVER
        }
    };
    let offset = u64::from(first.start).saturating_mul(form.frame());
    header.loop_offset = u32::try_from(offset).unwrap_or(0);
    header.loop_end = if u64::from(first.end) >= frames { END_OF_SOUND } else { first.end };
}

//! Converts effects and voices to and from WAV.

use asset::{Report, counted};
use record::{Error, Result, Source};
use scene::ProductKind;
use scene::product::{decode, encode};
use scene::sound::{SampleFormat, SampleLoop, Sound, wav_length};

use super::{END_OF_SOUND, FOREVER, HIGHEST_RATE, SoundCodes, SoundHeader, USUAL_RATES, type_of};

/// The largest supported WAV: sounds have 32-bit lengths.
const MAX_WAV_BYTES: u64 = 1 << 30;

/// The channel layouts that a sound supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChannelLimit {
    /// Voices are mono.
    Mono,
    /// Effects are mono or stereo.
    Stereo,
}

/// The length of a slice as a `u64`.
pub(crate) fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// The size in bytes of a sound's WAV.
pub(crate) fn wav_bytes(header: &SoundHeader, bytes: u64) -> u64 {
    let frame_bytes = header.form().map_or(0, |form| form.frames(bytes).saturating_mul(form.frame()));
    wav_length(frame_bytes, header.repeats(bytes).map(|_| 1))
}

/// Returns the complete frames as a sound; an incomplete frame at the end is dropped.
///
/// # Errors
/// Returns an error if the sound cannot be played.
pub(crate) fn sound_of(header: &SoundHeader, pcm: &[u8]) -> Result<Sound> {
    let form = header.playable().map_err(Error::unsupported)?;
    let bytes = length(pcm);
    let frame_bytes = usize::try_from(form.frames(bytes).saturating_mul(form.frame())).unwrap_or(usize::MAX);
    let data = pcm.get(..frame_bytes).unwrap_or(pcm).to_vec();
    let loops = header.repeats(bytes).map(|it| vec![it]);
    Ok(Sound { form, data, loops })
}

/// Returns a sound as a WAV.
///
/// # Errors
/// Returns an error if the sound cannot be played.
pub(crate) fn wav_of(header: &SoundHeader, pcm: &[u8]) -> Result<Vec<u8>> {
    encode(&mut sound_of(header, pcm)?.into(), "sound", "wav")
}

/// Reads a WAV.
///
/// # Errors
/// Returns an error if the file is not a WAV or uses an unsupported format.
pub(crate) fn read_wav(wav: &Source) -> Result<Sound> {
    if wav.len() > MAX_WAV_BYTES {
        return Err(Error::limit(format!("the WAV has {} bytes (limit: {MAX_WAV_BYTES})", wav.len())));
    }
    decode(&wav.read_all()?, "wav", ProductKind::Sound)?.into_sound()
}

/// Converts a sound to a format that the game can play: at max_channels 16 bits, no more channels than `limit`, and one of the game's
/// sample rates. The rate of the replaced sound is also accepted. Every change is reported.
///
/// # Errors
/// Returns an error if the sample rate cannot be converted.
pub(crate) fn fit(
    sound: Sound,
    replaced: Option<&SoundHeader>,
    limit: ChannelLimit,
    codes: &SoundCodes,
    report: &mut Report,
) -> Result<Sound> {
    let form = sound.form;
    let max_channels = match limit {
        ChannelLimit::Mono => 1,
        ChannelLimit::Stereo => 2,
    };
    let mut sound = narrow(sound, codes, report);
    if form.channels > max_channels {
        let message = format!("the WAV has {} channels, which were mixed down to mono", form.channels);
        report.warn(codes.fitted, message);
        sound = sound.to_mono();
    }
    let is_kept = form.rate > 0 && replaced.is_some_and(|header| header.sample_rate == form.rate);
    if !is_kept && !USUAL_RATES.contains(&form.rate) {
        let rate = USUAL_RATES.into_iter().find(|usual| *usual > form.rate).unwrap_or(HIGHEST_RATE);
        sound = sound.resampled(rate)?;
        report.warn(codes.fitted, format!("the WAV has {} Hz; it was converted to {rate} Hz", form.rate));
    }
    Ok(sound)
}

/// Runs `work`, and prefixes its warnings and its error with the name of the file.
pub(crate) fn named<T>(
    name: &str,
    report: &mut Report,
    work: impl FnOnce(&mut Report) -> Result<T>,
) -> Result<T> {
    let mut found = Report::new();
    let done = work(&mut found).map_err(|error| error.in_file(name));
    for warning in &found {
        report.warn(warning.code, format!("{name}: {}", warning.message));
    }
    done
}

/// Reduces a sound to at max_channels 16 bits.
fn narrow(sound: Sound, codes: &SoundCodes, report: &mut Report) -> Sound {
    let narrowed = sound.narrowed();
    if narrowed.sound.form.depth == sound.form.depth {
        return sound;
    }
    let clipped = match narrowed.clipped {
        0 => String::new(),
        count => format!("; {} outside of -1 to 1 clipped", counted(count, "sample", "samples")),
    };
    let depth = sound.form.depth.name();
    report.warn(codes.fitted, format!("the WAV has {depth}; it was converted to 16 bits{clipped}"));
    narrowed.sound.into_owned()
}

/// Replaces the header fields of a sound after [`fit`]: sample rate, channels and bit depth are taken from the new sound, as are
/// loops if it specifies any; everything else is kept.
pub(crate) fn apply_wav(header: &mut SoundHeader, sound: &Sound, codes: &SoundCodes, report: &mut Report) {
    let form = sound.form;
    let bytes = length(&sound.data);
    if header.form().map(|old| (old.channels, old.depth)) != Some((form.channels, form.depth)) {
        (header.type_id, header.bit_depth) = type_of(form);
    }
    header.sample_rate = form.rate;
    match &sound.loops {
        None => keep_loop(header, form, bytes),
        Some(loops) if header.repeats(bytes).as_slice() == loops.as_slice() => {}
        Some(loops) => apply_loops(header, form, sound.frames(), loops, codes, report),
    }
}

/// Keeps the old loop if it is within the new samples.
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

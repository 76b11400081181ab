//! Effects and voices as WAV files, and back.

use asset::Report;
use record::{Error, Result, Source};
use scene::sound::{Form, Loop, Sound, decode_wav, encode_wav, wav_length};

use super::{FOR_EVER, SoundCodes, SoundHeader, TO_THE_END, USUAL_RATES, Words, type_of, words};

/// No longer WAV is read: a sound says its length in 32 bits.
const LONGEST: u64 = 1 << 30;

/// How many channels a sound can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// A voice: the game plays them in the middle.
    Mono,
    /// An effect.
    Stereo,
}

/// How many bytes there are.
pub(crate) fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// How many bytes the WAV of a sound has.
pub(crate) fn wav_bytes(header: &SoundHeader, bytes: u64) -> u64 {
    let whole = header.form().map_or(0, |form| form.frames(bytes).saturating_mul(form.frame()));
    wav_length(whole, header.repeats(bytes).map(|_| 1))
}

/// A sound of its whole frames. Bytes behind the last have no place in it.
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
    encode_wav(&sound_of(header, pcm)?)
}

/// Reads a WAV.
///
/// # Errors
/// When it is none, or of a kind that is not read.
pub(crate) fn read_wav(wav: &Source) -> Result<Sound> {
    if wav.len() > LONGEST {
        return Err(Error::limit(format!("a WAV of {} bytes; at most {LONGEST} are read", wav.len())));
    }
    decode_wav(&wav.read_all()?)
}

/// Puts a WAV in the place of a sound: rate, channels and depth follow the WAV, what is played again follows it when it says anything
/// about that, everything else stays.
///
/// # Errors
/// When it has more channels than there is room for.
pub(crate) fn take_wav(
    header: &mut SoundHeader,
    sound: &Sound,
    room: Room,
    codes: &SoundCodes,
    report: &mut Report,
) -> Result<()> {
    let form = sound.form;
    let fits = match room {
        Room::Mono => form.channels == 1,
        Room::Stereo => matches!(form.channels, 1 | 2),
    };
    if !fits {
        let room = match room {
            Room::Mono => "a voice is mono, of 8 or 16 bits",
            Room::Stereo => "an effect is mono or stereo, of 8 or 16 bits",
        };
        return Err(Error::usage(format!("the WAV is {}; {room}", words(form, Words::WithoutRate))));
    }
    let bytes = length(&sound.data);
    if header.form().map(|old| (old.channels, old.depth)) != Some((form.channels, form.depth)) {
        (header.type_id, header.bit_depth) = type_of(form);
    }
    if header.sample_rate != form.rate && !USUAL_RATES.contains(&form.rate) {
        let message = format!("{} Hz; the game's own sounds have 11025 or 22050", form.rate);
        report.warn(codes.rate, message);
    }
    header.sample_rate = form.rate;
    match &sound.loops {
        None => keep_loop(header, form, bytes),
        Some(loops) if header.repeats(bytes).as_slice() == loops.as_slice() => {}
        Some(loops) => take_loops(header, form, sound.frames(), loops, codes, report),
    }
    Ok(())
}

/// Nothing is said about loops: what was played again still is, as far as there is anything to play.
fn keep_loop(header: &mut SoundHeader, form: Form, bytes: u64) {
    if u64::from(header.loop_offset) >= bytes {
        header.loop_offset = 0;
    }
    if header.loop_end != TO_THE_END && u64::from(header.loop_end) > form.frames(bytes) {
        header.loop_end = TO_THE_END;
    }
}

fn take_loops(
    header: &mut SoundHeader,
    form: Form,
    frames: u64,
    loops: &[Loop],
    codes: &SoundCodes,
    report: &mut Report,
) {
    let Some(first) = loops.first() else {
        (header.loop_flag, header.loop_offset, header.loop_end) = (0, 0, TO_THE_END);
        return;
    };
    if loops.len() > 1 {
        let message = format!("the WAV has {} loops; the first is taken", loops.len());
        report.warn(codes.inexact, message);
    }
    header.loop_flag = match u8::try_from(first.times) {
        Ok(0) => FOR_EVER,
        Ok(times) if times < FOR_EVER => times,
        _ => {
            let message = format!("{} times are more than can be said: it is played for ever", first.times);
            report.warn(codes.inexact, message);
            FOR_EVER
        }
    };
    let offset = u64::from(first.start).saturating_mul(form.frame());
    header.loop_offset = u32::try_from(offset).unwrap_or(0);
    header.loop_end = if u64::from(first.end) >= frames { TO_THE_END } else { first.end };
}

//! Sounds of the sample: effects, our own lines of dialogue, and instruments.

use record::Result;
use scene::sound::{Depth, SampleLoop, Sound};

use super::tone::{self, Vowel};
use asset::FixedText;
use redguard_files::sound::rtx::{Content, Dialogue};
use redguard_files::sound::sfx::{Effect, SoundBank};
use redguard_files::sound::timbre::{Operator, PERCUSSION, Timbre, TimbreLibrary, Voice};

/// Volume of effects and voices.
const VOLUME: u8 = 100;

/// A bell, the looping hum of a lamp, and a chime that pans from left to right.
pub(super) fn effects() -> Result<Vec<u8>> {
    let mut hum = tone::hum();
    let frames = u32::try_from(hum.frames()).unwrap_or(u32::MAX);
    hum.loops = Some(vec![SampleLoop { start: 0, end: frames, times: 0 }]);
    let sounds = [tone::bell(), hum, tone::chime()];
    let effects = sounds.iter().map(|sound| Effect::new(sound, VOLUME)).collect::<Result<_>>()?;
    SoundBank::new(effects).write()
}

/// A few lines of dialogue, some of them with voices.
pub(super) fn dialogue() -> Result<Vec<u8>> {
    use Vowel::{A, E, I, O, U};
    let voice = |vowels: &[Vowel], pitch, depth| Some(tone::voice(vowels, pitch, depth));
    let lines: [(&str, &str, Option<Sound>); 9] = [
        (
            "tide",
            "Mind the tide. It comes in faster than it goes out.",
            voice(&[I, A, E, U, O], 120.0, Depth::Sixteen),
        ),
        (
            "keep",
            "The keeper? Up at the light, and in no mood for guests.",
            voice(&[E, I, O, A], 155.0, Depth::Sixteen),
        ),
        ("well", "Well? Did you see the lamp or not?", voice(&[E, I, U], 98.0, Depth::Eight)),
        ("kpnm", "THE KEEPER", None),
        ("ask1", "Are you the keeper?", None),
        ("ask2", "Good night.", None),
        ("?lmp", "SHIP'S LAMP", None),
        ("cilm", "A lamp of green glass. On its foot: \"Séverin, ½ pint of oil a night\".", None),
        ("#bel", "HARBOUR BELL", Some(tone::bell())),
    ];
    let line = |(tag, text, sound): &(&str, &str, Option<Sound>)| {
        let content = match sound {
            Some(sound) => Content::voiced(text, sound, VOLUME)?,
            None => Content::new(text)?,
        };
        Ok((FixedText::new(tag)?, content))
    };
    let mut out = Vec::new();
    Dialogue::new(lines.iter().map(line).collect::<Result<_>>()?).write(&mut out)?;
    Ok(out)
}

/// Number of operators of the largest timbre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operators {
    /// Two operators, for OPL2.
    Two,
    /// Four operators, for OPL3.
    Four,
}

/// A bell, an organ and a drum.
pub(super) fn timbres(operators: Operators) -> Result<Vec<u8>> {
    library(operators).write()
}

pub(super) fn library(operators: Operators) -> TimbreLibrary {
    let operator = |multiple: u8, level, attack_decay, sustain_release| Operator {
        flags_multiple: multiple,
        scale_level: level,
        attack_decay,
        sustain_release,
        waveform: 0,
    };
    let bell = Voice {
        modulator: operator(7, 0x18, 0xf3, 0x44),
        feedback_connection: 0,
        carrier: operator(2, 0, 0xf2, 0x44),
    };
    let pipe = |multiple: u8| Voice {
        modulator: operator(0x20 | multiple, 0x10, 0x90, 0x07),
        feedback_connection: 1,
        carrier: operator(0x21, 8, 0x90, 0x07),
    };
    let drum = Voice {
        modulator: operator(0, 0x0b, 0xf8, 0xf6),
        feedback_connection: 14,
        carrier: operator(0, 0, 0xf8, 0xf6),
    };
    let organ = match operators {
        Operators::Two => Timbre::TwoOperators { transpose: 0, voice: pipe(2) },
        Operators::Four => Timbre::FourOperators { transpose: 0, voice: pipe(2), second_voice: pipe(4) },
    };
    TimbreLibrary::new(vec![
        (14, 0, Timbre::TwoOperators { transpose: 12, voice: bell }),
        (19, 0, organ),
        (36, PERCUSSION, Timbre::TwoOperators { transpose: 36, voice: drum }),
    ])
}

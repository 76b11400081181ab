//! SFX: all sound effects of the game in one file, `sound/MAIN.SFX`. Scripts and animations name them by their number.

mod archive;
mod check;
mod layout;
#[cfg(test)]
mod tests;
mod unpack;
pub(crate) mod warning;

use asset::{
    Archive, Asset, Can, Context, Counts, Description, Detail, Format, Output, OutputKind, Parts, Probe,
    Report, Score, Sink, Target,
};
use record::{Bytes, Error, Result, Source, Visitor, read_whole, trace_whole, write_whole};
use scene::sound::Sound;
use serde_json::{Map, Value, json};

pub use layout::{Effect, SoundBank};
pub use warning::CODES;

use crate::name::FixedText;
use crate::sound::{Room, SoundHeader, clock, length, take_wav, wav_of};
use archive::Effects;
use warning::SOUND;

/// Sound effects.
pub static FORMAT: Format = Format {
    id: "redguard.sfx",
    name: "Redguard sound effects",
    game: "redguard",
    extensions: &["sfx"],
    can: &[Can::Read, Can::Write, Can::Check, Can::Sound, Can::List, Can::Pack, Can::Hex],
    probe: |file: &Probe<'_>| file.starts_with(layout::HEADER_TAG).then_some(Score::CERTAIN),
    open: |source, _report| Ok(Box::new(Effects::new(SoundBank::read(&source.read_all()?)?))),
    pack: Some(unpack::pack),
    import: None,
    outputs: &[
        Output {
            extension: "wav",
            kind: OutputKind::Sound,
            about: "each effect as a WAV, loops included, in a folder; and a JSON of what a WAV cannot say",
        },
        Output {
            extension: "json",
            kind: OutputKind::Data,
            about: "form, volume, loop and length of every effect",
        },
    ],
    options: &[],
    codes: CODES,
};

impl SoundBank {
    /// A file of these effects.
    #[must_use]
    pub fn new(effects: Vec<Effect>) -> Self {
        let description = FixedText::new("Antiquary").unwrap_or_default();
        let end = Bytes::from(layout::END);
        Self { description, header_rest: Bytes::default(), effects, effects_rest: Bytes::default(), end }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is cut short, or a length or the count runs past what holds it.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the file; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When there is more than the file can count.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }
}

impl Effect {
    /// An effect of this sound, so loud.
    ///
    /// # Errors
    /// When it has more channels than two.
    pub fn new(sound: &Sound, volume: u8) -> Result<Self> {
        let header = SoundHeader::new(sound.form, volume);
        let mut effect = Self { header, pcm: Bytes::default() };
        effect.take(sound, &mut Report::new())?;
        Ok(effect)
    }

    /// Takes other samples.
    fn take(&mut self, sound: &Sound, report: &mut Report) -> Result<()> {
        take_wav(&mut self.header, sound, Room::Stereo, &SOUND, report)?;
        self.pcm = Bytes::from(&sound.data[..]);
        self.header.data_length = u32::try_from(self.pcm.len()).unwrap_or(u32::MAX);
        Ok(())
    }
}

/// The name of the file that an effect becomes.
fn file_name(number: usize) -> String {
    format!("{number:03}.wav")
}

impl Asset for Effects {
    fn describe(&self, detail: Detail) -> Description {
        let bank = self.bank();
        let seconds = bank.effects.iter().map(|it| it.header.seconds(length(&it.pcm))).sum();
        let looped = bank.effects.iter().filter(|it| it.header.loop_flag != 0).count();
        let facts = || bank.effects.iter().enumerate().map(|(number, effect)| facts_of(number, effect));
        Description {
            summary: format!(
                "{}, {looped} of them looped, {}",
                asset::counted(bank.effects.len(), "sound effect", "sound effects"),
                clock(seconds)
            ),
            dialect: String::new(),
            counts: Counts::new().with("effects", bank.effects.len()).with("looped effects", looped),
            fields: match detail {
                Detail::Brief => json!({ "effects": facts().collect::<Vec<_>>() }),
                Detail::Full => {
                    json!({ "description": bank.description, "effects": facts().collect::<Vec<_>>() })
                }
            },
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        check::check(self.bank(), report);
    }

    fn export(
        &self,
        _context: &Context<'_>,
        target: &Target<'_>,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<()> {
        let bank = self.bank();
        let mut facts = Vec::with_capacity(bank.effects.len());
        for (number, at, effect) in bank.placed() {
            let mut fact = facts_of(number, effect);
            if target.output.kind == OutputKind::Sound && check::can_be_wav(number, at, effect, report) {
                let file = format!("{}/{}", target.stem, file_name(number));
                let wav = wav_of(&effect.header, &effect.pcm);
                sink.put(&file, &wav.map_err(|error| error.in_item(number).in_field("effects"))?)?;
                fact.insert("file".to_owned(), file.into());
            }
            facts.push(Value::from(fact));
        }
        let index = json!({ "description": bank.description, "effects": facts });
        let mut json = serde_json::to_vec_pretty(&index).map_err(|error| Error::usage(error.to_string()))?;
        json.push(b'\n');
        sink.put(&target.side_name("json"), &json)
    }

    fn archive(&self) -> Option<&dyn Archive> {
        Some(self)
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self.bank(), parts, report)
    }

    fn spans(&self, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
        trace_whole::<SoundBank>(&source.read_all()?, (), visitor)
    }
}

/// What a WAV cannot say of an effect.
fn facts_of(number: usize, effect: &Effect) -> Map<String, Value> {
    let mut facts = Map::new();
    facts.insert("effect".to_owned(), number.into());
    facts.extend(effect.header.facts(length(&effect.pcm)));
    facts
}

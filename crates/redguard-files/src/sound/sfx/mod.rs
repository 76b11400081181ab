//! SFX: all sound effects of the game in one file, `sound/MAIN.SFX`. Scripts and animations refer to them by number.

mod archive;
mod check;
mod edit;
mod layout;
#[cfg(test)]
mod tests;
mod unpack;
pub(crate) mod warning;

use asset::archive::Editing;
use asset::{
    Asset, Context, Counts, Description, Detail, Entries, Format, Index, IndexLayout, NameKind, Names, Offer,
    Offered, Parts, Probe, ProductContext, ProductKind, Products, Report, Score, Target,
};
use json::{Document, Map, Node, Value, json};
use record::{Bytes, Result, Source, read_whole, write_whole};
use scene::sound::Sound;

pub use layout::{Effect, SoundBank};
pub use warning::CODES;

use crate::sound::{ChannelLimit, SoundHeader, apply_wav, clock, fit, length, sound_of};
use asset::FixedText;
use warning::SOUND;

/// The sound effect format.
pub static FORMAT: Format = Format::new("redguard.sfx", "Redguard sound effects", open)
    .game("redguard")
    .extensions(&["sfx"])
    .probe(|file: &Probe<'_>| file.starts_with(layout::HEADER_TAG).then_some(Score::CERTAIN))
    .pack(unpack::pack)
    .products(&[
        Offered { kind: ProductKind::Sound, about: "each effect, in a folder" },
        Offered { kind: ProductKind::Data, about: "sample format, volume, loop and length of every effect" },
    ])
    .record::<SoundBank>()
    .archive(Entries::of::<SoundBank>(Editing::Parts))
    .names(Names::of_file(NameKind::Sound))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(SoundBank::read(&source.read_all()?)?))
}

impl SoundBank {
    /// Creates a file with these effects.
    #[must_use]
    pub fn new(effects: Vec<Effect>) -> Self {
        let description = FixedText::new("Antiquary").unwrap_or_default();
        let end = Bytes::from(layout::END);
        Self { description, header_rest: Bytes::default(), effects, effects_rest: Bytes::default(), end }
    }

    /// Reads a sound effect file.
    ///
    /// # Errors
    /// Returns an error if the file is truncated, or a length or the count is too large.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the file. An unchanged file is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if a count or a size does not fit its field.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }
}

/// Returns the number of sound effects of the game that a file belongs to; `None` if there is no readable file.
#[must_use]
pub fn count_of_game(context: &Context<'_>) -> Option<usize> {
    let found = context.install.find("sound/MAIN.SFX").found()?;
    let read = || {
        let source = context.install.open(&found.location)?;
        Ok((SoundBank::read(&source.read_all()?)?.effects.len(), size_of::<usize>()))
    };
    context.install.decoded(&found.location, "number of effects", read).ok().map(|count| *count)
}

impl Effect {
    /// Creates an effect with this sound and volume.
    ///
    /// # Errors
    /// Returns an error if the sound has more than two channels.
    pub fn new(sound: &Sound, volume: u8) -> Result<Self> {
        let header = SoundHeader::new(sound.form, volume);
        let mut effect = Self { header, pcm: Bytes::default() };
        effect.replace_samples(sound.clone(), &mut Report::new())?;
        Ok(effect)
    }

    /// Replaces the samples.
    fn replace_samples(&mut self, sound: Sound, report: &mut Report) -> Result<()> {
        let sound = fit(sound, Some(&self.header), ChannelLimit::Stereo, &SOUND, report)?;
        apply_wav(&mut self.header, &sound, &SOUND, report);
        self.pcm = Bytes::from(&sound.data[..]);
        self.header.data_length = u32::try_from(self.pcm.len()).unwrap_or(u32::MAX);
        Ok(())
    }
}

/// Returns the name of an effect.
fn name_of(number: usize) -> String {
    format!("{number:03}")
}

/// Returns the file name of a converted effect.
fn file_name(number: usize) -> String {
    format!("{}.wav", name_of(number))
}

impl Asset for SoundBank {
    fn describe(&self, detail: Detail) -> Description {
        let seconds = self.effects.iter().map(|it| it.header.seconds(length(&it.pcm))).sum();
        let looped = self.effects.iter().filter(|it| it.header.loop_flag != 0).count();
        let facts = || self.effects.iter().enumerate().map(|(number, effect)| facts_of(number, effect));
        Description {
            summary: format!(
                "{}, {looped} of them looped, {}",
                asset::counted(self.effects.len(), "sound effect", "sound effects"),
                clock(seconds)
            ),
            dialect: String::new(),
            counts: Counts::new().with("effects", self.effects.len()).with("looped effects", looped),
            fields: match detail {
                Detail::Brief => Document::object(|out| {
                    out.list("effects", facts());
                }),
                Detail::Full => Document::object(|out| {
                    out.put("description", &self.description).list("effects", facts());
                }),
            },
            derived: &[
                "effects[*].effect",
                "effects[*].channels",
                "effects[*].bits",
                "effects[*].loop",
                "effects[*].bytes",
                "effects[*].frames",
                "effects[*].seconds",
            ],
        }
    }

    fn field_alias(&self, _record: Node<'_>, path: &str) -> Option<String> {
        let (index, fact) = path.strip_prefix("effects[")?.split_once("].")?;
        Some(format!("effects[{index}].header.{}", SoundHeader::member_of(fact)?))
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        check::check(self, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let sounds = self.effects.iter().enumerate().map(|(number, effect)| {
            let make = move |making: &mut ProductContext<'_>| {
                if !check::check_wav(number, effect, making.report) {
                    return Ok(None);
                }
                let sound = sound_of(&effect.header, &effect.pcm);
                sound.map(Some).map_err(|error| error.in_item(number).in_field("effects"))
            };
            Offer::new(ProductKind::Sound, make).named(name_of(number)).with_facts(facts_of(number, effect))
        });
        let mut head = Map::new();
        head.insert("description".to_owned(), json!(self.description));
        let index = Index { head, list: "effects", lines: IndexLayout::Expanded };
        Ok(Products::new(context, target).with_all(sounds).with_index(index))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self, parts, report)
    }
}

/// Returns the metadata of an effect that a WAV cannot store.
fn facts_of(number: usize, effect: &Effect) -> Map<String, Value> {
    let mut facts = Map::new();
    facts.insert("effect".to_owned(), number.into());
    facts.extend(effect.header.facts(length(&effect.pcm)));
    facts
}

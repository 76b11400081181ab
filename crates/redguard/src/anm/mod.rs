//! ANM: a film of Deluxe Paint. The game's menu has one, `system/gui.anm`.

mod check;
mod delta;
mod frames;
mod layout;
#[cfg(test)]
mod tests;
mod unpack;
mod warning;

use asset::{
    Asset, Can, Context, Counts, Description, Detail, Format, Output, OutputKind, Parts, Probe, Report,
    Score, Sink, Target,
};
use record::{Error, Result, Source, Visitor, read_whole, trace_whole, write_whole};
use scene::image::Delay;
use serde_json::{Map, Value, json};

pub use delta::{Applied, apply, encode};
pub use frames::Placed;
pub use layout::{Anm, CONTINUED, CONTINUES, Cycle, Descriptor, HEAD, Header, MOST_PAGES, PAGE, Page};
pub use warning::CODES;

use crate::picture::{FRAMES, Frames, Gallery, Index0};

/// Films of Deluxe Paint.
pub static FORMAT: Format = Format {
    id: "redguard.anm",
    name: "Deluxe Paint film",
    game: "redguard",
    extensions: &["anm"],
    can: &[Can::Read, Can::Write, Can::Check, Can::Image, Can::Pack, Can::Hex],
    probe,
    open: |source, _report| Ok(Box::new(Anm::read(&source.read_all()?)?)),
    pack: Some(unpack::pack),
    import: None,
    outputs: &[
        Output {
            extension: "png",
            kind: OutputKind::Image,
            about: "the film as an animated PNG, or each frame, and a JSON of what pictures cannot say",
        },
        Output { extension: "gif", kind: OutputKind::Image, about: "the film as a GIF, and the JSON" },
        Output { extension: "json", kind: OutputKind::Data, about: "size, speed and colour cycles" },
    ],
    options: &[FRAMES],
    codes: CODES,
};

fn probe(file: &Probe<'_>) -> Option<Score> {
    file.starts_with(b"LPF ").then_some(if file.has_at(16, b"ANIM") { Score::CERTAIN } else { Score::LIKELY })
}

impl Anm {
    /// Reads a film.
    ///
    /// # Errors
    /// When it is cut short, is no film, or a number cannot be.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the film; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When numbers and pages do not fit together.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// How long a frame is shown.
    #[must_use]
    pub fn delay(&self) -> Delay {
        match self.header.frames_per_second {
            0 => Delay { numerator: 1, denominator: 10 },
            count => Delay { numerator: 1, denominator: count },
        }
    }

    /// What pictures cannot say.
    fn facts(&self) -> Map<String, Value> {
        let cycle = |(index, cycle): (usize, &Cycle)| json!({ "index": index, "low": cycle.low, "high": cycle.high, "rate": cycle.rate, "flags": cycle.flags });
        let cycles = self.cycles.iter().enumerate().filter(|(_, cycle)| **cycle != Cycle::default());
        let facts = json!({
            "width": self.header.width,
            "height": self.header.height,
            "frames": self.shown(),
            "frames_per_second": self.header.frames_per_second,
            "repeats": self.has_loop(),
            "color_cycles": cycles.map(cycle).collect::<Vec<_>>(),
        });
        facts.as_object().cloned().unwrap_or_default()
    }
}

fn damaged(error: &Error, report: &mut Report) {
    let offset = error.offset().unwrap_or_default();
    report.warn(&warning::DAMAGED, error.message()).at(offset).in_field(error.path());
}

impl Asset for Anm {
    fn describe(&self, detail: Detail) -> Description {
        let header = &self.header;
        Description {
            summary: format!(
                "film, {} frames of {} x {}, {} a second",
                self.shown(),
                header.width,
                header.height,
                header.frames_per_second
            ),
            dialect: String::new(),
            counts: Counts::new().with("frames", self.shown()).with("pages", self.pages.len()),
            fields: match detail {
                Detail::Brief => self.facts().into(),
                Detail::Full => serde_json::to_value(self).unwrap_or_default(),
            },
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        check::check(self, report);
    }

    fn export(
        &self,
        context: &Context<'_>,
        target: &Target<'_>,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<()> {
        let mut gallery = Gallery::new(context, target, sink, 1);
        let facts = self.facts();
        if !gallery.wants_pixels() {
            gallery.put_facts(facts);
            return gallery.finish(Map::new());
        }
        let (frames, error) = self.frames()?;
        error.iter().for_each(|error| damaged(error, report));
        if frames.is_empty() {
            return Err(error.unwrap_or_else(|| Error::malformed("there are no frames").at(8)));
        }
        if self.header.frames_per_second == 0 {
            check::no_speed(report);
        }
        let frames = Frames {
            width: self.header.width.into(),
            height: self.header.height.into(),
            frames,
            delay: self.delay(),
        };
        gallery.put(target.stem, &frames.film(Index0::Opaque.apply(&self.palette))?, facts)?;
        gallery.finish(Map::new())
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self, parts, report)
    }

    fn spans(&self, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
        trace_whole::<Self>(&source.read_all()?, (), visitor)
    }
}

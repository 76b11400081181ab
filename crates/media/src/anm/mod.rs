//! ANM: a Deluxe Paint animation.

mod check;
mod delta;
mod frames;
mod layout;
#[cfg(test)]
mod tests;
mod unpack;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offer, Offered, Parts, Probe,
    ProductKind, Products, Report, Score, Target,
};
use json::{Document, Map, Value, json};
use record::{Error, Result, Source, read_whole, write_whole};
use scene::image::Delay;

pub use delta::{Applied, apply, encode};
pub use frames::LocatedRecord;
pub use layout::{Anm, CONTINUED, CONTINUES, Cycle, Descriptor, HEAD, Header, MOST_PAGES, PAGE, Page};
pub use warning::CODES;

use crate::picture::{FRAMES, Frames, Index0, frame_files, index};

/// Deluxe Paint animations.
pub static FORMAT: Format = Format::new("paint.anm", "Deluxe Paint animation", open)
    .extensions(&["anm"])
    .probe(probe)
    .pack(unpack::pack)
    .products(&[
        Offered { kind: ProductKind::Image, about: "the animation" },
        Offered { kind: ProductKind::Data, about: "size, frame rate and color cycles" },
    ])
    .record::<Anm>()
    .options(AnimationOptions::DECLARED)
    .names(Names::of_file(NameKind::Texture))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Anm::read(&source.read_all()?)?))
}

asset::format_options! {
    /// Options for the frames of an animation.
    pub struct AnimationOptions {
        /// The way images with several frames are written.
        frames: crate::picture::FrameChoice = FRAMES;
    }
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    file.starts_with(b"LPF ").then_some(if file.has_at(16, b"ANIM") { Score::CERTAIN } else { Score::LIKELY })
}

impl Anm {
    /// Reads an animation.
    ///
    /// # Errors
    /// When the file is truncated or not an animation, or a number is invalid.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the animation. If it is unchanged, the bytes are identical to the input.
    ///
    /// # Errors
    /// When counts and pages disagree.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// The duration of a frame.
    #[must_use]
    pub fn delay(&self) -> Delay {
        match self.header.frames_per_second {
            0 => Delay { numerator: 1, denominator: 10 },
            count => Delay { numerator: 1, denominator: count },
        }
    }

    /// Returns metadata that image files cannot store.
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

impl Asset for Anm {
    fn describe(&self, detail: Detail) -> Description {
        let header = &self.header;
        Description {
            summary: format!(
                "animation, {} frames, {} x {}, {} frames per second",
                self.shown(),
                header.width,
                header.height,
                header.frames_per_second
            ),
            counts: Counts::new().with("frames", self.shown()).with("pages", self.pages.len()),
            fields: match detail {
                Detail::Brief => Value::from(self.facts()).into(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        check::check(self, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let image = Offer::new(ProductKind::Image, |making| {
            let (frames, error) = self.frames()?;
            if let Some(error) = &error {
                making.report.warn_error(&warning::DAMAGED, error);
            }
            if frames.is_empty() {
                return Err(error.unwrap_or_else(|| {
                    Error::malformed("there are no frames").in_field("records").in_field("header")
                }));
            }
            if self.header.frames_per_second == 0 {
                check::warn_zero_rate(making.report);
            }
            let frames = Frames {
                width: self.header.width.into(),
                height: self.header.height.into(),
                frames,
                delay: self.delay(),
            };
            frames.animation(Index0::Opaque.apply(&self.palette)).map(Some)
        });
        let image = image.with_facts(self.facts()).with_frames(frame_files(context));
        Ok(Products::new(context, target).with(image).with_index(index(Map::new())))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self, parts, report)
    }
}

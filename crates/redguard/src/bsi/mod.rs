//! BSI: one image without a name: skies, each with a palette of the same name beside it, and the sun, whose bytes are its opacity.

#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Can, Context, Counts, Description, Detail, Format, FormatOption, OptionValue, Parts, Probe,
    Report, Score, Sink, Target, Unpacked,
};
use record::{Bytes, Error, Record, Result, Source, Visitor, read_whole, trace_whole, write_whole};
use scene::image::Film8;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use warning::CODES;

use crate::palette::{Chosen, GLIDE_COLORS, Home, PALETTE, PALETTE_SOURCE, Shelf, Shown};
use crate::picture::{Budget, FRAMES, Gallery, INDEX_0, Index0};
use crate::texbsi::Image;
use crate::texbsi::OUTPUTS;
use crate::texbsi::image::{Place, Uncertain};
use crate::texbsi::unpack::{self, Unpacking};

/// `--pixels`.
const PIXELS: FormatOption = FormatOption {
    name: "pixels",
    about: "What the bytes of the image are.",
    value: OptionValue::Choice {
        values: &[
            ("colours", "places in a palette"),
            (
                "opacity",
                "how solid each pixel is, in the colour of the sun (255, 255, 200), as the game draws the sun",
            ),
        ],
        default: "colours",
    },
};

/// The colour of the sun where a world says no other (`world_sunimgrgb`).
const SUN: [u8; 3] = [255, 255, 200];

/// Images that stand alone.
pub static FORMAT: Format = Format {
    id: "redguard.bsi",
    name: "Redguard image",
    game: "redguard",
    extensions: &["bsi"],
    can: &[Can::Read, Can::Write, Can::Check, Can::Image, Can::Pack, Can::Hex],
    probe,
    open: |source, _report| Ok(Box::new(Bsi::read(&source.read_all()?)?)),
    pack: Some(pack),
    import: None,
    outputs: OUTPUTS,
    options: &[PALETTE, PALETTE_SOURCE, GLIDE_COLORS, INDEX_0, FRAMES, PIXELS],
    codes: CODES,
};

fn probe(file: &Probe<'_>) -> Option<Score> {
    let marker = file.starts_with(b"BSIF") || file.starts_with(b"IFHD");
    marker.then_some(Score::CERTAIN)
}

/// A `.BSI` file.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bsi {
    /// The image.
    pub image: Image,
    /// What stands behind it: nothing in sound files.
    pub rest: Bytes,
}

impl Bsi {
    /// Reads an image.
    ///
    /// # Errors
    /// When the file is cut short, a length runs past it, or there is no header or no pixels.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let bsi: Self = read_whole(bytes, ())?;
        bsi.image.check_whole(0).map_err(|error| error.in_field("image"))?;
        Ok(bsi)
    }

    /// Writes the image; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When a section is longer than its length can say.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    fn place(&self) -> Place<'_> {
        Place { image: &self.image, base: 0, field: "image".into(), codes: &warning::IMAGE }
    }
}

/// A sky, which has a palette of its own beside it, shows its first colour; other images are keyed.
fn key(context: &Context<'_>, shelf: &Shelf, image: &Image) -> Index0 {
    let sky = matches!(shelf.choose(image.palette()).shown, Shown::Belonging(_));
    Index0::asked(context, if sky { Index0::Opaque } else { Index0::Clear })
}

/// The film of opacities in one colour.
fn as_opacity(film: &Film8) -> Result<Film8> {
    let [red, green, blue] = SUN;
    let palette = (0..=255).map(|alpha| [red, green, blue, alpha]).collect();
    Film8::new(film.width(), film.height(), film.frames().to_vec(), palette, film.delay())
        .map_err(|error| asset::from_scene(&error))
}

impl Asset for Bsi {
    fn describe(&self, detail: Detail) -> Description {
        let header = self.image.header().map(|(_, header)| *header).unwrap_or_default();
        let frames = match header.frame_count {
            1 => "1 frame".to_owned(),
            count => format!("{count} frames"),
        };
        Description {
            summary: format!("image, {} x {}, {frames}", header.width, header.height),
            dialect: String::new(),
            counts: Counts::new()
                .with("images", 1)
                .with("frames", u64::try_from(header.frame_count).unwrap_or_default())
                .with("embedded palettes", usize::from(self.image.palette().is_some())),
            fields: match detail {
                Detail::Brief => self.place().facts().into(),
                Detail::Full => serde_json::to_value(self).unwrap_or_default(),
            },
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        self.place().check(report);
        if !self.rest.is_empty() {
            let message = format!("{} bytes stand behind the end of the image", self.rest.len());
            report.warn(&warning::REST, message).at(self.image.size()).in_field("rest");
        }
    }

    fn export(
        &self,
        context: &Context<'_>,
        target: &Target<'_>,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<()> {
        let shelf = Shelf::new(context, Home::Glide)?;
        let mut gallery = Gallery::new(context, target, sink, 1);
        let mut facts = self.place().facts();
        let key = key(context, &shelf, &self.image);
        let film = if gallery.wants_pixels() {
            self.place().film(&shelf, key, &mut Budget::new(), report)
        } else {
            None
        };
        match film {
            Some((film, _)) if context.options.choice(PIXELS.name) == "opacity" => {
                facts.insert("palette".into(), "opacity".into());
                gallery.put(target.stem, &as_opacity(&film)?, facts)?;
            }
            Some((film, chosen)) => {
                tell(&chosen, &shelf, report);
                facts.insert("palette".into(), chosen.shown.name().into());
                gallery.put(target.stem, &film, facts)?;
            }
            None => gallery.put_facts(facts),
        }
        gallery.finish(Map::new())
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        let shelf = Shelf::new(context, Home::Glide)?;
        let key = key(context, &shelf, &self.image);
        let image = Unpacking { place: self.place(), name: "image".into(), pointer: "/image".into(), key };
        let record = serde_json::to_value(self).map_err(|error| Error::usage(error.to_string()))?;
        unpack::unpack(record, &[image], &shelf, parts, report)
    }

    fn spans(&self, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
        trace_whole::<Self>(&source.read_all()?, (), visitor)
    }
}

fn tell(chosen: &Chosen, shelf: &Shelf, report: &mut Report) {
    let mut uncertain = Uncertain::default();
    uncertain.count(chosen);
    uncertain.tell(shelf, &warning::GUESSED, &warning::GREY, report);
}

fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let (record, whole): (Value, Value) = unpack::record(folder)?;
    let malformed = |error: serde_json::Error| Error::malformed(error.to_string()).in_file("record.json");
    let mut bsi: Bsi = serde_json::from_value(whole).map_err(malformed)?;
    let mut images = [("/image".to_owned(), &mut bsi.image)];
    unpack::pack_views(folder, &record, &mut images, &warning::IMAGE, report)?;
    bsi.write()
}

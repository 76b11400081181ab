//! GXA: bitmaps of menus, inventory, compass, maps and cursors. Each file has one or more frames with a common palette.

mod archive;
mod layout;
mod lzhuf;
mod pack;
#[cfg(test)]
mod replace_tests;
#[cfg(test)]
mod tests;
mod unpack;
mod warning;

use std::cell::RefCell;
use std::rc::Rc;

use asset::archive::Editing;
use asset::{
    Asset, Context, Counts, Description, Detail, Entries, Format, FrameFiles, NameKind, Names, Offer,
    Offered, Parts, Probe, ProductKind, Products, Report, Score, Target,
};
use json::{Document, Map, Value, json};
use record::{Bytes, Result, Source, read_whole, write_whole};
use scene::image::{Delay, IndexedAnimation};

use asset::FixedText;
use layout::Located;
pub use layout::{Frame, FramesLength, Gxa, Pixels};
use media::picture::Colors;
use media::picture::{Budget, FRAMES, FrameChoice, Index0, index};
pub use pack::{Unpacked, pack_runs, unpack_runs};
pub use warning::CODES;

use crate::picture::{INDEX_0, requested_index_0};

/// The frame duration of animations, which the file does not specify.
const DELAY: Delay = Delay::milliseconds(100);

/// The bitmap format.
pub static FORMAT: Format = Format::new("redguard.gxa", "Redguard bitmap", open)
    .game("redguard")
    .extensions(&["gxa"])
    .probe(probe)
    .pack(unpack::pack)
    .products(&[
        Offered { kind: ProductKind::Image, about: "each frame, or all as one animation" },
        Offered { kind: ProductKind::Data, about: "size, offset and compression of every frame" },
    ])
    .record::<Gxa>()
    .archive(Entries::of::<Gxa>(Editing::Fixed))
    .options(BitmapOptions::DECLARED)
    .names(Names::of_file(NameKind::Texture))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Gxa::read(&source.read_all()?)?))
}

asset::format_options! {
    /// Options for converting bitmaps.
    pub struct BitmapOptions {
        /// Whether palette color 0 is transparent; `None` means as specified by the file.
        key_color: Option<Index0> = INDEX_0;
        /// The output of images with several frames.
        frames: FrameChoice = FRAMES;
    }
}

/// Recognizes bitmaps by the first tag, not by the name, because the cursors are in a `.bmp` file.
fn probe(file: &Probe<'_>) -> Option<Score> {
    file.starts_with(&layout::FIRST).then_some(if file.has_at(4, &[0, 0, 0, 34]) {
        Score::CERTAIN
    } else {
        Score::LIKELY
    })
}

/// The banner of most files.
const BANNER: &str = "GXlib image conversion";

impl Gxa {
    /// Creates a file with these images (width, height, indices) and a palette with 6 bits per channel. Pixels are run-length
    /// encoded if that is shorter.
    ///
    /// # Errors
    /// Never fails, because the banner fits its field.
    pub fn new(palette: Colors, pictures: Vec<(u16, u16, Vec<u8>)>) -> Result<Self> {
        let frame = |(width, height, indices)| {
            let pixels = Pixels::Rle(Bytes::default());
            let mut frame = Frame {
                unknown_0x00: 1,
                width,
                height,
                x_offset: 0,
                y_offset: 0,
                unknown_0x0c: [0; 6],
                pixels,
            };
            frame.repack(indices);
            frame
        };
        Ok(Self {
            banner: FixedText::new(BANNER)?,
            palette,
            length: FramesLength::Bytes,
            frames: pictures.into_iter().map(frame).collect(),
            frames_rest: Bytes::default(),
            end: true,
            rest: Bytes::default(),
        })
    }

    /// Reads a bitmap file.
    ///
    /// # Errors
    /// Returns an error if the file is truncated, a chunk is missing, or a length or a size is invalid.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the file. An unchanged file is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if there are no frames, or the pixels of a frame do not match its size.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Decodes the pixels of a frame: one index each, rows from the top. `None` if there is no such frame.
    #[must_use]
    pub fn indices_of(&self, number: usize) -> Option<Result<Vec<u8>>> {
        let located = self.located().nth(number)?;
        Some(unpack(number, located, &mut Budget::default()).map(|unpacked| unpacked.indices))
    }

    /// Decodes each frame to indices, or returns the reason why it cannot be decoded.
    fn unpacked(&self) -> impl Iterator<Item = Result<(usize, &Frame, Unpacked)>> {
        let mut budget = Budget::default();
        let frames = self.located().enumerate();
        frames.map(move |(number, located)| Ok((number, located.2, unpack(number, located, &mut budget)?)))
    }

    fn palette(&self, context: &Context<'_>) -> Vec<[u8; 4]> {
        requested_index_0(context, Index0::Clear).apply(&self.palette.expanded())
    }

    /// Returns each frame as a separate image.
    fn images(&self, palette: Vec<[u8; 4]>) -> impl Iterator<Item = Offer<'_>> {
        let is_single = self.frames.len() == 1;
        let (palette, budget) = (Rc::new(palette), Rc::new(RefCell::new(Budget::default())));
        self.located().enumerate().map(move |(number, located)| {
            let (palette, budget, frame) = (Rc::clone(&palette), Rc::clone(&budget), located.2);
            let image = Offer::new(ProductKind::Image, move |making| {
                match unpack(number, located, &mut budget.borrow_mut()) {
                    Ok(unpacked) => {
                        let (width, height) = (frame.width.into(), frame.height.into());
                        let frames = vec![unpacked.indices];
                        IndexedAnimation::new(width, height, frames, palette.to_vec(), DELAY).map(Some)
                    }
                    Err(error) => {
                        making.report.warn_error(&warning::DAMAGED, &error);
                        Ok(None)
                    }
                }
            });
            let image = if is_single { image } else { image.named(format!("{number:02}")) };
            image.with_facts(facts(number, frame)).with_frames(FrameFiles::Apart)
        })
    }

    /// Returns all frames as one animation.
    fn animation(&self, palette: Vec<[u8; 4]>, report: &mut Report) -> Result<Option<IndexedAnimation>> {
        let size = |side: fn(&Frame) -> u16| self.frames.iter().map(side).max().unwrap_or_default();
        let (width, height) = (size(|frame| frame.width), size(|frame| frame.height));
        let count = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
        Budget::default().take(width.into(), height.into(), count)?;
        let mut frames = Vec::new();
        for unpacked in self.unpacked() {
            match unpacked {
                Ok((_, frame, unpacked)) => frames.push(on_canvas(frame, &unpacked.indices, width, height)),
                Err(error) => drop(report.warn_error(&warning::DAMAGED, &error)),
            }
        }
        if self.frames.iter().any(|frame| (frame.width, frame.height) != (width, height)) {
            let message = format!(
                "{count} frames of different sizes were placed on a canvas of {width} x {height} pixels"
            );
            report.warn(&warning::SIZES, message).in_field("frames");
        }
        if frames.is_empty() {
            return Ok(None);
        }
        let animation = IndexedAnimation::new(width.into(), height.into(), frames, palette, DELAY);
        animation.map(Some)
    }
}

/// Decodes a frame to indices, or returns the reason why it cannot be decoded.
fn unpack(number: usize, (start, pixels, frame): Located<'_>, budget: &mut Budget) -> Result<Unpacked> {
    budget
        .take(frame.width.into(), frame.height.into(), 1)
        .map_err(|error| error.at(start))
        .and_then(|()| frame.unpack(pixels).map_err(|error| error.in_field("pixels")))
        .map_err(|error| error.at(start).in_item(number).in_field("frames"))
}

/// Places a frame at the top left of a larger canvas.
fn on_canvas(frame: &Frame, indices: &[u8], width: u16, height: u16) -> Vec<u8> {
    let mut out = vec![0; usize::from(width).saturating_mul(height.into())];
    let rows = out.chunks_exact_mut(usize::from(width).max(1));
    for (row, from) in rows.zip(indices.chunks_exact(usize::from(frame.width).max(1))) {
        if let Some(target) = row.get_mut(..from.len()) {
            target.copy_from_slice(from);
        }
    }
    out
}

/// Returns the metadata of a frame that image files cannot store.
fn facts(index: usize, frame: &Frame) -> Map<String, Value> {
    let compression = match &frame.pixels {
        Pixels::Raw(_) => "raw",
        Pixels::Rle(_) => "rle",
        Pixels::Lzhuf { .. } => "lzhuf",
    };
    let facts = json!({
        "frame": index,
        "width": frame.width,
        "height": frame.height,
        "x_offset": frame.x_offset,
        "y_offset": frame.y_offset,
        "compression": compression,
        "stored_bytes": frame.pixels.stored().len(),
    });
    match facts {
        Value::Object(facts) => facts,
        _ => Map::new(),
    }
}

impl Asset for Gxa {
    fn describe(&self, detail: Detail) -> Description {
        let count =
            |kind: fn(&Pixels) -> bool| self.frames.iter().filter(|frame| kind(&frame.pixels)).count();
        let rle = count(|pixels| matches!(pixels, Pixels::Rle(_)));
        let lzhuf = count(|pixels| matches!(pixels, Pixels::Lzhuf { .. }));
        let first = self
            .frames
            .first()
            .map(|frame| format!("{} x {}", frame.width, frame.height))
            .unwrap_or_default();
        let summary = match self.frames.len() {
            1 => format!("bitmap, {first}"),
            count => format!("bitmap, {count} frames, first {first}"),
        };
        let list = || self.frames.iter().enumerate().map(|(index, frame)| facts(index, frame));
        Description {
            summary,
            counts: Counts::new()
                .with("frames", self.frames.len())
                .with("rle frames", rle)
                .with("lzhuf frames", lzhuf),
            fields: match detail {
                Detail::Brief => Document::object(|out| {
                    out.put("banner", &self.banner).list("frames", list());
                }),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        for unpacked in self.unpacked() {
            match unpacked {
                Ok((index, frame, unpacked)) => {
                    let field = format!("frames[{index}].pixels");
                    let count = unpacked.indices.len();
                    if let Pixels::Lzhuf { raw_size, .. } = &frame.pixels
                        && usize::try_from(*raw_size) != Ok(count)
                    {
                        let message = format!(
                            "raw_size is {raw_size}, but {} x {} pixels need {count} bytes",
                            frame.width, frame.height
                        );
                        report.warn(&warning::RAW_SIZE, message).in_field(field.as_str());
                    }
                    if unpacked.trailing > 0 {
                        let message =
                            format!("{} unexpected bytes after the compressed pixels", unpacked.trailing);
                        report.warn(&warning::LEFT_OVER, message).in_field(field);
                    }
                }
                Err(error) => drop(report.warn_error(&warning::DAMAGED, &error)),
            }
        }
        for (bytes, field, what) in
            [(&self.frames_rest, "frames_rest", "the frames"), (&self.rest, "rest", "the end")]
        {
            if !bytes.is_empty() {
                let message = format!("{} unexpected bytes after {what}", bytes.len());
                report.warn(&warning::LEFT_OVER, message).in_field(field);
            }
        }
        if !self.end {
            report.warn(&warning::NO_END, "the END tag is missing");
            if self.rest.is_empty() {
                report.fix(&warning::NO_END, "end", || true.into());
            }
        }
        if !self.palette.is_six_bit() {
            let largest = self.palette.bytes().iter().max().copied().unwrap_or_default();
            report
                .warn(
                    &warning::EIGHT_BIT,
                    format!("the palette has values up to {largest}; assuming 8 bits per channel"),
                )
                .in_field("palette");
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let palette = self.palette(context);
        let as_animation = match context.options.choice(&FRAMES) {
            FrameChoice::Together => true,
            FrameChoice::Apart => false,
            FrameChoice::Auto => target.is_animated,
        };
        let products = Products::new(context, target).with_index(index(Map::new()));
        if !as_animation {
            return Ok(products.with_all(self.images(palette)));
        }
        let frames = self.frames.iter().enumerate();
        let list: Vec<Value> = frames.map(|(number, frame)| facts(number, frame).into()).collect();
        let image = Offer::new(ProductKind::Image, move |making| self.animation(palette, making.report));
        Ok(products.with(image.with_facts([("frames".to_owned(), list.into())].into_iter().collect())))
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self, &self.palette(context), parts, report)
    }
}

//! TEXTURE: a texture set of the software renderer. Its models refer to textures by set and record.

mod archive;
mod edit;
mod layout;
mod pixel;
#[cfg(test)]
mod tests;
mod unpack;
mod warning;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use asset::archive::Editing;
use asset::{
    Asset, Context, Counts, Description, Detail, Entries, Format, NameKind, Named, Names, Offer, Offered,
    Parts, Probe, ProductKind, Products, Report, Score, Target,
};
use json::{Document, Map, Value, json};
use media::picture::{Budget, FRAMES, Frames, Index0, frame_files, index};
use record::{Error, Result, Source, read_whole, write_whole};

pub use layout::{Descriptor, DirectoryEntry, TextureRecord, TextureSet, flag};
pub use pixel::{PictureLayout, PixelEncoding};
pub use warning::CODES;

use crate::picture::Renderer;
use crate::picture::palette::{
    ChosenPalette, GLIDE_COLORS, PALETTE, PALETTE_SOURCE, PaletteChoices, PaletteOrigin,
};
use crate::picture::{INDEX_0, delay_of, requested_index_0};

/// The texture set format.
pub static FORMAT: Format = Format::new("redguard.texture", "Redguard texture set", open)
    .game("redguard")
    .extensions(&["###", "tex"])
    .probe(probe)
    .pack(unpack::pack)
    .products(&[
        Offered { kind: ProductKind::Image, about: "each record, static or animated" },
        Offered { kind: ProductKind::Data, about: "size, timing and scale of every record" },
    ])
    .record::<TextureSet>()
    .archive(Entries::of::<TextureSet>(Editing::Fixed))
    .options(SetOptions::DECLARED)
    .names(Names::of_file(NameKind::Texture).reported(|asset, context, take| {
        let Some((set, number)) = asset.typed::<TextureSet>().zip(set_at(context)) else { return Ok(()) };
        for record in 0..set.records.len() {
            let (path, text) = (format_args!("records[{record}]"), format!("{number}/{record}"));
            take(Named::new(NameKind::Texture, &text, path));
        }
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(TextureSet::read(&source.read_all()?)?))
}

asset::format_options! {
    /// Options for converting the images of a set.
    pub struct SetOptions {
        /// Palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// The palette that takes precedence.
        palette_source: crate::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether the palette is used as in the Glide renderer: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// Whether palette color 0 is transparent; `None` means as specified by the file.
        key_color: Option<Index0> = INDEX_0;
        /// The output of images with several frames.
        frames: media::picture::FrameChoice = FRAMES;
    }
}

/// Returns the set number in a file name: 302 for `TEXTURE.302`.
#[must_use]
pub fn set_of_file(name: &str) -> Option<u16> {
    let (stem, number) = name.rsplit_once('.')?;
    let is_set = stem.eq_ignore_ascii_case("texture")
        && number.len() == 3
        && number.bytes().all(|digit| digit.is_ascii_digit());
    if is_set { number.parse().ok() } else { None }
}

/// The maximum number of records that models can refer to: the number has seven bits.
const MAX_RECORDS: usize = 128;

/// Recognizes a set by its directory: most entries must refer to a descriptor or a solid color.
fn probe(file: &Probe<'_>) -> Option<Score> {
    if has_directory(file).unwrap_or(false) {
        return Some(Score::LIKELY);
    }
    set_of_file(&file.name).map(|_| Score::POSSIBLE)
}

fn has_directory(file: &Probe<'_>) -> Option<bool> {
    let (count, rest) = file.head.split_first_chunk::<2>()?;
    let (name, directory) = rest.split_first_chunk::<24>()?;
    let count = usize::try_from(i16::from_le_bytes(*count)).ok().filter(|count| *count <= MAX_RECORDS)?;
    let start = u64::try_from(count).ok()?.checked_mul(20)?.checked_add(26)?;
    let text = name.split(|byte| *byte == 0).next()?;
    let is_text = !text.is_empty() && text.iter().all(|byte| (0x20..0x7f).contains(byte));
    let (entries, _) = directory.as_chunks::<20>();
    let entries = entries.get(..count)?;
    let position = |entry: &[u8; 20]| {
        let [_, _, a, b, c, d, ..] = *entry;
        u64::try_from(i32::from_le_bytes([a, b, c, d])).ok()
    };
    let is_valid = |entry: &&[u8; 20]| {
        let inside = |position: u64| position >= start && position.saturating_add(28) <= file.length;
        entry.ends_with(&[0; 8]) && position(entry).is_some_and(inside)
    };
    let is_solid = |entry: &&[u8; 20]| entry.ends_with(&[0; 8]) && position(entry) == Some(0);
    let (leading, solid) = (entries.iter().filter(is_valid).count(), entries.iter().filter(is_solid).count());
    let all_solid = solid == count && file.length == start;
    let is_majority = leading.saturating_add(solid).saturating_mul(2) >= count && leading > 0;
    Some(count > 0 && is_text && (all_solid || is_majority))
}

impl TextureSet {
    /// Reads a set. Records with an invalid position are kept unchanged.
    ///
    /// # Errors
    /// Returns an error if there are no records, or the directory is truncated.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the set. An unchanged set is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if there are no records, or a descriptor is out of bounds.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Decodes the pixels of a record; `None` if it is empty or, with a warning, damaged.
    pub fn picture(
        &self,
        index: usize,
        set: Option<u16>,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Option<Frames> {
        match self.try_picture(index, set, budget, report) {
            Ok(picture) => picture,
            Err(error) => {
                damaged(&error, index, report);
                None
            }
        }
    }

    fn try_picture(
        &self,
        index: usize,
        set: Option<u16>,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Option<Frames>> {
        let Some(layout) = self.layout(index).transpose()? else { return Ok(None) };
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        budget.take(side(layout.width), side(layout.height), side(layout.frames)).map_err(|error| {
            let at = u64::try_from(layout.descriptor_at).unwrap_or(u64::MAX);
            error.at(at).in_field("descriptor")
        })?;
        let delay = self
            .records
            .get(index)
            .and_then(|record| record.descriptor)
            .map_or(delay_of(1), |descriptor| descriptor.delay());
        match layout.encoding {
            PixelEncoding::Empty => Ok(None),
            PixelEncoding::Solid => Ok(self.solid(index, set, report).map(|color| Frames {
                width: side(layout.width),
                height: side(layout.height),
                frames: vec![vec![color; layout.width.saturating_mul(layout.height)]],
                delay,
            })),
            _ => self.frames(&layout, delay).map(Some),
        }
    }

    fn solid(&self, index: usize, set: Option<u16>, report: &mut Report) -> Option<u8> {
        let color = Self::solid_color(set, index);
        let field = format!("records[{index}].entry");
        match (color, set) {
            (Some(_), _) => {}
            (None, Some(0 | 1)) => {
                let number = index.saturating_add(if set == Some(1) { 128 } else { 0 });
                let message = format!("record {index} would be color {number} (limit: 255)");
                report.warn(&warning::COLOR, message).in_field(field);
            }
            (None, _) => {
                report.warn(&warning::NO_COLOR, "solid color outside of sets 0 and 1").in_field(field);
            }
        }
        color
    }

    fn key(&self, index: usize, context: &Context<'_>) -> Index0 {
        let clear = self
            .records
            .get(index)
            .and_then(|record| record.descriptor)
            .is_some_and(|descriptor| descriptor.is_clear());
        requested_index_0(context, if clear { Index0::Clear } else { Index0::Opaque })
    }

    fn check_record(&self, index: usize, record: &TextureRecord, report: &mut Report) {
        let Some(descriptor) = &record.descriptor else { return };
        let field = |name: &str| format!("records[{index}].descriptor.{name}");
        if descriptor.flags & !flag::ALL != 0 || descriptor.flags & (flag::RUNS | flag::CLEAR) == flag::RUNS {
            let message = format!("flags {:#06x} has unknown bits", descriptor.flags);
            report.warn(&warning::FLAGS, message).in_field(field("flags"));
        }
        if descriptor.frame_count > 0 && (descriptor.width == 0 || descriptor.height == 0) {
            let message = format!("the size is {} x {} pixels", descriptor.width, descriptor.height);
            report.warn(&warning::SMALL_FRAME, message).in_field(field("width"));
        }
        if let Some(Ok(PictureLayout { encoding: PixelEncoding::Single { stride }, width, .. })) =
            self.layout(index)
            && stride != pixel::PAGE
        {
            let message = format!("assuming consecutive rows of {width} pixels");
            report.warn(&warning::PACKED, message).in_field(field("row_gap"));
        }
    }

    /// Returns the metadata of a record that image files cannot store.
    fn facts(&self, index: usize, set: Option<u16>) -> Map<String, Value> {
        let Some(record) = self.records.get(index) else { return Map::new() };
        let encoding = self.layout(index).and_then(Result::ok).map(|layout| layout.encoding.name());
        let mut facts = Map::new();
        let key = set.map(|set| {
            u64::from(set).saturating_mul(128).saturating_add(u64::try_from(index).unwrap_or_default())
        });
        for (name, value) in
            [("record", json!(index)), ("texture_key", json!(key)), ("form", json!(encoding))]
        {
            facts.insert(name.to_owned(), value);
        }
        if let Some(descriptor) = &record.descriptor {
            let scale = |number: i16| 1.0 + f64::from(number) / 256.0;
            let fields = json!({
                "width": descriptor.width,
                "height": descriptor.height,
                "x_offset": descriptor.x_offset,
                "y_offset": descriptor.y_offset,
                "flags": descriptor.flags,
                "clear": descriptor.is_clear(),
                "frames": descriptor.frame_count,
                "frame_delay_ms": descriptor.frame_delay,
                "scale": [scale(descriptor.x_scale), scale(descriptor.y_scale)],
            });
            facts.extend(fields.as_object().cloned().unwrap_or_default());
        } else if let Some(color) = Self::solid_color(set, index).filter(|_| record.entry.position == 0) {
            facts.insert("color".into(), color.into());
        }
        facts
    }
}

/// Reports a record that cannot be decoded. The pixels of all records are one field.
fn damaged(error: &Error, index: usize, report: &mut Report) {
    let path = error.path();
    if path.is_empty() {
        let message = format!("record {index}: {}", error.message());
        let noted = report.warn(&warning::DAMAGED, message).in_field("body");
        if let Some(offset) = error.offset() {
            noted.at(offset);
        }
    } else if path.starts_with("records[") {
        report.warn_error(&warning::DAMAGED, error);
    } else {
        report.warn_error(&warning::DAMAGED, &error.clone().in_item(index).in_field("records"));
    }
}

/// Returns the set number of the context's file.
fn set_at(context: &Context<'_>) -> Option<u16> {
    context.location.as_ref().and_then(|location| set_of_file(location.path().name()))
}

/// State shared by the conversions of all images of a set.
struct SetState {
    palettes: PaletteChoices,
    chosen: ChosenPalette,
    budget: RefCell<Budget>,
    /// The number of converted images.
    count: Cell<usize>,
}

impl SetState {
    fn new(palettes: PaletteChoices) -> Self {
        let chosen = palettes.choose(None);
        Self { palettes, chosen, budget: RefCell::default(), count: Cell::new(0) }
    }
}

/// Reports once that this many images have no palette.
fn report_missing_palette(
    chosen: &ChosenPalette,
    palettes: &PaletteChoices,
    count: usize,
    report: &mut Report,
) {
    if chosen.origin == PaletteOrigin::Grey && !palettes.is_gray_requested() && count > 0 {
        let images = if count == 1 { "1 image".to_owned() } else { format!("{count} images") };
        let message = format!("{images} converted to grayscale; choose a palette with --palette");
        report.warn(&warning::NO_PALETTE, message);
    }
}

impl Asset for TextureSet {
    fn describe(&self, detail: Detail) -> Description {
        let descriptors = || self.records.iter().filter_map(|record| record.descriptor);
        let moving = descriptors().filter(|descriptor| descriptor.frame_count > 1).count();
        let empty = descriptors().filter(|descriptor| descriptor.frame_count == 0).count();
        let frames: u64 = descriptors().map(|descriptor| u64::from(descriptor.frame_count)).sum();
        let solid = self.records.iter().filter(|record| record.entry.position == 0).count();
        let plural = if self.records.len() == 1 { "record" } else { "records" };
        let facts = || (0..self.records.len()).map(|index| self.facts(index, None));
        Description {
            summary: format!(
                "texture set {:?}, {} {plural}, {moving} of them animated",
                self.name,
                self.records.len()
            ),
            counts: Counts::new()
                .with("records", self.records.len())
                .with("animated records", moving)
                .with("empty records", empty)
                .with("solid colors", solid)
                .with("frames", frames),
            fields: match detail {
                Detail::Brief => Document::object(|out| {
                    out.put("name", &self.name).list("records", facts());
                }),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        let set = set_at(context);
        let mut budget = Budget::default();
        for (index, record) in self.records.iter().enumerate() {
            self.picture(index, set, &mut budget, report);
            self.check_record(index, record, report);
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let palettes = PaletteChoices::new(context, Renderer::Software)?;
        let (set, frames) = (set_at(context), frame_files(context));
        let state = Rc::new(SetState::new(palettes));
        let (of_images, game_context) = (Rc::clone(&state), context.clone());
        let is_single = self.records.len() == 1;
        let images = (0..self.records.len()).map(move |number| {
            let (state, game_context) = (Rc::clone(&of_images), game_context.clone());
            let image = Offer::new(ProductKind::Image, move |making| {
                let budget = &mut *state.budget.borrow_mut();
                let Some(frames) = self.picture(number, set, budget, making.report) else {
                    return Ok(None);
                };
                let animation =
                    frames.animation(self.key(number, &game_context).apply(&state.chosen.colors))?;
                making.facts.insert("palette".into(), state.chosen.origin.name().into());
                state.count.set(state.count.get().saturating_add(1));
                Ok(Some(animation))
            });
            let image = if is_single { image } else { image.named(format!("{number:03}")) };
            image.with_facts(self.facts(number, set)).with_frames(frames)
        });
        let head = [("set", json!(set)), ("name", json!(self.name))];
        let head = head.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        Ok(Products::new(context, target).with_all(images).with_index(index(head)).with_closing(
            move |report| {
                report_missing_palette(&state.chosen, &state.palettes, state.count.get(), report);
            },
        ))
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self, context, parts, report)
    }
}

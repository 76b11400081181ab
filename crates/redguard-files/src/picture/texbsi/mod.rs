//! TEXBSI: a bank of static and animated textures of the Glide renderer. Models refer to them by bank and number.

mod archive;
mod check;
mod edit;
#[cfg(test)]
mod edit_tests;
pub(crate) mod image;
mod layout;
mod name;
mod pixel;
mod replace;
#[cfg(test)]
mod replace_tests;
#[cfg(test)]
mod tests;
pub(crate) mod unpack;
pub(crate) mod warning;

use std::cell::RefCell;
use std::rc::Rc;

use asset::archive::Editing;
use asset::{
    Asset, Context, Counts, Description, Detail, Entries, Format, NameKind, Named, Names, Offer, Offered,
    Parts, Probe, ProductKind, Products, Report, Score, Target, Unpacked,
};
use json::{Document, Map, Value, json};
use record::{Result, Source, read_whole, write_whole};

pub use layout::{Bank, End, Entry, Header, Image, ImageName, Section};
pub use name::{ImageKey, bank_of_file};
pub use pixel::{ImageLayout, PixelEncoding};
pub use warning::CODES;

use crate::picture::Renderer;
use crate::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE, PaletteChoices};
use crate::picture::{INDEX_0, requested_index_0};
use image::{LocatedImage, UncertainPalettes};
use media::picture::{Budget, FRAMES, Index0, frame_files, index};
use unpack::ImageToUnpack;

/// The texture bank format.
pub static FORMAT: Format = Format::new("redguard.texbsi", "Redguard texture bank", open)
    .game("redguard")
    .extensions(&["###"])
    .probe(probe)
    .pack(pack)
    .products(&[
        Offered { kind: ProductKind::Image, about: "each image, static or animated" },
        Offered { kind: ProductKind::Data, about: "size, timing and scale of every image" },
    ])
    .record::<Bank>()
    .archive(Entries::of::<Bank>(Editing::Parts))
    .options(BankOptions::DECLARED)
    .names(Names::of_file(NameKind::Texture).reported(|asset, _, take| {
        for (number, entry) in asset.typed::<Bank>().iter().flat_map(|bank| bank.entries.iter().enumerate()) {
            let path = format_args!("entries[{number}].name");
            match ImageKey::of_name(&entry.name) {
                Some(key) => key.visit_names(path, take),
                None => take(Named::new(NameKind::Texture, &entry.name.text(), path)),
            }
        }
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Bank::read(&source.read_all()?)?))
}

asset::format_options! {
    /// Options for converting the images of a bank.
    pub struct BankOptions {
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

/// Recognizes a bank by the marker of its first image, or by its file name.
fn probe(file: &Probe<'_>) -> Option<Score> {
    let marker = ["BSIF", "IFHD"].iter().any(|tag| file.has_at(13, tag.as_bytes()));
    if marker {
        return Some(Score::CERTAIN);
    }
    bank_of_file(&file.name).map(|_| if file.has_at(0, &[0; 9]) { Score::LIKELY } else { Score::POSSIBLE })
}

impl Bank {
    /// Reads a bank.
    ///
    /// # Errors
    /// Returns an error if the file is truncated, a length is too large, or an image has no header or no pixels.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let bank: Self = read_whole(bytes, ())?;
        for (index, (base, entry)) in bank.located().enumerate() {
            let checked = entry.image.check_complete(base);
            checked.map_err(|error| error.in_field("image").in_item(index).in_field("entries"))?;
        }
        Ok(bank)
    }

    /// Writes the bank. An unchanged bank is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if an image has no name, or its length does not fit its field.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Returns the first image with this number in its name.
    #[must_use]
    pub fn image(&self, number: u16) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| ImageKey::of_name(&entry.name).is_some_and(|key| key.image == number))
    }

    fn images(&self) -> impl Iterator<Item = (&Entry, LocatedImage<'_>)> {
        self.located().enumerate().map(|(index, (base, entry))| {
            let field = format!("entries[{index}].image");
            (entry, LocatedImage { image: &entry.image, base, field, codes: &warning::IMAGE })
        })
    }
}

/// State shared by the conversions of all images of a bank.
struct BankState {
    palettes: PaletteChoices,
    budget: RefCell<Budget>,
    uncertain: RefCell<UncertainPalettes>,
}

impl Asset for Bank {
    fn describe(&self, detail: Detail) -> Description {
        describe(self, detail)
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let palettes = PaletteChoices::new(context, Renderer::Glide)?;
        let (key, frames) = (requested_index_0(context, Index0::Clear), frame_files(context));
        let bank = Rc::new(BankState { palettes, budget: RefCell::default(), uncertain: RefCell::default() });
        let of_images = Rc::clone(&bank);
        let is_single = self.entries.len() == 1;
        let images = self.images().map(move |(entry, located)| {
            let (bank, facts) = (Rc::clone(&of_images), facts_of(entry, &located));
            let image = Offer::new(ProductKind::Image, move |making| {
                let animation =
                    located.animation(&bank.palettes, key, &mut bank.budget.borrow_mut(), making.report);
                Ok(animation.map(|(animation, chosen)| {
                    bank.uncertain.borrow_mut().count(&chosen);
                    making.facts.insert("palette".into(), chosen.origin.name().into());
                    animation
                }))
            });
            let image = if is_single { image } else { image.named(entry.name.text()) };
            image.with_facts(facts).with_frames(frames)
        });
        let number = context.location.as_ref().and_then(|location| bank_of_file(location.path().name()));
        let head = number.map(|number| ("bank".to_owned(), json!(number))).into_iter().collect();
        Ok(Products::new(context, target).with_all(images).with_index(index(head)).with_closing(
            move |report| {
                let uncertain = bank.uncertain.borrow();
                uncertain.report(&bank.palettes, &warning::GUESSED, &warning::NO_PALETTE, report);
            },
        ))
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        let bank = self;
        let palettes = PaletteChoices::new(context, Renderer::Glide)?;
        let key = requested_index_0(context, Index0::Clear);
        let images: Vec<ImageToUnpack<'_>> = bank
            .images()
            .enumerate()
            .map(|(index, (entry, located))| ImageToUnpack {
                located,
                name: files::name::safe_name(&entry.name.text()).into_owned(),
                pointer: format!("/entries/{index}/image"),
                key,
            })
            .collect();
        unpack::unpack(bank, &images, &palettes, parts, report)
    }
}

fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let (mut bank, blobs): (Bank, _) = folder.typed_with_names()?;
    let entries = bank.entries.iter_mut().enumerate();
    let mut images: Vec<_> =
        entries.map(|(index, entry)| (format!("/entries/{index}/image"), &mut entry.image)).collect();
    unpack::pack_views(folder, &blobs, &mut images, &warning::IMAGE, report)?;
    edit::add_views(bank, folder, report)?.write()
}

/// Returns the metadata of an image that image files cannot store.
fn facts_of(entry: &Entry, located: &LocatedImage<'_>) -> Map<String, Value> {
    let mut facts = Map::new();
    facts.insert("name".into(), entry.name.text().into());
    facts.insert("image".into(), json!(ImageKey::of_name(&entry.name).map(|key| key.image)));
    facts.extend(located.facts());
    facts
}

fn describe(bank: &Bank, detail: Detail) -> Description {
    let headers = || bank.entries.iter().filter_map(|entry| Some(entry.image.header()?.1));
    let moving = headers().filter(|header| header.frame_count > 1).count();
    let palettes = bank.entries.iter().filter(|entry| entry.image.palette().is_some()).count();
    let frames: u64 = headers().map(|header| u64::try_from(header.frame_count).unwrap_or_default()).sum();
    let plural = if bank.entries.len() == 1 { "image" } else { "images" };
    let facts = || bank.images().map(|(entry, located)| facts_of(entry, &located));
    Description {
        summary: format!("texture bank, {} {plural}, {moving} of them animated", bank.entries.len()),
        counts: Counts::new()
            .with("images", bank.entries.len())
            .with("animated images", moving)
            .with("frames", frames)
            .with("embedded palettes", palettes),
        fields: match detail {
            Detail::Brief => Document::object(|out| {
                out.list("images", facts());
            }),
            Detail::Full => Document::of(bank).unwrap_or_default(),
        },
        ..Description::default()
    }
}

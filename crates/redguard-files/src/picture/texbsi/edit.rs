//! Adds, removes and renames images. Models refer to them by the number in their names.

use std::collections::BTreeSet;

use asset::archive::{EditParts, EntryChangeKind, PartChanges, put_new_views, stem_and_extension};
use asset::{Context, Report, Unpacked};
use media::picture::{
    Edited, Index0, MOST_PIXELS, ViewPalettes, decode_picture, indices_of, is_colored, matched,
};
use record::{Bytes, Error, Result, Source};
use scene::image::{Format, Limits, decode_gif};

use super::layout::{Bank, Entry, Image, ImageName};
use super::name::{ImageKey, bank_of_file, file_name};
use super::replace::{CODES, image_of, picture_format, replace_image};
use super::warning;
use crate::picture::matching::report_matched_palette;
use crate::picture::palette::{PaletteChoices, PaletteOrigin};
use crate::picture::{Renderer, requested_index_0};

/// The extensions of files that can be added as images.
const EXTENSIONS: &[&str] = &["png", "gif", "bsi", "bmp", "tga", "jpg", "jpeg"];

/// A bank whose images are edited.
pub(super) struct BankEditor<'a> {
    pub(super) bank: Bank,
    /// The bank number in the file name.
    pub(super) number: Option<u16>,
    pub(super) colors: Colors<'a>,
}

/// The source of the palette that the colors of new pictures are matched with.
pub(super) enum Colors<'a> {
    /// The palette of a game.
    Game(&'a Context<'a>),
    /// The palette of the views of an unpacked bank.
    Views(&'a ViewPalettes),
}

impl EditParts for BankEditor<'_> {
    fn remove(&mut self, entries: &BTreeSet<usize>, done: &mut PartChanges<'_>) -> Result<()> {
        for index in entries.iter().rev() {
            if *index >= self.bank.entries.len() {
                return Err(missing());
            }
            done.note(file_name(&self.bank.entries.remove(*index)), EntryChangeKind::Removed);
        }
        Ok(())
    }

    fn rename(&mut self, entry: usize, to: &str, done: &mut PartChanges<'_>) -> Result<()> {
        let (name, key) = self.name_of(to)?;
        if self.find(key).is_some_and(|other| other != entry) {
            return Err(Error::usage(format!("an image named \"{name}\" already exists")));
        }
        let entry = self.bank.entries.get_mut(entry).ok_or_else(missing)?;
        let old = file_name(entry);
        entry.name = name;
        done.note(old, EntryChangeKind::Renamed { to: file_name(entry) });
        Ok(())
    }

    fn put(&mut self, name: &str, content: &Source, done: &mut PartChanges<'_>) -> Result<()> {
        let (image_name, key) = self.name_of(name)?;
        let bytes = content.read_all()?;
        let entry = self.find(key).and_then(|index| self.bank.entries.get_mut(index));
        if let Some(entry) = entry {
            let Colors::Game(context) = self.colors else {
                let message = format!(
                    "the bank already has the image {image_name}, which has no view; edit record.json"
                );
                return Err(Error::usage(message));
            };
            replace_image(&mut entry.image, context, (name, &bytes), done.report)?;
            done.note(file_name(entry), EntryChangeKind::Replaced);
            return Ok(());
        }
        let image = self.colors.image(name, &bytes, done.report)?;
        let entry = Entry { name: image_name, image, rest: Bytes::default() };
        done.note(file_name(&entry), EntryChangeKind::Added);
        self.bank.entries.push(entry);
        Ok(())
    }
}

fn missing() -> Error {
    Error::usage("image index out of range")
}

impl BankEditor<'_> {
    fn keys(&self) -> impl Iterator<Item = ImageKey> {
        self.bank.entries.iter().filter_map(|entry| ImageKey::of_name(&entry.name))
    }

    fn find(&self, key: ImageKey) -> Option<usize> {
        self.bank.entries.iter().position(|entry| ImageKey::of_name(&entry.name) == Some(key))
    }

    /// Returns the image name for a file name: `D02031.png`, or `31.png` without the bank.
    fn name_of(&self, file: &str) -> Result<(ImageName, ImageKey)> {
        let (stem, _) = stem_and_extension(file);
        let bank = self.number.or_else(|| self.keys().next().map(|key| key.bank));
        let is_number = (1..=3).contains(&stem.len()) && stem.bytes().all(|letter| letter.is_ascii_digit());
        let key = match (stem.parse().ok().filter(|_| is_number), bank) {
            (Some(image), Some(bank)) => Some(ImageKey { bank, image }),
            (Some(_), None) => {
                let message = format!(
                    "the bank of image {stem} is unknown; include it in the file name, as in D02031.png"
                );
                return Err(Error::usage(message));
            }
            (None, _) => ImageName::new(stem).ok().and_then(|name| ImageKey::of_name(&name)),
        };
        let key = key.ok_or_else(|| self.invalid(stem, bank))?;
        let name = key.name().ok_or_else(|| self.invalid(stem, bank))?;
        match bank.filter(|bank| *bank != key.bank) {
            None => Ok((name, key)),
            Some(bank) => Err(Error::usage(format!(
                "{name} is an image of TEXBSI.{:03}, but this is TEXBSI.{bank:03}; rename the file, or use --name",
                key.bank
            ))),
        }
    }

    /// Returns the error for a file name that is not the name of an image. It suggests the next free name.
    fn invalid(&self, stem: &str, bank: Option<u16>) -> Error {
        let image = self.keys().map(|key| key.image.saturating_add(1)).max().unwrap_or_default();
        let free = bank.and_then(|bank| ImageKey { bank, image }.name());
        let free = free.map(|name| format!("; the next free one is {image} ({name})")).unwrap_or_default();
        Error::usage(format!(
            "\"{stem}\" is not the name of an image: expected a number of up to three digits, or a letter and five digits{free}; \
             rename the file, or use --name"
        ))
    }
}

impl Colors<'_> {
    /// Creates a new image from a file.
    fn image(&self, name: &str, content: &[u8], report: &mut Report) -> Result<Image> {
        let (frames, delay) = match picture_format(content) {
            None => return image_of(content),
            Some(Format::Gif) => {
                let limits = Limits { max_pixels: MOST_PIXELS };
                let (pictures, delay) = decode_gif(content, &limits)?;
                let palette = self.palette(name, &|| pictures.iter().any(is_colored), report)?;
                let count = pictures.len();
                let frames = pictures.iter().enumerate().map(|(number, picture)| {
                    let path = if count > 1 { format!("frame {number} of {name}") } else { name.to_owned() };
                    matched(&path, picture, &palette, None, &warning::INEXACT, report)
                });
                (frames.collect::<Vec<Edited>>(), if count > 1 { delay } else { 0 })
            }
            Some(_) => {
                let picture = decode_picture(name, content)?;
                let palette = self.palette(name, &|| is_colored(&picture.to_rgba8()), report)?;
                (vec![indices_of(name, &picture, &palette, None, &warning::INEXACT, report)], 0)
            }
        };
        let Some((width, height)) = frames.first().map(|frame| (frame.width, frame.height)) else {
            return Err(Error::usage("the picture has no frames"));
        };
        let frames: Vec<Vec<u8>> = frames.into_iter().map(|frame| frame.indices).collect();
        Image::new(width, height, &frames, i16::try_from(delay).unwrap_or(i16::MAX), None)
    }

    /// Returns the palette for a new picture, and reports it.
    fn palette(
        &self,
        name: &str,
        is_colored: &dyn Fn() -> bool,
        report: &mut Report,
    ) -> Result<Vec<[u8; 4]>> {
        match self {
            Colors::Game(context) => {
                let palettes = PaletteChoices::new(context, Renderer::Glide)?;
                let chosen = palettes.choose(None);
                let origin = (!palettes.is_gray_requested()).then_some(&chosen.origin);
                report_matched_palette(name, origin, is_colored, &CODES, report)?;
                Ok(requested_index_0(context, Index0::Clear).apply(&chosen.colors))
            }
            Colors::Views(views) => {
                let (palette, source) =
                    views.most_common(PaletteOrigin::Embedded.name()).ok_or_else(|| {
                        let message =
                            "no view has a palette to match a new picture with; use `antiquary archive add`";
                        Error::usage(message)
                    })?;
                let message = format!("the colors of {name} were matched with the palette {source}");
                report.warn(&warning::MATCHED, message);
                Ok(palette)
            }
        }
    }
}

/// Adds new pictures in the views to a bank.
pub(super) fn add_views(bank: Bank, folder: &Unpacked, report: &mut Report) -> Result<Bank> {
    let views: ViewPalettes = match folder.context_value().is_null() {
        true => ViewPalettes::default(),
        false => folder.context()?,
    };
    let number = bank_of_file(folder.source_name());
    let mut editor = BankEditor { bank, number, colors: Colors::Views(&views) };
    put_new_views(&mut editor, folder, EXTENSIONS, report)?;
    Ok(editor.bank)
}

//! The files that screens are drawn with. Each is read once, and each problem is reported once.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use asset::{Code, Context, Found, Report};
use media::ini::Ini;
use media::picture::Index0;
use record::Result;

use crate::picture::gxa::Gxa;
use crate::picture::texbsi::Bank;
use crate::settings::ini::check::warning;
use crate::settings::ini::value::SYNTAX;
use crate::text::fnt::Font;

/// Files that were read, by name; `None` for those that could not be read.
type Files<T> = BTreeMap<String, Option<Rc<T>>>;

/// The files of the surrounding game.
pub(super) struct GameFiles<'a> {
    context: Context<'a>,
    banks: Files<Bank>,
    bitmaps: Files<Gxa>,
    fonts: Files<Font>,
    settings: BTreeMap<String, Option<Arc<Ini>>>,
    reported: BTreeSet<String>,
}

/// A frame of a bitmap.
pub(super) struct Frame {
    /// The width in pixels.
    pub(super) width: u16,
    /// The height in pixels.
    pub(super) height: u16,
    /// The offset at which some bitmaps are drawn, to the right and down.
    pub(super) offset: [i32; 2],
    /// A palette index per pixel, rows from the top.
    pub(super) indices: Vec<u8>,
    /// The colors of the bitmap; the first one is transparent.
    pub(super) palette: Vec<[u8; 4]>,
}

impl<'a> GameFiles<'a> {
    pub(super) const fn new(context: Context<'a>) -> Self {
        Self {
            context,
            banks: BTreeMap::new(),
            bitmaps: BTreeMap::new(),
            fonts: BTreeMap::new(),
            settings: BTreeMap::new(),
            reported: BTreeSet::new(),
        }
    }

    pub(super) const fn context(&self) -> &Context<'a> {
        &self.context
    }

    /// Reports a problem, unless it was reported already.
    pub(super) fn warn(&mut self, code: &'static Code, message: String, report: &mut Report) {
        if self.reported.insert(message.clone()) {
            report.warn(code, message);
        }
    }

    /// Returns a texture bank by its number.
    pub(super) fn bank(&mut self, number: i32, report: &mut Report) -> Option<Rc<Bank>> {
        let name = format!("TEXBSI.{number:03}");
        if let Some(known) = self.banks.get(&name) {
            return known.clone();
        }
        let bank = self.read("fxart", &name, "its pages have no background", Bank::read, report);
        self.banks.insert(name, bank.clone());
        bank
    }

    /// Returns a bitmap by its path; `lost` is the consequence if it is missing: `the candle is not drawn`.
    pub(super) fn bitmap(&mut self, path: &str, lost: &str, report: &mut Report) -> Option<Rc<Gxa>> {
        if let Some(known) = self.bitmaps.get(path) {
            return known.clone();
        }
        let bitmap = self.read("system", path, lost, Gxa::read, report);
        self.bitmaps.insert(path.to_owned(), bitmap.clone());
        bitmap
    }

    /// Returns a frame of a bitmap.
    pub(super) fn frame(
        &mut self,
        path: &str,
        number: i32,
        lost: &str,
        report: &mut Report,
    ) -> Option<Frame> {
        let bitmap = self.bitmap(path, lost, report)?;
        let index = usize::try_from(number).ok();
        let found = index.and_then(|index| Some((bitmap.frames.get(index)?, bitmap.indices_of(index)?)));
        let Some((frame, indices)) = found else {
            let count = bitmap.frames.len();
            let message = format!("{} has no frame {number} (frames: {count}); {lost}", bare(path));
            self.warn(&warning::NO_PART, message, report);
            return None;
        };
        match indices {
            Ok(indices) => Some(Frame {
                width: frame.width,
                height: frame.height,
                offset: [frame.x_offset.into(), frame.y_offset.into()],
                indices,
                palette: Index0::Clear.apply(&bitmap.palette.expanded()),
            }),
            Err(error) => {
                let message =
                    format!("frame {number} of {} cannot be decoded: {}", bare(path), error.message());
                self.warn(&warning::UNREADABLE, message, report);
                None
            }
        }
    }

    /// Returns a font by the name of its file. Characters of `text` that it lacks are reported.
    pub(super) fn font(
        &mut self,
        name: &str,
        text: &str,
        lost: &str,
        report: &mut Report,
    ) -> Option<Rc<Font>> {
        let font = match self.fonts.get(name) {
            Some(known) => known.clone(),
            None => {
                let font = self.read("fonts", name, lost, Font::read, report);
                self.fonts.insert(name.to_owned(), font.clone());
                font
            }
        };
        let known = font?;
        for character in text.chars().filter(|character| known.index_of(*character).is_none()) {
            let message = format!("{name} has no glyph for {character:?}");
            self.warn(&warning::NO_PART, message, report);
        }
        Some(known)
    }

    /// Returns a settings file by its path.
    pub(super) fn settings(&mut self, path: &str, lost: &str, report: &mut Report) -> Option<Arc<Ini>> {
        if let Some(known) = self.settings.get(path) {
            return known.clone();
        }
        let ini = Ini::of_install(&self.context, &path.replace('\\', "/"), SYNTAX);
        if ini.is_none() {
            self.warn(&warning::NO_FILE, format!("{} was not found; {lost}", bare(path)), report);
        }
        self.settings.insert(path.to_owned(), ini.clone());
        ini
    }

    fn read<T>(
        &mut self,
        folder: &str,
        path: &str,
        lost: &str,
        decode: fn(&[u8]) -> Result<T>,
        report: &mut Report,
    ) -> Option<Rc<T>> {
        let Some(found) = find(&self.context, folder, path) else {
            self.warn(&warning::NO_FILE, format!("{} was not found; {lost}", bare(path)), report);
            return None;
        };
        let source = self.context.install.open(&found.location);
        match source.and_then(|source| decode(&source.read_all()?)) {
            Ok(decoded) => Some(Rc::new(decoded)),
            Err(error) => {
                let message = format!("{} cannot be read: {}; {lost}", bare(path), error.message());
                self.warn(&warning::UNREADABLE, message, report);
                None
            }
        }
    }
}

/// Finds a file of the game by its path, or by its name in the folder where the game has such files, next to the settings, and in the
/// root of the game.
fn find(context: &Context<'_>, folder: &str, path: &str) -> Option<Found> {
    let install = context.install;
    let named = install.find(&path.replace('\\', "/")).found().filter(|_| bare(path) != path);
    let sibling = context.location.as_ref().map(|location| install.folder_of(location));
    let folders = [install.folder(folder)].into_iter().chain(sibling).chain([install.root()]);
    named.or_else(|| folders.into_iter().find_map(|folder| folder.find(bare(path)).found()))
}

/// Returns the name of a file without its folders.
pub(super) fn bare(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

//! Pictures of the pages of the menu: the surfaces as stored in a texture bank, with their texts and values.

use std::cell::RefCell;
use std::rc::Rc;

use asset::{Context, Offer, ProductKind, Report};
use media::ini::Ini;
use media::picture::{Budget, Index0};
use record::{Error, Result};
use scene::image::Indexed8;

use super::canvas::{Canvas, Sprite, width};
use super::file::GameFiles;
use super::formula::{justified, slider_frame};
use super::widget::{Widget, Widgets};
use crate::picture::Renderer;
use crate::picture::palette::{ChosenPalette, PaletteChoices};
use crate::settings::ini::check::warning;
use crate::settings::ini::lookup::Lookup;
use crate::settings::ini::option::{GRAY, SELECT};
use crate::settings::ini::page::{Element, Page};

/// The width and height of the surfaces of the game's pages, in texels. Texts are drawn up to them even if the image is smaller.
const SIDE: u16 = 256;

/// The palette of the menu.
const PALETTE: &str = "REDGUARD.COL";

/// The font of entries.
const NORMAL_FONT: &str = "FONTNORM.FNT";

/// The font of the selected entry.
const SELECTED_FONT: &str = "FONTSEL.FNT";

/// The horizontal position of names of keys.
const KEY_LEFT: i32 = 120;

/// Names of keys end at the first glyph that starts here or later.
const KEY_END: i32 = 247;

/// The page of the movies, and its surface with a preview of the selected movie.
const PREVIEW: (u32, usize) = (3, 1);

/// The action of the first movie.
const FIRST_MOVIE: i32 = 301;

/// The first row of the preview.
const PREVIEW_TOP: i32 = 33;

/// The state of the game that no setting defines.
const ASSUMED: &str = "check boxes, sliders and keys are those of SYSTEM.INI and KEYS.INI, and all movies are unlocked; \
                       saved games, and the picture of the game from row 33 of some surfaces, are not drawn";

/// Returns the picture of each surface of each page.
pub(super) fn offers<'a>(ini: &Ini, context: &Context<'a>) -> Vec<Offer<'a>> {
    let pages = match pages(ini, context) {
        Ok(pages) => pages,
        Err(error) => return vec![Offer::new(ProductKind::Image, |_| Err::<Option<Indexed8>, _>(error))],
    };
    let game = Game { files: GameFiles::new(context.clone()), widgets: Widgets::default() };
    let game = Rc::new(RefCell::new(game));
    let mut out = Vec::new();
    for menu_page in pages {
        let menu_page = Rc::new(menu_page);
        for slot in 0..menu_page.page.textures.len() {
            let Some((name, texture)) = menu_page.surface(slot) else { continue };
            let (of_offer, game, caption) =
                (Rc::clone(&menu_page), Rc::clone(&game), menu_page.caption(slot));
            let image = Offer::new(ProductKind::Image, move |making| {
                of_offer.draw((slot, texture), &mut game.borrow_mut(), making.report).map(Some)
            });
            out.push(image.named(name).with_caption(caption));
        }
    }
    out
}

/// The files of the game, and the values of entries.
struct Game<'a> {
    files: GameFiles<'a>,
    widgets: Widgets,
}

/// A page with the position of its selected entry.
struct MenuPage {
    page: Page,
    selected: Option<usize>,
}

/// Returns the game's pages in the requested state.
fn pages(ini: &Ini, context: &Context<'_>) -> Result<Vec<MenuPage>> {
    let mut pages: Vec<Page> =
        Page::list(&Lookup::new(ini)).into_iter().filter(|page| page.name().is_some()).collect();
    let grayed = context.options.text(&GRAY).unwrap_or_default();
    for entry in grayed.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let mut is_known = false;
        for page in &mut pages {
            let found = position_of(page, entry).and_then(|position| page.elements.get_mut(position));
            is_known |= found.is_some();
            found.into_iter().for_each(|element| element.grayed = 1);
        }
        is_known.then_some(()).ok_or_else(|| unknown(entry, GRAY.option().name))?;
    }
    let requested = context.options.text(&SELECT).map(str::trim);
    if let Some(entry) = requested
        && !pages.iter().any(|page| position_of(page, entry).is_some())
    {
        return Err(unknown(entry, SELECT.option().name));
    }
    let with_selection = |page: Page| {
        let selected = requested.and_then(|entry| position_of(&page, entry));
        MenuPage { selected: selected.or_else(|| page.first_selected()), page }
    };
    Ok(pages.into_iter().map(with_selection).collect())
}

/// Returns the position of the entry with a text or else an index.
fn position_of(page: &Page, entry: &str) -> Option<usize> {
    let lower = entry.to_lowercase();
    let by_text = page.elements.iter().position(|element| element.text.to_lowercase() == lower);
    let index = entry.parse::<u32>().ok();
    by_text.or_else(|| page.elements.iter().position(|element| Some(element.index) == index))
}

fn unknown(entry: &str, option: &str) -> Error {
    Error::usage(format!(
        "no page of the menu has the entry \"{entry}\" of --{option}; use its text or its index"
    ))
}

/// The way a label is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ink {
    Normal,
    Selected,
    Grayed,
    NotSelectable,
}

impl Ink {
    const fn of(element: &Element, is_selected: bool) -> Self {
        match (element.grayed, element.selectable) {
            (0, 0) => Self::NotSelectable,
            (0, _) if is_selected => Self::Selected,
            (0, _) => Self::Normal,
            _ => Self::Grayed,
        }
    }

    /// Returns the index of a pixel from the index of the glyph's pixel and the index of the page.
    const fn index(self, glyph: u8, page: u8) -> u8 {
        match self {
            Self::Normal => glyph.wrapping_add(5),
            Self::Selected => glyph,
            Self::Grayed => page.wrapping_add(4),
            Self::NotSelectable => (glyph & 15).wrapping_add(144),
        }
    }

    const fn font(self) -> &'static str {
        match self {
            Self::Selected => SELECTED_FONT,
            Self::Normal | Self::Grayed | Self::NotSelectable => NORMAL_FONT,
        }
    }
}

/// An image of a texture bank: bank and image number.
type Texture = (i32, i32);

impl MenuPage {
    /// Returns the name of a surface's picture, and its image; `None` if the page does not have the surface.
    fn surface(&self, slot: usize) -> Option<(String, Texture)> {
        let texture = self.page.textures.get(slot).copied().flatten()?;
        let name = self.page.name().unwrap_or_default();
        Some((format!("page{}-{name}-{slot}", self.page.number), texture))
    }

    fn selected(&self) -> Option<&Element> {
        self.page.elements.get(self.selected?)
    }

    fn caption(&self, slot: usize) -> String {
        let name = self.page.name().unwrap_or_default();
        let selected = self.selected().map_or("nothing", |element| &element.text);
        format!("page {} ({name}), surface {slot}; selected: {selected}", self.page.number)
    }

    fn draw(
        &self,
        (slot, texture): (usize, Texture),
        Game { files, widgets }: &mut Game<'_>,
        report: &mut Report,
    ) -> Result<Indexed8> {
        files.warn(&warning::ASSUMED, ASSUMED.to_owned(), report);
        self.report_entries(files, report);
        let (mut surface, colors) = Surface::read(texture, files, report)?;
        if (self.page.number, slot) == PREVIEW {
            self.draw_preview(&mut surface, files, report);
        }
        for (position, element) in self.page.elements.iter().enumerate() {
            if usize::try_from(element.texture) == Ok(slot) {
                let ink = Ink::of(element, self.selected == Some(position));
                surface.draw_label(element, ink, files, report);
                if let Some(widget) = widgets.of(element.action, files, report) {
                    surface.draw_widget(&widget, element, ink, files, report);
                }
            }
        }
        surface.into_image(&colors)
    }

    /// Reports entries that are not drawn, or not as requested.
    fn report_entries(&self, files: &mut GameFiles<'_>, report: &mut Report) {
        let number = self.page.number;
        for element in &self.page.elements {
            let slot = usize::try_from(element.texture).ok();
            if slot.is_none_or(|slot| self.surface(slot).is_none()) {
                let Element { text, texture, .. } = element;
                let message = format!(
                    "page {number}: \"{text}\" is on surface {texture}, which the page does not have"
                );
                files.warn(&warning::NO_SURFACE, message, report);
            }
        }
        if let Some(element) = self.selected().filter(|element| !element.can_be_selected()) {
            let message = format!("page {number}: \"{}\" cannot be selected", element.text);
            files.warn(&warning::NOT_SELECTABLE, message, report);
        }
    }

    /// Draws the preview of the selected movie; its index 0 is opaque.
    fn draw_preview(&self, surface: &mut Surface, files: &mut GameFiles<'_>, report: &mut Report) {
        let action = self.selected().map_or(0, |element| element.action);
        let Some(movie) = action.checked_sub(FIRST_MOVIE).filter(|movie| *movie >= 0) else { return };
        let frame = files.frame("MM_MOVIE.GXA", movie, "the preview of the movie is not drawn", report);
        if let Some(frame) = frame {
            let sprite = Sprite { left: 0, top: PREVIEW_TOP, width: frame.width, indices: &frame.indices };
            surface.canvas.draw(sprite, |index, _| index);
        }
    }
}

/// A surface of a page while it is drawn.
struct Surface {
    width: u16,
    height: u16,
    canvas: Canvas<u8>,
}

impl Surface {
    /// Returns a surface with its image, and its palette. Without the image, it is empty.
    fn read(
        texture: Texture,
        files: &mut GameFiles<'_>,
        report: &mut Report,
    ) -> Result<(Self, ChosenPalette)> {
        let palettes = PaletteChoices::of_world(files.context(), Renderer::Glide, Some(PALETTE))?;
        let empty = || Self { width: SIDE, height: SIDE, canvas: Canvas::new(SIDE, SIDE, 0) };
        let (surface, palette) = Self::of_bank(texture, &palettes, files, report)
            .unwrap_or_else(|| (empty(), palettes.choose(None)));
        if !palette.origin.name().eq_ignore_ascii_case(PALETTE) {
            let message =
                format!("{PALETTE} was not found; the pages have the colors of {}", palette.origin.name());
            files.warn(&warning::OTHER_PALETTE, message, report);
        }
        Ok((surface, palette))
    }

    /// Returns a surface with its image: the first frame, at the top left.
    fn of_bank(
        (bank_number, number): Texture,
        palettes: &PaletteChoices,
        files: &mut GameFiles<'_>,
        report: &mut Report,
    ) -> Option<(Self, ChosenPalette)> {
        let bank = files.bank(bank_number, report)?;
        let Some(entry) = u16::try_from(number).ok().and_then(|number| bank.image(number)) else {
            let message =
                format!("TEXBSI.{bank_number:03} has no image {number}; its pages have no background");
            files.warn(&warning::NO_PART, message, report);
            return None;
        };
        let decoded = entry.image.animation(palettes, &mut Budget::default());
        let sized = decoded.and_then(|(image, palette)| {
            let (width, height) = (u16::try_from(image.width()).ok()?, u16::try_from(image.height()).ok()?);
            Some((image, palette, width, height))
        });
        let Some((image, palette, width, height)) = sized else {
            let message = format!("image {number} of TEXBSI.{bank_number:03} cannot be decoded");
            files.warn(&warning::UNREADABLE, message, report);
            return None;
        };
        let size = (width.max(SIDE), height.max(SIDE));
        let mut canvas = Canvas::new(size.0, size.1, 0);
        let indices = image.frames().first().map(Vec::as_slice).unwrap_or_default();
        canvas.draw(Sprite { left: 0, top: 0, width, indices }, |index, _| index);
        Some((Self { width: size.0, height: size.1, canvas }, palette))
    }

    fn draw_label(&mut self, element: &Element, ink: Ink, files: &mut GameFiles<'_>, report: &mut Report) {
        let Element { text, justify, x, y, .. } = element;
        self.draw_line((text, *justify), [*x, *y], i32::MAX, ink, files, report);
    }

    /// Draws the value of an entry.
    fn draw_widget(
        &mut self,
        widget: &Widget,
        element: &Element,
        ink: Ink,
        files: &mut GameFiles<'_>,
        report: &mut Report,
    ) {
        match widget {
            Widget::CheckBox(value) => self.draw_bitmap("MM_CHECK.GXA", *value, element, files, report),
            Widget::Slider(step) => {
                let bitmap = files.bitmap("MM_SLIDE.GXA", "sliders are not drawn", report);
                let count = bitmap.map_or(0, |bitmap| i32::try_from(bitmap.frames.len()).unwrap_or(i32::MAX));
                let frame = slider_frame(*step, [element.slider_min, element.slider_max], count);
                self.draw_bitmap("MM_SLIDE.GXA", frame, element, files, report);
            }
            Widget::Key(name) => {
                self.draw_line((name, 0), [KEY_LEFT, element.y], KEY_END, ink, files, report);
            }
        }
    }

    fn draw_line(
        &mut self,
        (line, justify): (&str, i32),
        [x, y]: [i32; 2],
        end: i32,
        ink: Ink,
        files: &mut GameFiles<'_>,
        report: &mut Report,
    ) {
        let lost = "texts in it are not drawn";
        let Some(font) = files.font(ink.font(), line, lost, report) else { return };
        let left = x.saturating_sub(justified(justify, width(&font, line)));
        self.canvas.draw_text(&font, line, [left, y], end, |glyph, page| ink.index(glyph, page));
    }

    /// Draws a frame of a bitmap as the value of an entry.
    fn draw_bitmap(
        &mut self,
        name: &str,
        number: i32,
        element: &Element,
        files: &mut GameFiles<'_>,
        report: &mut Report,
    ) {
        let lost = format!("the value of \"{}\" is not drawn", element.text);
        let Some(frame) = files.frame(name, number, &lost, report) else { return };
        let left = element.output_x.saturating_sub(justified(element.output_justify, frame.width.into()));
        let sprite = Sprite { left, top: element.output_y, width: frame.width, indices: &frame.indices };
        self.canvas.draw_visible(sprite, |index, _| index);
    }

    fn into_image(self, palette: &ChosenPalette) -> Result<Indexed8> {
        let colors = Index0::Clear.apply(&palette.colors);
        Indexed8::new(self.width.into(), self.height.into(), self.canvas.into_pixels(), colors)
    }
}

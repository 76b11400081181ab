//! Selects the palette of an image.
//!
//! The game never uses the palette embedded in an image: everything is drawn with the palette of the world. The order of
//! precedence is the requested palette, the map's palette, the embedded palette, and grayscale. Without a map, the candidates are a
//! palette file with the name of the image (skies have one), and `ART_PAL.COL` for the software renderer.

use std::path::Path;

use asset::{Choice, Context, Flag, Location, Lookup, Text};
use files::disk;
use media::picture::Colors;
use record::{Error, Result, Source};

use super::interchange::read_any;
use super::layout::as_displayed_by_glide;
use crate::picture::Renderer;
use crate::settings::ini::world::{Worlds, find as find_file, find_palette};

/// The palette that most of the game is drawn with.
const COMMON: &str = "ISLAND.COL";

/// The maximum number of worlds whose palettes are searched.
const MAX_WORLDS: usize = 64;

/// The option `--palette FILE`.
pub const PALETTE: Text = Text::file(
    "palette",
    "Palette for images: a .COL, .act, .gpl or JSON file on disk or in the game, such as ISLAND.COL.",
);

/// The option `--palette-source`.
pub const PALETTE_SOURCE: Choice<PalettePrecedence> = Choice::new(
    "palette-source",
    "Palette that takes precedence.",
    &[
        (
            "external",
            "the palette of --palette or of the map, as in the game; the embedded palette if there is neither",
        ),
        ("embedded", "the palette embedded in the file, if there is one"),
        ("grey", "no palette: convert to grayscale"),
    ],
    &[PalettePrecedence::External, PalettePrecedence::Embedded, PalettePrecedence::Grey],
);

/// The option `--glide-colors`.
pub const GLIDE_COLORS: Flag = Flag::new(
    "glide-colors",
    "Use the palette as the Glide renderer does: 6 bits per channel, color 0 black.",
);

/// A palette and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenPalette {
    /// The colors, 8 bits per channel.
    pub colors: Colors,
    /// The origin of the palette.
    pub origin: PaletteOrigin,
}

/// The origin of a palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaletteOrigin {
    /// Requested by an option.
    Requested(String),
    /// The palette of the image or its map.
    OfMap(String),
    /// Embedded in the image.
    Embedded,
    /// A guess, because the map is unknown: the palette that most of the game uses.
    Guessed(String),
    /// No palette: grayscale.
    Grey,
}

impl PaletteOrigin {
    /// Returns the palette's keyword or file name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Requested(name) | Self::OfMap(name) | Self::Guessed(name) => name,
            Self::Embedded => "embedded",
            Self::Grey => "grey",
        }
    }
}

/// The available palettes for the images of a file.
#[derive(Debug, Clone)]
pub struct PaletteChoices {
    order: PalettePrecedence,
    /// A palette that was requested, or belongs to the file.
    external: Option<ChosenPalette>,
    guess: Option<ChosenPalette>,
}

/// The palette that takes precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PalettePrecedence {
    /// The requested palette or the map's palette.
    External,
    /// The embedded palette.
    Embedded,
    /// No palette: grayscale.
    Grey,
}

impl PaletteChoices {
    /// Finds the palettes for the file of the context. Formats that use this function must declare its options.
    ///
    /// # Errors
    /// Returns an error if a requested palette does not exist or is invalid.
    pub fn new(context: &Context<'_>, renderer: Renderer) -> Result<Self> {
        Self::among(context, renderer, || of_map(context, renderer))
    }

    /// Finds the palettes for a file that belongs to a world: the palette specified by the world replaces the one found by the
    /// file's name.
    ///
    /// # Errors
    /// Returns an error if a requested palette does not exist or is invalid.
    pub fn of_world(context: &Context<'_>, renderer: Renderer, palette: Option<&str>) -> Result<Self> {
        Self::among(context, renderer, || {
            let named = palette.and_then(|path| of_path(context, renderer, path));
            let named =
                named.map(|(colors, name)| ChosenPalette { colors, origin: PaletteOrigin::OfMap(name) });
            named.or_else(|| of_map(context, renderer))
        })
    }

    /// Returns the choice without a palette: levels of gray, for pixels that are not palette indices.
    #[must_use]
    pub const fn gray() -> Self {
        Self { order: PalettePrecedence::Grey, external: None, guess: None }
    }

    fn among(
        context: &Context<'_>,
        renderer: Renderer,
        own: impl FnOnce() -> Option<ChosenPalette>,
    ) -> Result<Self> {
        let order = context.options.choice(&PALETTE_SOURCE);
        let mut out = Self { order, external: requested(context)?, guess: None };
        if out.external.is_none() {
            out.external = own();
        }
        if out.external.is_none() && renderer == Renderer::Glide {
            let common = find(context, renderer, COMMON).or_else(|| of_any_world(context, renderer));
            out.guess =
                common.map(|(colors, name)| ChosenPalette { colors, origin: PaletteOrigin::Guessed(name) });
        }
        if context.options.flag(&GLIDE_COLORS) {
            for chosen in out.external.iter_mut().chain(&mut out.guess) {
                chosen.colors = as_displayed_by_glide(&chosen.colors);
            }
        }
        Ok(out)
    }

    /// Returns the palette for an image, given its embedded palette as stored in the file, if any.
    #[must_use]
    pub fn choose(&self, embedded: Option<&Colors>) -> ChosenPalette {
        let own = || {
            embedded
                .map(|colors| ChosenPalette { colors: colors.expanded(), origin: PaletteOrigin::Embedded })
        };
        let external = || self.external.clone();
        let found = match self.order {
            PalettePrecedence::Grey => None,
            PalettePrecedence::External => external().or_else(own).or_else(|| self.guess.clone()),
            PalettePrecedence::Embedded => own().or_else(external).or_else(|| self.guess.clone()),
        };
        found.unwrap_or_else(|| ChosenPalette { colors: Colors::grey(), origin: PaletteOrigin::Grey })
    }

    /// Whether grayscale was requested.
    #[must_use]
    pub fn is_gray_requested(&self) -> bool {
        self.order == PalettePrecedence::Grey
    }
}

/// Returns the palette of `--palette`: a file on disk or in the game.
fn requested(context: &Context<'_>) -> Result<Option<ChosenPalette>> {
    let Some(name) = context.options.text(&PALETTE) else { return Ok(None) };
    let (source, file) = requested_file(context, name)?;
    let colors = read(&source).map_err(|error| match &file {
        RequestedFile::OnDisk(path) => error.in_file(path),
        RequestedFile::InGame(location) => error.in_file(location.path().as_str()),
    })?;
    Ok(Some(ChosenPalette { colors, origin: PaletteOrigin::Requested(bare(name).to_owned()) }))
}

/// Returns the name of the palette of `--palette`: its path relative to the game's folder, or the file name for one on disk.
/// `None` without the option.
///
/// # Errors
/// Returns an error if the palette does not exist.
pub fn requested_name(context: &Context<'_>) -> Result<Option<String>> {
    let Some(name) = context.options.text(&PALETTE) else { return Ok(None) };
    let (_, file) = requested_file(context, name)?;
    Ok(Some(match file {
        RequestedFile::OnDisk(_) => bare(name).to_owned(),
        RequestedFile::InGame(location) => location.path().to_string(),
    }))
}

/// The location of a requested palette.
enum RequestedFile<'a> {
    OnDisk(&'a Path),
    InGame(Location),
}

/// Finds a palette by its path on disk, or by its name next to the file or in the folders of the game.
fn requested_file<'n>(context: &Context<'_>, name: &'n str) -> Result<(Source, RequestedFile<'n>)> {
    let path = Path::new(name);
    if disk::is_file(path) {
        return Ok((context.install.open_on_disk(path)?, RequestedFile::OnDisk(path)));
    }
    let folders = ["", "fxart", "3dart"].map(|folder| context.install.folder(folder));
    let found_nearby = context.reference(name, &["col"]);
    let mut lookups =
        std::iter::once(found_nearby).chain(folders.iter().map(|folder| folder.reference(name, &["col"])));
    let found = lookups.find_map(Lookup::found).ok_or_else(|| {
        Error::usage(format!("palette \"{name}\" was not found on disk or in the game's folders"))
    })?;
    Ok((context.install.open(&found.location)?, RequestedFile::InGame(found.location)))
}

/// Returns the palette of the map that the file belongs to: the palette of the world whose map or terrain has the same name, a
/// palette file with the same name, or the common palette of the software renderer.
fn of_map(context: &Context<'_>, renderer: Renderer) -> Option<ChosenPalette> {
    let own = context.location.as_ref().and_then(|location| {
        let stem = location.path().name().rsplit_once('.')?.0;
        // All banks and sets have the same stem.
        let is_numbered = ["texbsi", "texture"].iter().any(|name| stem.eq_ignore_ascii_case(name));
        let named =
            || of_world(context, renderer, stem).or_else(|| find(context, renderer, &format!("{stem}.COL")));
        (!is_numbered).then(named).flatten()
    });
    let found = own.or_else(|| {
        (renderer == Renderer::Software).then(|| find(context, renderer, "ART_PAL.COL")).flatten()
    });
    found.map(|(colors, name)| ChosenPalette { colors, origin: PaletteOrigin::OfMap(name) })
}

/// Returns the palette that WORLD.INI assigns to a map or terrain: the one in the renderer's folder, otherwise the one at the
/// path itself. The palettes of the two renderers differ.
fn of_world(context: &Context<'_>, renderer: Renderer, stem: &str) -> Option<(Colors, String)> {
    let worlds = Worlds::of_game(context)?;
    let registered = worlds.of_map(stem).or_else(|| worlds.of_terrain(stem))?;
    of_path(context, renderer, &registered.palette?)
}

/// Returns a palette by its path in WORLD.INI.
fn of_path(context: &Context<'_>, renderer: Renderer, path: &str) -> Option<(Colors, String)> {
    find(context, renderer, bare(path)).or_else(|| {
        let found = match renderer {
            Renderer::Glide => find_palette(context, path)?,
            Renderer::Software => find_file(context, path)?,
        };
        let colors = read(&context.install.open(&found.location).ok()?).ok()?;
        Some((colors, found.location.path().name().to_owned()))
    })
}

/// Returns the palette of the first world that has one, for mods without the common palette.
fn of_any_world(context: &Context<'_>, renderer: Renderer) -> Option<(Colors, String)> {
    let worlds = Worlds::of_game(context)?;
    let paths = worlds.worlds.iter().filter_map(|world| world.palette.as_deref());
    paths.take(MAX_WORLDS).find_map(|path| find(context, renderer, bare(path)))
}

/// Finds a palette next to the file, or in the renderer's folder. An invalid palette is treated as missing; it is checked
/// separately as a file.
fn find(context: &Context<'_>, renderer: Renderer, name: &str) -> Option<(Colors, String)> {
    let found = renderer.find(context, name)?;
    let colors = read(&context.install.open(&found.location).ok()?).ok()?;
    Some((colors, found.location.path().name().to_owned()))
}

fn read(source: &Source) -> Result<Colors> {
    /// The maximum size of a palette file in bytes.
    const MAX_FILE_BYTES: u64 = 1 << 20;
    if source.len() > MAX_FILE_BYTES {
        return Err(
            Error::malformed(format!("the file has {} bytes, too many for a palette", source.len())).at(0)
        );
    }
    read_any(&source.read_all()?)
}

fn bare(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

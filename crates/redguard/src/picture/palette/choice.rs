//! Which palette a picture is shown with.
//!
//! The game never selects a palette that stands in a picture: what is drawn is drawn with the palette of the world. So the order is the
//! palette that was asked for, that of the map, the one in the picture, and grey. Without a map, what can be known is a palette
//! of the picture's own name beside it (the skies have one), and for the software renderer `ART_PAL.COL`.

use std::path::Path;

use asset::{Choice, Context, Flag, Lookup, Text, disk};
use record::{Error, Result, Source};

use super::interchange::read_any;
use super::layout::as_glide_shows;
use asset::picture::Colors;

/// `--palette FILE`.
pub(crate) const PALETTE: Text = Text::new(
    "palette",
    "The palette to show pictures with: a .COL, .act, .gpl or JSON file on disk or in the game, like ISLAND.COL.",
    "FILE",
);

/// `--palette-source`.
pub(crate) const PALETTE_SOURCE: Choice<Order> = Choice::new(
    "palette-source",
    "Which palette counts first.",
    &[
        ("external", "the one asked for or the map's, as in the game; then the picture's own"),
        ("embedded", "the picture's own, where it has one"),
        ("grey", "none: each index is a grey"),
    ],
    &[Order::External, Order::Embedded, Order::Grey],
);

/// `--glide-colors`.
pub(crate) const GLIDE_COLORS: Flag = Flag::new(
    "glide-colors",
    "Show a world's palette as the Glide renderer does: 6 bits a channel, the first color black.",
);

/// Where pictures stand, which says what palette they are shown with when nothing else does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// `fxart`: a palette of the picture's own name, and in its place that of the island, which most worlds use.
    Glide,
    /// `3dart`: `ART_PAL.COL`.
    Software,
}

/// A palette, and how it came to be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The colours, 8 bits a channel.
    pub colors: Colors,
    /// How it was chosen.
    pub shown: Shown,
}

/// How a palette came to be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// It was asked for.
    Asked(String),
    /// It belongs to the picture or its map.
    Belonging(String),
    /// It stands in the picture.
    Embedded,
    /// Nothing is known of the map: a palette that most of the game uses.
    Guessed(String),
    /// There is none.
    Grey,
}

impl Shown {
    /// The palette as a word or a file name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Asked(name) | Self::Belonging(name) | Self::Guessed(name) => name,
            Self::Embedded => "embedded",
            Self::Grey => "grey",
        }
    }
}

/// The palettes at hand for the pictures of one file.
#[derive(Debug, Clone)]
pub struct Shelf {
    order: Order,
    /// Asked for, or known to belong to the file.
    external: Option<Chosen>,
    guess: Option<Chosen>,
}

/// Which palette counts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The one asked for or the map's.
    External,
    /// The picture's own.
    Embedded,
    /// None.
    Grey,
}

impl Shelf {
    /// Looks for the palettes of the file at the context's place. Formats that use this declare the options for it.
    ///
    /// # Errors
    /// When a palette that was asked for is not there or is none.
    pub fn new(context: &Context<'_>, home: Home) -> Result<Self> {
        let order = context.options.choice(&PALETTE_SOURCE);
        let mut out = Self { order, external: asked_for(context)?, guess: None };
        if out.external.is_none() {
            out.external = of_map(context, home);
        }
        if out.external.is_none() && home == Home::Glide {
            out.guess = beside(context, "ISLAND.COL")
                .map(|(colors, name)| Chosen { colors, shown: Shown::Guessed(name) });
        }
        if context.options.flag(&GLIDE_COLORS) {
            for chosen in out.external.iter_mut().chain(&mut out.guess) {
                chosen.colors = as_glide_shows(&chosen.colors);
            }
        }
        Ok(out)
    }

    /// The palette for a picture with or without one of its own. The own one is expected as it stands in the file.
    #[must_use]
    pub fn choose(&self, embedded: Option<&Colors>) -> Chosen {
        let own = || embedded.map(|colors| Chosen { colors: colors.expanded(), shown: Shown::Embedded });
        let external = || self.external.clone();
        let found = match self.order {
            Order::Grey => None,
            Order::External => external().or_else(own).or_else(|| self.guess.clone()),
            Order::Embedded => own().or_else(external).or_else(|| self.guess.clone()),
        };
        found.unwrap_or_else(|| Chosen { colors: Colors::grey(), shown: Shown::Grey })
    }

    /// Whether grey was asked for.
    #[must_use]
    pub fn is_grey_wanted(&self) -> bool {
        self.order == Order::Grey
    }
}

/// The palette that `--palette` names: a file on disk, or of the game.
fn asked_for(context: &Context<'_>) -> Result<Option<Chosen>> {
    let Some(name) = context.options.text(&PALETTE) else { return Ok(None) };
    let shown = Shown::Asked(bare(name).to_owned());
    let chosen = |colors| Some(Chosen { colors, shown: shown.clone() });
    let path = Path::new(name);
    if disk::is_file(path) {
        let source = Source::open(path)?;
        return read(&source).map(chosen).map_err(|error| error.in_file(path));
    }
    let folders = ["", "fxart", "3dart"].map(|folder| context.install.folder(folder));
    let beside = context.reference(name, &["col"]);
    let mut lookups =
        std::iter::once(beside).chain(folders.iter().map(|folder| folder.reference(name, &["col"])));
    let found = lookups.find_map(Lookup::found).ok_or_else(|| {
        Error::usage(format!("the palette \"{name}\" is neither on disk nor in the game's folders"))
    })?;
    read(&context.install.open(&found.place)?)
        .map(chosen)
        .map_err(|error| error.in_file(found.place.path().as_str()))
}

/// The palette of the map that the file belongs to, as far as it can be known without maps: one of the same name beside it, and the one
/// palette of the software renderer's pictures. Maps will say more here (`world_palette` of WORLD.INI).
fn of_map(context: &Context<'_>, home: Home) -> Option<Chosen> {
    let own = context.place.as_ref().and_then(|place| {
        let stem = place.path().name().rsplit_once('.')?.0;
        // The banks and sets are all called alike; their palettes are not.
        let is_numbered = ["texbsi", "texture"].iter().any(|name| stem.eq_ignore_ascii_case(name));
        (!is_numbered).then(|| beside(context, &format!("{stem}.COL"))).flatten()
    });
    let found = own.or_else(|| (home == Home::Software).then(|| beside(context, "ART_PAL.COL")).flatten());
    found.map(|(colors, name)| Chosen { colors, shown: Shown::Belonging(name) })
}

/// A palette beside the file. One that cannot be read counts as missing: it is checked as a file of its own.
fn beside(context: &Context<'_>, name: &str) -> Option<(Colors, String)> {
    let place = context.place.as_ref()?;
    let found = context.install.beside(place).find(name).found()?;
    let colors = read(&context.install.open(&found.place).ok()?).ok()?;
    Some((colors, found.place.path().name().to_owned()))
}

fn read(source: &Source) -> Result<Colors> {
    /// No palette in any of the known forms is longer.
    const LONGEST: u64 = 1 << 20;
    if source.len() > LONGEST {
        return Err(Error::malformed(format!("{} bytes are too many for a palette", source.len())).at(0));
    }
    read_any(&source.read_all()?)
}

fn bare(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

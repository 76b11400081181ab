//! Kinds of files from a player's point of view: rooms, characters, maps, models, sounds. The kind is based on the file
//! name, so that a page can sort a hundred thousand files without opening any.

use antiquary::asset::{NameKind, ProductKind};
use antiquary::{Catalog, Format, script};
use serde::Serialize;

use crate::view::{self, View};

/// A kind of files.
#[derive(Debug, Serialize)]
pub(crate) struct FileKind {
    id: &'static str,
    label: &'static str,
    rules: Vec<Rule>,
}

/// Assigns files to the kind if they have one of the extensions, in the given game and below the given folder. The first
/// matching rule applies.
#[derive(Debug, Serialize)]
struct Rule {
    game: Option<&'static str>,
    /// Extensions; `###` matches any number.
    extensions: Vec<&'static str>,
    folder: Option<&'static str>,
    /// View to open the files with, if it is not their first one; such files also have another kind.
    view: Option<&'static str>,
}

/// Id of the kind for files with characters, as declared by their games.
const CHARACTERS: &str = "characters";

/// Id of the kind for files with scripts, in addition to their other kind.
const SCRIPTS: &str = "scripts";

/// The kinds, in the order in which they are matched and shown.
const KINDS: [(&str, &str); 11] = [
    ("rooms", "Rooms"),
    ("maps", "Maps"),
    (CHARACTERS, "Characters"),
    ("models", "Models"),
    ("images", "Images"),
    ("sounds", "Sounds"),
    (SCRIPTS, "Scripts"),
    ("texts", "Texts"),
    ("fonts", "Fonts"),
    ("settings", "Tables and settings"),
    ("archives", "Archives"),
];

/// Extensions that belong to a kind in any game.
const OF_ANY_GAME: [(&str, &[&str]); 4] = [
    ("images", &["png", "jpg", "jpeg", "gif", "bmp", "tga", "webp"]),
    ("sounds", &["wav", "ogg", "mp3", "flac"]),
    ("texts", &["txt", "md"]),
    ("settings", &["ini", "cfg"]),
];

/// Returns the kinds of files in a catalog.
pub(crate) fn kinds_of(catalog: Catalog) -> Vec<FileKind> {
    let kind =
        |(id, label): &(&'static str, &'static str)| FileKind { id, label, rules: rules_of(catalog, id) };
    KINDS.iter().map(kind).collect()
}

fn rules_of(catalog: Catalog, id: &str) -> Vec<Rule> {
    let of_any_game = OF_ANY_GAME.iter().filter(|(kind, _)| *kind == id);
    let of_any_game = of_any_game.map(|(_, extensions)| Rule::of_any_game(extensions.to_vec()));
    let texts_of_scripts = (id == SCRIPTS).then(|| Rule::of_any_game(vec![script::EXTENSION]));
    let characters = catalog.games().iter().filter(|_| id == CHARACTERS).flat_map(|game| {
        game.characters.iter().map(|files| Rule {
            game: Some(game.id),
            extensions: files.extensions.to_vec(),
            folder: files.folder,
            view: None,
        })
    });
    let of_kind = catalog.formats().filter(|format| kind_of(format) == id && !format.extensions.is_empty());
    let scripted = catalog.formats().filter(|format| id == SCRIPTS && view::has_scripts(format));
    let scripted = scripted.map(|format| Rule { view: Some(View::Script.name()), ..Rule::of(format) });
    characters
        .chain(of_any_game)
        .chain(texts_of_scripts)
        .chain(of_kind.map(Rule::of))
        .chain(scripted)
        .collect()
}

impl Rule {
    fn of_any_game(extensions: Vec<&'static str>) -> Self {
        Self { game: None, extensions, folder: None, view: None }
    }

    fn of(format: &Format) -> Self {
        Self { game: format.game, extensions: format.extensions.to_vec(), folder: None, view: None }
    }
}

/// Returns the kind of the files of a format.
fn kind_of(format: &Format) -> &'static str {
    let makes = |kind| format.makes(kind);
    let is_first = |kind| format.products.first().is_some_and(|offered| offered.kind == kind);
    match format.names.file {
        Some(NameKind::Room) => "rooms",
        Some(NameKind::Map) => "maps",
        Some(NameKind::Model) => "models",
        _ if makes(ProductKind::Font) => "fonts",
        _ if makes(ProductKind::Sound) && makes(ProductKind::Table) => "texts",
        Some(NameKind::Sound) => "sounds",
        _ if makes(ProductKind::Sound) => "sounds",
        _ if is_first(ProductKind::Image) => "images",
        _ if makes(ProductKind::Table) || makes(ProductKind::Data) || makes(ProductKind::Text) => "settings",
        _ if format.can(antiquary::Can::List) => "archives",
        _ => "",
    }
}

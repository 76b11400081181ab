//! The text settings of the game (`.INI`): worlds, items, combat, menus, keys, surfaces, fog and the program itself.
//!
//! The kind of a file is recognized by its sections and keys, not by its name. All files are parsed by the same rules
//! ([`value`]).
//!
//! Sources: redguard-preservation and its authors' findings in the Glide executable; measurements of bethesda-multitool.

pub mod binding;
pub mod blend;
pub mod caption;
pub(crate) mod check;
mod combat;
mod declared;
mod documentation;
mod driver;
pub mod fog;
pub mod item;
pub mod key;
mod kind;
pub mod lookup;
pub mod menu;
pub(crate) mod option;
pub mod page;
mod place;
mod registry;
mod row;
pub mod subtitle;
pub mod surface;
pub mod system;
mod table;
#[cfg(test)]
mod tests;
mod typed_path;
mod unknown;
pub mod value;
pub mod world;

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{
    Asset, Charset, Context, Counts, Description, Detail, FieldChange, Format, NameKind, NameVisitor, Names,
    Offered, Parts, Probe, ProductKind, Products, RecordChange, Report, Score, Target,
};
use json::{Document, Node, Step, Value};
use media::ini::{DeclaredKey, Ini, Section};
use record::{Result, Source};

use crate::location::Named;
pub use check::CODES;
pub use kind::Kind;
pub use option::ScreenOptions;
use value::SYNTAX;

/// The text settings format.
pub static FORMAT: Format = Format::new("redguard.ini", "Redguard settings", open)
    .game("redguard")
    .extensions(&["ini"])
    .probe(probe)
    .pack(|folder, _report| table::pack(folder, Ini::pack(folder, Charset::Cp437)?))
    .products(&[
        Offered {
            kind: ProductKind::Data,
            about: "the sections with their keys, and their meaning to the game",
        },
        Offered {
            kind: ProductKind::Image,
            about: "the pages of the menu (MENU.INI), or the HUD (SYSTEM.INI)",
        },
        Offered {
            kind: ProductKind::Table,
            about: "a row for each item, world, attack, menu entry, key binding or setting",
        },
        Offered { kind: ProductKind::Subtitles, about: "the subtitles of each movie in MENU.INI" },
    ])
    .options(ScreenOptions::DECLARED)
    .folder_outputs(&["csv", "srt", "vtt"])
    .spans(|asset, _, visitor| {
        asset.typed::<Settings>().into_iter().for_each(|settings| settings.trace(visitor));
        Ok(())
    })
    .names(Names::NONE.reported(|asset, _, take| {
        asset.typed::<Settings>().into_iter().for_each(|settings| settings.visit_names(take));
        Ok(())
    }))
    .codes(CODES)
    .shared_codes(subtitle::SHARED)
    .settings(documentation::all);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Settings::read(source)?))
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    if !file.has_extension(FORMAT.extensions) {
        return Some(Score::NEVER);
    }
    let by_content = Kind::of_text(&Charset::Cp437.decode(file.head)).is_some();
    // An empty or damaged file with a known name is recognized by that name.
    let is_known = by_content || Kind::of_name(&file.name).is_some();
    Some(if is_known { Score::LIKELY } else { Score::NEVER })
}

/// A settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    ini: Ini,
    kind: Option<Kind>,
}

impl Settings {
    /// Reads a settings file.
    ///
    /// # Errors
    /// Returns the same errors as [`Ini::read`].
    pub fn read(source: &Source) -> Result<Self> {
        let ini = Ini::read(source, SYNTAX)?;
        let kind = Kind::of(&ini);
        Ok(Self { ini, kind })
    }

    /// Returns the kind of the file; `None` if neither its sections nor its keys identify it.
    #[must_use]
    pub const fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// Returns the kind of the file in a game: if its content does not identify it, its name does.
    #[must_use]
    pub fn kind_in(&self, context: &Context<'_>) -> Option<Kind> {
        let by_name = || Kind::of_name(&context.location.as_ref()?.path().name().to_lowercase());
        self.kind.or_else(by_name)
    }

    /// Returns the lines.
    #[must_use]
    pub const fn ini(&self) -> &Ini {
        &self.ini
    }

    /// Reports every line with the declaration of its key.
    fn trace(&self, visitor: &mut dyn record::Visitor) {
        self.ini.trace_documented(visitor, &|section, key, value| {
            let key = self.kind?.find(&section.to_lowercase(), &key::Name::new(key))?;
            let name = key.is_integer().then(|| key.name_of(value::integer(value))).flatten();
            Some(DeclaredKey { doc: &key.doc, value: name.map(|name| format!("{value} ({name})")) })
        });
    }

    /// Returns the kind of the file, in its game if that is known.
    fn known_kind(&self, context: Option<&Context<'_>>) -> Option<Kind> {
        context.map_or(self.kind, |context| self.kind_in(context))
    }

    /// Converts the settings to their meaning in the game.
    fn typed(&self, context: Option<&Context<'_>>) -> Document {
        match self.known_kind(context) {
            Some(Kind::World) => world::to_json(&self.ini, context),
            Some(Kind::Item) => item::to_json(&self.ini, context).into(),
            Some(Kind::Combat) => combat::to_json(&self.ini, context).into(),
            Some(Kind::Menu) => menu::to_json(&self.ini),
            Some(Kind::Keys) => binding::to_json(&self.ini),
            Some(Kind::Registry) => registry::to_json(&self.ini),
            Some(Kind::Surface) => surface::to_json(&self.ini),
            Some(Kind::Fog) => fog::to_json(&self.ini),
            Some(Kind::Driver) => driver::to_json(&self.ini),
            Some(Kind::System) => system::to_json(&lookup::Lookup::new(&self.ini)),
            None => Value::Null.into(),
        }
    }

    /// Returns the computed view of the record.
    fn resolved(&self, context: Option<&Context<'_>>) -> Document {
        let (line_count, crlf) = self.ini.line_ends();
        Document::object(|out| {
            out.put("kind", &self.known_kind(context).map(Kind::name))
                .put("line_count", &line_count)
                .put("crlf", &crlf);
            out.list("sections", self.ini.sections().iter().map(section));
            out.put("typed", &self.typed(context));
        })
    }

    /// Returns the movies that the file lists.
    fn movies(&self) -> Vec<caption::Movie> {
        match self.kind {
            Some(Kind::Menu) | None => caption::movies(&self.ini),
            Some(_) => Vec::new(),
        }
    }

    /// Counts the entries of the file.
    fn counts(&self, kind: Option<Kind>) -> Counts {
        let counts = Counts::new();
        match kind {
            Some(Kind::World) => counts.with("worlds", world::Worlds::read(&self.ini).worlds.len()),
            Some(Kind::Item) => counts.with("items", item::count(&self.ini)),
            Some(Kind::Combat) => {
                let lookup = lookup::Lookup::new(&self.ini);
                combat::ListKind::ALL.into_iter().fold(counts, |counts, kind| {
                    let [_, name] = kind.nouns();
                    counts.with(name, combat::List::new(&lookup, kind).sections.len())
                })
            }
            _ => counts,
        }
    }

    fn fields(&self, context: Option<&Context<'_>>) -> Document {
        let resolved = self.resolved(context);
        Document::object(|out| {
            out.list("lines", self.ini.texts()).put("resolved", &resolved);
        })
    }
}

impl Settings {
    fn described(&self, detail: Detail, context: Option<&Context<'_>>) -> Description {
        let sections = self.ini.sections();
        let entries: usize = sections.iter().map(|section| section.entries.len()).sum();
        let (lines, _) = self.ini.line_ends();
        let kind = self.known_kind(context);
        let what = kind.map_or("unknown settings", Kind::about);
        Description {
            summary: format!(
                "{what}, {}, {}",
                asset::counted(sections.len(), "section", "sections"),
                asset::counted(entries, "key", "keys"),
            ),
            dialect: kind.map(Kind::name).unwrap_or_default().to_owned(),
            counts: self
                .counts(kind)
                .with("lines", lines)
                .with("sections", sections.len())
                .with("keys", entries),
            fields: match detail {
                Detail::Full => self.fields(context),
                Detail::Brief => {
                    let name = |section: &Section<'_>| section.name.trim().to_owned();
                    Document::object(|out| {
                        out.list("sections", sections.iter().map(name));
                    })
                }
            },
            derived: &["resolved"],
        }
    }

    fn visit_names(&self, take: NameVisitor<'_>) {
        self.ini.visit_names(NameKind::Text, &kind_of_file, take);
        match self.kind {
            Some(Kind::Item) => item::visit_names(&self.ini, take),
            Some(Kind::World) => world::visit_names(&self.ini, take),
            _ => {}
        }
    }
}

/// The kinds of files that settings refer to, by extension; they cover all formats of the game.
const KINDS_OF_FILES: [(NameKind, &[&str]); 5] = [
    (NameKind::Map, &["rgm", "wld", "pvo"]),
    (NameKind::Model, &["3d", "3dc", "rob"]),
    (NameKind::Palette, &["col"]),
    (NameKind::Texture, &["###", "bsi", "gxa", "tex"]),
    (NameKind::Sound, &["sfx"]),
];

/// Returns the kind of a file that settings refer to, by its extension: as registered for the game's formats, otherwise as a
/// media file.
#[must_use]
pub fn kind_of_file(name: &str) -> Option<NameKind> {
    let (_, extension) = name.rsplit_once('.')?;
    let is_one_of = |known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(extension));
    let found = KINDS_OF_FILES.iter().find(|(_, known)| is_one_of(known));
    found.map(|(kind, _)| *kind).or_else(|| NameKind::of_media(name))
}

/// Converts a section with all its lines, in order.
fn section(section: &Section<'_>) -> Document {
    let entries = section.entries.iter().map(|it| (it.line, Some(it.key.as_ref()), it.value.as_ref()));
    let texts = section.texts.iter().map(|it| (it.line, None, it.text.as_ref()));
    let mut entries: Vec<(usize, Option<&str>, &str)> = entries.chain(texts).collect();
    entries.sort_by_key(|(line, ..)| *line);
    Document::object(|out| {
        out.put("name", section.name.trim()).put("line", &section.line);
        out.list("entries", entries.into_iter().map(|(line, key, value)| (key, value, line)));
    })
}

/// Returns a settings file of the game that a file belongs to; `None` if there is no readable one.
#[must_use]
pub fn of_game(context: &Context<'_>, path: &str) -> Option<Arc<Ini>> {
    Ini::of_install(context, path, SYNTAX)
}

/// Returns the table of items of the game that a file belongs to; `None` if there is no readable one.
#[must_use]
pub fn items_of_game(context: &Context<'_>) -> Option<Arc<Ini>> {
    of_game(context, &Named::Items.name(context))
}

/// Returns the names of the game's items by number. A name is the comment above the item.
#[must_use]
pub fn item_names(context: &Context<'_>) -> BTreeMap<i32, String> {
    items_of_game(context).map(|ini| item::names(&ini)).unwrap_or_default()
}

/// Finds the comment that names an item in the text of ITEM.INI. Returns its line, and the start and end columns of the name.
#[must_use]
pub fn item_line(text: &str, name: &str) -> Option<(usize, usize, usize)> {
    text.lines().enumerate().find_map(|(line, text)| {
        let comment = text.trim_start().strip_prefix(';')?.trim_start_matches(';').trim();
        comment.eq_ignore_ascii_case(name).then_some(())?;
        let start = text.find(comment)?;
        let start = text.get(..start)?.chars().count();
        Some((line, start, start.saturating_add(comment.chars().count())))
    })
}

impl Asset for Settings {
    fn describe(&self, detail: Detail) -> Description {
        self.described(detail, None)
    }

    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        let is_full = description.fields.root().get("resolved").is_some();
        // The typed view may refer to other files, and the name may identify the kind.
        if is_full || self.kind.is_none() {
            let detail = if is_full { Detail::Full } else { Detail::Brief };
            *description = self.described(detail, Some(context));
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let game_context = context.clone();
        let products = Products::new(context, target).with_data(move || self.resolved(Some(&game_context)));
        let products = table::offer(self, context, products);
        Ok(products.with_all(self.screens(context)).with_all(subtitle::offers(self.movies(), context)))
    }

    fn field_view(&self, record: Node<'_>) -> Option<Document> {
        self.ini.field_view(record)
    }

    fn field_alias(&self, record: Node<'_>, path: &str) -> Option<String> {
        typed_path::alias(self, record, path)
    }

    fn record_change(
        &self,
        record: Node<'_>,
        way: &[Step<'_>],
        change: FieldChange<'_>,
    ) -> Result<Option<Vec<RecordChange>>> {
        if let ([], FieldChange::Add(section, _)) = (way, change) {
            unknown::refuse_section(self.kind, section)?;
        }
        let written = typed_path::written(self.kind, way, change);
        let change = match (change, &written) {
            (FieldChange::Set(_), Some(value)) => FieldChange::Set(value),
            (FieldChange::Add(key, _), Some(value)) => FieldChange::Add(key, value),
            (change, _) => change,
        };
        self.ini.record_change(record, way, change)
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        table::unpack(self, context, parts)?;
        parts.typed(&self.ini)
    }
}

//! Where the cells of a table are stored in a settings file.

use asset::unpack::sheet::TextRow;

use super::super::Kind;
use super::super::key::Name;
use super::super::lookup::Lookup;
use super::super::place::{MOVIES_PAGE, binding_key, element_key, numbered_section};
use super::Rows;

/// Fields of a subtitle in the file.
pub(super) const SUBTITLE: [&str; 7] = ["always", "red", "green", "blue", "start", "stop", "text"];

/// The key that stores a cell.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Section in lowercase.
    pub section: String,
    /// Key.
    pub key: Name,
    /// Number of the [field](SUBTITLE) for a key that stores several cells.
    pub field: Option<usize>,
}

/// Returns where a cell is stored; `None` if it is computed from others.
pub(super) fn place(
    kind: Kind,
    rows: Rows,
    lookup: &Lookup<'_>,
    row: &TextRow,
    column: &str,
) -> Option<Place> {
    let number = |column: &str| row.get(column)?.parse::<u32>().ok();
    let section = |pattern: &str, number: u32| {
        let names = lookup.sections().iter().map(|section| section.name.as_str());
        numbered_section(names, pattern, number).map(str::to_owned)
    };
    let listed = |pattern: &str| Some((section(pattern, number("index")?)?, column.to_owned()));
    let mut field = None;
    let (section, key) = match rows {
        Rows::Items => ("items".to_owned(), format!("{column}[{}]", number("id")?)),
        Rows::Worlds => ("world".to_owned(), format!("world_{column}[{}]", number("id")?)),
        Rows::Bindings => ("input".to_owned(), binding_key(row.get("action")?, column)?),
        Rows::Settings if column == "value" => (row.get("section")?.to_owned(), row.get("key")?.to_owned()),
        Rows::Settings => return None,
        Rows::Attacks => listed("attack#")?,
        Rows::Defenses => listed("defend#")?,
        Rows::Taunts => listed("taunt#")?,
        Rows::Elements => (section("page#", number("page")?)?, element_key(column, number("index")?)),
        Rows::Subtitles => {
            field = Some(SUBTITLE.iter().position(|name| *name == column)?);
            (section("page#", MOVIES_PAGE)?, format!("movie{}_text[{}]", number("movie")?, number("index")?))
        }
    };
    let key = Name::new(&key);
    let is_known = kind.groups().iter().any(|group| group.is(&section) && group.find(&key).is_some());
    // The keys of some kinds are not declared, and a file can have unknown settings.
    let is_stored = is_known || kind.groups().is_empty() || rows == Rows::Settings;
    is_stored.then_some(Place { section, key, field })
}

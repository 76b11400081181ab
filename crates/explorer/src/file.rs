//! A file that was opened, and what it becomes.

use std::sync::Arc;

use antiquary::asset::option::OptionValue;
use antiquary::asset::product::Products;
use antiquary::asset::{Context, FormatOption, Target};
use antiquary::files::layer::EntryKind;
use antiquary::{Asset, Error, Format, Options, Report, Source};

use crate::entry::Entry;
use crate::game::Snapshot;
use crate::query::Query;
use crate::{Explorer, Fault};

/// What an opened file may take, as a multiple of its bytes, and what it takes at least.
const FACTOR: u64 = 8;
const LEAST: u64 = 64 << 10;
/// One that is larger still counts as this much: it must not be opened anew for each of its views.
const MOST: u64 = crate::BUDGET / 3;

/// A file of a known format that was opened.
pub(crate) struct Opened {
    pub(crate) format: &'static Format,
    pub(crate) asset: Box<dyn Asset>,
    pub(crate) source: Source,
    /// The defects that were found while it was read.
    pub(crate) report: Report,
}

/// An opened file in its game.
pub(crate) struct File<'a> {
    explorer: &'a Explorer,
    pub(crate) entry: Entry<'a>,
    pub(crate) opened: Arc<Opened>,
    game: Snapshot,
}

impl Explorer {
    /// A file, whatever is in it.
    pub(crate) fn file_entry(&self, path: &str) -> Result<Entry<'_>, Fault> {
        let entry = self.entry(path)?;
        match entry.kind {
            EntryKind::File => Ok(entry),
            _ => Err(Fault::request(format!("\"{path}\" is a folder"))),
        }
    }

    /// Where a file stands on disk that a path leads to.
    fn path_on_disk(&self, path: &str) -> Result<String, Fault> {
        let entry = self.file_entry(path)?;
        let file = entry.layer.file(&entry.path);
        let inside =
            || Fault::request(format!("\"{path}\" stands in an archive; options take files on disk"));
        Ok(file.ok_or_else(inside)?.to_string_lossy().into_owned())
    }

    /// Opens a file of a known format.
    pub(crate) fn file<'a>(&'a self, entry: Entry<'a>) -> Result<File<'a>, Error> {
        let opened = self.cache.get(format!("file\0{}", entry.key()), || {
            let opened = self.open_entry(&entry)?;
            let bytes = opened.source.len().saturating_mul(FACTOR).saturating_add(LEAST).min(MOST);
            Ok::<_, Error>((opened, bytes))
        })?;
        let game = entry.root.game_files.now();
        Ok(File { explorer: self, entry, opened, game })
    }

    /// The same for a file that is looked at once and not kept.
    pub(crate) fn opened<'a>(&'a self, entry: Entry<'a>) -> Result<File<'a>, Error> {
        let opened = Arc::new(self.open_entry(&entry)?);
        let game = entry.root.game_files.now();
        Ok(File { explorer: self, entry, opened, game })
    }

    fn open_entry(&self, entry: &Entry<'_>) -> Result<Opened, Error> {
        let opened = self.catalog.open_in(entry.source()?, Some(entry.name()), entry.root.game);
        let antiquary::Opened { format, asset, source, report, .. } =
            opened.map_err(|error| error.in_file(&entry.full))?;
        Ok(Opened { format, asset, source, report })
    }
}

impl File<'_> {
    pub(crate) fn asset(&self) -> &dyn Asset {
        &*self.opened.asset
    }

    pub(crate) fn format(&self) -> &'static Format {
        self.opened.format
    }

    /// What a request chose of the options of the format; all parameters that are none of the request's own must be such. An option that names a
    /// file takes the path of one that is open.
    pub(crate) fn options(&self, query: &Query, own: &[&str]) -> Result<Options, Fault> {
        let declared = self.format().options;
        let names_file =
            |name: &str| declared.iter().any(|option| option.name == name && names_a_file(option));
        let mut given: Vec<_> = query.without(own).collect();
        for (_, value) in given.iter_mut().filter(|(name, _)| names_file(name)) {
            *value = self.explorer.path_on_disk(value)?;
        }
        Ok(Options::parse(declared, &given)?)
    }

    /// What the file can become.
    pub(crate) fn products<'c>(&'c self, options: &'c Options) -> Result<Products<'c>, Error> {
        self.asset().products(&self.context(options), Target::new(self.stem(), 1.0))
    }

    /// The game around the file.
    pub(crate) fn context<'c>(&'c self, options: &'c Options) -> Context<'c> {
        let install = &self.game.install;
        Context { install, location: self.entry.location(install), options }
    }

    /// Its name without the extension.
    pub(crate) fn stem(&self) -> &str {
        let name = self.entry.name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Tells apart what is made of the file and of what it names, for the cache.
    pub(crate) fn key(&self, view: &str, query: &str) -> String {
        format!("{view}\0{}\0{}\0{query}", self.entry.key(), self.game.number)
    }
}

/// Whatever was made of it may have opened further files of the game.
impl Drop for File<'_> {
    fn drop(&mut self) {
        self.entry.root.game_files.note();
    }
}

/// Whether an option names a file on disk: a page may choose only one that is open.
fn names_a_file(option: &FormatOption) -> bool {
    matches!(option.value, OptionValue::Text { is_path: true, .. })
}

//! An opened file and its products.

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

/// Estimated memory of an opened file: a multiple of its length, with a minimum in bytes.
const FACTOR: u64 = 8;
const MIN_BYTES: u64 = 64 << 10;
/// Maximum estimate, so that a larger file is still cached and not opened again for each of its views.
const MAX_BYTES: u64 = crate::BUDGET / 3;

/// An opened file of a known format.
pub(crate) struct Opened {
    pub(crate) format: &'static Format,
    pub(crate) asset: Box<dyn Asset>,
    pub(crate) source: Source,
    /// Defects found while reading the file.
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
    /// Resolves a path that must lead to a file.
    pub(crate) fn file_entry(&self, path: &str) -> Result<Entry<'_>, Fault> {
        let entry = self.entry(path)?;
        match entry.kind {
            EntryKind::File => Ok(entry),
            _ => Err(Fault::request(format!("\"{path}\" is a folder"))),
        }
    }

    /// Returns the path on disk of a file that is open.
    fn path_on_disk(&self, path: &str) -> Result<String, Fault> {
        let entry = self.file_entry(path)?;
        let file = entry.layer.file(&entry.path);
        let inside = || Fault::request(format!("\"{path}\" is in an archive; options require files on disk"));
        Ok(file.ok_or_else(inside)?.to_string_lossy().into_owned())
    }

    /// Opens a file of a known format.
    pub(crate) fn file<'a>(&'a self, entry: Entry<'a>) -> Result<File<'a>, Error> {
        let opened = self.cache.get(format!("file\0{}", entry.key()), || {
            let opened = self.open_entry(&entry)?;
            let bytes = opened.source.len().saturating_mul(FACTOR).saturating_add(MIN_BYTES).min(MAX_BYTES);
            Ok::<_, Error>((opened, bytes))
        })?;
        let game = entry.root.game_files.now();
        Ok(File { explorer: self, entry, opened, game })
    }

    /// Like [`Explorer::file`], for a file that is used once and not cached.
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

    /// Parses the options of the format from the query. All parameters except `own` must be options. An option that refers
    /// to a file accepts the path of a file that is open.
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

    /// Returns the products of the file.
    pub(crate) fn products<'c>(&'c self, options: &'c Options) -> Result<Products<'c>, Error> {
        self.asset().products(&self.context(options), Target::new(self.stem(), 1.0))
    }

    /// Returns the context: the game around the file, and the options.
    pub(crate) fn context<'c>(&'c self, options: &'c Options) -> Context<'c> {
        let install = &self.game.install;
        Context { install, location: self.entry.location(install), options }
    }

    /// Returns the name without its extension.
    pub(crate) fn stem(&self) -> &str {
        let name = self.entry.name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Returns the cache key of a view, which depends on the file and on the files it refers to.
    pub(crate) fn key(&self, view: &str, query: &str) -> String {
        format!("{view}\0{}\0{}\0{query}", self.entry.key(), self.game.number)
    }
}

/// Making products may have opened further files of the game.
impl Drop for File<'_> {
    fn drop(&mut self) {
        self.entry.root.game_files.note();
    }
}

/// Whether an option refers to a file on disk; a page may only choose one that is open.
fn names_a_file(option: &FormatOption) -> bool {
    matches!(option.value, OptionValue::Text { is_path: true, .. })
}

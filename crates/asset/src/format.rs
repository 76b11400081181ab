//! What a format declares about itself. Everything else walks the lists of formats.

mod import;
mod probe;

use std::fmt;

use record::{Error, Locator, Record, Source, Visitor, trace_whole};
use scene::ProductKind;
use scene::product::{Encoder, encoders_of};
use serde::Serialize;
use serde::ser::{SerializeSeq, SerializeStruct, Serializer};

use crate::archive::{Archive, Editing};
use crate::asset::Asset;
use crate::names::Names;
use crate::option::FormatOption;
use crate::product::Offered;
use crate::report::{Code, Report, SharedCode};
use crate::unpack::Unpacked;

pub use import::{Companion, CompanionPlace, Import, ImportScene, Imported, SceneFile};
pub use probe::{Probe, Score};

/// A kind of file: how it is recognized, opened, packed, and what can be done with it.
///
/// It is declared by [`Format::new`] and the methods that follow it; what is not declared, it cannot do.
#[derive(Debug)]
#[non_exhaustive]
pub struct Format {
    /// The id of its game, a dot and its own name; for a format that belongs to no game, the kind of program that made it takes the place of the game: `paint.pcx`.
    pub id: &'static str,
    /// As people call it.
    pub name: &'static str,
    /// The [id](crate::GameInfo::id) of the game it belongs to; `None` when games use it that did not make it.
    pub game: Option<&'static str>,
    /// Usual file extensions, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether the content looks like this format, and how surely. `None` leaves it to the extension, which makes it
    /// [possible](Score::POSSIBLE); [`Score::NEVER`] says that the extension counts for nothing.
    pub probe: fn(&Probe<'_>) -> Option<Score>,
    /// Reads a file. What is damaged but can be skipped goes into the report.
    pub open: Open,
    /// Puts an unpacked folder together again. `None` when the format cannot be packed.
    pub pack: Option<Pack>,
    /// Makes a file of a scene: a model or a map that was made or edited in another program. `None` when that cannot be done.
    pub import: Option<Import>,
    /// What a file becomes; the first is the default.
    pub products: &'static [Offered],
    /// What a file can be saved as besides: other dialects or versions of the game's own files.
    pub save_as: &'static [SaveAs],
    /// Explains every byte of a file. `None` when that cannot be done.
    pub spans: Option<Spans>,
    /// Its files as containers of others. `None` when they are none.
    pub archive: Option<Entries>,
    /// What can be asked of a conversion or a check.
    pub options: &'static [FormatOption],
    /// What its files name.
    pub names: Names,
    /// The warnings that it alone can raise, or formats that share the list.
    pub codes: &'static [Code],
    /// The warnings that it can raise as other formats do.
    pub shared_codes: &'static [SharedCode],
}

/// Reads a file of one format.
pub type Open = fn(&Source, &mut Report) -> Result<Box<dyn Asset>, Error>;

/// Puts an unpacked file of one format together again.
pub type Pack = fn(&Unpacked, &mut Report) -> Result<Vec<u8>, Error>;

/// Tells a visitor which bytes of a file, from which an asset was opened, hold which field.
pub type Spans = fn(&dyn Asset, &Source, &mut dyn Visitor) -> Result<(), Error>;

/// What the files of a format hold.
#[derive(Debug, Clone, Copy)]
pub struct Entries {
    /// The entries of an opened file.
    pub of: AsArchive,
    /// Whether they can be added and removed.
    pub editing: Editing,
}

/// The files that an opened container holds; `None` for an asset of another format.
pub type AsArchive = fn(&dyn Asset) -> Option<&dyn Archive>;

/// The spans of a file that is one record.
///
/// # Errors
/// When the source cannot be read.
pub fn record_spans<T: Record<Context = ()>>(
    _asset: &dyn Asset,
    source: &Source,
    visitor: &mut dyn Visitor,
) -> Result<(), Error> {
    trace_whole::<T>(&source.read_all()?, (), visitor)
}

impl Entries {
    /// Those of containers of this type.
    #[must_use]
    pub const fn of<T: Asset + Archive>(editing: Editing) -> Self {
        Self { of: as_archive::<T>, editing }
    }
}

/// The files that a container of this type holds.
fn as_archive<T: Asset + Archive>(asset: &dyn Asset) -> Option<&dyn Archive> {
    match asset.typed::<T>() {
        Some(archive) => Some(archive),
        None => None,
    }
}

/// Another dialect or version that a file can be saved as.
#[derive(Debug, Clone, Copy)]
pub struct SaveAs {
    /// The extension of the file, lower case, without the dot.
    pub extension: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Makes its bytes. What is lost goes into the report.
    pub write: fn(&dyn Asset, &mut Report) -> Result<Vec<u8>, Error>,
}

/// Declares a format, in a `static`.
impl Format {
    /// A format with an id and a name whose files can be read, and nothing else. `open` reads one.
    #[must_use]
    pub const fn new(id: &'static str, name: &'static str, open: Open) -> Self {
        Self {
            id,
            name,
            game: None,
            extensions: &[],
            probe: |_| None,
            open,
            pack: None,
            import: None,
            products: &[],
            save_as: &[],
            spans: None,
            archive: None,
            options: &[],
            names: Names::NONE,
            codes: &[],
            shared_codes: &[],
        }
    }

    /// Sets the [game](Self::game) that it belongs to, by its id.
    #[must_use]
    pub const fn game(mut self, id: &'static str) -> Self {
        self.game = Some(id);
        self
    }

    /// Sets the usual file [extensions](Self::extensions).
    #[must_use]
    pub const fn extensions(mut self, extensions: &'static [&'static str]) -> Self {
        self.extensions = extensions;
        self
    }

    /// Sets how its files are [recognized](Self::probe) by their content.
    #[must_use]
    pub const fn probe(mut self, probe: fn(&Probe<'_>) -> Option<Score>) -> Self {
        self.probe = probe;
        self
    }

    /// Sets how an unpacked folder is [packed](Self::pack).
    #[must_use]
    pub const fn pack(mut self, pack: Pack) -> Self {
        self.pack = Some(pack);
        self
    }

    /// Sets how a file is [made of a scene](Self::import).
    #[must_use]
    pub const fn import(mut self, import: Import) -> Self {
        self.import = Some(import);
        self
    }

    /// Sets what a file [becomes](Self::products).
    #[must_use]
    pub const fn products(mut self, products: &'static [Offered]) -> Self {
        self.products = products;
        self
    }

    /// Sets what a file can be [saved as](Self::save_as).
    #[must_use]
    pub const fn save_as(mut self, save_as: &'static [SaveAs]) -> Self {
        self.save_as = save_as;
        self
    }

    /// Sets how the bytes of a file are [explained](Self::spans).
    #[must_use]
    pub const fn spans(mut self, spans: Spans) -> Self {
        self.spans = Some(spans);
        self
    }

    /// Sets what its files [contain](Self::archive).
    #[must_use]
    pub const fn archive(mut self, entries: Entries) -> Self {
        self.archive = Some(entries);
        self
    }

    /// Sets its [options](Self::options).
    #[must_use]
    pub const fn options(mut self, options: &'static [FormatOption]) -> Self {
        self.options = options;
        self
    }

    /// Sets what its files [name](Self::names).
    #[must_use]
    pub const fn names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// Sets its own [warnings](Self::codes).
    #[must_use]
    pub const fn codes(mut self, codes: &'static [Code]) -> Self {
        self.codes = codes;
        self
    }

    /// Sets the [warnings](Self::shared_codes) that it can raise as other formats do.
    #[must_use]
    pub const fn shared_codes(mut self, codes: &'static [SharedCode]) -> Self {
        self.shared_codes = codes;
        self
    }
}

impl Format {
    /// Whether something can be done with files of this format.
    #[must_use]
    pub fn can(&self, what: Can) -> bool {
        match what {
            Can::Read | Can::Check => true,
            Can::Write | Can::Pack => self.pack.is_some(),
            Can::List => self.archive.is_some(),
            Can::Edit => self.editing() != Editing::Fixed,
            Can::Import => self.import.is_some(),
            Can::Hex => self.spans.is_some(),
            Can::Make(kind) => self.makes(kind),
        }
    }

    /// Tells the visitor which bytes of `source`, the file that `asset` was opened from, hold which field.
    ///
    /// # Errors
    /// When files of this format cannot be explained, or the source cannot be read.
    pub fn trace(&self, asset: &dyn Asset, source: &Source, visitor: &mut dyn Visitor) -> Result<(), Error> {
        match self.spans {
            Some(spans) => spans(asset, source, visitor),
            None => Err(Error::unsupported(format!("`{}` files have no hex view", self.id))),
        }
    }

    /// Finds where the fields start that an error names, if it does not say so itself.
    #[must_use]
    pub fn locate_error(&self, asset: &dyn Asset, source: &Source, error: Error) -> Error {
        let path = error.path();
        if error.offset().is_some() || error.file().is_some() || path.is_empty() {
            return error;
        }
        let mut locator = Locator::new([path.as_str()]);
        // A file that is damaged is explained up to the damage.
        let _ = self.trace(asset, source, &mut locator);
        match locator.offset(&path) {
            Some(offset) => error.at(offset),
            None => error,
        }
    }

    /// The files that an opened file holds; `None` when it is no container.
    #[must_use]
    pub fn archive_of<'a>(&self, asset: &'a dyn Asset) -> Option<&'a dyn Archive> {
        self.archive.and_then(|entries| (entries.of)(asset))
    }

    /// Which changes to the entries of its files are supported.
    #[must_use]
    pub fn editing(&self) -> Editing {
        self.archive.map_or(Editing::Fixed, |entries| entries.editing)
    }

    /// Packs an unpacked folder. Files in the folder that are not listed are new entries, or reported.
    ///
    /// # Errors
    /// When files of this format cannot be packed, or the folder does not hold one.
    pub fn pack_folder(&self, folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>, Error> {
        let unsupported = || Error::unsupported(format!("`{}` files cannot be packed", self.id));
        let pack = self.pack.ok_or_else(unsupported)?;
        if self.editing() != Editing::Parts {
            folder.report_unlisted(report);
        }
        pack(folder, report)
    }

    /// Whether anything in an unpacked folder was edited or added.
    #[must_use]
    pub fn is_edited(&self, folder: &Unpacked) -> bool {
        !folder.is_unchanged() || (self.editing() == Editing::Parts && !folder.unlisted().is_empty())
    }

    /// Everything that can be done with files of this format.
    pub fn abilities(&self) -> impl Iterator<Item = Can> {
        Can::all().filter(|what| self.can(*what))
    }

    /// What can be chosen when a file is made of a scene.
    #[must_use]
    pub fn import_options(&self) -> &'static [FormatOption] {
        self.import.map_or(&[], |import| import.options)
    }

    /// Every warning it can raise: its own, then those it shares with others.
    pub fn all_codes(&self) -> impl Iterator<Item = &'static Code> + use<> {
        self.codes.iter().chain(self.shared_codes.iter().map(|shared| shared.code))
    }

    /// Whether a code is meant in files of this format: as [`Code::is_meant`] says, or by the id that it had in this format.
    #[must_use]
    pub fn is_meant(&self, code: &Code, by: &str) -> bool {
        code.is_meant(by)
            || self.shared_codes.iter().any(|shared| shared.code.id == code.id && shared.is_meant(by))
    }

    /// Whether files become products of a kind.
    #[must_use]
    pub fn makes(&self, kind: ProductKind) -> bool {
        self.products.iter().any(|offered| offered.kind == kind)
    }

    /// The part of the id after the dot: `pcx` of `paint.pcx`.
    #[must_use]
    pub fn short_id(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(_, short)| short)
    }

    /// What a file can be converted to, each extension once; the first is the default.
    #[must_use]
    pub fn outputs(&self) -> Vec<Output> {
        let mut out: Vec<Output> = Vec::new();
        for offered in self.products {
            for encoder in encoders_of(offered.kind) {
                if !out.iter().any(|known| known.extension == encoder.extension) {
                    out.push(Output {
                        extension: encoder.extension,
                        kind: offered.kind,
                        about: format!("{}: {}", offered.about, encoder.about),
                    });
                }
            }
        }
        for own in self.save_as {
            let about = own.about.to_owned();
            out.push(Output { extension: own.extension, kind: ProductKind::Data, about });
        }
        out
    }

    /// Whether a file can be converted at all.
    #[must_use]
    pub fn is_convertible(&self) -> bool {
        !self.products.is_empty() || !self.save_as.is_empty()
    }

    /// The extension of what a file becomes unless something else is asked for.
    #[must_use]
    pub fn default_output(&self) -> Option<&'static str> {
        let encoder = self.products.first().and_then(|offered| encoders_of(offered.kind).next());
        let own = || self.save_as.first().map(|own| own.extension);
        encoder.map(|encoder| encoder.extension).or_else(own)
    }

    /// How files with this extension (letter case does not matter) are written: an encoder for each kind of product that becomes one, or
    /// another dialect. `None` when a file cannot become one.
    #[must_use]
    pub fn output(&self, extension: &str) -> Option<OutputWriter> {
        let fits = |encoder: &&'static Encoder| encoder.extension.eq_ignore_ascii_case(extension);
        let kinds = self.products.iter().map(|offered| offered.kind);
        let encoders: Vec<_> = kinds.filter_map(|kind| encoders_of(kind).find(fits)).collect();
        if !encoders.is_empty() {
            return Some(OutputWriter::Encoders(encoders));
        }
        let own = self.save_as.iter().find(|own| own.extension.eq_ignore_ascii_case(extension));
        own.map(OutputWriter::SaveAs)
    }
}

/// How an output is written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum OutputWriter {
    /// Products are encoded: one encoder for each kind.
    Encoders(Vec<&'static Encoder>),
    /// The file is saved as another dialect.
    SaveAs(&'static SaveAs),
}

impl OutputWriter {
    /// The extension of the file.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Encoders(encoders) => encoders.first().map_or("", |encoder| encoder.extension),
            Self::SaveAs(own) => own.extension,
        }
    }
}

/// What a table of formats shows: everything that is declared in words.
impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Format", 9)?;
        out.serialize_field("id", self.id)?;
        out.serialize_field("name", self.name)?;
        out.serialize_field("game", &self.game)?;
        out.serialize_field("extensions", self.extensions)?;
        out.serialize_field("can", &self.abilities().collect::<Vec<_>>())?;
        out.serialize_field("outputs", &self.outputs())?;
        out.serialize_field("options", self.options)?;
        out.serialize_field("import_options", self.import_options())?;
        out.serialize_field("codes", &CodesOf(self))?;
        out.end()
    }
}

/// The warnings of a format; those it shares with others have `formerly`.
struct CodesOf<'a>(&'a Format);

impl Serialize for CodesOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Format { codes, shared_codes, .. } = self.0;
        let mut out = serializer.serialize_seq(Some(codes.len().saturating_add(shared_codes.len())))?;
        codes.iter().try_for_each(|code| out.serialize_element(code))?;
        shared_codes.iter().try_for_each(|shared| out.serialize_element(shared))?;
        out.end()
    }
}

/// A thing that can be done with the files of a format; shown in the table of formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Can {
    /// Read and described.
    Read,
    /// Written, byte for byte as read.
    Write,
    /// Checked for defects and for references that do not resolve.
    Check,
    /// Converted to products of a kind.
    Make(ProductKind),
    /// Listed and extracted: it holds other files.
    List,
    /// Entries of it are added, removed and renamed.
    Edit,
    /// Unpacked into a folder, edited there, and packed again.
    Pack,
    /// Made from a scene file, GLB or glTF.
    Import,
    /// Shown byte by byte with the field that each belongs to.
    Hex,
}

impl Can {
    /// Everything, in the order of tables.
    pub fn all() -> impl Iterator<Item = Self> {
        let first = [Self::Read, Self::Write, Self::Check];
        let last = [Self::List, Self::Edit, Self::Pack, Self::Import, Self::Hex];
        first.into_iter().chain(ProductKind::ALL.map(Self::Make)).chain(last)
    }

    /// The word shown in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Check => "check",
            Self::Make(kind) => kind.name(),
            Self::List => "list",
            Self::Edit => "archive",
            Self::Pack => "pack",
            Self::Import => "import",
            Self::Hex => "hex",
        }
    }
}

impl Serialize for Can {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for Can {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a file of some format can be converted to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Output {
    /// The extension of the file that is written, lower case, without the dot.
    pub extension: &'static str,
    /// What kind of product it is.
    pub kind: ProductKind,
    /// What is in it, in a few words.
    pub about: String,
}

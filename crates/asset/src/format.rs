//! The declaration of a format. Everything else iterates over the lists of formats.

mod import;
mod probe;

use std::fmt;

use record::schema::SchemaOf;
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
use crate::setting::SettingDoc;
use crate::unpack::Unpacked;

pub use import::{Companion, CompanionPlace, Import, ImportScene, Imported, SceneFile};
pub use probe::{Probe, Score};

/// A file format: how its files are recognized, opened and packed, and which operations they support.
///
/// A format is declared by [`Format::new`] and the builder methods. Operations that are not declared are not supported.
#[derive(Debug)]
#[non_exhaustive]
pub struct Format {
    /// The id of the game, a dot and a short name: `paint.pcx`. For a format that belongs to no game, the kind of program that
    /// created it replaces the game.
    pub id: &'static str,
    /// Human-readable name.
    pub name: &'static str,
    /// The [id](crate::GameInfo::id) of the game it belongs to; `None` if the games that use it did not define it.
    pub game: Option<&'static str>,
    /// Usual file extensions, in lowercase, without the dot.
    pub extensions: &'static [&'static str],
    /// Rates how well the content matches this format. `None` leaves the decision to the extension, which makes it
    /// [possible](Score::POSSIBLE); [`Score::NEVER`] rejects the file regardless of its extension.
    pub probe: fn(&Probe<'_>) -> Option<Score>,
    /// Opens a file. Damage that can be skipped is added to the report.
    pub open: Open,
    /// Builds the file from an unpacked folder. `None` if packing is not supported.
    pub pack: Option<Pack>,
    /// Builds a file from a scene, that is, a model or a map that was created or edited in another program. `None` if importing
    /// is not supported.
    pub import: Option<Import>,
    /// Products that a file can be converted to; the first one is the default.
    pub products: &'static [Offered],
    /// Extensions of the outputs that a conversion into a folder writes in addition to the default.
    pub folder_outputs: &'static [&'static str],
    /// Other dialects or versions of the game's own formats that a file can be saved as.
    pub save_as: &'static [SaveAs],
    /// Traces every byte of a file to its field. `None` if there is no hex view.
    pub spans: Option<Spans>,
    /// Returns the description of its encoding. `None` if its files are text, or are read only by code.
    pub schema: Option<SchemaOf>,
    /// Access to the entries of an archive. `None` if the files are not archives.
    pub archive: Option<Entries>,
    /// Options of conversions and checks.
    pub options: &'static [FormatOption],
    /// The names that its files contain.
    pub names: Names,
    /// Warnings that only this format raises, or formats that use the same list.
    pub codes: &'static [Code],
    /// Warnings that it shares with other formats.
    pub shared_codes: &'static [SharedCode],
    /// Returns the documentation of the keys of its settings. `None` if its files are no settings, or their keys are not
    /// declared.
    pub settings: Option<fn() -> Vec<SettingDoc>>,
}

/// Opens a file of one format.
pub type Open = fn(&Source, &mut Report) -> Result<Box<dyn Asset>, Error>;

/// Builds a file of one format from an unpacked folder.
pub type Pack = fn(&Unpacked, &mut Report) -> Result<Vec<u8>, Error>;

/// Traces the bytes of a file, from which an asset was opened, to their fields, and passes them to a visitor.
pub type Spans = fn(&dyn Asset, &Source, &mut dyn Visitor) -> Result<(), Error>;

/// Access to the entries of an archive format.
#[derive(Debug, Clone, Copy)]
pub struct Entries {
    /// Returns the entries of an opened file.
    pub of: AsArchive,
    /// The supported changes of entries.
    pub editing: Editing,
}

/// Returns an opened file as an archive; `None` for an asset of another format.
pub type AsArchive = fn(&dyn Asset) -> Option<&dyn Archive>;

/// Traces a file that consists of one record.
///
/// # Errors
/// When the source cannot be read.
fn record_spans<T: Record<Context = ()>>(
    _asset: &dyn Asset,
    source: &Source,
    visitor: &mut dyn Visitor,
) -> Result<(), Error> {
    trace_whole::<T>(&source.read_all()?, (), visitor)
}

impl Entries {
    /// Access to the entries of archives of type `T`.
    #[must_use]
    pub const fn of<T: Asset + Archive>(editing: Editing) -> Self {
        Self { of: as_archive::<T>, editing }
    }
}

/// Returns the asset as an archive if it is a `T`.
fn as_archive<T: Asset + Archive>(asset: &dyn Asset) -> Option<&dyn Archive> {
    match asset.typed::<T>() {
        Some(archive) => Some(archive),
        None => None,
    }
}

/// Another dialect or version that a file can be saved as.
#[derive(Debug, Clone, Copy)]
pub struct SaveAs {
    /// The extension of the file, in lowercase, without the dot.
    pub extension: &'static str,
    /// Short description.
    pub about: &'static str,
    /// Writes the file. Losses are added to the report.
    pub write: fn(&dyn Asset, &mut Report) -> Result<Vec<u8>, Error>,
}

/// Builder methods that declare a format in a `static`.
impl Format {
    /// Declares a format with an id and a name whose files can be opened, and nothing else.
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
            folder_outputs: &[],
            save_as: &[],
            spans: None,
            schema: None,
            archive: None,
            options: &[],
            names: Names::NONE,
            codes: &[],
            shared_codes: &[],
            settings: None,
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

    /// Sets the function that [recognizes](Self::probe) its files by their content.
    #[must_use]
    pub const fn probe(mut self, probe: fn(&Probe<'_>) -> Option<Score>) -> Self {
        self.probe = probe;
        self
    }

    /// Sets the function that [packs](Self::pack) an unpacked folder.
    #[must_use]
    pub const fn pack(mut self, pack: Pack) -> Self {
        self.pack = Some(pack);
        self
    }

    /// Sets the functions that [build](Self::import) a file from a scene.
    #[must_use]
    pub const fn import(mut self, import: Import) -> Self {
        self.import = Some(import);
        self
    }

    /// Sets the [products](Self::products) that a file can be converted to.
    #[must_use]
    pub const fn products(mut self, products: &'static [Offered]) -> Self {
        self.products = products;
        self
    }

    /// Sets the outputs that a conversion into a folder [also writes](Self::folder_outputs).
    #[must_use]
    pub const fn folder_outputs(mut self, extensions: &'static [&'static str]) -> Self {
        self.folder_outputs = extensions;
        self
    }

    /// Sets the dialects that a file can be [saved as](Self::save_as).
    #[must_use]
    pub const fn save_as(mut self, save_as: &'static [SaveAs]) -> Self {
        self.save_as = save_as;
        self
    }

    /// Sets the function that [traces](Self::spans) the bytes of a file.
    #[must_use]
    pub const fn spans(mut self, spans: Spans) -> Self {
        self.spans = Some(spans);
        self
    }

    /// Sets the function that describes its [encoding](Self::schema).
    #[must_use]
    pub const fn schema(mut self, schema: SchemaOf) -> Self {
        self.schema = Some(schema);
        self
    }

    /// Declares that a file is one record, which gives its [encoding](Self::schema) and [traces](Self::spans) its bytes.
    #[must_use]
    pub const fn record<T: Record<Context = ()>>(self) -> Self {
        self.schema(T::schema).spans(record_spans::<T>)
    }

    /// Sets the access to the [entries](Self::archive) of its files.
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

    /// Sets the [names](Self::names) that its files contain.
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

    /// Sets the documentation of its [settings](Self::settings).
    #[must_use]
    pub const fn settings(mut self, settings: fn() -> Vec<SettingDoc>) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Sets the [warnings](Self::shared_codes) that it shares with other formats.
    #[must_use]
    pub const fn shared_codes(mut self, codes: &'static [SharedCode]) -> Self {
        self.shared_codes = codes;
        self
    }
}

impl Format {
    /// Whether files of this format support an operation.
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

    /// Traces the bytes of `source`, from which `asset` was opened, to their fields, and passes them to the visitor.
    ///
    /// # Errors
    /// When files of this format have no hex view, or the source cannot be read.
    pub fn trace(&self, asset: &dyn Asset, source: &Source, visitor: &mut dyn Visitor) -> Result<(), Error> {
        match self.spans {
            Some(spans) => spans(asset, source, visitor),
            None => Err(Error::unsupported(format!("`{}` files have no hex view", self.id))),
        }
    }

    /// Adds the offset of the field that an error refers to, unless the error already has one.
    #[must_use]
    pub fn locate_error(&self, asset: &dyn Asset, source: &Source, error: Error) -> Error {
        let path = error.path();
        if error.offset().is_some() || error.file().is_some() || path.is_empty() {
            return error;
        }
        let mut locator = Locator::new([path.as_str()]);
        // A damaged file is traced up to the damage.
        let _ = self.trace(asset, source, &mut locator);
        match locator.offset(&path) {
            Some(offset) => error.at(offset),
            None => error,
        }
    }

    /// Returns an opened file as an archive, or `None` if it is not one.
    #[must_use]
    pub fn archive_of<'a>(&self, asset: &'a dyn Asset) -> Option<&'a dyn Archive> {
        self.archive.and_then(|entries| (entries.of)(asset))
    }

    /// The supported changes of the entries of its files.
    #[must_use]
    pub fn editing(&self) -> Editing {
        self.archive.map_or(Editing::Fixed, |entries| entries.editing)
    }

    /// Packs an unpacked folder. Unlisted files in the folder become new entries, or are reported if the format does not support
    /// that.
    ///
    /// # Errors
    /// When files of this format cannot be packed, or the folder does not contain one.
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

    /// Iterates over all supported operations.
    pub fn abilities(&self) -> impl Iterator<Item = Can> {
        Can::all().filter(|what| self.can(*what))
    }

    /// Options for building a file from a scene.
    #[must_use]
    pub fn import_options(&self) -> &'static [FormatOption] {
        self.import.map_or(&[], |import| import.options)
    }

    /// Iterates over all warnings it can raise: its own, then the shared ones.
    pub fn all_codes(&self) -> impl Iterator<Item = &'static Code> + use<> {
        self.codes.iter().chain(self.shared_codes.iter().map(|shared| shared.code))
    }

    /// Whether `by` refers to a code in files of this format, either as [`Code::matches`] decides or by the code's former id in
    /// this format.
    #[must_use]
    pub fn matches(&self, code: &Code, by: &str) -> bool {
        code.matches(by)
            || self.shared_codes.iter().any(|shared| shared.code.id == code.id && shared.matches(by))
    }

    /// Whether files can be converted to products of this kind.
    #[must_use]
    pub fn makes(&self, kind: ProductKind) -> bool {
        self.products.iter().any(|offered| offered.kind == kind)
    }

    /// Part of the id after the dot: `pcx` of `paint.pcx`.
    #[must_use]
    pub fn short_id(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(_, short)| short)
    }

    /// File types that a file can be converted to, each extension once; the first one is the default.
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

    /// Extension of the default output.
    #[must_use]
    pub fn default_output(&self) -> Option<&'static str> {
        let encoder = self.products.first().and_then(|offered| encoders_of(offered.kind).next());
        let own = || self.save_as.first().map(|own| own.extension);
        encoder.map(|encoder| encoder.extension).or_else(own)
    }

    /// Returns how files with this extension (letter case is ignored) are written: with one encoder for each kind of product that
    /// has one, or as another dialect. `None` if a file cannot be converted to it.
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

/// The way an output is written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum OutputWriter {
    /// Encodes products, with one encoder for each kind.
    Encoders(Vec<&'static Encoder>),
    /// Saves the file as another dialect.
    SaveAs(&'static SaveAs),
}

impl OutputWriter {
    /// Returns the extension of the output.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Encoders(encoders) => encoders.first().map_or("", |encoder| encoder.extension),
            Self::SaveAs(own) => own.extension,
        }
    }
}

/// The row of a table of formats.
impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Format", 11)?;
        out.serialize_field("id", self.id)?;
        out.serialize_field("name", self.name)?;
        out.serialize_field("game", &self.game)?;
        out.serialize_field("extensions", self.extensions)?;
        out.serialize_field("can", &self.abilities().collect::<Vec<_>>())?;
        out.serialize_field("outputs", &self.outputs())?;
        out.serialize_field("options", self.options)?;
        out.serialize_field("import_options", self.import_options())?;
        out.serialize_field("schema", &self.schema.is_some())?;
        out.serialize_field("codes", &CodesOf(self))?;
        out.serialize_field("settings", &self.settings.map_or_else(Vec::new, |settings| settings()))?;
        out.end()
    }
}

/// The warnings of a format. Shared warnings have the member `formerly`.
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

/// An operation on the files of a format, as shown in the table of formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Can {
    /// Read and described.
    Read,
    /// Written, byte for byte identical to the input.
    Write,
    /// Checked for defects and for references that do not resolve.
    Check,
    /// Converted to products of this kind.
    Make(ProductKind),
    /// Listed and extracted, as archives of other files.
    List,
    /// Edited as an archive: entries are added, removed and renamed.
    Edit,
    /// Unpacked into a folder, edited there, and packed again.
    Pack,
    /// Built from a scene file (GLB or glTF).
    Import,
    /// Shown byte by byte, with the field of each byte.
    Hex,
}

impl Can {
    /// Iterates over all operations, in the order of tables.
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

/// A file type that files of a format can be converted to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Output {
    /// Extension of the output file, in lowercase, without the dot.
    pub extension: &'static str,
    /// The kind of product.
    pub kind: ProductKind,
    /// Short description.
    pub about: String,
}

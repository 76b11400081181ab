//! Encodes products and writes them to a sink, together with an overview of many images and an index.

use std::collections::{BTreeMap, BTreeSet};

use files::name::{Namer, safe_name};
use files::sink::Sink;
use files::suggest::did_you_mean;
use json::{Map, Value};
use record::Error;
use scene::gltf::SharedFile;
use scene::image::ContactSheet;
use scene::product::{
    Companions, Data, EncodeOptions, Encoder, Files, FrameSupport, Layout, SkippedFile, encoders_of,
};
use scene::{Compression, Product, ProductKind};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::asset::Asset;
use crate::context::Context;
use crate::format::{Format, OutputWriter};
use crate::product::{
    FrameFiles, INCOMPLETE, Index, IndexLayout, NOT_CHECKED, Offer, Products, Role, Target, UNCONVERTIBLE,
};
use crate::report::Report;

/// Scenes of files longer than this (in bytes) are not built only to check the conversion: they may take twenty times the memory
/// of the file.
const MAX_CHECKED_LENGTH: u64 = 5 << 20;

/// Observes what is written.
pub trait Observer {
    /// Called before a product is written; the files that follow belong to it. `caption` is a text from the product.
    fn product(&mut self, product: &Product<'_>, caption: Option<&str>);

    /// Called for each file; `kind` is the kind of its contents, or `None` for a file in one of the game's own formats.
    fn file(&mut self, kind: Option<ProductKind>, bytes: &[u8]);
}

/// Observes nothing.
impl Observer for () {
    fn product(&mut self, _product: &Product<'_>, _caption: Option<&str>) {}

    fn file(&mut self, _kind: Option<ProductKind>, _bytes: &[u8]) {}
}

impl OutputWriter {
    /// Converts an opened file and writes the result to a sink. All output names start with the target's stem.
    ///
    /// # Errors
    /// When the file cannot be converted, or the sink fails.
    pub fn write(
        &self,
        asset: &dyn Asset,
        context: &Context<'_>,
        target: Target<'_>,
        sink: &mut dyn Sink,
        observer: &mut dyn Observer,
        report: &mut Report,
    ) -> Result<(), Error> {
        match self {
            Self::Encoders(encoders) => {
                let own_name = context.location.as_ref().map(|location| location.path().name().to_owned());
                let mut writer = ProductWriter::new(encoders, target, own_name, sink, observer);
                let target = Target { is_animated: writer.encoders.can_animate(), ..target };
                let mut products = asset.products(context, target)?;
                for offer in &mut products {
                    writer.write(offer, report)?;
                }
                match products.close(report) {
                    Some(index) => writer.write_index(index),
                    None => Ok(()),
                }
            }
            Self::SaveAs(own) => {
                let bytes = (own.write)(asset, report)?;
                sink.put(&format!("{}.{}", target.stem, own.extension), &bytes)?;
                observer.file(None, &bytes);
                Ok(())
            }
        }
    }
}

impl OutputWriter {
    /// Checks whether a file of `length` bytes can be converted, without writing anything: computes the products as
    /// [`OutputWriter::write`] does, and drops them. Losses that only occur during encoding are not detected. A file that cannot
    /// be converted is reported as a warning. Scenes of long files are not built, which is also reported.
    pub fn check_conversion(
        &self,
        (asset, length): (&dyn Asset, u64),
        context: &Context<'_>,
        target: Target<'_>,
        report: &mut Report,
    ) {
        let Self::Encoders(encoders) = self else { return };
        let makes_scenes = encoders.iter().any(|encoder| encoder.kind == ProductKind::Scene);
        if makes_scenes && length > MAX_CHECKED_LENGTH {
            report.warn(
                &NOT_CHECKED,
                "the file is larger than 5 MB; use convert --dry-run to check the conversion",
            );
            return;
        }
        let encoders = Encoders(encoders);
        let target = Target { is_checked_only: true, is_animated: encoders.can_animate(), ..target };
        if let Err(error) = compute_and_drop(asset, context, target, encoders, report) {
            report.warn_error(&UNCONVERTIBLE, &error);
        }
    }
}

/// Computes every product that one of the encoders would write.
fn compute_and_drop(
    asset: &dyn Asset,
    context: &Context<'_>,
    target: Target<'_>,
    encoders: Encoders<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    let mut known = BTreeSet::new();
    let mut products = asset.products(context, target)?;
    for mut offer in &mut products {
        let is_wanted = encoders.of(&offer).is_some();
        if is_wanted && offer.key.is_none_or(|key| known.insert(key)) {
            offer.make(report)?;
        }
    }
    products.close(report);
    Ok(())
}

impl Format {
    /// Returns the [`output`](Self::output) for an extension, or an error that lists the available ones.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if files of this format cannot be converted to it.
    pub fn output_for(&self, extension: &str) -> Result<OutputWriter, Error> {
        self.output(extension).ok_or_else(|| {
        let known: Vec<_> = self.outputs().iter().map(|output| output.extension).collect();
        let list = known.join(", ");
        if extension.is_empty() {
            return Error::usage(format!(
                "has no extension to select the output format (available: {list}); to name a folder, end it with a slash"
            ));
        }
        let guess = did_you_mean(extension, known.iter().copied());
        let build = if self.import.is_some_and(|import| import.extensions.contains(&extension)) {
            "; to build one from a scene, use `pack`"
        } else {
            ""
        };
        Error::usage(format!(
            "`{}` files cannot be converted to .{extension} (available: {list}){guess}{build}",
            self.id
        ))
    })
    }

    /// Converts an opened file to the format with this extension.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if files of this format cannot be converted to it; otherwise the errors of
    /// [`OutputWriter::write`].
    pub fn convert(
        &self,
        asset: &dyn Asset,
        extension: &str,
        context: &Context<'_>,
        target: Target<'_>,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<(), Error> {
        self.output_for(extension)?.write(asset, context, target, sink, &mut (), report)
    }
}

/// Encoders for the kinds of products that are written, one for each kind.
#[derive(Clone, Copy)]
struct Encoders<'a>(&'a [&'static Encoder]);

impl Encoders<'_> {
    /// Returns the encoder for a product, or `None` if the product is skipped.
    fn of(self, offer: &Offer<'_>) -> Option<&'static Encoder> {
        if offer.fallback_for.is_some_and(|kind| self.of_main(kind).is_some()) {
            return None;
        }
        match (self.of_main(offer.kind), offer.role) {
            (Some(encoder), _) => Some(encoder),
            (None, Role::Companion) => self.of_companion(offer.kind),
            (None, Role::Main) => None,
        }
    }

    fn of_main(self, kind: ProductKind) -> Option<&'static Encoder> {
        self.0.iter().copied().find(|encoder| encoder.kind == kind)
    }

    /// Returns the encoder for a companion, or `None` if no companions are written.
    fn of_companion(self, kind: ProductKind) -> Option<&'static Encoder> {
        let has_companions = self.0.iter().any(|encoder| encoder.companions != Companions::None);
        self.of_main(kind).or_else(|| encoders_of(kind).next().filter(|_| has_companions))
    }

    fn can_animate(self) -> bool {
        self.0.iter().any(|encoder| encoder.capacity == FrameSupport::Animation)
    }
}

/// Writes the products of one file.
struct ProductWriter<'a> {
    encoders: Encoders<'a>,
    stem: &'a str,
    compression: Compression,
    /// Name of the input file.
    own_name: Option<String>,
    sink: &'a mut dyn Sink,
    observer: &'a mut dyn Observer,
    namer: Namer,
    /// Facts about each product, for the index.
    facts: FactList,
    /// Files that were written for products with a key.
    known: BTreeMap<u64, Vec<String>>,
    overview: ContactSheet,
}

impl<'a> ProductWriter<'a> {
    fn new(
        encoders: &'a [&'static Encoder],
        target: Target<'a>,
        own_name: Option<String>,
        sink: &'a mut dyn Sink,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            encoders: Encoders(encoders),
            stem: target.stem,
            compression: target.compression,
            own_name,
            sink,
            observer,
            namer: Namer::new(),
            facts: FactList::default(),
            known: BTreeMap::new(),
            overview: ContactSheet::default(),
        }
    }

    /// Returns a name in the folder that is named after the input file. The name is unique even if letter case is ignored.
    fn below(&mut self, name: &str, extension: &str) -> Result<String, Error> {
        let wanted = format!("{}/{}.{extension}", self.stem, safe_name(name));
        let refuse = |reason| Error::usage(format!("{reason}, so it cannot be written")).in_file(&wanted);
        let file = self.namer.file(&wanted).map_err(refuse)?;
        Ok(file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem).to_owned())
    }

    /// Encodes a product under a name without extension. Returns the name of the main file.
    fn encode(
        &mut self,
        encoder: &Encoder,
        name: &str,
        product: &mut Product<'_>,
        caption: Option<&str>,
        report: &mut Report,
    ) -> Result<String, Error> {
        let (folder, stem) = name.rsplit_once('/').map_or(("", name), |(folder, stem)| (folder, stem));
        let shared = self.sink.shared_folder(folder);
        let options = EncodeOptions {
            stem,
            taken: self.own_name.as_deref(),
            shared: shared.as_deref(),
            compression: self.compression,
        };
        self.observer.product(product, caption);
        let mut files = FolderFiles { folder, sink: self.sink, observer: self.observer, report };
        encoder.encode(product, &options, &mut files)?;
        Ok(format!("{name}.{}", encoder.extension))
    }

    /// Encodes an image, whose frames may become separate files. Returns the names of the files.
    fn encode_frames(
        &mut self,
        encoder: &Encoder,
        offer: &Offer<'_>,
        name: &str,
        mut product: Product<'_>,
        report: &mut Report,
    ) -> Result<Vec<String>, Error> {
        let caption = offer.caption.as_deref();
        let count = match &product {
            Product::Image(picture) => picture.frame_count(),
            _ => 1,
        };
        let separate = offer.frames == FrameFiles::Apart || encoder.capacity == FrameSupport::OneFrame;
        if count < 2 || !separate {
            return Ok(vec![self.encode(encoder, name, &mut product, caption, report)?]);
        }
        let Product::Image(picture) = &product else { return Ok(Vec::new()) };
        let own = offer.name.as_deref().unwrap_or(self.stem).to_owned();
        let mut files = Vec::new();
        for number in 0..count {
            let Some(frame) = picture.frame(number) else { continue };
            let name = self.below(&format!("{own}-{number:02}"), encoder.extension)?;
            files.push(self.encode(encoder, &name, &mut frame.into(), caption, report)?);
        }
        Ok(files)
    }

    fn write_overview(&mut self) -> Result<(), Error> {
        let has_overview = |encoder: &&&Encoder| encoder.companions == Companions::DataAndOverview;
        let Some(encoder) = self.encoders.0.iter().find(has_overview).copied() else { return Ok(()) };
        let Some(sheet) = std::mem::take(&mut self.overview).paint() else { return Ok(()) };
        let mut report = Report::new();
        let stem = self.stem;
        self.encode(encoder, stem, &mut sheet.into(), None, &mut report).map(drop)
    }
}

impl ProductWriter<'_> {
    /// Computes and writes a product, unless it is skipped or was already written.
    fn write(&mut self, mut offer: Offer<'_>, report: &mut Report) -> Result<(), Error> {
        let is_known = offer.key.is_some_and(|key| self.known.contains_key(&key));
        if let Some(encoder) = self.encoders.of(&offer).filter(|_| !is_known && offer.has_product()) {
            let name = match &offer.name {
                Some(name) => self.below(name, encoder.extension)?,
                None => self.stem.to_owned(),
            };
            let files = match offer.make_as(&name, report)? {
                Some(product) => self.write_computed(encoder, &offer, &name, product, report)?,
                None => Vec::new(),
            };
            self.list(offer, files);
        } else {
            self.list(offer, Vec::new());
        }
        Ok(())
    }

    /// Writes a product to one or more files, and adds it to the overview.
    fn write_computed(
        &mut self,
        encoder: &Encoder,
        offer: &Offer<'_>,
        name: &str,
        product: Product<'_>,
        report: &mut Report,
    ) -> Result<Vec<String>, Error> {
        let first = match &product {
            Product::Image(picture)
                if encoder.companions == Companions::DataAndOverview && self.overview.has_room() =>
            {
                Some(picture.to_rgba8())
            }
            _ => None,
        };
        let files = self.encode_frames(encoder, offer, name, product, report);
        let files = files.map_err(|error| offer.located(error))?;
        if let Some(first) = first
            && (offer.name.is_some() || files.len() > 1)
        {
            self.overview.add(&first);
        }
        Ok(files)
    }

    /// Adds an offer to the index with the files that were written for it or for an earlier offer with the same key. A product
    /// that could not be computed is not tried again.
    fn list(&mut self, offer: Offer<'_>, files: Vec<String>) {
        let files = match offer.key {
            Some(key) => self.known.entry(key).or_insert(files),
            None => &files,
        };
        if let Some(mut facts) = offer.facts {
            add_files(&mut facts, offer.kind, files);
            self.facts.push(&facts);
        }
    }

    fn write_index(mut self, index: Index) -> Result<(), Error> {
        self.write_overview()?;
        let Some(encoder) = self.encoders.of_companion(ProductKind::Data) else { return Ok(()) };
        let data = index_data(index, std::mem::take(&mut self.facts));
        self.encode(encoder, self.stem, &mut data.into(), None, &mut Report::new()).map(drop)
    }
}

/// Facts about each product, stored as JSON text: for hundreds of thousands of products, this takes a tenth of the memory of
/// values.
#[derive(Debug, Default)]
struct FactList(Vec<Box<str>>);

impl FactList {
    fn push(&mut self, facts: &Map<String, Value>) {
        // A map of JSON values can always be serialized.
        self.0.push(serde_json::to_string(facts).unwrap_or_default().into());
    }
}

impl Serialize for FactList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let read = |facts: &str| json::from_str::<Value>(facts).unwrap_or_default();
        serializer.collect_seq(self.0.iter().map(|facts| read(facts)))
    }
}

impl Products<'_> {
    /// Returns the index of all products without computing them, or `None` if the format has none.
    #[must_use]
    pub fn into_index(mut self) -> Option<Data<'static>> {
        let mut list = FactList::default();
        self.by_ref().filter_map(|offer| offer.facts).for_each(|facts| list.push(&facts));
        self.close(&mut Report::new()).map(|index| index_data(index, list))
    }
}

fn index_data(index: Index, facts: FactList) -> Data<'static> {
    let layout = match index.lines {
        IndexLayout::OneLine => Layout::Lines,
        IndexLayout::Expanded => Layout::Expanded,
    };
    Data::new(IndexFile { head: index.head, list: index.list, facts }).with_layout(layout)
}

/// The serialized form of the index: the head, followed by the list of facts.
struct IndexFile {
    head: Map<String, Value>,
    list: &'static str,
    facts: FactList,
}

impl Serialize for IndexFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.head.len().saturating_add(1)))?;
        for (name, value) in &self.head {
            map.serialize_entry(name, value)?;
        }
        map.serialize_entry(self.list, &self.facts)?;
        map.end()
    }
}

/// Adds the names of the files that a product was written to.
fn add_files(facts: &mut Map<String, Value>, kind: ProductKind, files: &[String]) {
    match (kind, files) {
        (_, []) => {}
        (ProductKind::Image, _) => {
            facts.insert("files".to_owned(), files.iter().map(|file| Value::from(file.as_str())).collect());
        }
        (_, [file, ..]) => {
            facts.insert("file".to_owned(), file.as_str().into());
        }
    }
}

/// Writes the files of a product to a folder of the sink.
struct FolderFiles<'a> {
    folder: &'a str,
    sink: &'a mut dyn Sink,
    observer: &'a mut dyn Observer,
    report: &'a mut Report,
}

impl Files for FolderFiles<'_> {
    fn put(&mut self, name: &str, kind: ProductKind, bytes: &[u8]) -> Result<(), Error> {
        let path = if self.folder.is_empty() { name.to_owned() } else { format!("{}/{name}", self.folder) };
        self.sink.put(&path, bytes)?;
        self.observer.file(Some(kind), bytes);
        Ok(())
    }

    fn share(&mut self, file: &SharedFile<'_>) -> Result<(), Error> {
        self.sink.put_shared(&file.name, &mut || file.bytes().into_owned())
    }

    fn report_skipped(&mut self, file: SkippedFile) {
        self.report.warn(&INCOMPLETE, format!("\"{}\" is not written: {}", file.file, file.reason));
    }
}

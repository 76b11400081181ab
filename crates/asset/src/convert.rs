//! Writing products: they are encoded and put into a sink, with an overview of many images and the index beside them.

use std::collections::{BTreeMap, BTreeSet};

use files::name::{Namer, safe_name};
use files::sink::Sink;
use files::suggest::did_you_mean;
use json::{Map, Value};
use record::Error;
use scene::gltf::SharedFile;
use scene::image::ContactSheet;
use scene::product::{Companions, Data, Encoder, Files, FrameSupport, Layout, Loss, Naming, encoders_of};
use scene::{Product, ProductKind};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::asset::Asset;
use crate::context::Context;
use crate::format::{Format, OutputWriter};
use crate::product::{
    FrameFiles, INCOMPLETE, Index, IndexLayout, NOT_REHEARSED, Offer, Products, Role, Target, UNCONVERTIBLE,
};
use crate::report::Report;

/// Scenes of longer files are not made only to see what is lost: they may take twenty times as much memory as the file.
const LONGEST_REHEARSED: u64 = 5 << 20;

/// Looks at what is written.
pub trait Observer {
    /// Sees a product; the files that follow are its own. `caption` is what is said in it.
    fn product(&mut self, product: &Product<'_>, caption: Option<&str>);

    /// Sees a file; `kind` says what is in it, `None` that it is a file of the game's own formats.
    fn file(&mut self, kind: Option<ProductKind>, bytes: &[u8]);
}

/// Nobody looks.
impl Observer for () {
    fn product(&mut self, _product: &Product<'_>, _caption: Option<&str>) {}

    fn file(&mut self, _kind: Option<ProductKind>, _bytes: &[u8]) {}
}

impl OutputWriter {
    /// Converts an opened file: writes it to a sink, under names that start with the target's stem.
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
                let own_name = context.location.as_ref().map(|place| place.path().name().to_owned());
                let mut writer = ProductWriter::new(encoders, target.stem, own_name, sink, observer);
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
    /// Finds out what a conversion of a file of `length` bytes would tell: makes the products as [`OutputWriter::write`] does, and drops
    /// them. What is lost only in the files that they would become is not found out. A file that cannot be converted is a warning too.
    /// Scenes of long files are not made, which is told.
    pub fn rehearse(
        &self,
        (asset, length): (&dyn Asset, u64),
        context: &Context<'_>,
        target: Target<'_>,
        report: &mut Report,
    ) {
        let Self::Encoders(encoders) = self else { return };
        let makes_scenes = encoders.iter().any(|encoder| encoder.kind == ProductKind::Scene);
        if makes_scenes && length > LONGEST_REHEARSED {
            report.warn(&NOT_REHEARSED, "the file is larger than 5 MB; convert --dry-run tells what is lost");
            return;
        }
        let encoders = Encoders(encoders);
        let target = Target { is_checked_only: true, is_animated: encoders.can_animate(), ..target };
        if let Err(error) = make_and_drop(asset, context, target, encoders, report) {
            report.warn_error(&UNCONVERTIBLE, &error);
        }
    }
}

/// Makes every product that one of the encoders would write.
fn make_and_drop(
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
    /// As [`output`](Self::output), with an error that names what there is.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when a file cannot become one.
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

    /// Converts an opened file to what an extension asks for.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when files of this format cannot become such a file; otherwise as [`OutputWriter::write`].
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

/// One encoder for each kind that is written.
#[derive(Clone, Copy)]
struct Encoders<'a>(&'a [&'static Encoder]);

impl Encoders<'_> {
    /// The encoder for a product; `None` when it is not wanted.
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

    /// The encoder for a companion; `None` when nothing is written beside the products.
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
    /// The name of the file that the products are made from.
    own_name: Option<String>,
    sink: &'a mut dyn Sink,
    observer: &'a mut dyn Observer,
    namer: Namer,
    /// What is to be known of each product, for the index.
    facts: FactList,
    /// The files of products that are known by a key.
    known: BTreeMap<u64, Vec<String>>,
    overview: ContactSheet,
}

impl<'a> ProductWriter<'a> {
    fn new(
        encoders: &'a [&'static Encoder],
        stem: &'a str,
        own_name: Option<String>,
        sink: &'a mut dyn Sink,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            encoders: Encoders(encoders),
            stem,
            own_name,
            sink,
            observer,
            namer: Namer::new(),
            facts: FactList::default(),
            known: BTreeMap::new(),
            overview: ContactSheet::default(),
        }
    }

    /// A name below the folder of the file, which is called like the file. It differs from all others in more than letter case.
    fn below(&mut self, name: &str, extension: &str) -> Result<String, Error> {
        let wish = format!("{}/{}.{extension}", self.stem, safe_name(name));
        let refuse = |why| Error::usage(format!("{why}, so it cannot be written")).in_file(&wish);
        let file = self.namer.file(&wish).map_err(refuse)?;
        Ok(file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem).to_owned())
    }

    /// Encodes a product under a name without extension. Gives the main file.
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
        let naming = Naming { stem, taken: self.own_name.as_deref(), shared: shared.as_deref() };
        self.observer.product(product, caption);
        let mut files = Placed { folder, sink: self.sink, observer: self.observer, report };
        encoder.encode(product, &naming, &mut files)?;
        Ok(format!("{name}.{}", encoder.extension))
    }

    /// Encodes an image whose frames may become files of their own. Gives the files.
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
        let apart = offer.frames == FrameFiles::Apart || encoder.capacity == FrameSupport::OneFrame;
        if count < 2 || !apart {
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
    /// Makes and writes a product, if it is wanted and was not written before.
    fn write(&mut self, mut offer: Offer<'_>, report: &mut Report) -> Result<(), Error> {
        let is_known = offer.key.is_some_and(|key| self.known.contains_key(&key));
        if let Some(encoder) = self.encoders.of(&offer).filter(|_| !is_known && offer.has_product()) {
            let name = match &offer.name {
                Some(name) => self.below(name, encoder.extension)?,
                None => self.stem.to_owned(),
            };
            let files = match offer.make_as(&name, report)? {
                Some(product) => self.write_made(encoder, &offer, &name, product, report)?,
                None => Vec::new(),
            };
            self.list(offer, files);
        } else {
            self.list(offer, Vec::new());
        }
        Ok(())
    }

    /// Writes a product to a file or several, and shows it in the overview.
    fn write_made(
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

    /// Adds an offer to the list for the index, with the files that it was written to: now, or as an earlier offer of its key. What could not be
    /// made is not tried again.
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

/// What is known of each product, as JSON: hundreds of thousands of products take a tenth of the memory that values would.
#[derive(Debug, Default)]
struct FactList(Vec<Box<str>>);

impl FactList {
    fn push(&mut self, facts: &Map<String, Value>) {
        // A map of JSON values can always be written.
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
    /// The index of all products, without making any; `None` where the format has none.
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

/// The index as it is written: the head, and the list of facts under its name.
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

/// Says which files a product was written to.
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

/// Puts the files of a product into a folder of the sink.
struct Placed<'a> {
    folder: &'a str,
    sink: &'a mut dyn Sink,
    observer: &'a mut dyn Observer,
    report: &'a mut Report,
}

impl Files for Placed<'_> {
    fn put(&mut self, name: &str, kind: ProductKind, bytes: &[u8]) -> Result<(), Error> {
        let path = if self.folder.is_empty() { name.to_owned() } else { format!("{}/{name}", self.folder) };
        self.sink.put(&path, bytes)?;
        self.observer.file(Some(kind), bytes);
        Ok(())
    }

    fn share(&mut self, file: &SharedFile<'_>) -> Result<(), Error> {
        self.sink.put_shared(&file.name, &mut || file.bytes().into_owned())
    }

    fn lose(&mut self, loss: Loss) {
        self.report.warn(&INCOMPLETE, format!("\"{}\" is not written: {}", loss.file, loss.reason));
    }
}

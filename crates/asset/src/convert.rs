//! The receiver that writes: products are encoded and put into a sink, with an overview of many images and the index beside them.

use std::collections::{BTreeMap, BTreeSet};

use record::Error;
use scene::gltf::SharedFile;
use scene::image::ContactSheet;
use scene::product::{Companions, Data, Encoder, Files, FrameSupport, Layout, Loss, Naming, encoders_of};
use scene::{Product, ProductKind};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::asset::{Asset, Context};
use crate::format::{Format, OutputWriter};
use crate::name::{Namer, safe_name};
use crate::product::{
    FrameFiles, INCOMPLETE, Index, IndexLayout, Item, NOT_REHEARSED, Products, Receiver, Role, Target,
    UNCONVERTIBLE,
};
use crate::report::Report;
use crate::sink::Sink;

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
                let products = Products::new(&mut writer, report, target);
                asset.products(context, &mut products.for_engine(context.options.engine()))
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
        let mut rehearsal = Rehearsal { encoders: Encoders(encoders), known: BTreeSet::new() };
        let target = Target { is_checked_only: true, ..target };
        let done = asset.products(context, &mut Products::new(&mut rehearsal, report, target));
        if let Err(error) = done {
            report.warn_error(&UNCONVERTIBLE, &error);
        }
    }
}

impl Format {
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
        let output = self.output(extension).ok_or_else(|| {
            Error::usage(format!("`{}` files cannot be converted to .{extension}", self.id))
        })?;
        output.write(asset, context, target, sink, &mut (), report)
    }
}

/// One encoder for each kind that is written.
#[derive(Clone, Copy)]
struct Encoders<'a>(&'a [&'static Encoder]);

impl Encoders<'_> {
    /// The encoder for a product of a kind.
    fn of(self, kind: ProductKind, role: Role) -> Option<&'static Encoder> {
        let main = self.0.iter().copied().find(|encoder| encoder.kind == kind);
        match (main, role) {
            (Some(encoder), _) => Some(encoder),
            (None, Role::Companion) if self.has_companions() => encoders_of(kind).next(),
            (None, _) => None,
        }
    }

    /// Whether data is written beside the products.
    fn has_companions(self) -> bool {
        self.0.iter().any(|encoder| encoder.companions != Companions::None)
    }

    fn can_move(self) -> bool {
        self.0.iter().any(|encoder| encoder.capacity == FrameSupport::Animation)
    }
}

/// Takes what a [`ProductWriter`] would take, and drops it.
struct Rehearsal<'a> {
    encoders: Encoders<'a>,
    /// The keys of products that were made.
    known: BTreeSet<u64>,
}

impl Receiver for Rehearsal<'_> {
    fn wants(&self, kind: ProductKind) -> bool {
        self.encoders.of(kind, Role::Main).is_some()
    }

    fn wants_animation(&self) -> bool {
        self.encoders.can_move()
    }

    fn begin(&mut self, item: &Item<'_>) -> Result<Option<String>, Error> {
        let is_wanted = self.encoders.of(item.kind, item.role).is_some();
        let is_new = item.key.is_none_or(|key| self.known.insert(key));
        let name = || item.name.as_deref().unwrap_or_default().to_owned();
        Ok((is_wanted && is_new).then(name))
    }

    fn take(&mut self, _: Item<'_>, _: &str, _: Product<'_>, _: &mut Report) -> Result<(), Error> {
        Ok(())
    }

    fn pass(&mut self, _: Item<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn index(&mut self, _: Index) -> Result<(), Error> {
        Ok(())
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
        item: &Item<'_>,
        name: &str,
        mut product: Product<'_>,
        report: &mut Report,
    ) -> Result<Vec<String>, Error> {
        let caption = item.caption.as_deref();
        let count = match &product {
            Product::Image(picture) => picture.frame_count(),
            _ => 1,
        };
        let apart = item.frames == FrameFiles::Apart || encoder.capacity == FrameSupport::OneFrame;
        if count < 2 || !apart {
            return Ok(vec![self.encode(encoder, name, &mut product, caption, report)?]);
        }
        let Product::Image(picture) = &product else { return Ok(Vec::new()) };
        let own = item.name.as_deref().unwrap_or(self.stem).to_owned();
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

impl Receiver for ProductWriter<'_> {
    fn wants(&self, kind: ProductKind) -> bool {
        self.encoders.of(kind, Role::Main).is_some()
    }

    fn wants_animation(&self) -> bool {
        self.encoders.can_move()
    }

    fn begin(&mut self, item: &Item<'_>) -> Result<Option<String>, Error> {
        let Some(encoder) = self.encoders.of(item.kind, item.role) else { return Ok(None) };
        if item.key.is_some_and(|key| self.known.contains_key(&key)) {
            return Ok(None);
        }
        match &item.name {
            Some(name) => self.below(&name.clone(), encoder.extension).map(Some),
            None => Ok(Some(self.stem.to_owned())),
        }
    }

    fn take(
        &mut self,
        mut item: Item<'_>,
        name: &str,
        product: Product<'_>,
        report: &mut Report,
    ) -> Result<(), Error> {
        let Some(encoder) = self.encoders.of(item.kind, item.role) else { return Ok(()) };
        let first = match &product {
            Product::Image(picture)
                if encoder.companions == Companions::DataAndOverview && self.overview.has_room() =>
            {
                Some(picture.to_rgba8())
            }
            _ => None,
        };
        let files = self.encode_frames(encoder, &item, name, product, report)?;
        if let Some(first) = first
            && (item.name.is_some() || files.len() > 1)
        {
            self.overview.add(&first);
        }
        if let Some(mut facts) = item.facts.take() {
            add_files(&mut facts, item.kind, &files);
            self.facts.push(&facts);
        }
        if let Some(key) = item.key {
            self.known.insert(key, files);
        }
        Ok(())
    }

    fn pass(&mut self, item: Item<'_>) -> Result<(), Error> {
        if let Some(key) = item.key {
            // What cannot be made is not tried again.
            self.known.entry(key).or_default();
        }
        let Some(mut facts) = item.facts else { return Ok(()) };
        if let Some(files) = item.key.and_then(|key| self.known.get(&key)) {
            add_files(&mut facts, item.kind, files);
        }
        self.facts.push(&facts);
        Ok(())
    }

    fn index(&mut self, index: Index) -> Result<(), Error> {
        self.write_overview()?;
        let Some(encoder) = self.encoders.of(ProductKind::Data, Role::Companion) else { return Ok(()) };
        let layout = match index.lines {
            IndexLayout::OneLine => Layout::Lines,
            IndexLayout::Expanded => Layout::Expanded,
        };
        let all = IndexFile { head: &index.head, list: index.list, facts: std::mem::take(&mut self.facts) };
        let data = Data::new(all).with_layout(layout);
        self.encode(encoder, self.stem, &mut data.into(), None, &mut Report::new()).map(drop)
    }
}

/// What is to be known of each product, as JSON: hundreds of thousands of products take a tenth of the memory that values would.
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
        let read = |facts: &str| serde_json::from_str::<Value>(facts).unwrap_or_default();
        serializer.collect_seq(self.0.iter().map(|facts| read(facts)))
    }
}

/// The index as it is written: the head, and the list of facts under its name.
struct IndexFile<'a> {
    head: &'a Map<String, Value>,
    list: &'a str,
    facts: FactList,
}

impl Serialize for IndexFile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.head.len().saturating_add(1)))?;
        for (name, value) in self.head {
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

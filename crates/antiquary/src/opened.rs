//! An opened file and its products: scenes, images, sounds and other values.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use asset::{
    Asset, Context, Error, Format, FormatOptions, GameInfo, Install, Location, MemorySink, Offer, Options,
    ProductKind, Products, Report, Source, Target,
};
use scene::product::{Data, FontProduct, Picture, Subtitles, Table};
use scene::sound::Sound;
use scene::{Product, Scene};

/// An opened file, in the context of its game.
///
/// The game is located, and its files are read, only when a product needs them, such as the textures of a model or the
/// palette of an image.
#[non_exhaustive]
pub struct Opened {
    /// Format of the file.
    pub format: &'static Format,
    /// Parsed contents.
    pub asset: Box<dyn Asset>,
    /// Raw bytes.
    pub source: Source,
    /// Defects found while reading the file.
    pub report: Report,
    games: &'static [&'static GameInfo],
    /// Path as given: on disk, in the game, or only a name.
    path: String,
    /// Path on disk, if known.
    file: Option<PathBuf>,
    surroundings: OnceLock<Surroundings>,
    options: Options,
    conversion_report: Mutex<Report>,
}

/// The game around a file, and the file's location in it.
struct Surroundings {
    install: Arc<Install>,
    location: Option<Location>,
}

/// A value produced from a file, with its name: an image, a sound, a text. Dereferences to the value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Named<T> {
    file: String,
    part: Option<String>,
    /// The value.
    pub value: T,
}

impl<T> Named<T> {
    /// Creates the only value of a file.
    pub(crate) fn only(file: &str, value: T) -> Self {
        Self { file: file.to_owned(), part: None, value }
    }

    /// Returns the path under which the file was opened, followed by the name in the file (`fxart/TEXBSI.302/005`). If the
    /// file has only one such value, returns just the path.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.part {
            Some(part) => format!("{}/{part}", self.file),
            None => self.file.clone(),
        }
    }

    /// Returns the name in the file, as stored, or `None` if the file has only one such value.
    #[must_use]
    pub fn name_in_file(&self) -> Option<&str> {
        self.part.as_deref()
    }

    /// Returns the value without its name.
    #[must_use]
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<T> Deref for Named<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl Opened {
    pub(crate) fn new(
        games: &'static [&'static GameInfo],
        format: &'static Format,
        asset: Box<dyn Asset>,
        source: Source,
        report: Report,
    ) -> Self {
        Self {
            format,
            asset,
            source,
            report,
            games,
            path: String::new(),
            file: None,
            surroundings: OnceLock::new(),
            options: Options::defaults(format.options),
            conversion_report: Mutex::default(),
        }
    }

    pub(crate) fn with_path(self, path: &str) -> Self {
        Self { path: path.to_owned(), ..self }
    }

    /// Sets the path on disk. The game is located when it is needed.
    pub(crate) fn on_disk(self, file: &Path) -> Self {
        Self { file: Some(file.to_path_buf()), ..self }
    }

    pub(crate) fn in_install(self, install: Arc<Install>, location: Location) -> Self {
        Self { surroundings: Surroundings { install, location: Some(location) }.into(), ..self }
    }

    /// Replaces the default options of the format, for example with `redguard::world::SceneOptions` or
    /// `scpcb::rmesh::RoomOptions`.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) for options of another format and for a number that is out of range.
    pub fn with_options(self, options: &(impl FormatOptions + ?Sized)) -> Result<Self, Error> {
        match Options::parse(self.format.options, options.chosen()) {
            Ok(options) => Ok(Self { options, ..self }),
            Err(error) => Err(self.located(error)),
        }
    }

    /// Looks up referenced files, such as textures, in this install instead of the game around the file. Unless the file is
    /// in the install, files next to it are not found.
    #[must_use]
    pub fn with_install(self, install: Arc<Install>) -> Self {
        let location = self.file.as_deref().and_then(|file| install.location_of(file));
        Self { surroundings: Surroundings { install, location }.into(), ..self }
    }

    /// Returns the file name without folders; empty if there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// Returns the name without its extension.
    fn stem(&self) -> &str {
        self.name().rsplit_once('.').map_or(self.name(), |(stem, _)| stem)
    }

    /// Returns the typed file if it has this type: `opened.typed::<scpcb::rmesh::RMesh>()`. The module of each format names
    /// the type of its files.
    #[must_use]
    pub fn typed<T: Asset>(&self) -> Option<&T> {
        self.asset.typed()
    }

    /// Converts into the typed file, to be changed and written.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if the file has another type.
    pub fn into_typed<T: Asset>(self) -> Result<T, Error> {
        let asset: Box<dyn std::any::Any> = self.asset;
        match asset.downcast() {
            Ok(typed) => Ok(*typed),
            Err(_) => {
                let wanted = std::any::type_name::<T>();
                let error = Error::usage(format!("is a {} file, not a `{wanted}`", self.format.name));
                Err(error.in_file(self.file.unwrap_or_else(|| PathBuf::from(self.path))))
            }
        }
    }

    /// Returns the defects of the file and the losses of all products made so far.
    #[must_use]
    pub fn warnings(&self) -> Report {
        let mut all = self.report.clone();
        all.append(self.conversion_report().clone());
        all
    }

    fn conversion_report(&self) -> MutexGuard<'_, Report> {
        self.conversion_report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn surroundings(&self) -> &Surroundings {
        self.surroundings.get_or_init(|| {
            let found = self.file.as_deref().and_then(|file| {
                let install = asset::game::install_around(file, self.games).ok()?;
                let location = install.location_of(file);
                Some(Surroundings { install: Arc::new(install), location })
            });
            found.unwrap_or_else(|| Surroundings { install: Arc::new(Install::empty()), location: None })
        })
    }

    /// Returns the context that the format needs: the game around the file, and the options.
    #[must_use]
    pub fn context(&self) -> Context<'_> {
        let Surroundings { install, location } = self.surroundings();
        Context { install, location: location.clone(), options: &self.options }
    }

    /// Returns an iterator over all products of the file. Products are not made until they are requested.
    ///
    /// # Errors
    /// Fails if the file has no products, or if something named in its options cannot be found.
    pub fn products(&self) -> Result<Products<'_>, Error> {
        let products = self.asset.products(&self.context(), Target::new(self.stem(), 1.0));
        products.map_err(|error| self.located(error))
    }

    /// Returns the number of products of a kind. None of them is made.
    ///
    /// # Errors
    /// Fails if files of this format have no products of this kind.
    pub fn product_count(&self, kind: ProductKind) -> Result<usize, Error> {
        Ok(self.products_of(kind)?.filter(|offer| offer.is_main(kind)).count())
    }

    /// Makes one product of a kind by its zero-based index, without making the others. Returns `None` if the file has fewer.
    ///
    /// # Errors
    /// Fails if files of this format have no products of this kind, or if this one is damaged.
    pub fn product(&self, kind: ProductKind, index: usize) -> Result<Option<Named<Product<'_>>>, Error> {
        let mut products = self.products_of(kind)?;
        let made =
            products.by_ref().filter(|offer| offer.is_main(kind)).nth(index).map(|offer| self.make(offer));
        products.close(&mut self.conversion_report());
        made.transpose()
    }

    /// Returns the scene: meshes, materials, images, lights, animations.
    ///
    /// # Errors
    /// Fails if files of this format have no scene, or if the scene in this file is damaged.
    pub fn scene(&self) -> Result<Scene, Error> {
        match self.first(ProductKind::Scene)? {
            Product::Scene(scene) => Ok(*scene),
            _ => Err(self.not_made(ProductKind::Scene, &Report::new())),
        }
    }

    /// Returns the font.
    ///
    /// # Errors
    /// Fails if files of this format have no font, or if this file is damaged.
    pub fn font(&self) -> Result<FontProduct, Error> {
        match self.first(ProductKind::Font)? {
            Product::Font(font) => Ok(*font),
            _ => Err(self.not_made(ProductKind::Font, &Report::new())),
        }
    }

    /// Returns all fields, ready to be serialized. For a file that is a list of images or sounds, returns the metadata of
    /// each.
    ///
    /// # Errors
    /// Fails if files of this format have no data.
    pub fn data(&self) -> Result<Data<'_>, Error> {
        // The data may be a companion of another product.
        let offer = self.products_of(ProductKind::Data)?.find(|offer| offer.kind == ProductKind::Data);
        match offer {
            Some(offer) => match self.make(offer)?.value {
                Product::Data(data) => Ok(data),
                _ => Err(self.not_made(ProductKind::Data, &Report::new())),
            },
            None => {
                let index = self.products()?.into_index();
                index.ok_or_else(|| self.not_made(ProductKind::Data, &Report::new()))
            }
        }
    }

    /// Returns the images, decoded one at a time. An image that cannot be decoded is returned as an error in its position
    /// and does not stop the others.
    ///
    /// # Errors
    /// Fails if files of this format have no images.
    pub fn images(&self) -> Result<impl Iterator<Item = Result<Named<Picture>, Error>>, Error> {
        self.all(ProductKind::Image, |product| match product {
            Product::Image(picture) => Some(picture),
            _ => None,
        })
    }

    /// Returns the sounds, decoded one at a time, like [`images`](Self::images).
    ///
    /// # Errors
    /// Fails if files of this format have no sounds.
    pub fn sounds(&self) -> Result<impl Iterator<Item = Result<Named<Sound>, Error>>, Error> {
        self.all(ProductKind::Sound, |product| match product {
            Product::Sound(sound) => Some(sound),
            _ => None,
        })
    }

    /// Returns the tables, like [`images`](Self::images).
    ///
    /// # Errors
    /// Fails if files of this format have no tables.
    pub fn tables(&self) -> Result<impl Iterator<Item = Result<Named<Table<'_>>, Error>>, Error> {
        self.all(ProductKind::Table, |product| match product {
            Product::Table(table) => Some(table),
            _ => None,
        })
    }

    /// Returns the texts, like [`images`](Self::images).
    ///
    /// # Errors
    /// Fails if files of this format have no texts.
    pub fn texts(&self) -> Result<impl Iterator<Item = Result<Named<String>, Error>>, Error> {
        self.all(ProductKind::Text, |product| match product {
            Product::Text(text) => Some(text),
            _ => None,
        })
    }

    /// Returns the subtitles of films, like [`images`](Self::images).
    ///
    /// # Errors
    /// Fails if files of this format have no subtitles.
    pub fn subtitles(&self) -> Result<impl Iterator<Item = Result<Named<Subtitles>, Error>>, Error> {
        self.all(ProductKind::Subtitles, |product| match product {
            Product::Subtitles(subtitles) => Some(subtitles),
            _ => None,
        })
    }

    /// Converts the file in memory and returns the output files, main file first.
    ///
    /// # Errors
    /// Fails if files of this format have no output with this extension, or if this file is damaged.
    pub fn convert(&self, extension: &str) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let output = self.format.output_for(extension).map_err(|error| self.located(error))?;
        let mut sink = MemorySink::new();
        let target = Target::new(self.stem(), 1.0);
        let mut report = Report::new();
        let written = output.write(&*self.asset, &self.context(), target, &mut sink, &mut (), &mut report);
        self.conversion_report().append(report);
        written.map_err(|error| self.located(error))?;
        Ok(sink.into_files())
    }

    /// Converts the scene to a self-contained GLB file.
    ///
    /// # Errors
    /// Fails as [`scene`](Self::scene) does.
    pub fn to_glb(&self) -> Result<Vec<u8>, Error> {
        let files = self.convert("glb")?;
        files
            .into_iter()
            .next()
            .map(|(_, glb)| glb)
            .ok_or_else(|| self.not_made(ProductKind::Scene, &Report::new()))
    }

    /// Makes the first product of a kind.
    fn first(&self, kind: ProductKind) -> Result<Product<'_>, Error> {
        let mut products = self.products_of(kind)?;
        let made = products.find(|offer| offer.is_main(kind)).map(|offer| self.make(offer));
        products.close(&mut self.conversion_report());
        let made = made.unwrap_or_else(|| Err(self.not_made(kind, &Report::new())));
        made.map(Named::into_value)
    }

    /// Makes the products of a kind one at a time.
    fn all<'a, T>(
        &'a self,
        kind: ProductKind,
        value: impl Fn(Product<'a>) -> Option<T>,
    ) -> Result<impl Iterator<Item = Result<Named<T>, Error>>, Error> {
        let mut products = Some(self.products_of(kind)?);
        Ok(std::iter::from_fn(move || {
            let Some(offer) = products.as_mut()?.find(|offer| offer.is_main(kind)) else {
                products.take()?.close(&mut self.conversion_report());
                return None;
            };
            Some(self.make(offer).and_then(|Named { file, part, value: product }| {
                let value = value(product).ok_or_else(|| self.not_made(kind, &Report::new()))?;
                Ok(Named { file, part, value })
            }))
        }))
    }

    /// Makes a product. If it cannot be made, returns an error with the reason that the format reported.
    fn make<'a>(&self, mut offer: Offer<'a>) -> Result<Named<Product<'a>>, Error> {
        let mut report = Report::new();
        let made = offer.make(&mut report);
        let made = made.and_then(|made| made.ok_or_else(|| self.not_made(offer.kind, &report)));
        self.conversion_report().append(report);
        let part = offer.name.map(Cow::into_owned);
        Ok(Named { file: self.path.clone(), part, value: made.map_err(|error| self.located(error))? })
    }

    /// Returns the products if the format has any of this kind.
    fn products_of(&self, kind: ProductKind) -> Result<Products<'_>, Error> {
        let kinds: Vec<_> = self.format.products.iter().map(|offered| offered.kind).collect();
        if kinds.contains(&kind) {
            return self.products();
        }
        let mut names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
        names.dedup();
        let has = if names.is_empty() { "no products".to_owned() } else { names.join(", ") };
        let message = format!("a {} file has no {kind}; it has {has}", self.format.name);
        Err(self.located(Error::unsupported(message)))
    }

    /// Returns the reason why a product of a kind was not made, as far as the format reported one.
    fn not_made(&self, kind: ProductKind, report: &Report) -> Error {
        let why = report.iter().next_back().map(|warning| format!(": {}", warning.message));
        self.located(Error::unsupported(format!("the {kind} cannot be shown{}", why.unwrap_or_default())))
    }

    /// Adds the file to an error.
    fn located(&self, error: Error) -> Error {
        error.in_file(self.file.as_deref().unwrap_or(Path::new(&self.path)))
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opened({}, {:?})", self.format.id, self.source)
    }
}

//! A file that was opened, and what it becomes: scenes, images, sounds and other values.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use asset::{
    Asset, Context, Error, Format, FormatOptions, GameInfo, Install, Location, MemorySink, Offer, Options,
    ProductKind, Products, Report, Source, Target,
};
use scene::product::{Data, FontProduct, Picture, Table};
use scene::sound::Sound;
use scene::{Product, Scene};

/// A file that was opened, in the game around it.
///
/// The game is found, and its files are read, only when a product needs them: the textures of a model, the palette of an image.
#[non_exhaustive]
pub struct Opened {
    /// Its format.
    pub format: &'static Format,
    /// What it holds.
    pub asset: Box<dyn Asset>,
    /// Its bytes.
    pub source: Source,
    /// The defects that were found while reading it.
    pub report: Report,
    games: &'static [&'static GameInfo],
    /// Its path as it was named: on disk, in the game, or only a name.
    path: String,
    /// Where it is on disk, if that is known.
    file: Option<PathBuf>,
    surroundings: OnceLock<Surroundings>,
    options: Options,
    losses: Mutex<Report>,
}

/// The game around a file, and where the file is in it.
struct Surroundings {
    install: Arc<Install>,
    location: Option<Location>,
}

/// A value that a file becomes, with its name: an image, a sound, a text. It is used like the value itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Named<T> {
    file: String,
    part: Option<String>,
    /// The value.
    pub value: T,
}

impl<T> Named<T> {
    /// The only value of a file.
    pub(crate) fn whole(file: &str, value: T) -> Self {
        Self { file: file.to_owned(), part: None, value }
    }

    /// The path under which the file was opened and the name in it, `fxart/TEXBSI.302/005`; only the path, where the file has one such value.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.part {
            Some(part) => format!("{}/{part}", self.file),
            None => self.file.clone(),
        }
    }

    /// The name in its file, as the game has it; `None` where the file has one such value.
    #[must_use]
    pub fn name_in_file(&self) -> Option<&str> {
        self.part.as_deref()
    }

    /// The value without its name.
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
            losses: Mutex::default(),
        }
    }

    pub(crate) fn with_path(self, path: &str) -> Self {
        Self { path: path.to_owned(), ..self }
    }

    /// The same as a file on disk, whose game is found when it is needed.
    pub(crate) fn on_disk(self, file: &Path) -> Self {
        Self { file: Some(file.to_path_buf()), ..self }
    }

    pub(crate) fn in_install(self, install: Arc<Install>, location: Location) -> Self {
        Self { surroundings: Surroundings { install, location: Some(location) }.into(), ..self }
    }

    /// The same with options of its format, in place of their defaults: `redguard::world::SceneOptions`, `scpcb::rmesh::RoomOptions`.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) for options of another format, and for a number that is not accepted.
    pub fn with_options(self, options: &(impl FormatOptions + ?Sized)) -> Result<Self, Error> {
        match Options::parse(self.format.options, options.chosen()) {
            Ok(options) => Ok(Self { options, ..self }),
            Err(error) => Err(self.located(error)),
        }
    }

    /// The name of the file, without its folder; empty where it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// The name without the extension.
    fn stem(&self) -> &str {
        self.name().rsplit_once('.').map_or(self.name(), |(stem, _)| stem)
    }

    /// The typed file, where it is of this type: `opened.typed::<scpcb::rmesh::RMesh>()`. The type of each format's files is named in its module.
    #[must_use]
    pub fn typed<T: Asset>(&self) -> Option<&T> {
        self.asset.typed()
    }

    /// The typed file itself, to be changed and written.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it is of another type.
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

    /// What could not be read or converted so far: the defects of the file, and what is lost in the products that were made.
    #[must_use]
    pub fn warnings(&self) -> Report {
        let mut all = self.report.clone();
        all.append(self.losses().clone());
        all
    }

    fn losses(&self) -> MutexGuard<'_, Report> {
        self.losses.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// The game around it and the options, as its format needs them.
    #[must_use]
    pub fn context(&self) -> Context<'_> {
        let Surroundings { install, location } = self.surroundings();
        Context { install, location: location.clone(), options: &self.options }
    }

    /// Everything that it can become. Nothing is made yet.
    ///
    /// # Errors
    /// When it becomes nothing, or something that its options name cannot be found.
    pub fn products(&self) -> Result<Products<'_>, Error> {
        let products = self.asset.products(&self.context(), Target::new(self.stem(), 1.0));
        products.map_err(|error| self.located(error))
    }

    /// The scene: meshes, materials, images, lights, animations.
    ///
    /// # Errors
    /// When files of its format have no scene, or this one is damaged where the scene is stored.
    pub fn scene(&self) -> Result<Scene, Error> {
        match self.first(ProductKind::Scene)? {
            Product::Scene(scene) => Ok(*scene),
            _ => Err(self.not_made(ProductKind::Scene, &Report::new())),
        }
    }

    /// The font.
    ///
    /// # Errors
    /// When files of its format have no font, or this one is damaged.
    pub fn font(&self) -> Result<FontProduct, Error> {
        match self.first(ProductKind::Font)? {
            Product::Font(font) => Ok(*font),
            _ => Err(self.not_made(ProductKind::Font, &Report::new())),
        }
    }

    /// All fields, or where a file is a list of images or sounds what is known of each, to be serialized.
    ///
    /// # Errors
    /// When files of its format have no data.
    pub fn data(&self) -> Result<Data<'_>, Error> {
        // It may be a companion of something else.
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

    /// The images, decoded one at a time. One that cannot be decoded is an error in its place, and the others go on.
    ///
    /// # Errors
    /// When files of its format have no images.
    pub fn images(&self) -> Result<impl Iterator<Item = Result<Named<Picture>, Error>>, Error> {
        self.all(ProductKind::Image, |product| match product {
            Product::Image(picture) => Some(picture),
            _ => None,
        })
    }

    /// The sounds, decoded one at a time, as [`images`](Self::images).
    ///
    /// # Errors
    /// When files of its format have no sounds.
    pub fn sounds(&self) -> Result<impl Iterator<Item = Result<Named<Sound>, Error>>, Error> {
        self.all(ProductKind::Sound, |product| match product {
            Product::Sound(sound) => Some(sound),
            _ => None,
        })
    }

    /// The tables, as [`images`](Self::images).
    ///
    /// # Errors
    /// When files of its format have no tables.
    pub fn tables(&self) -> Result<impl Iterator<Item = Result<Named<Table<'_>>, Error>>, Error> {
        self.all(ProductKind::Table, |product| match product {
            Product::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The texts, as [`images`](Self::images).
    ///
    /// # Errors
    /// When files of its format have no texts.
    pub fn texts(&self) -> Result<impl Iterator<Item = Result<Named<String>, Error>>, Error> {
        self.all(ProductKind::Text, |product| match product {
            Product::Text(text) => Some(text),
            _ => None,
        })
    }

    /// The files of a conversion, in memory: the main file first.
    ///
    /// # Errors
    /// When files of its format do not become such files, or this one is damaged.
    pub fn convert(&self, extension: &str) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let output = self.format.output_for(extension).map_err(|error| self.located(error))?;
        let mut sink = MemorySink::new();
        let target = Target::new(self.stem(), 1.0);
        let mut report = Report::new();
        let written = output.write(&*self.asset, &self.context(), target, &mut sink, &mut (), &mut report);
        self.losses().append(report);
        written.map_err(|error| self.located(error))?;
        Ok(sink.into_files())
    }

    /// The scene as a GLB file, with everything in it.
    ///
    /// # Errors
    /// As [`scene`](Self::scene).
    pub fn to_glb(&self) -> Result<Vec<u8>, Error> {
        let files = self.convert("glb")?;
        files
            .into_iter()
            .next()
            .map(|(_, glb)| glb)
            .ok_or_else(|| self.not_made(ProductKind::Scene, &Report::new()))
    }

    /// The first product of a kind.
    fn first(&self, kind: ProductKind) -> Result<Product<'_>, Error> {
        let mut products = self.products_of(kind)?;
        let made = products.find(|offer| offer.is_main(kind)).map(|offer| self.make(offer));
        products.close(&mut self.losses());
        let made = made.unwrap_or_else(|| Err(self.not_made(kind, &Report::new())));
        made.map(Named::into_value)
    }

    /// The products of a kind, made one at a time.
    fn all<'a, T>(
        &'a self,
        kind: ProductKind,
        value: impl Fn(Product<'a>) -> Option<T>,
    ) -> Result<impl Iterator<Item = Result<Named<T>, Error>>, Error> {
        let mut products = Some(self.products_of(kind)?);
        Ok(std::iter::from_fn(move || {
            let Some(offer) = products.as_mut()?.find(|offer| offer.is_main(kind)) else {
                products.take()?.close(&mut self.losses());
                return None;
            };
            Some(self.make(offer).and_then(|Named { file, part, value: product }| {
                let value = value(product).ok_or_else(|| self.not_made(kind, &Report::new()))?;
                Ok(Named { file, part, value })
            }))
        }))
    }

    /// Makes a product. One that cannot be shown is an error with the reason that its format has reported.
    fn make<'a>(&self, mut offer: Offer<'a>) -> Result<Named<Product<'a>>, Error> {
        let mut report = Report::new();
        let made = offer.make(&mut report);
        let made = made.and_then(|made| made.ok_or_else(|| self.not_made(offer.kind, &report)));
        self.losses().append(report);
        let part = offer.name.map(Cow::into_owned);
        Ok(Named { file: self.path.clone(), part, value: made.map_err(|error| self.located(error))? })
    }

    /// The products, if the format has some of a kind.
    fn products_of(&self, kind: ProductKind) -> Result<Products<'_>, Error> {
        let kinds: Vec<_> = self.format.products.iter().map(|offered| offered.kind).collect();
        if kinds.contains(&kind) {
            return self.products();
        }
        let mut names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
        names.dedup();
        let has = if names.is_empty() { "nothing that is converted".to_owned() } else { names.join(", ") };
        let message = format!("a {} file has no {kind}; it has {has}", self.format.name);
        Err(self.located(Error::unsupported(message)))
    }

    /// Why a product of a kind was not made: its format may have reported that.
    fn not_made(&self, kind: ProductKind, report: &Report) -> Error {
        let why = report.iter().next_back().map(|warning| format!(": {}", warning.message));
        self.located(Error::unsupported(format!("the {kind} cannot be shown{}", why.unwrap_or_default())))
    }

    /// An error with the file that it concerns.
    fn located(&self, error: Error) -> Error {
        error.in_file(self.file.as_deref().unwrap_or(Path::new(&self.path)))
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opened({}, {:?})", self.format.id, self.source)
    }
}

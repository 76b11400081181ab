//! An opened game, whose files are found and opened by name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::game::Root;
use asset::{Error, Format, GameInfo, Install, Location, Report, Source};
use files::layer::MemoryLayer;
use files::suggest::did_you_mean;
use scene::image::{Limits, decode};
use scene::product::Picture;

use crate::catalog::open_as;
use crate::opened::{Named, Opened};
use crate::session::{Workers, caught};
use crate::{CATALOG, ProductKind};

/// Extensions of images that are decoded although their formats belong to no game.
const COMMON_IMAGES: [&str; 5] = ["png", "jpg", "jpeg", "bmp", "tga"];

/// A game on disk or in memory. File names are resolved as the game resolves them: in any letter case, in its folders and in
/// its archives.
#[derive(Debug, Clone)]
pub struct Game {
    install: Arc<Install>,
    info: Option<&'static GameInfo>,
}

impl Game {
    /// Opens the game in a folder or in an archive of a game.
    ///
    /// # Errors
    /// Fails if the folder does not exist, or contains no game or several games.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_layers(&[folder.as_ref()])
    }

    /// Opens a game together with mods: a file hides files of the same name in later folders.
    ///
    /// # Errors
    /// Fails as [`open`](Self::open) does; one of the folders must have the layout of a game.
    pub fn open_layers(folders: &[impl AsRef<Path>]) -> Result<Self, Error> {
        let games = CATALOG.games();
        let roots = folders.iter().map(|folder| Root::at(folder.as_ref(), games));
        let roots: Vec<Root> = roots.collect::<Result<_, _>>()?;
        let Some(info) = roots.iter().find_map(|root| root.game) else { return Err(no_game(folders)) };
        Ok(Self { install: Arc::new(asset::game::install_of(&roots)?), info: Some(info) })
    }

    /// Creates a game from files in memory, by their paths from the root of the game, with `/` or `\\`.
    ///
    /// # Errors
    /// Fails if a path leads out of the root or occurs twice.
    pub fn from_files<N: AsRef<str>>(files: impl IntoIterator<Item = (N, Source)>) -> Result<Self, Error> {
        let layer = MemoryLayer::new("memory", files)?;
        Ok(Self::from(Arc::new(Install::new(vec![Arc::new(layer)]))))
    }

    /// Returns the description of the game, or `None` for files in memory that do not belong to a specific game.
    #[must_use]
    pub const fn info(&self) -> Option<&'static GameInfo> {
        self.info
    }

    /// Returns the install in which files are looked up.
    #[must_use]
    pub const fn install(&self) -> &Arc<Install> {
        &self.install
    }

    /// Iterates over the paths of all files, folder by folder, in name order.
    pub fn files(&self) -> impl Iterator<Item = String> {
        self.install.files().map(|place| place.path().as_str().to_owned())
    }

    /// Opens a file by its path from the root of the game. Letter case is ignored.
    ///
    /// # Errors
    /// Fails if the file does not exist, has no known format, or is malformed.
    pub fn file(&self, path: &str) -> Result<Opened, Error> {
        let Some(found) = self.install.find(path).found() else { return Err(self.no_file(path)) };
        self.open_at(found.location)
    }

    fn open_at(&self, place: Location) -> Result<Opened, Error> {
        let source = self.install.open(&place)?;
        let path = place.path().as_str();
        let format = CATALOG.recognize_in(&source, Some(path), self.info);
        let format = format.map_err(|error| error.in_file(path))?;
        self.open_as(format, source, place)
    }

    fn open_as(&self, format: &'static Format, source: Source, place: Location) -> Result<Opened, Error> {
        let (path, mut report) = (place.path().as_str(), Report::new());
        let asset = open_as(format, &source, &mut report).map_err(|error| error.in_file(path))?;
        let opened = Opened::new(CATALOG.games(), format, asset, source, report).with_path(path);
        Ok(opened.in_install(Arc::clone(&self.install), place))
    }

    fn no_file(&self, path: &str) -> Error {
        let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
        let siblings = self.install.folder(folder).files();
        let names = siblings.iter().map(|place| place.path().name());
        Error::usage(format!("no such file in the game{}", did_you_mean(name, names))).in_file(path)
    }

    /// Decodes every image of the game on all processors and calls `each` with it, under the path of its file: images of the
    /// game's own formats, and PNG, JPEG, BMP, TGA and DDS files. An image that cannot be decoded is passed as an error and
    /// does not stop the others. The order of the images is unspecified.
    pub fn par_images(&self, each: impl Fn(Result<Named<Picture>, Error>) + Sync) {
        let files: Vec<_> = self.install.files().collect();
        Workers::new(0).each(files.len(), |index| {
            if let Some(place) = files.get(index) {
                self.images_of(place, &each);
            }
        });
    }

    fn images_of(&self, place: &Location, each: &impl Fn(Result<Named<Picture>, Error>)) {
        let path = place.path().as_str();
        match caught(|| self.image_file(place)).and_then(|found| found) {
            Ok(ImageFile::Own(opened)) => each_image(&opened, path, each),
            Ok(ImageFile::Common(picture)) => each(Ok(Named::only(path, picture))),
            Ok(ImageFile::Other) => {}
            Err(error) => each(Err(error.in_file(path))),
        }
    }

    fn image_file(&self, place: &Location) -> Result<ImageFile, Error> {
        let path = place.path().as_str();
        let source = self.install.open(place)?;
        match CATALOG.detect_in(&source, Some(path), self.info)? {
            Some(found) if found.format.makes(ProductKind::Image) => {
                let opened = self.open_as(found.format, source, place.clone())?;
                Ok(ImageFile::Own(Box::new(opened)))
            }
            Some(_) => Ok(ImageFile::Other),
            None => Ok(common_image(path, &source)?.map_or(ImageFile::Other, ImageFile::Common)),
        }
    }
}

/// A file that may contain images.
enum ImageFile {
    /// File of a format with images.
    Own(Box<Opened>),
    /// Image of a common kind.
    Common(Picture),
    Other,
}

/// Decodes the images of a file one after another.
fn each_image(opened: &Opened, path: &str, each: &impl Fn(Result<Named<Picture>, Error>)) {
    let mut images = match opened.images() {
        Ok(images) => images,
        Err(error) => return each(Err(error)),
    };
    loop {
        match caught(|| images.next()) {
            Ok(Some(image)) => each(image),
            Ok(None) => return,
            // It is unknown whether the iterator would continue after a panic.
            Err(fault) => return each(Err(fault.in_file(path))),
        }
    }
}

/// Decodes an image of a common kind. Returns `None` if the extension is not one of an image.
fn common_image(path: &str, source: &Source) -> Result<Option<Picture>, Error> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    if !COMMON_IMAGES.iter().any(|known| known.eq_ignore_ascii_case(extension)) {
        return Ok(None);
    }
    decode(&source.read_all()?, &Limits::default()).map(|picture| Some(picture.into()))
}

fn no_game(folders: &[impl AsRef<Path>]) -> Error {
    let games: Vec<_> = CATALOG.games().iter().map(|game| game.name).collect();
    let message = format!("no game was recognized in this folder (known: {})", games.join(", "));
    let folder = folders.first().map(|folder| folder.as_ref().to_path_buf());
    Error::usage(message).in_file(folder.unwrap_or_else(|| PathBuf::from(".")))
}

impl From<Arc<Install>> for Game {
    /// Uses an install that the caller has assembled.
    fn from(install: Arc<Install>) -> Self {
        let info = CATALOG.games().iter().copied().find(|game| Some(game.id) == install.game());
        Self { install, info }
    }
}

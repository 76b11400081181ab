//! Lookup of a map's references in the game that contains it: models, images and its world.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use asset::{Context, Location};
use json::{Value, json};
use record::{Error, Result, Source};

use crate::model::rob::{Header, SEGMENT, SegmentHeader};
use redguard_files::picture::Renderer;
use redguard_files::picture::texbsi::Bank;
use redguard_files::settings::ini::world::{Registration, World, Worlds, find, find_palette, stem_of};
use redguard_files::sound::sfx;

/// The renderers in the search order of the game's files: Glide is the version that is sold.
const RENDERERS: [Renderer; 2] = [Renderer::Glide, Renderer::Software];

/// The maximum size of a model archive that is searched.
const MAX_ARCHIVE_SIZE: u64 = 1 << 30;

/// A model found in the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundModel {
    /// Path relative to the game's folder, or the archive and the model's name in it: `fxart/ISLAND.ROB:PALMTR01`.
    pub(crate) file: String,
    /// Header of the model in the archive.
    pub(crate) header: Option<SegmentHeader>,
    /// Whether the model is in the archive of another map, which the game does not load with this one.
    pub(crate) is_elsewhere: bool,
}

/// The models of an archive, by uppercase name.
struct Segments {
    names: BTreeMap<String, SegmentHeader>,
}

/// The settings of a map: those of its world, or, if WORLD.INI does not contain the map, files with the map's name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    /// The map's world in WORLD.INI.
    pub(crate) world: Option<World>,
    /// The numbers of the map's other worlds.
    pub(crate) alternatives: Vec<u32>,
    /// The palette set in WORLD.INI.
    pub(crate) palette: Option<String>,
    /// The palette file.
    pub(crate) palette_file: Option<Location>,
    /// The terrain file.
    pub(crate) terrain_file: Option<Location>,
}

impl Setting {
    /// Returns the index of the displayed world; `None` if WORLD.INI has no world for the map.
    pub(crate) fn world_shown(&self) -> Option<u32> {
        self.world.as_ref().map(|world| world.id)
    }
}

impl Segments {
    /// Reads the headers of the models.
    fn read(source: &Source) -> Result<Self> {
        let header: Header = record::read_whole(&source.read(0..20)?, ())?;
        let mut names = BTreeMap::new();
        let mut at = 20_u64;
        for _ in 0..header.num_segments {
            let end = at.saturating_add(u64::from(SEGMENT));
            if end > source.len() {
                break;
            }
            let segment: SegmentHeader = record::read_whole(&source.read(at..end)?, ())?;
            names.entry(segment.name.text().to_uppercase()).or_insert(segment);
            at = end.saturating_add(u64::from(segment.data_size));
        }
        Ok(Self { names })
    }
}

/// The size of each image of a bank in world units.
struct ImageSizes(BTreeMap<u16, [f64; 2]>);

/// The game that contains a map.
pub(crate) struct Surroundings<'a> {
    context: &'a Context<'a>,
    /// The name of the map on disk, without its extension.
    pub(crate) name: String,
    /// The name in uppercase.
    pub(crate) stem: String,
    worlds: Option<Arc<Worlds>>,
    models: RefCell<BTreeMap<String, Option<FoundModel>>>,
    archives: OnceLock<Vec<Location>>,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(context: &'a Context<'a>) -> Self {
        let name =
            context.location.as_ref().map(|location| location.path().name().to_owned()).unwrap_or_default();
        Self {
            context,
            name: stem_of(&name).to_owned(),
            stem: stem_of(&name).to_uppercase(),
            worlds: Worlds::of_game(context),
            models: RefCell::default(),
            archives: OnceLock::new(),
        }
    }

    /// Returns the registration of the map in WORLD.INI.
    pub(crate) fn registration(&self) -> Option<Registration> {
        self.worlds.as_ref()?.of_map(&self.stem)
    }

    /// Returns the first world of WORLD.INI for which the map is registered.
    pub(crate) fn first_world(&self) -> Option<&World> {
        self.worlds.as_ref()?.get(self.registration()?.world)
    }

    /// Whether a game was found.
    pub(super) fn has_game(&self) -> bool {
        self.context.install.game().is_some()
    }

    /// Returns the settings of the map. `requested` is the number of another one of its worlds; a map that WORLD.INI does not contain may
    /// be shown in any world.
    ///
    /// # Errors
    /// Returns an error if there is no such world, or if it belongs to another map.
    pub(crate) fn setting(&self, requested: Option<u32>) -> Result<Setting> {
        let registered = self.registration();
        let (chosen, alternatives) = match (&registered, requested) {
            (Some(it), None) => (Some(it.world), it.alternatives.clone()),
            (Some(it), Some(requested)) => {
                let all: Vec<u32> = it.worlds().collect();
                if !all.contains(&requested) {
                    let all: Vec<String> = all.iter().map(u32::to_string).collect();
                    let message = format!(
                        "the map does not belong to world {requested} (its worlds: {})",
                        all.join(", ")
                    );
                    return Err(Error::usage(message));
                }
                (Some(requested), all.into_iter().filter(|other| *other != requested).collect())
            }
            (None, requested) => (requested, Vec::new()),
        };
        let world = chosen.and_then(|id| self.worlds.as_ref()?.get(id)).cloned();
        if world.is_none()
            && let Some(requested) = requested
        {
            return Err(Error::usage(format!("WORLD.INI has no world {requested}")));
        }
        let location = |found: Option<asset::Found>| found.map(|found| found.location);
        let Some(world) = world else {
            let own = format!("{}.COL", self.stem);
            let palette =
                [own.as_str(), "ART_PAL.COL"].iter().find_map(|name| find_palette(self.context, name));
            return Ok(Setting {
                world: None,
                alternatives,
                palette: None,
                palette_file: location(palette),
                terrain_file: location(find(self.context, &format!("maps/{}.WLD", self.stem))),
            });
        };
        let palette = world.palette.clone();
        Ok(Setting {
            palette_file: location(palette.as_deref().and_then(|path| find_palette(self.context, path))),
            terrain_file: location(world.terrain.as_deref().and_then(|path| find(self.context, path))),
            world: Some(world),
            alternatives,
            palette,
        })
    }

    /// Returns the world of the map, with the field names that user scripts rely on.
    pub(crate) fn world(&self) -> Value {
        let Ok(setting) = self.setting(None) else { return Value::Null };
        let path = |location: Option<Location>| location.map(|location| location.path().to_string());
        let world = setting.world.as_ref();
        json!({
            "world": world.map(|world| world.id),
            "alternatives": setting.alternatives,
            "palette": setting.palette,
            "palette_on_disk": path(setting.palette_file),
            "terrain": path(setting.terrain_file),
            "track": world.and_then(World::track),
        })
    }

    /// Finds a model by its name (case-insensitive): in the archive with the name of the map, as a file, or in the archive of another map.
    pub(crate) fn model(&self, stem: &str) -> Option<FoundModel> {
        let stem = stem.to_uppercase();
        if stem.is_empty() || !self.has_game() {
            return None;
        }
        if let Some(cached) = self.models.borrow().get(&stem) {
            return cached.clone();
        }
        let found = self.find_model(&stem);
        self.models.borrow_mut().insert(stem, found.clone());
        found
    }

    fn find_model(&self, stem: &str) -> Option<FoundModel> {
        let own = self.own_archives().find_map(|location| self.in_archive(&location, stem));
        let unpacked = || Some(FoundModel { file: self.unpacked(stem)?, header: None, is_elsewhere: false });
        let others = || {
            let found = self.archives().iter().find_map(|location| self.in_archive(location, stem))?;
            Some(FoundModel { is_elsewhere: true, ..found })
        };
        own.or_else(unpacked).or_else(others)
    }

    /// Returns the archives with the name of the map.
    fn own_archives(&self) -> impl Iterator<Item = Location> + '_ {
        RENDERERS.iter().filter_map(|renderer| {
            let path = format!("{}/{}.ROB", renderer.folder(), self.stem);
            Some(self.context.install.find(&path).found()?.location)
        })
    }

    fn in_archive(&self, location: &Location, stem: &str) -> Option<FoundModel> {
        let segments = self.segments(location)?;
        let header = segments.names.get(stem)?;
        let file = match header.data_size {
            0 => self.unpacked(stem)?,
            _ => format!("{}:{stem}", location.path()),
        };
        Some(FoundModel { file, header: Some(*header), is_elsewhere: false })
    }

    /// Finds a model file with this name.
    fn unpacked(&self, stem: &str) -> Option<String> {
        let paths = RENDERERS.iter().flat_map(|renderer| {
            ["3D", "3DC"].map(|extension| format!("{}/{stem}.{extension}", renderer.folder()))
        });
        paths.into_iter().find_map(|path| Some(find(self.context, &path)?.location.path().to_string()))
    }

    fn segments(&self, location: &Location) -> Option<Arc<Segments>> {
        let install = self.context.install;
        let read = || {
            let source = install.open(location)?;
            if source.len() > MAX_ARCHIVE_SIZE {
                return Err(Error::limit("the archive is too large to be searched"));
            }
            let segments = Segments::read(&source)?;
            let size = segments.names.len().saturating_mul(128);
            Ok((segments, size))
        };
        install.decoded(location, "names of models", read).ok()
    }

    fn archives(&self) -> &[Location] {
        self.archives.get_or_init(|| {
            let files = RENDERERS.iter().flat_map(|it| self.context.install.folder(it.folder()).files());
            files.filter(|location| location.path().extension().eq_ignore_ascii_case("rob")).collect()
        })
    }

    /// Finds a model used for an object's animation, with its header in the archive of the map.
    pub(crate) fn animated_model(&self, path: &str) -> Option<FoundModel> {
        let file = self.model_file(path)?;
        let stem = stem_of(path).to_uppercase();
        let header =
            self.own_archives().find_map(|location| self.segments(&location)?.names.get(&stem).copied());
        Some(FoundModel { file, header, is_elsewhere: false })
    }

    /// Finds the file of a model used for an object's animation: at its path with either extension, or in the other renderer's folder.
    pub(crate) fn model_file(&self, path: &str) -> Option<String> {
        let path = path.replace('\\', "/");
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let stem = stem_of(name);
        let others = RENDERERS.map(Renderer::folder);
        let folders: BTreeSet<_> = std::iter::once(folder).chain(others).collect();
        let folders = std::iter::once(folder).chain(folders.into_iter().filter(|other| *other != folder));
        let names = [name.to_owned(), format!("{stem}.3DC"), format!("{stem}.3D")];
        let mut paths = folders.flat_map(|folder| names.iter().map(move |name| format!("{folder}/{name}")));
        paths.find_map(|path| {
            Some(find(self.context, path.trim_start_matches('/'))?.location.path().to_string())
        })
    }

    /// Returns the number of sound effects of the game; `None` if they cannot be read.
    pub(crate) fn sound_count(&self) -> Option<i32> {
        i32::try_from(sfx::count_of_game(self.context)?).ok()
    }

    /// Returns the size of a billboard's image in world units.
    pub(crate) fn image_size(&self, bank: u16, image: u16) -> Option<[f64; 2]> {
        let found = Renderer::Glide.find(self.context, &format!("TEXBSI.{bank:03}"))?;
        let install = self.context.install;
        let read = || {
            let bank = Bank::read(&install.open(&found.location)?.read_all()?)?;
            let size = |number: u16| {
                let (_, header) = bank.image(number)?.image.header()?;
                let scale = if header.tex_scale == 0 { 256 } else { header.tex_scale };
                let world = |pixels: i16| f64::from(pixels) * f64::from(scale) / 256.0;
                Some((number, [world(header.width), world(header.height)]))
            };
            let sizes: BTreeMap<_, _> = (0..128).filter_map(size).collect();
            let bytes = sizes.len().saturating_mul(32);
            Ok((ImageSizes(sizes), bytes))
        };
        let sizes = install.decoded(&found.location, "sizes of pictures", read).ok()?;
        sizes.0.get(&image).copied()
    }
}

//! What a map names in the game around it: models, pictures, its world.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use asset::{Context, Location};
use json::{Value, json};
use record::{Error, Result, Source};

use crate::model::rob::{Header, SEGMENT, SegmentHeader};
use redguard_files::picture::Renderer;
use redguard_files::picture::texbsi::Bank;
use redguard_files::settings::ini::world::{World, Worlds, find, find_palette, stem_of};
use redguard_files::sound::sfx::SoundBank;

/// The renderers in the order in which the game's files are searched: Glide is what is sold.
const RENDERERS: [Renderer; 2] = [Renderer::Glide, Renderer::Software];

/// Larger archives of models are not searched.
const LONGEST: u64 = 1 << 30;

/// A model that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundModel {
    /// Its file from the folder of the game on, or the archive and its name there: `fxart/ISLAND.ROB:PALMTR01`.
    pub(crate) file: String,
    /// What the archive says of it.
    pub(crate) header: Option<SegmentHeader>,
    /// Whether it is in the archive of another map, which the game does not load with this one.
    pub(crate) is_elsewhere: bool,
}

/// The models of an archive by their names in upper case.
struct Segments {
    names: BTreeMap<String, SegmentHeader>,
}

/// What belongs to a map: what its world says, or for a map that WORLD.INI does not name, files with the map's name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    /// Its world in WORLD.INI.
    pub(crate) world: Option<World>,
    /// The numbers of its other worlds.
    pub(crate) alternatives: Vec<u32>,
    /// The palette that WORLD.INI names.
    pub(crate) palette: Option<String>,
    /// The file of its palette.
    pub(crate) palette_file: Option<Location>,
    /// The file of its terrain.
    pub(crate) terrain_file: Option<Location>,
}

impl Setting {
    /// The index of the world shown; `None` where WORLD.INI gives the map no world.
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

/// The size of each picture of a bank in world units.
struct PictureSizes(BTreeMap<u16, [f64; 2]>);

/// The game around a map.
pub(crate) struct Surroundings<'a> {
    context: &'a Context<'a>,
    /// The name of the map as it is on disk, without its extension.
    pub(crate) name: String,
    /// The same in upper case.
    pub(crate) stem: String,
    worlds: Option<Arc<Worlds>>,
    models: RefCell<BTreeMap<String, Option<FoundModel>>>,
    archives: OnceLock<Vec<Location>>,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(context: &'a Context<'a>) -> Self {
        let name = context.location.as_ref().map(|place| place.path().name().to_owned()).unwrap_or_default();
        Self {
            context,
            name: stem_of(&name).to_owned(),
            stem: stem_of(&name).to_uppercase(),
            worlds: Worlds::of_game(context),
            models: RefCell::default(),
            archives: OnceLock::new(),
        }
    }

    /// The first world of WORLD.INI that the map is registered for.
    pub(crate) fn first_world(&self) -> Option<&World> {
        let worlds = self.worlds.as_ref()?;
        worlds.get(worlds.of_map(&self.stem)?.world)
    }

    /// Whether anything is known of a game.
    pub(super) fn is_known(&self) -> bool {
        self.context.install.game().is_some()
    }

    /// What belongs to the map. `wanted` is the number of another one of its worlds; a map that WORLD.INI does not name may be shown in any.
    ///
    /// # Errors
    /// When there is no such world, or it is that of another map.
    pub(crate) fn setting(&self, wanted: Option<u32>) -> Result<Setting> {
        let registered = self.worlds.as_ref().and_then(|worlds| worlds.of_map(&self.stem));
        let (chosen, alternatives) = match (&registered, wanted) {
            (Some(it), None) => (Some(it.world), it.alternatives.clone()),
            (Some(it), Some(wanted)) => {
                let all: Vec<u32> =
                    std::iter::once(it.world).chain(it.alternatives.iter().copied()).collect();
                if !all.contains(&wanted) {
                    let all: Vec<String> = all.iter().map(u32::to_string).collect();
                    let message =
                        format!("the map does not belong to world {wanted} (its worlds: {})", all.join(", "));
                    return Err(Error::usage(message));
                }
                (Some(wanted), all.into_iter().filter(|other| *other != wanted).collect())
            }
            (None, wanted) => (wanted, Vec::new()),
        };
        let world = chosen.and_then(|id| self.worlds.as_ref()?.get(id)).cloned();
        if world.is_none()
            && let Some(wanted) = wanted
        {
            return Err(Error::usage(format!("WORLD.INI has no world {wanted}")));
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

    /// The world of the map, in the words that scripts of users rely on.
    pub(super) fn world(&self) -> Value {
        let Ok(setting) = self.setting(None) else { return Value::Null };
        let path = |location: Option<Location>| location.map(|location| location.path().to_string());
        json!({
            "world": setting.world.map(|world| world.id),
            "alternatives": setting.alternatives,
            "palette": setting.palette,
            "palette_on_disk": path(setting.palette_file),
            "terrain": path(setting.terrain_file),
        })
    }

    /// A model by its name in any letter case: in the archive with the name of the map, as a file, else in the archive of another map.
    pub(crate) fn model(&self, stem: &str) -> Option<FoundModel> {
        let stem = stem.to_uppercase();
        if stem.is_empty() || !self.is_known() {
            return None;
        }
        if let Some(known) = self.models.borrow().get(&stem) {
            return known.clone();
        }
        let found = self.find_model(&stem);
        self.models.borrow_mut().insert(stem, found.clone());
        found
    }

    fn find_model(&self, stem: &str) -> Option<FoundModel> {
        let own = self.own_archives().find_map(|place| self.in_archive(&place, stem));
        let loose = || Some(FoundModel { file: self.loose(stem)?, header: None, is_elsewhere: false });
        let others = || {
            let found = self.archives().iter().find_map(|place| self.in_archive(place, stem))?;
            Some(FoundModel { is_elsewhere: true, ..found })
        };
        own.or_else(loose).or_else(others)
    }

    /// The archives with the name of the map.
    fn own_archives(&self) -> impl Iterator<Item = Location> + '_ {
        RENDERERS.iter().filter_map(|renderer| {
            let path = format!("{}/{}.ROB", renderer.folder(), self.stem);
            Some(self.context.install.find(&path).found()?.location)
        })
    }

    fn in_archive(&self, place: &Location, stem: &str) -> Option<FoundModel> {
        let segments = self.segments(place)?;
        let header = segments.names.get(stem)?;
        let file = match header.data_size {
            0 => self.loose(stem)?,
            _ => format!("{}:{stem}", place.path()),
        };
        Some(FoundModel { file, header: Some(*header), is_elsewhere: false })
    }

    /// A file with a model of this name.
    fn loose(&self, stem: &str) -> Option<String> {
        let paths = RENDERERS.iter().flat_map(|renderer| {
            ["3D", "3DC"].map(|extension| format!("{}/{stem}.{extension}", renderer.folder()))
        });
        paths.into_iter().find_map(|path| Some(find(self.context, &path)?.location.path().to_string()))
    }

    fn segments(&self, place: &Location) -> Option<Arc<Segments>> {
        let install = self.context.install;
        let read = || {
            let source = install.open(place)?;
            if source.len() > LONGEST {
                return Err(Error::limit("the archive is too large to be searched"));
            }
            let segments = Segments::read(&source)?;
            let size = segments.names.len().saturating_mul(128);
            Ok((segments, size))
        };
        install.decoded(place, "names of models", read).ok()
    }

    fn archives(&self) -> &[Location] {
        self.archives.get_or_init(|| {
            let files = RENDERERS.iter().flat_map(|it| self.context.install.folder(it.folder()).files());
            files.filter(|place| place.path().extension().eq_ignore_ascii_case("rob")).collect()
        })
    }

    /// A model that an object is animated with, with what the archive of the map says of it.
    pub(crate) fn animated_model(&self, path: &str) -> Option<FoundModel> {
        let file = self.model_file(path)?;
        let stem = stem_of(path).to_uppercase();
        let header = self.own_archives().find_map(|place| self.segments(&place)?.names.get(&stem).copied());
        Some(FoundModel { file, header, is_elsewhere: false })
    }

    /// The file of a model that an object is animated with: as its path says, with either extension, else in the other folder.
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

    /// How many sound effects the game has; `None` where they cannot be read.
    pub(super) fn sound_count(&self) -> Option<i32> {
        let found = find(self.context, "sound/MAIN.SFX")?;
        let install = self.context.install;
        let read = || Ok((SoundBank::read(&install.open(&found.location)?.read_all()?)?.effects.len(), 8));
        let count = install.decoded(&found.location, "number of effects", read).ok()?;
        i32::try_from(*count).ok()
    }

    /// The size of a picture that faces the camera, in world units.
    pub(crate) fn picture_size(&self, bank: u16, image: u16) -> Option<[f64; 2]> {
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
            Ok((PictureSizes(sizes), bytes))
        };
        let sizes = install.decoded(&found.location, "sizes of pictures", read).ok()?;
        sizes.0.get(&image).copied()
    }
}

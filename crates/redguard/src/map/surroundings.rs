//! What a map names in the game around it: models, pictures, its world.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use asset::{Context, Location};
use record::{Result, Source};
use serde_json::{Value, json};

use crate::model::rob::{Header, SEGMENT, SegmentHeader};
use crate::picture::Renderer;
use crate::picture::texbsi::Bank;
use crate::settings::ini::world::{World, Worlds, find, find_palette, stem_of};
use crate::sound::sfx::SoundBank;

/// The renderers in the order in which the game's files are searched: Glide is what is sold.
const RENDERERS: [Renderer; 2] = [Renderer::Glide, Renderer::Software];

/// Larger archives of models are not searched.
const LONGEST: u64 = 1 << 30;

/// A model that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundModel {
    /// Its file from the folder of the game on, or the archive and its name there: `fxart/ISLAND.ROB:PALMTR01`.
    pub(crate) file: String,
    /// Whether it is in the archive of another map, which the game does not load with this one.
    pub(super) is_elsewhere: bool,
}

/// The models of an archive by their names in upper case; whether each is in it, or a file of its own.
struct Segments {
    names: BTreeMap<String, bool>,
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
            names.entry(segment.name.text().to_uppercase()).or_insert(segment.data_size > 0);
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
    /// The name of the map, in upper case, without its extension.
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

    /// The world of the map: what WORLD.INI says, or for a map that it does not name, files with the map's name.
    pub(super) fn world(&self) -> Value {
        let registered = self.worlds.as_ref().and_then(|worlds| Some((worlds, worlds.of_map(&self.stem)?)));
        let path = |found: Option<asset::Found>| found.map(|found| found.location.path().to_string());
        match registered {
            Some((worlds, it)) => {
                let terrain = worlds.get(it.world).and_then(|world| world.terrain.as_deref());
                json!({
                    "world": it.world,
                    "alternatives": it.alternatives,
                    "palette": it.palette,
                    "palette_on_disk": path(it.palette.as_deref().and_then(|palette| find_palette(self.context, palette))),
                    "terrain": path(terrain.and_then(|terrain| find(self.context, terrain))),
                })
            }
            None => {
                let own = format!("{}.COL", self.stem);
                let palette =
                    [own.as_str(), "ART_PAL.COL"].iter().find_map(|name| find_palette(self.context, name));
                let terrain = find(self.context, &format!("maps/{}.WLD", self.stem));
                json!({
                    "world": null,
                    "alternatives": [],
                    "palette": null,
                    "palette_on_disk": path(palette),
                    "terrain": path(terrain),
                })
            }
        }
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
        let own = RENDERERS.iter().find_map(|renderer| {
            let path = format!("{}/{}.ROB", renderer.folder(), self.stem);
            let place = self.context.install.find(&path).found()?.location;
            self.in_archive(&place, stem)
        });
        let loose = || self.loose(stem);
        let others = || self.archives().iter().find_map(|place| self.in_archive(place, stem));
        let here = own.or_else(loose).map(|file| FoundModel { file, is_elsewhere: false });
        here.or_else(|| Some(FoundModel { file: others()?, is_elsewhere: true }))
    }

    fn in_archive(&self, place: &Location, stem: &str) -> Option<String> {
        let segments = self.segments(place)?;
        match segments.names.get(stem)? {
            true => Some(format!("{}:{stem}", place.path())),
            false => self.loose(stem),
        }
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
                return Err(record::Error::limit("the archive is too large to be searched"));
            }
            let segments = Segments::read(&source)?;
            let size = segments.names.len().saturating_mul(64);
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

    /// The file of a model that an object is animated with: as its path says, with either extension, else in the other folder.
    pub(super) fn model_file(&self, path: &str) -> Option<String> {
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
    pub(super) fn picture_size(&self, bank: u16, image: u16) -> Option<[f64; 2]> {
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

//! Compares an install with the shipped game, by the total number of files and of items in them.
//!
//! Sources: the tests of bethesda-multitool on a retail install; redguard-preservation.

use std::collections::BTreeMap;

use asset::game::SHIPPED;
use asset::wildcard::matches_glob;
use asset::{Context, Counts, Detail, Format, Install, Location, Options, Report, thousands};

use crate::map::Map;
use crate::settings::def::GameNames;
use crate::{model, picture, settings, sound, world};

/// Minimum number of maps of a complete install. The shipped game has 27.
const MIN_MAPS: usize = 20;

/// Name of the count of files, in addition to the counts that formats report.
const COUNT: &str = "files";

/// Totals of a group of files of the shipped game.
struct Files {
    folder: &'static str,
    /// A name, or a pattern of names.
    pattern: &'static str,
    format: &'static Format,
    /// Counts reported by the format, and [`COUNT`].
    totals: &'static [(&'static str, u64)],
}

impl Files {
    const fn new(
        folder: &'static str,
        pattern: &'static str,
        format: &'static Format,
        totals: &'static [(&'static str, u64)],
    ) -> Self {
        Self { folder, pattern, format, totals }
    }
}

static SHIPPED_FILES: &[Files] = &[
    Files::new("fxart", "*.rob", &model::rob::FORMAT, &[(COUNT, 31), ("segments", 4761)]),
    Files::new("fxart", "*.3dc", &world::model::FORMAT, &[(COUNT, 204)]),
    Files::new("fxart", "*.3d", &world::model::FORMAT, &[(COUNT, 65)]),
    Files::new("fxart", "*.col", &picture::palette::FORMAT, &[(COUNT, 28)]),
    Files::new(
        "fxart",
        "texbsi.*",
        &picture::texbsi::FORMAT,
        &[(COUNT, 415), ("images", 5602), ("animated images", 55)],
    ),
    Files::new("3dart", "*.rob", &model::rob::FORMAT, &[(COUNT, 41), ("segments", 5870)]),
    Files::new("3dart", "*.3dc", &world::model::FORMAT, &[(COUNT, 147)]),
    Files::new("3dart", "*.3d", &world::model::FORMAT, &[(COUNT, 52)]),
    Files::new("3dart", "*.col", &picture::palette::FORMAT, &[(COUNT, 18)]),
    Files::new("3dart", "texture.*", &picture::texture::FORMAT, &[(COUNT, 418)]),
    Files::new("sound", "main.sfx", &sound::sfx::FORMAT, &[("effects", 118)]),
    Files::new("", "english.rtx", &sound::rtx::FORMAT, &[("lines", 4866), ("voiced lines", 3933)]),
    Files::new("", "world.ini", &settings::ini::FORMAT, &[("worlds", 29)]),
    Files::new("", "item.ini", &settings::ini::FORMAT, &[("items", 87)]),
    Files::new(
        "",
        "combat.ini",
        &settings::ini::FORMAT,
        &[("attacks", 89), ("defenses", 5), ("taunts", 379)],
    ),
    Files::new(
        "soup386",
        "soup386.def",
        &settings::def::FORMAT,
        &[("functions", 366), ("attributes", 127), ("animation groups", 169), ("flags", 369)],
    ),
    Files::new("maps", "*.rgm", &world::FORMAT, MAPS),
];

/// Totals of the maps.
const MAPS: &[(&str, u64)] = &[
    (COUNT, 27),
    ("objects", 1664),
    ("placements", 3147),
    ("statics", 4161),
    ("ropes", 29),
    ("flats", 956),
    ("lights", 1925),
    ("markers", 215),
    ("walk maps", 108),
    ("nodes of walk maps", 4323),
    ("routes between nodes", 93_780),
    ("models of objects", 1107),
    ("collision spheres", 8),
    ("hooks", 122),
    ("arguments of hooks", 82),
    ("hooks that call PlayerMain", 54),
    ("hooks that call Wander", 40),
    ("hooks that call cameraController", 27),
    ("hooks that call AtNodeMarker", 1),
    ("ShowFrame commands", 93_750),
    ("EndAnimation commands", 8513),
    ("GoToPrevious commands", 3258),
    ("GoToFuture commands", 7121),
    ("PlaySound commands", 6913),
    ("BreakPoint commands", 13_167),
    ("ActorEvent commands", 164),
    ("Transition commands", 461),
];

/// Reports the differences of a complete install from the shipped game. Incomplete installs are not compared.
pub(super) fn check(install: &Install, report: &mut Report) {
    let mut folders: BTreeMap<&str, Vec<Location>> = BTreeMap::new();
    for files in SHIPPED_FILES {
        folders.entry(files.folder).or_insert_with(|| install.folder(files.folder).files());
    }
    let named = |folder: &str, pattern: &str| -> Vec<&Location> {
        let files = folders.get(folder).into_iter().flatten();
        files.filter(|file| matches_glob(pattern, file.path().name())).collect()
    };
    if named("maps", "*.rgm").len() < MIN_MAPS {
        return;
    }
    let options = Options::default();
    let names = GameNames::of_game(&Context { install, location: None, options: &options });
    for files in SHIPPED_FILES {
        // Some editions lack the files of the other renderer.
        if folders.get(files.folder).is_none_or(Vec::is_empty) {
            continue;
        }
        let found = named(files.folder, files.pattern);
        let mut counts = Counts::new().with(COUNT, found.len());
        if files.totals.iter().any(|(what, _)| *what != COUNT) {
            for file in found {
                add(install, file, files.format, &names, &mut counts);
            }
        }
        for (what, shipped) in files.totals {
            let found = counts.get(what);
            if found != *shipped {
                let name = [files.folder, files.pattern].join("/").to_uppercase();
                let name = name.trim_start_matches('/');
                let (found, shipped) = (thousands(found), thousands(*shipped));
                report.warn(&SHIPPED, format!("{name}: {what}: {found} (shipped game: {shipped})"));
            }
        }
    }
}

/// Adds the counts of a file. A file that cannot be read is skipped; it has a separate error.
fn add(install: &Install, file: &Location, format: &Format, names: &GameNames, counts: &mut Counts) {
    let asset = install.open(file).and_then(|source| (format.open)(&source, &mut Report::new()));
    let Ok(asset) = asset else { return };
    counts.add_all(&asset.describe(Detail::Brief).counts);
    if let Some(map) = asset.typed::<Map>() {
        add_object_counts(map, names, counts);
    }
}

/// Adds the counts of the sections of a map's objects, which its description does not contain.
fn add_object_counts(map: &Map, names: &GameNames, counts: &mut Counts) {
    let mut add = |what: String, count: usize| counts.add(what, u64::try_from(count).unwrap_or(u64::MAX));
    for node in map.walk_maps().iter().flat_map(|map| &map.nodes) {
        add("nodes of walk maps".to_owned(), 1);
        add("routes between nodes".to_owned(), node.routes.len());
    }
    let sections = map.object_sections();
    for object in map.objects() {
        add("models of objects".to_owned(), sections.models(object).map_or(0, |models| models.len()));
        add("collision spheres".to_owned(), sections.spheres(object).map_or(0, <[_]>::len));
        if let Some(Some(hook)) = sections.hook(object) {
            add("hooks".to_owned(), 1);
            add("arguments of hooks".to_owned(), hook.arguments.len());
            if let Some(function) = names.names.function(hook.function) {
                add(format!("hooks that call {}", function.name), 1);
            }
        }
        for group in sections.animation_groups(object).unwrap_or_default() {
            for command in &group.commands {
                add(format!("{} commands", command.name()), 1);
            }
        }
    }
}

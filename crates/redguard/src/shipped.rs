//! What the maps of the shipped game have in all, so that one sees where an install differs.
//!
//! Sources: the tests of bethesda-multitool on a retail install; redguard-preservation.

use std::collections::BTreeMap;

use asset::{Context, Install, Options, Report};

use crate::map::{Map, SHIPPED};
use crate::settings::def::GameNames;
use crate::settings::shipped::{difference, maps};

/// What is counted in the maps of the shipped game.
const MAPS: &[(&str, u64)] = &[
    ("maps", 27),
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

/// Where the maps of a whole game differ from those of the shipped one.
pub(super) fn check(install: &Install, report: &mut Report) {
    let files = maps(install);
    if files.is_empty() {
        return;
    }
    let options = Options::default();
    let names = GameNames::of_game(&Context { install, location: None, options: &options });
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    let mut add = |what: &str, count: usize| {
        let sum = found.entry(what.to_owned()).or_default();
        *sum = sum.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    };
    add("maps", files.len());
    for file in &files {
        // A map that cannot be read is an error of its own.
        let source = install.open(file).ok();
        let map = source.and_then(|source| Map::read(&source.read_all().ok()?).ok());
        if let Some(map) = map {
            count(&map, &names, &mut add);
        }
    }
    let of = |what: &str| found.get(what).copied().unwrap_or_default();
    for (what, shipped) in MAPS {
        if let Some(difference) = difference(what, of(what), *shipped) {
            report.warn(&SHIPPED, difference);
        }
    }
}

fn count(map: &Map, names: &GameNames, add: &mut dyn FnMut(&str, usize)) {
    add("objects", map.objects().len());
    add("placements", map.placements().len());
    add("statics", map.statics().len());
    add("ropes", map.ropes().len());
    add("flats", map.flats().len());
    add("lights", map.lights().len());
    add("markers", map.markers().len());
    add("walk maps", map.walk_maps().len());
    for node in map.walk_maps().iter().flat_map(|map| &map.nodes) {
        add("nodes of walk maps", 1);
        add("routes between nodes", node.routes.len());
    }
    let parts = map.object_sections();
    for object in map.objects() {
        add("models of objects", parts.models(object).map_or(0, |models| models.len()));
        add("collision spheres", parts.spheres(object).map_or(0, <[_]>::len));
        if let Some(Some(hook)) = parts.hook(object) {
            add("hooks", 1);
            add("arguments of hooks", hook.arguments.len());
            if let Some(function) = names.names.function(hook.function) {
                add(&format!("hooks that call {}", function.name), 1);
            }
        }
        for group in parts.animation_groups(object).unwrap_or_default() {
            for command in &group.commands {
                add(&format!("{} commands", command.name()), 1);
            }
        }
    }
}

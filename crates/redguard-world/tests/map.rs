//! The maps of the forged install.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

use std::path::Path;

use antiquary_redguard_world::map::{Map, Section};
use asset::FixedText;
use json::{Value, json};

/// The sections whose bytes are those of objects, and read with them.
const PARTS: [&[u8; 4]; 7] = [b"RAFS", b"RAST", b"RASC", b"RAHK", b"RAAN", b"RAGR", b"RANM"];

fn read(path: &Path) -> Map {
    let bytes = std::fs::read(path).unwrap();
    let map = Map::read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(map.write().unwrap(), bytes, "{}", path.display());
    map
}

/// The values of a map under the names that an independent reader gave them.
fn told(map: &Map) -> Value {
    let mut out = json!({});
    let list = |items: Vec<Value>| Value::from(items);
    for section in &map.sections {
        let (name, rows) = match section {
            Section::Placements(it) => {
                let row = |it: &antiquary_redguard_world::map::Placement| {
                    json!({ "id": it.id, "kind": it.kind, "active": it.is_active, "script_name": it.object, "model_name": it.model,
                        "has_mesh": it.has_mesh != 0, "pos": it.position, "angles": it.angles, "texture_id": it.texture >> 7, "image_id": it.texture & 127,
                        "intensity": it.intensity, "radius": it.radius, "mesh_slot": it.mesh_slot, "world_index": it.world, "rgb": it.color })
                };
                ("mpob", list(it.records.iter().map(row).collect()))
            }
            Section::Statics(it) => {
                let row = |it: &antiquary_redguard_world::map::Static| json!({ "id": it.id, "model_name": it.model, "pos": it.position, "m": it.matrix });
                ("mpso", list(it.records.iter().map(row).collect()))
            }
            Section::Ropes(it) => {
                let row = |it: &antiquary_redguard_world::map::Rope| {
                    json!({ "id": it.id, "pos": it.position, "angle_y": it.angle, "type": it.kind, "swing": it.swing, "speed": it.speed, "length": it.links,
                        "rope_model": it.link_model, "static_model": it.end_model, "swing_sounds": it.sounds })
                };
                ("mprp", list(it.records.iter().map(row).collect()))
            }
            Section::Flats(it) => {
                let row = |it: &antiquary_redguard_world::map::Flat| {
                    json!({ "id": it.id, "field_04": it.unknown_04, "pos": it.position, "texture_id": it.texture >> 7, "image_id": it.texture & 127,
                        "field_16": it.unknown_16 })
                };
                ("mpsf", list(it.records.iter().map(row).collect()))
            }
            Section::Lights(it) => {
                let row = |it: &antiquary_redguard_world::map::Light| {
                    // The reader took the radius without its sign.
                    json!({ "id": it.id, "world_index": it.world, "pos": it.position, "radius": it.radius.cast_unsigned(), "value": it.unknown_16, "rgb": it.color })
                };
                ("mpsl", list(it.records.iter().map(row).collect()))
            }
            Section::Markers(it) => {
                let row = |it: &antiquary_redguard_world::map::Marker| json!({ "pos": it.position, "flag": it.flag });
                ("mpmk", list(it.records.iter().map(row).collect()))
            }
            Section::Sizes(it) => {
                let row = |it: &antiquary_redguard_world::map::Size| json!({ "byte": it.unknown_00, "extent": it.extent, "centre": it.centre, "plus_half": it.positive, "minus_half": it.negative });
                ("mpsz", list(it.records.iter().map(row).collect()))
            }
            Section::WalkMaps(it) => {
                let node = |it: &antiquary_redguard_world::map::WalkNode| {
                    let routes: Vec<_> = it.routes.iter().map(|route| [route.target, route.cost]).collect();
                    json!({ "pos": it.position, "byte": it.unknown_0a, "routes": routes })
                };
                let row = |it: &antiquary_redguard_world::map::WalkMap| {
                    json!({ "body_length": it.body_length(), "node_count": it.nodes.len(), "pos": it.position, "radius": it.radius,
                        "nodes": it.nodes.iter().map(node).collect::<Vec<_>>() })
                };
                ("wdnm", list(it.records.iter().map(row).collect()))
            }
            Section::DrawModes(it) => {
                let row = |it: &antiquary_redguard_world::map::DrawMode| json!({ "texture_id": it.texture_set, "image_id": it.image, "flags": it.flags, "alpha_byte": it.alpha });
                ("flat", list(it.records.iter().map(row).collect()))
            }
            Section::Objects(it) => {
                let row = |it: &antiquary_redguard_world::map::Object| {
                    json!({ "name": it.name, "rahd": { "instances": it.instances, "ranm_length": it.alias_length, "ranm_offset": it.alias_offset,
                        "raan_count": it.model_count, "rasc_length": it.script_length, "rasc_offset": it.script_offset, "thread_start": it.script_start,
                        "rava_count": it.variable_count, "rava_offset_dup": it.variables_offset_again, "frame_count": it.frame_count,
                        "mpsz_dead": it.size_when_dead, "is_actor": it.is_actor, "texture_id": it.texture_set, "ravc_offset": it.spheres_offset,
                        "ravc_count": it.sphere_count } })
                };
                ("actors", list(it.records.iter().map(row).collect()))
            }
            _ => continue,
        };
        out[name] = rows;
    }
    out
}

/// Compares what both tell. `what` says where.
fn compare(want: &Value, found: &Value, what: &str) -> usize {
    match (want, found) {
        (Value::Array(wanted), Value::Array(all)) => {
            assert_eq!(wanted.len(), all.len(), "{what}");
            let each = wanted.iter().zip(all).enumerate();
            each.map(|(at, (want, found))| compare(want, found, &format!("{what}[{at}]"))).sum()
        }
        (Value::Object(wanted), Value::Object(all)) => {
            let both = wanted.iter().filter_map(|(name, want)| Some((name, want, all.get(name)?)));
            both.map(|(name, want, found)| compare(want, found, &format!("{what}.{name}"))).sum()
        }
        _ => {
            assert_eq!(want, found, "{what}");
            1
        }
    }
}

#[test]
fn every_map_has_the_values_that_an_independent_reader_saw_and_comes_back() {
    let Some(install) = corpus::folder("redguard") else { return };
    let maps = corpus::files(&install.join("maps"), "rgm", 27);
    let mut compared = 0;
    for path in maps {
        let map = read(&path);
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let want = std::fs::read(install.join(format!("expected/rgm_{stem}.json"))).unwrap();
        let want: Value = json::from_slice(&want).unwrap();
        compared += compare(&want, &told(&map), &stem);
        for section in &map.sections {
            let Section::Other { tag, .. } = section else { continue };
            assert!(PARTS.iter().any(|part| tag == &FixedText(**part)), "{stem}: {tag:?} is not typed");
        }
        assert!(map.end && map.rest.is_empty(), "{stem}");
    }
    assert!(compared > 10_000, "only {compared} values");
}

#[test]
fn unusual_maps_come_back() {
    let Some(install) = corpus::folder("redguard") else { return };
    for path in corpus::files(&install.join("variants"), "rgm", 8) {
        let map = read(&path);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(map.rest.len(), if name == "TAVERN_END8.RGM" { 4 } else { 0 }, "{name}");
    }
}

#[test]
fn malformed_maps_are_refused_where_they_are_damaged_or_come_back() {
    let Some(install) = corpus::folder("redguard") else { return };
    let (mut refused, mut kept) = (0, 0);
    for path in corpus::files(&install.join("broken/rgm"), "rgm", 20) {
        let bytes = std::fs::read(&path).unwrap();
        match Map::read(&bytes) {
            Ok(map) => {
                assert_eq!(map.write().unwrap(), bytes, "{}", path.display());
                kept += 1;
            }
            Err(error) => {
                assert!(error.offset().is_some(), "{}: {error}", path.display());
                refused += 1;
            }
        }
    }
    assert!(refused > 0 && kept > 0, "{refused} refused, {kept} kept");
}

/// What an object consists of, under the names that an independent reader gave it.
fn told_of(map: &Map, object: &antiquary_redguard_world::map::Object) -> Value {
    let sections = map.object_sections();
    let group = |it: &antiquary_redguard_world::map::AnimationGroup| {
        let command = |it: &antiquary_redguard_world::map::AnimationCommand| {
            [vec![i32::from(it.opcode())], it.parameters()].concat()
        };
        json!({ "group_index": it.number, "anim_id": it.animation, "anim_type": it.kind & 255, "frame_count": it.commands.len(),
            "commands": it.commands.iter().map(command).collect::<Vec<_>>() })
    };
    let model = |it: &antiquary_redguard_world::map::ModelEntry| json!({ "face_count": it.face_count, "frame_count": it.frame_count, "model_type": char::from(it.kind.to_ascii_lowercase()).to_string(), "file_path": it.path });
    let attributes =
        sections.attributes(object).unwrap().iter().enumerate().filter(|(_, value)| **value != 0);
    let attributes: json::Map<String, Value> =
        attributes.map(|(at, value)| (at.to_string(), (*value).into())).collect();
    let hook = sections.hook(object).unwrap();
    let hook = hook.map(|it| {
        json!({ "function": it.function, "arguments": it.arguments.iter().map(|(_, value)| value).collect::<Vec<_>>() })
    });
    let spheres = sections.spheres(object).unwrap().iter();
    let spheres: Vec<_> = spheres
        .map(|it| {
            let [x, y, z] = it.offset.map(i64::from);
            [x, y, z, i64::from(it.vertex), i64::from(it.radius)]
        })
        .collect();
    let extra = sections.extra(object).unwrap().map(|it| {
        json!({ "grip0": it.grip0, "grip1": it.grip1, "scabbard0": it.scabbard0, "scabbard1": it.scabbard1, "anim_frame_ref": it.frame_count,
            "texture_id": it.texture_set, "v_vertex": it.contact_vertex, "v_size": it.contact_radius, "taunt_id": it.taunt,
            "field_12": it.sphere_scale, "field_14": it.stat, "field_16": it.unknown_16, "range_min": it.range_min,
            "range_ideal": it.range_ideal, "range_max": it.range_max })
    });
    json!({
        "ranm": sections.alias(object).unwrap(), "strings": sections.texts(object).unwrap(), "raex": extra, "native_hook": hook,
        "locations": sections.locations(object).unwrap(), "attributes": attributes, "vcollide": spheres,
        "raan": sections.models(object).unwrap().iter().map(model).collect::<Vec<_>>(),
        "animation_groups": sections.animation_groups(object).unwrap().iter().map(group).collect::<Vec<_>>(),
    })
}

#[test]
fn every_object_has_the_parts_that_an_independent_reader_saw() {
    let Some(install) = corpus::folder("redguard") else { return };
    let (mut compared, mut scripts) = (0, 0);
    for path in corpus::files(&install.join("maps"), "rgm", 27) {
        let map = read(&path);
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let want = std::fs::read(install.join(format!("expected/rgm_{stem}.json"))).unwrap();
        let want: Value = json::from_slice(&want).unwrap();
        let wanted = want["actors"].as_array().unwrap();
        assert_eq!(wanted.len(), map.objects().len(), "{stem}");
        let sections = map.object_sections();
        for (object, want) in map.objects().iter().zip(wanted) {
            let what = format!("{stem} {}", object.name.text());
            compared += compare(want, &told_of(&map, object), &what);
            let blocks = sections.variables(object).unwrap();
            assert_eq!(blocks.len(), usize::try_from(object.instances).unwrap(), "{what}");
            for block in blocks {
                compared += want.get("variables").map_or(0, |want| compare(want, &json!(block), &what));
            }
            let script = sections.script(object).unwrap();
            scripts += usize::from(!script.is_empty());
        }
    }
    assert!(compared > 5000 && scripts > 100, "only {compared} values, {scripts} scripts");
}

#[test]
fn whole_maps_come_back_and_have_all_parts_in_their_objects() {
    let Some(install) = corpus::folder("redguard") else { return };
    for folder in ["maps", "variants", "broken/rgm"] {
        for path in corpus::files(&install.join(folder), "rgm", 8) {
            let Ok(map) = Map::read(&std::fs::read(&path).unwrap()) else { continue };
            let whole = map.whole();
            if folder == "maps" {
                for section in &whole.sections {
                    let kept = matches!(section, antiquary_redguard_world::map::whole::WholeSection::Other { tag, .. } if *tag != FixedText(*b"RAFS"));
                    assert!(!kept, "{}", path.display());
                }
                let json = serde_json::to_string(&whole).unwrap();
                assert!(!json.contains("_offset\""), "{}", path.display());
            }
            assert_eq!(whole.spread().unwrap(), map, "{}", path.display());
        }
    }
}

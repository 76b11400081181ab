//! Tests with the maps of the synthetic install.

use std::path::Path;

use antiquary_redguard_world::map::{Map, Section};
use asset::FixedText;
use json::{Value, json};

/// Sections whose bytes belong to objects and are read together with them.
const OBJECT_SECTIONS: [&[u8; 4]; 7] = [b"RAFS", b"RAST", b"RASC", b"RAHK", b"RAAN", b"RAGR", b"RANM"];

fn read(path: &Path) -> Map {
    let bytes = std::fs::read(path).unwrap();
    let map = Map::read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(map.write().unwrap(), bytes, "{}", path.display());
    map
}

/// Values of a map, with the names used by an independent reader.
fn map_values(map: &Map) -> Value {
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
                    // The independent reader reads the radius as unsigned.
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

/// Compares the values of both readers. `what` is the path of the values.
fn compare(expected: &Value, found: &Value, what: &str) -> usize {
    match (expected, found) {
        (Value::Array(expected_items), Value::Array(all)) => {
            assert_eq!(expected_items.len(), all.len(), "{what}");
            let each = expected_items.iter().zip(all).enumerate();
            each.map(|(at, (expected, found))| compare(expected, found, &format!("{what}[{at}]"))).sum()
        }
        (Value::Object(expected_items), Value::Object(all)) => {
            let both =
                expected_items.iter().filter_map(|(name, expected)| Some((name, expected, all.get(name)?)));
            both.map(|(name, expected, found)| compare(expected, found, &format!("{what}.{name}"))).sum()
        }
        _ => {
            assert_eq!(expected, found, "{what}");
            1
        }
    }
}

#[test]
fn matches_an_independent_reader_and_round_trips_every_map() {
    let Some(install) = corpus::folder("redguard") else { return };
    let maps = corpus::files(&install.join("maps"), "rgm", 27);
    let mut compared = 0;
    for path in maps {
        let map = read(&path);
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let expected = std::fs::read(install.join(format!("expected/rgm_{stem}.json"))).unwrap();
        let expected: Value = json::from_slice(&expected).unwrap();
        compared += compare(&expected, &map_values(&map), &stem);
        for section in &map.sections {
            let Section::Other { tag, .. } = section else { continue };
            assert!(
                OBJECT_SECTIONS.iter().any(|part| tag == &FixedText(**part)),
                "{stem}: {tag:?} is not typed"
            );
        }
        assert!(map.end && map.rest.is_empty(), "{stem}");
    }
    assert!(compared > 10_000, "only {compared} values");
}

#[test]
fn round_trips_unusual_maps() {
    let Some(install) = corpus::folder("redguard") else { return };
    for path in corpus::files(&install.join("variants"), "rgm", 8) {
        let map = read(&path);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(map.rest.len(), if name == "TAVERN_END8.RGM" { 4 } else { 0 }, "{name}");
    }
}

#[test]
fn refuses_or_round_trips_malformed_maps() {
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

/// Sections of an object, with the names used by an independent reader.
fn object_values(map: &Map, object: &antiquary_redguard_world::map::Object) -> Value {
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
fn matches_an_independent_reader_on_every_object() {
    let Some(install) = corpus::folder("redguard") else { return };
    let (mut compared, mut scripts) = (0, 0);
    for path in corpus::files(&install.join("maps"), "rgm", 27) {
        let map = read(&path);
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let expected = std::fs::read(install.join(format!("expected/rgm_{stem}.json"))).unwrap();
        let expected: Value = json::from_slice(&expected).unwrap();
        let expected_items = expected["actors"].as_array().unwrap();
        assert_eq!(expected_items.len(), map.objects().len(), "{stem}");
        let sections = map.object_sections();
        for (object, expected) in map.objects().iter().zip(expected_items) {
            let what = format!("{stem} {}", object.name.text());
            compared += compare(expected, &object_values(&map, object), &what);
            let blocks = sections.variables(object).unwrap();
            assert_eq!(blocks.len(), usize::try_from(object.instances).unwrap(), "{what}");
            for block in blocks {
                compared +=
                    expected.get("variables").map_or(0, |expected| compare(expected, &json!(block), &what));
            }
            let script = sections.script(object).unwrap();
            scripts += usize::from(!script.is_empty());
        }
    }
    assert!(compared > 5000 && scripts > 100, "only {compared} values, {scripts} scripts");
}

#[test]
fn round_trips_assembled_maps() {
    let Some(install) = corpus::folder("redguard") else { return };
    for folder in ["maps", "variants", "broken/rgm"] {
        for path in corpus::files(&install.join(folder), "rgm", 8) {
            let Ok(map) = Map::read(&std::fs::read(&path).unwrap()) else { continue };
            let whole = map.assemble();
            if folder == "maps" {
                for section in &whole.sections {
                    let kept = matches!(section, antiquary_redguard_world::map::assembled::AssembledSection::Other { tag, .. } if *tag != FixedText(*b"RAFS"));
                    assert!(!kept, "{}", path.display());
                }
                let json = serde_json::to_string(&whole).unwrap();
                assert!(!json.contains("_offset\""), "{}", path.display());
            }
            assert_eq!(whole.split().unwrap(), map, "{}", path.display());
        }
    }
}

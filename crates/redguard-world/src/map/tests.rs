//! Reading and writing of small maps.

use asset::{Asset as _, FixedText, Parts, Report};
use proof::assert_round_trip;
use record::{Bytes, Source};

use super::assembled::{AssembledCommand, AssembledSection};
use super::*;
use crate::world::FORMAT;

/// Returns a section in the form of the file.
fn section(tag: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap();
    [&tag[..], &length.to_be_bytes(), body].concat()
}

fn map(sections: Vec<Section>) -> Map {
    Map { sections, end: true, rest: Bytes::default() }
}

#[test]
fn keeps_the_order_of_sections_and_unknown_sections() {
    let other =
        |tag: &[u8; 4], data: &[u8]| Section::Other { tag: FixedText(*tag), data: data.to_vec().into() };
    let spheres = Spheres { records: vec![Sphere { offset: [-1, 0, 2], vertex: 513, radius: 7 }] };
    let expected =
        map(vec![other(b"RAFS", &[0]), Section::Spheres(spheres), other(b"HUH?", b"x"), other(b"RAFS", &[])]);
    let bytes = [
        section(b"RAFS", &[0]),
        section(b"RAVC", &[255, 0, 2, 1, 2, 7, 0, 0, 0]),
        section(b"HUH?", b"x"),
        section(b"RAFS", &[]),
        b"END ".to_vec(),
    ]
    .concat();
    assert_round_trip(&expected, &bytes);
    let longer = Map { rest: [0; 4].to_vec().into(), ..expected };
    assert_round_trip(&longer, &[&bytes[..], &[0; 4]].concat());
}

#[test]
fn marker_positions_precede_their_flags() {
    let marker = |position, flag| Marker { position, flag };
    let markers = Markers { records: vec![marker([1, -2, 3], 1), marker([4, 5, 6], 0)] };
    let numbers = [2_i32, 1, -2, 3, 4, 5, 6].map(i32::to_le_bytes).concat();
    let bytes = [section(b"MPMK", &[&numbers[..], &[1, 0]].concat()), b"END ".to_vec()].concat();
    assert_round_trip(&map(vec![Section::Markers(markers)]), &bytes);
}

#[test]
fn walk_maps_have_nodes_with_routes() {
    let routes = vec![Route { target: 1, cost: 300 }];
    let node = WalkNode { number: None, length: None, position: [40_000, -5, 1], unknown_0a: 9, routes };
    let walk = WalkMap { length: None, node_count: None, position: [1, 2, 3], radius: 4, nodes: vec![node] };
    let head = [1_u32, 40, 1, 1, 1, 2, 3, 4, 12].map(u32::to_le_bytes).concat();
    let node = [0x40, 0x9c, 0xfb, 0xff, 1, 0, 9, 1, 1, 0, 44, 1];
    let bytes = [section(b"WDNM", &[&head[..], &node].concat()), b"END ".to_vec()].concat();
    assert_round_trip(&map(vec![Section::WalkMaps(WalkMaps { records: vec![walk] })]), &bytes);
}

#[test]
fn keeps_sections_that_do_not_fit_their_layout_as_bytes() {
    // Two placements are counted, but none follows; a size is truncated; a walk map has four billion nodes; a mode has no bank.
    let walk = [1_u32, 0, u32::MAX, u32::MAX, 0, 0, 0, 0].map(u32::to_le_bytes).concat();
    let modes = [0; 1027];
    for (tag, body) in
        [(b"MPOB", &[2, 0, 0, 0][..]), (b"MPSZ", &[0; 48]), (b"WDNM", &walk), (b"FLAT", &modes)]
    {
        let bytes = [section(tag, body), b"END ".to_vec()].concat();
        let kept = Section::Other { tag: FixedText(*tag), data: body.to_vec().into() };
        assert_round_trip(&map(vec![kept]), &bytes);
    }
}

#[test]
fn refuses_a_section_that_exceeds_the_file() {
    let bytes = section(b"RAST", b"text");
    let error = Map::read(&bytes[..10]).unwrap_err();
    assert_eq!(error.offset(), Some(4), "{error}");
    assert!(error.to_string().starts_with("sections[0]"), "{error}");
}

/// Unpacks the sample map, edits its record, and packs it again.
fn edited(edit: impl FnOnce(&mut json::Value)) -> Result<Map> {
    use asset::unpack::MemoryParts;
    use asset::{Install, MemorySink, Options, Unpacked};
    use record::Source;

    let mut sink = MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    let (_, bytes) = sink.files().iter().find(|(name, _)| name.ends_with("ISLAND.RGM")).unwrap();
    let map = Map::read(bytes).unwrap();
    let (install, options) = (Install::empty(), Options::default());
    let context = Context { install: &install, location: None, options: &options };
    let mut memory = MemoryParts::new();
    let source = Source::from(bytes.clone());
    let mut parts = Parts::new(&mut memory, FORMAT.id, &source, "ISLAND.RGM")?;
    map.unpack(&context, &mut parts, &mut Report::new())?;
    parts.finish(&mut Report::new())?;
    let unpacked = Unpacked::in_memory(memory)?;
    let mut record: json::Value = json::from_slice(&unpacked.record()?).unwrap();
    edit(&mut record);
    let unpacked = unpacked.with_record(serde_json::to_vec(&record).unwrap())?;
    let packed = (FORMAT.pack.unwrap())(&unpacked, &mut Report::new())?;
    Map::read(&packed)
}

/// Returns the records of a section, by its name in the record.
fn records<'a>(map: &'a mut json::Value, tag: &str) -> &'a mut Vec<json::Value> {
    let sections = map["sections"].as_array_mut().unwrap();
    let section = sections.iter_mut().find_map(|section| section.get_mut(tag)).unwrap();
    section["records"].as_array_mut().unwrap()
}

#[test]
fn packing_an_edited_record_updates_derived_fields() {
    let before = edited(|_| {}).unwrap();
    let after = edited(|map| {
        let copy = records(map, "MPOB")[0].clone();
        records(map, "MPOB").push(copy);
        records(map, "RAHD")[2]["alias"] = "the_keeper_of_the_light".into();
        records(map, "MPSZ").remove(1);
        records(map, "RAHD")[3]["size"] = 0.into();
        records(map, "MPMK").remove(0);
    })
    .unwrap();
    assert_eq!(after.placements().len(), before.placements().len() + 1);
    let keeper = &after.objects()[2];
    assert_eq!((keeper.instances, keeper.alias_length), (2, 24));
    assert_eq!(after.object_sections().variables(keeper).unwrap(), [&[3, 0, -1][..], &[3, 0, -1]]);
    assert_eq!(after.object_sections().alias(&after.objects()[3]).unwrap(), "barrel");
    assert_eq!((after.sizes().len(), after.markers().len()), (1, 1));
}

#[test]
fn scripts_are_updated_for_moved_texts() {
    let script = |map: &Map| map.object_sections().script(&map.objects()[2]).unwrap().to_vec();
    let (before, after) = (
        edited(|_| {}).unwrap(),
        edited(|map| {
            // The script references the first text, but neither the second nor the third variable.
            records(map, "RAHD")[2]["texts"].as_array_mut().unwrap().reverse();
            records(map, "MPOB")[0]["variables"].as_array_mut().unwrap().pop();
        }),
    );
    let after = after.unwrap();
    assert_eq!(after.object_sections().texts(&after.objects()[2]).unwrap(), ["barrel", "lamp"]);
    let differing = script(&before).into_iter().zip(script(&after)).filter(|(old, new)| old != new);
    assert_eq!(differing.collect::<Vec<_>>(), [(0, 1)]);
}

#[test]
fn refuses_edits_with_dangling_references() {
    let error = |edit: fn(&mut json::Value)| edited(edit).map(drop).unwrap_err().to_string();
    let removed = error(|map| drop(records(map, "MPSZ").remove(1)));
    assert!(removed.contains("size 1 was removed, but BARREL still uses it"), "{removed}");
    let placed = error(|map| drop(records(map, "RAHD").remove(2)));
    assert!(placed.contains("KEEPER was removed, but it still has placements"), "{placed}");
    let texts = error(|map| drop(records(map, "RAHD")[2]["texts"].as_array_mut().unwrap().remove(0)));
    assert!(texts.contains("KEEPER: a text was removed, but its script still uses it at 0x"), "{texts}");
    let variables = error(|map| records(map, "MPOB")[0]["variables"] = json::json!([]));
    assert!(variables.contains("KEEPER: a variable was removed"), "{variables}");
    let location = error(|map| drop(records(map, "RAHD")[2]["locations"].as_array_mut().unwrap().pop()));
    assert!(location.contains("KEEPER: a location was removed"), "{location}");
    let route = error(|map| {
        records(map, "WDNM")[0]["nodes"].as_array_mut().unwrap().pop();
    });
    assert!(route.contains("node 2 was removed"), "{route}");
}

/// Runs a function with the map of the sample game.
fn in_game<T>(use_it: impl FnOnce(&Map, &Context<'_>) -> T, given: &[(&str, &str)]) -> T {
    use asset::{Install, MemorySink};
    use files::layer::MemoryLayer;
    use std::sync::Arc;

    let mut sink = MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    let files = sink.files().iter().map(|(name, bytes)| (name.clone(), Source::from(bytes.clone())));
    let layer = MemoryLayer::new("sample", files).unwrap();
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", asset::Charset::Cp437);
    let location = install.find("maps/ISLAND.RGM").found().unwrap().location;
    let options = proof::options(&FORMAT, given);
    let context = Context { install: &install, location: Some(location), options: &options };
    let source = install.open(context.location.as_ref().unwrap()).unwrap();
    let map = Map::read(&source.read_all().unwrap()).unwrap();
    use_it(&map, &context)
}

#[test]
fn a_map_is_resolved_in_its_game() {
    let resolved = in_game(|map, context| map.resolved(context).root().to_value(), &[]);
    let world = json::json!({ "world": 1, "alternatives": [], "palette": "3DART\\island.COL",
        "palette_on_disk": "fxart/ISLAND.COL", "terrain": "maps/ISLAND.WLD", "track": 5 });
    assert_eq!(resolved["world"], world);
    assert_eq!(resolved["names_from_game"], true);
    let keeper = &resolved["mpob"][0];
    assert_eq!((&keeper["actor_index"], &keeper["instance"]), (&2.into(), &0.into()));
    assert_eq!((&keeper["resolved_from"], &keeper["resolved_model"]), (&"raan".into(), &"WALKER01".into()));
    // In the archive of the map, the model is marked as a separate file.
    assert_eq!(keeper["model_file"], "fxart/WALKER01.3DC");
    assert_eq!(keeper["position"], json::json!([-2713.6, 2.0, -1638.4]));
    assert_eq!(resolved["mpso"][0]["model_file"], "fxart/ISLAND.ROB:CRATE01");
    assert_eq!(resolved["mpso"][1]["rotation_node"][0], json::json!([-1.0, 0.0, 0.0]));
    assert_eq!(resolved["mprp"][0]["links"].as_array().unwrap().len(), 6);
    assert_eq!(resolved["mpsf"][0]["size"], json::json!([64.0, 64.0]));
    assert_eq!(resolved["actors"][2]["attributes"]["attr_health"], 100);
    assert_eq!(resolved["actors"][2]["animation_groups"][1]["name"], "anim_idle1");
}

#[test]
fn accepts_the_sample_map_and_reports_damage_with_its_position() {
    let report = in_game(
        |map, context| {
            let mut report = Report::new();
            map.check(context, &mut report);
            report
        },
        &[],
    );
    assert!(report.is_empty(), "{report:?}");
    let silent = in_game(
        |map, context| {
            let mut assembled = map.assemble();
            let objects = assembled.sections.iter_mut().find_map(|section| match section {
                AssembledSection::Objects(it) => Some(&mut it.records),
                _ => None,
            });
            let groups = objects.unwrap().iter_mut().filter_map(|object| object.animation_groups.as_mut());
            let mut commands = groups.flatten().flat_map(|group| &mut group.commands);
            let sound = commands.find(|it| matches!(it, AssembledCommand::Known(4, _))).unwrap();
            *sound = AssembledCommand::Known(4, vec![300, 0]);
            let mut report = Report::new();
            assembled.split().unwrap().check(context, &mut report);
            report
        },
        &[],
    );
    let messages: Vec<_> = silent.iter().map(|warning| warning.message.as_str()).collect();
    assert!(matches!(messages[..], [it] if it.starts_with("KEEPER plays sound 300 in group ")), "{silent:?}");
    let damaged = in_game(
        |map, context| {
            let mut map = map.clone();
            for section in &mut map.sections {
                match section {
                    Section::Objects(it) => {
                        it.records[2].size = 9;
                        it.records[2].hook_offset = 1000;
                        it.records[3].instances = 5;
                    }
                    Section::Placements(it) => it.records[3].object = FixedText::new("GHOST").unwrap(),
                    Section::Statics(it) => {
                        it.records[0].matrix[0] = 0;
                        it.records[1].model = FixedText::new("WELLTOP").unwrap();
                    }
                    Section::Flats(it) => it.records[0].texture = 302 << 7 | 99,
                    Section::WalkMaps(it) => {
                        it.records[0].nodes[0].routes[0].target = 9;
                        it.records[0].nodes[1].routes[0].cost = 7;
                        it.records[0].nodes[2].length = Some(3);
                    }
                    _ => {}
                }
            }
            map.end = false;
            let mut report = Report::new();
            map.check(context, &mut report);
            report
        },
        &[],
    );
    let found: std::collections::BTreeSet<_> = damaged.iter().map(|warning| warning.code.id).collect();
    let expected = [
        "RGM-E001", "RGM-E004", "RGM-W009", "RGM-W010", "RGM-W011", "RGM-W012", "RGM-W013", "RGM-W014",
        "RGM-W015", "RGM-W019", "RGM-W023", "RGM-W024",
    ];
    assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{damaged:?}");
}

#[test]
fn every_byte_of_a_map_is_in_exactly_one_span() {
    let bytes = in_game(|map, _| map.write().unwrap(), &[]);
    let source = Source::from(bytes.clone());
    let map = Map::read(&bytes).unwrap();
    let mut seen = vec![0_u8; bytes.len()];
    let mut paths = Vec::new();
    let mut visitor = |span: record::Span<'_>| {
        for byte in span.start..span.end {
            seen[usize::try_from(byte).unwrap()] += 1;
        }
        paths.push(span.path.to_owned());
        record::Visit::Continue
    };
    span::spans(&map, &source, &mut visitor).unwrap();
    assert!(seen.iter().all(|times| *times == 1), "{:?}", seen.iter().position(|times| *times != 1));
    for path in ["sections[0].records[2].script", "sections[13].records[0].variables", "sections[2].texts"] {
        assert!(paths.iter().any(|other| other == path), "{path}");
    }
}

/// Returns the sample map and the folder with its unpacked form.
fn unpacked() -> (Vec<u8>, tempfile::TempDir) {
    let bytes = in_game(|map, _| map.write().unwrap(), &[]);
    let folder = tempfile::tempdir().unwrap();
    proof::unpacked(&FORMAT, &bytes, folder.path());
    (bytes, folder)
}

/// Changes a view, and returns the packed map.
fn with_view(name: &str, change: impl FnOnce(&str) -> String) -> Result<Map> {
    let (_, folder) = unpacked();
    let path = folder.path().join("views").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, change(&text)).unwrap();
    proof::packed(&FORMAT, folder.path()).map(|(bytes, _)| Map::read(&bytes).unwrap())
}

/// Sets the cell of a table in a column, in the line that contains a text.
fn set_cell(table: &str, line_with: &str, column: &str, to: &str) -> String {
    let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
    let number = lines[0].split(',').position(|name| name == column).unwrap();
    let line = lines.iter_mut().find(|line| line.contains(line_with)).unwrap();
    let mut cells: Vec<&str> = line.split(',').collect();
    cells[number] = to;
    *line = cells.join(",");
    lines.join("\r\n") + "\r\n"
}

#[test]
fn a_map_has_tables_of_its_records() {
    let (bytes, folder) = unpacked();
    for name in ["placements", "statics", "ropes", "flats", "lights", "markers", "attributes"] {
        let table = std::fs::read_to_string(folder.path().join(format!("views/{name}.csv"))).unwrap();
        assert!(table.lines().count() > 1, "{name}: {table}");
    }
    assert_eq!(proof::packed(&FORMAT, folder.path()).unwrap().0, bytes);
    let old = Map::read(&bytes).unwrap();
    // The keeper moves, everything else remains.
    let moved =
        with_view("placements.csv", |table| set_cell(table, "\"KEEPER\"", "position[0]", "8000000")).unwrap();
    let mut expected = old;
    let is_keeper = |it: &&mut Placement| it.object.text() == "KEEPER";
    let placements = expected.sections.iter_mut().find_map(|section| match section {
        Section::Placements(it) => Some(&mut it.records),
        _ => None,
    });
    placements.unwrap().iter_mut().find(is_keeper).unwrap().position[0] = 8_000_000;
    assert_eq!(moved, expected);
}

#[test]
fn rows_of_tables_are_added_and_removed() {
    let (bytes, _folder) = unpacked();
    let old = Map::read(&bytes).unwrap();
    let twice = with_view("lights.csv", |table| {
        let last = table.lines().last().unwrap();
        format!("{table}{last}\r\n")
    });
    let lights = twice.unwrap().lights().to_vec();
    assert_eq!(lights.len(), old.lights().len() + 1);
    assert_eq!(lights.last(), old.lights().last());
    // A spreadsheet writes texts without quotation marks, and a byte order mark.
    let plain = with_view("statics.csv", |table| format!("\u{feff}{}", table.replace(['"', '\r'], "")));
    assert_eq!(plain.unwrap(), old);
    let fewer = with_view("markers.csv", |table| table.lines().take(2).collect::<Vec<_>>().join("\n"));
    assert_eq!(fewer.unwrap().markers(), &old.markers()[..1]);
}

#[test]
fn attributes_and_texts_are_edited_in_views() {
    let changed = with_view("attributes.csv", |table| {
        let mut lines = table.lines();
        let (head, rest) = (lines.next().unwrap(), lines.map(|line| format!("{line},")).collect::<Vec<_>>());
        let rest = rest.join("\n").replacen("\"KEEPER\"", "KEEPER", 1);
        format!("{head},attr_userflag\n{rest}\n")
    });
    assert_eq!(changed.unwrap(), Map::read(&unpacked().0).unwrap());
    let (_, folder) = unpacked();
    let texts: Vec<_> = std::fs::read_dir(folder.path().join("views/texts")).unwrap().collect();
    let name = texts[0].as_ref().unwrap().file_name().into_string().unwrap();
    let number: usize = name.split('-').next().unwrap().parse().unwrap();
    let said = with_view(&format!("texts/{name}"), |text| format!("{text}a new one\n")).unwrap();
    let object = &said.objects()[number];
    assert_eq!(said.object_sections().texts(object).unwrap().last().unwrap(), "a new one");
    // Scripts reference texts by number.
    let error = with_view(&format!("texts/{name}"), |_| String::new()).unwrap_err().to_string();
    assert!(error.contains("a text was removed"), "{error}");
}

#[test]
fn errors_in_a_table_have_a_line_and_a_column() {
    let error = with_view("placements.csv", |table| set_cell(table, "\"KEEPER\"", "radius", "wide"));
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("views/placements.csv") && error.contains("line ") && error.contains("radius"),
        "{error}"
    );
    let error = with_view("statics.csv", |table| table.replace("model", "shape")).unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("shape"), "{error}");
    let error = with_view("attributes.csv", |table| set_cell(table, "\"KEEPER\"", "number", "999"));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("there is no object with this number"), "{error}");
}

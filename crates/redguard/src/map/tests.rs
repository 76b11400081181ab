//! Small maps, both ways.

use asset::FixedText;
use proof::assert_round_trip;
use record::Bytes;

use super::*;

/// A section as it stands in a file.
fn section(tag: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap();
    [&tag[..], &length.to_be_bytes(), body].concat()
}

fn map(sections: Vec<Section>) -> Map {
    Map { sections, end: true, rest: Bytes::default() }
}

#[test]
fn sections_keep_their_order_and_what_is_unknown() {
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
fn markers_have_their_positions_in_front_of_their_flags() {
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
fn what_does_not_fit_its_layout_is_kept_as_bytes() {
    // Two placements are announced, none is there; a size is cut; a walk map has four billion nodes; a mode of no bank.
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
fn a_section_that_runs_past_the_end_is_an_error_there() {
    let bytes = section(b"RAST", b"text");
    let error = Map::read(&bytes[..10]).unwrap_err();
    assert_eq!(error.offset(), Some(4), "{error}");
    assert!(error.to_string().starts_with("sections[0]"), "{error}");
}

/// Unpacks the sample map, edits its record, and packs it again.
fn edited(edit: impl FnOnce(&mut serde_json::Value)) -> Result<Map> {
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
    let mut record: serde_json::Value = serde_json::from_slice(&unpacked.record()?).unwrap();
    edit(&mut record);
    let unpacked = unpacked.with_record(serde_json::to_vec(&record).unwrap())?;
    let packed = (FORMAT.pack.unwrap())(&unpacked, &mut Report::new())?;
    Map::read(&packed)
}

/// The records of a section, by the name that it has in the record.
fn records<'a>(map: &'a mut serde_json::Value, tag: &str) -> &'a mut Vec<serde_json::Value> {
    let sections = map["sections"].as_array_mut().unwrap();
    let section = sections.iter_mut().find_map(|section| section.get_mut(tag)).unwrap();
    section["records"].as_array_mut().unwrap()
}

#[test]
fn an_edited_record_gives_a_map_in_which_everything_follows() {
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
    assert_eq!(after.object_sections().variables(keeper).unwrap(), [&[3, -1][..], &[3, -1]]);
    assert_eq!(after.object_sections().alias(&after.objects()[3]).unwrap(), "barrel");
    assert_eq!((after.sizes().len(), after.markers().len()), (1, 1));
}

#[test]
fn an_edit_that_would_break_a_map_is_refused_by_name() {
    let error = |edit: fn(&mut serde_json::Value)| edited(edit).map(drop).unwrap_err().to_string();
    let gone = error(|map| drop(records(map, "MPSZ").remove(1)));
    assert!(gone.contains("there is no size 1 any more, but BARREL has it"), "{gone}");
    let placed = error(|map| drop(records(map, "RAHD").remove(2)));
    assert!(placed.contains("KEEPER is gone, but it is still placed"), "{placed}");
    let texts = error(|map| drop(records(map, "RAHD")[2]["texts"].as_array_mut().unwrap().remove(0)));
    assert!(texts.contains("KEEPER: a text was removed"), "{texts}");
    let swapped = error(|map| records(map, "RAHD")[2]["texts"].as_array_mut().unwrap().reverse());
    assert!(swapped.contains("KEEPER: its texts were reordered"), "{swapped}");
    let variables = error(|map| {
        records(map, "MPOB")[0]["variables"].as_array_mut().unwrap().pop();
    });
    assert!(variables.contains("KEEPER: a variable was removed"), "{variables}");
    let route = error(|map| {
        records(map, "WDNM")[0]["nodes"].as_array_mut().unwrap().pop();
    });
    assert!(route.contains("there is no node 2 any more"), "{route}");
}

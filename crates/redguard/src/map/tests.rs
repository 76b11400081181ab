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
    let markers = Markers { positions: vec![[1, -2, 3], [4, 5, 6]], flags: vec![1, 0] };
    let numbers = [2_i32, 1, -2, 3, 4, 5, 6].map(i32::to_le_bytes).concat();
    let bytes = [section(b"MPMK", &[&numbers[..], &[1, 0]].concat()), b"END ".to_vec()].concat();
    assert_round_trip(&map(vec![Section::Markers(markers)]), &bytes);
    let uneven = Markers { positions: vec![[0; 3]], flags: Vec::new() };
    let error = map(vec![Section::Markers(uneven)]).write().unwrap_err();
    assert!(error.to_string().contains("1 markers have 0 flags"), "{error}");
}

#[test]
fn walk_maps_have_nodes_with_routes() {
    let routes = vec![Route { target: 1, cost: 300 }];
    let node = WalkNode { length: 12, x: 40_000, y: -5, z: 1, unknown_0a: 9, routes };
    let walk = WalkMap { length: 40, node_count: 1, position: [1, 2, 3], radius: 4, nodes: vec![node] };
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

//! Round trips of chunks as bytes, and errors.

use std::fmt::Debug;

use ::record::{Kind, read_whole, write_whole};

use super::super::*;
use super::{animation, model, node, read, read_with_report, sequence, single_warning, triangle};

fn assert_round_trip(chunk: &Chunk, bytes: &[u8]) {
    assert_eq!(write_whole(chunk, 0).unwrap(), bytes, "writing {chunk:?}");
    assert_eq!(read_whole::<Chunk>(bytes, 0).unwrap(), *chunk, "reading {chunk:?}");
}

fn assert_record_round_trip<T: Record<Context = ()> + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    assert_eq!(write_whole(value, ()).unwrap(), bytes, "writing {value:?}");
    assert_eq!(read_whole::<T>(bytes, ()).unwrap(), *value, "reading {value:?}");
}

pub(super) fn chunk(tag: &[u8; 4], body: &[&[u8]]) -> Vec<u8> {
    let body = body.concat();
    [&tag[..], &(body.len() as i32).to_le_bytes(), &body].concat()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn ints(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
    chunk(b"BB3D", &[&ints(&[1]), &chunks.concat()])
}

fn bytes_of_node(chunks: &[Vec<u8>]) -> Vec<u8> {
    let numbers = floats(&[1.0, -2.0, 3.0, 1.0, 2.0, 1.0, 1.0, 0.0, 0.0, -0.0]);
    chunk(b"NODE", &[b"Jo\xe9\0", &numbers, &chunks.concat()])
}

fn refused(bytes: &[u8]) -> Error {
    B3d::read(bytes, &mut Report::new()).unwrap_err()
}

#[test]
fn every_chunk_round_trips() {
    assert_record_round_trip(&CText::from_bytes(b"a\xe9").unwrap(), b"a\xe9\0");
    assert_round_trip(
        &Chunk::Textures(Textures {
            textures: vec![Texture {
                file: "a.png".into(),
                flags: texture::SECOND_SET | 1,
                blend: 2,
                position: [0.5, 0.0],
                scale: [1.0, 2.0],
                rotation: -1.0,
            }],
            rest: Bytes::default(),
        }),
        &chunk(b"TEXS", &[b"a.png\0", &ints(&[0x1_0001, 2]), &floats(&[0.5, 0.0, 1.0, 2.0, -1.0])]),
    );
    assert_round_trip(
        &Chunk::Brushes(Brushes {
            texture_count: 2,
            brushes: vec![Brush {
                name: "".into(),
                color: [1.0, 0.5, 0.0, 1.0],
                shininess: 0.25,
                blend: 1,
                fx: 3,
                textures: vec![-1, 7],
            }],
            rest: Bytes(vec![9]),
        }),
        &chunk(
            b"BRUS",
            &[&ints(&[2]), b"\0", &floats(&[1.0, 0.5, 0.0, 1.0, 0.25]), &ints(&[1, 3, -1, 7]), &[9]],
        ),
    );
    assert_round_trip(
        &Chunk::Node(Box::new(Node {
            name: CText::from_bytes(b"Jo\xe9").unwrap(),
            position: [1.0, -2.0, 3.0],
            scale: [1.0, 2.0, 1.0],
            rotation: [1.0, 0.0, 0.0, -0.0],
            chunks: vec![Chunk::Pivot(Bytes::default())],
            rest: Bytes::default(),
        })),
        &bytes_of_node(&[chunk(b"PIVO", &[])]),
    );
    assert_round_trip(
        &Chunk::Mesh(Mesh { brush: -1, chunks: Vec::new(), rest: Bytes(vec![1; 7]) }),
        &chunk(b"MESH", &[&ints(&[-1]), &[1; 7]]),
    );
    assert_round_trip(
        &Chunk::Triangles(Triangles {
            brush: 4,
            triangles: vec![[0, 1, u32::MAX]],
            rest: Bytes(vec![0; 11]),
        }),
        &chunk(b"TRIS", &[&ints(&[4, 0, 1, -1]), &[0; 11]]),
    );
    assert_round_trip(
        &Chunk::Bone(Bone { weights: vec![Weight { vertex: 3, weight: 0.5 }], rest: Bytes(vec![5]) }),
        &chunk(b"BONE", &[&ints(&[3]), &floats(&[0.5]), &[5]]),
    );
    assert_round_trip(&animation(120, 24.0), &chunk(b"ANIM", &[&ints(&[0, 120]), &floats(&[24.0])]));
    assert_round_trip(&sequence("walk", 1, 20), &chunk(b"SEQS", &[b"walk\0", &ints(&[1, 20, 0])]));
    assert_round_trip(&Chunk::Pivot(Bytes(vec![1])), &chunk(b"PIVO", &[&[1]]));
    assert_round_trip(&Chunk::Unknown(Tag(*b"c\xe9ls"), Bytes(vec![1, 2])), &chunk(b"c\xe9ls", &[&[1, 2]]));
}

#[test]
fn vertices_contain_what_their_flags_declare() {
    let vertex = |normal, color, coordinates: &[f32]| Vertex {
        position: [1.0, 2.0, 3.0],
        normal,
        color,
        coordinates: coordinates.to_vec(),
    };
    let (normal, color) = ([0.0, 1.0, 0.0], [1.0, 0.5, 0.25, 1.0]);
    for (flags, sets, size, vertex, numbers) in [
        (0, 0, 0, vertex(None, None, &[]), vec![1.0, 2.0, 3.0]),
        (1, 1, 2, vertex(Some(normal), None, &[7.0, 8.0]), vec![1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 7.0, 8.0]),
        (2, 2, 1, vertex(None, Some(color), &[7.0, 8.0]), vec![1.0, 2.0, 3.0, 1.0, 0.5, 0.25, 1.0, 7.0, 8.0]),
        (
            3,
            1,
            1,
            vertex(Some(normal), Some(color), &[9.0]),
            vec![1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 1.0, 0.5, 0.25, 1.0, 9.0],
        ),
        // A negative number of sets counts as none.
        (0, -3, 2, vertex(None, None, &[]), vec![1.0, 2.0, 3.0]),
    ] {
        let vertices = Vertices {
            flags,
            coordinate_sets: sets,
            coordinate_size: size,
            vertices: vec![vertex.clone(), vertex],
            rest: Bytes(vec![0; 3]),
        };
        let numbers = floats(&numbers);
        assert_round_trip(
            &Chunk::Vertices(Box::new(vertices)),
            &chunk(b"VRTS", &[&ints(&[flags as i32, sets, size]), &numbers, &numbers, &[0; 3]]),
        );
    }
}

#[test]
fn keys_contain_what_their_flags_declare() {
    let (position, scale, rotation) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [1.0, 0.0, 0.5, 0.0]);
    for flags in 1..8_u32 {
        let key = Key {
            frame: -3,
            position: (flags & 1 != 0).then_some(position),
            scale: (flags & 2 != 0).then_some(scale),
            rotation: (flags & 4 != 0).then_some(rotation),
        };
        let mut bytes = ints(&[-3]);
        bytes.extend(key.position.iter().flat_map(|value| floats(value)));
        bytes.extend(key.scale.iter().flat_map(|value| floats(value)));
        bytes.extend(key.rotation.iter().flat_map(|value| floats(value)));
        let keys = Keys { flags, keys: vec![key; 2], rest: Bytes(vec![1, 2]) };
        assert_round_trip(
            &Chunk::Keys(keys),
            &chunk(b"KEYS", &[&ints(&[flags as i32]), &bytes, &bytes, &[1, 2]]),
        );
    }
    // Keys without values would fill the memory with empty keys.
    assert_round_trip(
        &Chunk::Keys(Keys { flags: 8, keys: Vec::new(), rest: Bytes(vec![1; 12]) }),
        &chunk(b"KEYS", &[&ints(&[8]), &[1; 12]]),
    );
}

#[test]
fn leaves_vertices_with_invalid_coordinate_counts_unread() {
    for (sets, size) in [(i32::MAX, i32::MAX), (1, -1), (2, i32::MIN), (1 << 20, 1)] {
        let bytes = file(&[bytes_of_node(&[chunk(
            b"MESH",
            &[&ints(&[-1]), &chunk(b"VRTS", &[&ints(&[0, sets, size]), &[7; 100]])],
        )])]);
        let (model, report) = read_with_report(&bytes);
        assert!(single_warning(&report, &warning::LEFT_OVER).starts_with("100 trailing bytes"), "{model:?}");
    }
}

#[test]
fn keeps_and_reports_trailing_bytes() {
    let mut bytes = chunk(b"BB3D", &[&ints(&[1]), &chunk(b"TEXS", &[b"cut"]), &[1, 2, 3]]);
    bytes.extend(b"behind");
    let (model, report) = read_with_report(&bytes);
    assert_eq!((&*model.rest, &*model.trailing), (&[1, 2, 3][..], &b"behind"[..]));
    let reported: Vec<_> = report.iter().map(ToString::to_string).collect();
    assert_eq!(
        reported,
        [
            "warning B3D-W001: chunks[0].rest: 3 trailing bytes, too few for another item",
            "warning B3D-W001: rest: 3 trailing bytes, too few for another item",
            "warning B3D-W001: trailing: 6 trailing bytes after the end of the model",
        ]
    );
}

#[test]
fn keeps_unknown_chunks_in_place() {
    let bytes = file(&[
        chunk(b"CELS", &[&[1, 2]]),
        bytes_of_node(&[
            chunk(b"XXXX", &[]),
            // Too short for their tags, but harmless.
            chunk(b"ANIM", &[&[0; 8]]),
            chunk(b"SEQS", &[b"walk\0", &[0; 11]]),
            chunk(b"SEQS", &[b"no end"]),
        ]),
    ]);
    let (model, report) = read_with_report(&bytes);
    assert_eq!(report.count_of(&warning::UNKNOWN_CHUNK), 5);
    let tags: Vec<_> =
        model.chunks[1].chunks().unwrap().iter().map(|chunk| chunk.tag().to_string()).collect();
    assert_eq!(tags, ["XXXX", "ANIM", "SEQS", "SEQS"]);
}

#[test]
fn warns_about_later_versions_and_refuses_unknown_ones() {
    let with_version = |version| chunk(b"BB3D", &[&ints(&[version])]);
    assert_eq!(read(&with_version(0)).version, 0);
    let (_, report) = read_with_report(&with_version(99));
    assert_eq!(
        single_warning(&report, &warning::VERSION),
        "version is 99, but the engine loads only 0 and 1"
    );
    for version in [100, -1, i32::MAX] {
        let error = refused(&with_version(version));
        assert_eq!((error.kind(), error.offset()), (Kind::Unsupported, Some(8)), "{error}");
    }
}

#[test]
fn refuses_invalid_values_at_their_offset() {
    let valid = file(&[bytes_of_node(&[chunk(b"BONE", &[])])]);
    read(&valid);
    let message = |at: usize, value: i32| {
        let mut bytes = valid.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        refused(&bytes).to_string()
    };
    assert_eq!(message(4, 72), "length: expected 72 bytes, but only 64 are left, at offset 0x4");
    assert_eq!(message(16, 90), "chunks[0].length: expected 90 bytes, but only 52 are left, at offset 0x10");
    assert_eq!(message(16, -1), "chunks[0].length: -1 is not a valid count, at offset 0x10");
    assert_eq!(
        message(68, 1),
        "chunks[0].chunks[0].length: expected 1 bytes, but only 0 are left, at offset 0x44"
    );
    assert_eq!(message(0, 0), "magic: expected 42 42 33 44 \"BB3D\", found 00 00 00 00, at offset 0x0");
    assert_eq!(
        refused(&file(&[chunk(b"NODE", &[b"no end"])])).to_string(),
        "chunks[0].name: no zero byte in the remaining 6 bytes, at offset 0x14"
    );
    assert_eq!(refused(b"").to_string(), "the file is empty, at offset 0x0");
}

/// Returns a model with this many nested nodes.
fn deep(depth: usize) -> Vec<u8> {
    let mut inner = Vec::new();
    for _ in 0..depth {
        inner = bytes_of_node(&[inner]);
    }
    file(&[inner])
}

#[test]
fn limits_the_nesting_of_nodes() {
    let deepest = read(&deep(MAX_DEPTH as usize + 1));
    assert_eq!(deepest.write().unwrap(), deep(MAX_DEPTH as usize + 1));
    let again: B3d = json::from_slice(&json::to_vec(&deepest).unwrap()).unwrap();
    assert_eq!(again, deepest);
    super::scene_of(&deepest);
    for depth in [MAX_DEPTH as usize + 2, 20_000] {
        let error = refused(&deep(depth));
        assert_eq!(error.kind(), Kind::Limit);
        assert_eq!(error.message(), "nodes are nested more than 128 levels deep");
    }
}

#[test]
fn json_is_a_flat_list_and_round_trips_bit_for_bit() {
    let mut model = model(vec![
        Chunk::Unknown(Tag(*b"CELS"), Bytes(vec![255])),
        node("a", vec![triangle(0), node("b", vec![]), sequence("s", 1, 2)]),
        node("c", vec![]),
    ]);
    if let Some(Chunk::Node(node)) = model.chunks.last_mut() {
        node.rotation = [f32::NAN, f32::INFINITY, -0.0, 1e-40];
    }
    model.trailing = Bytes(vec![1]);
    let json = json::to_vec(&model).unwrap();
    let value: json::Value = json::from_slice(&json).unwrap();
    let geometry: Vec<_> = value["chunks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| format!("{}{}", pair[0], pair[1].as_object().unwrap().keys().next().unwrap()))
        .collect();
    assert_eq!(geometry, ["0Unknown", "0NODE", "1MESH", "2VRTS", "2TRIS", "1NODE", "1SEQS", "0NODE"]);
    assert_eq!(value["chunks"][0][1]["Unknown"], json::json!(["CELS", "ff"]));
    let again: B3d = json::from_slice(&json).unwrap();
    assert_eq!(again.write().unwrap(), model.write().unwrap());
}

#[test]
fn refuses_json_that_is_not_a_tree() {
    let refused = |chunks: &str| {
        let json = format!("{{\"version\": 1, \"chunks\": {chunks}}}");
        json::from_slice::<B3d>(json.as_bytes()).unwrap_err().message().to_owned()
    };
    assert!(refused(r#"[[1, {"PIVO": ""}]]"#).starts_with("depth 1 follows depth 0"));
    assert!(refused(r#"[[0, {"PIVO": ""}], [1, {"PIVO": ""}]]"#).starts_with("PIVO chunks have no children"));
    assert!(refused(r#"[[0, {"MESH": {"brush": 0}}], [2, {"PIVO": ""}]]"#).starts_with("depth 2 follows"));
    assert!(refused(r#"[[129, {"PIVO": ""}]]"#).starts_with("chunks are nested more than 128 levels deep"));
    assert!(refused(r#"[[0, {"Unknown": ["CEL", ""]}]]"#).contains("is not four characters long"));
}

#[test]
fn refuses_to_write_a_string_with_a_zero_byte() {
    let mut model = model(vec![node("a", vec![])]);
    if let Some(Chunk::Node(node)) = model.chunks.first_mut() {
        node.name = "a\0b".into();
    }
    let error = model.write().unwrap_err();
    assert_eq!(error.to_string(), "chunks[0].name: contains a zero byte, which would end it early");
    assert!(CText::from_bytes(b"a\0").is_err());
}

#[test]
fn traces_every_byte_in_order() {
    let mut bytes = file(&[
        chunk(b"TEXS", &[b"cut"]),
        bytes_of_node(&[
            chunk(b"MESH", &[&ints(&[0]), &chunk(b"VRTS", &[&ints(&[0, 1, 2]), &[0; 45]])]),
            chunk(b"SEQS", &[b"short\0"]),
        ]),
    ]);
    bytes.extend(b"behind");
    let (model, _) = read_with_report(&bytes);
    let mut next = 0;
    let mut paths = Vec::new();
    let mut visit = |span: ::record::Span<'_>| {
        assert_eq!(span.start, next, "{span:?}");
        next = span.end;
        paths.push(span.path.to_owned());
        ::record::Visit::Continue
    };
    FORMAT.trace(&model, &Source::from_bytes(&bytes[..]), &mut visit).unwrap();
    assert_eq!(next, bytes.len() as u64);
    assert!(paths.contains(&"chunks[1].chunks[0].chunks[0].vertices[1].coordinates[0]".into()), "{paths:#?}");
}

#[test]
fn chunks_stay_small() {
    assert!(size_of::<Chunk>() <= 64, "{}", size_of::<Chunk>());
}

#[test]
fn description_counts_items() {
    let model = model(vec![node(
        "a",
        vec![
            triangle(-1),
            animation(120, 24.0),
            node("b", vec![super::bone(&[]), super::moves(&[(1, [0.0; 3])])]),
        ],
    )]);
    let description = model.describe(Detail::Brief);
    assert_eq!(description.summary, "model, 2 nodes, 1 mesh, 1 triangle, 1 bone, 120 frames");
    assert_eq!(description.counts.get("vertices"), 3);
    assert_eq!(model.describe(Detail::Full).fields.root().to_value()["version"], 1);
}

#[test]
fn keeps_and_reports_a_length_too_large_by_less_than_a_chunk() {
    let exact = file(&[bytes_of_node(&[])]);
    for excess in [1_i32, 7] {
        let mut bytes = exact.clone();
        let stored = i32::try_from(exact.len() - 8).unwrap() + excess;
        bytes[4..8].copy_from_slice(&stored.to_le_bytes());
        let (model, report) = read_with_report(&bytes);
        assert_eq!((i32::from(model.excess_length), model.chunks.len()), (excess, 1));
        assert!(single_warning(&report, &warning::LONG).starts_with("the length of the model is "));
        let mut length = String::new();
        let mut visit = |span: ::record::Span<'_>| {
            if span.path == "length" {
                length = span.value.to_string();
            }
            ::record::Visit::Continue
        };
        B3d::trace(&bytes, &mut visit).unwrap();
        assert_eq!(length, stored.to_string(), "the hex view shows the stored length");
        // Nothing may follow: the engine would read it as part of the model.
        let trailing = B3d { trailing: vec![0].into(), ..model };
        assert_eq!(trailing.write().unwrap_err().path(), "excess_length");
    }
    // Another chunk would fit, so the file is truncated.
    let mut bytes = exact.clone();
    bytes[4..8].copy_from_slice(&i32::try_from(exact.len()).unwrap().to_le_bytes());
    assert_eq!(refused(&bytes).offset(), Some(4));
}

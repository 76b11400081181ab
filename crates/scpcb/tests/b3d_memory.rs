//! Memory limits for malicious models: at most 64 MB and eight times the file, for reading, checking and exporting.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use antiquary_scpcb::b3d::{B3d, FORMAT, MAX_NODES};
use asset::{Asset, Context, Install, MemorySink, Options, Report, Target};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn chunk(tag: &[u8; 4], body: &[&[u8]]) -> Vec<u8> {
    let length: usize = body.iter().map(|part| part.len()).sum();
    let mut out = Vec::with_capacity(length + 8);
    out.extend(tag);
    out.extend((length as i32).to_le_bytes());
    body.iter().for_each(|part| out.extend(*part));
    out
}

fn ints(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn model(body: &[u8]) -> Vec<u8> {
    chunk(b"BB3D", &[&ints(&[1]), body])
}

fn node(body: &[u8]) -> Vec<u8> {
    let unit = 1.0_f32.to_le_bytes();
    let transform = [&[0; 12][..], &unit, &unit, &unit, &unit, &[0; 12]].concat();
    chunk(b"NODE", &[b"\0", &transform, body])
}

/// Returns the peak memory of reading, checking and exporting, without the file itself.
fn peak(bytes: &[u8]) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut report = Report::new();
    if let Ok(model) = B3d::read(bytes, &mut report) {
        let install = Install::empty();
        let options = Options::defaults(FORMAT.options);
        let context = Context { install: &install, location: None, options: &options };
        model.check(&context, &mut report);
        let target = Target::new("model", 1.0);
        FORMAT.convert(&model, "glb", &context, target, &mut MemorySink::new(), &mut report).unwrap();
    }
    MEMORY.peak_usage() - before
}

/// Returns a mesh with this number of vertices, each used once, with positions only.
fn bare_mesh(vertices: usize) -> Vec<u8> {
    let corners: Vec<u8> = (0..vertices as i32 / 3 * 3).flat_map(i32::to_le_bytes).collect();
    let positions: Vec<u8> = (0..vertices * 3).flat_map(|number| (number as f32).to_le_bytes()).collect();
    let vertices = chunk(b"VRTS", &[&ints(&[0, 0, 0]), &positions]);
    let triangles = chunk(b"TRIS", &[&ints(&[-1]), &corners]);
    chunk(b"MESH", &[&ints(&[-1]), &vertices, &triangles])
}

#[test]
fn memory_stays_within_eight_times_the_file() {
    let many = 1_000_000;
    let small_tris: Vec<u8> =
        (0..300_000).flat_map(|brush| chunk(b"TRIS", &[&ints(&[brush, 0, 1, 2])])).collect();
    let three = chunk(b"VRTS", &[&ints(&[0, 0, 0]), &[0; 36]]);
    let empty_vertices = chunk(b"VRTS", &[&ints(&[0, 1 << 30, 4])]);
    let zeros = [b"\0".to_vec(), vec![0; 28]].concat();
    let one_key = node(&chunk(b"KEYS", &[&ints(&[1, 5]), &[0; 12]]));
    let sequence = chunk(b"SEQS", &[b"s\0", &ints(&[0, 10, 0])]);
    let bones: Vec<u8> = (0..2000)
        .flat_map(|bone| {
            let weights: Vec<u8> = (0..100_i32)
                .flat_map(|vertex| [(vertex * 7 + bone).to_le_bytes(), 0.5_f32.to_le_bytes()].concat())
                .collect();
            node(&chunk(b"BONE", &[&weights]))
        })
        .collect();
    let files = [
        ("many empty chunks", model(&chunk(b"XXXX", &[]).repeat(many))),
        ("many empty pivots in a node", model(&node(&chunk(b"PIVO", &[]).repeat(many)))),
        ("many nodes", model(&node(&[]).repeat(MAX_NODES))),
        ("more nodes than allowed", model(&node(&[]).repeat(1_000_000))),
        ("many textures", model(&chunk(b"TEXS", &[&zeros.repeat(many)]))),
        ("many brushes", model(&chunk(b"BRUS", &[&ints(&[0]), &zeros.repeat(many)]))),
        (
            "more textures than there is room for",
            model(&chunk(b"BRUS", &[&ints(&[i32::MAX]), &zeros.repeat(many)])),
        ),
        ("many vertices", model(&node(&bare_mesh(many)))),
        ("many brushes in a large mesh", {
            model(&node(&chunk(b"MESH", &[&ints(&[-1]), &three, &bare_mesh(0), &small_tris])))
        }),
        ("many materials", {
            let brushes =
                chunk(b"BRUS", &[&ints(&[8]), &[&zeros[..], &ints(&[0; 8])].concat().repeat(20_000)]);
            let texture = chunk(b"TEXS", &[b"a\0", &ints(&[1, 2]), &[0; 20]]);
            let small_mesh = node(&chunk(b"MESH", &[&ints(&[-1]), &three, &small_tris]));
            model(&[texture, brushes, small_mesh].concat())
        }),
        ("a long name in many materials", {
            let name = [vec![b'a'; 1 << 20], vec![0]].concat();
            let texture = chunk(b"TEXS", &[&name, &ints(&[1, 2]), &[0; 20]]);
            let long_brush = [&name[..], &[0; 28], &ints(&[0; 8])].concat();
            let brushes = chunk(
                b"BRUS",
                &[&ints(&[8]), &long_brush, &[&zeros[..], &ints(&[0; 8])].concat().repeat(5_000)],
            );
            let small_mesh = node(&chunk(b"MESH", &[&ints(&[0]), &three, &small_tris]));
            model(&[texture, brushes, small_mesh].concat())
        }),
        ("a brush of many layers in many materials", {
            let brushes =
                chunk(b"BRUS", &[&ints(&[100_000]), &[&zeros[..], &[0; 400_000]].concat().repeat(20)]);
            let many = (0..20)
                .flat_map(|brush| node(&chunk(b"MESH", &[&ints(&[brush]), &three, &small_tris[..480]])));
            model(&[brushes, many.collect()].concat())
        }),
        ("a moving node in many sequences", {
            model(&node(&[one_key.clone(), sequence.repeat(200_000)].concat()))
        }),
        ("many sequences in a deep node", {
            let inner = (0..100).fold(sequence.repeat(200_000), |inner, _| node(&inner));
            model(&[inner, one_key.clone()].concat())
        }),
        ("many small meshes", {
            let one = chunk(b"TRIS", &[&ints(&[-1, 0, 1, 2])]);
            model(&node(&chunk(b"MESH", &[&ints(&[-1]), &three, &one])).repeat(60_000))
        }),
        ("many small skins", {
            let one = chunk(b"TRIS", &[&ints(&[-1, 0, 1, 2])]);
            let bone = node(&chunk(b"BONE", &[&[0; 8]]));
            let mesh = chunk(b"MESH", &[&ints(&[-1]), &three, &one]);
            model(&node(&[mesh, bone].concat()).repeat(30_000))
        }),
        ("keys without values", model(&node(&chunk(b"KEYS", &[&ints(&[0]), &vec![0; 16 << 20]])))),
        ("many keys", model(&node(&chunk(b"KEYS", &[&ints(&[1]), &vec![0; 16 << 20]])))),
        ("invalid vertices", model(&node(&chunk(b"MESH", &[&ints(&[-1]), &empty_vertices.repeat(100_000)])))),
        ("many moving nodes in many sequences", {
            model(&node(&[one_key.repeat(10_000), sequence.repeat(100_000)].concat()))
        }),
        ("many bones", model(&node(&[bare_mesh(100_000), bones].concat()))),
    ];
    let over: Vec<String> = files
        .iter()
        .filter_map(|(what, bytes)| {
            let (peak, allowed) = (peak(bytes), (64 << 20) + 8 * bytes.len());
            println!("{what}: {} MB of {} MB", peak >> 20, allowed >> 20);
            (peak > allowed).then(|| format!("{what}: {peak} bytes for a file of {}", bytes.len()))
        })
        .collect();
    assert!(over.is_empty(), "{over:#?}");
}

//! Hostile models must not exhaust memory: usage for reading, checking and exporting is bounded by the file size.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use antiquary_ragnarok::rsm::Name;
use antiquary_ragnarok::rsm::{
    FORMAT, Face, Groups, MAX_COUNT, Mesh, Rsm, TextureAnimation, TextureKey, TextureTrack, TextureVertex,
    Version,
};
use antiquary_ragnarok::sample::windmill;
use asset::{Asset, Context, Install, MemorySink, Options, Report, Target};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Returns the peak memory usage of reading, checking and exporting in bytes, without the file itself.
fn peak(bytes: &[u8]) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut report = Report::new();
    if let Ok(model) = Rsm::read(bytes, &mut report) {
        let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
        let context = Context { install: &install, location: None, options: &options };
        model.check(&context, &mut report);
        let target = Target::new("model", 1.0);
        FORMAT.convert(&model, "glb", &context, target, &mut MemorySink::new(), &mut report).unwrap();
    }
    MEMORY.peak_usage() - before
}

/// Creates a model with a changed first mesh.
fn changed(change: impl FnOnce(&mut Rsm)) -> Vec<u8> {
    let mut model = windmill(Version::V2_3);
    model.meshes.truncate(1);
    change(&mut model);
    model.write().unwrap()
}

fn mesh(name: &str, parent: &str) -> Mesh {
    Mesh {
        name: Name::from(name),
        parent: Name::from(parent),
        textures: Some(Vec::new()),
        scale_keys: Some(Vec::new()),
        position_keys: Some(Vec::new()),
        texture_animations: Some(Vec::new()),
        ..Mesh::default()
    }
}

/// Adds the maximum number of distinct corners.
fn many_faces(model: &mut Rsm) {
    let mesh = &mut model.meshes[0];
    mesh.vertices = (0..60_000_u16).map(|number| [f32::from(number), f32::from(number % 7), 1.0]).collect();
    let uv = |number: u16| TextureVertex { color: Some([0; 4]), uv: [f32::from(number), 0.5] };
    mesh.texture_vertices = (0..60_000).map(uv).collect::<Vec<_>>();
    let face = |number: u32| {
        let corner = |step: u32| (number.wrapping_mul(2_654_435_761).wrapping_add(step * 97) % 60_000) as u16;
        let corners = [corner(1), corner(2), corner(3)];
        Face {
            vertices: corners,
            texture_vertices: corners,
            groups: Groups::one(number as i32),
            ..Face::default()
        }
    };
    mesh.faces = (0..300_000).map(face).collect::<Vec<_>>();
}

#[test]
fn memory_stays_within_a_bound() {
    let rotating = |model: &mut Rsm| {
        let keys =
            (0..200_000).map(|frame| TextureKey { frame, value: if frame % 2 == 0 { 1e30 } else { -1e30 } });
        let tracks = vec![TextureTrack { kind: 4, keys: keys.collect() }];
        model.meshes[0].texture_animations = Some(vec![TextureAnimation { texture: 0, tracks }]);
        model.animation_length = 200_000;
    };
    let chain = |model: &mut Rsm| {
        for number in 0..MAX_COUNT - 1 {
            model.meshes.push(mesh(&format!("m{number}"), &format!("m{}", (number + 1) % (MAX_COUNT - 1))));
        }
    };
    let files = [
        ("many faces", changed(many_faces)),
        ("a texture that rotates endlessly", changed(rotating)),
        ("a cycle of meshes", changed(chain)),
        ("more meshes than allowed", {
            let mut bytes = changed(|model| model.meshes.clear());
            let at = bytes.len() - 8;
            bytes.truncate(at);
            bytes.extend(((MAX_COUNT + 1) as i32).to_le_bytes());
            bytes.extend(vec![0; 88 * (MAX_COUNT + 1) + 4]);
            bytes
        }),
        (
            "many names",
            changed(|model| {
                model.meshes[0].textures = Some(vec![Name::default(); MAX_COUNT]);
            }),
        ),
        (
            "many smoothing groups",
            changed(|model| {
                model.meshes[0].faces[0].groups = vec![7; 2_000_000].into();
            }),
        ),
    ];
    for (name, bytes) in files {
        let (peak, allowed) = (peak(&bytes), (64 << 20) + 16 * bytes.len());
        println!("{name}: {} KB for a file of {} KB", peak >> 10, bytes.len() >> 10);
        assert!(peak <= allowed, "{name}: {peak} bytes for a file of {}", bytes.len());
    }
}

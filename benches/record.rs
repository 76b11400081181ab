//! Reading and writing the surfaces of a room, compared with the same structure in `binrw` and with copying the bytes.

use std::hint::black_box;
use std::io::Cursor;

use benches::{Measures, criterion, seconds};
use binrw::{BinRead, BinWrite, binrw};
use criterion::Throughput;
use record::{Record, read_whole, write_whole};
use scpcb::rmesh::{Surface, TextureKind, TextureSlot, Vertex};

/// The section between the header and the collision mesh of a room.
#[derive(Record)]
struct Surfaces {
    #[record(count = i32)]
    surfaces: Vec<Surface>,
}

/// The same section in `binrw`.
#[binrw]
#[brw(little)]
struct PeerSurfaces {
    #[br(temp)]
    #[bw(calc = surfaces.len() as u32)]
    count: u32,
    #[br(count = count)]
    surfaces: Vec<PeerSurface>,
}

#[binrw]
#[brw(little)]
struct PeerSurface {
    lightmap: PeerSlot,
    texture: PeerSlot,
    #[br(temp)]
    #[bw(calc = vertices.len() as u32)]
    vertex_count: u32,
    #[br(count = vertex_count)]
    vertices: Vec<PeerVertex>,
    #[br(temp)]
    #[bw(calc = triangles.len() as u32)]
    triangle_count: u32,
    #[br(count = triangle_count)]
    triangles: Vec<[u32; 3]>,
}

#[binrw]
#[brw(little)]
struct PeerSlot {
    kind: u8,
    #[br(if(kind != 0))]
    name: Option<PeerString>,
}

#[binrw]
#[brw(little)]
struct PeerString {
    #[br(temp)]
    #[bw(calc = bytes.len() as u32)]
    length: u32,
    #[br(count = length)]
    bytes: Vec<u8>,
}

#[binrw]
#[brw(little)]
struct PeerVertex {
    position: [f32; 3],
    texture_uv: [f32; 2],
    lightmap_uv: [f32; 2],
    color: [u8; 3],
}

/// The size of the largest rooms of the game: 62 surfaces, 53,000 vertices, 28,000 triangles.
fn surfaces() -> Surfaces {
    let slot = |kind, name: &str| TextureSlot { kind, name: Some(name.into()) };
    let vertex = |index: u32| Vertex {
        position: [index as f32, 1.0, -(index as f32)],
        texture_uv: [0.5, index as f32 / 7.0],
        lightmap_uv: [0.25, 0.75],
        color: [255, 128, index as u8],
    };
    let surface = |number: u32| Surface {
        lightmap: slot(TextureKind::LIGHTMAP, "exit1_lm1.png"),
        texture: slot(TextureKind::OPAQUE, "concretefloor.jpg"),
        vertices: (0..850 + number).map(vertex).collect(),
        triangles: (0..460).map(|index| [index, index + 1, index + 2]).collect(),
    };
    Surfaces { surfaces: (0..62).map(surface).collect() }
}

fn main() {
    let ours = surfaces();
    let bytes = write_whole(&ours, ()).expect("surfaces can be written");
    let peer = PeerSurfaces::read(&mut Cursor::new(&bytes)).expect("binrw reads them");
    let write_peer = |peer: &PeerSurfaces| {
        let mut out = Cursor::new(Vec::with_capacity(bytes.len()));
        peer.write(&mut out).expect("binrw writes them");
        out.into_inner()
    };
    assert!(write_peer(&peer) == bytes, "both write the same bytes");

    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("surfaces");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("copy", |bench| bench.iter(|| black_box(&bytes).clone()));
    group.bench_function("read", |bench| {
        bench.iter(|| read_whole::<Surfaces>(black_box(&bytes), ()).expect("valid data"));
    });
    group.bench_function("read, binrw", |bench| {
        bench.iter(|| PeerSurfaces::read(&mut Cursor::new(black_box(&bytes))).expect("valid data"));
    });
    group.bench_function("write", |bench| {
        bench.iter(|| write_whole(black_box(&ours), ()).expect("valid data"))
    });
    group.bench_function("write, binrw", |bench| bench.iter(|| write_peer(black_box(&peer))));
    group.finish();
    criterion.final_summary();
    report(bytes.len()).write("record");
}

fn report(size: usize) -> Measures {
    let mut measures = Measures::new();
    let time = |name| seconds("surfaces", name);
    let (Some(copy), Some(read), Some(write)) = (time("copy"), time("read"), time("write")) else {
        return measures;
    };
    let megabytes = size as f64 / 1e6;
    measures.add("reading surfaces", megabytes / read, "MB/s");
    measures.add("writing surfaces", megabytes / write, "MB/s");
    measures.add("reading surfaces, against memcpy", copy / read, "times its speed");
    measures.add("writing surfaces, against memcpy", copy / write, "times its speed");
    if let (Some(peer_read), Some(peer_write)) = (time("read, binrw"), time("write, binrw")) {
        measures.add_with_goal("reading surfaces, against binrw", peer_read / read, "times as fast", 1.5);
        measures.add_with_goal("writing surfaces, against binrw", peer_write / write, "times as fast", 1.5);
    }
    measures
}

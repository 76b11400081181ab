//! Memory limits for malicious files: at most 64 MB and eight times the file, for reading, checking and exporting.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use antiquary_scpcb::rmesh::{FORMAT, MAX_COUNT, RMesh};
use asset::{Asset, Context, Install, MemorySink, Options, Report, Target};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn string(text: &str) -> Vec<u8> {
    [&(text.len() as i32).to_le_bytes()[..], text.as_bytes()].concat()
}

fn count(number: usize) -> Vec<u8> {
    (number as i32).to_le_bytes().to_vec()
}

/// Returns the peak memory of reading, checking and exporting, without the file itself.
fn peak(bytes: &[u8]) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut report = Report::new();
    if let Ok(room) = RMesh::read(bytes, &mut report) {
        let install = Install::empty();
        let options = Options::defaults(FORMAT.options);
        let context = Context { install: &install, location: None, options: &options };
        room.check(&context, &mut report);
        let target = Target::new("room", 1.0);
        FORMAT.convert(&room, "glb", &context, target, &mut MemorySink::new(), &mut report).unwrap();
    }
    MEMORY.peak_usage() - before
}

#[test]
fn memory_stays_within_eight_times_the_file() {
    let max = MAX_COUNT;
    let empty_surface = [vec![0, 0], count(0), count(0)].concat();
    let named_surface = [vec![1], string("a"), vec![1], string("b"), count(0), count(0)].concat();
    let flat = |vertices: usize, triangles: usize| {
        [vec![0, 0], count(vertices), vec![0; 31 * vertices], count(triangles), vec![0; 12 * triangles]]
            .concat()
    };
    let room = |surfaces: usize, body: Vec<u8>| [string("RoomMesh"), count(surfaces), body].concat();
    let waypoint = [string("waypoint"), vec![0; 12]].concat();
    let custom = string("x");
    let entities = |number: usize, body: Vec<u8>| {
        [string("RoomMesh"), count(0), count(0), count(number), body, b"\x03\0\0\0EOF".to_vec()].concat()
    };
    let files = [
        ("many empty surfaces", room(max, empty_surface.repeat(max))),
        ("many named surfaces", room(max, named_surface.repeat(max))),
        ("more surfaces than allowed", room(2_000_000, empty_surface.repeat(2_000_000))),
        ("many vertices", room(1, flat(1_000_000, 1_000))),
        ("many triangles", room(1, flat(3, 2_000_000))),
        ("a truncated surface", room(1, [vec![0, 0], count(1 << 24), vec![0; 1 << 20]].concat())),
        ("a string of a gigabyte", room(1, [vec![1], count(1 << 30), vec![b'a'; 1 << 20]].concat())),
        ("many waypoints", entities(max, waypoint.repeat(max))),
        ("many custom classes", entities(max, custom.repeat(max))),
        ("many invalid entities", entities(max, vec![0xff; 1 << 20])),
    ];
    for (what, bytes) in files {
        let (peak, allowed) = (peak(&bytes), (64 << 20) + 8 * bytes.len());
        assert!(peak <= allowed, "{what}: {peak} bytes for a file of {}", bytes.len());
    }
}

//! A Redguard visibility tree the size of the island's: queries for points, reading, `info --full`, and building trees of towns.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use antiquary::asset::{FolderSink, Guard};
use antiquary::files::sink::WriteMode;
use antiquary::record::{Bytes, Raw};
use antiquary::redguard::sample::{Town, town};
use antiquary::redguard::visibility::{
    Ending, Header, List, Lists, NO_LIST, Node, Nodes, Objects, Run, Section, Tree, TreeOptions, Visibility,
};
use antiquary::{BuildOptions, DescribeOptions, Detail, Inputs, Overwrite, Session};
use benches::{Measures, criterion, seconds};
use criterion::Throughput;

/// Size of the island's tree in the original game.
const NODES: usize = 23_154;
const OBJECTS: u32 = 108_189;
const STATICS: u32 = 1691;
/// Number of objects in a list.
const SEEN: u16 = 55;
/// Distance from the center to the sides.
const SIZE: u32 = 16_384;
/// Number of points to query.
const POINTS: usize = 100_000;

/// Towns whose trees are built: name, number of statics, subdivisions of the walls, and cell size.
const TOWNS: [(&str, u32, u32, f64); 4] = [
    ("build", 200, 2, 256.0),
    ("build, walls of four times as many triangles", 200, 4, 256.0),
    ("build, twice as many statics", 400, 2, 256.0),
    ("build, cells of half the side", 200, 2, 128.0),
];

/// A pseudorandom number generator.
struct Random(u32);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % end
    }
}

/// A tree in which seven of eight nodes are leaves.
fn island() -> Visibility {
    let mut random = Random(7);
    // Parents come first, so the number of children is known before the children are created.
    let mut children: Vec<Vec<usize>> = vec![Vec::new()];
    let mut parent = 0;
    while children.len() < NODES {
        let count = (4 + 4 * random.below(2) as usize).min(NODES - children.len());
        children[parent] = (children.len()..children.len() + count).collect();
        children.resize(children.len() + count, Vec::new());
        parent += 1;
    }
    let mut offsets = Vec::new();
    let mut next = 0_u32;
    for of in &children {
        offsets.push(next);
        next += 5 + 4 * u32::try_from(of.len()).expect("eight at most");
    }
    let (mut lists, mut end) = (Vec::new(), 0_u32);
    let mut list = || {
        let start = random.below(OBJECTS - u32::from(SEEN));
        lists.push(List { runs: vec![Run { count: SEEN, start }] });
        end += 7;
        end - 7
    };
    let nodes: Vec<Node> = children
        .iter()
        .map(|of| Node {
            child_mask: u8::try_from((1_u32 << of.len()) - 1).expect("eight at most"),
            list: if of.is_empty() { list() } else { NO_LIST },
            children: of.iter().map(|child| offsets[*child]).collect(),
        })
        .collect();
    let mut random = Random(9);
    let objects = (0..OBJECTS).map(|_| u16::try_from(random.below(STATICS)).expect("a static")).collect();
    let leaf_nodes = u32::try_from(lists.len()).expect("few");
    let header = Header {
        depth: 10,
        total_nodes: u32::try_from(NODES).expect("few"),
        leaf_nodes,
        object_count: OBJECTS,
        unused_10: 0,
        cell_size: SIZE,
        center: [0; 3],
        unused_24: Raw([0; 16]),
    };
    Visibility {
        sections: vec![
            Section::Header(header),
            Section::Nodes(Nodes { nodes }),
            Section::Lists(Lists { lists }),
            Section::Objects(Objects { objects }),
        ],
        has_end: true,
        end: Some(Ending { data: Bytes::default() }),
        rest: Bytes::default(),
    }
}

fn main() {
    let bytes = island().write().expect("the tree can be written");
    let file = Visibility::read(&bytes).expect("the tree is well-formed");
    let tree = Tree::of(&file).expect("there is a tree");
    let mut random = Random(3);
    let mut coordinate = || i32::try_from(random.below(2 * SIZE)).expect("small") - 16_384;
    let points: Vec<[i32; 3]> = (0..POINTS).map(|_| std::array::from_fn(|_| coordinate())).collect();
    let seen = points.iter().filter(|point| !tree.at(**point).objects.is_empty()).count();
    assert!(seen > POINTS / 4, "only {seen} points have visible objects");
    let work = std::env::temp_dir().join(format!("antiquary-bench-visibility-{}", std::process::id()));
    fs::create_dir_all(&work).expect("the folder can be created");
    let path = work.join("ISLAND.PVO");
    fs::write(&path, &bytes).expect("the file is written");

    let session = Session::default().threads(1);
    let inputs = Inputs::collect(std::slice::from_ref(&path));
    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("visibility");
    group.throughput(Throughput::Elements(POINTS as u64));
    group.bench_function("points", |bench| {
        bench.iter(|| points.iter().map(|point| tree.at(black_box(*point)).objects.len()).sum::<usize>());
    });
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("read", |bench| {
        bench.iter(|| Visibility::read(black_box(&bytes)).expect("the tree is well-formed"));
    });
    group.bench_function("make the tree", |bench| bench.iter(|| Tree::of(black_box(&file))));
    group.bench_function("info --full", |bench| {
        bench.iter(|| {
            session
                .describe(&inputs, &DescribeOptions::default().detail(Detail::Full))
                .expect("the file is described")
        });
    });
    group.finish();
    build(&mut criterion, &work);
    criterion.final_summary();
    fs::remove_dir_all(&work).expect("the folder can be removed");
    report(bytes.len()).write("visibility");
}

/// Builds the trees of towns on all cores.
fn build(criterion: &mut criterion::Criterion, work: &Path) {
    let mut group = criterion.benchmark_group("visibility");
    group.sample_size(10);
    for (name, statics, detail, cell) in TOWNS {
        let game = work.join(format!("town-{statics}-{detail}"));
        let mut sink = FolderSink::new(&game, Guard::new(Overwrite::Allow).into());
        town(&mut sink, Town { statics, detail }).expect("the town can be written");
        sink.finish().expect("the files are written");
        let options = BuildOptions::default().options(&TreeOptions::default().points(0.0).cell(cell));
        let session = Session::default().writing(WriteMode::DryRun);
        let (map, out) = (game.join("maps/TOWN.RGM"), game.join("new.PVO"));
        group.bench_function(name, |bench| {
            bench.iter(|| session.build("pvo", black_box(&map), &out, &options).expect("the tree is built"));
        });
    }
    group.finish();
}

fn report(size: usize) -> Measures {
    let mut measures = Measures::new();
    let time = |name| seconds("visibility", name);
    let (Some(points), Some(read), Some(info)) = (time("points"), time("read"), time("info --full")) else {
        return measures;
    };
    measures.add_with_goal(
        "points in a tree of 23,154 nodes",
        POINTS as f64 / points / 1e6,
        "million/s",
        10.0,
    );
    measures.add("reading a visibility tree", size as f64 / 1e6 / read, "MB/s");
    measures.add("info --full of a visibility tree", info * 1e3, "ms");
    let first = TOWNS.first().and_then(|(name, ..)| time(name));
    for (name, statics, ..) in TOWNS {
        if let (Some(first), Some(time)) = (first, time(name)) {
            measures.add(&format!("{name} ({statics} statics)"), time * 1e3, "ms");
            measures.add(&format!("{name}, relative to the first"), time / first, "times");
        }
    }
    measures
}

//! A Redguard map the size of the island: reading and writing, compared with copying, and editing one field, compared with `info --full`.

use std::fs;
use std::hint::black_box;

use antiquary::asset::{FixedText, MemorySink};
use antiquary::redguard::map::Map;
use antiquary::redguard::map::assembled::{AssembledMap, AssembledSection};
use antiquary::session::FieldEdit;
use antiquary::{DescribeOptions, Detail, Input, Inputs, Session, redguard};
use benches::{Measures, criterion, seconds};
use criterion::Throughput;

/// Numbers of records in the island map of the original game.
const STATICS: usize = 1691;
const PLACEMENTS: usize = 600;
const ACTORS: usize = 300;

/// The sample map with as many records as the island.
fn island() -> Vec<u8> {
    let mut files = MemorySink::new();
    redguard::sample::write(&mut files).expect("the sample is written");
    let file = files.into_files().into_iter().find(|(name, _)| name.ends_with("ISLAND.RGM"));
    let map = Map::read(&file.expect("the sample has a map").1).expect("the map is well-formed");
    let mut assembled: AssembledMap = map.assemble();
    for section in &mut assembled.sections {
        match section {
            AssembledSection::Objects(it) => {
                let keeper =
                    it.records.iter().find(|it| it.name.text() == "KEEPER").expect("a keeper").clone();
                for number in it.records.len()..ACTORS {
                    let mut object = keeper.clone();
                    object.name = FixedText::new(&format!("ACTOR{number:03}")).expect("a name");
                    it.records.push(object);
                }
            }
            AssembledSection::Placements(it) => {
                let keeper =
                    it.records.iter().find(|it| it.object.text() == "KEEPER").expect("a keeper").clone();
                for number in it.records.len()..PLACEMENTS {
                    let mut placement = keeper.clone();
                    let actor = 10 + number % (ACTORS - 10);
                    placement.object = FixedText::new(&format!("ACTOR{actor:03}")).expect("a name");
                    it.records.push(placement);
                }
            }
            AssembledSection::Statics(it) => {
                let one = it.records.first().expect("a static").clone();
                it.records.resize(STATICS, one);
            }
            _ => {}
        }
    }
    assembled.split().expect("the records fit").write().expect("the map can be written")
}

fn main() {
    let bytes = island();
    let map = Map::read(&bytes).expect("the map is well-formed");
    assert_eq!(
        map.write().expect("the map can be written"),
        bytes,
        "an unchanged map is written identically"
    );
    assert_eq!(
        (map.statics().len(), map.placements().len(), map.objects().len()),
        (STATICS, PLACEMENTS, ACTORS)
    );
    let work = std::env::temp_dir().join(format!("antiquary-bench-maps-{}", std::process::id()));
    fs::create_dir_all(&work).expect("the folder can be created");
    let (path, copied) = (work.join("ISLAND.RGM"), work.join("COPY.RGM"));
    fs::write(&path, &bytes).expect("the file is written");

    let session = Session::default().threads(1);
    let inputs = Inputs::collect(std::slice::from_ref(&path));
    let edit = [FieldEdit::assign("placements[0].position[0]=8000000").expect("an assignment")];
    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("maps");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("copy", |bench| bench.iter(|| black_box(&bytes).clone()));
    group.bench_function("copy the file", |bench| {
        bench.iter(|| fs::copy(&path, &copied).expect("the file is copied"));
    });
    group.bench_function("read", |bench| bench.iter(|| Map::read(black_box(&bytes)).expect("valid data")));
    group.bench_function("write", |bench| bench.iter(|| black_box(&map).write().expect("valid data")));
    group.bench_function("info", |bench| {
        bench.iter(|| {
            let run = session
                .describe(&inputs, &DescribeOptions::default().detail(Detail::Full))
                .expect("the file is described");
            serde_json::to_string(&run.outcomes[0].description).expect("a description is JSON").len()
        });
    });
    group.bench_function("set", |bench| {
        bench.iter(|| session.set(&Input::file(&path), &edit, 10).expect("the field can be set"));
    });
    group.finish();
    criterion.final_summary();
    fs::remove_dir_all(&work).expect("the folder can be removed");
    report(bytes.len()).write("maps");
}

fn report(size: usize) -> Measures {
    let mut measures = Measures::new();
    let time = |name| seconds("maps", name);
    let (Some(copy), Some(file), Some(read), Some(write)) =
        (time("copy"), time("copy the file"), time("read"), time("write"))
    else {
        return measures;
    };
    let megabytes = size as f64 / 1e6;
    measures.add("size of a map like ISLAND", megabytes, "MB");
    measures.add("reading a map", megabytes / read, "MB/s");
    measures.add("writing a map", megabytes / write, "MB/s");
    measures.add("reading a map, against memcpy", copy / read, "times its speed");
    measures.add("writing a map, against memcpy", copy / write, "times its speed");
    measures.add("reading and writing a map, against cp", file / (read + write), "times its speed");
    if let (Some(info), Some(set)) = (time("info"), time("set")) {
        measures.add("info --full of a map", info * 1e3, "ms");
        measures.add("set in a map", set * 1e3, "ms");
        measures.add_with_goal("set in a map, against info --full", info / set, "times its speed", 1.0 / 3.0);
    }
    measures
}

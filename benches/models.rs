//! Models: reading and writing them in memory, and converting thousands of them from an archive.
//!
//! The files are written by this project: the models of the sample games, and a GRF with many copies of one of them.

use std::hint::black_box;
use std::path::Path;

use antiquary::asset::{MemorySink, Report};
use antiquary::scene::Compression;
use antiquary::{CATALOG, ConvertOptions, Destination, Inputs, Overwrite, Session, Source};
use benches::{Measures, criterion, seconds};
use criterion::{Criterion, Throughput};
use ragnarok::rsm::{Rsm, Version};
use scpcb::b3d::B3d;

/// Number of models in the archive.
const MODELS: usize = 2000;

fn file(sink: &MemorySink, extension: &str) -> Vec<u8> {
    let mut matching = sink.files().iter().filter(|(name, _)| name.ends_with(extension));
    let (_, bytes) = matching.next().expect("the sample games have a model of each format");
    bytes.to_vec()
}

fn rsm(bytes: &[u8]) -> Rsm {
    Rsm::read(bytes, &mut Report::new()).expect("the sample is valid")
}

fn b3d(bytes: &[u8]) -> B3d {
    B3d::read(bytes, &mut Report::new()).expect("the sample is valid")
}

fn measure(
    criterion: &mut Criterion,
    kind: &str,
    bytes: &[u8],
    read: impl Fn(&[u8]),
    write: impl Fn() -> Vec<u8>,
) {
    assert_eq!(write(), bytes, "an unchanged model is written identically");
    let mut group = criterion.benchmark_group(kind);
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("read", |bench| bench.iter(|| read(black_box(bytes))));
    group.bench_function("write", |bench| bench.iter(|| black_box(write())));
    group.finish();
}

/// Writes an archive with one model under many names.
fn archive(model: &[u8], to: &Path) {
    let files: Vec<(String, Source)> = (0..MODELS)
        .map(|number| (format!("data/model/mill_{number:04}.rsm"), Source::from(model.to_vec())))
        .collect();
    let archives = ragnarok::GAME.archives.expect("the game has archives");
    let mut bytes = std::io::Cursor::new(Vec::new());
    (archives.write)(&files, Compression::Usual, &mut bytes, &mut Report::new())
        .expect("an archive of models");
    std::fs::write(to, bytes.into_inner()).expect("the archive is written");
}

fn convert(archive: &Path, out: &Path) -> usize {
    let session = Session::default().overwrite(Overwrite::Allow);
    let inputs = Inputs::collect(&[archive.to_path_buf()]);
    let destination = Destination::Folder(out.to_path_buf());
    let run = session
        .convert(&inputs, &destination, &ConvertOptions::default())
        .expect("the archive can be converted");
    run.outcomes.iter().filter(|outcome| outcome.ok).count()
}

fn main() {
    let mut sink = MemorySink::new();
    antiquary::sample::write(CATALOG, &mut sink).expect("the sample games are written");
    let windmill = |version| ragnarok::sample::windmill(version).write().expect("the sample is valid");
    let (old, new, blitz) = (windmill(Version::V1_4), windmill(Version::V2_3), file(&sink, ".b3d"));
    let mut criterion = criterion();
    for (kind, bytes) in [("rsm", &old), ("rsm2", &new)] {
        let model = rsm(bytes);
        measure(
            &mut criterion,
            kind,
            bytes,
            |bytes| drop(rsm(bytes)),
            || model.write().expect("the model is valid"),
        );
    }
    let model = b3d(&blitz);
    measure(
        &mut criterion,
        "b3d",
        &blitz,
        |bytes| drop(b3d(bytes)),
        || model.write().expect("the model is valid"),
    );

    let work = std::env::temp_dir().join(format!("antiquary-bench-models-{}", std::process::id()));
    std::fs::create_dir_all(&work).expect("the folder can be created");
    let (grf, out) = (work.join("data.grf"), work.join("out/"));
    archive(&old, &grf);
    assert_eq!(convert(&grf, &out), MODELS, "every model is converted");
    let mut group = criterion.benchmark_group("grf");
    group.sample_size(10).throughput(Throughput::Elements(MODELS as u64));
    group.bench_function("convert", |bench| bench.iter(|| convert(&grf, &out)));
    group.finish();
    criterion.final_summary();
    std::fs::remove_dir_all(&work).expect("the folder can be removed");

    let mut measures = Measures::new();
    for (kind, bytes) in [("rsm", &old), ("rsm2", &new), ("b3d", &blitz)] {
        let (Some(read), Some(write)) = (seconds(kind, "read"), seconds(kind, "write")) else { continue };
        let megabytes = bytes.len() as f64 / 1e6;
        measures.add(&format!("reading .{kind}"), megabytes / read, "MB/s");
        measures.add(&format!("writing .{kind}"), megabytes / write, "MB/s");
    }
    if let Some(convert) = seconds("grf", "convert") {
        measures.add("converting models from a GRF", MODELS as f64 / convert, "models/s");
    }
    measures.write("models");
}

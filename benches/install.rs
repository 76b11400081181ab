//! Converting a Redguard install of realistic size, compared with copying the output; and reading and writing single files in memory.

use std::hint::black_box;
use std::path::Path;

use antiquary::asset::{FolderSink, Guard};
use antiquary::redguard::model::Model;
use antiquary::redguard::picture::texbsi::Bank;
use antiquary::{ConvertOptions, Destination, Inputs, Overwrite, Session};
use benches::{Measures, copy, criterion, retail, seconds};
use criterion::Throughput;

fn convert(game: &Path, out: &Path) -> usize {
    let session = Session::default().overwrite(Overwrite::Allow);
    let inputs = Inputs::collect(&[game.to_path_buf()]);
    let destination = Destination::Folder(out.to_path_buf());
    let run = session
        .convert(&inputs, &destination, &ConvertOptions::default())
        .expect("the folder can be converted");
    assert_eq!(run.failed(), 0);
    run.outcomes.len()
}

fn main() {
    let work = std::env::temp_dir().join(format!("antiquary-bench-install-{}", std::process::id()));
    let (game, out, copied) = (work.join("game"), work.join("out"), work.join("copy"));
    let mut sink = FolderSink::new(&game, Guard::new(Overwrite::Refuse).into());
    retail::write(&mut sink).expect("the install is written");
    sink.finish().expect("the install is written");
    let files = convert(&game, &out);
    let bytes = copy(&out, &copied);

    let mut criterion = criterion().sample_size(10);
    let mut group = criterion.benchmark_group("install");
    group.throughput(Throughput::Bytes(bytes));
    group.bench_function("convert", |bench| bench.iter(|| convert(&game, &out)));
    group.bench_function("copy", |bench| bench.iter(|| copy(&out, &copied)));

    let read = |name: &str| std::fs::read(game.join("fxart").join(name)).expect("a file of the install");
    let (bank, model) = (read("TEXBSI.302"), read("MOVE0000.3DC"));
    group.throughput(Throughput::Bytes(bank.len() as u64));
    group.bench_function("bank read", |bench| bench.iter(|| Bank::read(black_box(&bank)).expect("a bank")));
    let opened = Bank::read(&bank).expect("a bank");
    group.bench_function("bank write", |bench| bench.iter(|| opened.write().expect("a bank")));
    group.throughput(Throughput::Bytes(model.len() as u64));
    group.bench_function("model read", |bench| {
        bench.iter(|| Model::read(black_box(&model)).expect("a model"))
    });
    let opened = Model::read(&model).expect("a model");
    group.bench_function("model write", |bench| bench.iter(|| opened.write().expect("a model")));
    group.finish();
    criterion.final_summary();
    std::fs::remove_dir_all(&work).expect("the folder can be removed");

    let mut measures = Measures::new();
    if let (Some(convert), Some(copy)) = (seconds("install", "convert"), seconds("install", "copy")) {
        measures.add("converting a Redguard install", files as f64 / convert, "files/s");
        measures.add("converting a Redguard install", bytes as f64 / 1e6 / convert, "MB/s of output");
        measures.add(
            "converting a Redguard install, against copying the output",
            copy / convert,
            "times its speed",
        );
    }
    for (name, what, length) in [
        ("bank read", "TEXBSI banks, read", bank.len()),
        ("bank write", "TEXBSI banks, written", bank.len()),
        ("model read", ".3DC with frames, read", model.len()),
        ("model write", ".3DC with frames, written", model.len()),
    ] {
        if let Some(seconds) = seconds("install", name) {
            measures.add(what, length as f64 / 1e9 / seconds, "GB/s");
        }
    }
    measures.write("install");
}

//! Converting an entire game folder, compared with copying the output as `cp -r` does.
//!
//! The input is the rooms of the corpus if it exists, or else the room of the sample game.

use std::path::{Path, PathBuf};

use antiquary::{CATALOG, ConvertOptions, Destination, Inputs, Overwrite, Session};
use benches::{Measures, copy, criterion, seconds};
use criterion::Throughput;

/// The folder of the game to convert.
fn game(work: &Path) -> PathBuf {
    if let Some(corpus) = corpus::folder("scpcb") {
        return corpus;
    }
    let folder = work.join("sample");
    let mut sink =
        antiquary::asset::FolderSink::new(&folder, antiquary::asset::Guard::new(Overwrite::Allow).into());
    antiquary::sample::write(CATALOG, &mut sink).expect("the sample game is written");
    sink.finish().expect("the sample game is written");
    folder
}

fn convert(game: &Path, out: &Path) -> usize {
    let session = Session::default().overwrite(Overwrite::Allow);
    let inputs = Inputs::collect(&[game.to_path_buf()]);
    let destination = Destination::Folder(out.to_path_buf());
    let run = session
        .convert(&inputs, &destination, &ConvertOptions::default())
        .expect("the folder can be converted");
    run.outcomes.iter().filter(|outcome| outcome.ok && outcome.format == Some("scpcb.rmesh")).count()
}

fn main() {
    let work = std::env::temp_dir().join(format!("antiquary-bench-{}", std::process::id()));
    let (out, copied) = (work.join("out"), work.join("copy"));
    std::fs::create_dir_all(&work).expect("the folder can be created");
    let game = game(&work);
    let rooms = convert(&game, &out);
    let bytes = copy(&out, &copied);

    let mut criterion = criterion().sample_size(10);
    let mut group = criterion.benchmark_group("rooms");
    group.throughput(Throughput::Bytes(bytes));
    group.bench_function("convert", |bench| bench.iter(|| convert(&game, &out)));
    group.bench_function("copy", |bench| bench.iter(|| copy(&out, &copied)));
    group.finish();
    criterion.final_summary();
    std::fs::remove_dir_all(&work).expect("the folder can be removed");

    let mut measures = Measures::new();
    if let (Some(convert), Some(copy)) = (seconds("rooms", "convert"), seconds("rooms", "copy")) {
        measures.add("converting rooms", rooms as f64 / convert, "rooms/s");
        measures.add("converting rooms", bytes as f64 / 1e6 / convert, "MB/s of output");
        measures.add("converting rooms, against copying the output", copy / convert, "times its speed");
    }
    measures.write("rooms");
}

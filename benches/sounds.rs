//! Dialogue: listing, extracting, converting and writing a synthetic file of the same size as the original.
//!
//! The durations are compared with a plain copy of the same file.

use std::fs::File;
use std::hint::black_box;
use std::io::BufWriter;
use std::path::Path;

use antiquary::asset::FixedText;
use antiquary::asset::container::Container;
use antiquary::asset::{Archive, Detail, Report};
use antiquary::{ConvertOptions, Destination, Inputs, Overwrite, Session, Source};
use benches::{Measures, criterion, seconds};
use criterion::{BatchSize, Throughput};
use redguard::sound::rtx::{Content, Dialogue, FORMAT};
use scene::sound::{Depth, SampleFormat, Sound};

/// Numbers of lines and of voiced lines in the game.
const LINES: u32 = 4866;
const VOICED: u32 = 3933;

/// Size of the samples of all voices in the game, in bytes.
const SAMPLES: u32 = 184_000_000;

/// The tag of a line.
fn tag(number: u32) -> FixedText<4> {
    FixedText::new(&format!("{number:04}")).expect("four digits are a tag")
}

/// A line. The length of a voice is between half and one and a half times the mean.
fn line(number: u32) -> Content {
    let text = format!("Line {number}: those who say that the sea forgets never owed it money.");
    if number >= VOICED {
        return Content::new(&text).expect("plain text");
    }
    let mean = SAMPLES / VOICED;
    let length = (mean / 2 + number * 7919 % mean) / 2 * 2;
    let data = (0..length).map(|at| (at.wrapping_mul(at ^ number) >> 7) as u8).collect();
    let form = SampleFormat { rate: 22050, channels: 1, depth: Depth::Sixteen };
    Content::voiced(&text, &Sound { form, data, loops: None }, 100).expect("a mono sound")
}

fn make(path: &Path) {
    let mut out = BufWriter::new(File::create(path).expect("the file can be created"));
    let dialogue = Dialogue::new((0..LINES).map(|number| (tag(number), line(number))).collect());
    dialogue.write(&mut out).expect("the file is written");
}

fn open(path: &Path) -> Container {
    let source = Source::open(path).expect("the file is there");
    Container::open(&FORMAT, &source, &mut Report::new()).expect("it is dialogue")
}

fn convert(path: &Path, out: &Path) {
    let session = Session::default().overwrite(Overwrite::Allow);
    let inputs = Inputs::collect(&[path.to_path_buf()]);
    let destination = Destination::Folder(out.to_path_buf());
    let run = session
        .convert(&inputs, &destination, &ConvertOptions::default())
        .expect("the file can be converted");
    assert_eq!(run.failed(), 0, "{run:?}");
}

fn main() {
    let work = std::env::temp_dir().join(format!("antiquary-bench-sounds-{}", std::process::id()));
    std::fs::create_dir_all(&work).expect("the folder can be created");
    let (path, copy, out) = (work.join("ENGLISH.RTX"), work.join("copy.RTX"), work.join("out/"));
    make(&path);
    let length = std::fs::metadata(&path).expect("the file exists").len();

    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("rtx");
    group.sample_size(10).throughput(Throughput::Bytes(length));
    group.bench_function("copy", |bench| bench.iter(|| std::fs::copy(&path, &copy).expect("a copy")));
    group.bench_function("info", |bench| {
        bench.iter(|| black_box(open(&path).asset().describe(Detail::Brief)));
    });
    group.bench_function("extract", |bench| {
        bench.iter(|| open(&path).open(1234).expect("a line").read_all().expect("its bytes").len());
    });
    // Each run writes into a new folder, because replacing files is much slower than creating them.
    let fresh = |folder: &Path| drop(std::fs::remove_dir_all(folder));
    let size = BatchSize::PerIteration;
    group.bench_function("convert", |bench| {
        bench.iter_batched(|| fresh(&out), |()| convert(&path, &out), size);
    });
    let again = work.join("again");
    group.bench_function("copy-output", |bench| {
        bench.iter_batched(|| fresh(&again), |()| benches::copy(&out, &again), size);
    });
    let dialogue = Dialogue::read(&Source::open(&path).expect("the file is there")).expect("it is dialogue");
    group.bench_function("write", |bench| {
        bench
            .iter(|| dialogue.write(&mut File::create(&copy).expect("a file")).expect("the file is written"));
    });
    group.finish();
    criterion.final_summary();
    std::fs::remove_dir_all(&work).expect("the folder can be removed");

    let mut measures = Measures::new();
    let time = |name: &str| seconds("rtx", name);
    let copies = time("copy").zip(time("copy-output"));
    if let (Some((copy, copy_all)), Some(info), Some(extract), Some(convert), Some(write)) =
        (copies, time("info"), time("extract"), time("convert"), time("write"))
    {
        measures.add("opening dialogue of the size in the game", info * 1e3, "ms");
        measures.add("extracting one voice", extract * 1e3, "ms");
        measures.add("converting the dialogue, against copying the file", copy / convert, "times its speed");
        measures.add(
            "converting the dialogue, against copying the output",
            copy_all / convert,
            "times its speed",
        );
        measures.add("writing the dialogue, against copying the file", copy / write, "times its speed");
    }
    measures.write("sounds");
}

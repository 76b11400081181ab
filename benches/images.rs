//! The compression levels of PNG: time and size, for the textures of rooms in the corpus.

use std::hint::black_box;

use benches::{Measures, criterion, seconds};
use scene::Compression;
use scene::image::{Limits, Rgba8, decode, encode_png_with};

const LEVELS: [(&str, Compression); 3] =
    [("fast", Compression::Fast), ("usual", Compression::Usual), ("best", Compression::Best)];

/// Every fourth image in the folder of a game.
fn textures() -> Vec<Rgba8> {
    let Some(game) = corpus::folder("scpcb") else { return Vec::new() };
    let files = corpus::all_files(&game);
    let images = files.iter().filter_map(|path| {
        let bytes = std::fs::read(path).ok()?;
        decode(&bytes, &Limits::default()).ok()
    });
    images.step_by(4).collect()
}

fn encode(textures: &[Rgba8], level: Compression) -> usize {
    textures.iter().map(|texture| encode_png_with(texture, level).len()).sum()
}

fn main() {
    let textures = textures();
    if textures.is_empty() {
        println!("images: skipped because the corpus has no textures");
        return;
    }
    let mut criterion = criterion().sample_size(10);
    let mut group = criterion.benchmark_group("png");
    for (name, level) in LEVELS {
        group.bench_function(name, |bench| bench.iter(|| encode(black_box(&textures), level)));
    }
    group.finish();
    criterion.final_summary();

    let mut measures = Measures::new();
    let usual_size = encode(&textures, Compression::Usual) as f64;
    let usual_time = seconds("png", "usual");
    for (name, level) in LEVELS {
        if let (Some(usual), Some(time)) = (usual_time, seconds("png", name)) {
            let size = encode(&textures, level) as f64;
            measures.add(&format!("PNG, {name}: time"), time / usual, "times usual");
            measures.add(&format!("PNG, {name}: size"), size / usual_size, "times usual");
        }
    }
    measures.write("images");
}

//! Writes a game with a town into a folder:
//! `cargo run --release --manifest-path benches/Cargo.toml --example town -- FOLDER [STATICS [DETAIL]]`.

use antiquary::asset::{FolderSink, Guard, Overwrite};
use antiquary::redguard::sample::{Town, town};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().expect("usage: town FOLDER [STATICS [DETAIL]]");
    let number = |index: usize, default: u32| {
        arguments.get(index).map_or(default, |text| text.parse().expect("expected an integer"))
    };
    let default = Town::default();
    let size = Town { statics: number(1, default.statics), detail: number(2, default.detail) };
    let guard = Guard::new(Overwrite::Allow);
    let mut sink = FolderSink::new(folder, std::sync::Arc::new(guard));
    town(&mut sink, size).expect("the town can be written");
    sink.finish().expect("the files are written");
}

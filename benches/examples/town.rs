//! Writes a game with a town into a folder: `cargo run --release -p benches --example town -- FOLDER [STATICS [DETAIL]]`.

use antiquary::asset::{FolderSink, Guard, Overwrite};
use antiquary::redguard::sample::{Town, town};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().expect("a folder");
    let number = |place: usize, default: u32| {
        arguments.get(place).map_or(default, |text| text.parse().expect("a whole number"))
    };
    let default = Town::default();
    let wanted = Town { statics: number(1, default.statics), detail: number(2, default.detail) };
    let guard = Guard::new(Overwrite::Allow);
    let mut sink = FolderSink::new(folder, std::sync::Arc::new(guard));
    town(&mut sink, wanted).expect("the town can be made");
    sink.finish().expect("the files are written");
}

//! Editing one field, one folder and one entry, compared with `info --full` of the same file.

use std::fs;
use std::path::Path;

use antiquary::scpcb::rmesh::RMesh;
use antiquary::session::FieldEdit;
use antiquary::{
    ArchiveOptions, DescribeOptions, Detail, Input, Inputs, Overwrite, PackOptions, Report, Session,
    UnpackOptions, scpcb,
};
use benches::{Measures, criterion, retail, seconds};

/// Maximum duration of an edit, relative to `info --full`.
const GOAL: f64 = 3.0;

/// A room of 1.5 MB: the sample room with repeated surfaces.
fn room() -> Vec<u8> {
    let mut files = antiquary::asset::MemorySink::new();
    scpcb::sample::write(&mut files).expect("the sample is written");
    let file = files.into_files().into_iter().find(|(name, _)| name == scpcb::sample::ROOM);
    let (_, bytes) = file.expect("the sample has a room");
    let mut room = RMesh::read(&bytes, &mut Report::new()).expect("the sample's room is well-formed");
    let surfaces = room.surfaces.clone();
    while room.surfaces.len() * bytes.len() / surfaces.len() < 1_500_000 {
        room.surfaces.extend(surfaces.iter().cloned());
    }
    room.write().expect("the room can be written")
}

/// A texture bank of typical size.
fn bank() -> Vec<u8> {
    let mut files = antiquary::asset::MemorySink::new();
    retail::write(&mut files).expect("the install is written");
    let file = files.into_files().into_iter().find(|(name, _)| name.ends_with("TEXBSI.302"));
    file.expect("the install has the bank").1
}

fn main() {
    let work = std::env::temp_dir().join(format!("antiquary-bench-edit-{}", std::process::id()));
    fs::create_dir_all(&work).expect("the folder can be created");
    let session = Session::default().overwrite(Overwrite::Allow).threads(1);
    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("edit");
    let files = [
        ("room.rmesh", room(), "surfaces[0].texture.name=new.png"),
        ("TEXBSI.302", bank(), "entries[0].image.sections[1].Header.x_offset=7"),
    ];
    for (name, bytes, field) in &files {
        let path = work.join(name);
        fs::write(&path, bytes).expect("the file is written");
        let inputs = Inputs::collect(std::slice::from_ref(&path));
        group.bench_function(format!("info {name}"), |bench| {
            bench.iter(|| {
                let run = session
                    .describe(&inputs, &DescribeOptions::default().detail(Detail::Full))
                    .expect("the file is described");
                serde_json::to_string(&run.outcomes[0].description).expect("a description is JSON").len()
            });
        });
        let assignments = [FieldEdit::assign(field).expect("an assignment")];
        group.bench_function(format!("set {name}"), |bench| {
            bench.iter(|| session.set(&Input::file(&path), &assignments, 10).expect("the field can be set"));
        });
        let (unpacked, packed) = (work.join(format!("{name}.unpacked")), work.join(format!("packed-{name}")));
        session.unpack(&path, &unpacked, &UnpackOptions::default()).expect("the file can be unpacked");
        group.bench_function(format!("pack {name}"), |bench| {
            bench.iter(|| {
                session.pack(&unpacked, &packed, &PackOptions::default()).expect("the folder can be packed")
            });
        });
    }
    let (bank, image) = (work.join("TEXBSI.302"), work.join("image.bsi"));
    write_entry(&bank, &image);
    let replaced = work.join("replaced.302");
    group.bench_function("replace TEXBSI.302", |bench| {
        bench.iter(|| {
            session
                .replace(&bank, "0", &image, &replaced, &ArchiveOptions::default())
                .expect("the entry can be replaced")
        });
    });
    group.finish();
    criterion.final_summary();
    fs::remove_dir_all(&work).expect("the folder can be removed");

    let mut measures = Measures::new();
    for (command, name) in [
        ("set", "room.rmesh"),
        ("pack", "room.rmesh"),
        ("set", "TEXBSI.302"),
        ("pack", "TEXBSI.302"),
        ("replace", "TEXBSI.302"),
    ] {
        let times = (seconds("edit", &format!("{command} {name}")), seconds("edit", &format!("info {name}")));
        if let (Some(edit), Some(info)) = times {
            let what = format!("{command} {name}, against info --full");
            measures.add_with_goal(&what, info / edit, "times its speed", 1.0 / GOAL);
        }
    }
    measures.write("edit");
}

/// Writes the first entry of an archive into a file.
fn write_entry(archive: &Path, out: &Path) {
    let opened = antiquary::open(archive).expect("the archive opens");
    let archive = opened.format.archive_of(&*opened.asset).expect("it is an archive");
    let entry = archive.open(0).expect("the entry opens");
    fs::write(out, entry.read_all().expect("the entry can be read")).expect("the entry is written");
}

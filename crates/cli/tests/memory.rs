//! The promise on memory, and with `--full` on time: at most 64 MB, eight times the file and four times what is written, whatever its lists
//! are like, for each format and command. Every list of every specimen is grown until the file has some megabytes; what a command takes is the
//! peak of its process.
#![cfg(all(test, unix))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    reason = "a test may panic"
)]

#[path = "memory/load.rs"]
mod load;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use antiquary::asset::MemorySink;
use antiquary::json::Value;
use antiquary::{Can, Error, PackOptions, Session, UnpackOptions, sample};
use wait4::Wait4;

/// What the program may take besides eight times the file.
const BASE: u64 = 64 << 20;

/// How large the files are made.
fn goal() -> u64 {
    if corpus::is_full() { 12 << 20 } else { 1 << 20 }
}

/// The text of a record of no more bytes is packed: a file of few bytes can have a long record.
const LONGEST_RECORD: usize = 48 << 20;

/// So many lists can be grown, or the test tests too little. Some cannot be grown so far that the files are long.
fn fewest_lists() -> usize {
    if corpus::is_full() { 140 } else { 150 }
}

/// The commands that are run on each file; in the place of `@` stands a new folder.
const COMMANDS: [&[&str]; 8] = [
    &["info", "--full"],
    &["info", "--full", "--json"],
    &["check", "--json"],
    &["diff", "specimen"],
    &["convert", "-o", "@/"],
    &["unpack", "-o", "@"],
    &["list"],
    &["find", "e"],
];

/// A step from a value to a part of it.
#[derive(Debug, Clone)]
enum Step {
    Member(String),
    Item(usize),
}

type Way = Vec<Step>;

fn at<'v>(value: &'v mut Value, way: &[Step]) -> Option<&'v mut Value> {
    way.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get_mut(name),
        Step::Item(index) => value.get_mut(*index),
    })
}

/// The ways to all lists, of alike ones to the first.
fn lists(value: &Value, way: &Way, out: &mut Vec<Way>) {
    let further = |step| [way.as_slice(), &[step]].concat();
    match value {
        Value::Array(items) => {
            // A few numbers are a position or a color.
            if items.len() > 4 || items.first().is_some_and(|item| !item.is_number()) {
                out.push(way.clone());
            }
            if let Some(first) = items.first() {
                lists(first, &further(Step::Item(0)), out);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                lists(value, &further(Step::Member(name.clone())), out);
            }
        }
        _ => {}
    }
}

/// How many items a list must have, if that is what an error says: `expected 38 items, found 7`.
fn expected(message: &str) -> Option<usize> {
    message.split_once("expected ")?.1.split_once(" items")?.0.replace(',', "").parse().ok()
}

fn text_of(way: &Way) -> String {
    let text = way.iter().map(|step| match step {
        Step::Member(name) => format!(".{name}"),
        Step::Item(index) => format!("[{index}]"),
    });
    text.collect::<String>().trim_start_matches('.').to_owned()
}

/// An unpacked file whose lists can be grown.
struct Specimen {
    name: String,
    folder: PathBuf,
    record: Value,
    length: u64,
}

impl Specimen {
    /// Packs the file with each of its lists as long as it can be made, into a folder for each.
    fn grow(&self, into: &Path) {
        let mut ways = Vec::new();
        lists(&self.record, &Vec::new(), &mut ways);
        for way in &ways {
            let _ = self.grow_list(way, into);
        }
    }

    /// `None` when it cannot be made long.
    fn grow_list(&self, way: &Way, into: &Path) -> Option<()> {
        let mut grown = vec![(way.clone(), None)];
        let mut times = 64;
        // Lists that must be as long are grown with it; then it is made longer by what is missing.
        for _ in 0..24 {
            let folder = into.join(format!("{}-{}", self.name.replace('/', "-"), text_of(way)));
            let out = folder.join(self.name.rsplit('/').next()?);
            match self.pack(&grown, times, &out) {
                Ok(length) if length >= goal() / 2 => {
                    // Lists of a length of their own would not fit the shorter one.
                    grown.truncate(1);
                    let _ = self.pack(&grown, times / 8, &folder.join(EIGHTH).join(out.file_name()?));
                    return Some(());
                }
                Ok(length) => {
                    let more = length.saturating_sub(self.length).max(1) / times;
                    times = (goal() / more.max(1)).clamp(times * 2, times * 256);
                    grown.truncate(1);
                }
                Err(Packed::TooLong) => {
                    println!("{}: too long a record at {times} times", text_of(way));
                    return None;
                }
                Err(Packed::Refused(error)) => {
                    println!("{} {times}: {error}", text_of(way));
                    let expected = expected(error.message()).filter(|_| !error.path().is_empty())?;
                    let other = self.list_of(&error.path())?;
                    match grown.iter_mut().skip(1).find(|(way, _)| text_of(way) == text_of(&other)) {
                        Some((_, length)) => *length = Some(expected),
                        None => grown.push((other, Some(expected))),
                    }
                }
            }
        }
        None
    }

    /// The list that an error names. Where the record says by a member which form something has, the path of the error does not.
    fn list_of(&self, path: &str) -> Option<Way> {
        let mut ways = Vec::new();
        lists(&self.record, &Vec::new(), &mut ways);
        let (first, last) = path.rsplit_once('.').unwrap_or(("", path));
        let mut found = ways.into_iter().filter(|way| {
            let text = text_of(way);
            text == path || (text.starts_with(first) && text.ends_with(&format!(".{last}")))
        });
        found.next()
    }

    /// Packs the file with lists that are so many times as long, or of a given length.
    fn pack(&self, ways: &[(Way, Option<usize>)], times: u64, out: &Path) -> Result<u64, Packed> {
        let mut record = self.record.clone();
        for (way, length) in ways {
            let Some(Value::Array(items)) = at(&mut record, way) else { return Err(Packed::TooLong) };
            let each = serde_json::to_vec(items).unwrap().len() / items.len().max(1);
            let length = length.unwrap_or(items.len() * usize::try_from(times).unwrap());
            if each.saturating_mul(length) > LONGEST_RECORD || items.is_empty() {
                return Err(Packed::TooLong);
            }
            *items = std::mem::take(items).into_iter().cycle().take(length).collect();
        }
        fs::create_dir_all(out.parent().unwrap()).unwrap();
        fs::write(self.folder.join("record.json"), serde_json::to_vec(&record).unwrap()).unwrap();
        let strictness = antiquary::Strictness::AllowDamaged;
        let session =
            Session::default().overwrite(antiquary::Overwrite::Allow).threads(1).strictness(strictness);
        session.pack(&self.folder, out, &PackOptions::default()).map_err(Packed::Refused)?;
        Ok(fs::metadata(out).unwrap().len())
    }
}

/// The folder with the same file whose list has an eighth of the items.
const EIGHTH: &str = "eighth";

/// Why a grown file is not there.
enum Packed {
    TooLong,
    Refused(Error),
}

/// What a run of the program took.
struct Took {
    /// The most memory, in bytes.
    memory: u64,
    time: Duration,
    code: Option<i32>,
}

fn run(arguments: &[&str], folder: &Path) -> Took {
    let mut command = Command::new(env!("CARGO_BIN_EXE_antiquary"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let ended = command.spawn().unwrap().wait4().unwrap();
    Took { memory: ended.rusage.maxrss, time: ended.rusage.utime, code: ended.status.code() }
}

/// With a list eight times as long, a command may take this many times as long: twice the growth, and more than that is more than linear.
const SLOWEST: u32 = 16;

/// What is over so soon says nothing, and so much may come of what else the machine does.
const SHORTEST: Duration = Duration::from_millis(400);

/// How many bytes there are in a folder, in how many files.
fn written(folder: &Path) -> (u64, u64) {
    let entries = fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    let each = entries.map(|entry| match entry.metadata().unwrap() {
        about if about.is_dir() => written(&entry.path()),
        about => (about.len(), 1),
    });
    each.fold((0, 0), |(bytes, files), (more, others)| (bytes + more, files + others))
}

/// Runs every command on a file, and tells which took more than is promised.
fn measure(file: &Path, specimen: &Path, wrong: &Mutex<Vec<String>>) {
    let length = fs::metadata(file).unwrap().len();
    let (folder, name) = (file.parent().unwrap(), file.file_name().unwrap().to_str().unwrap());
    for command in COMMANDS {
        let out = tempfile::tempdir().unwrap();
        let out = out.path().join("out");
        let place = |word: &&'static str| match *word {
            "@" => out.to_str().unwrap().to_owned(),
            "@/" => format!("{}/", out.to_str().unwrap()),
            "specimen" => specimen.to_str().unwrap().to_owned(),
            word => word.to_owned(),
        };
        let mut arguments: Vec<_> = command.iter().map(place).collect();
        arguments.insert(1, name.to_owned());
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let Took { memory: took, time, code } = run(&arguments, folder);
        let (bytes, files) = written(&out);
        let eighth = folder.join(EIGHTH);
        if corpus::is_full() && time > SHORTEST && eighth.join(name).exists() {
            let _ = fs::remove_dir_all(&out);
            let before = run(&arguments, &eighth).time;
            if time > before * SLOWEST + SHORTEST {
                wrong.lock().unwrap().push(format!(
                    "{} of {}: {time:?}, but {before:?} with an eighth of the items",
                    command.join(" "),
                    folder.display()
                ));
            }
        }
        let allowed = BASE + 8 * length + 4 * bytes + 2048 * files;
        let says = format!(
            "{} of {} ({length} bytes): {took} bytes, {:.2} of what is promised, exit code {code:?}",
            command.join(" "),
            file.strip_prefix(folder.parent().unwrap()).unwrap().display(),
            took as f64 / allowed as f64,
        );
        if took > allowed || !matches!(code, Some(0 | 1)) {
            wrong.lock().unwrap().push(says);
        } else if took * 4 > allowed * 3 {
            println!("{says}");
        }
    }
}

/// Grows the lists of the specimen that the environment names. A program of its own: what a process takes counts for those that it starts.
#[test]
#[ignore = "started by the test below"]
fn grow() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let name = std::env::var(SPECIMEN).unwrap();
    let file = place.join("specimens").join(&name);
    let folder = place.join("unpacked").join(&name);
    if !antiquary::open(&file).unwrap().format.can(Can::Pack)
        || Session::default().unpack(&file, &folder, &UnpackOptions::default()).is_err()
    {
        return;
    }
    let record = antiquary::json::from_slice(&fs::read(folder.join("record.json")).unwrap()).unwrap();
    let specimen = Specimen { name, folder, record, length: fs::metadata(&file).unwrap().len() };
    specimen.grow(&place.join("grown"));
}

/// Tells [`grow`] where to work, and on which specimen.
const PLACE: &str = "ANTIQUARY_GROW_PLACE";
const SPECIMEN: &str = "ANTIQUARY_GROW_SPECIMEN";

/// Runs a test of this program in a process of its own.
fn run_apart(test: &str, place: &Path, specimen: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", test]).stdout(Stdio::null());
    let ended = command.env(PLACE, place).env(SPECIMEN, specimen).status().unwrap();
    assert!(ended.success(), "{test} {specimen}");
}

/// Grows a specimen in another process, and measures all that came of it. Tells how many that are.
fn grow_and_measure(place: &Path, name: &str, wrong: &Mutex<Vec<String>>) -> usize {
    run_apart("grow", place, name);
    let grown = place.join("grown");
    let prefix = format!("{}-", name.replace('/', "-"));
    let mut count = 0;
    for folder in fs::read_dir(&grown).into_iter().flatten() {
        let folder = folder.unwrap().path();
        if !folder.file_name().unwrap().to_str().unwrap().starts_with(&prefix) {
            continue;
        }
        let file = folder.join(name.rsplit('/').next().unwrap());
        if fs::metadata(&file).is_ok_and(|about| about.len() >= goal() / 2) {
            count += 1;
            measure(&file, &place.join("specimens").join(name), wrong);
        }
        fs::remove_dir_all(folder).unwrap();
    }
    count
}

#[test]
fn every_list_of_every_format_can_be_long() {
    let place = tempfile::tempdir().unwrap();
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    for (path, bytes) in sink.files() {
        let file = place.path().join("specimens").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, bytes).unwrap();
    }
    let (wrong, next, lists) = (Mutex::new(Vec::new()), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, _)) = sink.files().get(next.fetch_add(1, Ordering::Relaxed)) {
                    let grown = grow_and_measure(place.path(), name, &wrong);
                    lists.fetch_add(grown, Ordering::Relaxed);
                }
            });
        }
    });
    let (wrong, lists) = (wrong.into_inner().unwrap(), lists.into_inner());
    println!("{lists} lists were grown");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(lists >= fewest_lists(), "only {lists} lists could be grown");
}

/// Writes an archive of zeros, packed a thousand times.
#[test]
#[ignore = "started by the test below"]
fn write_bombs() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let entries: Vec<_> = ["rsm", "b3d", "3DC", "COL", "GXA", "bmp", "rsm2", "SAV"]
        .map(|extension| (format!("data/model/bomb.{extension}"), vec![0; 64 << 20]))
        .into();
    fs::write(place.join(BOMBS), antiquary::ragnarok::grf::write(&entries).unwrap()).unwrap();
}

const BOMBS: &str = "bombs.grf";

#[test]
fn what_is_packed_does_not_multiply() {
    let place = tempfile::tempdir().unwrap();
    run_apart("write_bombs", place.path(), BOMBS);
    let allowed = BASE + 8 * fs::metadata(place.path().join(BOMBS)).unwrap().len();
    for command in [
        &["scan", "-j", "4", BOMBS] as &[&str],
        &["check", "-j", "4", BOMBS],
        &["convert", "-j", "4", BOMBS, "-o", "converted"],
        &["extract", "-j", "4", BOMBS, "-o", "extracted"],
        &["diff", BOMBS, BOMBS],
    ] {
        let took = run(command, place.path());
        assert!(took.memory <= allowed, "{command:?}: {} bytes of {allowed}", took.memory);
        assert!(matches!(took.code, Some(0 | 1)), "{command:?}: {:?}", took.code);
    }
}

/// How long the file of zeros is.
const ZEROS: u64 = 1 << 30;

/// Formats without a signature whose files of zeros are sound as far as they go, and those that are read to tell what comes behind.
const READ_WHOLE: [&str; 4] = ["sav", "tsg", "bsi", "302"];

#[test]
fn a_large_file_that_is_none_is_refused_by_its_start() {
    let place = tempfile::tempdir().unwrap();
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    let name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let names: BTreeMap<_, _> = sink
        .files()
        .iter()
        .map(|(path, _)| (name(path).rsplit('.').next().unwrap().to_lowercase(), name(path)))
        .filter(|(extension, _)| !READ_WHOLE.contains(&extension.as_str()))
        .collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names.values() {
        let path = place.path().join(name);
        fs::File::create(&path).unwrap().set_len(ZEROS).unwrap();
        let took = run(&["check", name], place.path());
        assert!(took.memory <= BASE, "{name}: {} bytes", took.memory);
        assert_eq!(took.code, Some(1), "{name}");
        fs::remove_file(path).unwrap();
    }
}

//! The memory limit, and with `--full` the time limit: at most 64 MB, eight times the file and four times the output, for lists of any
//! length, for each format and command. Every list of every specimen is grown until the file has several megabytes; the memory of a
//! command is the peak of its process.
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

/// Memory allowed in addition to eight times the file, in bytes.
const BASE: u64 = 64 << 20;

/// Target size of the grown files, in bytes.
fn target_size() -> u64 {
    if corpus::is_full() { 12 << 20 } else { 1 << 20 }
}

/// Maximum size of the text of a record to pack, in bytes: a small file can have a long record.
const MAX_RECORD_BYTES: usize = 48 << 20;

/// Minimum number of lists that must be growable for the test to be meaningful. Some lists cannot be grown to large files.
fn min_lists() -> usize {
    if corpus::is_full() { 140 } else { 150 }
}

/// Commands run on each file; `@` is replaced by a new folder.
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

/// A step from a value to one of its members or items.
#[derive(Debug, Clone)]
enum Step {
    Member(String),
    Item(usize),
}

type ValuePath = Vec<Step>;

fn at<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get_mut(name),
        Step::Item(index) => value.get_mut(*index),
    })
}

/// Collects the paths of all lists; of several similar ones, the first.
fn lists(value: &Value, path: &ValuePath, out: &mut Vec<ValuePath>) {
    let further = |step| [path.as_slice(), &[step]].concat();
    match value {
        Value::Array(items) => {
            // A few numbers are a position or a color.
            if items.len() > 4 || items.first().is_some_and(|item| !item.is_number()) {
                out.push(path.clone());
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

/// The number of items a list must have, if the error message specifies it: `expected 38 items, found 7`.
fn expected(message: &str) -> Option<usize> {
    message.split_once("expected ")?.1.split_once(" items")?.0.replace(',', "").parse().ok()
}

fn display_path(path: &ValuePath) -> String {
    let text = path.iter().map(|step| match step {
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
    /// Packs the file once for each of its lists, grown as much as possible, each into its own folder.
    fn grow(&self, into: &Path) {
        let mut paths = Vec::new();
        lists(&self.record, &Vec::new(), &mut paths);
        for path in &paths {
            let _ = self.grow_list(path, into);
        }
    }

    /// Returns `None` if the list cannot be grown.
    fn grow_list(&self, path: &ValuePath, into: &Path) -> Option<()> {
        let mut grown = vec![(path.clone(), None)];
        let mut times = 64;
        // Lists that must have the same length are grown too; then the list is grown to reach the target size.
        for _ in 0..24 {
            let folder = into.join(format!("{}-{}", self.name.replace('/', "-"), display_path(path)));
            let out = folder.join(self.name.rsplit('/').next()?);
            match self.pack(&grown, times, &out) {
                Ok(length) if length >= target_size() / 2 => {
                    // Lists with a fixed length would not fit the shorter list.
                    grown.truncate(1);
                    let _ = self.pack(&grown, times / 8, &folder.join(EIGHTH).join(out.file_name()?));
                    return Some(());
                }
                Ok(length) => {
                    let more = length.saturating_sub(self.length).max(1) / times;
                    times = (target_size() / more.max(1)).clamp(times * 2, times * 256);
                    grown.truncate(1);
                }
                Err(PackError::TooLong) => {
                    println!("{}: too long a record at {times} times", display_path(path));
                    return None;
                }
                Err(PackError::Refused(error)) => {
                    println!("{} {times}: {error}", display_path(path));
                    let expected = expected(error.message()).filter(|_| !error.path().is_empty())?;
                    let other = self.list_of(&error.path())?;
                    match grown
                        .iter_mut()
                        .skip(1)
                        .find(|(path, _)| display_path(path) == display_path(&other))
                    {
                        Some((_, length)) => *length = Some(expected),
                        None => grown.push((other, Some(expected))),
                    }
                }
            }
        }
        None
    }

    /// The list that an error names. If a member of the record selects the form of a value, the path of the error does not contain it.
    fn list_of(&self, error_path: &str) -> Option<ValuePath> {
        let mut paths = Vec::new();
        lists(&self.record, &Vec::new(), &mut paths);
        let (first, last) = error_path.rsplit_once('.').unwrap_or(("", error_path));
        let mut found = paths.into_iter().filter(|path| {
            let text = display_path(path);
            text == error_path || (text.starts_with(first) && text.ends_with(&format!(".{last}")))
        });
        found.next()
    }

    /// Packs the file with lists multiplied by `times`, or of a given length.
    fn pack(&self, paths: &[(ValuePath, Option<usize>)], times: u64, out: &Path) -> Result<u64, PackError> {
        let mut record = self.record.clone();
        for (path, length) in paths {
            let Some(Value::Array(items)) = at(&mut record, path) else { return Err(PackError::TooLong) };
            let each = serde_json::to_vec(items).unwrap().len() / items.len().max(1);
            let length = length.unwrap_or(items.len() * usize::try_from(times).unwrap());
            if each.saturating_mul(length) > MAX_RECORD_BYTES || items.is_empty() {
                return Err(PackError::TooLong);
            }
            *items = std::mem::take(items).into_iter().cycle().take(length).collect();
        }
        fs::create_dir_all(out.parent().unwrap()).unwrap();
        fs::write(self.folder.join("record.json"), serde_json::to_vec(&record).unwrap()).unwrap();
        let strictness = antiquary::Strictness::AllowDamaged;
        let session =
            Session::default().overwrite(antiquary::Overwrite::Allow).threads(1).strictness(strictness);
        session.pack(&self.folder, out, &PackOptions::default()).map_err(PackError::Refused)?;
        Ok(fs::metadata(out).unwrap().len())
    }
}

/// Folder with the same file, whose list has an eighth of the items.
const EIGHTH: &str = "eighth";

/// The reason that a file could not be grown.
enum PackError {
    TooLong,
    Refused(Error),
}

/// Resources used by a run of the program.
struct Usage {
    /// Peak memory, in bytes.
    memory: u64,
    time: Duration,
    code: Option<i32>,
}

fn run(arguments: &[&str], folder: &Path) -> Usage {
    let mut command = Command::new(env!("CARGO_BIN_EXE_antiquary"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.spawn().unwrap().wait4().unwrap();
    Usage { memory: status.rusage.maxrss, time: status.rusage.utime, code: status.status.code() }
}

/// Maximum slowdown with a list eight times as long: twice the growth; above that, the time is not linear.
const MAX_SLOWDOWN: u32 = 16;

/// Shorter times are not compared, and are within the noise of the machine.
const MIN_TIME: Duration = Duration::from_millis(400);

/// The number of bytes and files in a folder.
fn written(folder: &Path) -> (u64, u64) {
    let entries = fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    let each = entries.map(|entry| match entry.metadata().unwrap() {
        about if about.is_dir() => written(&entry.path()),
        about => (about.len(), 1),
    });
    each.fold((0, 0), |(bytes, files), (more, others)| (bytes + more, files + others))
}

/// Runs every command on a file and collects those that exceed the limits.
fn measure(file: &Path, specimen: &Path, violations: &Mutex<Vec<String>>) {
    let length = fs::metadata(file).unwrap().len();
    let (folder, name) = (file.parent().unwrap(), file.file_name().unwrap().to_str().unwrap());
    for command in COMMANDS {
        let out = tempfile::tempdir().unwrap();
        let out = out.path().join("out");
        let substitute = |word: &&'static str| match *word {
            "@" => out.to_str().unwrap().to_owned(),
            "@/" => format!("{}/", out.to_str().unwrap()),
            "specimen" => specimen.to_str().unwrap().to_owned(),
            word => word.to_owned(),
        };
        let mut arguments: Vec<_> = command.iter().map(substitute).collect();
        arguments.insert(1, name.to_owned());
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let Usage { memory: usage, time, code } = run(&arguments, folder);
        let (bytes, files) = written(&out);
        let eighth = folder.join(EIGHTH);
        if corpus::is_full() && time > MIN_TIME && eighth.join(name).exists() {
            let _ = fs::remove_dir_all(&out);
            let before = run(&arguments, &eighth).time;
            if time > before * MAX_SLOWDOWN + MIN_TIME {
                violations.lock().unwrap().push(format!(
                    "{} of {}: {time:?}, but {before:?} with an eighth of the items",
                    command.join(" "),
                    folder.display()
                ));
            }
        }
        let allowed = BASE + 8 * length + 4 * bytes + 2048 * files;
        let report = format!(
            "{} of {} ({length} bytes): {usage} bytes, {:.2} of the limit, exit code {code:?}",
            command.join(" "),
            file.strip_prefix(folder.parent().unwrap()).unwrap().display(),
            usage as f64 / allowed as f64,
        );
        if usage > allowed || !matches!(code, Some(0 | 1)) {
            violations.lock().unwrap().push(report);
        } else if usage * 4 > allowed * 3 {
            println!("{report}");
        }
    }
}

/// Grows the lists of the specimen given by the environment. Runs in a separate process, because the memory of a process includes that of
/// its parent.
#[test]
#[ignore = "started by the test below"]
fn grow() {
    let Some(work_dir) = std::env::var_os(WORK_DIR).map(PathBuf::from) else { return };
    let name = std::env::var(SPECIMEN).unwrap();
    let file = work_dir.join("specimens").join(&name);
    let folder = work_dir.join("unpacked").join(&name);
    if !antiquary::open(&file).unwrap().format.can(Can::Pack)
        || Session::default().unpack(&file, &folder, &UnpackOptions::default()).is_err()
    {
        return;
    }
    let record = antiquary::json::from_slice(&fs::read(folder.join("record.json")).unwrap()).unwrap();
    let specimen = Specimen { name, folder, record, length: fs::metadata(&file).unwrap().len() };
    specimen.grow(&work_dir.join("grown"));
}

/// Environment variables that pass the working folder and the specimen to [`grow`].
const WORK_DIR: &str = "ANTIQUARY_GROW_PLACE";
const SPECIMEN: &str = "ANTIQUARY_GROW_SPECIMEN";

/// Runs a test of this program in a separate process.
fn run_in_process(test: &str, work_dir: &Path, specimen: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", test]).stdout(Stdio::null());
    let status = command.env(WORK_DIR, work_dir).env(SPECIMEN, specimen).status().unwrap();
    assert!(status.success(), "{test} {specimen}");
}

/// Grows a specimen in another process and measures all results. Returns their number.
fn grow_and_measure(work_dir: &Path, name: &str, violations: &Mutex<Vec<String>>) -> usize {
    run_in_process("grow", work_dir, name);
    let grown = work_dir.join("grown");
    let prefix = format!("{}-", name.replace('/', "-"));
    let mut count = 0;
    for folder in fs::read_dir(&grown).into_iter().flatten() {
        let folder = folder.unwrap().path();
        if !folder.file_name().unwrap().to_str().unwrap().starts_with(&prefix) {
            continue;
        }
        let file = folder.join(name.rsplit('/').next().unwrap());
        if fs::metadata(&file).is_ok_and(|about| about.len() >= target_size() / 2) {
            count += 1;
            measure(&file, &work_dir.join("specimens").join(name), violations);
        }
        fs::remove_dir_all(folder).unwrap();
    }
    count
}

#[test]
fn stays_within_the_limits_for_long_lists() {
    let work_dir = tempfile::tempdir().unwrap();
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    for (path, bytes) in sink.files() {
        let file = work_dir.path().join("specimens").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, bytes).unwrap();
    }
    let (violations, next, lists) = (Mutex::new(Vec::new()), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, _)) = sink.files().get(next.fetch_add(1, Ordering::Relaxed)) {
                    let grown = grow_and_measure(work_dir.path(), name, &violations);
                    lists.fetch_add(grown, Ordering::Relaxed);
                }
            });
        }
    });
    let (violations, lists) = (violations.into_inner().unwrap(), lists.into_inner());
    println!("{lists} lists were grown");
    assert!(violations.is_empty(), "{}", violations.join("\n"));
    assert!(lists >= min_lists(), "only {lists} lists could be grown");
}

/// Writes an archive of zeros, compressed by a factor of a thousand.
#[test]
#[ignore = "started by the test below"]
fn write_bombs() {
    let Some(work_dir) = std::env::var_os(WORK_DIR).map(PathBuf::from) else { return };
    let entries: Vec<_> = ["rsm", "b3d", "3DC", "COL", "GXA", "bmp", "rsm2", "SAV"]
        .map(|extension| (format!("data/model/bomb.{extension}"), vec![0; 64 << 20]))
        .into();
    fs::write(work_dir.join(BOMBS), antiquary::ragnarok::grf::write(&entries).unwrap()).unwrap();
}

const BOMBS: &str = "bombs.grf";

#[test]
fn stays_within_the_limits_for_highly_compressed_archives() {
    let work_dir = tempfile::tempdir().unwrap();
    run_in_process("write_bombs", work_dir.path(), BOMBS);
    let allowed = BASE + 8 * fs::metadata(work_dir.path().join(BOMBS)).unwrap().len();
    for command in [
        &["scan", "-j", "4", BOMBS] as &[&str],
        &["check", "-j", "4", BOMBS],
        &["convert", "-j", "4", BOMBS, "-o", "converted"],
        &["extract", "-j", "4", BOMBS, "-o", "extracted"],
        &["diff", BOMBS, BOMBS],
    ] {
        let usage = run(command, work_dir.path());
        assert!(usage.memory <= allowed, "{command:?}: {} bytes of {allowed}", usage.memory);
        assert!(matches!(usage.code, Some(0 | 1)), "{command:?}: {:?}", usage.code);
    }
}

/// Length of the file of zeros, in bytes.
const ZEROS: u64 = 1 << 30;

/// Formats without a signature for which files of zeros are valid as far as they go, and those that are read completely to detect trailing
/// data.
const READ_COMPLETELY: [&str; 4] = ["sav", "tsg", "bsi", "302"];

#[test]
fn refuses_a_large_file_of_zeros_by_its_start() {
    let work_dir = tempfile::tempdir().unwrap();
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    let name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let names: BTreeMap<_, _> = sink
        .files()
        .iter()
        .map(|(path, _)| (name(path).rsplit('.').next().unwrap().to_lowercase(), name(path)))
        .filter(|(extension, _)| !READ_COMPLETELY.contains(&extension.as_str()))
        .collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names.values() {
        let path = work_dir.path().join(name);
        fs::File::create(&path).unwrap().set_len(ZEROS).unwrap();
        let usage = run(&["check", name], work_dir.path());
        assert!(usage.memory <= BASE, "{name}: {} bytes", usage.memory);
        assert_eq!(usage.code, Some(1), "{name}");
        fs::remove_file(path).unwrap();
    }
}

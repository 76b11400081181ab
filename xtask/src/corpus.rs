//! `cargo xtask corpus`: the public game files that some tests read. They are not part of the project.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use crate::{Chore, Result, paths};

pub(crate) static CHORE: Chore = Chore {
    name: "corpus",
    arguments: "",
    about: "shows the path and contents of the corpus of public game files, and the tests that read it",
    run: chore,
};

/// A game of the corpus that is converted completely.
pub(crate) struct Game {
    /// Its folder.
    pub(crate) folder: &'static str,
    /// The files and folders to convert; the entire folder if empty.
    pub(crate) inputs: &'static [&'static str],
    /// The prefix of the ids of its formats.
    pub(crate) id: &'static str,
    /// The minimum number of scenes that must be written.
    pub(crate) scenes: usize,
    /// Prefixes of the names of malformed files, whose conversion must fail.
    pub(crate) refused: &'static [&'static str],
}

/// The games whose files can be converted so far.
pub(crate) static GAMES: &[Game] = &[
    Game { folder: "scpcb", inputs: &[], id: "scpcb", scenes: 98, refused: &[] },
    Game { folder: "rsm", inputs: &[], id: "ragnarok", scenes: 52, refused: &["bad_"] },
    // The folder also contains malformed files, which have separate tests.
    Game {
        folder: "redguard",
        inputs: &["fxart", "3dart", "maps", "system", "fonts", "sound", "ENGLISH.RTX", "REDGUARD.CHT"],
        id: "redguard",
        scenes: 29,
        refused: &[],
    },
];

/// The default path, relative to the root of the project.
const DEFAULT: &str = "../shared/corpus";

/// The environment variable that overrides the default path.
const VARIABLE: &str = "ANTIQUARY_CORPUS";

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("unexpected argument {argument}; corpus takes none").into());
    }
    println!("Path of the corpus: {} (to change it, set {VARIABLE})", location().display());
    match find()? {
        Some(corpus) => print!("{}", inventory(&corpus)?),
        None => println!("{}", missing()),
    }
    println!("\nRead by:");
    for reader in readers()? {
        println!("  {reader}");
    }
    println!("  cargo xtask test: converts and validates entire games");
    println!("  cargo xtask fuzz: uses small files as seeds");
    Ok(ExitCode::SUCCESS)
}

/// The folder of the corpus, if it exists.
///
/// # Errors
/// If the environment variable names a folder that does not exist.
pub(crate) fn find() -> Result<Option<PathBuf>> {
    let location = location();
    if location.is_dir() {
        return Ok(Some(location.canonicalize()?));
    }
    if is_named() {
        return Err(format!("{VARIABLE} is {}, which is not a folder", location.display()).into());
    }
    Ok(None)
}

/// The message if there is no corpus.
pub(crate) fn missing() -> String {
    format!("no corpus was found in {}, so no test read a file of a game", location().display())
}

/// Sets the environment variable of a command to the folder of the corpus, if it exists.
pub(crate) fn set_variable(command: &mut Command) -> Result<()> {
    if let Some(corpus) = find()? {
        command.env(VARIABLE, corpus);
    }
    Ok(())
}

fn location() -> PathBuf {
    paths::root().join(env::var_os(VARIABLE).filter(|_| is_named()).unwrap_or_else(|| DEFAULT.into()))
}

fn is_named() -> bool {
    env::var_os(VARIABLE).is_some_and(|named| !named.is_empty())
}

/// Numbers of files by extension, folder by folder.
fn inventory(corpus: &Path) -> Result<String> {
    let mut out = String::new();
    for (folder, kinds) in kinds(corpus)? {
        let total: usize = kinds.values().sum();
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by(|(_, a), (_, b)| b.cmp(a));
        let shown: Vec<_> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        out.push_str(&format!("\n{folder}: {total} files\n  {}\n", shown.join(", ")));
    }
    Ok(out)
}

/// The number of files of each extension in each folder.
fn kinds(corpus: &Path) -> Result<BTreeMap<String, BTreeMap<String, usize>>> {
    let mut out: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for path in paths::files_recursive(corpus, |_| true)? {
        let below = path.strip_prefix(corpus).unwrap_or(&path);
        let folder = below.parent().and_then(|parent| parent.iter().next()).unwrap_or_default();
        let kind = match paths::extension(&path) {
            extension if extension.is_empty() => "without extension".to_owned(),
            // Numbered files count as one extension.
            extension if extension.bytes().all(|byte| byte.is_ascii_digit()) => ".###".to_owned(),
            extension => format!(".{extension}"),
        };
        let count = out.entry(folder.to_string_lossy().into_owned()).or_default().entry(kind).or_default();
        *count += 1;
    }
    Ok(out)
}

/// The sources of the project that read files of the corpus, with the folders they read.
fn readers() -> Result<Vec<String>> {
    let mut out = Vec::new();
    for folder in ["crates", "benches"] {
        for path in paths::files_recursive(&paths::root().join(folder), is_source)? {
            let source = fs::read_to_string(&path)?;
            let folders = source.split("corpus::folder(\"").skip(1).filter_map(|rest| rest.split('"').next());
            let folders: BTreeSet<_> = folders.collect();
            if !folders.is_empty() {
                let folders: Vec<_> = folders.into_iter().collect();
                out.push(format!("{}: {}", paths::short(&path), folders.join(", ")));
            }
        }
    }
    Ok(out)
}

fn is_source(path: &Path) -> bool {
    paths::extension(path) == "rs"
}

//! `cargo xtask corpus`: the public game files that some tests read. They are not part of the project.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use crate::{Chore, Result, place};

pub(crate) static CHORE: Chore = Chore {
    name: "corpus",
    arguments: "",
    about: "tells where the corpus of public game files is looked for, what is in it and which tests read it",
    run: chore,
};

/// A game in the corpus that is converted whole.
pub(crate) struct Game {
    /// Its folder.
    pub(crate) folder: &'static str,
    /// What is converted in it; the whole folder when nothing is named.
    pub(crate) inputs: &'static [&'static str],
    /// The name that its formats begin with.
    pub(crate) id: &'static str,
    /// The least number of files that must become scenes.
    pub(crate) scenes: usize,
    /// How the names of files begin that are made to be refused.
    pub(crate) refused: &'static [&'static str],
}

/// The games whose files can be converted so far.
pub(crate) static GAMES: &[Game] = &[
    Game { folder: "scpcb", inputs: &[], id: "scpcb", scenes: 98, refused: &[] },
    Game { folder: "rsm", inputs: &[], id: "ragnarok", scenes: 52, refused: &["bad_"] },
    // Beside them stand malformed files, which tests of their own read.
    Game {
        folder: "redguard",
        inputs: &["fxart", "3dart", "maps", "system", "fonts", "sound", "ENGLISH.RTX", "REDGUARD.CHT"],
        id: "redguard",
        scenes: 29,
        refused: &[],
    },
];

/// Where it is looked for when nothing else is said, seen from the project's folder.
const DEFAULT: &str = "../shared/corpus";

/// The variable that says where it is.
const VARIABLE: &str = "ANTIQUARY_CORPUS";

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("corpus does not know {argument}").into());
    }
    println!("The corpus is looked for in {} ({VARIABLE} says otherwise).", place().display());
    match find()? {
        Some(corpus) => print!("{}", inventory(&corpus)?),
        None => println!("{}", missing()),
    }
    println!("\nWhat reads it:");
    for reader in readers()? {
        println!("  {reader}");
    }
    println!("  cargo xtask test: whole games are converted and validated");
    println!("  cargo xtask fuzz: small files are what it begins with");
    Ok(ExitCode::SUCCESS)
}

/// The corpus, when there is one.
///
/// # Errors
/// When the user says where it is, and it is not there.
pub(crate) fn find() -> Result<Option<PathBuf>> {
    let place = place();
    if place.is_dir() {
        return Ok(Some(place.canonicalize()?));
    }
    if is_named() {
        return Err(format!("{VARIABLE} says {}, which is no folder", place.display()).into());
    }
    Ok(None)
}

/// What to say when there is none.
pub(crate) fn missing() -> String {
    format!("there is no corpus in {}: no test read a real file", place().display())
}

/// Lets a command know where the corpus is, if there is one.
pub(crate) fn tell(command: &mut Command) -> Result<()> {
    if let Some(corpus) = find()? {
        command.env(VARIABLE, corpus);
    }
    Ok(())
}

fn place() -> PathBuf {
    place::root().join(env::var_os(VARIABLE).filter(|_| is_named()).unwrap_or_else(|| DEFAULT.into()))
}

fn is_named() -> bool {
    env::var_os(VARIABLE).is_some_and(|named| !named.is_empty())
}

/// What is in it, folder by folder.
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
    for path in place::files_recursive(corpus, |_| true)? {
        let below = path.strip_prefix(corpus).unwrap_or(&path);
        let folder = below.parent().and_then(|parent| parent.iter().next()).unwrap_or_default();
        let kind = match place::extension(&path) {
            extension if extension.is_empty() => "without extension".to_owned(),
            // Numbered files are of one kind.
            extension if extension.bytes().all(|byte| byte.is_ascii_digit()) => ".###".to_owned(),
            extension => format!(".{extension}"),
        };
        let count = out.entry(folder.to_string_lossy().into_owned()).or_default().entry(kind).or_default();
        *count += 1;
    }
    Ok(out)
}

/// The project's sources that ask for files of the corpus, with the folders they ask for.
fn readers() -> Result<Vec<String>> {
    let mut out = Vec::new();
    for folder in ["crates", "benches"] {
        for path in place::files_recursive(&place::root().join(folder), is_source)? {
            let source = fs::read_to_string(&path)?;
            let asked = source.split("corpus::folder(\"").skip(1).filter_map(|rest| rest.split('"').next());
            let asked: BTreeSet<_> = asked.collect();
            if !asked.is_empty() {
                let asked: Vec<_> = asked.into_iter().collect();
                out.push(format!("{}: {}", place::short(&path), asked.join(", ")));
            }
        }
    }
    Ok(out)
}

fn is_source(path: &Path) -> bool {
    place::extension(path) == "rs"
}

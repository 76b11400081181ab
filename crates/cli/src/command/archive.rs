//! `antiquary archive`: adds, removes, renames and merges the files of archives.

use std::path::{Path, PathBuf};

use antiquary::operation::{ArchiveResult, schema};
use antiquary::session::{ArchiveEdit, ArchiveOutput, EditedArchive, EntryChange, EntryChangeKind, Patterns};
use antiquary::{ArchiveOptions, Outcome, Severity};
use clap::{Args, Subcommand};

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::counted;
use crate::outcome::{write_details, write_findings, write_headline};
use crate::run::{
    CompressionArguments, DryRunArguments, EditArguments, GameArguments, is_dash, or_json, overwrite,
    print_json, session,
};
use crate::style::TITLE;
use crate::terminal::{self, Verbosity};

/// Add, remove and rename files in an archive, or merge archives
///
/// Files that are not affected keep their bytes. The result is written to a new archive (-o) or, with --in-place, to the archive itself,
/// and is verified by reading it back.
///
/// Archives of files (.grf): new data is appended and the header is written last, so that an interruption leaves the old archive intact.
/// The space of removed and replaced files stays in the archive unless --compact is given. Archives of sounds, dialogue lines, models and
/// images (.sfx, .rtx, .rob, TEXBSI): a WAV, text, model, scene or image file becomes an entry named after the file. `antiquary formats`
/// lists the formats that support `archive`.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Add a folder to an archive" => "archive add data.{archive} my-mod/ -o patched.{archive}",
    "Remove all bitmaps of a folder" => "archive remove data.{archive} 'data/texture/effect/*.bmp' --in-place",
    "Rename a file" => "archive rename data.{archive} data/old.txt data/new.txt -o patched.{archive}",
    "Merge patches into an archive, the last one on top" => "archive merge data.{archive} one.{archive} two.{archive} -o merged.{archive}",
    "Add a model to the models of a map" => "archive add ISLAND.ROB lighthouse.glb --name LHOUSE02 -o mod/",
    "Add a line of dialogue with its voice" => "archive add ENGLISH.RTX ab12.txt ab12.wav -o mod/",
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// The operation.
#[derive(Debug, Subcommand)]
enum Task {
    /// Add files and folders, replacing existing ones
    ///
    /// A folder is added with all its files, each under its path in the folder. Names are stored in the charset of the game.
    ///
    /// In archives of sounds, dialogue lines, models and images, the name of a file selects the entry: a tag for dialogue, a number for
    /// sounds and images, a name of at most eight characters for models. A sound with any other name is appended.
    Add {
        /// An archive
        #[arg(value_name = "ARCHIVE")]
        archive: PathBuf,
        /// Files and folders to add
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Add the files to this folder in the archive
        #[arg(long, value_name = "DIR", default_value = "", hide_default_value = true)]
        folder: String,
        /// Name in the archive, for a single file
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        compression: CompressionArguments,
        #[command(flatten)]
        common: Common,
    },
    /// Remove files
    ///
    /// PATTERN works as in `antiquary list`, which shows what would be removed. The extension of a name is optional, and an entry can also
    /// be selected by its number.
    ///
    /// A sound that is followed by other sounds becomes silent instead, so that the numbers of the others do not change.
    Remove {
        /// An archive
        #[arg(value_name = "ARCHIVE")]
        archive: PathBuf,
        /// Files to remove
        #[arg(value_name = "PATTERN", required = true)]
        patterns: Vec<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Rename files and folders
    ///
    /// Several pairs of names can be given: old, new, old, new. A folder is renamed with all its files. If a new name ends with a slash,
    /// the file is moved to that folder.
    Rename {
        /// An archive
        #[arg(value_name = "ARCHIVE")]
        archive: PathBuf,
        /// Pairs of an old and a new name
        #[arg(value_names = ["OLD", "NEW"], required = true, num_args = 2..)]
        names: Vec<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Merge other archives into an archive
    ///
    /// All files of the other archives are added with unchanged bytes; the last archive takes precedence. Files that a patch marks as
    /// removed are removed. Without other archives, the archive is only copied, or compacted with --compact.
    Merge {
        /// An archive
        #[arg(value_name = "ARCHIVE")]
        archive: PathBuf,
        /// Archives to merge into it, in order
        #[arg(value_name = "OTHER")]
        others: Vec<PathBuf>,
        #[command(flatten)]
        common: Common,
    },
}

/// Arguments of all operations.
#[derive(Debug, Args)]
struct Common {
    /// Output file, or a folder to keep the name of the archive
    #[arg(short, long = "output", value_name = "OUT", required_unless_present = "in_place")]
    out: Option<PathBuf>,
    /// Modify the archive itself
    #[arg(long, conflicts_with = "out")]
    in_place: bool,
    /// Reclaim the space of removed and replaced files
    #[arg(long)]
    compact: bool,
    /// Overwrite OUT if it exists
    #[arg(short, long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    strict: EditArguments,
    #[command(flatten)]
    dry: DryRunArguments,
}

pub(super) fn run(
    arguments: Arguments,
    options: &[(String, String)],
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let mut options = ArchiveOptions::default().options(options);
    let (archive, edit, common) = match arguments.task {
        Task::Add { archive, files, folder, name, compression, common } => {
            options = options.compression(compression.compression());
            (archive, Ok(ArchiveEdit::Add { files, folder, name }), common)
        }
        Task::Remove { archive, patterns, common } => {
            (archive, Patterns::parse(&patterns).map(ArchiveEdit::Remove).map_err(Fault::from), common)
        }
        Task::Rename { archive, names, common } => (archive, pairs(&names).map(ArchiveEdit::Rename), common),
        Task::Merge { archive, others, common } => (archive, Ok(ArchiveEdit::Merge(others)), common),
    };
    let json = common.json;
    or_json(
        json,
        schema::ARCHIVE,
        edit.and_then(|edit| edit_archive(&archive, &edit, options, common, verbosity)),
    )
}

fn pairs(names: &[String]) -> Result<Vec<(String, String)>, Fault> {
    let (pairs, rest) = names.as_chunks::<2>();
    if let [alone] = rest {
        return Err(Fault::usage(format!(
            "\"{}\" has no new name; give old and new names in pairs",
            Escaped(alone)
        )));
    }
    Ok(pairs.iter().map(|[old, new]| (old.clone(), new.clone())).collect())
}

fn edit_archive(
    archive: &Path,
    edit: &ArchiveEdit,
    options: ArchiveOptions,
    common: Common,
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let Common { out, in_place: _, compact, force, json, games, strict, dry } = common;
    if is_dash(archive) || out.as_deref().is_some_and(is_dash) {
        return Err(Fault::usage("- is not supported here: the archive and the output must be files"));
    }
    let output = out.map_or(ArchiveOutput::InPlace, ArchiveOutput::File);
    let session = dry.apply(strict.apply(games.apply(session()))).overwrite(overwrite(force));
    let edited = session.edit_archive(archive, edit, &output, &options.compact(compact));
    let edited = edited.unwrap_or_else(|error| EditedArchive::failed(Outcome::failed(archive, &error)));
    if json {
        print_json(&ArchiveResult::new(&edited, session.writing))?;
    } else if verbosity > Verbosity::Quiet || !edited.outcome.ok {
        report(&edited, dry.dry_run, verbosity);
    }
    Ok(Verdict::failed_if(!edited.outcome.ok))
}

fn report(EditedArchive { changes, outcome, .. }: &EditedArchive, dry_run: bool, verbosity: Verbosity) {
    terminal::message(|out| {
        let Some(path) = outcome.outputs.first().filter(|_| outcome.ok) else {
            write_headline(out, outcome)?;
            return write_details(out, outcome);
        };
        if verbosity == Verbosity::Verbose || dry_run {
            for EntryChange { name, what } in changes {
                match what {
                    EntryChangeKind::Added => writeln!(out, "  + {}", Escaped(name))?,
                    EntryChangeKind::Replaced => writeln!(out, "  * {}", Escaped(name))?,
                    EntryChangeKind::Removed => writeln!(out, "  - {}", Escaped(name))?,
                    EntryChangeKind::Emptied => writeln!(out, "  0 {}", Escaped(name))?,
                    EntryChangeKind::Renamed { to } => {
                        writeln!(out, "  {} -> {}", Escaped(name), Escaped(to))?;
                    }
                }
            }
        }
        let would = if dry_run { "would be written to" } else { "->" };
        let bytes = outcome.length.filter(|_| !dry_run);
        let bytes =
            bytes.map(|length| format!(" ({})", counted(length, "byte", "bytes"))).unwrap_or_default();
        let (input, path) = (Escaped(&outcome.input), Escaped(path));
        writeln!(out, "{TITLE}{input}{TITLE:#}: {} {would} {path}{bytes}", summary(changes))?;
        write_findings(out, outcome, Severity::Note)
    });
}

/// `2 added, 1 replaced`.
fn summary(changes: &[EntryChange]) -> String {
    let count =
        |matches: fn(&EntryChangeKind) -> bool| changes.iter().filter(|change| matches(&change.what)).count();
    let counts = [
        (count(|kind| *kind == EntryChangeKind::Added), "added"),
        (count(|kind| *kind == EntryChangeKind::Replaced), "replaced"),
        (count(|kind| *kind == EntryChangeKind::Removed), "removed"),
        (count(|kind| *kind == EntryChangeKind::Emptied), "emptied"),
        (count(|kind| matches!(kind, EntryChangeKind::Renamed { .. })), "renamed"),
    ];
    let shown = counts.iter().filter(|(count, _)| *count > 0);
    let shown: Vec<_> =
        shown.map(|(count, what)| format!("{} {what}", counted(*count, "file", "files"))).collect();
    if shown.is_empty() { "nothing to change".to_owned() } else { shown.join(", ") }
}

//! `antiquary pack`: an unpacked folder as a file again, a plain folder as an archive, or a scene as a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use antiquary::{Error, Failure, Job, Outcome, Overwrite, Report, Run, Severity};
use clap::Args;

use crate::fault::{Fault, Verdict};
use crate::outcome::{write_conversion, write_findings, write_headline, write_hints, write_verdict};
use crate::run::{DryRunArguments, StrictArguments, is_dash, or_json, print_json};
use crate::terminal::{self, Loudness};

const SCHEMA: &str = "antiquary/pack/1";

/// Pack a folder that was unpacked, a plain folder, or a scene
///
/// Makes a file from a folder that `antiquary unpack` made. What was not edited gives the bytes it came from; of what was edited only that
/// changes, and the lengths and offsets that follow from it. When a view and what it shows were both edited, nothing is packed: it cannot be
/// known which is meant.
///
/// A scene, a .glb or .gltf file from `antiquary convert` or from another program, becomes a file of the format that has the extension of FILE.
/// What that format cannot hold is told. `antiquary formats` says which formats can be imported.
///
/// Any other folder becomes an archive of the files in it, if FILE has the extension of an archive: data/model/x.rsm in the folder is
/// data\model\x.rsm in the archive.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Into a file" => "pack example/ -o edited.{extension}",
    "Into a folder, under the name it had" => "pack example/ -o mod/",
    "Over an older one" => "pack example/ -o edited.{extension} --force",
    "From a scene that was edited in Blender" => "pack example.glb -o edited.{extension}",
    "A plain folder as an archive that a game loads" => "pack my-mod/ -o my-mod.{archive}",
))]
pub(crate) struct Arguments {
    /// A folder that was unpacked, any folder (into an archive), or a .glb or .gltf file
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A file, or a folder in which the file gets the name it had; - is standard output
    #[arg(short, long = "output", value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it is there already
    #[arg(short, long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    dry: DryRunArguments,
    #[command(flatten)]
    strict: StrictArguments,
}

pub(super) fn run(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, pack(arguments, loudness))
}

fn pack(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    let overwrite = if arguments.force { Overwrite::Allow } else { Overwrite::Refuse };
    let job = arguments.dry.apply(arguments.strict.apply(Job { overwrite, ..Job::default() }));
    if is_dash(&arguments.out) && arguments.dry.dry_run {
        return Err(Fault::usage("--dry-run tells which file would be written, but -o - writes none"));
    }
    if is_dash(&arguments.out) {
        return stream(&job, arguments, loudness);
    }
    let outcome = job.pack(&arguments.folder, &arguments.out);
    let outcome = outcome.unwrap_or_else(|error| failed(&arguments.folder, &error));
    if arguments.json {
        let run = Run { outcomes: vec![outcome], ..Run::default() };
        return print_json(SCHEMA, &run, arguments.dry.member());
    }
    arguments.dry.print(&outcome)?;
    if !arguments.dry.dry_run || !outcome.ok || !outcome.warnings.is_empty() {
        tell(&outcome, loudness);
    }
    Ok(Verdict::unless(!outcome.ok))
}

/// Packs to standard output.
fn stream(job: &Job, arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    if arguments.json {
        return Err(Fault::usage(
            "--json and -o - both write to standard output: choose a file for one of them",
        ));
    }
    if terminal::output_is_seen() {
        return Err(Fault::usage(
            "what is packed is not text, and a terminal shows text only: send it to a file with > FILE",
        ));
    }
    let packed = job.pack_to_memory(&arguments.folder);
    let (outcome, bytes) = packed.unwrap_or_else(|error| (failed(&arguments.folder, &error), Vec::new()));
    if outcome.ok {
        let mut out = terminal::raw_output();
        out.write_all(&bytes)?;
        out.flush()?;
    }
    if !outcome.ok || !outcome.warnings.is_empty() {
        tell(&outcome, loudness);
    }
    Ok(Verdict::unless(!outcome.ok))
}

/// What came of a folder that cannot be packed.
pub(super) fn failed(folder: &Path, error: &Error) -> Outcome {
    Outcome {
        input: folder.to_string_lossy().into_owned(),
        format: None,
        length: None,
        ok: false,
        description: None,
        entries: None,
        outputs: Vec::new(),
        written: None,
        warnings: Report::new(),
        error: Some(Failure::from(error)),
        only_told: false,
    }
}

fn tell(outcome: &Outcome, loudness: Loudness) {
    if outcome.ok && loudness == Loudness::Quiet {
        return;
    }
    terminal::message(|out| {
        match outcome.ok {
            true => write_conversion(out, outcome)?,
            false => write_headline(out, outcome)?,
        }
        write_findings(out, outcome, Severity::Note)?;
        write_verdict(out, outcome)?;
        write_hints(out, std::slice::from_ref(outcome))
    });
}

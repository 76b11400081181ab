//! `antiquary pack`: builds a file from an unpacked folder, a plain folder or a scene.

use std::io::Write;
use std::path::PathBuf;

use antiquary::operation::{RunResult, schema};
use antiquary::{Outcome, PackOptions, Run, Session};
use clap::Args;

use crate::fault::{Fault, Verdict};
use crate::outcome::{write_conversion, write_details, write_headline};
use crate::run::{
    CompressionArguments, DryRunArguments, EditArguments, GameArguments, is_dash, or_json, overwrite,
    print_json, session,
};
use crate::terminal::{self, Verbosity};

/// Build a file from an unpacked folder, a plain folder or a scene
///
/// From a folder created by `antiquary unpack`, builds the file again. Without edits, the result is identical to the original; with edits,
/// only the edited fields and the lengths and offsets that depend on them change. Editing both a view and the data it was generated from
/// is an error.
///
/// From a scene (a .glb or .gltf file written by `antiquary convert` or another program), builds a file of the format with the extension
/// of OUT. Data that the format cannot represent is reported. `antiquary formats` lists the formats that support `import`. Files that the
/// new file references, such as textures, are written next to it; existing ones are never replaced.
///
/// From any other folder, builds an archive of its files if OUT has the extension of an archive: data/model/x.rsm in the folder becomes
/// data\model\x.rsm in the archive.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Build a file" => "pack example/ -o edited.{extension}",
    "Keep the original name, in another folder" => "pack example/ -o mod/",
    "Overwrite an existing file" => "pack example/ -o edited.{extension} --force",
    "Build a file from a scene edited in Blender" => "pack example.glb -o edited.{extension}",
    "Keep lights that Blender dropped" => "pack example.glb --base example.{extension} --keep lights -o edited.{extension}",
    "Build an archive from a plain folder" => "pack my-mod/ -o my-mod.{archive}",
))]
pub(crate) struct Arguments {
    /// An unpacked folder, a plain folder (for an archive), or a .glb or .gltf file
    #[arg(value_name = "DIR|SCENE")]
    folder: PathBuf,
    /// Output file, or a folder to keep the original file name; - is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// File that the scene was converted from: it supplies data that scenes cannot represent, and missing objects are reported
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// Overwrite OUT if it exists
    #[arg(short, long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    compression: CompressionArguments,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    dry: DryRunArguments,
    #[command(flatten)]
    strict: EditArguments,
}

pub(super) fn run(
    arguments: &Arguments,
    options: &[(String, String)],
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::PACK, pack(arguments, options, verbosity))
}

fn pack(arguments: &Arguments, options: &[(String, String)], verbosity: Verbosity) -> Result<Verdict, Fault> {
    let session = arguments.dry.apply(arguments.strict.apply(arguments.games.clone().apply(session())));
    let session = session.overwrite(overwrite(arguments.force));
    let mut options =
        PackOptions::default().options(options).compression(arguments.compression.compression());
    options.base.clone_from(&arguments.base);
    if is_dash(&arguments.out) && arguments.dry.dry_run {
        return Err(Fault::usage("--dry-run cannot be combined with -o -, which writes no file"));
    }
    if is_dash(&arguments.out) {
        return stream(&session, &options, arguments, verbosity);
    }
    let outcome = session.pack(&arguments.folder, &arguments.out, &options);
    let outcome = outcome.unwrap_or_else(|error| Outcome::failed(&arguments.folder, &error));
    if arguments.json {
        let run = Run::from(outcome);
        return print_json(&RunResult::new(schema::PACK, &run, session.writing));
    }
    arguments.dry.print(&outcome)?;
    if !arguments.dry.dry_run || !outcome.ok || !outcome.warnings.is_empty() {
        report(&outcome, verbosity);
    }
    Ok(Verdict::failed_if(!outcome.ok))
}

/// Packs to standard output.
fn stream(
    session: &Session<'_>,
    options: &PackOptions,
    arguments: &Arguments,
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    if arguments.json {
        return Err(Fault::usage("--json and -o - cannot be combined: both write to standard output"));
    }
    if terminal::output_is_terminal() {
        return Err(Fault::usage(
            "the output is a binary file; redirect it with > FILE instead of printing it to the terminal",
        ));
    }
    let packed = session.pack_to_memory(&arguments.folder, options);
    let (outcome, bytes) =
        packed.unwrap_or_else(|error| (Outcome::failed(&arguments.folder, &error), Vec::new()));
    if outcome.ok {
        let mut out = terminal::raw_output();
        out.write_all(&bytes)?;
        out.flush()?;
    }
    if !outcome.ok || !outcome.warnings.is_empty() {
        report(&outcome, verbosity);
    }
    Ok(Verdict::failed_if(!outcome.ok))
}

fn report(outcome: &Outcome, verbosity: Verbosity) {
    if outcome.ok && verbosity == Verbosity::Quiet {
        return;
    }
    terminal::message(|out| {
        match outcome.ok {
            true => write_conversion(out, outcome)?,
            false => write_headline(out, outcome)?,
        }
        write_details(out, outcome)
    });
}

//! `antiquary set`: changes fields of a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use antiquary::diff::MAX_CHANGES;
use antiquary::operation::{SetResult, schema};
use antiquary::session::{Edited, FieldEdit};
use antiquary::{Inputs, Outcome, Session, Severity};
use clap::Args;

use crate::change::write_change;
use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::{counted, thousands};
use crate::outcome::{print_report, write_conversion, write_details, write_findings, write_headline};
use crate::run::{EditArguments, input, inputs, is_dash, or_json, overwrite, print_json, session, writing};
use crate::terminal::{self, Verbosity};

/// Change fields of files
///
/// Writes a copy of each file with the given fields changed, including the lengths and offsets that depend on them. PATH is the path of a
/// field as shown by `antiquary info`, `hex`, `diff` and `check`, like surfaces[0].texture.name; list indices start at 0. VALUE is JSON;
/// quotes around a string are optional.
///
/// A `*` matches any item or member: surfaces[*].texture.name. entities[+]=VALUE appends an item to a list, and entities[+2]=VALUE inserts one
/// before item 2; entities[-1] is the last item. --copy appends a copy of an item to its list, and --remove removes items; both use the
/// indices of the original file and are applied before values are set.
///
/// With several files or a folder, -o is a folder; files without such a field are skipped.
///
/// It is an error if a value does not fit the field, or if `info --full` lists the field as derived from others. Binary data is given as
/// hexadecimal digits; to edit images and sounds, use `antiquary unpack`.
#[derive(Debug, Args)]
#[command(
    override_usage = "antiquary set [OPTIONS] --output <OUT> <FILE>... <PATH=VALUE>...",
    after_long_help = examples!(
        "Change a texture" => "set example.{extension} 'surfaces[0].texture.name=wall.png' -o edited.{extension}",
        "Change several fields" => "set example.{extension} 'surfaces[0].vertices[0].position=[0, 2.5, 0]' 'surfaces[0].texture.kind=3' -o edited.{extension}",
        "Preview a change of a field in all files of a folder" => "set maps/ 'surfaces[*].texture.name=wall.png' -o mod/ --dry-run",
        "Remove an item" => "set example.{extension} --remove 'entities[2]' -o edited.{extension}",
        "Copy an item and change the copy" => "set example.{extension} --copy 'entities[2]' 'entities[-1].position=[0, 2, 0]' -o edited.{extension}",
        "List the fields" => "info --full example.{extension}",
    )
)]
pub(crate) struct Arguments {
    /// Files and folders, then fields and their new values; - as a file is standard input
    #[arg(value_name = "FILE|PATH=VALUE", required = true)]
    what: Vec<PathBuf>,
    /// Append a copy of an item to its list; can be repeated
    #[arg(long, value_name = "PATH")]
    copy: Vec<String>,
    /// Remove an item of a list or a member of an object; can be repeated
    #[arg(long, value_name = "PATH")]
    remove: Vec<String>,
    /// Output file, or a folder to keep the file names; - is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// Overwrite existing files
    #[arg(short, long)]
    force: bool,
    /// Show what would change without writing it
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    strict: EditArguments,
}

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::SET, set(arguments, verbosity))
}

fn set(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let Arguments { what, copy, remove, force, dry_run, strict, .. } = arguments;
    let (files, edits) = files_and_edits(what, (copy, remove))?;
    let session = strict.apply(session()).overwrite(overwrite(*force)).writing(writing(*dry_run));
    match files.as_slice() {
        [file] if !file.is_dir() => set_one(file, &edits, &session, arguments, verbosity),
        _ => set_several(&inputs(&files)?, &edits, &session, arguments, verbosity),
    }
}

/// Splits the arguments into files and edits. An argument that exists is a file.
fn files_and_edits(
    what: &[PathBuf],
    (copy, remove): (&[String], &[String]),
) -> Result<(Vec<PathBuf>, Vec<FieldEdit>), Fault> {
    let copies = copy.iter().map(|path| FieldEdit::copy(path));
    let removals = remove.iter().map(|path| FieldEdit::remove(path));
    let mut edits = copies.chain(removals).collect::<Result<Vec<_>, _>>()?;
    let options = edits.len();
    let mut files = Vec::new();
    for argument in what {
        match argument.to_str().filter(|text| text.contains('=') && !argument.exists()) {
            Some(text) => edits.push(FieldEdit::assign(text)?),
            None if files.is_empty() || edits.len() == options => files.push(argument.clone()),
            None => {
                return Err(FieldEdit::assign(&argument.to_string_lossy())
                    .map_or_else(Fault::from, |_| Fault::usage("files must come before fields")));
            }
        }
    }
    match (files.is_empty(), edits.is_empty()) {
        (true, _) => Err(Fault::usage("no input file given")),
        (_, true) => Err(Fault::usage(
            "nothing to change: give fields as PATH=VALUE, or items with --copy or --remove",
        )),
        _ => Ok((files, edits)),
    }
}

fn set_one(
    file: &Path,
    edits: &[FieldEdit],
    session: &Session<'_>,
    arguments: &Arguments,
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let Arguments { out, dry_run, json, .. } = arguments;
    let streams = is_dash(out);
    if streams && *json && !*dry_run {
        return Err(Fault::usage("--json and -o - cannot be combined: both write to standard output"));
    }
    if streams && !*dry_run && terminal::output_is_terminal() {
        return Err(Fault::usage(
            "the output is a binary file; redirect it with > FILE instead of printing it to the terminal",
        ));
    }
    let edited = session.set(&input(file)?, edits, MAX_CHANGES);
    let edited = match streams {
        true => edited,
        false => edited.and_then(|edited| session.write_edited(edited, out)),
    };
    let edited = edited.unwrap_or_else(|error| Edited::failed(Outcome::failed(file, &error)));
    if streams && !*dry_run && edited.outcome.ok {
        let mut out = terminal::raw_output();
        out.write_all(&edited.bytes)?;
        out.flush()?;
    }
    if *json {
        return print_json(&SetResult::new(&[edited], 0, session.writing));
    }
    report(&edited, *dry_run, verbosity)?;
    Ok(Verdict::failed_if(!edited.outcome.ok))
}

fn set_several(
    inputs: &Inputs,
    edits: &[FieldEdit],
    session: &Session<'_>,
    arguments: &Arguments,
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let Arguments { out, dry_run, json, .. } = arguments;
    if is_dash(out) || out.is_file() {
        return Err(Fault::usage("several files need an output folder: write -o DIR/"));
    }
    let (mut all, mut changed, mut failed) = (Vec::new(), 0_u64, 0_u64);
    let left_alone = session.set_all((inputs, edits), MAX_CHANGES, out, &mut |edited| {
        let count = if edited.outcome.ok { &mut changed } else { &mut failed };
        *count += 1;
        if *json {
            all.push(Edited::without_bytes(edited));
            return Ok::<_, Fault>(());
        }
        report_one_of_several(edited, *dry_run, verbosity)
    })?;
    if verbosity > Verbosity::Quiet {
        print_report(&inputs.warnings());
    }
    let is_nothing = changed == 0 && failed == 0;
    if *json {
        print_json(&SetResult::new(&all, left_alone, session.writing))?;
    } else if verbosity > Verbosity::Quiet || is_nothing {
        terminal::message(|out| {
            let files = |count| counted(count, "file", "files");
            match is_nothing {
                true => writeln!(out, "no file has this field ({} unchanged)", files(left_alone)),
                false => writeln!(
                    out,
                    "{} changed, {} failed, {} unchanged",
                    files(changed),
                    thousands(failed),
                    thousands(left_alone)
                ),
            }
        });
    }
    Ok(Verdict::failed_if(failed > 0 || is_nothing))
}

/// Reports one of several files. With `--dry-run`, the changes are printed below the name of the file.
pub(super) fn report_one_of_several(
    edited: &Edited,
    dry_run: bool,
    verbosity: Verbosity,
) -> Result<(), Fault> {
    if !dry_run || !edited.outcome.ok {
        return report(edited, dry_run, verbosity);
    }
    let mut out = terminal::output();
    write_conversion(&mut out, &edited.outcome)?;
    write_changes(&mut out, edited)?;
    out.flush()?;
    terminal::message(|out| write_findings(out, &edited.outcome, Severity::Note));
    Ok(())
}

/// Reports an edited file. With `--dry-run`, the changes are data for standard output; otherwise they are a message.
fn report(edited: &Edited, dry_run: bool, verbosity: Verbosity) -> Result<(), Fault> {
    if dry_run && edited.outcome.ok {
        let mut out = terminal::output();
        write_changes(&mut out, edited)?;
        out.flush()?;
    }
    let outcome = &edited.outcome;
    if outcome.ok && verbosity == Verbosity::Quiet {
        return Ok(());
    }
    terminal::message(|out| {
        match (outcome.ok, dry_run) {
            (true, false) if !outcome.outputs.is_empty() => write_conversion(out, outcome)?,
            (true, true) => match outcome.outputs.first() {
                Some(path) => writeln!(out, "would be written to {} (dry run)", Escaped(path))?,
                None => writeln!(out, "nothing written (dry run)")?,
            },
            (true, false) => {}
            (false, _) => write_headline(out, outcome)?,
        }
        if outcome.ok && !dry_run && (verbosity == Verbosity::Verbose || edited.changes.is_empty()) {
            write_changes(out, edited)?;
        }
        write_details(out, outcome)
    });
    Ok(())
}

fn write_changes(out: &mut dyn Write, edited: &Edited) -> std::io::Result<()> {
    edited.changes.iter().try_for_each(|change| write_change(out, change, 2))?;
    match (edited.changes.len(), edited.more) {
        (0, 0) => writeln!(out, "  no changes: the file already has these values"),
        (_, 0) => Ok(()),
        (_, more) => writeln!(out, "  ... and {} more", thousands(more)),
    }
}

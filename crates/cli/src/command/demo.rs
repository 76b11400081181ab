//! `antiquary demo`: sample games, and what can be done with them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use antiquary::asset::{FolderSink, Guard};
use antiquary::{CATALOGUE, Destination, Error, GAMES, Inputs, Job, Overview, Overwrite};
use clap::Args;

use crate::command::scan::write_scan;
use crate::fault::{Fault, Verdict};
use crate::number::{count_of, counted};
use crate::outcome::{write_conversion, write_findings, write_headline};
use crate::run::DryRunArguments;
use crate::shown::Shown;
use crate::style::{ERROR, QUIET, TITLE};
use crate::terminal::{self, Loudness, Output};

/// Where the converted games go.
const CONVERTED: &str = "converted";

/// Make small sample games and show what can be done with them
///
/// Writes a folder for each game, made by the program itself, and does with it what one does with a real one: scans it, checks it, converts
/// it into files of today, with a page that shows them all. Then it says where everything is and how to look at it. Nothing is downloaded, nothing outside the folder is touched.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "In the current folder, as antiquary-demo" => "demo",
    "Somewhere else" => "demo -o games/demo",
    "Once more, over what is there" => "demo --force",
))]
pub(crate) struct Arguments {
    /// The folder to make
    #[arg(short, long = "output", value_name = "DIR", default_value = "antiquary-demo")]
    out: PathBuf,
    /// Replace files that are there already
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    dry: DryRunArguments,
}

pub(super) fn run(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    let folder = &arguments.out;
    let occupied = folder.symlink_metadata().is_ok() && !is_empty_folder(folder);
    if occupied && !arguments.force {
        let what = "is there already: --force replaces its files, -o chooses another folder";
        return Err(Error::usage(what).in_file(folder).into());
    }
    let overwrite = if arguments.force { Overwrite::Allow } else { Overwrite::Refuse };
    let job = arguments.dry.apply(Job { overwrite, ..Job::default() });
    let mut sink = FolderSink::new(folder, Arc::new(Guard::new(overwrite).with(job.writing)));
    antiquary::sample::write(CATALOGUE, &mut sink)?;
    let written = sink.finish()?;
    let mut out = terminal::output();
    if arguments.dry.dry_run {
        // What becomes of them cannot be told without them.
        written.iter().try_for_each(|path| writeln!(out, "{}", Shown(&path.to_string_lossy())))?;
        writeln!(out, "{}", Shown(&folder.join(CONVERTED).join("...").to_string_lossy()))?;
        out.flush()?;
        return Ok(Verdict::Well);
    }
    let written = count_of(written.len());
    writeln!(
        out,
        "{TITLE}{}{TITLE:#}: {} ({}), made by this program",
        Shown(&folder.to_string_lossy()),
        counted(count_of(GAMES.len()), "sample game", "sample games"),
        counted(written, "file", "files")
    )?;
    let mut verdict = Verdict::Well;
    for game in GAMES {
        if show(&mut out, &job, folder, game.id, loudness)? == Verdict::Failed {
            verdict = Verdict::Failed;
        }
    }
    if convert(&mut out, &job, folder)? == Verdict::Failed {
        verdict = Verdict::Failed;
    }
    write_how_to_look(&mut out, folder)?;
    out.flush()?;
    Ok(verdict)
}

/// Does with one game what one does with a game.
fn show(
    out: &mut Output,
    job: &Job,
    folder: &Path,
    game: &str,
    loudness: Loudness,
) -> Result<Verdict, Fault> {
    let files = folder.join(game);
    let inputs = Inputs::gather(std::slice::from_ref(&files));
    write_command(out, &["scan", &files.to_string_lossy()])?;
    write_scan(out, &job.scan(&files, &())?, loudness)?;

    write_command(out, &["check", &files.to_string_lossy()])?;
    let checked = job.check(&inputs, &())?;
    for outcome in &checked.outcomes {
        write_headline(out, outcome)?;
        write_findings(out, outcome, antiquary::Severity::Note)?;
    }
    Ok(Verdict::unless(checked.failed() > 0))
}

/// Converts all games at once, into one folder with one gallery.
fn convert(out: &mut Output, job: &Job, folder: &Path) -> Result<Verdict, Fault> {
    let games: Vec<_> = GAMES.iter().map(|game| folder.join(game.id)).collect();
    let converted = folder.join(CONVERTED);
    let shown: Vec<_> = games.iter().map(|game| game.to_string_lossy().into_owned()).collect();
    let end = ["-o".to_owned(), converted.to_string_lossy().into_owned()];
    let words = ["convert".to_owned()].into_iter().chain(shown).chain(end);
    write_command(out, &words.collect::<Vec<_>>())?;
    let job = Job { overview: Overview::Gallery, ..job.clone() };
    let run = job.convert(&Inputs::gather(&games), &Destination::Folder(converted), &())?;
    for outcome in &run.outcomes {
        write_conversion(out, outcome)?;
    }
    if let Some(failure) = run.gallery.as_ref().and_then(|page| page.error.as_ref()) {
        writeln!(out, "{ERROR}error{ERROR:#}: {}", Shown(&failure.sentence))?;
    }
    Ok(Verdict::unless(!run.is_well()))
}

/// The command that does the same as what follows.
fn write_command(out: &mut Output, words: &[impl AsRef<str>]) -> Result<(), Fault> {
    let quoted: Vec<_> = words.iter().map(|word| quote(word.as_ref())).collect();
    Ok(writeln!(out, "\n{QUIET}${QUIET:#} {TITLE}antiquary {}{TITLE:#}", quoted.join(" "))?)
}

/// A word as a shell takes it.
fn quote(word: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_./:\\".contains(character);
    if word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", Shown(word).to_string().replace('\'', "'\\''"))
}

fn write_how_to_look(out: &mut Output, folder: &Path) -> Result<(), Fault> {
    let converted = folder.join(CONVERTED);
    let gallery = converted.join("index.html");
    let (converted, gallery) = (converted.to_string_lossy(), gallery.to_string_lossy());
    writeln!(out, "\n{TITLE}How to look at it{TITLE:#}")?;
    writeln!(
        out,
        "  Open {TITLE}{}{TITLE:#} in a browser: it shows all that was converted.",
        Shown(&gallery)
    )?;
    writeln!(out, "  The converted files are in {}.", Shown(&converted))?;
    writeln!(
        out,
        "  Scenes open in Blender (File > Import > glTF), in Windows 3D Viewer, and in a browser at"
    )?;
    writeln!(
        out,
        "  https://gltf-viewer.donmccurdy.com (drop the file on the page; it stays on your computer)."
    )?;
    writeln!(out, "\n{TITLE}What to do next{TITLE:#}")?;
    writeln!(out, "  antiquary formats            what it knows")?;
    writeln!(out, "  antiquary scan DIR           what is in a game of your own")?;
    writeln!(out, "  antiquary COMMAND --help     a command explained, with examples")?;
    Ok(())
}

fn is_empty_folder(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|mut entries| entries.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_a_shell_takes_them() {
        assert_eq!(quote("antiquary-demo/a.b"), "antiquary-demo/a.b");
        assert_eq!(quote("it's a demo"), "'it'\\''s a demo'");
        assert_eq!(quote("a\u{1b}"), "'a\\u{1b}'");
    }
}

//! `antiquary build`: generates files from other files.

use std::path::PathBuf;

use antiquary::json::Value;
use antiquary::operation::{BuildResult, schema};
use antiquary::session::BuiltFile;
use antiquary::{BuildOptions, CATALOG, Outcome, Progress};
use clap::Args;
use clap::builder::PossibleValuesParser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::counted;
use crate::outcome::{write_details, write_headline, write_hint};
use crate::run::{GameArguments, StrictArguments, is_dash, or_json, overwrite, print_json, session, writing};
use crate::style::TITLE;
use crate::terminal::{self, Verbosity};

/// Generate a derived file: lightmaps or a visibility tree
///
/// WHAT is the kind of file:
///
/// pvo: the visibility tree of a Redguard map (.RGM), which stores the static models (statics) that are visible from each position.
/// Occlusion is computed with rays between cells of space and the statics; models and terrain are taken from the game that contains the
/// map, or from --game. The result is checked with rays from random positions, which count the visible statics that are missing and the
/// listed statics that are not visible. Patches of the game's own tree are kept where they still fit.
///
/// lightmaps: the lighting of a room of SCP – Containment Breach (.rmesh), computed from its lights. Writes the room, and its lightmaps as
/// PNG files next to it. Lightmap coordinates are generated, or kept with --relight. Shadows are soft, some props also cast shadows, and
/// light that bounces off a surface takes on the color of its texture. The rest of the room is unchanged. The same room always gives the
/// same lightmaps.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Build the visibility tree of a map" => "build pvo Redguard/maps/ISLAND.RGM -o ISLAND.PVO",
    "Build it for a map outside of the game" => "build pvo my-mod/ISLAND.RGM -o my-mod/ --game Redguard",
    "Trade time for fewer missing statics" => "build pvo Redguard/maps/ISLAND.RGM -o ISLAND.PVO --samples 256",
    "Light a room and write it to a folder with its lightmaps" => "build lightmaps my-mod/hall.rmesh -o out/ --game SCPCB",
    "Recompute only the light and keep the lightmap coordinates" => "build lightmaps GFX/map/173_opt.rmesh -o out/ --relight",
    "Check the quality without writing the file" => "build pvo Redguard/maps/ISLAND.RGM -o ISLAND.PVO --points 1000 --dry-run",
))]
pub(crate) struct Arguments {
    /// Kind of file to build
    #[arg(value_name = "WHAT", value_parser = PossibleValuesParser::new(CATALOG.builders().map(|builder| builder.name)))]
    what: String,
    /// File to build it from
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Output file, or a folder to use the name of FILE; files that the output refers to are written next to it
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// Overwrite OUT and the files next to it if they exist
    #[arg(short, long)]
    force: bool,
    /// Build without writing anything
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Number of threads, at most 4 per processor; 0 for one per processor
    #[arg(short, long, value_name = "N", default_value_t = 0, display_order = 800)]
    jobs: usize,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    strict: StrictArguments,
}

pub(super) fn run(
    arguments: Arguments,
    options: &[(String, String)],
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::BUILD, build(arguments, options, verbosity))
}

fn build(arguments: Arguments, options: &[(String, String)], verbosity: Verbosity) -> Result<Verdict, Fault> {
    let Arguments { what, file, out, force, dry_run, json, jobs, games, strict } = arguments;
    if [&file, &out].iter().any(|path| is_dash(path)) {
        return Err(Fault::usage("- is not supported here: the input and the output must be files"));
    }
    let session = strict.apply(games.apply(session())).threads(jobs);
    let bar = Bar::new(verbosity > Verbosity::Quiet && !json && terminal::stderr_is_terminal());
    let session = session.overwrite(overwrite(force)).writing(writing(dry_run)).progress(&bar);
    let built = session.build(&what, &file, &out, &BuildOptions::default().options(options));
    bar.0.finish_and_clear();
    let built = built.unwrap_or_else(|error| BuiltFile::failed(Outcome::failed(&file, &error)));
    if json {
        print_json(&BuildResult::new(&built, session.writing))?;
    } else if verbosity > Verbosity::Quiet || !built.outcome.ok {
        report(&built, &what, dry_run);
    }
    Ok(Verdict::failed_if(!built.outcome.ok))
}

/// Length of the progress bar.
const LENGTH: u64 = 1000;

/// The progress bar.
struct Bar(ProgressBar);

impl Bar {
    fn new(is_visible: bool) -> Self {
        let bar = ProgressBar::hidden();
        if is_visible {
            bar.set_length(LENGTH);
            if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent}%, {eta} left") {
                bar.set_style(style);
            }
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        Self(bar)
    }
}

impl Progress for Bar {
    fn share(&self, share: f32) {
        self.0.set_position(thousandths(share));
    }
}

fn thousandths(share: f32) -> u64 {
    (share.clamp(0.0, 1.0) * 1000.0) as u64
}

fn report(BuiltFile { outcome, figures, hint, .. }: &BuiltFile, what: &str, dry_run: bool) {
    terminal::message(|out| {
        match outcome.outputs.first() {
            Some(path) => {
                let would = if dry_run { "would be written to" } else { "->" };
                let bytes = counted(outcome.written.unwrap_or_default(), "byte", "bytes");
                let input = Escaped(&outcome.input);
                let more = outcome.outputs.len().saturating_sub(1);
                let more = if more > 0 {
                    format!(" and {} next to it", counted(more, "file", "files"))
                } else {
                    String::new()
                };
                writeln!(out, "{TITLE}{input}{TITLE:#}: {what} {would} {}{more} ({bytes})", Escaped(path))?;
            }
            None => write_headline(out, outcome)?,
        }
        write_figures(out, figures, 1)?;
        write_details(out, outcome)?;
        hint.iter().try_for_each(|hint| write_hint(out, hint))
    });
}

/// Writes one figure per line. Nested figures are indented.
fn write_figures(out: &mut dyn std::io::Write, figures: &Value, depth: usize) -> std::io::Result<()> {
    let indent = "  ".repeat(depth);
    for (name, value) in figures.as_object().into_iter().flatten() {
        let name = name.replace('_', " ");
        match value {
            Value::Object(_) => {
                writeln!(out, "{indent}{name}:")?;
                write_figures(out, value, depth + 1)?;
            }
            Value::Number(number) if number.is_f64() && name.ends_with("share") => {
                let percent = number.as_f64().unwrap_or_default() * 100.0;
                writeln!(out, "{indent}{name}: {percent:.3} %")?;
            }
            value => writeln!(out, "{indent}{name}: {value}")?,
        }
    }
    Ok(())
}

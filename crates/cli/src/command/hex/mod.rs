//! `antiquary hex`: an annotated hex dump.

mod coverage;
mod listing;
mod window;

use std::io::{self, Write};
use std::path::PathBuf;

use antiquary::asset::typed_view::shown_at;
use antiquary::asset::{Span, Visit};
use antiquary::json::json;
use antiquary::operation::ResultWriter;
use antiquary::{CATALOG, Error, Source};
use clap::Args;
use serde::Serialize;

use crate::fault::{Fault, Verdict};
use crate::number::parse_offset;
use crate::run::{input, or_json};
use crate::terminal;
use coverage::Coverage;
use listing::{Extent, Listing};
use window::Window;

const SCHEMA: &str = "antiquary/hex/1";

/// Path shown for bytes that belong to no field.
const UNEXPLAINED: &str = "(not explained)";

/// Show an annotated hex dump
///
/// Each line shows the offset of a field, its bytes, its path and its value. Angles are also shown in degrees, positions in world units,
/// and textures as bank and image. Long fields are truncated. With --at, shows only the fields that contain the given offset, with some
/// context: use it to find the field that an error message refers to.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Browse a file" => "hex example.{extension} | less",
    "Look up the offset from an error message" => "hex example.{extension} --at 0x1f40",
    "Show long fields in full" => "hex example.{extension} --full",
    "Print JSON" => "hex example.{extension} --json",
))]
pub(crate) struct Arguments {
    /// A file; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show only the fields at this offset (decimal, or hexadecimal with 0x), with some context
    #[arg(long, value_name = "OFFSET", value_parser = parse_offset)]
    at: Option<u64>,
    /// Do not truncate long fields and values
    #[arg(long)]
    full: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, hex(arguments))
}

fn hex(arguments: &Arguments) -> Result<Verdict, Fault> {
    let opened = input(&arguments.file)?.open(CATALOG)?;
    let source = &opened.source;
    if let Some(at) = arguments.at.filter(|at| *at >= source.len()) {
        let message =
            format!("offset {at:#x} is past the end of the file, which has {0} bytes ({0:#x})", source.len());
        return Err(Error::usage(message).in_file(&arguments.file).into());
    }
    if arguments.json {
        return json(arguments, &opened);
    }
    let extent = if arguments.full { Extent::Full } else { Extent::Truncated };
    let mut listing = Listing::new(
        terminal::output(),
        Window::new(source),
        opened.asset.unit_fields(),
        arguments.at,
        extent,
    );
    let mut written = Ok(());
    let traced = trace(&opened, |span| match listing.show(span) {
        Ok(()) => Visit::Continue,
        Err(fault) => {
            written = Err(fault);
            Visit::Stop
        }
    });
    written?;
    listing.finish()?;
    traced.map_err(|error| error.in_file(&arguments.file))?;
    Ok(Verdict::Success)
}

/// Visits every field, then the bytes that belong to no field.
fn trace(opened: &antiquary::Opened, mut visit: impl FnMut(Span<'_>) -> Visit) -> Result<(), Error> {
    let mut coverage = Coverage::default();
    let mut stopped = false;
    opened.format.trace(&*opened.asset, &opened.source, &mut |span: Span<'_>| {
        coverage.add(span.start, span.end);
        let next = visit(span);
        stopped = next == Visit::Stop;
        next
    })?;
    if stopped {
        return Ok(());
    }
    for (start, end) in coverage.gaps(opened.source.len()) {
        if visit(Span { start, end, path: UNEXPLAINED, value: &"" }) == Visit::Stop {
            break;
        }
    }
    Ok(())
}

/// One field in JSON.
#[derive(Serialize)]
struct Field<'a> {
    start: u64,
    end: u64,
    path: &'a str,
    value: String,
    /// The value in another unit or as a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<View>,
}

/// A field in another unit or as a name: its name in paths, and its value.
#[derive(Serialize)]
struct View {
    name: &'static str,
    value: String,
}

fn json(arguments: &Arguments, opened: &antiquary::Opened) -> Result<Verdict, Fault> {
    let mut writer = ResultWriter::new(terminal::raw_output(), SCHEMA);
    let mut written: io::Result<()> = Ok(());
    let units = opened.asset.unit_fields();
    let contains = |span: &Span<'_>| arguments.at.is_none_or(|at| (span.start..span.end).contains(&at));
    let traced = trace(opened, |span| {
        if !contains(&span) {
            return Visit::Continue;
        }
        let value = span.value.to_string();
        let view = shown_at(units, span.path, span.value).map(|(name, value)| View { name, value });
        match writer.result(&Field { start: span.start, end: span.end, path: span.path, value, view }) {
            Ok(()) => Visit::Continue,
            Err(error) => {
                written = Err(error);
                Visit::Stop
            }
        }
    });
    written?;
    writer.finish(&json!({
        "ok": traced.is_ok(),
        "input": arguments.file.to_string_lossy(),
        "format": opened.format.id,
        "length": opened.source.len(),
        "error": traced.as_ref().err().map(antiquary::ErrorJson::from),
    }))?;
    Ok(Verdict::failed_if(traced.is_err()))
}

/// Writes bytes as hexadecimal digits, separated by spaces.
fn write_bytes(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    for (index, byte) in bytes.iter().enumerate() {
        write!(out, "{}{byte:02x}", if index == 0 { "" } else { " " })?;
    }
    Ok(())
}

/// A range of bytes, clamped to the source.
fn clamped(source: &Source, start: u64, length: u64) -> std::ops::Range<u64> {
    let start = start.min(source.len());
    start..start.saturating_add(length).min(source.len())
}

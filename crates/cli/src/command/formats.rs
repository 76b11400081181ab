//! `antiquary formats`: lists the supported formats.

use std::io::{self, Write};

use antiquary::asset::{FormatOption, SettingDoc};
use antiquary::operation::{self, ListResult};
use antiquary::{Can, Format, GAMES};
use clap::{Args, ValueEnum};

use crate::fault::{Fault, Verdict};
use crate::format_option::{apply_to_archive_add, apply_to_replace, limits, placeholder, words};
use crate::run::print_json;
use crate::style::{self, DIMMED, TITLE};
use crate::table::Table;
use crate::terminal;

/// List the supported formats, or show one with its outputs, options and warnings
///
/// The table shows what each format supports: reading, writing back byte for byte, checking, converting (to a scene, image, sound, font,
/// table or data), listing and editing as an archive, packing after an edit, importing scenes, and the hex view. With a format id, shows
/// the output formats and options of this format, and the meaning of each warning. With --as, describes its bytes in a language of other
/// programs, generated from the declarations that read and write the files.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "List all formats" => "formats",
    "Show the outputs, options and warnings of one format" => "formats {id}",
    "Write a Kaitai struct, for readers in many programming languages" => "formats {id} --as ksy > format.ksy",
    "Write a pattern for the hex editor ImHex" => "formats {id} --as hexpat > format.hexpat",
    "Print JSON" => "formats {id} --json",
))]
pub(crate) struct Arguments {
    /// Format id; the game prefix is optional
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Describe the bytes of the format as a Kaitai struct, a pattern for ImHex, or a page in Markdown
    #[arg(long = "as", value_name = "LANGUAGE", requires = "id", conflicts_with = "json")]
    language: Option<Language>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A language that describes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Kaitai struct, from which the Kaitai compiler generates readers in many programming languages
    Ksy,
    /// Pattern for the hex editor ImHex
    Hexpat,
    /// Reference page in Markdown
    Md,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Fault> {
    let one = arguments.id.as_deref().map(antiquary::format).transpose()?;
    if let (Some(format), Some(language)) = (one, arguments.language) {
        return write_schema(format, language);
    }
    let formats: Vec<_> = one.map_or_else(|| antiquary::formats().collect(), |format| vec![format]);
    if arguments.json {
        return print_json(&ListResult::new(operation::schema::FORMATS, formats, true));
    }
    let mut out = terminal::output();
    match one {
        Some(format) => write_one(&mut out, format)?,
        None => write_all(&mut out, &formats)?,
    }
    out.flush()?;
    Ok(Verdict::Success)
}

/// Describes the bytes of a format in another language.
fn write_schema(format: &Format, language: Language) -> Result<Verdict, Fault> {
    let Some(of) = format.schema else {
        let known: Vec<_> = antiquary::formats().filter(|it| it.schema.is_some()).map(|it| it.id).collect();
        let message = format!(
            "the bytes of `{}` files are not declared, because they are text or are read by code (available: {})",
            format.id,
            known.join(", ")
        );
        return Err(Fault::usage(message));
    };
    let language = match language {
        Language::Ksy => schema::Language::Kaitai,
        Language::Hexpat => schema::Language::ImHex,
        Language::Md => schema::Language::Markdown,
    };
    let about = schema::About { id: format.id, name: format.name, extensions: format.extensions };
    let mut out = terminal::raw_output();
    out.write_all(language.write(&about, &schema::Model::of(of())).as_bytes())?;
    out.flush()?;
    Ok(Verdict::Success)
}

fn write_all(out: &mut dyn Write, formats: &[&Format]) -> io::Result<()> {
    let mut table = Table::new(&["ID", "FORMAT", "EXTENSIONS", "SUPPORTS"]);
    for format in formats {
        table.row([format.id.into(), format.name.into(), format.extensions.join(", "), abilities(format)]);
    }
    table.write(out, 0)?;
    writeln!(out)?;
    for game in GAMES {
        writeln!(out, "{TITLE}{}{TITLE:#} is {}.", game.id, game.name)?;
    }
    writeln!(out, "Run `antiquary formats ID` to see the outputs, options and warnings of a format.")
}

fn write_one(out: &mut dyn Write, format: &Format) -> io::Result<()> {
    writeln!(out, "{TITLE}{}{TITLE:#}: {}", format.id, format.name)?;
    let mut table = Table::untitled();
    if let Some(game) = GAMES.iter().find(|game| Some(game.id) == format.game) {
        table.row(["game".into(), game.name.into()]);
    }
    table.row(["extensions".into(), format.extensions.join(", ")]);
    table.row(["supports".into(), abilities(format)]);
    table.write(out, 2)?;
    write_outputs(out, format)?;
    write_options(out, &commands_with_options(format), format.options)?;
    write_options(out, "for pack, from a scene", format.import_options())?;
    write_codes(out, format)?;
    write_settings(out, format)
}

fn write_outputs(out: &mut dyn Write, format: &Format) -> io::Result<()> {
    if !format.is_convertible() {
        return Ok(());
    }
    writeln!(out, "\n{TITLE}Converts to{TITLE:#} (convert --to; the first is the default):")?;
    let mut table = Table::untitled();
    for output in format.outputs() {
        table.row([output.extension.into(), output.kind.name().into(), output.about]);
    }
    table.write(out, 2)?;
    match format.folder_outputs {
        [] => Ok(()),
        further => writeln!(out, "  without --to, a folder also gets: {}", further.join(", ")),
    }
}

/// The commands that take the options of a format.
fn commands_with_options(format: &Format) -> String {
    let mut commands = vec!["check", "convert", "unpack"];
    commands.extend(apply_to_replace(format).then_some("replace"));
    commands.extend(apply_to_archive_add(format).then_some("archive add"));
    format!("for {}", commands.join(", "))
}

fn write_options(out: &mut dyn Write, commands: &str, options: &[FormatOption]) -> io::Result<()> {
    if options.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{TITLE}Options{TITLE:#} ({commands}):")?;
    for option in options {
        let value = placeholder(&option.value);
        writeln!(
            out,
            "  {TITLE}--{}{TITLE:#}{}{value}",
            option.name,
            if value.is_empty() { "" } else { " " }
        )?;
        writeln!(out, "      {}", option.about)?;
        let mut table = Table::untitled();
        for (word, about) in words(&option.value) {
            table.row([(*word).into(), (*about).into()]);
        }
        table.write(out, 6)?;
        if let Some(limits) = limits(option) {
            writeln!(out, "      {DIMMED}{limits}{DIMMED:#}")?;
        }
    }
    Ok(())
}

fn write_codes(out: &mut dyn Write, format: &Format) -> io::Result<()> {
    if format.all_codes().next().is_none() {
        return Ok(());
    }
    writeln!(out, "\n{TITLE}Warnings{TITLE:#}:")?;
    let own = format.codes.iter().map(|code| (code, None));
    let shared = format.shared_codes.iter().map(|shared| (shared.code, shared.formerly));
    for (code, formerly) in own.chain(shared) {
        let color = style::of(code.severity);
        let formerly = formerly.map(|id| format!(" (formerly {id})")).unwrap_or_default();
        writeln!(out, "  {color}{} {}{color:#}: {}{formerly}", code.severity, code.id, code.title)?;
        write_wrapped(out, code.about)?;
    }
    Ok(())
}

/// Writes the keys of settings by file and section.
fn write_settings(out: &mut dyn Write, format: &Format) -> io::Result<()> {
    let settings = format.settings.map_or_else(Vec::new, |settings| settings());
    let mut section = ("", "");
    for setting in &settings {
        if section != (setting.file, setting.section) {
            section = (setting.file, setting.section);
            writeln!(out, "\n{TITLE}{}{TITLE:#} [{}]", setting.file, setting.section)?;
        }
        let SettingDoc { key, ty, unit, shipped, .. } = setting;
        let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
        let shipped = if shipped.is_empty() { String::new() } else { format!(" = {shipped}") };
        writeln!(out, "  {TITLE}{key}{TITLE:#}{shipped} {DIMMED}({ty}{unit}){DIMMED:#}")?;
        write_wrapped(out, setting.about)?;
    }
    Ok(())
}

/// The line width for wrapped text.
const WIDTH: usize = 100;

/// Writes a paragraph, wrapped and indented.
fn write_wrapped(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut line = String::from("     ");
    for word in text.split_whitespace() {
        let width = line.chars().count() + word.chars().count() + 1;
        if width > WIDTH && !line.trim().is_empty() {
            writeln!(out, "{line}")?;
            line = String::from("     ");
        }
        line.push(' ');
        line.push_str(word);
    }
    writeln!(out, "{line}")
}

/// What a format supports, as a comma-separated list.
fn abilities(format: &Format) -> String {
    format.abilities().map(Can::name).collect::<Vec<_>>().join(", ")
}

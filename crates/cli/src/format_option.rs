//! Format options as command-line options.
//!
//! Options with the same name become one flag. The library interprets the value for each format.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use antiquary::asset::archive::Editing;
use antiquary::asset::{FormatOption, OptionValue, Probe};
use antiquary::scene::product::ENCODERS;
use antiquary::{CATALOG, Can, Format, Input, Inputs};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches};

/// Possible values, each with its meaning.
type Choices = &'static [(&'static str, &'static str)];

/// Whether `antiquary replace` takes the options of a format.
pub(crate) fn apply_to_replace(format: &Format) -> bool {
    format.can(Can::List) && format.can(Can::Pack)
}

/// Whether `antiquary archive add` takes the options of a format.
pub(crate) fn apply_to_archive_add(format: &Format) -> bool {
    format.editing() == Editing::Parts
}

/// Flags for the options of all formats that match the filter. The help shows only those of the `relevant` formats.
pub(crate) fn arguments(filter: impl Fn(&Format) -> bool, relevant: &[&'static Format]) -> Vec<Arg> {
    let mut options = CATALOG.options();
    for (_, formats) in &mut options {
        formats.retain(|(format, _)| filter(format));
    }
    let used = options.iter().filter(|(_, formats)| !formats.is_empty());
    let is_relevant = |format: &Format| relevant.iter().any(|known| known.id == format.id);
    let flag = |((name, formats), order): (&(&'static str, Vec<_>), usize)| {
        let shown = formats.iter().any(|(format, _): &(&Format, _)| is_relevant(format));
        argument(name, formats).display_order(order).hide(!shown)
    };
    used.zip(500..).map(flag).collect()
}

/// Flags for the options of all builders.
pub(crate) fn builder_arguments() -> Vec<Arg> {
    let builders = CATALOG
        .builders()
        .filter_map(|builder| Some((CATALOG.format(builder.output).ok()?, builder.options)));
    combined(builders)
}

/// Flags for the options of all imports from scenes.
pub(crate) fn import_arguments() -> Vec<Arg> {
    combined(CATALOG.formats().map(|format| (format, format.import_options())))
}

/// Flags for the options of formats, one for each name.
fn combined(declared: impl Iterator<Item = (&'static Format, &'static [FormatOption])>) -> Vec<Arg> {
    let mut options: Vec<(&'static str, Vec<(&'static Format, &'static FormatOption)>)> = Vec::new();
    for (format, option) in
        declared.flat_map(|(format, list)| list.iter().map(move |option| (format, option)))
    {
        match options.iter_mut().find(|(name, _)| *name == option.name) {
            Some((_, formats)) => formats.push((format, option)),
            None => options.push((option.name, vec![(format, option)])),
        }
    }
    options
        .iter()
        .zip(500..)
        .map(|((name, formats), order)| argument(name, formats).display_order(order))
        .collect()
}

/// Maximum number of files of a folder that are considered.
const MAX_FILES: usize = 2000;

/// Formats of the files that a command line names. In a folder, they are determined by the extensions of its files.
pub(crate) fn relevant(arguments: &[OsString]) -> Vec<&'static Format> {
    let mut out: Vec<&'static Format> = Vec::new();
    for path in
        arguments.iter().skip(2).map(Path::new).filter(|path| path.exists() || Input::is_in_file(path))
    {
        let inputs = Inputs::find(CATALOG, &[path.to_path_buf()]);
        let is_one = inputs.is_one_file();
        for input in inputs.iter().take(MAX_FILES) {
            let content = is_one.then(|| input.detect(CATALOG).ok()?.1.map(|found| found.format)).flatten();
            let name = input.path().to_string_lossy();
            let probe = Probe::new(&[], 0, Some(&name));
            let named = || antiquary::formats().find(|format| probe.has_extension(format.extensions));
            let found = content.or_else(|| named().filter(|_| !is_one));
            out.extend(found.filter(|found| !out.iter().any(|known| known.id == found.id)));
        }
    }
    out
}

/// All output formats: each extension, with a description for each kind of product.
pub(crate) fn outputs() -> PossibleValuesParser {
    let mut known: Vec<(&'static str, Vec<String>)> = Vec::new();
    let kinds =
        ENCODERS.iter().filter(|encoder| antiquary::formats().any(|format| format.makes(encoder.kind)));
    let encoders = kinds.map(|encoder| (encoder.extension, format!("{}: {}", encoder.kind, encoder.about)));
    let own = antiquary::formats().flat_map(|format| format.save_as);
    for (extension, about) in encoders.chain(own.map(|own| (own.extension, own.about.to_owned()))) {
        match known.iter_mut().find(|(name, _)| *name == extension) {
            Some((_, abouts)) if abouts.contains(&about) => {}
            Some((_, abouts)) => abouts.push(about),
            None => known.push((extension, vec![about])),
        }
    }
    PossibleValuesParser::new(
        known.into_iter().map(|(name, abouts)| PossibleValue::new(name).help(abouts.join("; "))),
    )
}

/// Format options given on the command line, as (name, value).
pub(crate) fn given(matches: &ArgMatches) -> Vec<(String, String)> {
    let matches = match matches.subcommand() {
        // Only `archive add` takes them: other operations may have arguments of the same names.
        Some(("archive", archive)) => archive.subcommand_matches("add"),
        other => other.map(|(_, matches)| matches),
    };
    let Some(matches) = matches else { return Vec::new() };
    let mut out = Vec::new();
    let builder_arguments = CATALOG.builders().flat_map(|builder| builder.options).map(|option| option.name);
    let import_arguments = CATALOG.formats().flat_map(Format::import_options).map(|option| option.name);
    let names: BTreeSet<_> = CATALOG
        .options()
        .iter()
        .map(|(name, _)| *name)
        .chain(builder_arguments)
        .chain(import_arguments)
        .collect();
    for name in names {
        if let Ok(Some(values)) = matches.try_get_many::<String>(name) {
            out.extend(values.map(|value| (name.to_owned(), value.clone())));
        }
    }
    out
}

/// Placeholder for the value of an option: `WORDS`, `NUMBER`.
pub(crate) fn placeholder(value: &OptionValue) -> &'static str {
    match value {
        OptionValue::Flag => "",
        OptionValue::Choice { .. } => "WORD",
        OptionValue::Words { .. } => "WORDS",
        OptionValue::Number { .. } => "NUMBER",
        OptionValue::Text { placeholder, .. } => placeholder,
    }
}

/// Possible values of an option.
pub(crate) fn words(value: &OptionValue) -> Choices {
    match value {
        OptionValue::Choice { values, .. } | OptionValue::Words { values } => values,
        _ => &[],
    }
}

/// The default value, the allowed range, and the values set by presets.
pub(crate) fn limits(option: &FormatOption) -> Option<String> {
    let limits = match &option.value {
        OptionValue::Choice { default, .. } => Some(format!("default: {default}")),
        OptionValue::Words { .. } => Some("separate several values with commas".to_owned()),
        OptionValue::Number { default, least, most } => {
            Some(format!("default: {default}; allowed: {least} to {most}"))
        }
        OptionValue::Flag | OptionValue::Text { .. } => None,
    };
    let mut presets: Vec<(&str, Vec<&str>)> = Vec::new();
    for (engine, value) in option.presets {
        match presets.iter_mut().find(|(known, _)| known == value) {
            Some((_, engines)) => engines.push(engine.name()),
            None => presets.push((value, vec![engine.name()])),
        }
    }
    let of_preset =
        |(value, engines): (&str, Vec<&str>)| format!("with --preset {}: {value}", engines.join("|"));
    let all: Vec<String> = limits.into_iter().chain(presets.into_iter().map(of_preset)).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn argument(name: &'static str, formats: &[(&'static Format, &'static FormatOption)]) -> Arg {
    let argument = Arg::new(name)
        .long(name)
        .action(ArgAction::Append)
        .help_heading("Format options")
        .help(short_help(formats))
        .long_help(long_help(formats));
    let Some((_, first)) = formats.first() else { return argument };
    let is_same_kind = formats.iter().all(|(_, option)| kind(&option.value) == kind(&first.value));
    match first.value {
        OptionValue::Flag if is_same_kind => {
            let argument = argument.num_args(0..=1).require_equals(true).default_missing_value("");
            argument.value_name("true|false").hide_possible_values(true)
        }
        OptionValue::Choice { .. } if is_same_kind => {
            argument.value_name("WORD").ignore_case(true).value_parser(all_words(formats))
        }
        OptionValue::Words { .. } if is_same_kind => argument
            .value_name("WORDS")
            .value_delimiter(',')
            .ignore_case(true)
            .value_parser(all_words(formats)),
        _ => argument.value_name(placeholder(&first.value)).allow_negative_numbers(true),
    }
}

/// The kind of value. If options with the same name have different kinds, only the library checks the value.
fn kind(value: &OptionValue) -> std::mem::Discriminant<OptionValue> {
    std::mem::discriminant(value)
}

fn all_words(formats: &[(&'static Format, &'static FormatOption)]) -> PossibleValuesParser {
    let mut known: Vec<PossibleValue> = Vec::new();
    for (word, about) in formats.iter().flat_map(|(_, option)| words(&option.value)) {
        if !known.iter().any(|value| value.get_name() == *word) {
            known.push(PossibleValue::new(*word).help(*about).aliases(aliases(formats, word)));
        }
    }
    PossibleValuesParser::new(known)
}

/// Former names of a value.
fn aliases(formats: &[(&'static Format, &'static FormatOption)], word: &str) -> Vec<&'static str> {
    let of_option = |option: &'static FormatOption| match option.value {
        OptionValue::Choice { aliases, .. } => aliases,
        _ => &[],
    };
    let all = formats.iter().flat_map(|(_, option)| of_option(option));
    all.filter(|(_, now)| *now == word).map(|(former, _)| *former).collect()
}

fn short_help(formats: &[(&'static Format, &'static FormatOption)]) -> String {
    let about = formats.first().map_or("", |(_, option)| option.about);
    format!("{} [{}]", about.trim_end_matches('.'), ids(formats))
}

/// Each meaning of the option, with the formats it applies to.
fn long_help(formats: &[(&'static Format, &'static FormatOption)]) -> String {
    let mut meanings: Vec<(String, Vec<_>)> = Vec::new();
    for (format, option) in formats {
        let limits = limits(option).map_or_else(String::new, |limits| format!(" ({limits})"));
        let meaning = format!("{}{limits}", option.about);
        match meanings.iter_mut().find(|(known, _)| *known == meaning) {
            Some((_, formats)) => formats.push((*format, *option)),
            None => meanings.push((meaning, vec![(*format, *option)])),
        }
    }
    let text = meanings.iter().map(|(meaning, formats)| format!("{meaning} [{}]", ids(formats)));
    text.collect::<Vec<_>>().join("\n\n")
}

fn ids(formats: &[(&'static Format, &'static FormatOption)]) -> String {
    match formats {
        [(only, _)] => only.id.to_owned(),
        several if several.len() > 6 => format!("{} formats", several.len()),
        several => several.iter().map(|(format, _)| format.id).collect::<Vec<_>>().join(", "),
    }
}

//! The options that formats declare, as command-line options.
//!
//! Options with the same name are one flag. The library interprets the value for each format.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use antiquary::asset::{FormatOption, OptionValue, Probe};
use antiquary::scene::product::ENCODERS;
use antiquary::{CATALOG, Format, Input, Inputs};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches};

/// The possible values, each with its meaning.
type Choices = &'static [(&'static str, &'static str)];

/// The flags for all options of the formats that are meant. The help shows those of the formats at hand.
pub(crate) fn arguments(is_meant: impl Fn(&Format) -> bool, at_hand: &[&'static Format]) -> Vec<Arg> {
    let mut options = CATALOG.options();
    for (_, formats) in &mut options {
        formats.retain(|(format, _)| is_meant(format));
    }
    let meant = options.iter().filter(|(_, formats)| !formats.is_empty());
    let is_at_hand = |format: &Format| at_hand.iter().any(|known| known.id == format.id);
    let flag = |((name, formats), order): (&(&'static str, Vec<_>), usize)| {
        let shown = formats.iter().any(|(format, _): &(&Format, _)| is_at_hand(format));
        argument(name, formats).display_order(order).hide(!shown)
    };
    meant.zip(500..).map(flag).collect()
}

/// The flags for all options of what can be built.
pub(crate) fn of_builders() -> Vec<Arg> {
    let builders = CATALOG
        .builders()
        .filter_map(|builder| Some((CATALOG.format(builder.output).ok()?, builder.options)));
    of_all(builders)
}

/// The flags for all options of what can be made of scenes.
pub(crate) fn of_imports() -> Vec<Arg> {
    of_all(CATALOG.formats().map(|format| (format, format.import_options())))
}

/// The flags for the options of formats, one for each name.
fn of_all(declared: impl Iterator<Item = (&'static Format, &'static [FormatOption])>) -> Vec<Arg> {
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

/// So many files of a folder tell which formats are at hand.
const MOST_FILES: usize = 2000;

/// The formats of the files that a command line names; of a folder by the extensions of its files.
pub(crate) fn at_hand(arguments: &[OsString]) -> Vec<&'static Format> {
    let mut out: Vec<&'static Format> = Vec::new();
    for path in
        arguments.iter().skip(2).map(Path::new).filter(|path| path.exists() || Input::is_in_file(path))
    {
        let inputs = Inputs::find(CATALOG, &[path.to_path_buf()]);
        let is_one = inputs.is_one_file();
        for input in inputs.iter().take(MOST_FILES) {
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

/// All output formats: each extension with a description for each kind of product.
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

/// The format options from the command line, as (name, value).
pub(crate) fn given(matches: &ArgMatches) -> Vec<(String, String)> {
    let matches = match matches.subcommand() {
        // The only task that takes them: other tasks may have arguments of the same names.
        Some(("archive", archive)) => archive.subcommand_matches("add"),
        other => other.map(|(_, matches)| matches),
    };
    let Some(matches) = matches else { return Vec::new() };
    let mut out = Vec::new();
    let of_builders = CATALOG.builders().flat_map(|builder| builder.options).map(|option| option.name);
    let of_imports = CATALOG.formats().flat_map(Format::import_options).map(|option| option.name);
    let names: BTreeSet<_> =
        CATALOG.options().iter().map(|(name, _)| *name).chain(of_builders).chain(of_imports).collect();
    for name in names {
        if let Ok(Some(values)) = matches.try_get_many::<String>(name) {
            out.extend(values.map(|value| (name.to_owned(), value.clone())));
        }
    }
    out
}

/// The placeholder for the value of an option: `WORDS`, `NUMBER`.
pub(crate) fn placeholder(value: &OptionValue) -> &'static str {
    match value {
        OptionValue::Flag => "",
        OptionValue::Choice { .. } => "WORD",
        OptionValue::Words { .. } => "WORDS",
        OptionValue::Number { .. } => "NUMBER",
        OptionValue::Text { placeholder, .. } => placeholder,
    }
}

/// The possible values of an option.
pub(crate) fn words(value: &OptionValue) -> Choices {
    match value {
        OptionValue::Choice { values, .. } | OptionValue::Words { values } => values,
        _ => &[],
    }
}

/// The default value, the allowed range, and what presets choose.
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
    let alike = formats.iter().all(|(_, option)| kind(&option.value) == kind(&first.value));
    match first.value {
        OptionValue::Flag if alike => {
            argument.num_args(0..=1).require_equals(true).default_missing_value("").hide_possible_values(true)
        }
        OptionValue::Choice { .. } if alike => {
            argument.value_name("WORD").ignore_case(true).value_parser(all_words(formats))
        }
        OptionValue::Words { .. } if alike => argument
            .value_name("WORDS")
            .value_delimiter(',')
            .ignore_case(true)
            .value_parser(all_words(formats)),
        _ => argument.value_name(placeholder(&first.value)).allow_negative_numbers(true),
    }
}

/// If options with the same name have values of different kinds, only the library checks the value.
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

/// The former words for a word.
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

//! The options of a format, and the values that the user selected.

pub mod preset;
#[cfg(test)]
mod tests;
pub mod typed;

use std::collections::{BTreeMap, BTreeSet};

use files::suggest::did_you_mean;
use record::Error;
use scene::Engine;
use serde::Serialize;

use self::preset::PRESET;

/// An option of a format, such as `lightmaps` = `split` or `bake`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FormatOption {
    /// Name in lowercase, with words joined by `-`; it follows `--` on the command line.
    pub name: &'static str,
    /// Description, in a sentence.
    pub about: &'static str,
    /// The accepted values.
    pub value: OptionValue,
    /// Values that a [preset](PRESET) selects for an engine, unless the option is given.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub presets: &'static [(Engine, &'static str)],
    /// Default in an interactive viewer.
    #[serde(skip)]
    pub viewer: ViewerDefault,
}

/// The default of an option in an interactive viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ViewerDefault {
    /// The usual default.
    #[default]
    Usual,
    /// This word, also in pictures of scenes.
    Word(&'static str),
    /// All words. They are layers of a scene, which a viewer can hide.
    AllWords,
}

/// The accepted values of an option.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionValue {
    /// No value: the option is given or not.
    Flag,
    /// One of these words.
    Choice {
        /// The words, each with its description.
        values: &'static [(&'static str, &'static str)],
        /// The default.
        default: &'static str,
        /// Former words that are still accepted, each with the word that replaced it. The help does not show them.
        #[serde(skip)]
        aliases: &'static [(&'static str, &'static str)],
    },
    /// Any of these words, separated by commas.
    Words {
        /// The words, each with its description.
        values: &'static [(&'static str, &'static str)],
    },
    /// A number.
    Number {
        /// The default.
        default: f64,
        /// Minimum value.
        least: f64,
        /// Maximum value.
        most: f64,
    },
    /// Any string.
    Text {
        /// Placeholder in the help, like `NAME`.
        placeholder: &'static str,
        /// Whether the value is the path of a file. A server must not open arbitrary files that a request names.
        #[serde(skip)]
        is_path: bool,
    },
}

#[derive(Debug, Clone, PartialEq)]
enum Chosen {
    Flag(bool),
    Choice(&'static str),
    Words(BTreeSet<&'static str>),
    Number(f64),
    Text(Option<String>),
}

/// The selected values of all declared options of a format, with defaults for those that were not given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options(BTreeMap<&'static str, Chosen>);

impl Options {
    /// Returns the defaults of all declared options.
    #[must_use]
    pub fn defaults(declared: &'static [FormatOption]) -> Self {
        Self(declared.iter().map(|option| (option.name, option.value.default())).collect())
    }

    /// Returns the defaults of all declared options, with the values of the selected preset for options that were not given.
    fn preset(declared: &'static [FormatOption], given: &[(String, String)]) -> Self {
        let mut out = Self::defaults(declared);
        for (_, value) in given.iter().filter(|(name, _)| name == PRESET.option.name) {
            // Unknown presets are rejected by the caller, which reads all values.
            if let Some(option) = declared.iter().find(|option| option.name == PRESET.option.name) {
                let _ = out.set(option, value);
            }
        }
        let Some(engine) = out.engine() else { return out };
        for option in declared.iter().filter(|option| !given.iter().any(|(name, _)| name == option.name)) {
            for (_, value) in option.presets.iter().filter(|(known, _)| *known == engine) {
                let _ = out.set(option, value);
            }
        }
        out
    }

    /// The target program of scenes, if a preset selects one.
    #[must_use]
    pub fn engine(&self) -> Option<Engine> {
        self.choice(&PRESET)
    }

    /// Parses (name, value) pairs. The value of a flag may be empty. If an option is given repeatedly, the last value applies,
    /// but words accumulate.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for an unknown name or a value that is not accepted; the message lists the available ones.
    pub fn parse(declared: &'static [FormatOption], given: &[(String, String)]) -> Result<Self, Error> {
        let mut out = Self::preset(declared, given);
        for (name, value) in given {
            let option = declared
                .iter()
                .find(|option| option.name == name)
                .ok_or_else(|| unknown_option(name, declared.iter()))?;
            out.set(option, value)?;
        }
        Ok(out)
    }

    /// Parses (name, value) pairs for files of several formats, each with its declared options. Each format receives the pairs
    /// that it accepts; pairs that no format accepts are rejected. The result has the order of the formats.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for a name that no format declares or a value that no format accepts.
    pub fn parse_for(
        formats: &[&'static [FormatOption]],
        given: &[(String, String)],
    ) -> Result<Vec<Self>, Error> {
        let mut out: Vec<_> = formats.iter().map(|declared| Self::preset(declared, given)).collect();
        for (name, value) in given {
            let mut refusal = None;
            let mut accepted = false;
            for (declared, options) in formats.iter().zip(&mut out) {
                let Some(option) = declared.iter().find(|option| option.name == name) else { continue };
                match options.set(option, value) {
                    Ok(()) => accepted = true,
                    Err(error) => refusal = refusal.or(Some(error)),
                }
            }
            if !accepted {
                let all = formats.iter().copied().flatten();
                return Err(refusal.unwrap_or_else(|| unknown_option(name, all)));
            }
        }
        Ok(out)
    }

    fn set(&mut self, option: &'static FormatOption, value: &str) -> Result<(), Error> {
        let chosen = option.value.read(option.name, value)?;
        match (self.0.get_mut(option.name), chosen) {
            (Some(Chosen::Words(words)), Chosen::Words(more)) => words.extend(more),
            (_, chosen) => {
                self.0.insert(option.name, chosen);
            }
        }
        Ok(())
    }

    /// Whether an option has a value other than its default.
    #[must_use]
    pub fn is_given(&self, option: &FormatOption) -> bool {
        self.0.get(option.name).is_some_and(|chosen| *chosen != option.value.default())
    }

    /// Whether a flag was given.
    #[must_use]
    pub fn flag(&self, option: &Flag) -> bool {
        matches!(self.0.get(option.0.name), Some(Chosen::Flag(true)))
    }

    /// Returns the selected value, or the default.
    #[must_use]
    pub fn choice<T: Copy>(&self, option: &Choice<T>) -> T {
        match self.0.get(option.option.name) {
            Some(Chosen::Choice(word)) => option.meaning(word),
            _ => option.default,
        }
    }

    /// Whether the word of a value was given.
    #[must_use]
    pub fn has<T: PartialEq>(&self, option: &Words<T>, value: &T) -> bool {
        match (self.0.get(option.option.name), option.word(value)) {
            (Some(Chosen::Words(words)), Some(word)) => words.contains(word),
            _ => false,
        }
    }

    /// Returns the given number, or the default.
    #[must_use]
    pub fn number(&self, option: &Number) -> f64 {
        match self.0.get(option.option.name) {
            Some(Chosen::Number(number)) => *number,
            _ => option.default,
        }
    }

    /// Returns the given string.
    #[must_use]
    pub fn text(&self, option: &Text) -> Option<&str> {
        match self.0.get(option.0.name) {
            Some(Chosen::Text(text)) => text.as_deref(),
            _ => None,
        }
    }
}

/// An option without a value. Values can only be read through a [`Flag`], [`Choice`], [`Words`], [`Number`] or [`Text`], so
/// undeclared options cannot be read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flag(FormatOption);

impl Flag {
    /// Declares a flag.
    #[must_use]
    pub const fn new(name: &'static str, about: &'static str) -> Self {
        Self(FormatOption {
            name,
            about,
            value: OptionValue::Flag,
            presets: &[],
            viewer: ViewerDefault::Usual,
        })
    }

    /// The entry in the format's list of options.
    #[must_use]
    pub const fn option(&self) -> FormatOption {
        self.0
    }
}

/// An option that has one of several values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice<T: 'static> {
    option: FormatOption,
    words: &'static [(&'static str, &'static str)],
    meanings: &'static [T],
    default: T,
}

impl<T: Copy + 'static> Choice<T> {
    /// Declares a choice: its words with their descriptions, and the value of each word, in the same order. The first word is the
    /// default.
    ///
    /// # Panics
    /// At compile time, if there are no words, or if the numbers of words and values differ.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "checked when it is compiled")]
    pub const fn new(
        name: &'static str,
        about: &'static str,
        words: &'static [(&'static str, &'static str)],
        meanings: &'static [T],
    ) -> Self {
        assert!(words.len() == meanings.len() && !words.is_empty(), "each word has a value");
        let value = OptionValue::Choice { values: words, default: words[0].0, aliases: &[] };
        let option = FormatOption { name, about, value, presets: &[], viewer: ViewerDefault::Usual };
        Self { option, words, meanings, default: meanings[0] }
    }

    /// Adds former words that are still accepted, each with the word that replaced it.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "checked when it is compiled")]
    pub const fn with_aliases(self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        let value = OptionValue::Choice { values: self.words, default: self.words[0].0, aliases };
        Self { option: FormatOption { value, ..self.option }, ..self }
    }

    /// Sets the words that presets select.
    #[must_use]
    pub const fn with_presets(self, presets: &'static [(Engine, &'static str)]) -> Self {
        Self { option: FormatOption { presets, ..self.option }, ..self }
    }

    /// Sets the default in an interactive viewer.
    #[must_use]
    pub const fn in_viewers(self, word: &'static str) -> Self {
        Self { option: FormatOption { viewer: ViewerDefault::Word(word), ..self.option }, ..self }
    }

    /// The entry in the format's list of options.
    #[must_use]
    pub const fn option(&self) -> FormatOption {
        self.option
    }

    /// Returns the value of a word, or the default if the word is unknown.
    #[must_use]
    pub fn meaning(&self, word: &str) -> T {
        let known = self.words.iter().zip(self.meanings).find(|((known, _), _)| *known == word);
        known.map_or(self.default, |(_, meaning)| *meaning)
    }

    /// Returns the word of a value.
    #[must_use]
    pub fn word(&self, meaning: T) -> Option<&'static str>
    where
        T: PartialEq,
    {
        let mut known = self.words.iter().zip(self.meanings);
        known.find(|(_, known)| **known == meaning).map(|((word, _), _)| *word)
    }
}

/// An option that has any number of several values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Words<T: 'static> {
    option: FormatOption,
    words: &'static [(&'static str, &'static str)],
    meanings: &'static [T],
}

impl<T: 'static> Words<T> {
    /// Declares the words with their descriptions, and the value of each word, in the same order.
    ///
    /// # Panics
    /// At compile time, if the numbers of words and values differ.
    #[must_use]
    pub const fn new(
        name: &'static str,
        about: &'static str,
        words: &'static [(&'static str, &'static str)],
        meanings: &'static [T],
    ) -> Self {
        assert!(words.len() == meanings.len(), "each word has a value");
        let option = FormatOption {
            name,
            about,
            value: OptionValue::Words { values: words },
            presets: &[],
            viewer: ViewerDefault::Usual,
        };
        Self { option, words, meanings }
    }

    /// Sets the words that presets select.
    #[must_use]
    pub const fn with_presets(self, presets: &'static [(Engine, &'static str)]) -> Self {
        Self { option: FormatOption { presets, ..self.option }, ..self }
    }

    /// Declares that the words are layers of a scene, which a viewer can hide.
    #[must_use]
    pub const fn as_layers(self) -> Self {
        Self { option: FormatOption { viewer: ViewerDefault::AllWords, ..self.option }, ..self }
    }

    /// The entry in the format's list of options.
    #[must_use]
    pub const fn option(&self) -> FormatOption {
        self.option
    }

    /// Returns the word of a value.
    #[must_use]
    pub fn word(&self, value: &T) -> Option<&'static str>
    where
        T: PartialEq,
    {
        let mut known = self.words.iter().zip(self.meanings);
        known.find(|(_, known)| *known == value).map(|((word, _), _)| *word)
    }
}

/// An option that has a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    option: FormatOption,
    default: f64,
}

impl Number {
    /// Declares a number with its default, minimum and maximum.
    #[must_use]
    pub const fn new(name: &'static str, about: &'static str, default: f64, least: f64, most: f64) -> Self {
        let value = OptionValue::Number { default, least, most };
        Self {
            option: FormatOption { name, about, value, presets: &[], viewer: ViewerDefault::Usual },
            default,
        }
    }

    /// The entry in the format's list of options.
    #[must_use]
    pub const fn option(&self) -> FormatOption {
        self.option
    }
}

/// An option that has any string.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Text(FormatOption);

impl Text {
    /// Declares a string option; the help shows its value as `placeholder`, such as `FILE`.
    #[must_use]
    pub const fn new(name: &'static str, about: &'static str, placeholder: &'static str) -> Self {
        let value = OptionValue::Text { placeholder, is_path: false };
        Self(FormatOption { name, about, value, presets: &[], viewer: ViewerDefault::Usual })
    }

    /// Declares an option for the path of a file, on disk or in the game.
    #[must_use]
    pub const fn file(name: &'static str, about: &'static str) -> Self {
        let value = OptionValue::Text { placeholder: "FILE", is_path: true };
        Self(FormatOption { name, about, value, presets: &[], viewer: ViewerDefault::Usual })
    }

    /// The entry in the format's list of options.
    #[must_use]
    pub const fn option(&self) -> FormatOption {
        self.0
    }
}

impl OptionValue {
    fn default(&self) -> Chosen {
        match self {
            Self::Flag => Chosen::Flag(false),
            Self::Choice { default, .. } => Chosen::Choice(default),
            Self::Words { .. } => Chosen::Words(BTreeSet::new()),
            Self::Number { default, .. } => Chosen::Number(*default),
            Self::Text { .. } => Chosen::Text(None),
        }
    }

    fn read(&self, name: &str, value: &str) -> Result<Chosen, Error> {
        match self {
            Self::Flag => read_flag(name, value).map(Chosen::Flag),
            Self::Choice { values, aliases, .. } => {
                let alias = aliases.iter().find(|(former, _)| former.eq_ignore_ascii_case(value));
                read_word(name, alias.map_or(value, |(_, word)| word), values).map(Chosen::Choice)
            }
            Self::Words { values } => value
                .split(',')
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .map(|word| read_word(name, word, values))
                .collect::<Result<_, _>>()
                .map(Chosen::Words),
            Self::Number { least, most, .. } => read_number(name, value, *least, *most).map(Chosen::Number),
            Self::Text { .. } => Ok(Chosen::Text(Some(value.to_owned()))),
        }
    }
}

fn read_flag(name: &str, value: &str) -> Result<bool, Error> {
    match value {
        "" | "true" | "yes" | "on" => Ok(true),
        "false" | "no" | "off" => Ok(false),
        _ => Err(Error::usage(format!("--{name} takes true or false, or no value, but got \"{value}\""))),
    }
}

fn read_word(
    name: &str,
    value: &str,
    values: &'static [(&'static str, &'static str)],
) -> Result<&'static str, Error> {
    let words = || values.iter().map(|(word, _)| *word);
    words().find(|word| word.eq_ignore_ascii_case(value)).ok_or_else(|| {
        let listed = words().collect::<Vec<_>>().join(", ");
        let guess = did_you_mean(value, words());
        Error::usage(format!("unknown value \"{value}\" for --{name} (available: {listed}){guess}"))
    })
}

fn read_number(name: &str, value: &str, least: f64, most: f64) -> Result<f64, Error> {
    match value.parse::<f64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(Error::usage(format!(
            "--{name} expects a number from {least} to {most}, but got \"{value}\""
        ))),
    }
}

fn unknown_option<'a>(name: &str, declared: impl Iterator<Item = &'a FormatOption>) -> Error {
    let names: BTreeSet<_> = declared.map(|option| option.name).collect();
    if names.is_empty() {
        return Error::usage(format!("unknown option --{name}: this format has no options"));
    }
    let guess = did_you_mean(name, names.iter().copied());
    let listed = names.iter().map(|name| format!("--{name}")).collect::<Vec<_>>().join(", ");
    Error::usage(format!("unknown option --{name} (available: {listed}){guess}"))
}

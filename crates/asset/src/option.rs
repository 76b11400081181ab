//! What a format lets the user choose, and what the user chose.

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

/// Something a format lets the user choose, like `lightmaps` = `split` or `bake`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FormatOption {
    /// Lower case, words joined by `-`: what stands after `--`.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What can be given.
    pub value: OptionValue,
    /// What is taken for the [preset](PRESET) of an engine, unless something is given.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub presets: &'static [(Engine, &'static str)],
    /// What an interactive viewer takes unless something is given.
    #[serde(skip)]
    pub viewer: ViewerDefault,
}

/// What an interactive viewer takes for an option unless something is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ViewerDefault {
    /// What every other program gets.
    #[default]
    Usual,
    /// This word, in pictures of scenes as well.
    Word(&'static str),
    /// All words: they are layers of a scene, which a viewer can hide.
    AllWords,
}

/// What can be given for an option.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionValue {
    /// Given or not.
    Flag,
    /// One of these words.
    Choice {
        /// The words, each with what it means.
        values: &'static [(&'static str, &'static str)],
        /// The word taken when none is given.
        default: &'static str,
        /// Former words that are still accepted, each with the word that replaced it. The help does not show them.
        #[serde(skip)]
        aliases: &'static [(&'static str, &'static str)],
    },
    /// Any of these words, separated by commas.
    Words {
        /// The words, each with what it means.
        values: &'static [(&'static str, &'static str)],
    },
    /// A number.
    Number {
        /// The number taken when none is given.
        default: f64,
        /// The least that is accepted.
        least: f64,
        /// The most that is accepted.
        most: f64,
    },
    /// Any text.
    Text {
        /// The placeholder in the help, like `NAME`.
        placeholder: &'static str,
        /// Whether it is the path of a file. A server must not open any file that a request names.
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

/// What the user chose for one format: every option the format declares, with its default where nothing was given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options(BTreeMap<&'static str, Chosen>);

impl Options {
    /// The defaults of all declared options.
    #[must_use]
    pub fn defaults(declared: &'static [FormatOption]) -> Self {
        Self(declared.iter().map(|option| (option.name, option.value.default())).collect())
    }

    /// The defaults of all declared options, changed by the preset that was given for all that nothing else was given for.
    fn preset(declared: &'static [FormatOption], given: &[(String, String)]) -> Self {
        let mut out = Self::defaults(declared);
        for (_, value) in given.iter().filter(|(name, _)| name == PRESET.option.name) {
            // A value that there is not is refused where all values are read.
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

    /// The program that a scene is made for, where a preset says so.
    #[must_use]
    pub fn engine(&self) -> Option<Engine> {
        self.choice(&PRESET)
    }

    /// Reads what was given as (name, value). A flag's value may be empty; an option given twice counts as given last,
    /// words add up.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for an unknown name or a value that is not accepted; the message lists what is.
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

    /// Reads what was given for files of several formats, each with the options that it declares. Each format gets what it knows and
    /// accepts; what none of them does is refused. The result stands in the order of the formats.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for a name that no format knows or a value that no format accepts.
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

    /// Whether something was given for an option, or words other than its default.
    #[must_use]
    pub fn is_given(&self, option: &FormatOption) -> bool {
        self.0.get(option.name).is_some_and(|chosen| *chosen != option.value.default())
    }

    /// Whether a flag was given.
    #[must_use]
    pub fn flag(&self, option: &Flag) -> bool {
        matches!(self.0.get(option.0.name), Some(Chosen::Flag(true)))
    }

    /// What was chosen, or else the default.
    #[must_use]
    pub fn choice<T: Copy>(&self, option: &Choice<T>) -> T {
        match self.0.get(option.option.name) {
            Some(Chosen::Choice(word)) => option.meaning(word),
            _ => option.default,
        }
    }

    /// Whether the word for a value was given.
    #[must_use]
    pub fn has<T: PartialEq>(&self, option: &Words<T>, value: &T) -> bool {
        match (self.0.get(option.option.name), option.word(value)) {
            (Some(Chosen::Words(words)), Some(word)) => words.contains(word),
            _ => false,
        }
    }

    /// The number that was given, or else the default.
    #[must_use]
    pub fn number(&self, option: &Number) -> f64 {
        match self.0.get(option.option.name) {
            Some(Chosen::Number(number)) => *number,
            _ => option.default,
        }
    }

    /// The text that was given.
    #[must_use]
    pub fn text(&self, option: &Text) -> Option<&str> {
        match self.0.get(option.0.name) {
            Some(Chosen::Text(text)) => text.as_deref(),
            _ => None,
        }
    }
}

/// An option that is given or not. Like [`Choice`], [`Words`], [`Number`] and [`Text`] it is the only way to ask for the value, so that
/// what was never declared cannot be asked for.
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

    /// The line in the format's list.
    #[must_use]
    pub const fn option(&self) -> FormatOption {
        self.0
    }
}

/// An option that is one of several values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice<T: 'static> {
    option: FormatOption,
    words: &'static [(&'static str, &'static str)],
    meanings: &'static [T],
    default: T,
}

impl<T: Copy + 'static> Choice<T> {
    /// Declares a choice: its words, each with what it means to people, and the value of each, in the same order. The first is the
    /// default.
    ///
    /// # Panics
    /// While it is compiled: when there are no words, or not as many values.
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

    /// The same with former words that are still accepted, each with the word that replaced it.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "checked when it is compiled")]
    pub const fn with_aliases(self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        let value = OptionValue::Choice { values: self.words, default: self.words[0].0, aliases };
        Self { option: FormatOption { value, ..self.option }, ..self }
    }

    /// The same with the words that presets choose.
    #[must_use]
    pub const fn with_presets(self, presets: &'static [(Engine, &'static str)]) -> Self {
        Self { option: FormatOption { presets, ..self.option }, ..self }
    }

    /// The same with the word that an interactive viewer takes.
    #[must_use]
    pub const fn in_viewers(self, word: &'static str) -> Self {
        Self { option: FormatOption { viewer: ViewerDefault::Word(word), ..self.option }, ..self }
    }

    /// The line in the format's list.
    #[must_use]
    pub const fn option(&self) -> FormatOption {
        self.option
    }

    /// The value of a word; the default for an unknown one.
    #[must_use]
    pub fn meaning(&self, word: &str) -> T {
        let known = self.words.iter().zip(self.meanings).find(|((known, _), _)| *known == word);
        known.map_or(self.default, |(_, meaning)| *meaning)
    }

    /// The word of a value.
    #[must_use]
    pub fn word(&self, meaning: T) -> Option<&'static str>
    where
        T: PartialEq,
    {
        let mut known = self.words.iter().zip(self.meanings);
        known.find(|(_, known)| **known == meaning).map(|((word, _), _)| *word)
    }
}

/// An option that is any of several values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Words<T: 'static> {
    option: FormatOption,
    words: &'static [(&'static str, &'static str)],
    meanings: &'static [T],
}

impl<T: 'static> Words<T> {
    /// Declares the words, each with what it means to people, and the value of each, in the same order.
    ///
    /// # Panics
    /// While it is compiled: when there are not as many values as words.
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

    /// The same with the words that presets choose.
    #[must_use]
    pub const fn with_presets(self, presets: &'static [(Engine, &'static str)]) -> Self {
        Self { option: FormatOption { presets, ..self.option }, ..self }
    }

    /// The same where the words are layers of a scene, which a viewer can hide.
    #[must_use]
    pub const fn as_layers(self) -> Self {
        Self { option: FormatOption { viewer: ViewerDefault::AllWords, ..self.option }, ..self }
    }

    /// The line in the format's list.
    #[must_use]
    pub const fn option(&self) -> FormatOption {
        self.option
    }

    /// The word of a value.
    #[must_use]
    pub fn word(&self, value: &T) -> Option<&'static str>
    where
        T: PartialEq,
    {
        let mut known = self.words.iter().zip(self.meanings);
        known.find(|(_, known)| *known == value).map(|((word, _), _)| *word)
    }
}

/// An option that is a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    option: FormatOption,
    default: f64,
}

impl Number {
    /// Declares a number with its default, the least and the most that are accepted.
    #[must_use]
    pub const fn new(name: &'static str, about: &'static str, default: f64, least: f64, most: f64) -> Self {
        let value = OptionValue::Number { default, least, most };
        Self {
            option: FormatOption { name, about, value, presets: &[], viewer: ViewerDefault::Usual },
            default,
        }
    }

    /// The line in the format's list.
    #[must_use]
    pub const fn option(&self) -> FormatOption {
        self.option
    }
}

/// An option that is any text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Text(FormatOption);

impl Text {
    /// Declares a text; `placeholder` stands for it in the help, like `FILE`.
    #[must_use]
    pub const fn new(name: &'static str, about: &'static str, placeholder: &'static str) -> Self {
        let value = OptionValue::Text { placeholder, is_path: false };
        Self(FormatOption { name, about, value, presets: &[], viewer: ViewerDefault::Usual })
    }

    /// Declares the path of a file, on disk or in the game.
    #[must_use]
    pub const fn file(name: &'static str, about: &'static str) -> Self {
        let value = OptionValue::Text { placeholder: "FILE", is_path: true };
        Self(FormatOption { name, about, value, presets: &[], viewer: ViewerDefault::Usual })
    }

    /// The line in the format's list.
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
        _ => Err(Error::usage(format!("--{name} takes no value, but got \"{value}\""))),
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

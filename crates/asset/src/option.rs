//! What a format lets the user choose, and what the user chose.

use std::collections::{BTreeMap, BTreeSet};

use record::Error;
use serde::Serialize;

use crate::format::Format;
use crate::suggest::did_you_mean;

/// Something a format lets the user choose, like `lightmaps` = `split` or `bake`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FormatOption {
    /// Lower case, words joined by `-`: what stands after `--`.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What can be given.
    pub value: OptionValue,
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
        /// What stands for it in the help, like `FILE`.
        placeholder: &'static str,
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

    /// Reads what was given as (name, value). A flag's value may be empty; an option given twice counts as given last,
    /// words add up.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for an unknown name or a value that is not accepted; the message lists what is.
    pub fn parse(declared: &'static [FormatOption], given: &[(String, String)]) -> Result<Self, Error> {
        let mut out = Self::defaults(declared);
        for (name, value) in given {
            let option = declared
                .iter()
                .find(|option| option.name == name)
                .ok_or_else(|| unknown_option(name, declared.iter()))?;
            out.set(option, value)?;
        }
        Ok(out)
    }

    /// Reads what was given for files of several formats. Each format gets what it knows and accepts; what none of
    /// them does is refused. The result stands in the order of `formats`.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for a name that no format knows or a value that no format accepts.
    pub fn parse_for(formats: &[&'static Format], given: &[(String, String)]) -> Result<Vec<Self>, Error> {
        let mut out: Vec<_> = formats.iter().map(|format| Self::defaults(format.options)).collect();
        for (name, value) in given {
            let mut refusal = None;
            let mut accepted = false;
            for (format, options) in formats.iter().zip(&mut out) {
                let Some(option) = format.options.iter().find(|option| option.name == name) else { continue };
                match options.set(option, value) {
                    Ok(()) => accepted = true,
                    Err(error) => refusal = refusal.or(Some(error)),
                }
            }
            if !accepted {
                let all = formats.iter().flat_map(|format| format.options);
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

    /// Whether a [flag](OptionValue::Flag) was given.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Chosen::Flag(true)))
    }

    /// The word of a [choice](OptionValue::Choice); empty if the format declares no such choice.
    #[must_use]
    pub fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Some(Chosen::Choice(word)) => word,
            _ => "",
        }
    }

    /// Whether a [list of words](OptionValue::Words) holds this one.
    #[must_use]
    pub fn has_word(&self, name: &str, word: &str) -> bool {
        match self.get(name) {
            Some(Chosen::Words(words)) => words.contains(word),
            _ => false,
        }
    }

    /// A [number](OptionValue::Number); 0 if the format declares no such number.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Some(Chosen::Number(number)) => *number,
            _ => 0.0,
        }
    }

    /// A [text](OptionValue::Text), when one was given.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Chosen::Text(text)) => text.as_deref(),
            _ => None,
        }
    }

    /// Whether the format declares this option.
    #[must_use]
    pub fn declares(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn get(&self, name: &str) -> Option<&Chosen> {
        let chosen = self.0.get(name);
        debug_assert!(chosen.is_some(), "the format does not declare the option {name}");
        chosen
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
            Self::Choice { values, .. } => read_word(name, value, values).map(Chosen::Choice),
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
        Error::usage(format!("--{name} does not know \"{value}\"; it takes: {listed}{guess}"))
    })
}

fn read_number(name: &str, value: &str, least: f64, most: f64) -> Result<f64, Error> {
    match value.parse::<f64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => {
            Err(Error::usage(format!("--{name} takes a number from {least} to {most}, but got \"{value}\"")))
        }
    }
}

fn unknown_option<'a>(name: &str, declared: impl Iterator<Item = &'a FormatOption>) -> Error {
    let names: BTreeSet<_> = declared.map(|option| option.name).collect();
    if names.is_empty() {
        return Error::usage(format!("there is no option --{name}: these files have no options"));
    }
    let guess = did_you_mean(name, names.iter().copied());
    let listed = names.iter().map(|name| format!("--{name}")).collect::<Vec<_>>().join(", ");
    Error::usage(format!("there is no option --{name}; these files have: {listed}{guess}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    static DECLARED: &[FormatOption] = &[
        FormatOption {
            name: "lightmaps",
            about: "How light is kept.",
            value: OptionValue::Choice {
                values: &[("split", "apart"), ("bake", "mixed in")],
                default: "split",
            },
        },
        FormatOption {
            name: "with",
            about: "What else is shown.",
            value: OptionValue::Words { values: &[("collision", "walls"), ("triggers", "boxes")] },
        },
        FormatOption { name: "raw", about: "As it is.", value: OptionValue::Flag },
        FormatOption {
            name: "gamma",
            about: "Brightness.",
            value: OptionValue::Number { default: 2.2, least: 0.1, most: 9.0 },
        },
        FormatOption {
            name: "palette",
            about: "A palette.",
            value: OptionValue::Text { placeholder: "FILE" },
        },
    ];

    fn parse(given: &[(&str, &str)]) -> Result<Options, Error> {
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Options::parse(DECLARED, &given)
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let options = parse(&[]).unwrap();
        assert_eq!(options.choice("lightmaps"), "split");
        assert!(!options.has_word("with", "collision") && !options.flag("raw"));
        assert_eq!((options.number("gamma"), options.text("palette")), (2.2, None));
    }

    #[test]
    fn what_is_given_is_read_by_its_kind() {
        let options = parse(&[
            ("lightmaps", "Bake"),
            ("with", "collision"),
            ("with", "triggers,"),
            ("raw", ""),
            ("gamma", "1"),
            ("palette", "x.col"),
        ])
        .unwrap();
        assert_eq!(options.choice("lightmaps"), "bake");
        assert!(options.has_word("with", "collision") && options.has_word("with", "triggers"));
        assert!(options.flag("raw"));
        assert_eq!((options.number("gamma"), options.text("palette")), (1.0, Some("x.col")));
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is() {
        let message = |given| parse(given).unwrap_err().to_string();
        assert_eq!(
            message(&[("lihgtmaps", "x")]),
            "there is no option --lihgtmaps; these files have: --gamma, --lightmaps, --palette, --raw, --with; did you mean \"lightmaps\"?"
        );
        assert_eq!(
            message(&[("lightmaps", "bke")]),
            "--lightmaps does not know \"bke\"; it takes: split, bake; did you mean \"bake\"?"
        );
        assert_eq!(message(&[("gamma", "nan")]), "--gamma takes a number from 0.1 to 9, but got \"nan\"");
        assert_eq!(message(&[("raw", "very")]), "--raw takes no value, but got \"very\"");
    }
}

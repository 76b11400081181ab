//! Options as texts: `NAME=VALUE`, or `NAME` for a flag, with the names of the program's options.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use facade::asset::Links;
use facade::diff::MAX_CHANGES;
use facade::files::sink::WriteMode;
use facade::files::suggest::did_you_mean;
use facade::scene::Compression;
use facade::session::FieldEdit;
use facade::{DiffOptions, Error, OnFailure, Overwrite, Progress, Session, Strictness};

use crate::failure::Failure;
use crate::pointer::Texts;

/// Options of one call. Each is taken by the part of the library that it is for; one that remains is unknown.
#[derive(Debug, Default)]
pub(crate) struct OptionList {
    given: Vec<(String, String)>,
    /// The names that were asked for, for suggestions.
    known: Vec<&'static str>,
}

impl OptionList {
    /// Splits the texts into names and values.
    pub(crate) fn parse(texts: Texts<'_>) -> Result<Self, Failure> {
        let split = |text: &str| {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            (name.to_owned(), value.to_owned())
        };
        Ok(Self { given: texts.get("options")?.into_iter().map(split).collect(), known: Vec::new() })
    }

    /// Takes all values of an option.
    pub(crate) fn take_all(&mut self, name: &'static str) -> Vec<String> {
        self.known.push(name);
        let (taken, rest) = std::mem::take(&mut self.given).into_iter().partition(|(given, _)| given == name);
        self.given = rest;
        let taken: Vec<(String, String)> = taken;
        taken.into_iter().map(|(_, value)| value).collect()
    }

    /// Takes the last value of an option.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<String> {
        self.take_all(name).pop()
    }

    /// Takes a flag: without a value, `true`, or `false`.
    pub(crate) fn take_flag(&mut self, name: &'static str) -> Result<bool, Failure> {
        match self.take(name).as_deref() {
            None | Some("false") => Ok(false),
            Some("" | "true") => Ok(true),
            Some(other) => {
                Err(Error::usage(format!("option {name}: expected true or false, not \"{other}\"")).into())
            }
        }
    }

    /// Takes a value that can be parsed.
    pub(crate) fn take_parsed<T: FromStr>(
        &mut self,
        name: &'static str,
        expected: &str,
    ) -> Result<Option<T>, Failure> {
        let parse = |value: String| {
            let wrong = || Error::usage(format!("option {name}: expected {expected}, not \"{value}\""));
            value.parse().map_err(|_| Failure::from(wrong()))
        };
        self.take(name).map(parse).transpose()
    }

    /// Takes the path of an existing file.
    pub(crate) fn take_path(&mut self, name: &'static str) -> Option<PathBuf> {
        self.take(name).map(PathBuf::from)
    }

    /// Takes the compression level.
    pub(crate) fn take_compression(&mut self) -> Result<Compression, Failure> {
        Ok(self.take("compress").map_or(Ok(Compression::default()), |name| Compression::by_name(&name))?)
    }

    /// Parses edits of fields, and takes those of the options `copy` and `remove`.
    pub(crate) fn take_field_edits(&mut self, edits: Texts<'_>) -> Result<Vec<FieldEdit>, Failure> {
        let mut out = Vec::new();
        for path in self.take_all("copy") {
            out.push(FieldEdit::copy(&path)?);
        }
        for path in self.take_all("remove") {
            out.push(FieldEdit::remove(&path)?);
        }
        for edit in edits.get("edits")? {
            out.push(FieldEdit::assign(edit)?);
        }
        match out.is_empty() {
            true => {
                Err(Failure::argument("edits", "is NULL or empty, and there is no option copy or remove"))
            }
            false => Ok(out),
        }
    }

    /// Takes the options of comparisons. As in the program, at most 100 changes per file are kept unless there is a limit; 0 is
    /// no limit.
    pub(crate) fn take_diff_options(&mut self) -> Result<DiffOptions, Failure> {
        let limit = self.take_parsed("limit", "a number")?.unwrap_or(MAX_CHANGES);
        let tolerance: f64 = self.take_parsed("tolerance", "a number")?.unwrap_or_default();
        if !(tolerance.is_finite() && tolerance >= 0.0) {
            return Err(Error::usage("option tolerance: expected a number of 0 or more").into());
        }
        Ok(DiffOptions::default().tolerance(tolerance).limit(if limit == 0 { usize::MAX } else { limit }))
    }

    /// Returns the remaining options, which are those of formats. The library refuses unknown ones.
    pub(crate) fn into_format_options(self) -> Vec<(String, String)> {
        self.given
    }

    /// Refuses the remaining options.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.given.first() {
            None => Ok(()),
            Some((name, _)) => {
                let meant = did_you_mean(name, self.known.iter().copied());
                Err(Error::usage(format!("unknown option \"{name}\"{meant}")).into())
            }
        }
    }

    /// Creates a session from the options that all operations accept: `game`, `jobs`, `fail-fast`, `strict`,
    /// `allow-damaged`, `force`, `dry-run` and `follow-links`.
    pub(crate) fn session<'p>(&mut self, progress: &'p dyn Progress) -> Result<Session<'p>, Failure> {
        let links = if self.take_flag("follow-links")? { Links::All } else { Links::Inside };
        let on_failure = if self.take_flag("fail-fast")? { OnFailure::Stop } else { OnFailure::KeepGoing };
        let strictness = match (self.take_flag("strict")?, self.take_flag("allow-damaged")?) {
            (true, true) => {
                return Err(Error::usage("the options strict and allow-damaged exclude each other").into());
            }
            (true, false) => Strictness::Strict,
            (false, true) => Strictness::AllowDamaged,
            (false, false) => Strictness::Lenient,
        };
        let overwrite = if self.take_flag("force")? { Overwrite::Allow } else { Overwrite::Refuse };
        let writing = if self.take_flag("dry-run")? { WriteMode::DryRun } else { WriteMode::Write };
        let jobs = self.take_parsed("jobs", "a number of threads")?.unwrap_or_default();
        let mut session = Session::default().progress(progress);
        for game in self.take_all("game") {
            if !Path::new(&game).exists() {
                return Err(Error::usage("no such folder or archive").in_file(game).into());
            }
            session = session.game(game);
        }
        let session = session.links(links).on_failure(on_failure).strictness(strictness);
        Ok(session.overwrite(overwrite).writing(writing).threads(jobs).protect_opened_files())
    }
}

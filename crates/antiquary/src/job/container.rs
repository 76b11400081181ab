//! Containers among the inputs: the files in them are worked on as if they stood in a folder.

use std::path::Path;
use std::sync::Arc;

use asset::archive::{Archive, Content};
use asset::container::{Container, no_archive};
use asset::{Can, Error, Format, Probe, Report};

use super::input::Held;
use super::stranger::Strangers;
use super::{Input, Job};
use crate::run::Outcome;

/// What stands in the containers among some inputs.
pub(super) struct Contents {
    /// The inputs, the files of containers in the place of the containers or behind them.
    pub(super) inputs: Vec<Input>,
    /// Files in containers that are of no known format. They were not looked into.
    pub(super) strangers: Strangers,
    /// How many files there are in the containers, known and unknown.
    pub(super) files: u64,
}

/// What becomes of a container whose files are inputs themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// It stays an input like any other.
    Always,
    /// It stays only to tell what was amiss on opening it.
    IfAmiss,
}

impl Job {
    /// Opens the containers among the inputs; `None` when there are none. Of the files in them only those are taken that have the
    /// extension of a known format: a container may hold hundreds of thousands, and none of the others is read.
    pub(super) fn open_containers(&self, inputs: &[&Input], keep: Keep) -> Option<Contents> {
        let containers: Vec<_> = inputs.iter().map(|input| self.container_format(input)).collect();
        if containers.iter().all(Option::is_none) {
            return None;
        }
        let several = inputs.len() > 1;
        let strangers = Strangers::new(self.catalogue.games());
        let mut out = Contents { inputs: Vec::new(), strangers, files: 0 };
        for (input, format) in inputs.iter().zip(containers) {
            match format {
                Some(format) => self.open_container(input, format, several, keep, &mut out),
                None => out.inputs.push((*input).clone()),
            }
        }
        Some(out)
    }

    /// Whether the files in an input can be inputs themselves.
    pub(super) fn is_container(&self, input: &Input) -> bool {
        self.container_format(input).is_some()
    }

    /// The format of an input, if it is a container that does not become a file of its own.
    fn container_format(&self, input: &Input) -> Option<&'static Format> {
        let is_container = |format: &&'static Format| format.can(Can::List) && !format.is_convertible();
        let name = input.path().to_string_lossy();
        let probe = Probe::new(&[], 0, Some(&name));
        // Of the files in a folder only those are looked into that are called like containers.
        let is_called_so = || {
            self.catalogue.formats().filter(is_container).any(|format| probe.has_extension(format.extensions))
        };
        if !input.is_on_disk() || (input.root().is_some() && !is_called_so()) {
            return None;
        }
        let found = input.detect(self.catalogue).ok()?.1?;
        Some(found.format).filter(is_container)
    }

    fn open_container(
        &self,
        input: &Input,
        format: &'static Format,
        several: bool,
        keep: Keep,
        out: &mut Contents,
    ) {
        let mut report = Report::new();
        let container = match open(input, format, &mut report) {
            Ok(container) => Arc::new(container),
            Err(error) => {
                out.inputs.push(input.broken(error));
                return;
            }
        };
        match keep {
            Keep::Always => out.inputs.push(input.clone()),
            Keep::IfAmiss if !report.is_empty() => out.inputs.push(input.told(report)),
            Keep::IfAmiss => {}
        }
        // Beside other inputs, what stands in it gets a folder of its name.
        let folder = if several || input.root().is_some() { input.relative() } else { Path::new("") };
        let path: Arc<Path> = Arc::from(input.path());
        let archive: &dyn Archive = &*container;
        for (index, entry) in archive.entries().enumerate() {
            if !entry.content.is_file() {
                continue;
            }
            out.files = out.files.saturating_add(1);
            // What nobody can open is told by the container.
            if entry.content == Content::Sealed {
                continue;
            }
            let probe = Probe::new(&[], 0, Some(&entry.name));
            if self.catalogue.formats().any(|known| probe.has_extension(known.extensions)) {
                let (container, path) = (Arc::clone(&container), Arc::clone(&path));
                out.inputs.push(input.in_container(Held { container, path, format, index }, folder));
            } else {
                out.strangers.add(Path::new(&probe.name), format.game.as_slice());
            }
        }
    }

    /// Opens an input that must be a container, whatever else it can become.
    pub(super) fn container(
        &self,
        path: &Path,
        report: &mut Report,
    ) -> Result<(&'static Format, Container, u64), Error> {
        let (source, format) = Input::file(path).recognise(self.catalogue)?;
        if !format.can(Can::List) {
            return Err(no_archive(format));
        }
        Ok((format, Container::open(format, &source, report)?, source.len()))
    }
}

fn open(input: &Input, format: &'static Format, report: &mut Report) -> Result<Container, Error> {
    Container::open(format, &input.source()?, report)
}

/// Tells what was amiss on opening a container whose files are inputs themselves.
pub(super) fn tell(report: &Report, outcome: &mut Outcome) -> Result<(), Error> {
    outcome.only_told = true;
    outcome.warnings.append(report.clone());
    Ok(())
}

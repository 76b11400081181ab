//! Containers among the inputs, whose entries are processed like files in a folder.

use std::path::Path;
use std::sync::Arc;

use asset::archive::{Archive, Content};
use asset::container::{Container, not_an_archive};
use asset::{Can, Error, Format, Probe, Report};

use super::input::Member;
use super::skipped::SkippedFiles;
use super::{Input, Session};
use crate::run::Outcome;

/// Contents of the containers among the inputs.
pub(super) struct Contents {
    /// Inputs; the entries of a container replace it or follow it.
    pub(super) inputs: Vec<Input>,
    /// Files in containers that have no known format; they were not opened.
    pub(super) skipped: SkippedFiles,
    /// Number of files in the containers, of known or unknown formats.
    pub(super) files: u64,
}

/// Whether a container stays an input when its entries become inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Always.
    Always,
    /// Only if opening it raised warnings.
    IfDefective,
}

impl Session<'_> {
    /// Opens the containers among the inputs; returns `None` if there are none. Only entries with the extension of a known
    /// format become inputs, because a container may have hundreds of thousands of other entries, which are not read.
    pub(super) fn open_containers(&self, inputs: &[&Input], keep: Keep) -> Option<Contents> {
        let containers: Vec<_> = inputs.iter().map(|input| self.container_format(input)).collect();
        if containers.iter().all(Option::is_none) {
            return None;
        }
        let several = inputs.len() > 1;
        let skipped = SkippedFiles::new(self.catalog.games());
        let mut out = Contents { inputs: Vec::new(), skipped, files: 0 };
        for (input, format) in inputs.iter().zip(containers) {
            match format {
                Some(format) => self.open_container(input, format, several, keep, &mut out),
                None => out.inputs.push((*input).clone()),
            }
        }
        Some(out)
    }

    /// Whether an input is a container whose entries can be inputs.
    pub(super) fn is_container(&self, input: &Input) -> bool {
        self.container_format(input).is_some()
    }

    /// Returns the format of an input if it is a container that is not convertible as such.
    fn container_format(&self, input: &Input) -> Option<&'static Format> {
        let is_container = |format: &&'static Format| format.can(Can::List) && !format.is_convertible();
        let name = input.path().to_string_lossy();
        let probe = Probe::new(&[], 0, Some(&name));
        // In folders, only files with the extension of a container format are opened.
        let has_container_extension = || {
            self.catalog.formats().filter(is_container).any(|format| probe.has_extension(format.extensions))
        };
        if !input.is_on_disk() || (input.root().is_some() && !has_container_extension()) {
            return None;
        }
        let found = input.detect(self.catalog).ok()?.1?;
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
        let source = if several { input.source_for_each_read() } else { input.source() };
        let container = source
            .and_then(|source| Ok((Arc::new(Container::open(format, &source, &mut report)?), source.len())));
        let (container, archive_length) = match container {
            Ok(opened) => opened,
            Err(error) => {
                out.inputs.push(input.broken(error));
                return;
            }
        };
        match keep {
            Keep::Always => out.inputs.push(input.clone()),
            Keep::IfDefective if !report.is_empty() => out.inputs.push(input.report_only(report)),
            Keep::IfDefective => {}
        }
        // With several inputs, the entries go into a folder named after the container.
        let folder = if several || input.root().is_some() { input.relative() } else { Path::new("") };
        let path: Arc<Path> = Arc::from(input.path());
        let archive: &dyn Archive = &*container;
        for (index, entry) in archive.entries().enumerate() {
            if !entry.content.is_file() {
                continue;
            }
            out.files += 1;
            // The container reports entries that cannot be opened.
            if entry.content == Content::Unreadable {
                continue;
            }
            if self.catalog.has_extension(&entry.name) {
                let (container, path) = (Arc::clone(&container), Arc::clone(&path));
                let member = Member { container, path, format, archive_length, index };
                out.inputs.push(input.in_container(member, folder));
            } else {
                let name = entry.name.replace('\\', "/");
                out.skipped.add(Path::new(&name), format.game.as_slice(), || None);
            }
        }
    }

    /// Opens an input that must be a container, even if it is also convertible.
    pub(super) fn container(
        &self,
        path: &Path,
        report: &mut Report,
    ) -> Result<(&'static Format, Container, u64), Error> {
        let (source, format) = Input::file(path).recognize(self.catalog)?;
        if !format.can(Can::List) {
            return Err(not_an_archive(format));
        }
        Ok((format, Container::open(format, &source, report)?, source.len()))
    }
}

/// Adds the warnings raised by opening a container to its outcome.
pub(super) fn add_warnings(report: &Report, outcome: &mut Outcome) -> Result<(), Error> {
    outcome.report_only = true;
    outcome.warnings.append(report.clone());
    Ok(())
}

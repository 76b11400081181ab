//! A bank as a container: each image is a `.BSI` file.

use std::io::Write;

use asset::archive::{Content, Entry};
use asset::{Archive, Context, Report};
use record::{Error, Result, Source, write_whole};

use super::layout::Bank;
use super::replace::replace;

/// The images of a bank as files.
#[derive(Debug)]
pub(super) struct Images {
    bank: Bank,
    entries: Vec<Entry>,
}

impl Images {
    pub(super) fn new(bank: Bank) -> Self {
        let entry = |entry: &super::Entry| {
            let length = entry.image.size();
            let note = entry.image.header().map(|(_, header)| {
                let frames = if header.frame_count > 1 {
                    format!(", {} frames", header.frame_count)
                } else {
                    String::new()
                };
                format!("{} x {}{frames}", header.width, header.height)
            });
            Entry {
                name: format!("{}.BSI", entry.name),
                length,
                stored: length,
                content: Content::File,
                note: note.unwrap_or_default(),
            }
        };
        let entries = bank.entries.iter().map(entry).collect();
        Self { bank, entries }
    }

    pub(super) fn bank(&self) -> &Bank {
        &self.bank
    }
}

impl Archive for Images {
    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn open(&self, index: usize) -> Result<Source> {
        let entry = self.bank.entries.get(index).ok_or_else(|| Error::usage("there is no such image"))?;
        write_whole(&entry.image, ()).map(Source::from)
    }

    fn replace(
        &self,
        context: &Context<'_>,
        index: usize,
        name: &str,
        content: &Source,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<()> {
        let bytes = replace(&self.bank, context, index, (name, &content.read_all()?), report)?;
        Ok(out.write_all(&bytes)?)
    }
}

//! A bank as an archive: each image is a `.BSI` file.

use std::io::Write;

use asset::archive::{Change, Content, EditMode, EditParts, Entry, EntryChange};
use asset::{Archive, Context, Report};
use files::sink::Output;
use record::{Error, Result, Source, write_whole};

use super::edit::{BankEditor, Colors};
use super::layout::Bank;
use super::name::{bank_of_file, file_name};
use super::replace::replace;

/// Returns the archive entry of an image.
fn entry_of(entry: &super::Entry) -> Entry<'_> {
    let length = entry.image.size();
    let note = entry.image.header().map(|(_, header)| {
        let frames = match header.frame_count {
            count if count > 1 => format!(", {count} frames"),
            _ => String::new(),
        };
        format!("{} x {}{frames}", header.width, header.height)
    });
    Entry {
        name: file_name(entry).into(),
        length,
        stored: length,
        content: Content::File,
        note: note.unwrap_or_default().into(),
    }
}

impl Archive for Bank {
    fn count(&self) -> usize {
        self.entries.len()
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        self.entries.get(index).map(entry_of)
    }

    fn open(&self, index: usize) -> Result<Source> {
        let entry = self.entries.get(index).ok_or_else(|| Error::usage("image index out of range"))?;
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
        let bytes = replace(self, context, index, (name, &content.read_all()?), report)?;
        Ok(out.write_all(&bytes)?)
    }

    fn edit(
        &self,
        context: &Context<'_>,
        changes: &[Change],
        _mode: EditMode,
        out: &mut dyn Output,
        report: &mut Report,
    ) -> Result<Vec<EntryChange>> {
        let number = context.location.as_ref().and_then(|location| bank_of_file(location.path().name()));
        let mut editor = BankEditor { bank: self.clone(), number, colors: Colors::Game(context) };
        let changes = editor.make(changes, report)?;
        out.write_all(&editor.bank.write()?)?;
        Ok(changes)
    }
}

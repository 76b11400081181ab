//! Segments added, removed and renamed. Maps refer to them by name.

use std::collections::BTreeSet;

use asset::archive::{EditParts, EntryFate, PartChanges, put_new_views, stem_and_extension};
use asset::{FixedText, Report, Unpacked};
use record::{Error, Result, Source};

use super::archive::{GLB, file_name, read_model};
use super::import::segment_of_scene;
use super::layout::{EXTERNAL, Payload, Rob, SEGMENT, Segment, SegmentHeader};
use super::warning;

/// The files that become segments.
const EXTENSIONS: &[&str] = &["3d", "3dc", "glb"];

impl EditParts for Rob {
    fn remove(&mut self, entries: &BTreeSet<usize>, done: &mut PartChanges<'_>) -> Result<()> {
        for index in entries.iter().rev() {
            if *index >= self.segments.len() {
                return Err(missing());
            }
            done.note(file_name(&self.segments.remove(*index)), EntryFate::Removed);
        }
        Ok(())
    }

    fn rename(&mut self, entry: usize, to: &str, done: &mut PartChanges<'_>) -> Result<()> {
        let name = segment_name(to)?;
        if self.find(&name).is_some_and(|other| other != entry) {
            return Err(Error::usage(format!("there is a segment called \"{name}\" already")));
        }
        let segment = self.segments.get_mut(entry).ok_or_else(missing)?;
        let old = file_name(segment);
        segment.header.name = name;
        done.note(old, EntryFate::Renamed { to: file_name(segment) });
        Ok(())
    }

    /// A `.3DC` file stays a file of its own, which the segment refers to.
    fn put(&mut self, name: &str, content: &Source, done: &mut PartChanges<'_>) -> Result<()> {
        let called = segment_name(name)?;
        if let Some(segment) = self.find(&called).and_then(|index| self.segments.get_mut(index)) {
            segment.replace_model(content, done.report)?;
            done.note(file_name(segment), EntryFate::Replaced);
            return Ok(());
        }
        let bytes = content.read_all()?;
        let segment = match stem_and_extension(name).1.as_str() {
            _ if bytes.starts_with(GLB) => {
                let read = scene::gltf::read(&bytes, &mut |_| None)?;
                segment_of_scene(&read, called, done.report)?
            }
            "3dc" => external(called, &bytes, done.report)?,
            _ => embedded(called, &bytes)?,
        };
        done.note(file_name(&segment), EntryFate::Added);
        self.segments.push(segment);
        Ok(())
    }
}

impl Rob {
    /// The segment of a name; letter case does not matter.
    fn find(&self, name: &FixedText<8>) -> Option<usize> {
        let is_it = |segment: &Segment| segment.header.name.bytes().eq_ignore_ascii_case(name.bytes());
        self.segments.iter().position(is_it)
    }
}

fn missing() -> Error {
    Error::usage("segment index out of range")
}

/// The name of a segment for the name of a file, in capitals as in the game.
fn segment_name(file: &str) -> Result<FixedText<8>> {
    let (stem, _) = stem_and_extension(file);
    let is_plain = |letter: u8| letter.is_ascii_graphic() && !b".:*?\"<>|/\\".contains(&letter);
    let invalid = || {
        let what =
            "expected at most 8 letters, digits and other ASCII characters of a file name, without spaces";
        Error::usage(format!(
            "\"{stem}\" cannot be the name of a segment: {what}; rename the file, or use --name"
        ))
    };
    if stem.is_empty() || stem.len() > 8 || !stem.bytes().all(is_plain) {
        return Err(invalid());
    }
    FixedText::new(&stem.to_ascii_uppercase()).map_err(|_| invalid())
}

/// A segment with a model of the game.
fn embedded(name: FixedText<8>, bytes: &[u8]) -> Result<Segment> {
    let model = read_model(bytes)?;
    let mut header = SegmentHeader { name, ..SegmentHeader::usual() };
    header.put_box(&model);
    header.put_face_count(&model);
    Ok(Segment { header, payload: Payload::Model(Box::new(model)) })
}

/// A segment whose model is in a `.3DC` file.
fn external(name: FixedText<8>, bytes: &[u8], report: &mut Report) -> Result<Segment> {
    let model = read_model(bytes)?;
    let mut header = SegmentHeader { name, kind: EXTERNAL, total_size: SEGMENT, ..SegmentHeader::usual() };
    header.put_box(&model);
    let message = format!("the model of \"{name}\" stays in {name}.3DC; put that file next to the .ROB file");
    report.warn(&warning::STAYS_EXTERNAL, message);
    Ok(Segment { header, payload: Payload::Empty })
}

/// Writes the file from the record; new models from the views.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut rob: Rob = folder.typed()?;
    put_new_views(&mut rob, folder, EXTENSIONS, report)?;
    rob.write()
}

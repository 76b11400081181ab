//! Adds, removes and renames segments. Maps refer to segments by name.

use std::collections::BTreeSet;

use asset::archive::{EditParts, EntryChangeKind, PartChanges, put_new_views, stem_and_extension};
use asset::{FixedText, Report, Unpacked};
use record::{Error, Result, Source};

use super::archive::{GLB, file_name, read_model};
use super::import::segment_of_scene;
use super::layout::{EXTERNAL, Payload, Rob, SEGMENT, Segment, SegmentHeader};
use super::warning;

/// Extensions of files that can be added as segments.
const EXTENSIONS: &[&str] = &["3d", "3dc", "glb"];

impl EditParts for Rob {
    fn remove(&mut self, entries: &BTreeSet<usize>, done: &mut PartChanges<'_>) -> Result<()> {
        for index in entries.iter().rev() {
            if *index >= self.segments.len() {
                return Err(missing());
            }
            done.note(file_name(&self.segments.remove(*index)), EntryChangeKind::Removed);
        }
        Ok(())
    }

    fn rename(&mut self, entry: usize, to: &str, done: &mut PartChanges<'_>) -> Result<()> {
        let name = segment_name(to)?;
        if self.find(&name).is_some_and(|other| other != entry) {
            return Err(Error::usage(format!("a segment named \"{name}\" already exists")));
        }
        let segment = self.segments.get_mut(entry).ok_or_else(missing)?;
        let old = file_name(segment);
        segment.header.name = name;
        done.note(old, EntryChangeKind::Renamed { to: file_name(segment) });
        Ok(())
    }

    /// A `.3DC` file remains a separate file, which the segment refers to.
    fn put(&mut self, name: &str, content: &Source, done: &mut PartChanges<'_>) -> Result<()> {
        let short_name = segment_name(name)?;
        if let Some(segment) = self.find(&short_name).and_then(|index| self.segments.get_mut(index)) {
            segment.replace_model(content, done.report)?;
            done.note(file_name(segment), EntryChangeKind::Replaced);
            return Ok(());
        }
        let bytes = content.read_all()?;
        let segment = match stem_and_extension(name).1.as_str() {
            _ if bytes.starts_with(GLB) => {
                let read = scene::gltf::read(&bytes, &mut |_| None)?;
                segment_of_scene(&read, short_name, done.report)?
            }
            "3dc" => external(short_name, &bytes, done.report)?,
            _ => embedded(short_name, &bytes)?,
        };
        done.note(file_name(&segment), EntryChangeKind::Added);
        self.segments.push(segment);
        Ok(())
    }
}

impl Rob {
    /// Finds the segment with a name, ignoring ASCII case.
    fn find(&self, name: &FixedText<8>) -> Option<usize> {
        let matches = |segment: &Segment| segment.header.name.bytes().eq_ignore_ascii_case(name.bytes());
        self.segments.iter().position(matches)
    }
}

fn missing() -> Error {
    Error::usage("segment index out of range")
}

/// Returns the segment name for a file name, in uppercase as in the game.
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

/// Creates a segment with an embedded model.
fn embedded(name: FixedText<8>, bytes: &[u8]) -> Result<Segment> {
    let model = read_model(bytes)?;
    let mut header = SegmentHeader { name, ..SegmentHeader::typical() };
    header.set_box(&model);
    header.set_face_count(&model);
    Ok(Segment { header, payload: Payload::Model(Box::new(model)) })
}

/// Creates a segment whose model is in a `.3DC` file.
fn external(name: FixedText<8>, bytes: &[u8], report: &mut Report) -> Result<Segment> {
    let model = read_model(bytes)?;
    let mut header = SegmentHeader { name, kind: EXTERNAL, total_size: SEGMENT, ..SegmentHeader::typical() };
    header.set_box(&model);
    let message = format!("the model of \"{name}\" stays in {name}.3DC; put that file next to the .ROB file");
    report.warn(&warning::STAYS_EXTERNAL, message);
    Ok(Segment { header, payload: Payload::Empty })
}

/// Packs the file from the record, with new models from the views.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut rob: Rob = folder.typed()?;
    put_new_views(&mut rob, folder, EXTENSIONS, report)?;
    rob.write()
}

//! A ROB file as an archive: each embedded model is a `.3D` file and can be replaced.

use std::io::Write;

use asset::archive::{Change, Content, EditMode, EditParts, Entry, EntryChange};
use asset::{Archive, Context, Report, counted};
use files::sink::Output;
use record::{Error, Result, Source, write_whole};

use super::import::forward_warnings;
use super::layout::{EXTERNAL, Payload, Rob, Segment};
use crate::model::Model;
use crate::model::import::ImportTarget;

/// Magic bytes of a `.glb` scene.
pub(super) const GLB: &[u8] = b"glTF";

/// Reads a model in a file format of the game.
pub(super) fn read_model(bytes: &[u8]) -> Result<Model> {
    Model::read(bytes)
        .map_err(|error| Error::unsupported(format!("not a .3D, .3DC or .glb file: {}", error.message())))
}

/// Returns the file name of a segment.
pub(super) fn file_name(segment: &Segment) -> String {
    let is_external = segment.header.kind == EXTERNAL || matches!(segment.payload, Payload::Empty);
    let extension = if is_external { "3DC" } else { "3D" };
    format!("{}.{extension}", segment.header.name.text())
}

/// Reads a replacement model: a model file of the game or a `.glb` scene.
fn model_of(bytes: &[u8], name: &str, report: &mut Report) -> Result<Model> {
    if !bytes.starts_with(GLB) {
        return read_model(bytes);
    }
    let scene = scene::gltf::read(bytes, &mut |_| None)?;
    let mut import_report = Report::new();
    let model = Model::from_scene(&scene, ImportTarget::Segment, None, &mut import_report)?;
    forward_warnings(&import_report, Some(name), report);
    Ok(model)
}

impl Archive for Rob {
    fn count(&self) -> usize {
        self.segments.len()
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        let segment = self.segments.get(index)?;
        let header = &segment.header;
        let (content, note) = match &segment.payload {
            Payload::Empty => (Content::Unreadable, "external model".into()),
            Payload::Model(model) => (Content::File, counted(model.face_count(), "face", "faces").into()),
            Payload::Unread(_) => (Content::File, "unreadable model".into()),
        };
        let length = u64::from(header.data_size);
        Some(Entry { name: file_name(segment).into(), length, stored: length, content, note })
    }

    fn open(&self, index: usize) -> Result<Source> {
        let segment = self.segments.get(index).ok_or_else(|| Error::usage("segment index out of range"))?;
        match &segment.payload {
            Payload::Empty => {
                Err(Error::usage(format!("the model of this segment is in {}.3DC", segment.header.name)))
            }
            Payload::Model(model) => write_whole(&**model, ()).map(Source::from),
            Payload::Unread(bytes) => Ok(Source::from(bytes.to_vec())),
        }
    }

    fn replace(
        &self,
        _context: &Context<'_>,
        index: usize,
        _name: &str,
        content: &Source,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<()> {
        let mut rob = self.clone();
        let segment =
            rob.segments.get_mut(index).ok_or_else(|| Error::usage("segment index out of range"))?;
        segment.replace_model(content, report)?;
        Ok(out.write_all(&rob.write()?)?)
    }

    fn edit(
        &self,
        _context: &Context<'_>,
        changes: &[Change],
        _mode: EditMode,
        out: &mut dyn Output,
        report: &mut Report,
    ) -> Result<Vec<EntryChange>> {
        let mut rob = self.clone();
        let changes = rob.make(changes, report)?;
        out.write_all(&rob.write()?)?;
        Ok(changes)
    }
}

impl Segment {
    /// Replaces the model of the segment; name and flags are kept.
    pub(super) fn replace_model(&mut self, content: &Source, report: &mut Report) -> Result<()> {
        if matches!(self.payload, Payload::Empty) {
            let message = format!(
                "the model of this segment is in {}.3DC; replace that file instead",
                self.header.name
            );
            return Err(Error::usage(message));
        }
        let model = model_of(&content.read_all()?, &self.header.name.text(), report)?;
        if self.payload != Payload::Model(Box::new(model.clone())) {
            self.header.set_box(&model);
            self.header.set_face_count(&model);
            self.payload = Payload::Model(Box::new(model));
        }
        Ok(())
    }
}

//! A ROB file as an archive: each embedded model is a `.3D` file and can be replaced.

use std::io::Write;

use asset::archive::{Content, Entry};
use asset::{Archive, Context, Report, counted};
use record::{Error, Result, Source, write_whole};

use super::import::forward_warnings;
use super::layout::{Payload, Rob, SegmentHeader};
use crate::model::Model;
use crate::model::import::ImportTarget;

/// The kind of a segment with an external `.3DC` model.
const EXTERNAL: u16 = 512;

/// Updates the bounding box and face count of a segment header; sizes are updated on writing.
fn update_header(header: &mut SegmentHeader, model: &Model) {
    let (mut positive, mut negative) = ([0_u32; 3], [0_u32; 3]);
    for position in model.first_frame_positions() {
        for ((position, most), least) in position.into_iter().zip(&mut positive).zip(&mut negative) {
            let reach = position.unsigned_abs();
            let side = if position > 0 { most } else { least };
            *side = reach.max(*side);
        }
    }
    let mut extent = [0; 3];
    for ((extent, positive), negative) in extent.iter_mut().zip(positive).zip(negative) {
        *extent = positive.saturating_add(negative);
    }
    (header.extent, header.positive, header.negative) = (extent, positive, negative);
    [header.face_count_low, ..] = model.face_count().to_le_bytes();
}

/// Reads a replacement model: a model of the game or a `.glb` scene.
fn model_of(bytes: &[u8], name: &str, report: &mut Report) -> Result<Model> {
    if !bytes.starts_with(b"glTF") {
        return Model::read(bytes).map_err(|error| {
            Error::unsupported(format!("not a .3D, .3DC or .glb file: {}", error.message()))
        });
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
        let extension = if header.kind == EXTERNAL || header.data_size == 0 { "3DC" } else { "3D" };
        let (content, note) = match &segment.payload {
            Payload::Empty => (Content::Sealed, "external model".into()),
            Payload::Model(model) => (Content::File, counted(model.face_count(), "face", "faces").into()),
            Payload::Unread(_) => (Content::File, "unreadable model".into()),
        };
        let length = u64::from(header.data_size);
        let name = format!("{}.{extension}", header.name.text()).into();
        Some(Entry { name, length, stored: length, content, note })
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
        if matches!(segment.payload, Payload::Empty) {
            let message = format!(
                "the model of this segment is in {}.3DC; replace that file instead",
                segment.header.name
            );
            return Err(Error::usage(message));
        }
        let model = model_of(&content.read_all()?, &segment.header.name.text(), report)?;
        if segment.payload != Payload::Model(Box::new(model.clone())) {
            update_header(&mut segment.header, &model);
            segment.payload = Payload::Model(Box::new(model));
        }
        Ok(out.write_all(&rob.write()?)?)
    }
}

//! The models of a map as a container: each that stands in the file is a `.3D` file, and another can take its place.

use std::io::Write;

use asset::archive::{Content, Entry};
use asset::{Archive, Context, Report, counted};
use record::{Error, Result, Source, write_whole};

use super::import::pass_on;
use super::layout::{Payload, Rob, SegmentHeader};
use crate::model::Model;
use crate::model::import::Form;

/// The kind of a segment whose model is a `.3DC` file.
const EXTERNAL: u16 = 512;

/// Box and number of faces follow from the model; sizes do when the file is written. All else of the header stays.
fn follow(header: &mut SegmentHeader, model: &Model) {
    let (mut positive, mut negative) = ([0_u32; 3], [0_u32; 3]);
    for place in model.rest_places() {
        for ((place, most), least) in place.into_iter().zip(&mut positive).zip(&mut negative) {
            let reach = place.unsigned_abs();
            let side = if place > 0 { most } else { least };
            *side = reach.max(*side);
        }
    }
    let mut extent = [0; 3];
    for ((extent, positive), negative) in extent.iter_mut().zip(positive).zip(negative) {
        *extent = positive.saturating_add(negative);
    }
    (header.extent, header.positive, header.negative) = (extent, positive, negative);
    let [_, _, faces] = &mut header.unknown_11;
    [*faces, ..] = model.face_count().to_le_bytes();
}

/// The model in a file: one of the game, or a scene that stands in one file.
fn model_of(bytes: &[u8], name: &str, report: &mut Report) -> Result<Model> {
    if !bytes.starts_with(b"glTF") {
        return Model::read(bytes).map_err(|error| {
            Error::unsupported(format!("it is no .3D, .3DC or .glb file: {}", error.message()))
        });
    }
    let scene = scene::gltf::read(bytes, &mut |_| None)?;
    let mut about = Report::new();
    let model = Model::from_scene(&scene, Form::Segment, &mut about)?;
    pass_on(&about, Some(name), report);
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
            Payload::Empty => (Content::Sealed, "its model is the file of this name".into()),
            Payload::Model(model) => (Content::File, counted(model.face_count(), "face", "faces").into()),
            Payload::Unread(_) => (Content::File, "no model that can be read".into()),
        };
        let length = u64::from(header.data_size);
        let name = format!("{}.{extension}", header.name.text()).into();
        Some(Entry { name, length, stored: length, content, note })
    }

    fn open(&self, index: usize) -> Result<Source> {
        let segment = self.segments.get(index).ok_or_else(|| Error::usage("there is no such segment"))?;
        match &segment.payload {
            Payload::Empty => Err(Error::usage(format!("its model is the file {}.3DC", segment.header.name))),
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
        let segment = rob.segments.get_mut(index).ok_or_else(|| Error::usage("there is no such segment"))?;
        if matches!(segment.payload, Payload::Empty) {
            let what = format!("its model is the file {}.3DC: replace that file", segment.header.name);
            return Err(Error::usage(what));
        }
        let model = model_of(&content.read_all()?, &segment.header.name.text(), report)?;
        if segment.payload != Payload::Model(Box::new(model.clone())) {
            follow(&mut segment.header, &model);
            segment.payload = Payload::Model(Box::new(model));
        }
        Ok(out.write_all(&rob.write()?)?)
    }
}

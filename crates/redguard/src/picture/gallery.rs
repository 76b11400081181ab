//! Writing the pictures of a file: each a PNG, an animated PNG or a GIF, an overview of them all, and a JSON with what pictures cannot say.

use asset::name::{Namer, safe_name};
use asset::{Context, Error, Sink, Target};
use record::Result;
use scene::image::{Film8, Rgba8, encode_apng, encode_gif, encode_indexed_png, encode_png};
use serde_json::{Map, Value, json};

use super::FRAMES;

/// A picture in the overview is at most this many pixels wide and high; larger ones are shown with every n-th pixel only.
const THUMB: u32 = 256;

/// The overview starts a new row beyond this many pixels.
const ROW: u32 = 1024;

/// Pixels between pictures of the overview.
const GAP: u32 = 2;

/// No more pictures go into the overview.
const MOST_THUMBS: usize = 512;

/// Takes the pictures of one file.
pub(crate) struct Gallery<'a> {
    target: &'a Target<'a>,
    sink: &'a mut dyn Sink,
    /// A file with one picture is that picture.
    alone: bool,
    apart: bool,
    namer: Namer,
    thumbs: Vec<Rgba8>,
    facts: Vec<Value>,
}

/// What several frames become when nothing is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Usual {
    Together,
    Apart,
}

impl<'a> Gallery<'a> {
    /// For so many pictures.
    pub(crate) fn new(
        context: &Context<'_>,
        target: &'a Target<'a>,
        sink: &'a mut dyn Sink,
        count: usize,
    ) -> Self {
        let apart = is_apart(context, Usual::Together);
        Self {
            target,
            sink,
            alone: count == 1,
            apart,
            namer: Namer::new(),
            thumbs: Vec::new(),
            facts: Vec::new(),
        }
    }

    /// Whether pixels are to be written, not only the JSON.
    pub(crate) fn wants_pixels(&self) -> bool {
        self.target.output.extension != "json"
    }

    /// Takes a picture that is not shown: it has no pixels, or they are damaged.
    pub(crate) fn put_facts(&mut self, facts: Map<String, Value>) {
        self.facts.push(facts.into());
    }

    /// Takes a picture whose frames stay together whatever was asked for.
    pub(crate) fn put_film(&mut self, name: &str, film: &Film8, facts: Map<String, Value>) -> Result<()> {
        self.apart = false;
        self.put(name, film, facts)
    }

    /// Takes a picture and what else there is to say of it.
    pub(crate) fn put(&mut self, name: &str, film: &Film8, mut facts: Map<String, Value>) -> Result<()> {
        let gif = self.target.output.extension == "gif";
        let mut files = Vec::new();
        if self.apart && film.frames().len() > 1 {
            for number in 0..film.frames().len() {
                let Some(still) = film.still(number) else { continue };
                let file = self.file(&format!("{name}-{number:02}"), film.frames().len())?;
                let bytes = if gif {
                    let frame = still.indices().to_vec();
                    gif_of(
                        &Film8::new(
                            film.width(),
                            film.height(),
                            vec![frame],
                            film.palette().to_vec(),
                            film.delay(),
                        )
                        .map_err(|error| asset::from_scene(&error))?,
                    )?
                } else {
                    encode_indexed_png(&still)
                };
                self.sink.put(&file, &bytes)?;
                files.push(file);
            }
        } else {
            let file = self.file(name, 1)?;
            let bytes = if gif { gif_of(film)? } else { encode_apng(film) };
            self.sink.put(&file, &bytes)?;
            files.push(file);
        }
        facts.insert("files".into(), json!(files));
        self.facts.push(facts.into());
        if !gif && self.thumbs.len() < MOST_THUMBS && !(self.alone && files.len() == 1) {
            self.thumbs.extend(film.still(0).map(|still| thumb(&still.to_rgba8())));
        }
        Ok(())
    }

    /// The name of a picture's file: beside the main one in a folder of its name, or the main one itself.
    fn file(&mut self, name: &str, count: usize) -> Result<String> {
        if self.alone && count == 1 {
            return Ok(self.target.main_name());
        }
        let wish = format!("{}/{}.{}", self.target.stem, safe_name(name), self.target.output.extension);
        self.namer
            .file(&wish)
            .map_err(|why| Error::usage(format!("{why}, so it cannot be written")).in_file(&wish))
    }

    /// Writes the overview and the JSON, which starts with `head`.
    pub(crate) fn finish(self, head: Map<String, Value>) -> Result<()> {
        if let Some(sheet) = sheet(&self.thumbs) {
            self.sink.put(&self.target.main_name(), &encode_png(&sheet))?;
        }
        let mut head = head;
        head.insert("images".into(), self.facts.into());
        let mut json = serde_json::to_vec_pretty(&head).map_err(|error| Error::usage(error.to_string()))?;
        json.push(b'\n');
        self.sink.put(&self.target.side_name("json"), &json)
    }
}

/// Whether frames are to be written one by one.
pub(crate) fn is_apart(context: &Context<'_>, usual: Usual) -> bool {
    if !context.options.declares(FRAMES.name) {
        return usual == Usual::Apart;
    }
    match context.options.choice(FRAMES.name) {
        "together" => false,
        "apart" => true,
        _ => usual == Usual::Apart,
    }
}

fn gif_of(film: &Film8) -> Result<Vec<u8>> {
    encode_gif(film).map_err(|error| asset::from_scene(&error))
}

/// A picture small enough for the overview.
fn thumb(picture: &Rgba8) -> Rgba8 {
    let step = picture.width().max(picture.height()).div_ceil(THUMB).max(1);
    if step == 1 {
        return picture.clone();
    }
    let size = |side: u32| side.div_ceil(step);
    let along = |side: u32| (0..side).step_by(usize::try_from(step).unwrap_or(usize::MAX));
    let pixel = |x: u32, y: u32| picture.get(x, y).unwrap_or_default();
    let pixels =
        along(picture.height()).flat_map(|y| along(picture.width()).flat_map(move |x| pixel(x, y))).collect();
    Rgba8::new(size(picture.width()), size(picture.height()), pixels).unwrap_or_else(|_| picture.clone())
}

/// The pictures in rows, in their order.
fn sheet(thumbs: &[Rgba8]) -> Option<Rgba8> {
    let mut places: Vec<(u32, u32)> = Vec::new();
    let (mut x, mut y, mut row_height, mut width) = (0_u32, 0_u32, 0_u32, 0_u32);
    for thumb in thumbs {
        if x > 0 && x.saturating_add(thumb.width()) > ROW {
            (x, y, row_height) = (0, y.saturating_add(row_height).saturating_add(GAP), 0);
        }
        places.push((x, y));
        width = width.max(x.saturating_add(thumb.width()));
        x = x.saturating_add(thumb.width()).saturating_add(GAP);
        row_height = row_height.max(thumb.height());
    }
    let height = y.saturating_add(row_height);
    let bytes = usize::try_from(u64::from(width).checked_mul(height.into())?.checked_mul(4)?).ok()?;
    let mut sheet = Rgba8::new(width, height, vec![0; bytes]).ok()?;
    let stride = usize::try_from(width).ok()?.checked_mul(4)?;
    for (thumb, (x, y)) in thumbs.iter().zip(places) {
        let start = usize::try_from(x).ok()?.checked_mul(4)?;
        let across = usize::try_from(thumb.width()).ok()?.checked_mul(4)?;
        let rows = sheet.pixels_mut().chunks_exact_mut(stride).skip(usize::try_from(y).ok()?);
        for (row, from) in rows.zip(thumb.pixels().chunks_exact(across)) {
            if let Some(place) = row.get_mut(start..start.saturating_add(across)) {
                place.copy_from_slice(from);
            }
        }
    }
    Some(sheet)
}

//! Looks at what is written for one input, and keeps what can be shown of it.

use std::path::PathBuf;

use asset::{Error, Sink, Source};
use scene::Scene;
use scene::image::{Alpha, Format, Limits, alpha_use, decode, encode_jpeg, encode_png, shrink, size, sniff};
use scene::render::{Look, Textures, draw};

/// Pictures in the page fit into this.
const WIDE: u32 = 320;
const HIGH: u32 = 240;
/// A picture file of so many bytes at most stands in the page as it is.
const SMALL: usize = 12 << 10;
/// A picture with alpha that takes more than this is made smaller still.
const LARGE: usize = 40 << 10;
/// How good pictures without alpha are; 100 is best.
const QUALITY: u8 = 82;
/// A font of so many bytes at most stands in the page.
const FONT: usize = 256 << 10;
/// So many bytes of a text are shown.
const EXCERPT: usize = 600;

/// What is shown of one input.
#[derive(Debug, Default)]
pub(crate) struct Shot {
    /// What was written.
    pub(super) files: Vec<File>,
    /// What the input holds, in a line.
    pub(crate) summary: String,
}

/// One written file.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    pub(super) bytes: u64,
    pub(super) picture: Option<Picture>,
    /// The beginning of a text; of a sound, what is said in it.
    pub(super) excerpt: Option<String>,
    /// The bytes of a font.
    pub(super) font: Option<Vec<u8>>,
}

/// What a written file is to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Scene,
    Image,
    Sound,
    Font,
    Text,
    /// Shown like a text where there is nothing else to show.
    Data,
    Other,
}

impl Kind {
    fn of(name: &str) -> Self {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "glb" | "gltf" => Self::Scene,
            "png" | "gif" | "jpg" => Self::Image,
            "wav" | "ogg" | "mp3" => Self::Sound,
            "ttf" | "otf" => Self::Font,
            "txt" | "md" | "csv" | "tsv" | "soup" | "ini" | "po" => Self::Text,
            "json" => Self::Data,
            _ => Self::Other,
        }
    }
}

/// A small picture.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) mime: &'static str,
    /// Empty when only the written file itself can be shown.
    pub(super) data: Vec<u8>,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Drawn from a scene; otherwise the written file is the picture.
    pub(super) drawn: bool,
    /// The written file moves, and what stands here does not.
    pub(super) moves: bool,
}

/// A sink that looks at what goes through it.
pub(crate) struct Watch<'a> {
    sink: &'a mut dyn Sink,
    textures: &'a Textures,
    /// In the order they were put, each with its name.
    files: Vec<(String, File)>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(sink: &'a mut dyn Sink, textures: &'a Textures) -> Self {
        Self { sink, textures, files: Vec::new() }
    }

    /// What was seen. The files are in the order they were put.
    pub(crate) fn into_shot(self) -> Shot {
        Shot { files: self.files.into_iter().map(|(_, file)| file).collect(), summary: String::new() }
    }

    fn add(&mut self, name: &str, bytes: u64) -> Option<&mut File> {
        let kind = Kind::of(name);
        let path = PathBuf::new();
        let file = File { path, kind, bytes, picture: None, excerpt: None, font: None };
        self.files.push((name.to_owned(), file));
        self.files.last_mut().map(|(_, file)| file)
    }

    fn look_at(&mut self, name: &str, bytes: &[u8]) {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let Some(file) = self.add(name, length) else { return };
        match file.kind {
            Kind::Image => file.picture = picture(bytes),
            Kind::Font if bytes.len() <= FONT => file.font = Some(bytes.to_vec()),
            Kind::Text | Kind::Data => file.excerpt = Some(excerpt(bytes)),
            _ => {}
        }
    }
}

impl Shot {
    /// Tells where the files came to stand, in the order they were put.
    pub(crate) fn at(mut self, paths: &[PathBuf]) -> Self {
        for (file, path) in self.files.iter_mut().zip(paths) {
            file.path.clone_from(path);
        }
        self
    }
}

impl Sink for Watch<'_> {
    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.sink.put(name, bytes)?;
        self.look_at(name, bytes);
        Ok(())
    }

    fn put_source(&mut self, name: &str, source: &Source) -> Result<(), Error> {
        self.sink.put_source(name, source)?;
        let is_shown = matches!(Kind::of(name), Kind::Image | Kind::Font | Kind::Text | Kind::Data);
        if is_shown && source.len() <= MOST_READ {
            self.look_at(name, &source.read_all()?);
        } else {
            self.add(name, source.len());
        }
        Ok(())
    }

    fn caption(&mut self, name: &str, text: &str) {
        self.sink.caption(name, text);
        if let Some((_, file)) = self.files.iter_mut().rev().find(|(known, _)| known == name) {
            file.excerpt = Some(excerpt(text.as_bytes()));
        }
    }

    fn show(&mut self, name: &str, scene: &Scene) {
        self.sink.show(name, scene);
        let Some((_, file)) = self.files.iter_mut().rev().find(|(known, _)| known == name) else { return };
        let look = Look { width: WIDE, height: HIGH, ..Look::default() };
        let Some(drawn) = draw(scene, &look, self.textures) else { return };
        if let Ok(data) = encode_jpeg(&drawn, QUALITY) {
            let (width, height) = (drawn.width(), drawn.height());
            file.picture =
                Some(Picture { mime: "image/jpeg", data, width, height, drawn: true, moves: false });
        }
    }
}

/// Larger sources are not read only to be shown.
const MOST_READ: u64 = 16 << 20;

/// The small picture of a picture file.
fn picture(bytes: &[u8]) -> Option<Picture> {
    let format = sniff(bytes)?;
    let (mime, moves) = match format {
        Format::Png => ("image/png", is_animated(bytes)),
        Format::Gif => ("image/gif", true),
        Format::Jpeg => ("image/jpeg", false),
        _ => return None,
    };
    let (width, height) = size(bytes).ok()?;
    if bytes.len() <= SMALL && width <= WIDE && height <= HIGH {
        let data = bytes.to_vec();
        return Some(Picture { mime, data, width, height, drawn: false, moves: false });
    }
    let Ok(whole) = decode(bytes, &Limits::default()) else {
        return Some(Picture { mime, data: Vec::new(), width, height, drawn: false, moves: false });
    };
    let mut small = shrink(&whole, WIDE, HIGH);
    let opaque = alpha_use(&small) == Alpha::Opaque;
    let (mime, data) = match encode_jpeg(&small, QUALITY) {
        Ok(data) if opaque => ("image/jpeg", data),
        _ => {
            let mut data = encode_png(&small);
            if data.len() > LARGE {
                small = shrink(&small, WIDE >> 1, HIGH >> 1);
                data = encode_png(&small);
            }
            ("image/png", data)
        }
    };
    Some(Picture { mime, data, width: small.width(), height: small.height(), drawn: false, moves })
}

/// Whether a PNG has more than one frame: that is said before its pixels.
fn is_animated(bytes: &[u8]) -> bool {
    let head = bytes.get(..4096).unwrap_or(bytes);
    head.windows(4).take_while(|window| window != b"IDAT").any(|window| window == b"acTL")
}

/// The beginning of a text, whole characters only.
fn excerpt(bytes: &[u8]) -> String {
    let head = bytes.get(..EXCERPT).unwrap_or(bytes);
    let mut text = String::from_utf8_lossy(head).into_owned();
    while text.ends_with('\u{fffd}') {
        text.pop();
    }
    if head.len() < bytes.len() {
        text.push('…');
    }
    text
}

//! Looks at what is written for one input, and keeps what can be shown of it.

use std::path::PathBuf;

use asset::convert::Observer;
use render::{RenderOptions, Textures, draw};
use scene::image::{Alpha, Rgba8, alpha_use, encode_jpeg, encode_png, shrink};
use scene::product::Picture as Image;
use scene::{Product, ProductKind, Scene};

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
    /// What is in it; `None` for a file of the game's own.
    pub(super) kind: Option<ProductKind>,
    pub(super) bytes: u64,
    pub(super) picture: Option<Picture>,
    /// The beginning of a text; of a sound, what is said in it.
    pub(super) excerpt: Option<String>,
    /// The bytes of a font.
    pub(super) font: Option<Vec<u8>>,
}

/// A small picture.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) mime: &'static str,
    pub(super) data: Vec<u8>,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Drawn from a scene; otherwise the written file is the picture.
    pub(super) drawn: bool,
    /// The written file moves, and what is shown here does not.
    pub(super) moves: bool,
}

/// Looks at the products that a file becomes, and at the files that they become.
pub(crate) struct Watch<'a> {
    textures: &'a Textures,
    /// In the order they were written.
    files: Vec<File>,
    product: Seen,
}

/// What is kept of the product that is being written.
#[derive(Default)]
struct Seen {
    kind: Option<ProductKind>,
    /// What its image files show, and whether they move.
    image: Option<(Rgba8, bool)>,
    /// What its scene looks like.
    drawn: Option<Picture>,
    caption: Option<String>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(textures: &'a Textures) -> Self {
        Self { textures, files: Vec::new(), product: Seen::default() }
    }

    /// What was seen. The files are in the order they were written.
    pub(crate) fn into_shot(self) -> Shot {
        Shot { files: self.files, summary: String::new() }
    }
}

impl Observer for Watch<'_> {
    fn product(&mut self, product: &Product<'_>, caption: Option<&str>) {
        let image = match product {
            Product::Image(image) => Some((image.to_rgba8(), image.frame_count() > 1)),
            Product::Font(font) => font.sheet().ok().map(|(_, sheet)| (Image::from(sheet).to_rgba8(), false)),
            _ => None,
        };
        let drawn = match product {
            Product::Scene(scene) => drawn(scene, self.textures),
            _ => None,
        };
        let caption = caption.map(|text| excerpt(text.as_bytes()));
        self.product = Seen { kind: Some(product.kind()), image, drawn, caption };
    }

    fn file(&mut self, kind: Option<ProductKind>, bytes: &[u8]) {
        let mut file = blank(kind, bytes);
        let Some(kind) = kind else { return self.files.push(file) };
        let is_main = self.product.kind == Some(kind);
        match kind {
            ProductKind::Image => {
                file.picture =
                    self.product.image.as_ref().and_then(|(image, moves)| small(image, *moves, bytes));
            }
            ProductKind::Scene => file.picture = self.product.drawn.take(),
            ProductKind::Font if bytes.len() <= FONT => file.font = Some(bytes.to_vec()),
            ProductKind::Text | ProductKind::Table | ProductKind::Data if is_main => {
                file.excerpt = Some(excerpt(bytes));
            }
            ProductKind::Sound => file.excerpt.clone_from(&self.product.caption),
            _ => {}
        }
        self.files.push(file);
    }
}

fn blank(kind: Option<ProductKind>, bytes: &[u8]) -> File {
    let bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    File { path: PathBuf::new(), kind, bytes, picture: None, excerpt: None, font: None }
}

impl Shot {
    /// Says where the files were written, in their order.
    pub(crate) fn at(mut self, paths: &[PathBuf]) -> Self {
        for (file, path) in self.files.iter_mut().zip(paths) {
            file.path.clone_from(path);
        }
        self
    }
}

/// The picture of a scene.
fn drawn(scene: &Scene, textures: &Textures) -> Option<Picture> {
    let look = RenderOptions { width: WIDE, height: HIGH, ..RenderOptions::default() };
    let drawn = draw(scene, &look, textures)?;
    let data = encode_jpeg(&drawn, QUALITY).ok()?;
    let (width, height) = (drawn.width(), drawn.height());
    Some(Picture { mime: "image/jpeg", data, width, height, drawn: true, moves: false })
}

/// The small picture of an image that was written as these bytes.
fn small(image: &Rgba8, moves: bool, bytes: &[u8]) -> Option<Picture> {
    let (width, height) = (image.width(), image.height());
    if let Some(mime) = shown_by_browsers(bytes)
        && bytes.len() <= SMALL
        && width <= WIDE
        && height <= HIGH
    {
        return Some(Picture { mime, data: bytes.to_vec(), width, height, drawn: false, moves: false });
    }
    let mut small = shrink(image, WIDE, HIGH);
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

/// The media type of an image file that a page can show as it is.
fn shown_by_browsers(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
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

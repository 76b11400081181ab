//! Observes the outputs of one input, and records its gallery entry.

use asset::convert::Observer;
use scene::image::Rgba8;
use scene::product::Picture as Image;
use scene::{Product, ProductKind};

use super::pictures::{Picture, Pictures};

/// Maximum length in bytes of a font that is embedded in the page.
const FONT: usize = 256 << 10;
/// Maximum length in bytes of a text excerpt.
const EXCERPT: usize = 600;

/// Gallery entry of one input.
#[derive(Debug, Default)]
pub(crate) struct GalleryEntry {
    /// Output files, in the order in which they were written. Their paths are those of the outcome.
    pub(super) files: Vec<File>,
    /// One-line summary of the input.
    pub(crate) summary: String,
}

/// One output file.
#[derive(Debug)]
pub(super) struct File {
    /// Kind of the content; `None` for a file in a format of the game.
    pub(super) kind: Option<ProductKind>,
    pub(super) bytes: u64,
    pub(super) picture: Option<Picture>,
    /// Start of a text, or the spoken text of a sound.
    pub(super) excerpt: Option<String>,
    /// Key of a stored font.
    pub(super) font: Option<u128>,
}

/// Observer of the products of a file and of their output files.
pub(crate) struct Watch<'a> {
    pictures: &'a Pictures,
    /// Files in the order in which they were written.
    files: Vec<File>,
    product: CurrentProduct,
}

/// Details of the product that is being written.
#[derive(Default)]
struct CurrentProduct {
    kind: Option<ProductKind>,
    /// Image in its files, and whether it is animated.
    image: Option<(Rgba8, bool)>,
    /// Rendered picture of its scene.
    drawn: Option<Picture>,
    caption: Option<String>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(pictures: &'a Pictures) -> Self {
        Self { pictures, files: Vec::new(), product: CurrentProduct::default() }
    }

    /// Returns the gallery entry, with the files in the order in which they were written.
    pub(crate) fn into_entry(self) -> GalleryEntry {
        GalleryEntry { files: self.files, summary: String::new() }
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
            Product::Scene(scene) => self.pictures.of_scene(scene),
            _ => None,
        };
        let caption = caption.map(|text| excerpt(text.as_bytes()));
        self.product = CurrentProduct { kind: Some(product.kind()), image, drawn, caption };
    }

    fn file(&mut self, kind: Option<ProductKind>, bytes: &[u8]) {
        let length = bytes.len() as u64;
        let mut file = File { kind, bytes: length, picture: None, excerpt: None, font: None };
        let is_main = self.product.kind == kind;
        match kind {
            Some(ProductKind::Image) => {
                let image = self.product.image.as_ref();
                file.picture = image.and_then(|(image, moves)| self.pictures.of_image(image, *moves, bytes));
            }
            Some(ProductKind::Scene) => file.picture = self.product.drawn.take(),
            Some(ProductKind::Font) if bytes.len() <= FONT => file.font = Some(self.pictures.of_font(bytes)),
            Some(ProductKind::Text | ProductKind::Table | ProductKind::Subtitles | ProductKind::Data)
                if is_main =>
            {
                file.excerpt = Some(excerpt(bytes));
            }
            Some(ProductKind::Sound) => file.excerpt.clone_from(&self.product.caption),
            _ => {}
        }
        self.files.push(file);
    }
}

/// Returns the start of a text, cut at a character boundary.
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

//! Looks at what is written for one input, and keeps what can be shown of it.

use asset::convert::Observer;
use scene::image::Rgba8;
use scene::product::Picture as Image;
use scene::{Product, ProductKind};

use super::pictures::{Picture, Pictures};

/// A font of so many bytes at most stands in the page.
const FONT: usize = 256 << 10;
/// So many bytes of a text are shown.
const EXCERPT: usize = 600;

/// What is shown of one input.
#[derive(Debug, Default)]
pub(crate) struct Shot {
    /// What was written, in that order. The paths are those of the outcome.
    pub(super) files: Vec<File>,
    /// What the input holds, in a line.
    pub(crate) summary: String,
}

/// One written file.
#[derive(Debug)]
pub(super) struct File {
    /// What is in it; `None` for a file of the game's own.
    pub(super) kind: Option<ProductKind>,
    pub(super) bytes: u64,
    pub(super) picture: Option<Picture>,
    /// The beginning of a text; of a sound, what is said in it.
    pub(super) excerpt: Option<String>,
    /// A font that is kept.
    pub(super) font: Option<u128>,
}

/// Looks at the products that a file becomes, and at the files that they become.
pub(crate) struct Watch<'a> {
    pictures: &'a Pictures,
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
    pub(super) fn new(pictures: &'a Pictures) -> Self {
        Self { pictures, files: Vec::new(), product: Seen::default() }
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
            Product::Scene(scene) => self.pictures.of_scene(scene),
            _ => None,
        };
        let caption = caption.map(|text| excerpt(text.as_bytes()));
        self.product = Seen { kind: Some(product.kind()), image, drawn, caption };
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
            Some(ProductKind::Text | ProductKind::Table | ProductKind::Data) if is_main => {
                file.excerpt = Some(excerpt(bytes));
            }
            Some(ProductKind::Sound) => file.excerpt.clone_from(&self.product.caption),
            _ => {}
        }
        self.files.push(file);
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

//! The two renderers of the game and their folders.

use asset::{Context, Found};

/// The renderer that an image or a model belongs to. Each has its own folder with models, textures and palettes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renderer {
    /// `fxart`: images in `TEXBSI.###`; a palette with the name of the image, or the island's palette, which most worlds use.
    Glide,
    /// `3dart`: images in `TEXTURE.###`; the palette `ART_PAL.COL`.
    Software,
}

impl Renderer {
    /// Returns the other renderer.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Glide => Self::Software,
            Self::Software => Self::Glide,
        }
    }

    /// Returns the folder of the renderer's files, relative to the game's folder.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Glide => "fxart",
            Self::Software => "3dart",
        }
    }

    /// Finds one of the renderer's files by its file name: next to the file of the context, in the folders given by options, and
    /// in the renderer's folder of the game, in this order.
    #[must_use]
    pub fn find(self, context: &Context<'_>, name: &str) -> Option<Found> {
        let install = context.install;
        let sibling_folder = context.location.as_ref().map(|location| install.folder_of(location));
        let folders = sibling_folder.into_iter().chain([install.root(), install.folder(self.folder())]);
        folders.filter_map(|folder| folder.find(name).found()).next()
    }
}

//! The two renderers of the game, and where each looks for its files.

use asset::{Context, Found};

/// The renderer that an image or a model belongs to: each has a folder of its own with models, textures and palettes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renderer {
    /// `fxart`: images in `TEXBSI.###`; a palette with the name of the image, or else that of the island, which most worlds use.
    Glide,
    /// `3dart`: images in `TEXTURE.###`; `ART_PAL.COL`.
    Software,
}

impl Renderer {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Glide => Self::Software,
            Self::Software => Self::Glide,
        }
    }

    /// The folder of its files, from the game's.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Glide => "fxart",
            Self::Software => "3dart",
        }
    }

    /// Looks up one of its files by its bare name: beside the file of the context, in the folders that were given, and in its own folder
    /// of the game, in this order.
    #[must_use]
    pub fn find(self, context: &Context<'_>, name: &str) -> Option<Found> {
        let install = context.install;
        let beside = context.location.as_ref().map(|place| install.beside(place));
        let folders = beside.into_iter().chain([install.root(), install.folder(self.folder())]);
        folders.filter_map(|folder| folder.find(name).found()).next()
    }
}

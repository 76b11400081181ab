//! A glTF document while it is being written.

use std::collections::{BTreeMap, BTreeSet};

use super::{binary::Binary, schema::Document, tree::Tree};
use crate::Scene;

/// The location of images and buffers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Storage<'a> {
    /// In the GLB file itself.
    Embedded,
    /// In files next to the document.
    Files {
        /// The stem of their names.
        stem: &'a str,
        /// The URI of the folder of files that several documents refer to, with a trailing slash; `None` if this
        /// document shares nothing.
        shared: Option<&'a str>,
    },
}

impl<'a> Storage<'a> {
    /// The URI of the folder of shared files.
    pub(super) const fn shared(self) -> Option<&'a str> {
        match self {
            Self::Embedded => None,
            Self::Files { shared, .. } => shared,
        }
    }
}

/// The state of the document being written.
pub(super) struct Draft<'a> {
    pub(super) scene: &'a Scene,
    pub(super) tree: Tree,
    pub(super) document: Document<'a>,
    pub(super) binary: Binary<'a>,
    pub(super) storage: Storage<'a>,
    pub(super) extensions: BTreeSet<&'static str>,
    /// The index of each mesh in the document; `None` for a mesh without triangles.
    pub(super) meshes: Vec<Option<usize>>,
    /// The index of each image in the document.
    pub(super) images: Vec<usize>,
    /// Accessors of times, by their bits: tracks often share them.
    pub(super) times: BTreeMap<Vec<u32>, usize>,
    /// The meshes, as indices in the document, whose hulls are the shapes of triggers.
    pub(super) shapes: Vec<usize>,
}

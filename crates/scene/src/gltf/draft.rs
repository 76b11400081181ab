//! A glTF document while it is being written.

use std::collections::{BTreeMap, BTreeSet};

use super::{binary::Binary, schema::Document, tree::Tree};
use crate::Scene;

/// Where images and buffers are stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum Storage<'a> {
    /// In the GLB file itself.
    Embedded,
    /// In files next to the document.
    Files {
        /// What their names start with.
        stem: &'a str,
        /// The URI of the folder of files that several documents refer to, with a trailing slash; `None` if this document shares nothing.
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

/// What is written so far.
pub(super) struct Draft<'a> {
    pub(super) scene: &'a Scene,
    pub(super) tree: Tree,
    pub(super) document: Document<'a>,
    pub(super) binary: Binary<'a>,
    pub(super) storage: Storage<'a>,
    pub(super) extensions: BTreeSet<&'static str>,
    /// Where each mesh went; `None` for one without triangles.
    pub(super) meshes: Vec<Option<usize>>,
    /// Where each image went.
    pub(super) images: Vec<usize>,
    /// Accessors of times, by their bits: tracks often share them.
    pub(super) times: BTreeMap<Vec<u32>, usize>,
    /// The shapes of triggers, by their meshes in the document.
    pub(super) shapes: Vec<usize>,
}

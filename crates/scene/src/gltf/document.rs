//! Conversion of a scene to a glTF document and its planned buffers.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::{
    binary::{Binary, PlannedBuffer},
    check,
    draft::{Draft, Storage},
    image::{ImageFiles, shared_name, to_uri, write_images},
    mesh::QUANTIZATION,
    node::INSTANCING,
    schema::{Asset, Buffer, Document, Scene as SceneJson},
    tree::Tree,
};
use crate::{Error, NodeId, Scene};

/// A document with its buffers and companion files.
pub(super) struct Lowered<'a> {
    pub(super) document: Document<'a>,
    pub(super) binary: Binary<'a>,
    /// The non-empty buffers, in the order of the document.
    pub(super) buffers: Vec<PlannedBuffer<'a>>,
    /// Image files next to the document.
    pub(super) files: Vec<(String, &'a [u8])>,
    /// Image files shared with other documents.
    pub(super) shared_images: Vec<(String, &'a [u8])>,
}

impl<'a> Lowered<'a> {
    /// Returns the document's own buffer.
    pub(super) fn own(&self) -> Option<&PlannedBuffer<'a>> {
        self.buffers.iter().find(|buffer| buffer.source.is_none())
    }
}

/// Checks a scene and plans its document.
pub(super) fn lower<'a>(scene: &'a Scene, storage: Storage<'a>) -> Result<Lowered<'a>, Error> {
    let mut draft = Draft {
        scene,
        tree: Tree::new(scene)?,
        document: Document::default(),
        binary: Binary::default(),
        storage,
        extensions: BTreeSet::new(),
        meshes: Vec::new(),
        images: Vec::new(),
        times: BTreeMap::new(),
        shapes: Vec::new(),
    };
    draft.meshes()?;
    draft.skins()?;
    draft.lights()?;
    draft.number_images();
    draft.nodes()?;
    draft.trigger_shapes();
    draft.materials()?;
    draft.animations()?;
    let files = write_images(&mut draft)?;
    draft.textures()?;
    Ok(draft.finish(files))
}

/// Returns the scenes of the document: one, or one per collection, of which the first has the extras.
fn scenes(scene: &Scene) -> Vec<SceneJson<'_>> {
    let json = |name: &str, index: usize, roots: &[NodeId], extras| SceneJson {
        name: check::name(name, "scene", index),
        nodes: roots.iter().map(|root| root.0).collect(),
        extras,
    };
    if scene.collections.is_empty() {
        return vec![json(&scene.name, 0, &scene.roots, Cow::Borrowed(&scene.extras))];
    }
    let extras = |index: usize| if index == 0 { Cow::Borrowed(&scene.extras) } else { Cow::default() };
    let collections = scene.collections.iter().enumerate();
    collections.map(|(index, it)| json(&it.name, index, &it.roots, extras(index))).collect()
}

impl<'a> Draft<'a> {
    fn finish(self, files: ImageFiles<'a>) -> Lowered<'a> {
        let Self { scene, mut document, mut binary, extensions, storage, .. } = self;
        document.asset = Asset {
            version: "2.0",
            generator: concat!("Antiquary ", env!("CARGO_PKG_VERSION")),
            copyright: scene.copyright.as_deref(),
        };
        document.scene = scene.collections.is_empty().then_some(0);
        document.scenes = scenes(scene);
        // Readers that do not support these would show wrong geometry.
        document.extensions_required =
            [INSTANCING, QUANTIZATION].into_iter().filter(|it| extensions.contains(it)).collect();
        document.extensions_used = extensions.into_iter().collect();
        document.accessors = std::mem::take(&mut binary.accessors);
        let buffers = binary.buffers();
        document.buffer_views = binary.views(&buffers);
        let uri = |buffer: &PlannedBuffer<'_>| match (buffer.source, storage) {
            (Some(source), _) => {
                let name = shared_name(source, buffer.hash, "bin");
                Some(format!("{}{}", storage.shared().unwrap_or_default(), to_uri(&name)))
            }
            (None, Storage::Embedded) => None,
            (None, Storage::Files { stem, .. }) => Some(to_uri(&format!("{stem}.bin"))),
        };
        let json = |buffer: &PlannedBuffer<'_>| Buffer { uri: uri(buffer), byte_length: buffer.byte_length };
        document.buffers = buffers.iter().map(json).collect();
        let ImageFiles { own, shared } = files;
        Lowered { document, binary, buffers, files: own, shared_images: shared }
    }
}

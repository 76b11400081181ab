//! From a scene to a glTF document and its planned buffer.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    binary::Binary,
    check,
    image::write_images,
    mesh::QUANTIZATION,
    node::INSTANCING,
    schema::{Asset, Buffer, Document, Scene as SceneJson},
    tree::Tree,
};
use crate::{Error, Scene};

/// Where images go.
#[derive(Debug, Clone, Copy)]
pub(super) enum Images<'a> {
    /// Into the buffer.
    Embedded,
    /// Into files beside it, as the buffer itself.
    Files {
        /// What their names start with.
        stem: &'a str,
    },
}

/// A document, its buffer, and the files beside it.
pub(super) struct Lowered<'a> {
    pub(super) document: Document<'a>,
    pub(super) binary: Binary<'a>,
    pub(super) files: Vec<(String, &'a [u8])>,
}

/// What is written so far.
pub(super) struct Draft<'a> {
    pub(super) scene: &'a Scene,
    pub(super) tree: Tree,
    pub(super) document: Document<'a>,
    pub(super) binary: Binary<'a>,
    pub(super) extensions: BTreeSet<&'static str>,
    /// Where each mesh went; `None` for one without triangles.
    pub(super) meshes: Vec<Option<usize>>,
    /// Where each image went.
    pub(super) images: Vec<usize>,
    /// Accessors of times, by their bits: tracks often share them.
    pub(super) times: BTreeMap<Vec<u32>, usize>,
}

/// Checks a scene and lays out its document.
pub(super) fn lower<'a>(scene: &'a Scene, images: Images<'_>) -> Result<Lowered<'a>, Error> {
    let mut draft = Draft {
        scene,
        tree: Tree::new(scene)?,
        document: Document::default(),
        binary: Binary::default(),
        extensions: BTreeSet::new(),
        meshes: Vec::new(),
        images: Vec::new(),
        times: BTreeMap::new(),
    };
    draft.meshes()?;
    draft.skins()?;
    draft.lights()?;
    draft.number_images();
    draft.nodes()?;
    draft.materials()?;
    draft.animations()?;
    let files = write_images(&mut draft, images)?;
    draft.textures()?;
    Ok(draft.finish(images, files))
}

impl<'a> Draft<'a> {
    fn finish(self, images: Images<'_>, files: Vec<(String, &'a [u8])>) -> Lowered<'a> {
        let Self { scene, mut document, mut binary, extensions, .. } = self;
        document.asset = Asset {
            version: "2.0",
            generator: concat!("Antiquary ", env!("CARGO_PKG_VERSION")),
            copyright: scene.copyright.as_deref(),
        };
        document.scenes = vec![SceneJson {
            name: check::name(&scene.name, "scene", 0),
            nodes: scene.roots.iter().map(|root| root.0).collect(),
            extras: &scene.extras,
        }];
        // Readers that do not know it would show nothing sensible.
        document.extensions_required =
            [INSTANCING, QUANTIZATION].into_iter().filter(|it| extensions.contains(it)).collect();
        document.extensions_used = extensions.into_iter().collect();
        document.accessors = std::mem::take(&mut binary.accessors);
        document.buffer_views = std::mem::take(&mut binary.views);
        if binary.byte_length() > 0 {
            let uri = match images {
                Images::Embedded => None,
                Images::Files { stem } => Some(super::image::to_uri(&format!("{stem}.bin"))),
            };
            document.buffers = vec![Buffer { uri, byte_length: binary.byte_length() }];
        }
        Lowered { document, binary, files }
    }
}

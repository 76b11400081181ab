//! Static models, as used by rooms.

use std::sync::Arc;

use asset::{Context, Location, Options, Report};
use record::{Error, Result};
use scene::{Mesh, Node, Scene};

use crate::obj::{self, ObjFile};
use crate::three_ds::{self, ThreeDs};
use crate::{b3d, x};

/// Maximum file size of a model in a room, in bytes.
const MAX_SIZE: u64 = 64 << 20;

/// A static model, merged into one mesh, in meters.
#[derive(Debug)]
pub(crate) struct PropModel {
    pub(crate) scene: Scene,
    /// Problems found while reading and converting it.
    pub(crate) found: Report,
}

/// Returns the model of a file, from the cache if it was loaded before.
///
/// # Errors
/// If it cannot be read, or is not a model.
pub(crate) fn load(context: &Context<'_>, location: &Location) -> Result<Arc<PropModel>> {
    context.install.decoded(location, "at rest", || {
        let model = read(context, location)?;
        let size = size(&model.scene);
        Ok((model, size))
    })
}

fn read(context: &Context<'_>, location: &Location) -> Result<PropModel> {
    let source = context.install.open(location)?;
    if source.len() > MAX_SIZE {
        let message = format!("{} bytes exceed the limit for props ({MAX_SIZE})", source.len());
        return Err(Error::limit(message));
    }
    let bytes = source.read_all()?;
    let name = location.path().name();
    let mut found = Report::new();
    let none = Options::default();
    let scene_context = context_of(context, location, &none);
    let has_extension = |extension: &str| {
        let found = name.rsplit_once('.').map(|(_, extension)| extension);
        found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
    };
    let animated = if bytes.starts_with(b"BB3D") {
        b3d::to_scene(&b3d::B3d::read(&bytes, &mut found)?, &scene_context, name, 1.0, &mut found)
    } else if bytes.starts_with(three_ds::MAGIC) {
        three_ds::to_scene(&ThreeDs::read(&bytes, &mut found)?, &scene_context, name, 1.0, &mut found)
    } else if has_extension("obj") {
        obj::to_scene(&ObjFile::read(&bytes, &mut found)?, &scene_context, name, 1.0, &mut found)
    } else {
        x::to_scene(&x::XFile::read(&bytes, &mut found)?, &scene_context, name, 1.0, &mut found)
    };
    let mut scene = Scene::new(name);
    if let Some(mesh) = scene.add_static_copy(&animated) {
        scene.add_root(Node { mesh: Some(mesh), ..Node::named(name) });
    }
    Ok(PropModel { scene, found })
}

/// The context of the model, whose images are looked up next to it.
fn context_of<'a>(context: &Context<'a>, location: &Location, options: &'a Options) -> Context<'a> {
    Context { install: context.install, location: Some(location.clone()), options }
}

/// Memory used by a scene with one mesh, without its images, which are cached separately.
fn size(scene: &Scene) -> usize {
    let bytes = |mesh: &Mesh| -> usize {
        let primitives = mesh.primitives.iter();
        primitives
            .map(|primitive| {
                let vertex_size = primitive.uvs.len().saturating_mul(8).saturating_add(40);
                let vertices = primitive.positions.len().saturating_mul(vertex_size);
                vertices.saturating_add(primitive.indices.len().saturating_mul(4))
            })
            .sum()
    };
    scene.meshes.iter().map(bytes).sum::<usize>().saturating_add(size_of::<PropModel>())
}

//! Models at rest, as rooms place them.

use std::sync::Arc;

use asset::{Context, Options, Place, Report};
use record::{Error, Result};
use scene::{Mesh, Node, Scene};

use crate::{b3d, x};

/// The largest model that is placed in a room.
const LARGEST: u64 = 64 << 20;

/// A model at rest, all parts in one mesh, in metres.
#[derive(Debug)]
pub(crate) struct Still {
    pub(crate) scene: Scene,
    /// What was amiss, or lost on the way.
    pub(crate) told: Report,
}

/// The model of a file, as kept for others that place it too, or read now.
///
/// # Errors
/// When it cannot be read, or is no model.
pub(crate) fn still(context: &Context<'_>, place: &Place) -> Result<Arc<Still>> {
    context.install.decoded(place, "at rest", || {
        let still = read(context, place)?;
        let size = size(&still.scene);
        Ok((still, size))
    })
}

fn read(context: &Context<'_>, place: &Place) -> Result<Still> {
    let source = context.install.open(place)?;
    if source.len() > LARGEST {
        let message = format!("{} bytes are more than a prop may have ({LARGEST})", source.len());
        return Err(Error::limit(message));
    }
    let bytes = source.read_all()?;
    let name = place.path().name();
    let mut told = Report::new();
    let moving = if bytes.starts_with(b"BB3D") {
        let file = b3d::B3d::read(&bytes, &mut told)?;
        let options = Options::defaults(b3d::FORMAT.options);
        b3d::to_scene(&file, &beside(context, place, &options), name, 1.0, &mut told)
    } else {
        let file = x::XFile::read(&bytes, &mut told)?;
        let options = Options::defaults(x::FORMAT.options);
        x::to_scene(&file, &beside(context, place, &options), name, 1.0, &mut told)
    };
    let mut scene = Scene::new(name);
    if let Some(mesh) = scene.add_still(&moving) {
        scene.add_root(Node { mesh: Some(mesh), ..Node::named(name) });
    }
    Ok(Still { scene, told })
}

/// The model's own context: its images are looked up beside it.
fn beside<'a>(context: &Context<'a>, place: &Place, options: &'a Options) -> Context<'a> {
    Context { install: context.install, place: Some(place.clone()), options }
}

/// How many bytes a scene of one mesh takes, without its images, which are kept by themselves.
fn size(scene: &Scene) -> usize {
    let bytes = |mesh: &Mesh| -> usize {
        let parts = mesh.primitives.iter();
        parts
            .map(|part| {
                let a_vertex = part.uvs.len().saturating_mul(8).saturating_add(40);
                let vertices = part.positions.len().saturating_mul(a_vertex);
                vertices.saturating_add(part.indices.len().saturating_mul(4))
            })
            .sum()
    };
    scene.meshes.iter().map(bytes).sum::<usize>().saturating_add(size_of::<Still>())
}

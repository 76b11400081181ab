//! Writing glTF 2.0: one GLB file, or a `.gltf` with its buffer and images beside it; and [reading](read()) it.
//!
//! Rules that hold for every file: indexed triangles; every thing has a name; bounds on positions and times; default
//! values, empty lists and empty primitives are left out; extensions are listed when used, and required only where a file makes no sense without; the same
//! scene gives the same bytes.
//! Extensions: `KHR_materials_unlit`, `KHR_lights_punctual`, `KHR_texture_transform`, `KHR_animation_pointer`, `KHR_mesh_quantization`,
//! `EXT_mesh_gpu_instancing`, `MOZ_lightmap`, `OMI_physics_body`, `OMI_physics_shape`.
//!
//! What would make the Khronos validator complain is an error that names the thing, and no file is written.

mod animation;
mod binary;
mod check;
mod document;
mod draft;
mod image;
mod material;
mod mesh;
mod node;
mod piece;
pub mod read;
mod schema;
mod skin;
#[cfg(test)]
mod tests;
mod tree;

use std::borrow::Cow;

pub use self::image::without_hash;
pub use self::read::{Omission, Read, read};
use self::{
    binary::padding,
    document::{Lowered, lower},
    draft::Storage,
};
use crate::error::{file_too_long, forbidden};
use crate::{Error, Scene};

/// The first bytes of a GLB, and its version.
const MAGIC: [u8; 8] = *b"glTF\x02\0\0\0";

/// File header, and the header of a chunk.
const FILE_HEADER: u64 = 12;
const CHUNK_HEADER: u64 = 8;

/// Writes a scene as one complete GLB file: it contains its images and buffers, and never refers to another file.
///
/// # Errors
/// `Malformed`, naming what is wrong with the scene; `Limit` beyond 4 GiB.
pub fn write_glb(scene: &Scene) -> Result<Vec<u8>, Error> {
    glb(&lower(scene, Storage::Embedded)?)
}

/// A file that several documents refer to.
#[derive(Debug)]
pub struct SharedFile<'a> {
    /// Its name: files with the same name have the same content.
    pub name: String,
    content: SharedContent<'a>,
}

#[derive(Debug)]
enum SharedContent<'a> {
    Image(&'a [u8]),
    Buffer(&'a binary::Binary<'a>, &'a binary::PlannedBuffer<'a>),
}

impl SharedFile<'_> {
    /// Whether it is an image; otherwise it is a buffer.
    pub const fn is_image(&self) -> bool {
        matches!(self.content, SharedContent::Image(_))
    }

    /// Its bytes, which are made for this call.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self.content {
            SharedContent::Image(bytes) => bytes.into(),
            SharedContent::Buffer(binary, buffer) => {
                let mut bytes = Vec::with_capacity(buffer.byte_length);
                binary.write(buffer, &mut bytes);
                bytes.into()
            }
        }
    }
}

fn share_all(
    lowered: &Lowered<'_>,
    share: &mut dyn FnMut(&SharedFile<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    for (name, bytes) in &lowered.shared_images {
        share(&SharedFile { name: name.clone(), content: SharedContent::Image(bytes) })?;
    }
    for buffer in &lowered.buffers {
        if let Some(source) = buffer.source {
            let name = image::shared_name(source, buffer.hash, "bin");
            share(&SharedFile { name, content: SharedContent::Buffer(&lowered.binary, buffer) })?;
        }
    }
    Ok(())
}

fn glb(lowered: &Lowered<'_>) -> Result<Vec<u8>, Error> {
    let mut json = to_json(&lowered.document, Layout::Compact)?;
    json.resize(json.len() + padding(json.len()), b' ');
    let binary = lowered.own().map_or(0, |own| own.byte_length);
    let length = glb_length(json.len(), binary)?;

    let mut out = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&chunk_length(json.len())?.to_le_bytes());
    out.extend_from_slice(b"JSON");
    out.append(&mut json);
    if let Some(own) = lowered.own() {
        out.extend_from_slice(&chunk_length(binary)?.to_le_bytes());
        out.extend_from_slice(b"BIN\0");
        lowered.binary.write(own, &mut out);
    }
    Ok(out)
}

/// Writes a scene as `STEM.gltf`, `STEM.bin` and its images, `STEM.NAME.png` or `.jpg`: pairs of file name and bytes.
///
/// The stem is a file name without extension. Image names are made safe for every file system and differ in more than
/// case; two scenes with different stems never share a name.
///
/// # Errors
/// As [`write_glb`]; also for a stem that is not a file name.
pub fn write_gltf(scene: &Scene, stem: &str) -> Result<Vec<(String, Vec<u8>)>, Error> {
    gltf(scene, stem, None, &mut |_| Ok(()))
}

/// Writes a scene like [`write_gltf`], but leaves out what other scenes may hold too: images, and the vertices of meshes with a
/// [source](crate::Mesh::source). These become files in one folder, named after their source and a hash of their content. `share` receives each
/// of them and writes those that do not exist yet. Images below 1 kB and meshes below 8 kB stay next to the document.
///
/// `folder` is the URI of that folder relative to the document, with a trailing slash; empty if it is the same folder.
///
/// # Errors
/// As [`write_gltf`], and those of `share`.
pub fn write_gltf_sharing(
    scene: &Scene,
    stem: &str,
    folder: &str,
    share: &mut dyn FnMut(&SharedFile<'_>) -> Result<(), Error>,
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    gltf(scene, stem, Some(folder), share)
}

fn gltf(
    scene: &Scene,
    stem: &str,
    shared: Option<&str>,
    share: &mut dyn FnMut(&SharedFile<'_>) -> Result<(), Error>,
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    if stem.is_empty() || stem.contains(|c: char| matches!(c, '/' | '\\') || c.is_control()) {
        return Err(forbidden(format!("stem {stem:?}"), "it is not a file name"));
    }
    let lowered = lower(scene, Storage::Files { stem, shared })?;
    share_all(&lowered, share)?;
    let mut json = to_json(&lowered.document, Layout::Pretty)?;
    json.push(b'\n');
    let mut files = vec![(format!("{stem}.gltf"), json)];
    if let Some(own) = lowered.own() {
        let mut buffer = Vec::with_capacity(own.byte_length);
        lowered.binary.write(own, &mut buffer);
        files.push((format!("{stem}.bin"), buffer));
    }
    files.extend(lowered.files.into_iter().map(|(name, bytes)| (name, bytes.to_vec())));
    Ok(files)
}

/// How JSON is laid out.
#[derive(Clone, Copy)]
enum Layout {
    Compact,
    Pretty,
}

fn to_json(document: &schema::Document<'_>, layout: Layout) -> Result<Vec<u8>, Error> {
    let json = match layout {
        Layout::Compact => serde_json::to_vec(document),
        Layout::Pretty => serde_json::to_vec_pretty(document),
    };
    json.map_err(|error| forbidden("the glTF document", error.to_string()))
}

/// The length of a GLB, headers included.
fn glb_length(json: usize, binary: usize) -> Result<u32, Error> {
    let mut bytes = FILE_HEADER + CHUNK_HEADER + json as u64;
    if binary > 0 {
        bytes += CHUNK_HEADER + binary as u64;
    }
    u32::try_from(bytes).map_err(|_| file_too_long(bytes))
}

fn chunk_length(length: usize) -> Result<u32, Error> {
    u32::try_from(length).map_err(|_| file_too_long(length as u64))
}

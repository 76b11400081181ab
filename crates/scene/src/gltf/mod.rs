//! Writing glTF 2.0: one GLB file, or a `.gltf` with its buffer and images beside it; and [reading](read()) it.
//!
//! Rules that hold for every file: indexed triangles; every thing has a name; bounds on positions and times; default
//! values, empty lists and empty primitives are left out; extensions are listed when used, and required only where a file makes no sense without; the same
//! scene gives the same bytes.
//! Extensions: `KHR_materials_unlit`, `KHR_lights_punctual`, `KHR_texture_transform`, `KHR_animation_pointer`, `KHR_mesh_quantization`,
//! `EXT_mesh_gpu_instancing`, `MOZ_lightmap`.
//!
//! What would make the Khronos validator complain is an error that names the thing, and no file is written.

mod animation;
mod binary;
mod check;
mod document;
mod image;
mod material;
mod mesh;
mod node;
pub mod read;
mod schema;
mod skin;
#[cfg(test)]
mod tests;
mod tree;

pub use self::read::{Omission, Read, read};
use self::{
    binary::padding,
    document::{Images, lower},
};
use crate::error::{file_too_long, forbidden};
use crate::{Error, Scene};

/// The first bytes of a GLB, and its version.
const MAGIC: [u8; 8] = *b"glTF\x02\0\0\0";

/// File header, and the header of a chunk.
const FILE_HEADER: u64 = 12;
const CHUNK_HEADER: u64 = 8;

/// Writes a scene as one GLB file, images included.
///
/// # Errors
/// `Malformed`, naming what is wrong with the scene; `Limit` beyond 4 GiB.
pub fn write_glb(scene: &Scene) -> Result<Vec<u8>, Error> {
    let lowered = lower(scene, Images::Embedded)?;
    let mut json = to_json(&lowered.document, Layout::Compact)?;
    json.resize(json.len().saturating_add(padding(json.len())), b' ');
    let binary = lowered.binary.byte_length();
    let length = glb_length(json.len(), binary)?;

    let mut out = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&chunk_length(json.len())?.to_le_bytes());
    out.extend_from_slice(b"JSON");
    out.append(&mut json);
    if binary > 0 {
        out.extend_from_slice(&chunk_length(binary)?.to_le_bytes());
        out.extend_from_slice(b"BIN\0");
        lowered.binary.write(&mut out);
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
    if stem.is_empty() || stem.contains(|c: char| matches!(c, '/' | '\\') || c.is_control()) {
        return Err(forbidden(format!("stem {stem:?}"), "it is not a file name"));
    }
    let lowered = lower(scene, Images::Files { stem })?;
    let mut json = to_json(&lowered.document, Layout::Pretty)?;
    json.push(b'\n');
    let mut files = vec![(format!("{stem}.gltf"), json)];
    if lowered.binary.byte_length() > 0 {
        let mut buffer = Vec::with_capacity(lowered.binary.byte_length());
        lowered.binary.write(&mut buffer);
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
    let wide = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
    let mut bytes = FILE_HEADER.saturating_add(CHUNK_HEADER).saturating_add(wide(json));
    if binary > 0 {
        bytes = bytes.saturating_add(CHUNK_HEADER).saturating_add(wide(binary));
    }
    u32::try_from(bytes).map_err(|_| file_too_long(bytes))
}

fn chunk_length(length: usize) -> Result<u32, Error> {
    u32::try_from(length).map_err(|_| file_too_long(u64::try_from(length).unwrap_or(u64::MAX)))
}

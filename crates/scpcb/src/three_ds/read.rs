//! Parser for the chunks of a `.3ds` file: an ID of two bytes, a length of four that includes both, contents, and child chunks.
//! Little-endian.
//!
//! Source: the engine's loader, and the public descriptions of the format.

use asset::Report;
use record::{Error, Reader, Record, Result};

use super::{FaceMaterial, Material, Object, ThreeDs, warning};
use crate::b3d::CText;

/// Chunk IDs.
mod id {
    pub(super) const VERSION: u16 = 0x0002;
    pub(super) const COLOR_FLOAT: u16 = 0x0010;
    pub(super) const COLOR_BYTES: u16 = 0x0011;
    pub(super) const MODEL: u16 = 0x4d4d;
    pub(super) const SCENE: u16 = 0x3d3d;
    pub(super) const OBJECT: u16 = 0x4000;
    pub(super) const MESH: u16 = 0x4100;
    pub(super) const VERTICES: u16 = 0x4110;
    pub(super) const FACES: u16 = 0x4120;
    pub(super) const FACE_MATERIAL: u16 = 0x4130;
    pub(super) const TEXTURE_COORDS: u16 = 0x4140;
    pub(super) const MATRIX: u16 = 0x4160;
    pub(super) const MATERIAL: u16 = 0xafff;
    pub(super) const MATERIAL_NAME: u16 = 0xa000;
    pub(super) const DIFFUSE: u16 = 0xa020;
    pub(super) const TEXTURE: u16 = 0xa200;
    pub(super) const TEXTURE_FILE: u16 = 0xa300;
    pub(super) const KEYFRAMER: u16 = 0xb000;
}

/// Maximum length of names. Longer names are truncated, as an object repeats its name in each of its meshes.
const MAX_NAME: usize = 256;

/// Size of a chunk header: ID and length.
const HEADER: u32 = 6;

pub(super) fn read(bytes: &[u8], report: &mut Report) -> Result<ThreeDs> {
    let mut reader = Reader::new(bytes);
    let (number, length) = header(&mut reader)?;
    if number != id::MODEL {
        return Err(Error::malformed(format!("expected chunk 0x4d4d, found {number:#06x}")).at(0));
    }
    let mut model = ThreeDs::default();
    reader.within(length, |reader| {
        each_chunk(reader, &mut |number, reader| {
            match number {
                id::VERSION => model.version = Some(u32::read(reader, ())?),
                id::SCENE => scene(reader, &mut model)?,
                id::KEYFRAMER => model.has_keyframes = true,
                _ => skip(number, &mut model),
            }
            Ok(())
        })
    })?;
    if reader.remaining() > 0 {
        let message = format!("{} unexpected bytes after the model", reader.remaining());
        report.warn(&warning::TRAILING, message).at(reader.offset());
    }
    if model.has_keyframes {
        report.warn(&warning::KEYFRAMES, "the animation of the model is left out");
    }
    let ignored = model.objects.iter().filter(|object| object.faces.is_empty()).count();
    if ignored > 0 {
        let message = format!("{} without triangles", asset::counted(ignored, "object is", "objects are"));
        report.warn(&warning::NO_TRIANGLES, message);
    }
    Ok(model)
}

fn header(reader: &mut Reader<'_>) -> Result<(u16, u32)> {
    let start = reader.offset();
    let (number, length) = (u16::read(reader, ())?, u32::read(reader, ())?);
    match length.checked_sub(HEADER) {
        Some(length) => Ok((number, length)),
        None => {
            let message = format!("the length of chunk {number:#06x} is {length}, less than its header");
            Err(Error::malformed(message).at(start))
        }
    }
}

/// Reads all remaining chunks. Bytes too few for a chunk are skipped, as in the engine.
fn each_chunk(
    reader: &mut Reader<'_>,
    read: &mut dyn FnMut(u16, &mut Reader<'_>) -> Result<()>,
) -> Result<()> {
    while u32::try_from(reader.remaining()).unwrap_or(u32::MAX) >= HEADER {
        let start = reader.offset();
        let (number, length) = header(reader)?;
        let left = reader.remaining();
        if usize::try_from(length).unwrap_or(usize::MAX) > left {
            let message = format!("chunk {number:#06x} has {length} bytes, but only {left} are left");
            return Err(Error::malformed(message).at(start));
        }
        reader.within(length, |reader| read(number, reader))?;
    }
    Ok(())
}

fn skip(number: u16, model: &mut ThreeDs) {
    let count = model.skipped.entry(format!("{number:#06x}")).or_default();
    *count = count.saturating_add(1);
}

fn scene(reader: &mut Reader<'_>, model: &mut ThreeDs) -> Result<()> {
    each_chunk(reader, &mut |number, reader| {
        match number {
            id::OBJECT => object(reader, model)?,
            id::MATERIAL => {
                let item = material(reader)?;
                model.materials.push(item);
            }
            _ => skip(number, model),
        }
        Ok(())
    })
}

fn text(reader: &mut Reader<'_>) -> Result<String> {
    Ok(CText::read(reader, ())?.text().chars().take(MAX_NAME).collect())
}

fn material(reader: &mut Reader<'_>) -> Result<Material> {
    let mut material = Material::default();
    each_chunk(reader, &mut |number, reader| {
        match number {
            id::MATERIAL_NAME => material.name = text(reader)?,
            id::DIFFUSE => each_chunk(reader, &mut |number, reader| {
                match number {
                    id::COLOR_FLOAT => material.diffuse = Some(<[f32; 3]>::read(reader, ())?),
                    id::COLOR_BYTES => {
                        let bytes = <[u8; 3]>::read(reader, ())?;
                        material.diffuse = Some(bytes.map(|level| f32::from(level) / 255.0));
                    }
                    _ => {}
                }
                Ok(())
            })?,
            id::TEXTURE => each_chunk(reader, &mut |number, reader| {
                if number == id::TEXTURE_FILE {
                    material.texture = Some(text(reader)?).filter(|name| !name.is_empty());
                }
                Ok(())
            })?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(material)
}

fn object(reader: &mut Reader<'_>, model: &mut ThreeDs) -> Result<()> {
    let name = text(reader)?;
    each_chunk(reader, &mut |number, reader| {
        if number == id::MESH {
            let item = mesh(reader, &name)?;
            model.objects.push(item);
        } else {
            skip(number, model);
        }
        Ok(())
    })
}

fn mesh(reader: &mut Reader<'_>, name: &str) -> Result<Object> {
    let mut object = Object { name: name.to_owned(), ..Object::default() };
    each_chunk(reader, &mut |number, reader| {
        match number {
            id::VERTICES => object.vertices.extend(reader.counted::<u16, [f32; 3]>(())?),
            id::TEXTURE_COORDS => object.texture_coords = reader.counted::<u16, [f32; 2]>(())?,
            id::FACES => {
                let faces = reader.counted::<u16, [u16; 4]>(())?;
                object.faces.extend(faces.into_iter().map(|[a, b, c, _flags]| [a, b, c]));
                each_chunk(reader, &mut |number, reader| {
                    if number == id::FACE_MATERIAL {
                        let material = text(reader)?;
                        let faces = reader.counted::<u16, u16>(())?;
                        object.face_materials.push(FaceMaterial { material, faces });
                    }
                    Ok(())
                })?;
            }
            id::MATRIX => object.matrix = Some(<[[f32; 3]; 4]>::read(reader, ())?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(object)
}

//! Meshes and their contents.

use record::Result;

use super::layout::{
    DeclData, Faces, FvfData, MaterialList, Mesh, Normals, SkinHeader, SkinWeights, VertexColor,
    VertexDuplication, VertexElement,
};
use super::model_reader::ModelReader;
use super::object::Object;
use super::value::{Values, rows};

/// Reads a mesh. Damaged parts of it are left out and reported; the mesh itself must be valid.
pub(super) fn read(reader: &mut ModelReader<'_>, object: &Object, number: usize) -> Result<Mesh> {
    let objects = reader.objects;
    let mut values = Values::new(objects.content, object);
    let mut mesh = Mesh {
        name: objects.name(object),
        vertices: vertices(&mut values)?,
        faces: faces(&mut values)?,
        ..Mesh::default()
    };
    reader.check_end(object, values);
    for child in objects.within(object) {
        if objects.is(child, "MeshMaterialList") {
            // The materials in it are read even if its values are damaged.
            let mut list = MaterialList::default();
            for child in objects.within(child) {
                if child.is_reference() || objects.is(child, "Material") {
                    let index = reader.material_index(child);
                    list.materials.push(index);
                } else {
                    reader.skip(child);
                }
            }
            let mut values = Values::new(objects.content, child);
            let result = material_indexes(&mut values, &mut list);
            finish(reader, child, number, values, result);
            mesh.material_list = Some(list);
            continue;
        }
        let mut values = Values::new(objects.content, child);
        let result = part(reader, child, &mut values, &mut mesh);
        match result {
            Ok(true) => finish(reader, child, number, values, Ok(())),
            Ok(false) => reader.skip(child),
            Err(error) => finish(reader, child, number, values, Err(error)),
        }
    }
    Ok(mesh)
}

/// Reads a part of a mesh, other than its materials. Returns whether it is known.
fn part(
    reader: &mut ModelReader<'_>,
    object: &Object,
    values: &mut Values<'_>,
    mesh: &mut Mesh,
) -> Result<bool> {
    let objects = reader.objects;
    let is = |class| objects.is(object, class);
    if is("MeshNormals") {
        mesh.normals = Some(Normals { directions: vertices(values)?, faces: faces(values)? });
    } else if is("MeshTextureCoords") {
        let count = values.count("count", 2)?;
        mesh.texture_coords = Some(list(count, || values.floats("texture_coords"))?);
    } else if is("MeshVertexColors") {
        let count = values.count("count", 5)?;
        mesh.vertex_colors = Some(list(count, || {
            let vertex = values.integer("vertex")?;
            Ok(VertexColor { vertex, color: values.floats("color")? })
        })?);
    } else if is("VertexDuplicationIndices") {
        let count = values.count("count", 1)?;
        let original_vertices = values.integer("original_vertices")?;
        let indices = list(count, || values.integer("indices"))?;
        mesh.vertex_duplication = Some(VertexDuplication { original_vertices, indices });
    } else if is("XSkinMeshHeader") {
        mesh.skin_header = Some(SkinHeader {
            max_weights_per_vertex: values.integer("max_weights_per_vertex")?,
            max_weights_per_face: values.integer("max_weights_per_face")?,
            bones: values.integer("bones")?,
        });
    } else if is("SkinWeights") {
        let bone = values.text("bone")?;
        let count = values.count("count", 2)?;
        let vertices = list(count, || values.integer("vertices"))?;
        let weights = list(count, || values.float("weights"))?;
        let offset = rows(values.floats("offset")?);
        mesh.skin_weights.push(SkinWeights { bone, vertices, weights, offset });
    } else if is("DeclData") {
        let count = values.count("count", 4)?;
        let elements = list(count, || {
            Ok(VertexElement {
                kind: values.integer("kind")?,
                method: values.integer("method")?,
                usage: values.integer("usage")?,
                usage_index: values.integer("usage_index")?,
            })
        })?;
        let count = values.count("size", 1)?;
        mesh.decl_data = Some(DeclData { elements, data: list(count, || values.integer("data"))? });
    } else if is("FVFData") {
        let format = values.integer("format")?;
        let count = values.count("size", 1)?;
        mesh.fvf_data = Some(FvfData { format, data: list(count, || values.integer("data"))? });
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Reports defects of a part.
fn finish<'a>(
    reader: &mut ModelReader<'a>,
    object: &Object,
    number: usize,
    values: Values<'a>,
    result: Result<()>,
) {
    match result {
        Ok(()) => reader.check_end(object, values),
        Err(error) => reader.damaged(object, &error.in_item(number).in_field("meshes")),
    }
}

fn material_indexes(values: &mut Values<'_>, out: &mut MaterialList) -> Result<()> {
    out.count = values.integer("materials")?;
    let count = values.count("count", 1)?;
    out.face_indexes = list(count, || values.integer("face_indexes"))?;
    Ok(())
}

fn vertices(values: &mut Values<'_>) -> Result<Vec<[f32; 3]>> {
    let count = values.count("count", 3)?;
    list(count, || values.floats("vertices"))
}

fn faces(values: &mut Values<'_>) -> Result<Faces> {
    let count = values.count("faces", 1)?;
    let mut faces = Faces::default();
    let mut corners = Vec::new();
    for _ in 0..count {
        let count = values.count("corners", 1)?;
        corners.clear();
        for _ in 0..count {
            corners.push(values.integer("corners")?);
        }
        // More than four billion corners do not fit into memory anyway.
        if faces.push(corners.iter().copied()).is_none() {
            break;
        }
    }
    Ok(faces)
}

/// Reads a list of items. The count was checked against the remaining values.
fn list<T>(count: usize, mut read: impl FnMut() -> Result<T>) -> Result<Vec<T>> {
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push(read()?);
    }
    Ok(items)
}

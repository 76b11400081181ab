//! Writing of meshes: attributes, indices and morph targets.

use std::borrow::Cow;

use super::{
    binary::{Bounds, DifferenceFormat, target},
    check::{all_finite, called, count, finite, forbidden, in_range, name, out_of_range},
    draft::Draft,
    piece::{Piece, fit_16_bits, to_127ths, unit},
    schema::{Attributes, Mesh as MeshJson, Primitive as PrimitiveJson, Target as TargetJson},
    skin::normalize,
};
use crate::{
    Error, Extras, Influences, Material, Mesh, MorphTarget, Primitive, TextureRef, Topology, VertexFormat,
};

/// glTF's mode for lines of two indices each.
const LINES: u32 = 1;

/// The extension for integer vertices.
pub(super) const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Meshes with fewer bytes are not shared, because a separate file costs time and about half of that disk space.
const SMALLEST_SHARED_MESH: usize = 8 << 10;

/// The largest index that a 16-bit list may contain; 65535 is the primitive restart index on some hardware.
const MAX_INDEX_16: u32 = 65_534;

impl<'a> Draft<'a> {
    /// Writes all meshes that have triangles.
    pub(super) fn meshes(&mut self) -> Result<(), Error> {
        for (index, mesh) in self.scene.meshes.iter().enumerate() {
            let place = called("mesh", index, &mesh.name);
            let mut primitives = Vec::new();
            let source =
                mesh.source.as_deref().filter(|_| self.storage.shared().is_some() && is_worth_sharing(mesh));
            source.into_iter().for_each(|source| self.binary.begin_shared(source));
            for (number, primitive) in mesh.primitives.iter().enumerate() {
                if !primitive.is_empty() {
                    let place = format!("{place}, primitive {number}");
                    primitives.push((number, self.primitive(primitive, &place)?));
                }
            }
            self.binary.end_shared();
            if primitives.is_empty() {
                self.meshes.push(None);
                continue;
            }
            let targets = primitives.first().map_or(0, |(_, primitive)| primitive.targets.len());
            for (number, primitive) in &primitives {
                count(primitive.targets.len(), targets, || format!("{place}, primitive {number}, targets"))?;
            }
            finite(&mesh.weights, || format!("{place}, weights"))?;
            if !mesh.weights.is_empty() {
                count(mesh.weights.len(), targets, || format!("{place}, weights"))?;
            }
            self.meshes.push(Some(self.document.meshes.len()));
            self.document.meshes.push(MeshJson {
                name: name(&mesh.name, "mesh", index),
                primitives: primitives.into_iter().map(|(_, primitive)| primitive).collect(),
                weights: &mesh.weights,
                extras: with_target_names(mesh, targets, &place)?,
            });
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &'a Primitive, place: &str) -> Result<PrimitiveJson<'a>, Error> {
        let attributes = self.attributes(primitive, place)?;
        let indices = self.indices(primitive, place)?;
        let mut targets = Vec::with_capacity(primitive.targets.len());
        for (number, target) in primitive.targets.iter().enumerate() {
            targets.push(self.target(primitive, target, &|| format!("{place}, target {number}"))?);
        }
        let material = match primitive.material {
            None => None,
            Some(id) => {
                in_range(id.0, self.scene.materials.len(), || format!("{place}, material"))?;
                if let Some(material) = self.scene.materials.get(id.0) {
                    for texture in textures_of(material) {
                        in_range(texture.uv_set, primitive.uvs.len(), || {
                            format!(
                                "{place}, the set of texture coordinates that {} uses",
                                called("material", id.0, &material.name)
                            )
                        })?;
                    }
                }
                Some(id.0)
            }
        };
        let mode = match primitive.topology {
            Topology::Triangles => None,
            Topology::Lines => Some(LINES),
        };
        Ok(PrimitiveJson { attributes, indices, material, mode, targets, extras: &primitive.extras })
    }

    fn attributes(&mut self, primitive: &'a Primitive, place: &str) -> Result<Attributes, Error> {
        let vertices = primitive.positions.len();
        let mut attributes = Attributes::default();
        all_finite(&primitive.positions, || format!("{place}, positions"))?;
        let bounds = Bounds::of(&primitive.positions);
        let are_integers = primitive.vertex_format != VertexFormat::Float;
        if are_integers {
            self.extensions.insert(QUANTIZATION);
        }
        let positions = match are_integers && fit_16_bits(&primitive.positions) {
            true => Piece::Steps16(primitive.positions.as_slice().into()),
            false => Piece::Vec3(&primitive.positions),
        };
        attributes.insert("POSITION", self.binary.accessor(positions, Some(target::VERTICES), bounds));
        if let Some(normals) = &primitive.normals {
            count(normals.len(), vertices, || format!("{place}, normals"))?;
            all_finite(normals, || format!("{place}, normals"))?;
            let piece = match primitive.vertex_format {
                VertexFormat::Integer => Piece::Directions8(normals),
                VertexFormat::Float | VertexFormat::IntegerExceptNormals => Piece::Directions(normals),
            };
            attributes.insert("NORMAL", self.binary.vertices(piece));
        }
        if let Some(tangents) = &primitive.tangents {
            count(tangents.len(), vertices, || format!("{place}, tangents"))?;
            all_finite(tangents, || format!("{place}, tangents"))?;
            if primitive.normals.is_none() {
                return Err(forbidden(place, "tangents without normals"));
            }
            attributes.insert("TANGENT", self.binary.vertices(Piece::Vec4(tangents.into())));
        }
        for (set, uvs) in primitive.uvs.iter().enumerate() {
            count(uvs.len(), vertices, || format!("{place}, uvs[{set}]"))?;
            all_finite(uvs, || format!("{place}, uvs[{set}]"))?;
            let are_normalized = || uvs.as_flattened().iter().all(|number| (0.0..=1.0).contains(number));
            let piece = if are_integers && are_normalized() { Piece::Unorm16(uvs) } else { Piece::Vec2(uvs) };
            let accessor = self.binary.vertices(piece);
            attributes.insert(format!("TEXCOORD_{set}"), accessor);
        }
        if let Some(colors) = &primitive.colors {
            count(colors.len(), vertices, || format!("{place}, colors"))?;
            all_finite(colors, || format!("{place}, colors"))?;
            attributes.insert("COLOR_0", self.binary.vertices(Piece::Colors(colors)));
        }
        if let Some(influences) = &primitive.influences {
            count(influences.joints.len(), vertices, || format!("{place}, joints"))?;
            count(influences.weights.len(), vertices, || format!("{place}, weights"))?;
            all_finite(&influences.weights, || format!("{place}, weights"))?;
            let Influences { joints, weights } = normalize(influences, place)?;
            let small = joints.as_flattened().iter().all(|joint| *joint < 256);
            let joints = if small { Piece::Joints8(joints) } else { Piece::Joints16(joints) };
            attributes.insert("JOINTS_0", self.binary.vertices(joints));
            attributes.insert("WEIGHTS_0", self.binary.vertices(Piece::Vec4(weights.into())));
        }
        Ok(attributes)
    }

    fn indices(&mut self, primitive: &'a Primitive, place: &str) -> Result<usize, Error> {
        let (indices, vertices) = (&primitive.indices, primitive.positions.len());
        let corners = primitive.topology.corners();
        if !indices.len().is_multiple_of(corners) {
            let problem = format!("{} indices are not a multiple of {corners}", indices.len());
            return Err(forbidden(place, problem));
        }
        let largest = indices.iter().copied().max().unwrap_or_default();
        if usize::try_from(largest).is_ok_and(|largest| largest >= vertices) {
            let at = indices.iter().position(|index| *index == largest).unwrap_or_default();
            let index = usize::try_from(largest).unwrap_or(usize::MAX);
            return Err(out_of_range(format!("{place}, indices[{at}]"), index, vertices));
        }
        let piece = if largest <= MAX_INDEX_16 {
            Piece::Indices16(indices.into())
        } else {
            Piece::Indices32(indices.into())
        };
        Ok(self.binary.accessor(piece, Some(target::INDICES), Bounds::default()))
    }

    fn target(
        &mut self,
        primitive: &Primitive,
        morph: &'a MorphTarget,
        place: &dyn Fn() -> String,
    ) -> Result<TargetJson, Error> {
        let vertices = primitive.positions.len();
        count(morph.positions.len(), vertices, || format!("{}, positions", place()))?;
        all_finite(&morph.positions, || format!("{}, positions", place()))?;
        let format = match primitive.vertex_format {
            VertexFormat::Float => DifferenceFormat::Float,
            VertexFormat::Integer | VertexFormat::IntegerExceptNormals => {
                DifferenceFormat::of_positions(&morph.positions)
            }
        };
        let bounds = Bounds::of(&morph.positions);
        let position = self.binary.differences(morph.positions.as_slice().into(), format, bounds);
        let mut normal = None;
        if let Some(normals) = &morph.normals {
            count(normals.len(), vertices, || format!("{}, normals", place()))?;
            all_finite(normals, || format!("{}, normals", place()))?;
            let Some(base) = &primitive.normals else {
                return Err(forbidden(place(), "morph target normals without base normals"));
            };
            let (normals, format) = normal_differences(base, normals, primitive.vertex_format);
            normal = Some(self.binary.differences(normals, format, Bounds::default()));
        }
        Ok(TargetJson { position, normal })
    }
}

/// Returns the differences of normals in the format they are written in: 127ths if the vertices are integers and no
/// difference exceeds 1. Added to a rounded normal, they produce the rounded value of the other normal.
fn normal_differences<'a>(
    base: &[[f32; 3]],
    turns: &'a [[f32; 3]],
    format: VertexFormat,
) -> (Cow<'a, [[f32; 3]]>, DifferenceFormat) {
    let sum = |[a, b, c]: [f32; 3], [x, y, z]: [f32; 3]| [a + x, b + y, c + z];
    let rounded = |(base, turn): (&[f32; 3], &[f32; 3])| {
        let base = unit(*base);
        let negative = to_127ths(base).map(|number| -number);
        sum(to_127ths(sum(base, *turn)), negative)
    };
    let pairs = base.iter().zip(turns);
    let steps: Vec<[f32; 3]> = match format {
        VertexFormat::Float => return (turns.into(), DifferenceFormat::Float),
        VertexFormat::Integer => pairs.map(rounded).collect(),
        VertexFormat::IntegerExceptNormals => turns.iter().copied().map(to_127ths).collect(),
    };
    // -127 is the smallest value, because less than -127 would be less than -1.
    if steps.as_flattened().iter().all(|step| step.abs() <= 127.0) {
        return (steps.into(), DifferenceFormat::Snorm8);
    }
    match format {
        VertexFormat::Integer => {
            let turns: Vec<[f32; 3]> = steps.into_iter().map(|step| step.map(|it| it / 127.0)).collect();
            (turns.into(), DifferenceFormat::Float)
        }
        VertexFormat::Float | VertexFormat::IntegerExceptNormals => (turns.into(), DifferenceFormat::Float),
    }
}

/// Whether the vertices of a mesh, including all morph targets, are large enough to be shared. The size is estimated
/// with floating-point numbers.
fn is_worth_sharing(mesh: &Mesh) -> bool {
    const POINT: usize = size_of::<[f32; 3]>();
    const UV: usize = size_of::<[f32; 2]>();
    let bytes = |primitive: &Primitive| {
        let normal = if primitive.normals.is_some() { POINT } else { 0 };
        let vertex = primitive
            .targets
            .len()
            .saturating_add(1)
            .saturating_mul(POINT)
            .saturating_add(normal)
            .saturating_add(primitive.uvs.len().saturating_mul(UV));
        let indices = primitive.indices.len().saturating_mul(size_of::<u16>());
        primitive.positions.len().saturating_mul(vertex).saturating_add(indices)
    };
    mesh.primitives.iter().map(bytes).fold(0, usize::saturating_add) >= SMALLEST_SHARED_MESH
}

/// Returns the textures that a material uses.
fn textures_of(material: &Material) -> impl Iterator<Item = TextureRef> {
    let lightmap = material.lightmap.as_ref().map(|lightmap| lightmap.texture);
    [material.base_color_texture, material.normal_texture, material.emissive_texture, lightmap]
        .into_iter()
        .flatten()
}

/// Returns the mesh's extras with the names of its morph targets in the conventional member.
fn with_target_names<'a>(mesh: &'a Mesh, targets: usize, place: &str) -> Result<Cow<'a, Extras>, Error> {
    if !mesh.target_names.is_empty() {
        count(mesh.target_names.len(), targets, || format!("{place}, target_names"))?;
    }
    if targets == 0 {
        return Ok(Cow::Borrowed(&mesh.extras));
    }
    let given = |number: usize| mesh.target_names.get(number).map_or("", String::as_str);
    let names: Vec<String> = (0..targets).map(|number| name(given(number), "target", number)).collect();
    let mut extras = mesh.extras.clone();
    extras.insert("targetNames".into(), names.into());
    Ok(Cow::Owned(extras))
}

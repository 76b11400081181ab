//! Vertex data of `DeclData` and `FVFData`: normals, texture coordinates, colors.

use std::collections::BTreeMap;

use asset::Report;

use crate::x::layout::{FvfData, Mesh, VertexElement};
use crate::x::warning;

/// Additional vertex data that has no separate object.
#[derive(Debug, Default)]
pub(super) struct VertexData {
    pub(super) normals: Option<Vec<[f32; 3]>>,
    /// Texture coordinate sets by index.
    pub(super) uvs: BTreeMap<u32, Vec<[f32; 2]>>,
    /// Colors in display space.
    pub(super) colors: Option<Vec<[f32; 4]>>,
}

/// `D3DDECLUSAGE`.
mod usage {
    pub(super) const NORMAL: u32 = 3;
    pub(super) const TEXTURE: u32 = 5;
    pub(super) const TANGENT: u32 = 6;
    pub(super) const BINORMAL: u32 = 7;
    pub(super) const COLOR: u32 = 10;
}

/// `D3DDECLTYPE` of a color in four bytes.
const PACKED_COLOR: u32 = 4;

/// Number of words of each `D3DDECLTYPE`, by value.
const WORDS: [usize; 17] = [1, 2, 3, 4, 1, 1, 1, 2, 1, 1, 2, 1, 2, 1, 1, 1, 2];

impl VertexData {
    pub(super) fn of(mesh: &Mesh, field: &str, report: &mut Report) -> Self {
        let mut data = Self::default();
        if let Some(decl) = &mesh.decl_data {
            data.add(&decl.elements, &decl.data, mesh.vertices.len(), ("DeclData", field), report);
        }
        if let Some(FvfData { format, data: words }) = &mesh.fvf_data {
            match elements_of(*format) {
                Some(elements) => {
                    data.add(&elements, words, mesh.vertices.len(), ("FVFData", field), report);
                }
                None => {
                    let message = format!("FVFData format {format:#x} is not supported");
                    report.warn(&warning::VERTEX_DATA, message).in_field(field);
                }
            }
        }
        data
    }

    fn add(
        &mut self,
        elements: &[VertexElement],
        words: &[u32],
        vertices: usize,
        (what, field): (&str, &str),
        report: &mut Report,
    ) {
        let sizes: Option<Vec<usize>> =
            elements.iter().map(|element| WORDS.get(usize::try_from(element.kind).ok()?).copied()).collect();
        let stride =
            sizes.as_ref().map(|sizes| sizes.iter().fold(0, |sum: usize, size| sum.saturating_add(*size)));
        let fits = |stride: &usize| *stride > 0 && stride.checked_mul(vertices) == Some(words.len());
        let (Some(sizes), Some(stride)) = (sizes, stride.filter(fits)) else {
            let message =
                format!("{what} has {} words, which does not match {vertices} vertices", words.len());
            report.warn(&warning::VERTEX_DATA, message).in_field(field);
            return;
        };
        let mut start = 0_usize;
        for (element, size) in elements.iter().zip(sizes) {
            let column = || {
                words
                    .chunks_exact(stride)
                    .map(move |vertex| vertex.get(start..start.saturating_add(size)).unwrap_or_default())
            };
            if let Err(unsupported) = self.take(element, column) {
                let message = format!("{what} contains {unsupported}, which is left out");
                report.warn(&warning::VERTEX_DATA, message).in_field(field);
            }
            start = start.saturating_add(size);
        }
    }

    /// Adds an element of all vertices. The error describes an unsupported element.
    fn take<'w, I: Iterator<Item = &'w [u32]>>(
        &mut self,
        element: &VertexElement,
        column: impl Fn() -> I,
    ) -> Result<(), String> {
        let is_floats = element.kind < 4;
        match (element.usage, element.usage_index) {
            (usage::NORMAL, 0) if is_floats && self.normals.is_none() => {
                self.normals = Some(column().map(floats).collect());
            }
            (usage::TEXTURE, index) if is_floats && !self.uvs.contains_key(&index) => {
                self.uvs.insert(index, column().map(floats).collect());
            }
            (usage::COLOR, 0) if self.colors.is_none() && element.kind == PACKED_COLOR => {
                self.colors = Some(column().map(packed_color).collect());
            }
            (usage::COLOR, 0) if self.colors.is_none() && is_floats => {
                self.colors = Some(column().map(floats).collect());
            }
            (usage, index) => {
                let noun = match usage {
                    usage::NORMAL => "normals",
                    usage::TEXTURE => "texture coordinates",
                    usage::TANGENT => "tangents",
                    usage::BINORMAL => "binormals",
                    usage::COLOR => "colors",
                    _ => return Err(format!("data of usage {usage}")),
                };
                return Err(format!("{noun} (index {index}, type {})", element.kind));
            }
        }
        Ok(())
    }
}

/// Returns `N` floats; missing ones are 0.
fn floats<const N: usize>(words: &[u32]) -> [f32; N] {
    let mut floats = [0.0; N];
    for (float, word) in floats.iter_mut().zip(words) {
        *float = f32::from_bits(*word);
    }
    floats
}

/// Unpacks alpha, red, green and blue with a byte each.
fn packed_color(words: &[u32]) -> [f32; 4] {
    let [alpha, red, green, blue] = words.first().copied().unwrap_or_default().to_be_bytes();
    [red, green, blue, alpha].map(|byte| f32::from(byte) / 255.0)
}

/// Returns the elements of a `D3DFVF` in order; `None` if it has more than normals, colors and texture coordinates. The position of
/// the vertex is in the mesh.
fn elements_of(format: u32) -> Option<Vec<VertexElement>> {
    const POSITION: u32 = 0x2;
    const NORMAL: u32 = 0x10;
    const DIFFUSE: u32 = 0x40;
    const SETS: u32 = 0xf00;
    const SET_SIZES: u32 = 0xffff_0000;
    if format & !(POSITION | NORMAL | DIFFUSE | SETS | SET_SIZES) != 0 {
        return None;
    }
    let element = |kind, usage, usage_index| VertexElement { kind, method: 0, usage, usage_index };
    let mut elements = Vec::new();
    if format & NORMAL != 0 {
        elements.push(element(2, usage::NORMAL, 0));
    }
    if format & DIFFUSE != 0 {
        elements.push(element(PACKED_COLOR, usage::COLOR, 0));
    }
    let sets = (format & SETS) >> 8;
    for set in 0..sets.min(8) {
        // Two bits for each set: 0 for two numbers, 1 for three, 2 for four, 3 for one.
        let size = (format >> set.saturating_mul(2).saturating_add(16)) & 3;
        let kind = match size {
            0 => 1,
            1 => 2,
            2 => 3,
            _ => 0,
        };
        elements.push(element(kind, usage::TEXTURE, set));
    }
    Some(elements)
}

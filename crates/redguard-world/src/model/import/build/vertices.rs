//! The vertices of the model being built.

use std::collections::HashMap;

use super::super::super::layout::Triple;
use super::super::super::normal::FLAT;
use super::super::plan::{PlannedCorner, PlannedNormal};
use super::{ModelBuilder, quantized};

/// Vertices of a model; those of the original come first and keep their indices.
pub(super) struct VertexTable {
    /// Positions of each vertex in all frames.
    pub(super) positions: Vec<Box<[Triple]>>,
    /// Normal of each vertex, if corners use the normals of their vertices.
    pub(super) normals: Vec<[f32; 3]>,
    /// Vertex index of each corner.
    pub(super) numbers: Vec<u32>,
    /// Whether a corner already uses the vertex of the original.
    is_taken: Vec<bool>,
    /// Vertices that replace or split a vertex of the original.
    copies: HashMap<(usize, VertexKey), usize>,
    /// Vertex indices by position and shading.
    by_key: HashMap<VertexKey, usize>,
}

/// Positions of a vertex in all frames, and its shading.
type VertexKey = (Box<[Triple]>, NormalKey);

/// The property of normals that corners must have in common to share a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum NormalKey {
    /// None, because corners have separate normals.
    Any,
    /// The normal of the vertex in the original.
    Original,
    Flat,
    Own([i32; 3]),
}

impl VertexTable {
    pub(super) fn of(builder: &ModelBuilder<'_>) -> Self {
        let base = builder.base;
        let normals = match (builder.has_table, base.normal_indices.is_some()) {
            (true, _) => Vec::new(),
            (false, false) => base.vertex_normals.clone(),
            (false, true) => vec![FLAT; builder.vertices.len()],
        };
        let mut table = Self {
            positions: builder.vertices.to_vec(),
            normals,
            numbers: Vec::new(),
            is_taken: vec![false; builder.vertices.len()],
            copies: HashMap::new(),
            by_key: HashMap::new(),
        };
        let corners = || builder.plan.faces.iter().flat_map(|face| &face.corners);
        for corner in corners().filter(|corner| corner.moved.is_none()) {
            let is_kept = matches!(builder.key(corner.normal), NormalKey::Any | NormalKey::Original);
            if let Some(is_taken) = corner.vertex.and_then(|vertex| table.is_taken.get_mut(vertex)) {
                *is_taken |= is_kept;
            }
        }
        let mut is_indexed = false;
        for corner in corners() {
            let number = match corner.vertex {
                Some(vertex) => table.edited(builder, vertex, corner),
                None => {
                    if !std::mem::replace(&mut is_indexed, true) {
                        table.index_all(builder);
                    }
                    table.new_vertex(builder, corner)
                }
            };
            table.numbers.push(u32::try_from(number).unwrap_or(u32::MAX));
        }
        table
    }

    /// Returns the vertex of a corner of the original.
    fn edited(&mut self, builder: &ModelBuilder<'_>, vertex: usize, corner: &PlannedCorner) -> usize {
        let key = builder.key(corner.normal);
        let is_kept = matches!(key, NormalKey::Any | NormalKey::Original);
        let Some(is_taken) = self.is_taken.get_mut(vertex) else { return vertex };
        if corner.moved.is_none() && is_kept {
            return vertex;
        }
        let Some(at) = corner.moved.as_ref().or_else(|| builder.vertices.get(vertex)) else { return vertex };
        let vertex_key = (vertex, (at.clone(), key));
        if let Some(by_key) = self.copies.get(&vertex_key) {
            return *by_key;
        }
        let normal = builder.vertex_normal(corner.normal, Some(vertex));
        let number = if std::mem::replace(is_taken, true) {
            self.push(at.clone(), normal)
        } else {
            if let Some(position) = self.positions.get_mut(vertex) {
                position.clone_from(at);
            }
            if let Some(slot) = self.normals.get_mut(vertex) {
                *slot = normal;
            }
            vertex
        };
        self.copies.insert(vertex_key, number);
        number
    }

    /// Indexes all vertices by position and shading.
    fn index_all(&mut self, builder: &ModelBuilder<'_>) {
        for (number, position) in self.positions.iter().enumerate() {
            let key = match self.normals.get(number) {
                _ if builder.has_table => NormalKey::Any,
                Some(normal) if normal.iter().all(|number| number.is_finite()) => {
                    NormalKey::Own(quantized(*normal))
                }
                _ => NormalKey::Flat,
            };
            self.by_key.entry((position.clone(), key)).or_insert(number);
        }
    }

    /// Returns the vertex of a corner that does not exist in the original.
    fn new_vertex(&mut self, builder: &ModelBuilder<'_>, corner: &PlannedCorner) -> usize {
        let vertex_key = (corner.moved.clone().unwrap_or_default(), builder.key(corner.normal));
        if let Some(by_key) = self.by_key.get(&vertex_key) {
            return *by_key;
        }
        let number = self.push(vertex_key.0.clone(), builder.vertex_normal(corner.normal, None));
        self.by_key.insert(vertex_key, number);
        number
    }

    fn push(&mut self, positions: Box<[Triple]>, normal: [f32; 3]) -> usize {
        let number = self.positions.len();
        // With a normal table, the number of normals does not depend on the number of vertices.
        if self.normals.len() == number {
            self.normals.push(normal);
        }
        self.positions.push(positions);
        number
    }
}

impl ModelBuilder<'_> {
    fn key(&self, normal: PlannedNormal) -> NormalKey {
        match normal {
            _ if self.has_table => NormalKey::Any,
            PlannedNormal::Original(_) | PlannedNormal::Rotated(_) => NormalKey::Original,
            PlannedNormal::Flat => NormalKey::Flat,
            PlannedNormal::Own(normal) => NormalKey::Own(quantized(normal)),
        }
    }

    /// Returns the normal for the vertex of a corner, which may be a vertex of the original.
    fn vertex_normal(&self, normal: PlannedNormal, vertex: Option<usize>) -> [f32; 3] {
        match normal {
            PlannedNormal::Original(_) => {
                let kept = vertex.filter(|_| self.base.normal_indices.is_none());
                kept.and_then(|vertex| self.base.vertex_normals.get(vertex)).copied().unwrap_or(FLAT)
            }
            PlannedNormal::Flat => FLAT,
            PlannedNormal::Own(normal) | PlannedNormal::Rotated(normal) => normal,
        }
    }
}

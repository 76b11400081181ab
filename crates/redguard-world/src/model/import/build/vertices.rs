//! The vertices of a model to be built.

use std::collections::HashMap;

use super::super::super::layout::Triple;
use super::super::super::normal::FLAT;
use super::super::plan::{PlannedCorner, PlannedNormal};
use super::{ModelBuilder, quantized};

/// The vertices of a model, those of the original first, under their numbers.
pub(super) struct VertexTable {
    /// The positions of each vertex in all frames.
    pub(super) positions: Vec<Box<[Triple]>>,
    /// The normal of each vertex, if corners have those of their vertices.
    pub(super) normals: Vec<[f32; 3]>,
    /// The vertex of each corner.
    pub(super) numbers: Vec<u32>,
    /// Whether a corner determines the vertex of the original.
    is_taken: Vec<bool>,
    /// Vertices that took the place of one of the original.
    copies: HashMap<(usize, Place), usize>,
    /// Vertices by their place.
    known: HashMap<Place, usize>,
}

/// Where a vertex is, and how it is shaded.
type Place = (Box<[Triple]>, NormalKey);

/// What must be equal of the normals of corners with a common vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum NormalKey {
    /// Nothing, because corners have normals of their own.
    Any,
    /// They have the normal of the vertex in the original.
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
            known: HashMap::new(),
        };
        let corners = || builder.plan.faces.iter().flat_map(|face| &face.corners);
        for corner in corners().filter(|corner| corner.moved.is_none()) {
            let is_kept = matches!(builder.key(corner.normal), NormalKey::Any | NormalKey::Original);
            if let Some(is_taken) = corner.vertex.and_then(|vertex| table.is_taken.get_mut(vertex)) {
                *is_taken |= is_kept;
            }
        }
        let mut is_known = false;
        for corner in corners() {
            let number = match corner.vertex {
                Some(vertex) => table.edited(builder, vertex, corner),
                None => {
                    if !std::mem::replace(&mut is_known, true) {
                        table.know(builder);
                    }
                    table.new_vertex(builder, corner)
                }
            };
            table.numbers.push(u32::try_from(number).unwrap_or(u32::MAX));
        }
        table
    }

    /// The vertex of a corner of the original.
    fn edited(&mut self, builder: &ModelBuilder<'_>, vertex: usize, corner: &PlannedCorner) -> usize {
        let key = builder.key(corner.normal);
        let is_kept = matches!(key, NormalKey::Any | NormalKey::Original);
        let Some(is_taken) = self.is_taken.get_mut(vertex) else { return vertex };
        if corner.moved.is_none() && is_kept {
            return vertex;
        }
        let Some(at) = corner.moved.as_ref().or_else(|| builder.vertices.get(vertex)) else { return vertex };
        let place = (vertex, (at.clone(), key));
        if let Some(known) = self.copies.get(&place) {
            return *known;
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
        self.copies.insert(place, number);
        number
    }

    /// Makes all vertices known by their place.
    fn know(&mut self, builder: &ModelBuilder<'_>) {
        for (number, position) in self.positions.iter().enumerate() {
            let key = match self.normals.get(number) {
                _ if builder.has_table => NormalKey::Any,
                Some(normal) if normal.iter().all(|number| number.is_finite()) => {
                    NormalKey::Own(quantized(*normal))
                }
                _ => NormalKey::Flat,
            };
            self.known.entry((position.clone(), key)).or_insert(number);
        }
    }

    /// The vertex of a corner that is not of the original.
    fn new_vertex(&mut self, builder: &ModelBuilder<'_>, corner: &PlannedCorner) -> usize {
        let place = (corner.moved.clone().unwrap_or_default(), builder.key(corner.normal));
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let number = self.push(place.0.clone(), builder.vertex_normal(corner.normal, None));
        self.known.insert(place, number);
        number
    }

    fn push(&mut self, positions: Box<[Triple]>, normal: [f32; 3]) -> usize {
        let number = self.positions.len();
        // With a table, there are as many normals as it needs.
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
            PlannedNormal::Original(_) | PlannedNormal::Turned(_) => NormalKey::Original,
            PlannedNormal::Flat => NormalKey::Flat,
            PlannedNormal::Own(normal) => NormalKey::Own(quantized(normal)),
        }
    }

    /// The normal of the vertex of a corner, which may be that of a vertex of the original.
    fn vertex_normal(&self, normal: PlannedNormal, vertex: Option<usize>) -> [f32; 3] {
        match normal {
            PlannedNormal::Original(_) => {
                let kept = vertex.filter(|_| self.base.normal_indices.is_none());
                kept.and_then(|vertex| self.base.vertex_normals.get(vertex)).copied().unwrap_or(FLAT)
            }
            PlannedNormal::Flat => FLAT,
            PlannedNormal::Own(normal) | PlannedNormal::Turned(normal) => normal,
        }
    }
}

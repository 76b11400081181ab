//! Reassembles a surface from its pieces with separate baked textures.

use json::Value;
use scene::Primitive;

use super::super::layout::Vertex;

/// A piece, with the original numbers of its vertices and triangles in the surface.
#[derive(Debug)]
pub(super) struct Piece {
    vertex_numbers: Vec<u32>,
    triangle_numbers: Vec<u32>,
    pub(super) vertices: Vec<Vertex>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Whether a primitive is one of several pieces.
pub(super) fn is_piece(primitive: &Primitive) -> bool {
    primitive.extras.get("vertices").is_some_and(Value::is_array)
}

impl Piece {
    /// Creates a piece from a primitive and its vertices and triangles, already converted to the game's.
    pub(super) fn new(primitive: &Primitive, vertices: Vec<Vertex>, triangles: Vec<[u32; 3]>) -> Self {
        let numbers = |name: &str| -> Vec<u32> {
            let list = primitive.extras.get(name).and_then(Value::as_array);
            let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
            list.into_iter().flatten().filter_map(number).collect()
        };
        Self {
            vertex_numbers: numbers("vertices"),
            triangle_numbers: numbers("triangles"),
            vertices,
            triangles,
        }
    }
}

/// The vertices and triangles of a surface in their original order; `None` if edits made the pieces inconsistent.
pub(super) fn join(pieces: &[Piece]) -> Option<(Vec<Vertex>, Vec<[u32; 3]>)> {
    let counts_fit = |piece: &Piece| {
        piece.vertex_numbers.len() == piece.vertices.len()
            && piece.triangle_numbers.len() == piece.triangles.len()
    };
    if !pieces.iter().all(counts_fit) {
        return None;
    }
    let count = pieces
        .iter()
        .flat_map(|piece| &piece.vertex_numbers)
        .max()
        .map_or(0, |most| index(*most).saturating_add(1));
    let held = pieces.iter().map(|piece| piece.vertices.len()).fold(0, usize::saturating_add);
    if count > held {
        return None;
    }
    let mut vertices: Vec<Option<Vertex>> = vec![None; count];
    let mut triangles = Vec::new();
    for piece in pieces {
        for (number, vertex) in piece.vertex_numbers.iter().zip(&piece.vertices) {
            let known = vertices.get_mut(index(*number))?.get_or_insert(*vertex);
            if known != vertex {
                return None;
            }
        }
        for (number, corners) in piece.triangle_numbers.iter().zip(&piece.triangles) {
            let mut old = [0; 3];
            for (old, corner) in old.iter_mut().zip(corners) {
                *old = *piece.vertex_numbers.get(index(*corner))?;
            }
            triangles.push((*number, old));
        }
    }
    triangles.sort_by_key(|(number, _)| *number);
    let vertices: Option<Vec<Vertex>> = vertices.into_iter().collect();
    Some((vertices?, triangles.into_iter().map(|(_, corners)| corners).collect()))
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

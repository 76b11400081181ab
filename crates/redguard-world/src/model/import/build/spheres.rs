//! The collision spheres of the model being built.

use asset::{Report, counted};

use super::super::super::glide::{FaceRef, Glide, Node};
use super::super::super::layout::Triple;
use super::super::super::warning;
use super::ModelBuilder;

impl ModelBuilder<'_> {
    /// Fits the collision spheres to the faces: spheres whose faces changed get a new center and size, the others are kept.
    pub(super) fn fit_spheres(&self, model: &mut Glide, report: &mut Report) {
        if self.base.nodes.is_empty() {
            return;
        }
        let mut new_indices = vec![Vec::new(); self.base.faces.len()];
        for (number, face) in self.plan.faces.iter().enumerate() {
            if let Some(numbers) = face.original.and_then(|original| new_indices.get_mut(original)) {
                numbers.push(number);
            }
        }
        let nodes = std::mem::take(&mut model.nodes);
        model.nodes = nodes.iter().map(|node| self.fitted(node, &new_indices, model)).collect();
        let added = self.plan.faces.iter().filter(|face| face.original.is_none()).count();
        if added > 0 {
            let message = format!(
                "{} to no collision sphere, so the player passes through",
                counted(added, "new face belongs", "new faces belong")
            );
            report.warn(&warning::NO_COLLISION, message);
        }
    }

    fn fitted(&self, node: &Node, new_indices: &[Vec<usize>], model: &Glide) -> Node {
        let now = |face: &FaceRef| -> Vec<FaceRef> {
            let number = usize::from(face.face_times_4 / 4);
            // A reference to a missing face is kept unchanged.
            let Some(numbers) = new_indices.get(number) else { return vec![*face] };
            let times_4 = |number: &usize| u16::try_from(number.checked_mul(4)?).ok();
            match numbers.as_slice() {
                [same] if *same == number => vec![*face],
                _ => numbers
                    .iter()
                    .filter_map(times_4)
                    .map(|face_times_4| FaceRef { face_times_4, offset: None })
                    .collect(),
            }
        };
        let faces: Vec<FaceRef> = node.faces.iter().flat_map(now).collect();
        let (before, after) = (Bounds::of(self.base, &node.faces), Bounds::of(model, &faces));
        let mut fitted = Node { faces, ..*node };
        match (before, after) {
            (Some(before), Some(after)) if before != after => after.fit(model, &mut fitted),
            _ => {}
        }
        let has_extents = model.header.version.has_extents();
        fitted.extents = match (has_extents, fitted.extents, after) {
            (false, ..) => None,
            (true, None, Some(after)) => Some(after.halves()),
            (true, extents, _) => Some(extents.unwrap_or_default()),
        };
        fitted
    }
}

/// Bounding box of faces in the first frame.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bounds {
    min: Triple,
    max: Triple,
}

impl Bounds {
    /// Computes the bounding box of the faces that exist; `None` if there are none.
    fn of(model: &Glide, faces: &[FaceRef]) -> Option<Self> {
        let mut positions = vertices(model, faces);
        let first = positions.next()?;
        let grow = |bounds: Self, [x, y, z]: Triple| {
            let ([a, b, c], [d, e, f]) = (bounds.min, bounds.max);
            Self { min: [a.min(x), b.min(y), c.min(z)], max: [d.max(x), e.max(y), f.max(z)] }
        };
        Some(positions.fold(Self { min: first, max: first }, grow))
    }

    /// Half extents of the box.
    fn halves(self) -> [f32; 3] {
        let mut out = [0.0; 3];
        for ((half, min), max) in out.iter_mut().zip(self.min).zip(self.max) {
            *half = crate::number::single((f64::from(max) - f64::from(min)) / 2.0);
        }
        out
    }

    /// Fits the sphere of a node to its faces.
    fn fit(self, model: &Glide, node: &mut Node) {
        for ((center, min), max) in node.center.iter_mut().zip(self.min).zip(self.max) {
            // The midpoint is truncated.
            *center = super::normal::rounded(((f64::from(min) + f64::from(max)) / 2.0).trunc());
        }
        let center = node.center.map(f64::from);
        let distance = |position: Triple| {
            let squares =
                position.into_iter().zip(center).map(|(at, center)| (f64::from(at) - center).powi(2));
            squares.sum::<f64>().sqrt()
        };
        let max = vertices(model, &node.faces).map(distance).fold(0.0, f64::max);
        node.radius = u32::try_from(super::normal::rounded(max.ceil())).unwrap_or_default();
        if node.extents.is_some() {
            node.extents = Some(self.halves());
        }
    }
}

/// Vertices of faces in the first frame.
fn vertices<'m>(model: &'m Glide, faces: &'m [FaceRef]) -> impl Iterator<Item = Triple> + 'm {
    let faces = faces.iter().filter_map(|face| model.faces.get(usize::from(face.face_times_4 / 4)));
    let corners = faces.flat_map(|face| &face.corners);
    corners.filter_map(|corner| model.vertices.get(usize::try_from(corner.vertex).ok()?).copied())
}

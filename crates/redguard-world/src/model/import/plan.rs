//! Decides which faces of the original a scene still shows, and how they were edited.

use scene::correspondence::{self, Match};

use super::super::glide::Glide;
use super::super::layout::Triple;
use super::super::normal::{cosine, direction_of};
use super::original_geometry::{CornerKeys, OriginalFace, OriginalGeometry, OriginalTriangle};
use super::triangle::{Corner, Triangle, TriangleMesh};

/// A face of the model being built.
#[derive(Debug)]
pub(super) struct PlannedFace {
    pub(super) corners: Vec<PlannedCorner>,
    pub(super) word: u32,
    pub(super) brightness: u8,
    pub(super) is_ccw: bool,
    /// Period of the face's image in 16ths of a texel.
    pub(super) repeat: [i32; 2],
    /// Index of the face in the original.
    pub(super) original: Option<usize>,
    /// Whether the face has the corners of the original with unchanged texture coordinates.
    pub(super) keeps_uvs: bool,
}

/// A corner of a face being built.
#[derive(Debug, Clone)]
pub(super) struct PlannedCorner {
    /// Index of the corner's vertex in the original.
    pub(super) vertex: Option<usize>,
    /// Positions in all frames, if they differ from the positions of the vertex.
    pub(super) moved: Option<Box<[Triple]>>,
    /// Texture coordinates in 16ths of a texel.
    pub(super) uv: [i32; 2],
    pub(super) normal: PlannedNormal,
    /// The normal in the scene, if any.
    given: Option<GivenNormal>,
}

/// A normal of the scene.
#[derive(Debug, Clone, Copy)]
struct GivenNormal {
    direction: [f32; 3],
    /// Whether the normal equals the normal of the triangle.
    is_flat: bool,
}

/// The normal of a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PlannedNormal {
    /// The normal of a corner of the original, by its index over all faces.
    Original(usize),
    /// The normal of the face.
    Flat,
    /// A normal given by the scene.
    Own([f32; 3]),
    /// The normal of the vertex, rotated because the vertex moved.
    Rotated([f32; 3]),
}

/// Faces of the model being built: those of the original in their order, then new ones.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) faces: Vec<PlannedFace>,
    /// Whether everything equals the original.
    pub(super) is_unedited: bool,
    /// Number of triangles without area that are not part of the original.
    pub(super) degenerate: usize,
}

/// Cosine above which two directions are considered equal: other programs store normals in 16 bits.
const SAME_DIRECTION: f32 = 0.999;
/// Cosine above which a corner of a bent face is shaded flat.
const SAME_FACE: f32 = 0.995;

/// Data of the original and of the scene.
struct Planner<'a> {
    base: &'a Glide,
    /// Vertex positions of the original in all frames of the scene.
    vertices: &'a [Box<[Triple]>],
    geometry: &'a OriginalGeometry,
    mesh: &'a TriangleMesh,
    /// For each triangle of the original, the matching triangle of the scene.
    found: Vec<Option<(usize, Match)>>,
}

/// The edited form of a corner of a face.
#[derive(Clone)]
struct EditedCorner<'a> {
    triangle: &'a Triangle,
    corner: Corner,
    moved: Option<Box<[Triple]>>,
}

impl Plan {
    /// Plans the faces of a model. `vertices` are the positions of the original, `base`, in all frames of the scene.
    pub(super) fn of(
        base: &Glide,
        vertices: &[Box<[Triple]>],
        geometry: &OriginalGeometry,
        mesh: &TriangleMesh,
    ) -> Self {
        let frames = geometry.positions.first().map_or(0, |positions| positions.len());
        let matches = correspond(geometry, mesh, frames);
        let mut found = vec![None; geometry.triangles.len()];
        for (index, matched) in matches.iter().enumerate() {
            if let Some(matched) = matched
                && let Some(slot) = found.get_mut(matched.original)
            {
                *slot = Some((index, *matched));
            }
        }
        let planner = Planner { base, vertices, geometry, mesh, found };
        let mut plan = Self { is_unedited: true, ..Self::default() };
        let (mut triangles, mut corner) = (0, 0_usize);
        for (number, face) in geometry.faces.iter().enumerate() {
            let count = face.corners.len().saturating_sub(2);
            planner.add_face(number, triangles, corner, &mut plan);
            triangles = triangles.saturating_add(count);
            corner = corner.saturating_add(base.faces.get(number).map_or(0, |face| face.corners.len()));
        }
        planner.choose_normals(&mut plan);
        for (triangle, matched) in mesh.triangles.iter().zip(&matches) {
            if matched.is_none() {
                plan.is_unedited = false;
                planner.add_new(triangle, &mut plan);
            }
        }
        plan
    }
}

/// Finds the original triangle of each triangle of the scene.
fn correspond(geometry: &OriginalGeometry, mesh: &TriangleMesh, frames: usize) -> Vec<Option<Match>> {
    let mut numbers = CornerKeys::default();
    let frame_count = frames.min(mesh.positions.first().map_or(0, |positions| positions.len()));
    let mut key = |positions, uv| numbers.corner(truncated(positions, frame_count), uv);
    let mut originals = Vec::with_capacity(geometry.triangles.len());
    for triangle in &geometry.triangles {
        let corners = geometry.corners(triangle).unwrap_or_default();
        originals.push(corners.map(|corner| key(geometry.positions_of(corner.vertex), corner.uv)));
    }
    let edited: Vec<_> = mesh
        .triangles
        .iter()
        .map(|triangle| triangle.corners.each_ref().map(|corner| key(mesh.positions_of(corner), corner.uv)))
        .collect();
    let mut textured =
        |texture, corners| correspondence::Triangle { material: numbers.texture(texture), corners };
    let texture_of = |triangle: &OriginalTriangle| geometry.faces.get(triangle.face).map(|face| face.texture);
    let originals: Vec<_> = geometry
        .triangles
        .iter()
        .zip(originals)
        .map(|(triangle, corners)| textured(texture_of(triangle), corners))
        .collect();
    let edited: Vec<_> = mesh
        .triangles
        .iter()
        .zip(edited)
        .map(|(triangle, corners)| textured(Some(triangle.texture), corners))
        .collect();
    correspondence::find(&originals, &edited)
}

fn truncated(positions: &[Triple], frame_count: usize) -> &[Triple] {
    positions.get(..frame_count).unwrap_or(positions)
}

impl<'a> Planner<'a> {
    /// Plans a face of the original; `first_triangle` and `first_corner` are the indices of its first triangle and corner.
    fn add_face(&self, number: usize, first_triangle: usize, first_corner: usize, plan: &mut Plan) {
        let (Some(face), Some(base)) = (self.geometry.faces.get(number), self.base.faces.get(number)) else {
            return;
        };
        let count = face.corners.len().saturating_sub(2);
        let range = first_triangle..first_triangle.saturating_add(count);
        let triangles =
            || self.geometry.triangles.get(range.clone()).unwrap_or_default().iter().zip(range.clone());
        let found = |triangle: usize| self.found.get(triangle).copied().flatten();
        let is_missing = |(triangle, at): (&OriginalTriangle, usize)| {
            found(at).is_none() && !self.geometry.is_degenerate(triangle)
        };
        let complete_corners =
            if triangles().any(is_missing) { None } else { self.complete_corners(face, triangles(), found) };
        if let Some(edited) = complete_corners {
            let texture = edited.iter().flatten().next().map(|edited| edited.triangle);
            let corners: Vec<PlannedCorner> = (first_corner..)
                .zip(&base.corners)
                .zip(edited.into_iter().chain(std::iter::repeat(None)))
                .zip(face.corners.iter().map(Some).chain(std::iter::repeat(None)))
                .map(|(((number, corner), edited), original)| PlannedCorner {
                    vertex: usize::try_from(corner.vertex).ok(),
                    uv: edited
                        .as_ref()
                        .map(|edited| edited.corner.uv)
                        .or(original.map(|original| original.uv))
                        .unwrap_or_default(),
                    given: edited.as_ref().and_then(|edited| self.given(edited.triangle, &edited.corner)),
                    moved: edited.and_then(|edited| edited.moved),
                    normal: PlannedNormal::Original(number),
                })
                .collect();
            let keeps_uvs = corners
                .iter()
                .zip(&face.corners)
                .all(|(corner, original)| is_same_uv(corner.uv, original.uv));
            let is_painted = texture.is_some_and(|triangle| triangle.texture != face.texture);
            plan.is_unedited &=
                keeps_uvs && !is_painted && corners.iter().all(|corner| corner.moved.is_none());
            plan.faces.push(PlannedFace {
                corners,
                word: texture.filter(|_| is_painted).map_or(base.texture, |triangle| triangle.word),
                brightness: base.brightness,
                is_ccw: face.is_ccw,
                repeat: texture.map(|triangle| triangle.repeat).unwrap_or_default(),
                original: Some(number),
                keeps_uvs,
            });
            return;
        }
        plan.is_unedited = false;
        for (triangle, at) in triangles() {
            let Some((index, matched)) = found(at) else { continue };
            self.add_triangle((number, first_corner), face, triangle, (index, matched), plan);
        }
    }

    /// Corners of a face whose triangles still fit together; `None` for corners that belong to degenerate triangles only.
    fn complete_corners<'t>(
        &self,
        face: &OriginalFace,
        triangles: impl Iterator<Item = (&'t OriginalTriangle, usize)>,
        found: impl Fn(usize) -> Option<(usize, Match)>,
    ) -> Option<Vec<Option<EditedCorner<'a>>>> {
        let mut out: Vec<Option<EditedCorner<'a>>> = vec![None; face.corners.len()];
        let mut texture = None;
        for (original, at) in triangles {
            let Some((index, matched)) = found(at) else { continue };
            let triangle = self.mesh.triangles.get(index)?;
            if *texture.get_or_insert(triangle.texture) != triangle.texture {
                return None;
            }
            for (number, corner) in triangle.corners.iter().enumerate() {
                let at = *original.corners.get(matched.corner(number))?;
                let vertex = face.corners.get(at)?.vertex;
                let edited = EditedCorner { triangle, corner: *corner, moved: self.moved(vertex, corner) };
                match out.get_mut(at)? {
                    slot @ None => *slot = Some(edited),
                    Some(existing)
                        if existing.moved != edited.moved || existing.corner.uv != edited.corner.uv =>
                    {
                        return None;
                    }
                    Some(_) => {}
                }
            }
        }
        Some(out)
    }

    /// Plans a triangle of a face whose triangles no longer fit together.
    fn add_triangle(
        &self,
        (number, first_corner): (usize, usize),
        face: &OriginalFace,
        original: &OriginalTriangle,
        (index, matched): (usize, Match),
        plan: &mut Plan,
    ) {
        let (Some(triangle), Some(base)) = (self.mesh.triangles.get(index), self.base.faces.get(number))
        else {
            return;
        };
        let corner = |(number, corner): (usize, &Corner)| {
            let at = original.corners.get(matched.corner(number)).copied().unwrap_or_default();
            let vertex = face.corners.get(at).map(|original| original.vertex);
            PlannedCorner {
                vertex,
                moved: vertex.and_then(|vertex| self.moved(vertex, corner)),
                uv: corner.uv,
                normal: PlannedNormal::Original(first_corner.saturating_add(at)),
                given: self.given(triangle, corner),
            }
        };
        let is_painted = triangle.texture != face.texture;
        plan.faces.push(PlannedFace {
            corners: triangle.corners.iter().enumerate().map(corner).collect(),
            word: if is_painted { triangle.word } else { base.texture },
            brightness: base.brightness,
            is_ccw: true,
            repeat: triangle.repeat,
            original: Some(number),
            keeps_uvs: false,
        });
    }

    /// Plans a triangle that is not part of the original.
    fn add_new(&self, triangle: &Triangle, plan: &mut Plan) {
        let normal = self.mesh.normal(triangle);
        if normal == [0; 3] {
            plan.degenerate = plan.degenerate.saturating_add(1);
            return;
        }
        let is_flat = self.mesh.is_flat(triangle);
        let corner = |corner: &Corner| PlannedCorner {
            vertex: None,
            moved: Some(self.mesh.positions_of(corner).into()),
            uv: corner.uv,
            normal: corner.normal.filter(|_| !is_flat).map_or(PlannedNormal::Flat, PlannedNormal::Own),
            given: None,
        };
        plan.faces.push(PlannedFace {
            corners: triangle.corners.iter().map(corner).collect(),
            word: triangle.word,
            brightness: 0,
            is_ccw: true,
            repeat: triangle.repeat,
            original: None,
            keeps_uvs: false,
        });
    }

    /// Positions of a corner in all frames, if they differ from the positions of its vertex. Frames in which the corner did not move keep
    /// their exact positions.
    fn moved(&self, vertex: usize, corner: &Corner) -> Option<Box<[Triple]>> {
        let (converted, exact) = (self.geometry.positions_of(vertex), self.vertices.get(vertex)?);
        let mut is_moved = false;
        let positions = self.mesh.positions_of(corner).iter().enumerate().map(|(frame, now)| {
            let exact = exact.get(frame).copied().unwrap_or(*now);
            if converted.get(frame) == Some(now) {
                return exact;
            }
            is_moved |= exact != *now;
            *now
        });
        let positions: Box<[Triple]> = positions.collect();
        is_moved.then_some(positions)
    }
}

impl Planner<'_> {
    fn given(&self, triangle: &Triangle, corner: &Corner) -> Option<GivenNormal> {
        let direction = corner.normal?;
        let own = direction_of(self.mesh.normal(triangle));
        Some(GivenNormal {
            direction,
            is_flat: cosine(own, direction).is_none_or(|cosine| cosine > SAME_DIRECTION),
        })
    }

    /// Uses the normals of the scene where the user edited them.
    ///
    /// Other programs adjust normals automatically where the shape of a face changes. Unless normals changed elsewhere too, only the
    /// normals of moved vertices are used, and flat faces stay flat.
    fn choose_normals(&self, plan: &mut Plan) {
        let originals = self.original_normals();
        let is_touched = self.touched(plan);
        let is_edited = |corner: &PlannedCorner| {
            let PlannedNormal::Original(number) = corner.normal else { return false };
            let (Some(given), Some(original)) = (corner.given, originals.get(number)) else { return false };
            !original.agrees(given)
        };
        let is_touched = |corner: &PlannedCorner| {
            corner.vertex.is_some_and(|vertex| is_touched.get(vertex).copied().unwrap_or_default())
        };
        let corners = || plan.faces.iter().flat_map(|face| &face.corners);
        let is_reshaded = corners().any(|corner| is_edited(corner) && !is_touched(corner));
        let is_smooth = |corner: &PlannedCorner| match corner.normal {
            PlannedNormal::Original(number) => {
                originals.get(number).is_some_and(|normal| normal.own.is_some())
            }
            _ => false,
        };
        for corner in plan.faces.iter_mut().flat_map(|face| &mut face.corners) {
            let Some(given) = corner.given.filter(|_| is_edited(corner)) else { continue };
            corner.normal = match () {
                () if is_reshaded && given.is_flat => PlannedNormal::Flat,
                () if is_reshaded => PlannedNormal::Own(given.direction),
                () if corner.moved.is_some() && is_smooth(corner) => PlannedNormal::Rotated(given.direction),
                () => continue,
            };
            plan.is_unedited = false;
        }
    }

    /// Normals of all corners of the original.
    fn original_normals(&self) -> Vec<OriginalNormal> {
        let mut out = Vec::new();
        for (face, base) in self.geometry.faces.iter().zip(&self.base.faces) {
            out.extend((0..base.corners.len()).map(|corner| OriginalNormal {
                own: face.corners.get(corner).and_then(|corner| corner.normal),
                of_face: face.normal,
            }));
        }
        out
    }

    /// For each vertex, whether the shape of a face around it changed.
    fn touched(&self, plan: &Plan) -> Vec<bool> {
        let mut out = vec![false; self.vertices.len()];
        let mut is_kept = vec![false; self.geometry.faces.len()];
        for face in &plan.faces {
            let Some(number) = face.original else { continue };
            let is_complete =
                self.base.faces.get(number).is_some_and(|base| base.corners.len() == face.corners.len());
            if let Some(is_kept) = is_kept.get_mut(number)
                && is_complete
                && face.corners.iter().all(|corner| corner.moved.is_none())
            {
                *is_kept = true;
            }
        }
        let changed = self.geometry.faces.iter().zip(is_kept).filter(|(_, is_kept)| !is_kept);
        for corner in changed.flat_map(|(face, _)| &face.corners) {
            if let Some(is_touched) = out.get_mut(corner.vertex) {
                *is_touched = true;
            }
        }
        out
    }
}

/// The normal of a corner of the original.
struct OriginalNormal {
    own: Option<[f32; 3]>,
    of_face: [f32; 3],
}

impl OriginalNormal {
    fn agrees(&self, given: GivenNormal) -> bool {
        let is_near =
            |direction, threshold| cosine(direction, given.direction).is_none_or(|cosine| cosine > threshold);
        match self.own {
            Some(own) => is_near(own, SAME_DIRECTION),
            None => given.is_flat || is_near(self.of_face, SAME_FACE),
        }
    }
}

/// Whether texture coordinates are equal, allowing for single-precision rounding far from the origin.
fn is_same_uv(a: [i32; 2], b: [i32; 2]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| a.abs_diff(b) <= b.unsigned_abs() >> 19)
}

//! Decides which faces of the original a scene still shows, and what changed of them.

use scene::correspondence::{self, Match};

use super::super::glide::Glide;
use super::super::layout::Triple;
use super::super::normal::{cosine, direction_of};
use super::shown::{CornerNumbers, Shown, ShownFace, ShownTriangle};
use super::triangle::{Corner, Triangle, TriangleMesh};

/// A face of the model to be built.
#[derive(Debug)]
pub(super) struct PlannedFace {
    pub(super) corners: Vec<PlannedCorner>,
    pub(super) word: u32,
    pub(super) brightness: u8,
    pub(super) is_ccw: bool,
    /// The period of its image in 16ths of a texel.
    pub(super) repeat: [i32; 2],
    /// The face of the original.
    pub(super) original: Option<usize>,
    /// Whether it has the corners of the original with the texture coordinates that they had.
    pub(super) keeps_uvs: bool,
}

/// A corner of a face to be built.
#[derive(Debug, Clone)]
pub(super) struct PlannedCorner {
    /// The vertex that it was in the original.
    pub(super) vertex: Option<usize>,
    /// Its positions in all frames, if they are not those of the vertex.
    pub(super) moved: Option<Box<[Triple]>>,
    /// In 16ths of a texel.
    pub(super) uv: [i32; 2],
    pub(super) normal: PlannedNormal,
    /// What the scene says of its normal, if anything.
    given: Option<GivenNormal>,
}

/// A normal of the scene.
#[derive(Debug, Clone, Copy)]
struct GivenNormal {
    direction: [f32; 3],
    /// Whether it is that of its triangle.
    is_flat: bool,
}

/// The normal of a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PlannedNormal {
    /// That of a corner of the original, counted over all faces.
    Original(usize),
    /// The normal of the face.
    Flat,
    /// A normal of its own.
    Own([f32; 3]),
    /// That of its vertex, which turned as the vertex moved.
    Turned([f32; 3]),
}

/// The faces of the model to be built: those of the original in their order, then new ones.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) faces: Vec<PlannedFace>,
    /// Whether everything is as in the original.
    pub(super) is_unedited: bool,
    /// Triangles without area that are not of the original.
    pub(super) degenerate: usize,
}

/// The cosine above which two directions are equal: other programs store normals in 16 bits.
const SAME_DIRECTION: f32 = 0.999;
/// The cosine above which a corner of a bent face is shaded flat.
const SAME_FACE: f32 = 0.995;

/// What is known of the original and of the scene.
struct Planner<'a> {
    base: &'a Glide,
    /// The positions of the vertices of the original in all frames of the scene.
    vertices: &'a [Box<[Triple]>],
    shown: &'a Shown,
    mesh: &'a TriangleMesh,
    /// The triangle of the scene that a triangle of the original became.
    found: Vec<Option<(usize, Match)>>,
}

/// What a corner of a face became.
#[derive(Clone)]
struct EditedCorner<'a> {
    triangle: &'a Triangle,
    corner: Corner,
    moved: Option<Box<[Triple]>>,
}

impl Plan {
    /// Plans the faces of a model. `vertices` are those of the original, `base`, in all frames of the scene.
    pub(super) fn of(base: &Glide, vertices: &[Box<[Triple]>], shown: &Shown, mesh: &TriangleMesh) -> Self {
        let frames = shown.positions.first().map_or(0, |positions| positions.len());
        let matches = correspond(shown, mesh, frames);
        let mut found = vec![None; shown.triangles.len()];
        for (index, matched) in matches.iter().enumerate() {
            if let Some(matched) = matched
                && let Some(slot) = found.get_mut(matched.original)
            {
                *slot = Some((index, *matched));
            }
        }
        let planner = Planner { base, vertices, shown, mesh, found };
        let mut plan = Self { is_unedited: true, ..Self::default() };
        let (mut triangles, mut corner) = (0, 0_usize);
        for (number, face) in shown.faces.iter().enumerate() {
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

/// The original triangle of each triangle of the scene.
fn correspond(shown: &Shown, mesh: &TriangleMesh, frames: usize) -> Vec<Option<Match>> {
    let mut numbers = CornerNumbers::default();
    let most = frames.min(mesh.positions.first().map_or(0, |positions| positions.len()));
    let mut key = |positions, uv| numbers.corner(truncated(positions, most), uv);
    let mut originals = Vec::with_capacity(shown.triangles.len());
    for triangle in &shown.triangles {
        let corners = shown.corners(triangle).unwrap_or_default();
        originals.push(corners.map(|corner| key(shown.positions_of(corner.vertex), corner.uv)));
    }
    let edited: Vec<_> = mesh
        .triangles
        .iter()
        .map(|triangle| triangle.corners.each_ref().map(|corner| key(mesh.positions_of(corner), corner.uv)))
        .collect();
    let mut textured =
        |texture, corners| correspondence::Triangle { material: numbers.texture(texture), corners };
    let texture_of = |triangle: &ShownTriangle| shown.faces.get(triangle.face).map(|face| face.texture);
    let originals: Vec<_> = shown
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

fn truncated(positions: &[Triple], most: usize) -> &[Triple] {
    positions.get(..most).unwrap_or(positions)
}

impl<'a> Planner<'a> {
    /// Plans a face of the original, whose triangles and corners start with these numbers.
    fn add_face(&self, number: usize, first_triangle: usize, first_corner: usize, plan: &mut Plan) {
        let (Some(face), Some(base)) = (self.shown.faces.get(number), self.base.faces.get(number)) else {
            return;
        };
        let count = face.corners.len().saturating_sub(2);
        let range = first_triangle..first_triangle.saturating_add(count);
        let triangles =
            || self.shown.triangles.get(range.clone()).unwrap_or_default().iter().zip(range.clone());
        let found = |triangle: usize| self.found.get(triangle).copied().flatten();
        let is_gone = |(triangle, at): (&ShownTriangle, usize)| {
            found(at).is_none() && !self.shown.is_degenerate(triangle)
        };
        let whole = if triangles().any(is_gone) { None } else { self.whole(face, triangles(), found) };
        if let Some(edited) = whole {
            let texture = edited.iter().flatten().next().map(|edited| edited.triangle);
            let corners: Vec<PlannedCorner> = (first_corner..)
                .zip(&base.corners)
                .zip(edited.into_iter().chain(std::iter::repeat(None)))
                .zip(face.corners.iter().map(Some).chain(std::iter::repeat(None)))
                .map(|(((number, corner), edited), shown)| PlannedCorner {
                    vertex: usize::try_from(corner.vertex).ok(),
                    uv: edited
                        .as_ref()
                        .map(|edited| edited.corner.uv)
                        .or(shown.map(|shown| shown.uv))
                        .unwrap_or_default(),
                    given: edited.as_ref().and_then(|edited| self.given(edited.triangle, &edited.corner)),
                    moved: edited.and_then(|edited| edited.moved),
                    normal: PlannedNormal::Original(number),
                })
                .collect();
            let keeps_uvs =
                corners.iter().zip(&face.corners).all(|(corner, shown)| is_same_uv(corner.uv, shown.uv));
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
            self.add_part((number, first_corner), face, triangle, (index, matched), plan);
        }
    }

    /// The corners of a face whose triangles still fit together; `None` for those of degenerate triangles only.
    fn whole<'t>(
        &self,
        face: &ShownFace,
        triangles: impl Iterator<Item = (&'t ShownTriangle, usize)>,
        found: impl Fn(usize) -> Option<(usize, Match)>,
    ) -> Option<Vec<Option<EditedCorner<'a>>>> {
        let mut out: Vec<Option<EditedCorner<'a>>> = vec![None; face.corners.len()];
        let mut texture = None;
        for (shown, at) in triangles {
            let Some((index, matched)) = found(at) else { continue };
            let triangle = self.mesh.triangles.get(index)?;
            if *texture.get_or_insert(triangle.texture) != triangle.texture {
                return None;
            }
            for (number, corner) in triangle.corners.iter().enumerate() {
                let at = *shown.corners.get(matched.corner(number))?;
                let vertex = face.corners.get(at)?.vertex;
                let edited = EditedCorner { triangle, corner: *corner, moved: self.moved(vertex, corner) };
                match out.get_mut(at)? {
                    slot @ None => *slot = Some(edited),
                    Some(known) if known.moved != edited.moved || known.corner.uv != edited.corner.uv => {
                        return None;
                    }
                    Some(_) => {}
                }
            }
        }
        Some(out)
    }

    /// Plans a triangle of a face that does not fit together any more.
    fn add_part(
        &self,
        (number, first_corner): (usize, usize),
        face: &ShownFace,
        shown: &ShownTriangle,
        (index, matched): (usize, Match),
        plan: &mut Plan,
    ) {
        let (Some(triangle), Some(base)) = (self.mesh.triangles.get(index), self.base.faces.get(number))
        else {
            return;
        };
        let corner = |(number, corner): (usize, &Corner)| {
            let at = shown.corners.get(matched.corner(number)).copied().unwrap_or_default();
            let vertex = face.corners.get(at).map(|shown| shown.vertex);
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

    /// Plans a triangle that is not of the original.
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

    /// The positions of a corner in all frames, if they are not those of its vertex. Frames in which it did not move keep their exact positions.
    fn moved(&self, vertex: usize, corner: &Corner) -> Option<Box<[Triple]>> {
        let (shown, exact) = (self.shown.positions_of(vertex), self.vertices.get(vertex)?);
        let mut is_moved = false;
        let positions = self.mesh.positions_of(corner).iter().enumerate().map(|(frame, now)| {
            let exact = exact.get(frame).copied().unwrap_or(*now);
            if shown.get(frame) == Some(now) {
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

    /// Takes the normals of the scene where somebody edited them.
    ///
    /// Other programs turn normals by themselves where the shape of a face changes. Unless normals changed elsewhere, too, only those of vertices that
    /// moved are taken, and flat faces stay flat.
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
                () if corner.moved.is_some() && is_smooth(corner) => PlannedNormal::Turned(given.direction),
                () => continue,
            };
            plan.is_unedited = false;
        }
    }

    /// The normals of all corners of the original.
    fn original_normals(&self) -> Vec<OriginalNormal> {
        let mut out = Vec::new();
        for (face, base) in self.shown.faces.iter().zip(&self.base.faces) {
            out.extend((0..base.corners.len()).map(|corner| OriginalNormal {
                own: face.corners.get(corner).and_then(|corner| corner.normal),
                of_face: face.normal,
            }));
        }
        out
    }

    /// Whether the shape of a face around each vertex changed.
    fn touched(&self, plan: &Plan) -> Vec<bool> {
        let mut out = vec![false; self.vertices.len()];
        let mut is_kept = vec![false; self.shown.faces.len()];
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
        let changed = self.shown.faces.iter().zip(is_kept).filter(|(_, is_kept)| !is_kept);
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
            |direction, least| cosine(direction, given.direction).is_none_or(|cosine| cosine > least);
        match self.own {
            Some(own) => is_near(own, SAME_DIRECTION),
            None => given.is_flat || is_near(self.of_face, SAME_FACE),
        }
    }
}

/// Whether texture coordinates are equal, but for what single precision rounds far from the origin.
fn is_same_uv(a: [i32; 2], b: [i32; 2]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| a.abs_diff(b) <= b.unsigned_abs() >> 19)
}

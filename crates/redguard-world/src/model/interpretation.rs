//! Options for points on which sources about the format disagree. The defaults match the observed behavior of the game.

use asset::{Choice, Options};

use super::{Face, FaceCorner};

/// `--delta-sign`.
pub(crate) const DELTA_SIGN: Choice<DeltaSign> = Choice::new(
    "delta-sign",
    "How to combine frame deltas with the reference frame.",
    &[
        ("game", "as in the game: subtract from version 4.0 on, add in earlier versions"),
        ("add", "always add"),
        ("subtract", "always subtract"),
    ],
    &[DeltaSign::Game, DeltaSign::Added, DeltaSign::Subtracted],
);

/// `--uv`.
pub(crate) const UV: Choice<LaterCornerUvs> = Choice::new(
    "uv",
    "How to determine the texture coordinates after the third corner of a face, in models for the software renderer.",
    &[
        ("accumulate", "as deltas from the previous corner, as for the first three corners"),
        ("first-three", "computed from the plane of the first three corners, as in Daggerfall"),
    ],
    &[LaterCornerUvs::Accumulate, LaterCornerUvs::Plane],
);

/// Interpretation of the ambiguous data of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Interpretation {
    /// Sign of the deltas that frames are stored as.
    pub delta_sign: DeltaSign,
    /// Source of the texture coordinates after the third corner, in models of the software renderer.
    pub later_corner_uvs: LaterCornerUvs,
}

/// Sign of the deltas that frames are stored as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeltaSign {
    /// Subtracted from v4.0 on, added in earlier versions.
    #[default]
    Game,
    /// Always added.
    Added,
    /// Always subtracted.
    Subtracted,
}

/// Source of the texture coordinates of the fourth and later corners of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LaterCornerUvs {
    /// Deltas from the previous corner.
    #[default]
    Accumulate,
    /// The position in the plane of the first three corners.
    Plane,
}

impl Interpretation {
    /// Returns the interpretation selected by the options.
    pub(crate) fn from_options(options: &Options) -> Self {
        Self { delta_sign: options.choice(&DELTA_SIGN), later_corner_uvs: options.choice(&UV) }
    }
}

impl DeltaSign {
    /// Applies a delta to a coordinate. `game` is the game's behavior for this model.
    pub(super) fn step(self, base: i32, step: i32, game: Self) -> i32 {
        let sign = if self == Self::Game { game } else { self };
        match sign {
            Self::Subtracted => base.wrapping_sub(step),
            Self::Game | Self::Added => base.wrapping_add(step),
        }
    }
}

/// Replaces the texture coordinates of later corners with those of the plane through the first three. If the first three corners are
/// collinear, the face is left unchanged.
pub(super) fn project_later_uvs(face: &mut Face, positions: &[[f32; 3]]) {
    let Some((first_three, later)) = face.corners.split_at_mut_checked(3) else { return };
    let [first, second, third] = first_three else { return };
    let Some(plane) = UvPlane::new([first, second, third], positions) else { return };
    for corner in later {
        corner.uv = plane.uv(corner, positions).unwrap_or(corner.uv);
    }
}

/// Largest distance, in texels, of the later corners from the affine map of the first three; `None` if the map is undefined.
pub(super) fn uv_deviation(face: &Face, positions: &[[f32; 3]]) -> Option<f32> {
    let (first_three, later) = face.corners.split_at_checked(3)?;
    let [first, second, third] = first_three else { return None };
    let plane = UvPlane::new([first, second, third], positions)?;
    later
        .iter()
        .filter_map(|corner| {
            let [u, v] = plane.uv(corner, positions)?;
            let [a, b] = corner.uv;
            Some((u - a).abs().max((v - b).abs()))
        })
        .reduce(f32::max)
}

/// An affine map from a plane to texture coordinates.
struct UvPlane {
    origin: [f32; 3],
    edges: [[f32; 3]; 2],
    /// Dot products of the two directions: first with itself, first with second, second with itself.
    products: [f32; 3],
    uv: [f32; 2],
    steps: [[f32; 2]; 2],
}

impl UvPlane {
    fn new(corners: [&FaceCorner; 3], positions: &[[f32; 3]]) -> Option<Self> {
        let [origin, second, third] =
            corners.map(|corner| corner.vertex.and_then(|vertex| positions.get(vertex)).copied());
        let (origin, edges) = (origin?, [subtract(second?, origin?), subtract(third?, origin?)]);
        let [one, other] = edges;
        let products = [dot(one, one), dot(one, other), dot(other, other)];
        let [first, second, third] = corners.map(|corner| corner.uv);
        let step = |[u, v]: [f32; 2]| [u - first[0], v - first[1]];
        let plane = Self { origin, edges, products, uv: first, steps: [step(second), step(third)] };
        (plane.area() > f32::EPSILON * products[0].max(products[2]).powi(2)).then_some(plane)
    }

    /// Squared area of the parallelogram spanned by the two directions.
    fn area(&self) -> f32 {
        let [a, b, c] = self.products;
        a * c - b * b
    }

    fn uv(&self, corner: &FaceCorner, positions: &[[f32; 3]]) -> Option<[f32; 2]> {
        let relative = subtract(*positions.get(corner.vertex?)?, self.origin);
        let [one, other] = self.edges.map(|direction| dot(direction, relative));
        let [a, b, c] = self.products;
        let (first, second) = ((one * c - other * b) / self.area(), (other * a - one * b) / self.area());
        let [by_first, by_second] = self.steps;
        let [u, v] = self.uv;
        let uv = [
            u + first * by_first[0] + second * by_second[0],
            v + first * by_first[1] + second * by_second[1],
        ];
        uv.iter().all(|number| number.is_finite()).then_some(uv)
    }
}

fn subtract([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a - x, b - y, c - z]
}

fn dot([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z
}

#[cfg(test)]
mod tests {
    use super::super::FaceTexture;
    use super::*;

    fn square(uvs: [[f32; 2]; 4]) -> (Face, Vec<[f32; 3]>) {
        let corners = (0_usize..)
            .zip(uvs)
            .map(|(vertex, uv)| FaceCorner { vertex: Some(vertex), uv, normal: None })
            .collect();
        let positions = vec![[0.0, 0.0, 5.0], [8.0, 0.0, 5.0], [8.0, 4.0, 5.0], [0.0, 4.0, 5.0]];
        (Face { corners, texture: FaceTexture::Color(0), brightness: 0 }, positions)
    }

    #[test]
    fn computes_the_fourth_corner_from_the_plane() {
        let (mut face, positions) = square([[1.0, 2.0], [33.0, 2.0], [33.0, 18.0], [7.0, 7.0]]);
        assert_eq!(uv_deviation(&face, &positions), Some(11.0));
        project_later_uvs(&mut face, &positions);
        assert_eq!(face.corners[3].uv, [1.0, 18.0]);
        assert_eq!(uv_deviation(&face, &positions), Some(0.0));
    }

    #[test]
    fn leaves_a_face_with_collinear_corners_unchanged() {
        let (mut face, mut positions) = square([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [7.0, 7.0]]);
        positions[2] = [16.0, 0.0, 5.0];
        project_later_uvs(&mut face, &positions);
        assert_eq!(face.corners[3].uv, [7.0, 7.0]);
        assert_eq!(uv_deviation(&face, &positions), None);
        face.corners.truncate(3);
        assert_eq!(uv_deviation(&face, &positions), None);
    }

    #[test]
    fn applies_the_selected_sign_to_deltas() {
        for game in [DeltaSign::Added, DeltaSign::Subtracted] {
            assert_eq!(DeltaSign::Added.step(10, 3, game), 13);
            assert_eq!(DeltaSign::Subtracted.step(10, 3, game), 7);
        }
        assert_eq!(DeltaSign::Game.step(10, 3, DeltaSign::Subtracted), 7);
        assert_eq!(DeltaSign::Game.step(10, 3, DeltaSign::Added), 13);
    }
}

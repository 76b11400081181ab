//! How models are read where their sources differ: the usual way is what the game was seen to do, the other way can be asked for.

use asset::{Choice, Options};

use super::{Face, FaceCorner};

/// `--delta-sign`.
pub(crate) const DELTA_SIGN: Choice<Deltas> = Choice::new(
    "delta-sign",
    "How the frames of a model differ from the frame they are counted from.",
    &[
        ("game", "subtracted from v4.0 on, added before, as the game does it"),
        ("add", "always added"),
        ("subtract", "always subtracted"),
    ],
    &[Deltas::AsTheGame, Deltas::Added, Deltas::Subtracted],
);

/// `--uv`.
pub(crate) const UV: Choice<LaterCorners> = Choice::new(
    "uv",
    "What the texture coordinates of the fourth and later corners of a face are, in models of the software renderer.",
    &[
        ("accumulate", "steps from the corner before, like the others"),
        ("first-three", "worked out from the plane through the first three corners, as in Daggerfall"),
    ],
    &[LaterCorners::Steps, LaterCorners::OfThePlane],
);

/// How a model is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// What becomes of the differences that frames are stored as.
    pub deltas: Deltas,
    /// What becomes of the texture coordinates behind the third corner, in models of the software renderer.
    pub later_corners: LaterCorners,
}

/// What becomes of the differences that frames are stored as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Deltas {
    /// Subtracted from v4.0 on, added before.
    #[default]
    AsTheGame,
    /// Always added.
    Added,
    /// Always subtracted.
    Subtracted,
}

/// What the texture coordinates of the fourth and later corners of a face are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LaterCorners {
    /// Steps from the corner before.
    #[default]
    Steps,
    /// Those that the first three corners give to their place in the plane.
    OfThePlane,
}

impl Reading {
    /// What was asked for.
    pub(crate) fn asked(options: &Options) -> Self {
        Self { deltas: options.choice(&DELTA_SIGN), later_corners: options.choice(&UV) }
    }
}

impl Deltas {
    /// A place, so far from another. `game` is how the game counts in this model.
    pub(super) fn step(self, base: i32, step: i32, game: Self) -> i32 {
        let usual = if self == Self::AsTheGame { game } else { self };
        match usual {
            Self::Subtracted => base.wrapping_sub(step),
            Self::AsTheGame | Self::Added => base.wrapping_add(step),
        }
    }
}

/// A face whose later corners have the texture coordinates that the first three give to the plane. Where those lie on one line,
/// the face stays as it is.
pub(super) fn of_the_plane(face: &mut Face, positions: &[[f32; 3]]) {
    let Some((known, later)) = face.corners.split_at_mut_checked(3) else { return };
    let [first, second, third] = known else { return };
    let Some(plane) = Plane::new([first, second, third], positions) else { return };
    for corner in later {
        corner.uv = plane.uv(corner, positions).unwrap_or(corner.uv);
    }
}

/// How far, in texels, the later corners of a face are from what the first three give to the plane; `None` where that says nothing.
pub(super) fn bend(face: &Face, positions: &[[f32; 3]]) -> Option<f32> {
    let (known, later) = face.corners.split_at_checked(3)?;
    let [first, second, third] = known else { return None };
    let plane = Plane::new([first, second, third], positions)?;
    later
        .iter()
        .filter_map(|corner| {
            let [u, v] = plane.uv(corner, positions)?;
            let [a, b] = corner.uv;
            Some((u - a).abs().max((v - b).abs()))
        })
        .reduce(f32::max)
}

/// Texture coordinates spread over a plane.
struct Plane {
    origin: [f32; 3],
    along: [[f32; 3]; 2],
    /// The products of the two directions: one with itself, one with the other, the other with itself.
    products: [f32; 3],
    uv: [f32; 2],
    steps: [[f32; 2]; 2],
}

impl Plane {
    fn new(corners: [&FaceCorner; 3], positions: &[[f32; 3]]) -> Option<Self> {
        let [origin, second, third] =
            corners.map(|corner| corner.vertex.and_then(|vertex| positions.get(vertex)).copied());
        let (origin, along) = (origin?, [less(second?, origin?), less(third?, origin?)]);
        let [one, other] = along;
        let products = [dot(one, one), dot(one, other), dot(other, other)];
        let [first, second, third] = corners.map(|corner| corner.uv);
        let step = |[u, v]: [f32; 2]| [u - first[0], v - first[1]];
        let plane = Self { origin, along, products, uv: first, steps: [step(second), step(third)] };
        (plane.area() > f32::EPSILON * products[0].max(products[2]).powi(2)).then_some(plane)
    }

    /// The square of the area between the two directions.
    fn area(&self) -> f32 {
        let [a, b, c] = self.products;
        a * c - b * b
    }

    fn uv(&self, corner: &FaceCorner, positions: &[[f32; 3]]) -> Option<[f32; 2]> {
        let place = less(*positions.get(corner.vertex?)?, self.origin);
        let [one, other] = self.along.map(|direction| dot(direction, place));
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

fn less([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a - x, b - y, c - z]
}

fn dot([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z
}

#[cfg(test)]
mod tests {
    use super::super::Paint;
    use super::*;

    fn square(uvs: [[f32; 2]; 4]) -> (Face, Vec<[f32; 3]>) {
        let corners = (0_usize..)
            .zip(uvs)
            .map(|(vertex, uv)| FaceCorner { vertex: Some(vertex), uv, normal: None })
            .collect();
        let places = vec![[0.0, 0.0, 5.0], [8.0, 0.0, 5.0], [8.0, 4.0, 5.0], [0.0, 4.0, 5.0]];
        (Face { corners, paint: Paint::Color(0), brightness: 0 }, places)
    }

    #[test]
    fn the_plane_gives_the_fourth_corner() {
        let (mut face, places) = square([[1.0, 2.0], [33.0, 2.0], [33.0, 18.0], [7.0, 7.0]]);
        assert_eq!(bend(&face, &places), Some(11.0));
        of_the_plane(&mut face, &places);
        assert_eq!(face.corners[3].uv, [1.0, 18.0]);
        assert_eq!(bend(&face, &places), Some(0.0));
    }

    #[test]
    fn three_corners_on_a_line_say_nothing() {
        let (mut face, mut places) = square([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [7.0, 7.0]]);
        places[2] = [16.0, 0.0, 5.0];
        of_the_plane(&mut face, &places);
        assert_eq!(face.corners[3].uv, [7.0, 7.0]);
        assert_eq!(bend(&face, &places), None);
        face.corners.truncate(3);
        assert_eq!(bend(&face, &places), None);
    }

    #[test]
    fn differences_go_the_way_that_is_asked_for() {
        for game in [Deltas::Added, Deltas::Subtracted] {
            assert_eq!(Deltas::Added.step(10, 3, game), 13);
            assert_eq!(Deltas::Subtracted.step(10, 3, game), 7);
        }
        assert_eq!(Deltas::AsTheGame.step(10, 3, Deltas::Subtracted), 7);
        assert_eq!(Deltas::AsTheGame.step(10, 3, Deltas::Added), 13);
    }
}

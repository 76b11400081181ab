//! Angles, the tables of sines, integer distances and directions, orientations, and the quantized roots of lighting.

use std::sync::LazyLock;

use crate::number::{float, nearest_even, single};

/// Angles of a whole turn.
pub const TURN: i32 = 2048;

/// The mask of an angle.
const MASK: i32 = TURN - 1;

/// An angle: 2048 are a turn. \[E=\]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Angle2048(u16);

impl Angle2048 {
    /// Nothing turned.
    pub const ZERO: Self = Self(0);

    /// A quarter of a turn.
    pub const QUARTER: Self = Self(512);

    /// The low eleven bits of a number.
    #[must_use]
    pub const fn new(angle: i32) -> Self {
        let [low, high, ..] = (angle & MASK).to_le_bytes();
        Self(u16::from_le_bytes([low, high]))
    }

    /// The number, from 0 to 2047.
    #[must_use]
    pub fn get(self) -> i32 {
        self.0.into()
    }

    /// So much farther.
    #[must_use]
    pub fn plus(self, angle: i32) -> Self {
        Self::new(self.get().wrapping_add(angle))
    }

    /// The same angle the other way around.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::new(self.get().wrapping_neg())
    }

    /// The shortest way from another angle to this one: from -1024 to 1023.
    #[must_use]
    pub fn difference(self, from: Self) -> i32 {
        let ahead = self.plus(from.get().wrapping_neg()).get();
        if ahead >= TURN / 2 { ahead.wrapping_sub(TURN) } else { ahead }
    }

    /// The entry of the table of sines. \[E=\]
    #[must_use]
    pub fn sine(self) -> f32 {
        SINES.get(usize::from(self.0)).copied().unwrap_or_default()
    }

    /// The entry of the table of sines a quarter of a turn on. \[E=\]
    #[must_use]
    pub fn cosine(self) -> f32 {
        SINES.get(usize::from(self.0).saturating_add(512)).copied().unwrap_or_default()
    }
}

/// How many entries the table of sines has: a turn and a quarter, and one.
const SINE_COUNT: usize = 2561;

/// The decimal constant that the program has in place of 2 pi.
const TWO_PI: f64 = 6.283_185_2;

/// `sin(n * 6.2831852 / 2048)`.
static SINES: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let sine = |number: u16| single((f64::from(number) * TWO_PI / f64::from(TURN)).sin());
    (0_u16..).take(SINE_COUNT).map(sine).collect()
});

/// The table of sines for movement, orientations, sky, sun and water: 2561 entries, the cosine of `n` at `n + 512`. \[E=\]
#[must_use]
pub fn sines() -> &'static [f32] {
    &SINES
}

/// The sine times 65536 of ropes and effects, without its fraction; the second half of the turn is the first one negated. \[E\]
#[must_use]
pub fn integer_sine(angle: Angle2048) -> i32 {
    let first = |number: i32| {
        let sine = (f64::from(number) * std::f64::consts::PI / 1024.0).sin();
        crate::number::truncated(single((sine * 65_536.0).trunc()))
    };
    match angle.get() {
        number if number < 1024 => first(number),
        number => first(number.wrapping_sub(1024)).wrapping_neg(),
    }
}

/// Entries of the table of arctangents, without the one for equal sides.
const ARCTANGENTS: u32 = 512;

/// `trunc(atan(i / 512) * 65536 / pi) >> 6`: the angle of a slope of `i` 512ths.
fn slope(number: u32) -> i32 {
    let angle = (f64::from(number) / f64::from(ARCTANGENTS)).atan() * 65_536.0 / std::f64::consts::PI;
    crate::number::truncated(single(angle.trunc())) >> 6
}

/// The bearing of a direction: +Z is 0, +X 512, -Z 1024, -X 1536; 0 where both are 0. Not that of an exact arctangent. \[E\]
///
/// The heading of an actor is the negated bearing.
#[must_use]
pub fn bearing(x: i32, z: i32) -> Angle2048 {
    let (mut across, mut along) = (x.unsigned_abs(), z.unsigned_abs());
    while across.max(along) > 511 {
        (across, along) = (across >> 1, along >> 1);
    }
    let (small, big) = (across.min(along), across.max(along));
    let share = small.wrapping_mul(ARCTANGENTS).checked_div(big).unwrap_or_default();
    let from_z = if across > along { 512_i32.wrapping_sub(slope(share)) } else { slope(share) };
    Angle2048::new(match (x < 0, z < 0) {
        (false, false) => from_z,
        (false, true) => 1024_i32.wrapping_sub(from_z),
        (true, true) => from_z.wrapping_add(1024),
        (true, false) => from_z.wrapping_neg(),
    })
}

/// The length of a direction: the sum of squares in `f64`, its root in `f32`.
fn length(direction: [i32; 3]) -> f32 {
    let squares = direction.map(|number| {
        let number = f64::from(float(number));
        number * number
    });
    single(squares.iter().sum::<f64>().sqrt())
}

/// The distance of two positions in their own unit, to the nearest integer, of two the even one. \[E\]
#[must_use]
pub fn distance(from: [i32; 3], to: [i32; 3]) -> i32 {
    nearest_even(length(difference(to, from)))
}

/// A direction with the length 65536; zero stays zero. \[E\]
#[must_use]
pub fn normal(direction: [i32; 3]) -> [i32; 3] {
    let length = length(direction);
    if length == 0.0 {
        return [0; 3];
    }
    direction.map(|number| nearest_even(float(number) / length * 65_536.0))
}

/// The first position without the second.
#[must_use]
pub fn difference([a, b, c]: [i32; 3], [x, y, z]: [i32; 3]) -> [i32; 3] {
    [a.wrapping_sub(x), b.wrapping_sub(y), c.wrapping_sub(z)]
}

/// Bits of the fraction of an `f32`.
const FRACTION: u32 = 23;

/// The exponent of 1.
const BIAS: i32 = 127;

/// The exponent of an `f32` and the seven upper bits of its fraction.
fn parts(number: f32) -> (i32, u32) {
    let bits = number.to_bits();
    let exponent = i32::try_from((bits >> FRACTION) & 0xff).unwrap_or_default().wrapping_sub(BIAS);
    (exponent, (bits >> (FRACTION - 7)) & 0x7f)
}

/// An `f32` of a biased exponent and the seven upper bits of a fraction.
fn joined(exponent: i32, fraction: u32) -> f32 {
    let exponent = u32::try_from(exponent.clamp(0, 255)).unwrap_or_default();
    f32::from_bits((exponent << FRACTION) | (fraction << (FRACTION - 7)))
}

/// What seven bits of a fraction and the lowest bit of an exponent stand for: from 1 up to 4.
fn folded(exponent: i32, fraction: u32) -> f64 {
    let mantissa = 1.0 + f64::from(fraction) / 128.0;
    if exponent & 1 == 0 { mantissa } else { mantissa * 2.0 }
}

/// The quantized reciprocal square root of lighting: seven bits of the number go in, seven bits come out. \[E=\]
///
/// ```
/// use antiquary_redguard_world::engine::rotation::reciprocal_root;
///
/// // The sum of six unit normals of flat ground, with unit length.
/// assert_eq!(6.0 * reciprocal_root(36.0), 0.99609375);
/// ```
#[must_use]
pub fn reciprocal_root(number: f32) -> f32 {
    let (exponent, fraction) = parts(number);
    let (_, entry) = parts(single(1.0 / folded(exponent, fraction).sqrt()));
    let numerator = if entry == 0 { 254_i32 } else { 253 };
    joined(numerator.wrapping_sub(exponent) >> 1, entry)
}

/// The quantized square root, of the distance of lights: seven bits of the number go in, seven bits come out. \[E\]
#[must_use]
pub fn root(number: f32) -> f32 {
    let (exponent, fraction) = parts(number);
    let (_, entry) = parts(single(folded(exponent, fraction).sqrt()));
    joined((exponent >> 1).wrapping_add(BIAS), entry)
}

/// The sum of products.
pub(crate) fn dot([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z
}

/// A direction with unit length as lighting has it: not quite 1, and zero stays zero. \[E=\]
#[must_use]
pub fn quantized_normal(direction: [f32; 3]) -> [f32; 3] {
    let factor = reciprocal_root(dot(direction, direction));
    direction.map(|number| number * factor)
}

/// An orientation: a matrix, row by row, that makes a direction of the world out of one of a model. \[E=\]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orientation(pub [[f32; 3]; 3]);

impl Default for Orientation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Orientation {
    /// Nothing turned.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// That of an actor or a placement with this pitch, heading and roll: negated, the heading first, then the pitch, then the roll. \[E=\]
    #[must_use]
    pub fn of_actor([pitch, heading, roll]: [i32; 3]) -> Self {
        Self::IDENTITY.turned_as_actor([pitch, heading, roll])
    }

    /// That of an actor whose angles count in the space of another one, which has this orientation. \[E\]
    #[must_use]
    pub fn turned_as_actor(self, [pitch, heading, roll]: [i32; 3]) -> Self {
        let angle = |number: i32| Angle2048::new(number).negated();
        self.turned_y(angle(heading)).turned_x(angle(pitch)).turned_z(angle(roll))
    }

    /// That of a static, which stores 28 bits of fraction.
    #[must_use]
    pub fn of_static(matrix: &[i32; 9]) -> Self {
        let [a, b, c, d, e, f, g, h, i] = matrix.map(|number| single(f64::from(number) / 268_435_456.0));
        Self([[a, b, c], [d, e, f], [g, h, i]])
    }

    /// Turned around its own X axis, from Y to Z.
    #[must_use]
    pub fn turned_x(self, angle: Angle2048) -> Self {
        let (sine, cosine) = (angle.sine(), angle.cosine());
        Self(self.0.map(|[x, y, z]| [x, y * cosine + z * sine, z * cosine - y * sine]))
    }

    /// Turned around its own Y axis, from Z to X.
    #[must_use]
    pub fn turned_y(self, angle: Angle2048) -> Self {
        let (sine, cosine) = (angle.sine(), angle.cosine());
        Self(self.0.map(|[x, y, z]| [x * cosine - z * sine, y, x * sine + z * cosine]))
    }

    /// Turned around its own Z axis, from X to Y.
    #[must_use]
    pub fn turned_z(self, angle: Angle2048) -> Self {
        let (sine, cosine) = (angle.sine(), angle.cosine());
        Self(self.0.map(|[x, y, z]| [x * cosine + y * sine, y * cosine - x * sine, z]))
    }

    /// The inverse, as long as nothing is scaled: from the world to the model.
    #[must_use]
    pub const fn transposed(self) -> Self {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.0;
        Self([[a, d, g], [b, e, h], [c, f, i]])
    }

    /// A direction in the world.
    #[must_use]
    pub fn apply(&self, direction: [f32; 3]) -> [f32; 3] {
        self.0.map(|row| dot(row, direction))
    }

    /// The same of integers, each to the nearest one, of two the even one.
    #[must_use]
    pub fn apply_to_integers(&self, direction: [i32; 3]) -> [i32; 3] {
        self.apply(direction.map(float)).map(nearest_even)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(found: [f32; 3], wanted: [f32; 3]) -> bool {
        found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6)
    }

    #[test]
    fn the_table_of_sines_has_a_turn_and_a_quarter() {
        assert_eq!(sines().len(), 2561);
        assert_eq!((sines()[0], sines()[512], sines()[2560]), (0.0, 1.0, 1.0));
        // The constant is a little less than 2 pi, so that a half turn is not quite 0.
        assert!(sines()[1024] > 0.0 && sines()[1024] < 1e-7, "{}", sines()[1024]);
        assert_eq!((Angle2048::ZERO.cosine(), Angle2048::new(-512).sine()), (1.0, -1.0));
        assert!((Angle2048::new(256).sine() - 0.5_f32.sqrt()).abs() < 1e-7);
    }

    #[test]
    fn the_sine_of_ropes_is_an_integer() {
        let found = [0, 1, 512, 1024, 1025, 1536, 2047].map(|it| integer_sine(Angle2048::new(it)));
        // sin(pi / 1024) * 65536 = 201.06
        assert_eq!(found, [0, 201, 65_536, 0, -201, -65_536, -201]);
    }

    #[test]
    fn angles_wrap() {
        assert_eq!([-1, 2048, 2049, i32::MIN].map(|it| Angle2048::new(it).get()), [2047, 0, 1, 0]);
        assert_eq!(Angle2048::new(2000).plus(100).get(), 52);
        let difference = |to, from| Angle2048::new(to).difference(Angle2048::new(from));
        assert_eq!([difference(10, 2040), difference(2040, 10), difference(1024, 0)], [18, -18, -1024]);
    }

    #[test]
    fn bearings_are_those_of_the_sides_of_the_world() {
        let sides = [(0, 9), (9, 9), (9, 0), (9, -9), (0, -9), (-9, -9), (-9, 0), (-9, 9), (0, 0)];
        assert_eq!(sides.map(|(x, z)| bearing(x, z).get()), [0, 256, 512, 768, 1024, 1280, 1536, 1792, 0]);
        // 1 to 2: atan(0.5) * 65536 / pi = 9672.2, and 9672 / 64 = 151.
        assert_eq!([bearing(1, 2).get(), bearing(2, 1).get()], [151, 361]);
        // Both are halved until they fit: 1000 and 3 become 500 and 1, and 512 / 500 = 1: atan(1 / 512) is 40 / 64 = 0.
        assert_eq!(bearing(3, 1000).get(), 0);
        assert_eq!(bearing(i32::MIN, i32::MIN).get(), 1280);
    }

    #[test]
    fn distances_and_normals_are_rounded() {
        assert_eq!(distance([1, 2, 3], [4, 6, 3]), 5);
        assert_eq!(distance([0; 3], [1, 1, 0]), 1);
        assert_eq!(normal([3, 0, 4]), [39_322, 0, 52_429]);
        assert_eq!((normal([0; 3]), normal([0, -7, 0])), ([0; 3], [0, -65_536, 0]));
    }

    #[test]
    fn quantized_roots_have_seven_bits() {
        let found = [1.0, 4.0, 2.0, 0.25, 36.0].map(reciprocal_root);
        // 1 / sqrt 2 = 1.41421 / 2, and 0.41421 * 128 = 53.02; 1 / 6 = 1.3333 / 8, and 0.3333 * 128 = 42.67.
        assert_eq!(found, [1.0, 0.5, (1.0 + 53.0 / 128.0) / 2.0, 2.0, (1.0 + 42.0 / 128.0) / 8.0]);
        assert_eq!([1.0, 4.0, 2.0, 100.0, 0.25].map(root), [1.0, 2.0, 1.0 + 53.0 / 128.0, 10.0, 0.5]);
        // Flat ground: six normals of length 1.
        assert_eq!(quantized_normal([0.0, -6.0, 0.0]), [0.0, -0.996_093_75, 0.0]);
        assert_eq!(quantized_normal([0.0; 3]), [0.0; 3]);
    }

    #[test]
    fn headings_start_at_z_and_fall_to_the_right() {
        let forward = [0.0, 0.0, 1.0];
        assert!(near(Orientation::of_actor([0; 3]).apply(forward), forward));
        // The bearing of +X is 512; the heading is the negated bearing.
        assert!(near(Orientation::of_actor([0, -512, 0]).apply(forward), [1.0, 0.0, 0.0]));
        // A negated turn around X takes Z to Y, which is down.
        assert!(near(Orientation::of_actor([512, 0, 0]).apply(forward), [0.0, 1.0, 0.0]));
        assert!(near(Orientation::of_actor([0, 0, 512]).apply([0.0, 1.0, 0.0]), [1.0, 0.0, 0.0]));
    }

    #[test]
    fn statics_store_28_bits_of_fraction() {
        let one = 1 << 28;
        let matrix = Orientation::of_static(&[0, one, 0, -one, 0, 0, 0, 0, one / 2]);
        assert_eq!(matrix.apply([1.0, 2.0, 4.0]), [2.0, -1.0, 2.0]);
        assert_eq!(matrix.apply_to_integers([1, 2, 5]), [2, -1, 2]);
    }

    proptest! {
        #[test]
        fn a_bearing_is_near_the_exact_one(x in -100_000_i32..100_000, z in -100_000_i32..100_000) {
            prop_assume!(x != 0 || z != 0);
            let exact = f64::from(x).atan2(f64::from(z)) / std::f64::consts::TAU * 2048.0;
            let off = (f64::from(bearing(x, z).get()) - exact).rem_euclid(2048.0);
            prop_assert!(off.min(2048.0 - off) < 3.0, "{off}");
        }

        #[test]
        fn quantized_roots_are_near_the_exact_ones(number in 1e-20_f32..1e20) {
            prop_assert!((root(number) / number.sqrt() - 1.0).abs() < 0.0125);
            prop_assert!((reciprocal_root(number) * number.sqrt() - 1.0).abs() < 0.0125);
        }

        #[test]
        fn an_orientation_keeps_lengths(angles in any::<[i32; 3]>(), direction in any::<[i8; 3]>()) {
            let direction = direction.map(f32::from);
            let matrix = Orientation::of_actor(angles);
            let back = matrix.transposed().apply(matrix.apply(direction));
            prop_assert!(back.iter().zip(direction).all(|(a, b)| (a - b).abs() < 1e-3));
        }
    }
}

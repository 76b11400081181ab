//! Angles, sine tables, integer distances and directions, orientations, and the quantized square roots of lighting.

use std::sync::LazyLock;

use crate::number::{float, nearest_even, single};

/// Angle units per turn.
pub const TURN: i32 = 2048;

/// The bit mask of an angle.
const MASK: i32 = TURN - 1;

/// An angle in units of 1/2048 turn. \[E=\]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Angle2048(u16);

impl Angle2048 {
    /// No rotation.
    pub const ZERO: Self = Self(0);

    /// A quarter turn.
    pub const QUARTER: Self = Self(512);

    /// Creates an angle from the low eleven bits of a number.
    #[must_use]
    pub const fn new(angle: i32) -> Self {
        let [low, high, ..] = (angle & MASK).to_le_bytes();
        Self(u16::from_le_bytes([low, high]))
    }

    /// Returns the number, from 0 to 2047.
    #[must_use]
    pub fn get(self) -> i32 {
        self.0.into()
    }

    /// Adds an angle.
    #[must_use]
    pub fn plus(self, angle: i32) -> Self {
        Self::new(self.get().wrapping_add(angle))
    }

    /// Returns the opposite rotation.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::new(self.get().wrapping_neg())
    }

    /// Returns the shortest rotation from another angle to this one: -1024 to 1023.
    #[must_use]
    pub fn difference(self, from: Self) -> i32 {
        let ahead = self.plus(from.get().wrapping_neg()).get();
        if ahead >= TURN / 2 { ahead.wrapping_sub(TURN) } else { ahead }
    }

    /// Returns the sine from the table. \[E=\]
    #[must_use]
    pub fn sine(self) -> f32 {
        SINES.get(usize::from(self.0)).copied().unwrap_or_default()
    }

    /// Returns the cosine: the entry of the sine table a quarter turn ahead. \[E=\]
    #[must_use]
    pub fn cosine(self) -> f32 {
        SINES.get(usize::from(self.0).saturating_add(512)).copied().unwrap_or_default()
    }
}

/// The number of entries of the sine table: one and a quarter turns, plus one.
const SINE_COUNT: usize = 2561;

/// The decimal constant that the program uses for 2 pi.
const TWO_PI: f64 = 6.283_185_2;

/// `sin(n * 6.2831852 / 2048)`.
static SINES: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let sine = |number: u16| single((f64::from(number) * TWO_PI / f64::from(TURN)).sin());
    (0_u16..).take(SINE_COUNT).map(sine).collect()
});

/// Returns the sine table for movement, orientations, sky, sun and water: 2561 entries, with the cosine of `n` at `n + 512`. \[E=\]
#[must_use]
pub fn sines() -> &'static [f32] {
    &SINES
}

/// Returns the sine times 65536, truncated, as used by ropes and effects. The second half turn is the negated first one. \[E\]
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

/// The number of entries of the arctangent table, without the one for equal sides.
const ARCTANGENTS: u32 = 512;

/// `trunc(atan(i / 512) * 65536 / pi) >> 6`: the angle of a slope of `i` 512ths.
fn slope(number: u32) -> i32 {
    let angle = (f64::from(number) / f64::from(ARCTANGENTS)).atan() * 65_536.0 / std::f64::consts::PI;
    crate::number::truncated(single(angle.trunc())) >> 6
}

/// Returns the bearing of a direction: +Z is 0, +X 512, -Z 1024, -X 1536; 0 if both components are 0. It differs from an exact arctangent.
/// \[E\]
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

/// Returns the length of a direction: the sum of squares in `f64`, its root in `f32`.
fn length(direction: [i32; 3]) -> f32 {
    let squares = direction.map(|number| {
        let number = f64::from(float(number));
        number * number
    });
    single(squares.iter().sum::<f64>().sqrt())
}

/// Returns the distance between two positions in their unit, rounded half to even. \[E\]
#[must_use]
pub fn distance(from: [i32; 3], to: [i32; 3]) -> i32 {
    nearest_even(length(difference(to, from)))
}

/// Normalizes a direction to the length 65536; zero stays zero. \[E\]
#[must_use]
pub fn normal(direction: [i32; 3]) -> [i32; 3] {
    let length = length(direction);
    if length == 0.0 {
        return [0; 3];
    }
    direction.map(|number| nearest_even(float(number) / length * 65_536.0))
}

/// Subtracts the second position from the first.
#[must_use]
pub fn difference([a, b, c]: [i32; 3], [x, y, z]: [i32; 3]) -> [i32; 3] {
    [a.wrapping_sub(x), b.wrapping_sub(y), c.wrapping_sub(z)]
}

/// The number of fraction bits of an `f32`.
const FRACTION: u32 = 23;

/// The exponent bias of an `f32`.
const BIAS: i32 = 127;

/// Returns the unbiased exponent of an `f32` and the upper seven bits of its fraction.
fn parts(number: f32) -> (i32, u32) {
    let bits = number.to_bits();
    let exponent = i32::try_from((bits >> FRACTION) & 0xff).unwrap_or_default().wrapping_sub(BIAS);
    (exponent, (bits >> (FRACTION - 7)) & 0x7f)
}

/// Builds an `f32` from a biased exponent and the upper seven bits of a fraction.
fn from_parts(exponent: i32, fraction: u32) -> f32 {
    let exponent = u32::try_from(exponent.clamp(0, 255)).unwrap_or_default();
    f32::from_bits((exponent << FRACTION) | (fraction << (FRACTION - 7)))
}

/// Returns the value of seven fraction bits and the lowest bit of an exponent: from 1 up to 4.
fn mantissa_of(exponent: i32, fraction: u32) -> f64 {
    let mantissa = 1.0 + f64::from(fraction) / 128.0;
    if exponent & 1 == 0 { mantissa } else { mantissa * 2.0 }
}

/// Returns the quantized reciprocal square root used by lighting: seven bits of input, seven bits of output. \[E=\]
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
    let (_, entry) = parts(single(1.0 / mantissa_of(exponent, fraction).sqrt()));
    let numerator = if entry == 0 { 254_i32 } else { 253 };
    from_parts(numerator.wrapping_sub(exponent) >> 1, entry)
}

/// Returns the quantized square root used for the distance of lights: seven bits of input, seven bits of output. \[E\]
#[must_use]
pub fn root(number: f32) -> f32 {
    let (exponent, fraction) = parts(number);
    let (_, entry) = parts(single(mantissa_of(exponent, fraction).sqrt()));
    from_parts((exponent >> 1).wrapping_add(BIAS), entry)
}

/// Returns the dot product.
pub(crate) fn dot([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z
}

/// Normalizes a direction to unit length as lighting does: not exactly 1, and zero stays zero. \[E=\]
#[must_use]
pub fn quantized_normal(direction: [f32; 3]) -> [f32; 3] {
    let factor = reciprocal_root(dot(direction, direction));
    direction.map(|number| number * factor)
}

/// An orientation: a row-major matrix that transforms directions from model space to world space. \[E=\]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orientation(pub [[f32; 3]; 3]);

impl Default for Orientation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Orientation {
    /// No rotation.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// Returns the orientation of an actor or a placement with this pitch, heading and roll. The angles are negated and applied in the
    /// order heading, pitch, roll. \[E=\]
    #[must_use]
    pub fn of_actor([pitch, heading, roll]: [i32; 3]) -> Self {
        Self::IDENTITY.turned_as_actor([pitch, heading, roll])
    }

    /// Returns the orientation of an actor whose angles are relative to another actor with this orientation. \[E\]
    #[must_use]
    pub fn turned_as_actor(self, [pitch, heading, roll]: [i32; 3]) -> Self {
        let angle = |number: i32| Angle2048::new(number).negated();
        self.turned_y(angle(heading)).turned_x(angle(pitch)).turned_z(angle(roll))
    }

    /// Returns the orientation of a static, which stores 28 fraction bits.
    #[must_use]
    pub fn of_static(matrix: &[i32; 9]) -> Self {
        let [a, b, c, d, e, f, g, h, i] = matrix.map(|number| single(f64::from(number) / 268_435_456.0));
        Self([[a, b, c], [d, e, f], [g, h, i]])
    }

    /// Rotates around the local X axis, from Y to Z.
    #[must_use]
    pub fn turned_x(self, angle: Angle2048) -> Self {
        let (sine, cosine) = (angle.sine(), angle.cosine());
        Self(self.0.map(|[x, y, z]| [x, y * cosine + z * sine, z * cosine - y * sine]))
    }

    /// Rotates around the local Y axis, from Z to X.
    #[must_use]
    pub fn turned_y(self, angle: Angle2048) -> Self {
        let (sine, cosine) = (angle.sine(), angle.cosine());
        Self(self.0.map(|[x, y, z]| [x * cosine - z * sine, y, x * sine + z * cosine]))
    }

    /// Rotates around the local Z axis, from X to Y.
    #[must_use]
    pub fn turned_z(self, angle: Angle2048) -> Self {
        let (sine, cosine) = (angle.sine(), angle.cosine());
        Self(self.0.map(|[x, y, z]| [x * cosine + y * sine, y * cosine - x * sine, z]))
    }

    /// Returns the inverse (from world to model), provided there is no scaling.
    #[must_use]
    pub const fn transposed(self) -> Self {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.0;
        Self([[a, d, g], [b, e, h], [c, f, i]])
    }

    /// Transforms a direction from model space to world space.
    #[must_use]
    pub fn apply(&self, direction: [f32; 3]) -> [f32; 3] {
        self.0.map(|row| dot(row, direction))
    }

    /// Transforms an integer direction; each component is rounded half to even.
    #[must_use]
    pub fn apply_to_integers(&self, direction: [i32; 3]) -> [i32; 3] {
        self.apply(direction.map(float)).map(nearest_even)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(found: [f32; 3], expected: [f32; 3]) -> bool {
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6)
    }

    #[test]
    fn the_sine_table_covers_one_and_a_quarter_turns() {
        assert_eq!(sines().len(), 2561);
        assert_eq!((sines()[0], sines()[512], sines()[2560]), (0.0, 1.0, 1.0));
        // The constant is a little less than 2 pi, so the sine of a half turn is not exactly 0.
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
    fn bearings_match_the_cardinal_directions() {
        let sides = [(0, 9), (9, 9), (9, 0), (9, -9), (0, -9), (-9, -9), (-9, 0), (-9, 9), (0, 0)];
        assert_eq!(sides.map(|(x, z)| bearing(x, z).get()), [0, 256, 512, 768, 1024, 1280, 1536, 1792, 0]);
        // A slope of 1/2: atan(0.5) * 65536 / pi = 9672.2, and 9672 / 64 = 151.
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
    fn headings_start_at_z_and_decrease_to_the_right() {
        let forward = [0.0, 0.0, 1.0];
        assert!(near(Orientation::of_actor([0; 3]).apply(forward), forward));
        // The bearing of +X is 512; the heading is the negated bearing.
        assert!(near(Orientation::of_actor([0, -512, 0]).apply(forward), [1.0, 0.0, 0.0]));
        // A negated rotation around X takes Z to Y, which is down.
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
        fn bearings_approximate_the_arctangent(x in -100_000_i32..100_000, z in -100_000_i32..100_000) {
            prop_assume!(x != 0 || z != 0);
            let exact = f64::from(x).atan2(f64::from(z)) / std::f64::consts::TAU * 2048.0;
            let off = (f64::from(bearing(x, z).get()) - exact).rem_euclid(2048.0);
            prop_assert!(off.min(2048.0 - off) < 3.0, "{off}");
        }

        #[test]
        fn quantized_roots_approximate_the_exact_ones(number in 1e-20_f32..1e20) {
            prop_assert!((root(number) / number.sqrt() - 1.0).abs() < 0.0125);
            prop_assert!((reciprocal_root(number) * number.sqrt() - 1.0).abs() < 0.0125);
        }

        #[test]
        fn a_transposed_orientation_is_the_inverse(angles in any::<[i32; 3]>(), direction in any::<[i8; 3]>()) {
            let direction = direction.map(f32::from);
            let matrix = Orientation::of_actor(angles);
            let back = matrix.transposed().apply(matrix.apply(direction));
            prop_assert!(back.iter().zip(direction).all(|(a, b)| (a - b).abs() < 1e-3));
        }
    }
}

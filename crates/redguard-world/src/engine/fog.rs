//! Fog: its density at a depth, and its effect on colors.

use asset::Context;

use crate::number::single;
use redguard_files::settings::ini;
use redguard_files::settings::ini::fog::{FOG_ENTRIES, fog_pairs, fog_steps};

/// The number of entries of a fog table.
pub const ENTRIES: usize = FOG_ENTRIES;

/// Returns the depth of a table entry: the distance from the camera along its view direction, in world units. \[E=\]
#[must_use]
pub fn depth_of(entry: u8) -> f32 {
    let [quarter, octave] = [entry & 3, entry >> 2].map(f32::from);
    (3.0 + octave).exp2() / (8.0 - quarter)
}

/// Returns the fractional entry at a depth, from 0 to 63. Between two depths of the table, it is linear in the reciprocal of the depth.
/// \[E=\]
///
/// ```
/// use antiquary_redguard_world::engine::fog::entry_at;
///
/// assert_eq!(entry_at(2.0), 4.0);
/// assert_eq!(entry_at(4096.0), 48.0);
/// ```
#[must_use]
pub fn entry_at(depth: f32) -> f32 {
    if depth.is_nan() || depth < 1.0 {
        return 0.0;
    }
    let depth = f64::from(depth);
    let exponent = depth.log2().floor();
    // In `f32` precision, a depth of the table could end up in the previous entry.
    single((4.0 * exponent + 8.0 * (1.0 - exponent.exp2() / depth)).clamp(0.0, 63.0))
}

/// Fog densities by depth entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FogTable([u8; ENTRIES]);

impl FogTable {
    /// Reads the fog table of a world from the game that contains the file: `FOG<world>.INI` in the folder `fxart`, or `FOG.INI` there.
    /// \[E\]
    #[must_use]
    pub fn of_game(context: &Context<'_>, world: u32) -> Option<Self> {
        let paths = [format!("fxart/FOG{world}.INI"), "fxart/FOG.INI".to_owned()];
        let ini = paths.iter().find_map(|path| ini::of_game(context, path))?;
        Some(Self::of_pairs(&fog_pairs(&ini)))
    }

    /// Builds the table from the pairs of a FOG.INI: the low byte of each number. \[E\]
    #[must_use]
    pub fn of_pairs(pairs: &[(i32, i32)]) -> Self {
        Self(fog_steps(pairs).map(|value| {
            let [low, ..] = value.to_le_bytes();
            low
        }))
    }

    /// Returns the fog table of the sky: 0 up to entry 32, then 8 more per entry; the last entry is 255. \[E\]
    #[must_use]
    pub fn of_sky() -> Self {
        let mut numbers = 0_u8..;
        let entry = |number: u8| number.saturating_sub(32).saturating_mul(8);
        let mut table: [u8; ENTRIES] = std::array::from_fn(|_| entry(numbers.next().unwrap_or_default()));
        if let Some(last) = table.last_mut() {
            *last = 255;
        }
        Self(table)
    }

    /// Returns the densities of all entries.
    #[must_use]
    pub const fn entries(&self) -> &[u8; ENTRIES] {
        &self.0
    }

    /// Returns the density at a depth in world units along the camera's view direction: the density of the entry at or before it.
    #[must_use]
    pub fn at(&self, depth: f32) -> u8 {
        let entry = usize::try_from(crate::number::truncated(entry_at(depth))).unwrap_or_default();
        self.0.get(entry).copied().unwrap_or_default()
    }
}

/// Blends a color with fog, channel by channel in screen values: the weight of the fog color is `(density + 1) / 256`. \[E\]
#[must_use]
pub fn fogged(color: [u8; 3], fog: [u8; 3], density: u8) -> [u8; 3] {
    let weight = u32::from(density).wrapping_add(1);
    let mut pairs = color.into_iter().zip(fog).map(|(color, fog)| {
        let color = u32::from(color).wrapping_mul(256_u32.wrapping_sub(weight));
        let sum = u32::from(fog).wrapping_mul(weight).wrapping_add(color);
        u8::try_from(sum >> 8).unwrap_or(u8::MAX)
    });
    std::array::from_fn(|_| pairs.next().unwrap_or_default())
}

/// The dither pattern: rows of four pixels, from the top.
const PATTERN: [[u32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// Returns the color in the screen's format, dithered at a pixel: five bits of red, six of green, five of blue. \[E\]
#[must_use]
pub fn dithered([red, green, blue]: [u8; 3], x: u32, y: u32) -> u16 {
    let at = |number: u32| usize::try_from(number & 3).unwrap_or_default();
    let bias = PATTERN.get(at(y)).and_then(|row| row.get(at(x))).copied().unwrap_or_default();
    // c - c / 16, plus a correction that maps 255 to the maximum.
    let scaled = |channel: u8, factor: u32, shift: u32| {
        let channel = u32::from(channel);
        let sum = channel.wrapping_mul(factor).wrapping_sub(channel >> 4).wrapping_add(channel >> shift);
        u16::try_from(sum.wrapping_add(bias) >> 4).unwrap_or_default()
    };
    (scaled(red, 2, 7) << 11) | (scaled(green, 4, 6) << 5) | scaled(blue, 2, 7)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The pairs of the shipped FOG.INI.
    const SHIPPED: [(i32, i32); 16] = [
        (33, 1),
        (34, 2),
        (35, 4),
        (36, 6),
        (37, 8),
        (38, 10),
        (39, 12),
        (40, 14),
        (41, 16),
        (42, 18),
        (43, 22),
        (44, 38),
        (45, 76),
        (46, 136),
        (47, 196),
        (48, 255),
    ];

    #[test]
    fn four_entries_are_an_octave() {
        assert_eq!([0, 1, 2, 3, 4].map(depth_of), [1.0, 8.0 / 7.0, 8.0 / 6.0, 8.0 / 5.0, 2.0]);
        assert_eq!((depth_of(48), depth_of(63)), (4096.0, 2_f32.powi(18) / 5.0));
        assert_eq!([0.0, 1.0, 2.0, 4096.0, 1e9, f32::NAN].map(entry_at), [0.0, 0.0, 4.0, 48.0, 63.0, 0.0]);
        // Halfway in 1 / depth: between 1 and 7 / 8.
        assert!((entry_at(1.0 / 0.9375) - 0.5).abs() < 1e-5);
    }

    #[test]
    fn pairs_extend_to_the_next_pair_and_the_last_entry_stays_0() {
        let table = FogTable::of_pairs(&SHIPPED);
        assert_eq!(table.entries()[32..36], [0, 1, 2, 4]);
        assert_eq!(table.entries()[48..], [[255; 15].as_slice(), &[0]].concat());
        assert_eq!(FogTable::of_pairs(&[(2, 7), (5, 9), (8, 0)]).entries()[..9], [0, 0, 7, 7, 7, 9, 9, 9, 0]);
        // Pairs that do not fit are skipped.
        assert_eq!(FogTable::of_pairs(&[(-1, 5), (9, 1), (3, 2), (99, 4)]).entries()[8..11], [2, 2, 2]);
    }

    #[test]
    fn a_world_may_have_its_own_fog() {
        let files = [("fxart/FOG.INI", "3, 9\r\n"), ("fxart/fog6.ini", "3, 7\r\n")]
            .map(|(name, text)| (name.to_owned(), record::Source::from(text.as_bytes().to_vec())));
        let layer = files::layer::MemoryLayer::new("game", files).unwrap();
        let install = asset::Install::new(vec![std::sync::Arc::new(layer)]);
        let options = asset::Options::default();
        let context = Context { install: &install, location: None, options: &options };
        let at_3 = |world| FogTable::of_game(&context, world).map(|table| table.entries()[3]);
        assert_eq!([1, 6].map(at_3), [Some(9), Some(7)]);
        let nothing = asset::Install::empty();
        assert_eq!(FogTable::of_game(&Context { install: &nothing, ..context }, 1), None);
    }

    #[test]
    fn density_has_steps() {
        let table = FogTable::of_pairs(&SHIPPED);
        // Entry 40 begins at 8192 / 8 = 1024, entry 41 at 8192 / 7 = 1170.3.
        assert_eq!(
            [1023.0, 1024.0, 1170.0, 1171.0, 4095.0, 4097.0].map(|it| table.at(it)),
            [12, 14, 14, 16, 196, 255]
        );
    }

    #[test]
    fn the_sky_has_its_own_fog() {
        let sky = FogTable::of_sky();
        assert_eq!([0, 32, 33, 62, 63].map(|entry| sky.entries()[entry]), [0, 0, 8, 240, 255]);
    }

    #[test]
    fn the_weight_of_fog_is_its_density_plus_a_256th() {
        assert_eq!(fogged([200, 100, 0], [10, 20, 30], 255), [10, 20, 30]);
        assert_eq!(fogged([200, 100, 0], [10, 20, 30], 127), [105, 60, 15]);
        assert_eq!(fogged([200, 100, 0], [200, 100, 255], 0), [200, 100, 0]);
    }

    #[test]
    fn dithering_covers_the_full_range() {
        assert_eq!((dithered([255; 3], 0, 0), dithered([255; 3], 0, 3)), (0xffff, 0xffff));
        assert_eq!((dithered([0; 3], 0, 3), dithered([0; 3], 0, 0)), (0, 0));
        // Green 3: 12 + bias, which is 16 or more where the bias is 4 or more.
        assert_eq!(
            [(0, 0), (1, 0), (3, 3), (2, 2)].map(|(x, y)| dithered([0, 3, 0], x, y) >> 5),
            [0, 1, 1, 0]
        );
    }

    proptest! {
        #[test]
        fn an_entry_is_recovered_from_its_depth(entry in 0_u8..63) {
            let found = entry_at(depth_of(entry));
            prop_assert!(found >= f32::from(entry) && found < f32::from(entry) + 1e-5, "{found}");
        }

        #[test]
        fn dithering_never_spills_into_another_channel(color in any::<[u8; 3]>(), x in 0_u32..4, y in 0_u32..4) {
            let found = dithered(color, x, y);
            let alone = [[color[0], 0, 0], [0, color[1], 0], [0, 0, color[2]]].map(|it| dithered(it, x, y));
            prop_assert_eq!(found, alone[0] | alone[1] | alone[2]);
        }
    }
}

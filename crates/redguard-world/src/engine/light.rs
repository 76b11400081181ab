//! Lighting of models and terrain: daylight, the lights of a map, and the light that is baked when a world is entered.
//!
//! Each corner of a face has its own color, interpolated linearly on the screen. A model is lit in model space: the direction of the sun
//! and the positions of lights are transformed with the transposed orientation.

use super::rotation::{Orientation, dot, quantized_normal, reciprocal_root, root};
use super::sun;
use crate::number::{channel, float, nearest_even, single};
use redguard_files::settings::ini::world::World;

/// The length of a unit normal as models store it.
const UNIT_NORMAL: f32 = 256.0;

/// Converts a stored normal of a model (256ths) to the form used by lighting, which is not normalized. \[E\]
#[must_use]
pub fn stored_normal(normal: [i32; 3]) -> [f32; 3] {
    normal.map(|part| float(part) / UNIT_NORMAL)
}

/// Returns the number added to the light of a face, from the byte after its number of corners: four times its value, modulo 256. \[E\]
#[must_use]
pub const fn face_brightness(byte: u8) -> u8 {
    byte.wrapping_mul(4)
}

/// Returns the light of sprites and effects: `world_ambientfx`. \[E\]
#[must_use]
pub const fn sprite_light(world: &World) -> i32 {
    world.ambient_fx
}

/// The daylight of a world. Channels range from 0 to 255, in display values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Daylight {
    /// Ambient light: red, green and blue.
    pub ambient: [f32; 3],
    /// Light added by the sun at perpendicular incidence.
    pub sun: [f32; 3],
    /// Unit direction of the sunlight, in the game's axes (X right, Y down, Z forward) or those of a model.
    pub direction: [f32; 3],
}

impl Daylight {
    /// Returns the daylight of a world in WORLD.INI. \[E=\]
    #[must_use]
    pub fn of_world(world: &World) -> Self {
        let numbers = sun::light_direction(world.sun_angle, world.sun_skew).map(float);
        let direction = glam::Vec3::from(numbers).normalize_or(glam::Vec3::Y);
        let channels = |color: [i32; 3]| color.map(|channel| single(channel.into()));
        Self { ambient: channels(world.ambient), sun: channels(world.sun), direction: direction.to_array() }
    }

    /// Transforms the daylight to the space of a model with this orientation.
    #[must_use]
    pub fn in_model(self, orientation: &Orientation) -> Self {
        Self { direction: orientation.transposed().apply(self.direction), ..self }
    }

    /// Returns the fraction of the sunlight on a surface with this normal, in the same space; 0 if it faces away.
    #[must_use]
    pub fn share(&self, normal: [f32; 3]) -> f32 {
        (0.0 - dot(self.direction, normal)).max(0.0)
    }

    /// Returns the light on terrain with this normal, in the game's axes; the lights of the map do not affect it. \[E=\]
    #[must_use]
    pub fn on_terrain(&self, normal: [f32; 3]) -> [u8; 3] {
        self.at(0.0, normal, [0.0; 3]).map(channel)
    }

    /// Returns the light on ground with this normal: Y up, X west and Z north, as returned by
    /// [`Grid::normal`](crate::terrain::Grid::normal).
    #[must_use]
    pub fn on(&self, normal: [f32; 3]) -> [u8; 3] {
        self.on_terrain(crate::axes::direction(normal))
    }

    /// Returns `clamp(ambient + brightness + share * sun + added)`, from 0 to 255.
    fn at(&self, brightness: f32, normal: [f32; 3], added: [f32; 3]) -> [f32; 3] {
        let share = self.share(normal);
        let lit = each(self.ambient, self.sun, |ambient, sun| ambient + brightness + share * sun);
        each(lit, added, |lit, added| (lit + added).clamp(0.0, 255.0))
    }
}

/// A light of a map, an object or a script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalLight {
    /// Position in world units, in world or model space.
    pub position: [f32; 3],
    /// The distance in world units at which the light adds about a 256th of its color to a surface that faces it. The light does not end
    /// there.
    pub radius: i16,
    /// Red, green and blue; negative values darken.
    pub color: [i16; 3],
}

impl LocalLight {
    /// The default intensity of a light created by a script. \[E\]
    pub const DEFAULT_INTENSITY: i16 = 256;

    /// The default radius of a light created by a script, in world units. \[E\]
    pub const DEFAULT_RADIUS: i16 = 100;

    /// The number of unused nominal ticks after which a script's light is freed. \[E\]
    pub const IDLE_TICKS: u8 = 32;

    /// Transforms the light to the space of a model with its origin in world units.
    #[must_use]
    pub fn in_model(self, origin: [f32; 3], orientation: &Orientation) -> Self {
        let away = each(self.position, origin, |light, origin| light - origin);
        Self { position: orientation.transposed().apply(away), ..self }
    }

    /// Whether the light affects a model with this center, in the space of the light, and this bounding radius: `|L - O|^2 - R^2 <= r^2`,
    /// in world units. \[E\]
    #[must_use]
    pub fn reaches(&self, center: [f32; 3], bound: f32) -> bool {
        let away = each(self.position, center, |light, center| light - center).map(f64::from);
        let squares: f64 = away.iter().map(|part| part * part).sum();
        let (bound, radius) = (f64::from(bound), f64::from(self.radius));
        squares - bound * bound <= radius * radius
    }

    /// Returns the weight of the light's color at a vertex with this normal (about unit length), both in the space of the light; 0 if the
    /// surface faces away. There is no cutoff at the radius. \[E\]
    #[must_use]
    pub fn weight(&self, vertex: [f32; 3], normal: [f32; 3]) -> f32 {
        let away = each(vertex, self.position, |vertex, light| vertex - light);
        let square = dot(away, away);
        let distance = root(square);
        let factor = reciprocal_root(square);
        let facing = dot(away.map(|part| part * factor), normal);
        if facing < 0.0 {
            let radius = f32::from(self.radius);
            -facing * (radius * radius + 3.0 * radius) / (256.0 * (square + 3.0 * distance))
        } else {
            0.0
        }
    }
}

/// Returns the light added at a vertex with this normal, summed in the order of the lights.
fn added(lights: &[LocalLight], vertex: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
    lights.iter().fold([0.0; 3], |sum, light| {
        let weight = light.weight(vertex, normal);
        each(sum, light.color.map(f32::from), |sum, color| sum + color * weight)
    })
}

/// A face corner to be lit, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LitCorner {
    /// Position in world units.
    pub vertex: [f32; 3],
    /// Normal of about unit length; see [`stored_normal`].
    pub normal: [f32; 3],
    /// The brightness added by its face; see [`face_brightness`].
    pub brightness: u8,
}

/// The lighting of a model: the daylight and the lights that affect it, all in model space.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelLight {
    daylight: Daylight,
    lights: Vec<LocalLight>,
}

impl ModelLight {
    /// Creates the lighting of a model with an origin (world units) and an orientation, whose vertices are within `bound` of its origin.
    /// Only the lights that affect it are kept, in their order.
    #[must_use]
    pub fn new(
        daylight: &Daylight,
        lights: &[LocalLight],
        origin: [f32; 3],
        orientation: &Orientation,
        bound: f32,
    ) -> Self {
        let near = lights.iter().filter(|light| light.reaches(origin, bound));
        Self {
            daylight: daylight.in_model(orientation),
            lights: near.map(|light| light.in_model(origin, orientation)).collect(),
        }
    }

    /// Returns the lights of the map that affect the model, in model space.
    #[must_use]
    pub fn lights(&self) -> &[LocalLight] {
        &self.lights
    }

    /// Returns the light of a corner before rounding, each channel from 0 to 255. \[E\]
    #[must_use]
    pub fn at(&self, corner: &LitCorner) -> [f32; 3] {
        let added = added(&self.lights, corner.vertex, corner.normal);
        self.daylight.at(corner.brightness.into(), corner.normal, added)
    }

    /// Returns the baked light of a corner, which is computed once when the world is entered: tinted, with each channel rounded half to
    /// even. \[E\]
    #[must_use]
    pub fn baked(&self, corner: &LitCorner, tint: Tint) -> [u8; 3] {
        tint.of(self.at(corner)).map(byte)
    }
}

/// Adds lights of objects and scripts, given in model space, to the baked light of a corner, as happens while the game runs. \[E\]
#[must_use]
pub fn with_object_lights(baked: [u8; 3], corner: &LitCorner, lights: &[LocalLight], tint: Tint) -> [u8; 3] {
    let added = tint.of(added(lights, corner.vertex, corner.normal));
    each(baked.map(f32::from), added, |baked, added| (baked + added).clamp(0.0, 255.0)).map(byte)
}

/// The factor applied to the light of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tint {
    /// No factor: the face has an image.
    Textured,
    /// The color of a face without an image, from the palette of the world, in 256ths. \[E\]
    Solid([u8; 3]),
}

impl Tint {
    /// Applies the tint to a light.
    #[must_use]
    pub fn of(self, light: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Textured => light,
            Self::Solid(color) => each(light, color.map(f32::from), |light, color| light * color / 256.0),
        }
    }
}

/// Lights a pixel of an image, channel by channel: `texture * (light + 1) / 256`. \[E\]
#[must_use]
pub fn lit_pixel(texture: [u8; 3], light: [u8; 3]) -> [u8; 3] {
    each(texture, light, |texture, light| {
        let product = u32::from(texture).wrapping_mul(u32::from(light).wrapping_add(1)) >> 8;
        u8::try_from(product).unwrap_or(u8::MAX)
    })
}

/// Returns the color in the screen's format: five bits of red, six of green, five of blue. \[E\]
#[must_use]
pub fn rgb565([red, green, blue]: [u8; 3]) -> u16 {
    let [red, green, blue] = [red >> 3, green >> 2, blue >> 3].map(u16::from);
    (red << 11) | (green << 5) | blue
}

/// The kind of a map's model, which determines whether its light is baked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelKind {
    /// A static of the map.
    Static,
    /// An actor with a static model.
    StaticActor {
        /// Attribute 122 of the actor.
        attribute_122: i32,
    },
    /// An actor whose model has frames.
    AnimatedActor,
}

/// Whether the daylight and the lights of the map are baked into a model when its world is entered. Nothing is baked if the map has no
/// models or no lights, or the game was started with `npl`. \[E\]
#[must_use]
pub const fn is_baked(body: ModelKind) -> bool {
    match body {
        ModelKind::Static => true,
        ModelKind::StaticActor { attribute_122 } => attribute_122 != 0,
        ModelKind::AnimatedActor => false,
    }
}

/// Whether a light of the world with this index is lit in the displayed world. A map without a world in WORLD.INI (`None`) uses the lights
/// of all worlds. \[E\]
#[must_use]
pub fn shines_in(light_world: u32, shown: Option<u32>) -> bool {
    shown.is_none_or(|shown| shown == light_world)
}

/// Returns the lights of a map that are lit in a world, in baking order: grouped by cells of 512 units in the order in which the cells
/// first occur, with the last light of each cell first. Only active lights of that world are included; see [`shines_in`]. \[E\]
#[must_use]
pub fn of_map(lights: &[crate::map::Light], world: Option<u32>) -> Vec<LocalLight> {
    let mut cells: Vec<(i32, Vec<LocalLight>)> = Vec::new();
    for light in lights.iter().filter(|light| shines_in(light.world, world) && light.is_active == 1) {
        let cell = cell(light.position);
        let local =
            LocalLight { position: light.position.map(float), radius: light.radius, color: light.color };
        match cells.iter_mut().find(|(other, _)| *other == cell) {
            Some((_, list)) => list.push(local),
            None => cells.push((cell, vec![local])),
        }
    }
    cells.into_iter().flat_map(|(_, list)| list.into_iter().rev()).collect()
}

/// Returns the number of the 512-unit cell at a position. \[E\]
#[must_use]
pub const fn cell([x, _, z]: [i32; 3]) -> i32 {
    ((z & 0xfe00) >> 2).wrapping_add((x & 0xffff) >> 9)
}

/// Returns the lighting normal of a terrain vertex from the normals of the six triangles around it, which may have any length. It is a
/// little shorter than 1 on flat ground. \[E=\]
#[must_use]
pub fn terrain_normal(faces: &[[f32; 3]]) -> [f32; 3] {
    let sum =
        faces.iter().fold([0.0; 3], |sum, face| each(sum, quantized_normal(*face), |sum, part| sum + part));
    quantized_normal(sum)
}

/// Rounds to the nearest byte, half to even.
fn byte(number: f32) -> u8 {
    u8::try_from(nearest_even(number).clamp(0, 255)).unwrap_or_default()
}

/// Applies a function to each pair of channels.
fn each<T, U: Copy, V>([a, b, c]: [T; 3], [x, y, z]: [U; 3], with: impl Fn(T, U) -> V) -> [V; 3] {
    [with(a, x), with(b, y), with(c, z)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Daylight from straight above.
    fn noon(ambient: f32, sun: f32) -> Daylight {
        Daylight { ambient: [ambient; 3], sun: [sun; 3], direction: [0.0, 1.0, 0.0] }
    }

    const UP: [f32; 3] = [0.0, -1.0, 0.0];

    fn corner(vertex: [f32; 3], normal: [f32; 3], brightness: u8) -> LitCorner {
        LitCorner { vertex, normal, brightness }
    }

    fn lamp(position: [f32; 3], radius: i16, color: [i16; 3]) -> LocalLight {
        LocalLight { position, radius, color }
    }

    #[test]
    fn a_world_without_settings_uses_the_default_light() {
        let light = Daylight::of_world(&World::new(3));
        assert_eq!((light.ambient, light.sun), ([128.0; 3], [128.0, 128.0, 100.0]));
        assert_eq!(light.direction, [0.0, 1.0, 0.0]);
        assert_eq!(sprite_light(&World::new(3)), 128);
    }

    #[test]
    fn flat_ground_loses_a_256th_of_the_sun() {
        let normal = terrain_normal(&[[0.0, -65_536.0, 0.0]; 6]);
        assert_eq!(normal, [0.0, -0.996_093_75, 0.0]);
        // 64 + 0.99609375 * 128 = 191.5; the exact normal would give 192.
        assert_eq!(noon(64.0, 128.0).on_terrain(normal), [191; 3]);
        assert_eq!(noon(64.0, 128.0).on_terrain(UP), [192; 3]);
    }

    #[test]
    fn a_face_adds_its_brightness_and_the_sum_is_clamped() {
        let light = ModelLight::new(&noon(100.0, 50.0), &[], [0.0; 3], &Orientation::IDENTITY, 1.0);
        assert_eq!(light.at(&corner([0.0; 3], UP, face_brightness(5))), [170.0; 3]);
        assert_eq!(light.at(&corner([0.0; 3], [0.0, 1.0, 0.0], 0)), [100.0; 3]);
        assert_eq!(light.at(&corner([0.0; 3], UP, 200)), [255.0; 3]);
        // The normal counts with its stored length.
        assert_eq!(light.at(&corner([0.0; 3], stored_normal([0, -128, 0]), 0)), [125.0; 3]);
        // 70 * 4 = 280, modulo 256.
        assert_eq!(face_brightness(70), 24);
    }

    #[test]
    fn light_is_rotated_into_the_space_of_the_model() {
        // The model lies on its side: its up direction points to the world's left, away from the light.
        let light =
            ModelLight::new(&noon(10.0, 100.0), &[], [0.0; 3], &Orientation::of_actor([0, 0, -512]), 1.0);
        let shown = |normal| light.at(&corner([0.0; 3], normal, 0)).map(|channel| channel.round());
        assert_eq!(shown(UP), [10.0; 3]);
        let turned = Orientation::of_actor([0, 0, -512]).transposed().apply(UP);
        assert_eq!(shown(turned), [110.0; 3]);
    }

    #[test]
    fn a_light_falls_off_with_distance_without_a_cutoff() {
        let light = lamp([0.0, -16.0, 0.0], 32, [256, 0, -256]);
        // q = 256, d = 16: (1024 + 96) / (256 * (256 + 48)) = 1120 / 77824.
        let weight = light.weight([0.0; 3], UP);
        assert!((weight - 1120.0 / 77_824.0).abs() < 1e-9, "{weight}");
        assert_eq!(light.weight([0.0; 3], [0.0, 1.0, 0.0]), 0.0);
        // At its radius a 256th remains, and beyond it less, but not 0.
        let at_radius = lamp([0.0, -32.0, 0.0], 32, [256; 3]).weight([0.0; 3], UP);
        assert_eq!(at_radius, 1.0 / 256.0);
        assert!(lamp([0.0, -64.0, 0.0], 32, [256; 3]).weight([0.0; 3], UP) > 0.0);
        // A negative light darkens.
        let lit = ModelLight::new(&noon(50.0, 0.0), &[light], [0.0; 3], &Orientation::IDENTITY, 1.0);
        let [red, green, blue] = lit.at(&corner([0.0; 3], UP, 0));
        assert!(red > 53.0 && green == 50.0 && blue < 47.0, "{red} {green} {blue}");
    }

    #[test]
    fn a_light_affects_models_within_its_radius_and_their_bound() {
        let light = lamp([50.0, 0.0, 0.0], 40, [1; 3]);
        // 50^2 - 30^2 = 40^2.
        assert!(light.reaches([0.0; 3], 30.0) && !light.reaches([0.0; 3], 29.9));
        // A negative radius acts like a positive one.
        assert!(lamp([50.0, 0.0, 0.0], -40, [1; 3]).reaches([0.0; 3], 30.0));
        let lit = |bound| ModelLight::new(&noon(0.0, 0.0), &[light], [0.0; 3], &Orientation::IDENTITY, bound);
        assert_eq!((lit(30.0).lights().len(), lit(1.0).lights().len()), (1, 0));
    }

    #[test]
    fn lights_are_moved_into_the_space_of_the_model() {
        let turned = Orientation::of_actor([0, -512, 0]);
        let [x, y, z] = lamp([110.0, 5.0, 20.0], 1, [1; 3]).in_model([100.0, 0.0, 20.0], &turned).position;
        // The model faces +X, so a point there is in front of it.
        assert!(x.abs() < 1e-4 && y == 5.0 && (z - 10.0).abs() < 1e-4, "{x} {y} {z}");
    }

    #[test]
    fn baked_light_is_tinted_and_rounded_to_even() {
        let light = ModelLight::new(&noon(100.5, 0.0), &[], [0.0; 3], &Orientation::IDENTITY, 1.0);
        let lit = corner([0.0; 3], UP, 0);
        assert_eq!(light.baked(&lit, Tint::Textured), [100; 3]);
        // 100.5 * 128 / 256 = 50.25, 100.5 * 0 / 256, 100.5 * 255 / 256 = 100.1.
        assert_eq!(light.baked(&lit, Tint::Solid([128, 0, 255])), [50, 0, 100]);
        let more = lamp([0.0, -16.0, 0.0], 32, [1000, 0, -32_000]);
        // 1120 / 77824 * 1000 = 14.4.
        assert_eq!(with_object_lights([100; 3], &lit, &[more], Tint::Textured), [114, 100, 0]);
    }

    #[test]
    fn statics_and_marked_actors_with_static_models_are_baked() {
        assert!(is_baked(ModelKind::Static) && is_baked(ModelKind::StaticActor { attribute_122: 1 }));
        assert!(
            !is_baked(ModelKind::StaticActor { attribute_122: 0 }) && !is_baked(ModelKind::AnimatedActor)
        );
    }

    #[test]
    fn lights_are_grouped_by_cell_with_the_last_one_first() {
        let light = |x: i32, world: u32, is_active: u8, radius: i16| crate::map::Light {
            id: 0,
            world,
            position: [x, 0, 0],
            radius,
            unknown_16: 0,
            color: [0; 3],
            unknown_1e: 0,
            is_active,
            unknown_20: record::Raw([0; 10]),
        };
        let lights = [
            light(600, 1, 1, 1),
            light(10, 1, 1, 2),
            light(1000, 1, 1, 3),
            light(600, 2, 1, 4),
            light(600, 1, 0, 5),
            light(600, 1, 2, 6),
        ];
        let radii: Vec<i16> = of_map(&lights, Some(1)).iter().map(|light| light.radius).collect();
        assert_eq!(radii, [3, 1, 2]);
        // (1024 & 0xfe00) >> 2 = 256, and 600 >> 9 = 1.
        assert_eq!((cell([600, 7, 1024]), cell([-1, 0, -1])), (257, 0x3f80 + 127));
    }

    #[test]
    fn pixels_are_multiplied_by_light_plus_one() {
        assert_eq!(lit_pixel([255, 128, 7], [255, 127, 0]), [255, 64, 0]);
        assert_eq!(rgb565([255, 255, 255]), 0xffff);
        assert_eq!(rgb565([8, 4, 8]), 1 << 11 | 1 << 5 | 1);
    }

    proptest! {
        #[test]
        fn light_is_always_between_0_and_255(
            numbers in any::<[i16; 9]>(), radius in any::<i16>(), color in any::<[i16; 3]>(), brightness in any::<u8>(),
        ) {
            let [a, b, c, d, e, f, g, h, i] = numbers.map(f32::from);
            let lights = [lamp([a, b, c], radius, color)];
            let daylight = Daylight { ambient: [g, h, i], sun: [i, h, g], direction: [0.6, 0.8, 0.0] };
            let lit = ModelLight::new(&daylight, &lights, [d, e, f], &Orientation::IDENTITY, 1e6);
            let corner = corner([f, d, e], [0.6, -0.8, 0.0], brightness);
            prop_assert!(lit.at(&corner).iter().all(|channel| (0.0..=255.0).contains(channel)));
            // An empty list of lights adds nothing.
            let baked = lit.baked(&corner, Tint::Textured);
            prop_assert_eq!(with_object_lights(baked, &corner, &[], Tint::Textured), baked);
        }
    }
}

//! The light on models and terrain: daylight, the lights of a map, and what is computed once when a world is entered.
//!
//! Each corner of a face has a color of its own, which is linear between the corners on the screen. A model is lit in its own space: the
//! direction of the sun and the positions of lights are taken there with the transposed orientation.

use super::rotation::{Orientation, dot, quantized_normal, reciprocal_root, root};
use super::sun;
use crate::number::{channel, float, nearest_even, single};
use redguard_files::settings::ini::world::World;

/// How many units the stored normals of models have for a length of 1.
const STORED_ONE: f32 = 256.0;

/// A stored normal of a model, in 256ths, as lighting takes it: not normalized. \[E\]
#[must_use]
pub fn stored_normal(normal: [i32; 3]) -> [f32; 3] {
    normal.map(|part| float(part) / STORED_ONE)
}

/// What is added to the light of a face, from the byte after its number of corners: four times its value, modulo 256. \[E\]
#[must_use]
pub const fn face_brightness(byte: u8) -> u8 {
    byte.wrapping_mul(4)
}

/// The light of sprites and effects: `world_ambientfx`, 128 where that is 0. \[E\]
#[must_use]
pub const fn sprite_light(world: &World) -> i32 {
    if world.ambient_fx == 0 { 128 } else { world.ambient_fx }
}

/// The daylight of a world. Channels are from 0 to 255, as they are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Daylight {
    /// Red, green and blue that are everywhere.
    pub ambient: [f32; 3],
    /// What the sun adds where it shines straight.
    pub sun: [f32; 3],
    /// Where its light goes, with unit length, with the game's axes: X right, Y down, Z forward; or those of a model.
    pub direction: [f32; 3],
}

impl Daylight {
    /// What WORLD.INI says of a world. \[E=\]
    #[must_use]
    pub fn of_world(world: &World) -> Self {
        let numbers = sun::light_direction(world.sun_angle, world.sun_skew).map(float);
        let direction = glam::Vec3::from(numbers).normalize_or(glam::Vec3::Y);
        let channels = |color: [i32; 3]| color.map(|channel| single(channel.into()));
        Self { ambient: channels(world.ambient), sun: channels(world.sun), direction: direction.to_array() }
    }

    /// The same daylight in the space of a model with this orientation.
    #[must_use]
    pub fn in_model(self, orientation: &Orientation) -> Self {
        Self { direction: orientation.transposed().apply(self.direction), ..self }
    }

    /// The share of the sun that a surface with this normal has, in the same space; 0 when it faces away.
    #[must_use]
    pub fn share(&self, normal: [f32; 3]) -> f32 {
        (0.0 - dot(self.direction, normal)).max(0.0)
    }

    /// The light on terrain with this normal, with the game's axes; no lights of the map reach it. \[E=\]
    #[must_use]
    pub fn on_terrain(&self, normal: [f32; 3]) -> [u8; 3] {
        self.at(0.0, normal, [0.0; 3]).map(channel)
    }

    /// The light on ground with this normal: Y up, X to the west and Z to the north, as [`Grid::normal`](crate::terrain::Grid::normal)
    /// gives it.
    #[must_use]
    pub fn on(&self, normal: [f32; 3]) -> [u8; 3] {
        self.on_terrain(crate::axes::direction(normal))
    }

    /// `clamp(ambient + brightness + share * sun + added)`, from 0 to 255.
    fn at(&self, brightness: f32, normal: [f32; 3], added: [f32; 3]) -> [f32; 3] {
        let share = self.share(normal);
        let lit = each(self.ambient, self.sun, |ambient, sun| ambient + brightness + share * sun);
        each(lit, added, |lit, added| (lit + added).clamp(0.0, 255.0))
    }
}

/// A light of a map, of an object or of a script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalLight {
    /// Where it is, in world units: in the world or in the space of a model.
    pub position: [f32; 3],
    /// Where it adds about a 256th of its color to a surface that faces it, in world units. The light does not end there.
    pub radius: i16,
    /// Red, green and blue; negative ones darken.
    pub color: [i16; 3],
}

impl LocalLight {
    /// The intensity of a light that a script makes and says nothing of. \[E\]
    pub const DEFAULT_INTENSITY: i16 = 256;

    /// The radius of a light that a script makes and says nothing of, in world units. \[E\]
    pub const DEFAULT_RADIUS: i16 = 100;

    /// After so many nominal ticks without use a light of a script is freed. \[E\]
    pub const IDLE_TICKS: u8 = 32;

    /// The light in the space of a model that stands at an origin, in world units.
    #[must_use]
    pub fn in_model(self, origin: [f32; 3], orientation: &Orientation) -> Self {
        let away = each(self.position, origin, |light, origin| light - origin);
        Self { position: orientation.transposed().apply(away), ..self }
    }

    /// Whether the light takes part in a model with this middle, in the space of the light, and this bounding radius:
    /// `|L - O|^2 - R^2 <= r^2`, in world units. \[E\]
    #[must_use]
    pub fn reaches(&self, middle: [f32; 3], bound: f32) -> bool {
        let away = each(self.position, middle, |light, middle| light - middle).map(f64::from);
        let squares: f64 = away.iter().map(|part| part * part).sum();
        let (bound, radius) = (f64::from(bound), f64::from(self.radius));
        squares - bound * bound <= radius * radius
    }

    /// By how much its color counts at a vertex with this normal (about unit length), both in the space of the light; 0 when the surface
    /// faces away. There is no end at the radius. \[E\]
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

/// What lights add at a vertex with this normal, in the order of the lights.
fn added(lights: &[LocalLight], vertex: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
    lights.iter().fold([0.0; 3], |sum, light| {
        let weight = light.weight(vertex, normal);
        each(sum, light.color.map(f32::from), |sum, color| sum + color * weight)
    })
}

/// A corner of a face, as it is lit, in the space of its model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LitCorner {
    /// Its position in world units.
    pub vertex: [f32; 3],
    /// Its normal, about a unit long: see [`stored_normal`].
    pub normal: [f32; 3],
    /// What its face adds: see [`face_brightness`].
    pub brightness: u8,
}

/// What lights a model: the daylight and the lights that take part, all in its own space.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelLight {
    daylight: Daylight,
    lights: Vec<LocalLight>,
}

impl ModelLight {
    /// The light of a model that stands at an origin (world units) with an orientation, and whose vertices are within the bound of its
    /// origin. Only the lights that take part are kept, in their order.
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

    /// The lights of the map that take part, in the space of the model.
    #[must_use]
    pub fn lights(&self) -> &[LocalLight] {
        &self.lights
    }

    /// The light of a corner, each channel from 0 to 255, before it is rounded. \[E\]
    #[must_use]
    pub fn at(&self, corner: &LitCorner) -> [f32; 3] {
        let added = added(&self.lights, corner.vertex, corner.normal);
        self.daylight.at(corner.brightness.into(), corner.normal, added)
    }

    /// The light of a corner that is computed once, when the world is entered: tinted, and each channel to the nearest integer, of two the
    /// even one. \[E\]
    #[must_use]
    pub fn baked(&self, corner: &LitCorner, tint: Tint) -> [u8; 3] {
        tint.of(self.at(corner)).map(byte)
    }
}

/// The light of a corner that was baked, with the lights that are added while the game runs: those of objects and scripts, in the space of
/// the model. \[E\]
#[must_use]
pub fn with_object_lights(baked: [u8; 3], corner: &LitCorner, lights: &[LocalLight], tint: Tint) -> [u8; 3] {
    let added = tint.of(added(lights, corner.vertex, corner.normal));
    each(baked.map(f32::from), added, |baked, added| (baked + added).clamp(0.0, 255.0)).map(byte)
}

/// What the light of a face is multiplied with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tint {
    /// Nothing: the face has an image.
    Textured,
    /// The color of a face without an image, from the palette of the world: 256ths. \[E\]
    Solid([u8; 3]),
}

impl Tint {
    /// A tinted light.
    #[must_use]
    pub fn of(self, light: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Textured => light,
            Self::Solid(color) => each(light, color.map(f32::from), |light, color| light * color / 256.0),
        }
    }
}

/// A pixel of an image under a light, channel by channel: `texture * (light + 1) / 256`. \[E\]
#[must_use]
pub fn lit_pixel(texture: [u8; 3], light: [u8; 3]) -> [u8; 3] {
    each(texture, light, |texture, light| {
        let product = u32::from(texture).wrapping_mul(u32::from(light).wrapping_add(1)) >> 8;
        u8::try_from(product).unwrap_or(u8::MAX)
    })
}

/// A color as the screen holds it: five bits of red, six of green, five of blue. \[E\]
#[must_use]
pub fn rgb565([red, green, blue]: [u8; 3]) -> u16 {
    let [red, green, blue] = [red >> 3, green >> 2, blue >> 3].map(u16::from);
    (red << 11) | (green << 5) | blue
}

/// A model of a map, by what its light depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// A static of the map.
    Static,
    /// An actor with a static model, and its attribute 122.
    StillActor {
        /// The attribute.
        attribute_122: i32,
    },
    /// An actor whose model has frames.
    AnimatedActor,
}

/// Whether the daylight and the lights of the map are baked into a model when its world is entered. Nothing is where the map has no models
/// or no lights, or the game was started with `npl`. \[E\]
#[must_use]
pub const fn is_baked(body: Body) -> bool {
    match body {
        Body::Static => true,
        Body::StillActor { attribute_122 } => attribute_122 != 0,
        Body::AnimatedActor => false,
    }
}

/// Whether a light of the world with this index shines in the world shown. A map that WORLD.INI gives no world (`None`) shows the lights of
/// all worlds. \[E\]
#[must_use]
pub fn shines_in(light_world: u32, shown: Option<u32>) -> bool {
    shown.is_none_or(|shown| shown == light_world)
}

/// The lights of a map that shine in a world, in the order in which they are baked: those of one cell of 512 units after the other, in the
/// order in which the cells come first, and in a cell the last one first. Only active lights of that world shine; see [`shines_in`]. \[E\]
#[must_use]
pub fn of_map(lights: &[crate::map::Light], world: Option<u32>) -> Vec<LocalLight> {
    let mut cells: Vec<(i32, Vec<LocalLight>)> = Vec::new();
    for light in lights.iter().filter(|light| shines_in(light.world, world) && light.is_active == 1) {
        let cell = cell(light.position);
        let local =
            LocalLight { position: light.position.map(float), radius: light.radius, color: light.color };
        match cells.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, list)) => list.push(local),
            None => cells.push((cell, vec![local])),
        }
    }
    cells.into_iter().flat_map(|(_, list)| list.into_iter().rev()).collect()
}

/// The number of the cell of 512 units at a position. \[E\]
#[must_use]
pub const fn cell([x, _, z]: [i32; 3]) -> i32 {
    ((z & 0xfe00) >> 2).wrapping_add((x & 0xffff) >> 9)
}

/// The normal of a corner of terrain from those of the six triangles around it, which need no unit length: the normal that lights it, which
/// is a little shorter than 1 on flat ground. \[E=\]
#[must_use]
pub fn terrain_normal(faces: &[[f32; 3]]) -> [f32; 3] {
    let sum =
        faces.iter().fold([0.0; 3], |sum, face| each(sum, quantized_normal(*face), |sum, part| sum + part));
    quantized_normal(sum)
}

/// The nearest byte, of two the even one.
fn byte(number: f32) -> u8 {
    u8::try_from(nearest_even(number).clamp(0, 255)).unwrap_or_default()
}

/// A function of each pair of channels.
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
    fn a_world_without_settings_has_the_light_of_the_game() {
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
    fn a_turned_model_has_the_light_turned_back() {
        // The model lies on its side: what it calls up points to the world's left, away from the light.
        let light =
            ModelLight::new(&noon(10.0, 100.0), &[], [0.0; 3], &Orientation::of_actor([0, 0, -512]), 1.0);
        let shown = |normal| light.at(&corner([0.0; 3], normal, 0)).map(|channel| channel.round());
        assert_eq!(shown(UP), [10.0; 3]);
        let turned = Orientation::of_actor([0, 0, -512]).transposed().apply(UP);
        assert_eq!(shown(turned), [110.0; 3]);
    }

    #[test]
    fn a_light_weakens_with_its_distance_and_has_no_end() {
        let light = lamp([0.0, -16.0, 0.0], 32, [256, 0, -256]);
        // q = 256, d = 16: (1024 + 96) / (256 * (256 + 48)) = 1120 / 77824.
        let weight = light.weight([0.0; 3], UP);
        assert!((weight - 1120.0 / 77_824.0).abs() < 1e-9, "{weight}");
        assert_eq!(light.weight([0.0; 3], [0.0, 1.0, 0.0]), 0.0);
        // At its radius a 256th is left, and beyond it still something.
        let at_radius = lamp([0.0, -32.0, 0.0], 32, [256; 3]).weight([0.0; 3], UP);
        assert_eq!(at_radius, 1.0 / 256.0);
        assert!(lamp([0.0, -64.0, 0.0], 32, [256; 3]).weight([0.0; 3], UP) > 0.0);
        // A negative light darkens.
        let lit = ModelLight::new(&noon(50.0, 0.0), &[light], [0.0; 3], &Orientation::IDENTITY, 1.0);
        let [red, green, blue] = lit.at(&corner([0.0; 3], UP, 0));
        assert!(red > 53.0 && green == 50.0 && blue < 47.0, "{red} {green} {blue}");
    }

    #[test]
    fn lights_take_part_where_their_radius_and_the_bound_say_so() {
        let light = lamp([50.0, 0.0, 0.0], 40, [1; 3]);
        // 50^2 - 30^2 = 40^2.
        assert!(light.reaches([0.0; 3], 30.0) && !light.reaches([0.0; 3], 29.9));
        // A negative radius counts like a positive one.
        assert!(lamp([50.0, 0.0, 0.0], -40, [1; 3]).reaches([0.0; 3], 30.0));
        let lit = |bound| ModelLight::new(&noon(0.0, 0.0), &[light], [0.0; 3], &Orientation::IDENTITY, bound);
        assert_eq!((lit(30.0).lights().len(), lit(1.0).lights().len()), (1, 0));
    }

    #[test]
    fn lights_are_moved_into_the_space_of_the_model() {
        let turned = Orientation::of_actor([0, -512, 0]);
        let [x, y, z] = lamp([110.0, 5.0, 20.0], 1, [1; 3]).in_model([100.0, 0.0, 20.0], &turned).position;
        // The model walks to +X: what is there lies in front of it.
        assert!(x.abs() < 1e-4 && y == 5.0 && (z - 10.0).abs() < 1e-4, "{x} {y} {z}");
    }

    #[test]
    fn what_is_baked_is_tinted_and_rounded_to_even() {
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
    fn statics_and_marked_still_actors_are_baked() {
        assert!(is_baked(Body::Static) && is_baked(Body::StillActor { attribute_122: 1 }));
        assert!(!is_baked(Body::StillActor { attribute_122: 0 }) && !is_baked(Body::AnimatedActor));
    }

    #[test]
    fn lights_come_cell_by_cell_and_the_last_one_first() {
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
    fn pixels_are_multiplied_with_light_and_one() {
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
            // No light adds nothing.
            let baked = lit.baked(&corner, Tint::Textured);
            prop_assert_eq!(with_object_lights(baked, &corner, &[], Tint::Textured), baked);
        }
    }
}

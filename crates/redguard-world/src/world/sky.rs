//! The sky as a plane, and the sun as a billboard and a light. Fog, which glTF cannot express, is stored in the extras of the root.

use asset::{Context, Location};
use glam::{Quat, Vec3};
use json::{Value, json};
use record::Result;
use scene::image::{Image, Rgba8, png_for_gltf};
use scene::{
    AlphaMode, Filter, LightKind, Material, MaterialId, Mesh, MinFilter, Node, NodeId, Primitive, Sampler,
    Shading, Sidedness, Texture, TextureRef, Wrap,
};

use super::billboard::{FULL_IMAGE, rectangle};
use super::builder::{SceneBuilder, packed};
use crate::axes::UNITS_PER_METER;
use crate::engine::fog::FogTable;
use crate::engine::sky::{EXTENT, Scroll, Sky};
use crate::engine::sun::{SunImage, light_direction};
use crate::map::warning;
use crate::number::{float, single};
use redguard_files::picture::Renderer;
use redguard_files::picture::bsi::Bsi;
use redguard_files::settings::ini::world::{World, stem_of};

/// The center of the map in world units: the assumed position of the camera of a scene.
const CENTER: f32 = 32_768.0;

/// Returns the sky settings for the extras of the root.
pub(super) fn extras(world: &World) -> Option<Value> {
    let sky = Sky::of_world(world)?;
    let keys = &world.sky;
    Some(json!({
        "image": keys.image, "level": sky.level, "scale": sky.scale, "speed": sky.speed, "sun_image": keys.sun_image,
        "sun_color": keys.sun_color, "sun_scale": keys.sun_scale,
    }))
}

/// Returns the fog settings for the extras of the root: its color, and its density by depth entry.
pub(super) fn fog_extras(world: &World, context: &Context<'_>) -> Value {
    let table = FogTable::of_game(context, world.id);
    json!({ "color": world.fog, "density": table.map(|table| table.entries().to_vec()) })
}

impl SceneBuilder<'_> {
    /// Adds the sky and the sun of the world, if it has them.
    pub(super) fn sky(&mut self) -> Result<()> {
        let Some(world) = self.setting.world.clone() else { return Ok(()) };
        let Some(sky) = Sky::of_world(&world) else { return Ok(()) };
        let layer = self.scene.add_child(self.root, Node::named("sky"));
        if let Some((bsi, location)) = self.sky_file(world.sky.image.as_deref()) {
            self.sky_plane(layer, &sky, &bsi, &location);
        }
        let sun = self.sky_file(world.sky.sun_image.as_deref());
        self.sun(layer, &world, sun);
        Ok(())
    }

    /// Returns the file of a sky image; a missing file is reported.
    fn sky_file(&mut self, name: Option<&str>) -> Option<(Bsi, Location)> {
        let name = name?;
        let file = format!("{}.BSI", stem_of(name));
        let install = self.context.install;
        let found = Renderer::Glide.find(self.context, &file);
        let read = found.and_then(|found| {
            let bytes = install.open(&found.location).ok()?.read_all().ok()?.into_owned();
            Some((Bsi::read(&bytes).ok()?, found.location))
        });
        if read.is_none() {
            self.report.warn(&warning::NO_SKY, format!("the image {file} was not found or cannot be read"));
        }
        read
    }

    fn sky_plane(&mut self, layer: NodeId, sky: &Sky, bsi: &Bsi, location: &Location) {
        let around = Context { location: Some(location.clone()), ..self.context.clone() };
        let Some(picture) = bsi.as_sky(&around) else { return };
        let (width, height) = (float_side(picture.width()), float_side(picture.height()));
        let material = self.sky_material("sky", &picture, Wrap::Repeat, AlphaMode::Opaque);
        let camera = [CENTER, 0.0, CENTER];
        let corners = [[-EXTENT, -EXTENT], [EXTENT, -EXTENT], [EXTENT, EXTENT], [-EXTENT, EXTENT]];
        let axes = self.options.axes;
        let position = |[x, z]: [f32; 2]| axes.position([x, 0.0, z]).map(|it| it * self.options.scale + 0.0);
        let uv = |[x, z]: [f32; 2]| {
            let [u, v] = sky.uv(camera, x, z, Scroll::default());
            [u / width, v / height]
        };
        let primitive = Primitive {
            positions: corners.map(position).to_vec(),
            // The plane is visible from below.
            normals: Some(vec![axes.direction([0.0, 1.0, 0.0]); 4]),
            uvs: vec![corners.map(uv).to_vec()],
            indices: vec![0, 2, 1, 0, 3, 2],
            material: Some(material),
            ..Primitive::default()
        };
        let mesh =
            self.scene.add_mesh(Mesh { name: "sky".into(), primitives: vec![primitive], ..Mesh::default() });
        let mut node = Node { mesh: Some(mesh), ..Node::named("SKY") };
        node.translation = self.exact_position([CENTER.into(), sky.level.into(), CENTER.into()]);
        node.packed_extras = packed(&json!({
            "layer": "sky", "index": 0, "level": sky.level, "scale": sky.scale, "speed": sky.speed,
        }));
        self.scene.add_child(layer, node);
    }

    /// Adds the sun: its image, positioned relative to the center of the map, and its light.
    fn sun(&mut self, layer: NodeId, world: &World, image: Option<(Bsi, Location)>) {
        let axes = self.options.axes;
        let direction =
            Vec3::from(axes.direction(light_direction(world.sun_angle, world.sun_skew).map(float)));
        let rotation = Quat::from_rotation_arc(Vec3::NEG_Z, direction.normalize_or(Vec3::NEG_Y));
        let strongest = world.sun.iter().copied().max().unwrap_or_default();
        if strongest > 0 {
            let name = "SUN light".to_owned();
            let light = self.scene.add_light(scene::Light {
                name: name.clone(),
                kind: LightKind::Directional,
                color: world.sun.map(|channel| (float(channel) / float(strongest)).clamp(0.0, 1.0)),
                // A white surface that faces the sun reflects `intensity / pi`.
                intensity: std::f32::consts::PI * float(strongest) / 255.0,
                ..scene::Light::default()
            });
            let mut node = Node { light: Some(light), rotation, ..Node::named(name) };
            node.packed_extras = packed(&json!({ "layer": "sky", "index": 1, "rgb": world.sun }));
            self.scene.add_child(layer, node);
        }
        let Some((bsi, _)) = image else { return };
        let Some(picture) = bsi.as_sun(world.sky.sun_rgb()) else { return };
        let sides = [picture.width(), picture.height()].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        let Some(sun) = SunImage::of_world(world, sides, bsi.texture_scale()) else { return };
        let material = self.sky_material("sun", &picture, Wrap::Clamp, AlphaMode::Blend);
        let half = sun.half_size.map(|side| side / UNITS_PER_METER * self.options.scale);
        let primitive = Primitive { material: Some(material), ..rectangle(half, FULL_IMAGE) };
        let mesh =
            self.scene.add_mesh(Mesh { name: "sun".into(), primitives: vec![primitive], ..Mesh::default() });
        let mut node = Node { mesh: Some(mesh), rotation, ..Node::named("SUN") };
        let [x, y, z] = sun.offset.map(f64::from);
        node.translation = self.exact_position([x + f64::from(CENTER), y, z + f64::from(CENTER)]);
        node.packed_extras = packed(&json!({
            "layer": "sky", "index": 2, "billboard": true, "offset": sun.offset, "color": sun.color,
        }));
        self.scene.add_child(layer, node);
    }

    fn sky_material(&mut self, name: &str, picture: &Rgba8, wrap: Wrap, alpha: AlphaMode) -> MaterialId {
        let image = self.scene.add_image(Image { name: name.to_owned(), encoded: png_for_gltf(picture) });
        let sampler =
            Sampler { mag: Filter::Linear, min: MinFilter::LinearMipmapLinear, wrap_u: wrap, wrap_v: wrap };
        let texture = self.scene.add_texture(Texture { name: name.to_owned(), image, sampler });
        self.scene.add_material(Material {
            name: name.to_owned(),
            base_color_texture: Some(TextureRef::new(texture)),
            shading: Shading::Unlit,
            sidedness: Sidedness::Double,
            alpha,
            ..Material::default()
        })
    }
}

/// Returns a side of an image in texels, at least 1.
fn float_side(texels: u32) -> f32 {
    single(f64::from(texels.max(1)))
}

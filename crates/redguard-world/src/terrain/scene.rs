//! A terrain as a scene: one grid of triangles in chunks, with the images of bank 302.
//!
//! Positions are whole numbers of 8 world units, so that they are written with 16 bits; the scale of the node makes meters of
//! them.

use std::collections::BTreeMap;

use asset::preset::PRESET;
use asset::{Choice, Context, Flag, Number, Report, Target};
use glam::Vec3;
use record::{Error, Result};
use scene::image::{Image, Rgba8, png_for_gltf};
use scene::{
    Body, Filter, Layer, Material, MaterialId, Mesh, MinFilter, Node, NodeId, Primitive, Sampler, Scene,
    Shading, Texture, TextureRef, VertexFormat, Wrap,
};

use super::BANK;
use super::grid::{Grid, SquareCorner, WATER};
use super::surroundings::Place;
use crate::axes::{AXES, Axes, UNITS_PER_METER};
use crate::engine::light::Daylight;
use crate::lighting::{LIGHT, Light};
use crate::model::scene::{DrawStyle, Materials, Sampling, textured_color};
use crate::model::{FaceTexture, Version};
use crate::number::single;
use redguard_files::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE};
use redguard_files::settings::ini::world::World;

/// `--quads`.
pub(crate) const QUADS: Choice<Quads> = Choice::new(
    "quads",
    "How the squares of a terrain are split into triangles.",
    &[
        ("glide", "from north-west to south-east, as the Glide program always does"),
        (
            "software",
            "where a square is bent, from north-east to south-west, as its bit for the software program says",
        ),
    ],
    &[Quads::Glide, Quads::Software],
);

/// `--atlas`.
pub(crate) const ATLAS: Flag = Flag::new(
    "atlas",
    "One picture and two materials (land and water) for a whole terrain, for fewer draw calls.",
);

/// `--ticks T`.
pub(crate) const TICKS: Number = Number::new(
    "ticks",
    "The moment at which the water of a terrain is shown, in ticks of 1/18.2 s; without it the water rests.",
    REST,
    REST,
    1e12,
);

/// No moment: the water rests.
const REST: f64 = -1.0;

asset::format_options! {
    /// How the scene of a terrain is made.
    pub struct SceneOptions {
        /// What lights the scene.
        light: Light = LIGHT;
        /// How the squares are split into triangles.
        quads: Quads = QUADS;
        /// Whether there is one picture and two materials.
        atlas: bool = ATLAS;
        /// The time in ticks of the engine at which water is shown.
        ticks: f64 = TICKS;
        /// A palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// Which palette takes precedence.
        palette_source: redguard_files::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether the palette is used as the Glide renderer does: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// How the axes of the game are rotated.
        axes: Axes = AXES;
        /// The program that the scene is made for; it chooses other options where nothing is chosen here.
        preset: Option<::scene::Engine> = PRESET;
    }
}

/// Squares along a side of a chunk: their vertices can be numbered with 16 bits whatever images they have.
const CHUNK: usize = 64;

/// Larger terrains do not become scenes: four times those of the game.
const MOST_CORNERS: usize = 1 << 18;

/// World units that positions count.
const STEP: f32 = 8.0;

/// The name of the node.
const NAME: &str = "TERRAIN";

/// How squares are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quads {
    /// Always the same diagonal.
    Glide,
    /// The other diagonal where they are bent.
    Software,
}

/// How a terrain becomes a scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TerrainOptions {
    quads: Quads,
    atlas: bool,
    ticks: Option<u64>,
    axes: Axes,
    scale: f32,
    lighting: Light,
}

impl TerrainOptions {
    pub(crate) fn from_options(context: &Context<'_>, target: &Target<'_>) -> Self {
        let ticks = context.options.number(&TICKS);
        Self {
            quads: context.options.choice(&QUADS),
            atlas: context.options.flag(&ATLAS),
            ticks: (ticks >= 0.0).then(|| whole(ticks)),
            axes: context.options.choice(&AXES),
            scale: target.factor(),
            lighting: context.options.choice(&LIGHT),
        }
    }

    /// Whether the lights of a viewer reach the ground.
    const fn shading(self) -> Shading {
        match self.lighting {
            Light::Plain => Shading::Lit,
            Light::Baked => Shading::Unlit,
        }
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and bounded by the option"
)]
const fn whole(number: f64) -> u64 {
    number as u64
}

/// The scene of a terrain.
pub(super) fn scene(
    grid: &Grid,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    check_size(grid)?;
    let mut scene = Scene::new(target.name);
    let root = scene.add_root(Node::named(target.name));
    let options = TerrainOptions::from_options(context, target);
    let mut materials = Materials::new(context, Version::V4_0)?;
    add(&mut scene, root, grid, &Place::of(context), options, &mut materials);
    materials.report_problems(report);
    Ok(scene)
}

/// Refuses a terrain that is too large for a scene.
pub(crate) fn check_size(grid: &Grid) -> Result<()> {
    let (columns, rows) = (grid.columns(), grid.rows());
    if columns.saturating_mul(rows) > MOST_CORNERS {
        return Err(Error::limit(format!(
            "a terrain of {columns} x {rows} corners is too large for a scene (at most {MOST_CORNERS} corners)"
        )));
    }
    Ok(())
}

/// Adds a terrain below a node.
pub(crate) fn add(
    scene: &mut Scene,
    parent: NodeId,
    grid: &Grid,
    place: &Place,
    options: TerrainOptions,
    materials: &mut Materials<'_>,
) -> NodeId {
    let looks = Looks::new(scene, grid, options, materials);
    let mut node = Node::named(NAME);
    node.extras.insert("layer".into(), "terrain".into());
    node.extras.insert("index".into(), 0.into());
    let shift = f32::from(i16::try_from(place.shift).unwrap_or_default());
    node.translation = Vec3::from(options.axes.position([0.0, shift, 0.0])) * options.scale;
    node.scale = Vec3::splat(STEP / UNITS_PER_METER * options.scale);
    node.layer = Some(Layer::Whole);
    let top = scene.add_child(parent, node);
    let ground = Relief::new(grid, place, options);
    for row in (0..grid.rows().saturating_sub(1)).step_by(CHUNK) {
        for column in (0..grid.columns().saturating_sub(1)).step_by(CHUNK) {
            let primitives = ground.chunk(column, row, &looks);
            let name = format!("{NAME} {column} {row}");
            // The terrain and its map show the same, unless there is light in it.
            let is_lit = primitives.iter().any(|primitive| primitive.colors.is_some());
            let source = (!is_lit).then(|| name.clone());
            let mesh = scene.add_mesh(Mesh { name: name.clone(), source, primitives, ..Mesh::default() });
            let body = Some(Body::Solid);
            scene.add_child(top, Node { mesh: Some(mesh), body, ..Node::named(name) });
        }
    }
    top
}

/// The heights of a terrain, with its water where it is at a moment.
struct Relief<'a> {
    grid: &'a Grid,
    options: TerrainOptions,
    /// The height of each corner in world units, row by row.
    heights: Vec<f32>,
    /// What lights it, if its light is baked.
    daylight: Option<Daylight>,
}

impl<'a> Relief<'a> {
    fn new(grid: &'a Grid, place: &Place, options: TerrainOptions) -> Self {
        let corners = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)));
        let height = |(column, row): (usize, usize)| {
            let rest = f32::from(i16::try_from(grid.height(column, row)).unwrap_or(i16::MAX));
            match options.ticks.filter(|_| grid.moves(column, row)) {
                Some(ticks) => {
                    let columns = from_middle(column, grid.columns());
                    rest + single(place.wave.rise(columns, from_middle(row, grid.rows()), ticks))
                }
                None => rest,
            }
        };
        let heights = corners.map(height).collect();
        let daylight = match options.lighting {
            Light::Plain => None,
            Light::Baked => Some(place.daylight.unwrap_or_else(|| Daylight::of_world(&World::new(0)))),
        };
        Self { grid, options, heights, daylight }
    }

    /// The height of a corner in world units.
    fn height(&self, column: usize, row: usize) -> f32 {
        let place = row.checked_mul(self.grid.columns()).and_then(|start| start.checked_add(column));
        place.and_then(|place| self.heights.get(place)).copied().unwrap_or_default()
    }

    /// The part of the grid from a corner on: a primitive for each look.
    fn chunk(&self, column: usize, row: usize, looks: &Looks) -> Vec<Primitive> {
        let mut parts: BTreeMap<MaterialId, Part> = BTreeMap::new();
        let end = |start: usize, count: usize| start.saturating_add(CHUNK).min(count.saturating_sub(1));
        for row in row..end(row, self.grid.rows()) {
            for column in column..end(column, self.grid.columns()) {
                let look = looks.of_image(self.grid.image(column, row));
                self.square(column, row, look, parts.entry(look.material).or_default());
            }
        }
        let parts = parts
            .into_iter()
            .map(|(material, part)| Primitive { material: Some(material), ..part.primitive() });
        parts.collect()
    }

    fn square(&self, column: usize, row: usize, look: &Look, part: &mut Part) {
        let turns = self.grid.turns(column, row);
        let corners = SquareCorner::ALL.map(|corner| {
            let (right, below) = corner.step();
            let (column, row) = (column.saturating_add(right), row.saturating_add(below));
            let (u, v) = corner.image_corner(turns);
            part.vertex((column, row, u, v), || self.vertex(column, row, look.place(u, v)))
        });
        let [top_left, top_right, bottom_right, bottom_left] = corners;
        let is_other = self.options.quads == Quads::Software && self.grid.is_bent(column, row) == Some(true);
        part.indices.extend(match is_other {
            false => [top_left, bottom_right, top_right, top_left, bottom_left, bottom_right],
            true => [top_left, bottom_left, top_right, top_right, bottom_left, bottom_right],
        });
    }

    fn vertex(&self, column: usize, row: usize, uv: [f32; 2]) -> Vertex {
        let axes = self.options.axes;
        let across = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX)) * 256.0 / STEP;
        let engine = [across(column), -self.height(column, row) / STEP, -across(row)];
        let normal = self.grid.normal_by(column, row, &|column, row| self.height(column, row));
        // From the axes of scenes to the game's, and to those that were asked for.
        let normal = axes.direction(Axes::Forward.direction(normal));
        let height = &|column, row| self.height(column, row);
        let light =
            self.daylight.map(|daylight| daylight.on_terrain(self.grid.light_normal_by(column, row, height)));
        Vertex { position: axes.direction(engine).map(|number| number + 0.0), normal, uv, light }
    }
}

/// How many corners a place is behind the middle of so many.
fn from_middle(place: usize, count: usize) -> i64 {
    let signed = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    signed(place).saturating_sub(signed(count / 2))
}

struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    uv: [f32; 2],
    light: Option<[u8; 3]>,
}

/// The triangles of one look.
#[derive(Default)]
struct Part {
    /// The number of each vertex, by the column and row of its corner and the corner of the image.
    known: BTreeMap<(usize, usize, u8, u8), u32>,
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

impl Part {
    fn vertex(&mut self, key: (usize, usize, u8, u8), make: impl FnOnce() -> Vertex) -> u32 {
        *self.known.entry(key).or_insert_with(|| {
            self.vertices.push(make());
            u32::try_from(self.vertices.len()).unwrap_or(u32::MAX).saturating_sub(1)
        })
    }

    fn primitive(self) -> Primitive {
        Primitive {
            positions: self.vertices.iter().map(|vertex| vertex.position).collect(),
            normals: Some(self.vertices.iter().map(|vertex| vertex.normal).collect()),
            uvs: vec![self.vertices.iter().map(|vertex| vertex.uv).collect()],
            colors: self.vertices.iter().map(|vertex| vertex.light.map(textured_color)).collect(),
            indices: self.indices,
            vertex_format: VertexFormat::Integer,
            ..Primitive::default()
        }
    }
}

/// How the squares of one image look.
#[derive(Debug, Clone, Copy)]
struct Look {
    material: MaterialId,
    /// The place of the image in its picture, from which corner to which.
    from: [f32; 2],
    to: [f32; 2],
}

impl Look {
    /// The texture coordinates at a corner of the image: not quite its edge, as in the game.
    fn place(&self, u: u8, v: u8) -> [f32; 2] {
        let at = |corner: u8, from: f32, to: f32| {
            let inset: f32 = if corner == 0 { 1.0 / 256.0 } else { 254.0 / 256.0 };
            from + (to - from) * inset
        };
        [at(u, self.from[0], self.to[0]), at(v, self.from[1], self.to[1])]
    }
}

/// How all images look.
struct Looks {
    by_image: BTreeMap<u8, Look>,
    other: Look,
}

impl Looks {
    fn new(scene: &mut Scene, grid: &Grid, options: TerrainOptions, materials: &mut Materials<'_>) -> Self {
        let corners = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)));
        let mut images: Vec<u8> = corners.map(|(column, row)| grid.image(column, row)).collect();
        images.sort_unstable();
        images.dedup();
        match options.atlas {
            true => Self::in_atlas(scene, &images, options.shading(), materials),
            false => Self::alone(scene, &images, options.shading(), materials),
        }
    }

    fn of_image(&self, image: u8) -> &Look {
        self.by_image.get(&image).unwrap_or(&self.other)
    }

    /// A material for each image.
    fn alone(scene: &mut Scene, images: &[u8], shading: Shading, materials: &mut Materials<'_>) -> Self {
        let mut by_image = BTreeMap::new();
        for image in images {
            let texture = FaceTexture::Image { bank: BANK, image: u16::from(*image) };
            // The game blends the pixels of terrain, and its images do not wrap.
            let style = DrawStyle { sampling: Sampling::SmoothClamped, shading, ..DrawStyle::default() };
            let material = materials.surface(scene, texture, style).material;
            if let Some(found) = scene.materials.get_mut(material.0) {
                found.extras.insert("texture_id".into(), BANK.into());
                found.extras.insert("image_id".into(), (*image).into());
                if WATER.contains(image) {
                    found.name.push_str(" water");
                    found.extras.insert("water".into(), true.into());
                }
            }
            by_image.insert(*image, Look { material, from: [0.0; 2], to: [1.0; 2] });
        }
        let other = Look { material: MaterialId(0), from: [0.0; 2], to: [1.0; 2] };
        Self { by_image, other }
    }

    /// All images in one picture, with a material for land and one for water.
    fn in_atlas(scene: &mut Scene, images: &[u8], shading: Shading, materials: &mut Materials<'_>) -> Self {
        let pictures: Vec<(u8, Rgba8)> = images
            .iter()
            .filter_map(|image| Some((*image, materials.picture(BANK, u16::from(*image))?)))
            .collect();
        let (picture, places) = paint(&pictures);
        let name = format!("atlas of {BANK}");
        let image = scene.add_image(Image { name: name.clone(), encoded: png_for_gltf(&picture) });
        let texture = scene.add_texture(Texture { name, image, sampler: smooth() });
        let mut material = |name: &str, is_water: bool| {
            let mut material = Material {
                name: name.to_owned(),
                base_color_texture: Some(TextureRef::new(texture)),
                shading,
                ..Material::default()
            };
            material.extras.insert("texture_id".into(), BANK.into());
            material.extras.insert("water".into(), is_water.into());
            scene.add_material(material)
        };
        let (land, water) = (material("land", false), material("water", true));
        let look = |(image, [from, to]): (&u8, &[[f32; 2]; 2])| {
            let material = if WATER.contains(image) { water } else { land };
            (*image, Look { material, from: *from, to: *to })
        };
        let other = Look { material: land, from: [0.0; 2], to: [0.0; 2] };
        Self { by_image: places.iter().map(look).collect(), other }
    }
}

fn smooth() -> Sampler {
    Sampler {
        mag: Filter::Linear,
        min: MinFilter::LinearMipmapLinear,
        wrap_u: Wrap::Clamp,
        wrap_v: Wrap::Clamp,
    }
}

/// Pixels around each image of an atlas that repeat its edge, so that smaller copies do not mix it with its neighbors.
const PADDING: u32 = 16;

/// Larger images are not put into an atlas.
const LARGEST: u32 = 1024;

/// Images side by side in one picture, and where each is, from corner to corner.
fn paint(pictures: &[(u8, Rgba8)]) -> (Rgba8, BTreeMap<u8, [[f32; 2]; 2]>) {
    let side = |side: u32| side.clamp(1, LARGEST);
    let largest = pictures.iter().map(|(_, it)| side(it.width()).max(side(it.height()))).max().unwrap_or(1);
    let cell = largest.saturating_add(PADDING.saturating_mul(2));
    let count = u32::try_from(pictures.len()).unwrap_or(1).max(1);
    let across = (1..=count).find(|across| across.saturating_mul(*across) >= count).unwrap_or(1);
    let down = count.div_ceil(across);
    let (width, height) = (across.saturating_mul(cell), down.saturating_mul(cell));
    let mut pixels =
        vec![
            255;
            usize::try_from(u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4))
                .unwrap_or_default()
        ];
    let mut places = BTreeMap::new();
    let share = |at: u32, of: u32| single(f64::from(at) / f64::from(of.max(1)));
    for (number, (image, picture)) in (0_u32..).zip(pictures) {
        let left = number.checked_rem(across).unwrap_or_default().saturating_mul(cell);
        let top = number.checked_div(across).unwrap_or_default().saturating_mul(cell);
        let (wide, high) = (side(picture.width()), side(picture.height()));
        for y in 0..high.saturating_add(PADDING.saturating_mul(2)) {
            for x in 0..wide.saturating_add(PADDING.saturating_mul(2)) {
                let inside = |at: u32, size: u32| at.saturating_sub(PADDING).min(size.saturating_sub(1));
                let pixel = picture.get(inside(x, wide), inside(y, high)).unwrap_or([255; 4]);
                let row = u64::from(top.saturating_add(y)).saturating_mul(width.into());
                let at = row.saturating_add(left.saturating_add(x).into()).saturating_mul(4);
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                if let Some(place) = pixels.get_mut(at..at.saturating_add(4)) {
                    place.copy_from_slice(&pixel);
                }
            }
        }
        let (left, top) = (left.saturating_add(PADDING), top.saturating_add(PADDING));
        let from = [share(left, width), share(top, height)];
        let to = [share(left.saturating_add(wide), width), share(top.saturating_add(high), height)];
        places.insert(*image, [from, to]);
    }
    let picture = Rgba8::new(width, height, pixels);
    (picture.unwrap_or_else(|_| one_pixel()), places)
}

#[expect(clippy::expect_used, reason = "four bytes are one pixel")]
fn one_pixel() -> Rgba8 {
    Rgba8::new(1, 1, vec![255; 4]).expect("one pixel")
}

//! Converts a terrain to a scene: one grid of triangles in chunks, with the images of bank 302.
//!
//! Positions are integers in steps of 8 world units, so that they can be stored in 16 bits; the scale of the node converts them to meters.

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
use super::surroundings::TerrainWorld;
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
    "How to split the squares of a terrain into triangles.",
    &[
        ("glide", "along the diagonal from northwest to southeast, as in the Glide renderer"),
        ("software", "along the other diagonal where a square is not planar, as in the software renderer"),
    ],
    &[Quads::Glide, Quads::Software],
);

/// `--atlas`.
pub(crate) const ATLAS: Flag = Flag::new(
    "atlas",
    "Use one image and two materials (land and water) for the terrain, for fewer draw calls.",
);

/// `--ticks T`.
pub(crate) const TICKS: Number = Number::new(
    "ticks",
    "Time at which to show the water of a terrain, in ticks of 1/18.2 s; -1 for calm water.",
    CALM,
    CALM,
    1e12,
);

/// No time: the water is calm.
const CALM: f64 = -1.0;

asset::format_options! {
    /// Options for converting a terrain to a scene.
    pub struct SceneOptions {
        /// Lighting of the scene.
        light: Light = LIGHT;
        /// Split of squares into triangles.
        quads: Quads = QUADS;
        /// Whether to use one image and two materials.
        atlas: bool = ATLAS;
        /// Time at which water is shown, in ticks of the engine.
        ticks: f64 = TICKS;
        /// Palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// Palette that takes precedence.
        palette_source: redguard_files::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether to use the palette as the Glide renderer does: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// Rotation of the game's axes.
        axes: Axes = AXES;
        /// Program to prepare the scene for; it selects the values of options that are not set.
        preset: Option<::scene::Engine> = PRESET;
    }
}

/// Number of squares along each side of a chunk: its vertices can be indexed with 16 bits whatever images they have.
const CHUNK: usize = 64;

/// Maximum number of corners of a terrain that can be converted to a scene: four times the number in the game.
const MAX_CORNERS: usize = 1 << 18;

/// World units per step of positions.
const STEP: f32 = 8.0;

/// Name of the node.
const NAME: &str = "TERRAIN";

/// Split of squares into triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quads {
    /// Always along the same diagonal.
    Glide,
    /// Along the other diagonal where squares are not planar.
    Software,
}

/// Options for converting a terrain to a scene.
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
            ticks: (ticks >= 0.0).then(|| truncated(ticks)),
            axes: context.options.choice(&AXES),
            scale: target.factor(),
            lighting: context.options.choice(&LIGHT),
        }
    }

    /// Whether lights of a viewer affect the ground.
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
const fn truncated(number: f64) -> u64 {
    number as u64
}

/// Converts a terrain to a scene.
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
    add(&mut scene, root, grid, &TerrainWorld::of(context), options, &mut materials);
    materials.report_problems(report);
    Ok(scene)
}

/// Refuses a terrain that is too large for a scene.
pub(crate) fn check_size(grid: &Grid) -> Result<()> {
    let (columns, rows) = (grid.columns(), grid.rows());
    if columns.saturating_mul(rows) > MAX_CORNERS {
        return Err(Error::limit(format!(
            "a terrain of {columns} x {rows} corners is too large for a scene (limit: {MAX_CORNERS} corners)"
        )));
    }
    Ok(())
}

/// Adds a terrain as a child of a node.
pub(crate) fn add(
    scene: &mut Scene,
    parent: NodeId,
    grid: &Grid,
    world: &TerrainWorld,
    options: TerrainOptions,
    materials: &mut Materials<'_>,
) -> NodeId {
    let styles = ImageStyles::new(scene, grid, options, materials);
    let mut node = Node::named(NAME);
    node.extras.insert("layer".into(), "terrain".into());
    node.extras.insert("index".into(), 0.into());
    let shift = f32::from(i16::try_from(world.shift).unwrap_or_default());
    node.translation = Vec3::from(options.axes.position([0.0, shift, 0.0])) * options.scale;
    node.scale = Vec3::splat(STEP / UNITS_PER_METER * options.scale);
    node.layer = Some(Layer::Group);
    let top = scene.add_child(parent, node);
    let ground = Relief::new(grid, world, options);
    for row in (0..grid.rows().saturating_sub(1)).step_by(CHUNK) {
        for column in (0..grid.columns().saturating_sub(1)).step_by(CHUNK) {
            let primitives = ground.chunk(column, row, &styles);
            let name = format!("{NAME} {column} {row}");
            // The scenes of the terrain and of its map share this mesh, unless it contains baked light.
            let is_lit = primitives.iter().any(|primitive| primitive.colors.is_some());
            let source = (!is_lit).then(|| name.clone());
            let mesh = scene.add_mesh(Mesh { name: name.clone(), source, primitives, ..Mesh::default() });
            let body = Some(Body::Solid);
            scene.add_child(top, Node { mesh: Some(mesh), body, ..Node::named(name) });
        }
    }
    top
}

/// Heights of a terrain, with its water at a given time.
struct Relief<'a> {
    grid: &'a Grid,
    options: TerrainOptions,
    /// Height of each corner in world units, row by row.
    heights: Vec<f32>,
    /// Normal of each corner, row by row.
    normals: Vec<[f32; 3]>,
    /// Lighting, if the light is baked.
    daylight: Option<Daylight>,
}

impl<'a> Relief<'a> {
    fn new(grid: &'a Grid, world: &TerrainWorld, options: TerrainOptions) -> Self {
        let corners = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)));
        let height = |(column, row): (usize, usize)| {
            let calm = f32::from(i16::try_from(grid.height(column, row)).unwrap_or(i16::MAX));
            match options.ticks.filter(|_| grid.moves(column, row)) {
                Some(ticks) => {
                    let columns = from_middle(column, grid.columns());
                    calm + single(world.wave.rise(columns, from_middle(row, grid.rows()), ticks))
                }
                None => calm,
            }
        };
        let heights: Vec<f32> = corners.map(height).collect();
        let normals = grid.normals_by(&|column, row| at(&heights, grid, column, row));
        let daylight = match options.lighting {
            Light::Plain => None,
            Light::Baked => Some(world.daylight.unwrap_or_else(|| Daylight::of_world(&World::new(0)))),
        };
        Self { grid, options, heights, normals, daylight }
    }

    /// Height of a corner in world units.
    fn height(&self, column: usize, row: usize) -> f32 {
        at(&self.heights, self.grid, column, row)
    }

    /// Creates the primitives of the chunk at a corner, one per material.
    fn chunk(&self, column: usize, row: usize, styles: &ImageStyles) -> Vec<Primitive> {
        let end = |start: usize, count: usize| start.saturating_add(CHUNK).min(count.saturating_sub(1));
        let (columns, rows) = (column..end(column, self.grid.columns()), row..end(row, self.grid.rows()));
        let squares = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
        let mut squares: Vec<_> = squares
            .map(|(column, row)| (styles.of_image(self.grid.image(column, row)), column, row))
            .collect();
        squares.sort_by_key(|(style, ..)| style.material);
        let mut known = VertexTable::new(column, row);
        let primitive = |squares: &[(&ImageStyle, usize, usize)]| {
            let material = squares.first()?.0.material;
            let mut builder = PrimitiveBuilder::new(material, &mut known);
            for (style, column, row) in squares {
                self.square(*column, *row, style, &mut builder);
            }
            Some(Primitive { material: Some(material), ..builder.primitive() })
        };
        squares.chunk_by(|(a, ..), (b, ..)| a.material == b.material).filter_map(primitive).collect()
    }

    fn square(&self, column: usize, row: usize, style: &ImageStyle, builder: &mut PrimitiveBuilder<'_>) {
        let turns = self.grid.turns(column, row);
        let corners = SquareCorner::ALL.map(|corner| {
            let (right, below) = corner.step();
            let (column, row) = (column.saturating_add(right), row.saturating_add(below));
            let (u, v) = corner.image_corner(turns);
            builder.vertex((column, row, u, v), || self.vertex(column, row, style.uv_at(u, v)))
        });
        let [top_left, top_right, bottom_right, bottom_left] = corners;
        let is_flipped =
            self.options.quads == Quads::Software && self.grid.is_bent(column, row) == Some(true);
        builder.indices.extend(match is_flipped {
            false => [top_left, bottom_right, top_right, top_left, bottom_left, bottom_right],
            true => [top_left, bottom_left, top_right, top_right, bottom_left, bottom_right],
        });
    }

    fn vertex(&self, column: usize, row: usize, uv: [f32; 2]) -> Vertex {
        let axes = self.options.axes;
        let across = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX)) * 256.0 / STEP;
        let engine = [across(column), -self.height(column, row) / STEP, -across(row)];
        let normal = at(&self.normals, self.grid, column, row);
        // From the axes of scenes to the game's axes, and then to the requested axes.
        let normal = axes.direction(Axes::Forward.direction(normal));
        let height = &|column, row| self.height(column, row);
        let light =
            self.daylight.map(|daylight| daylight.on_terrain(self.grid.light_normal_by(column, row, height)));
        Vertex { position: axes.direction(engine).map(|number| number + 0.0), normal, uv, light }
    }
}

/// Offset of a corner from the middle of `count` corners.
fn from_middle(corner: usize, count: usize) -> i64 {
    let signed = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    signed(corner).saturating_sub(signed(count / 2))
}

struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    uv: [f32; 2],
    light: Option<[u8; 3]>,
}

/// The value of a corner in a list of all corners, row by row.
fn at<T: Copy + Default>(list: &[T], grid: &Grid, column: usize, row: usize) -> T {
    let index = row.saturating_mul(grid.columns()).saturating_add(column);
    list.get(index).copied().unwrap_or_default()
}

/// Index of each vertex in the primitive of one material, by the column and row of its corner and the corner of the image.
struct VertexTable {
    /// Column and row of the chunk.
    start: (usize, usize),
    /// The material that an index belongs to, and the index.
    indices: Vec<Option<(MaterialId, u32)>>,
}

impl VertexTable {
    /// Corners along each side of a chunk.
    const SIDE: usize = CHUNK + 1;
    /// Each corner of a square may have any corner of an image.
    const SLOTS: usize = Self::SIDE * Self::SIDE * 4;

    fn new(column: usize, row: usize) -> Self {
        Self { start: (column, row), indices: vec![None; Self::SLOTS] }
    }

    fn slot(
        &mut self,
        (column, row, u, v): (usize, usize, u8, u8),
    ) -> Option<&mut Option<(MaterialId, u32)>> {
        let (column, row) = (column.checked_sub(self.start.0)?, row.checked_sub(self.start.1)?);
        let corner = row.checked_mul(Self::SIDE)?.checked_add(column)?;
        let image_corner = usize::from(u & 1) | usize::from(v & 1) << 1;
        self.indices.get_mut(corner.checked_mul(4)? | image_corner)
    }
}

/// Builds the primitive of one material.
struct PrimitiveBuilder<'t> {
    material: MaterialId,
    known: &'t mut VertexTable,
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

impl<'t> PrimitiveBuilder<'t> {
    const fn new(material: MaterialId, known: &'t mut VertexTable) -> Self {
        Self { material, known, vertices: Vec::new(), indices: Vec::new() }
    }

    fn vertex(&mut self, key: (usize, usize, u8, u8), make: impl FnOnce() -> Vertex) -> u32 {
        let mut slot = self.known.slot(key);
        if let Some(Some((material, index))) = slot
            && *material == self.material
        {
            return *index;
        }
        let index = u32::try_from(self.vertices.len()).unwrap_or(u32::MAX);
        self.vertices.push(make());
        if let Some(slot) = &mut slot {
            **slot = Some((self.material, index));
        }
        index
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

/// Material and texture coordinates of the squares of one image.
#[derive(Debug, Clone, Copy)]
struct ImageStyle {
    material: MaterialId,
    /// Corners of the image in its texture, as minimum and maximum texture coordinates.
    from: [f32; 2],
    to: [f32; 2],
}

impl ImageStyle {
    /// Texture coordinates at a corner of the image, inset slightly from the edge as in the game.
    fn uv_at(&self, u: u8, v: u8) -> [f32; 2] {
        let at = |corner: u8, from: f32, to: f32| {
            let inset: f32 = if corner == 0 { 1.0 / 256.0 } else { 254.0 / 256.0 };
            from + (to - from) * inset
        };
        [at(u, self.from[0], self.to[0]), at(v, self.from[1], self.to[1])]
    }
}

/// Styles of all images.
struct ImageStyles {
    by_image: BTreeMap<u8, ImageStyle>,
    other: ImageStyle,
}

impl ImageStyles {
    fn new(scene: &mut Scene, grid: &Grid, options: TerrainOptions, materials: &mut Materials<'_>) -> Self {
        let corners = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)));
        let mut images: Vec<u8> = corners.map(|(column, row)| grid.image(column, row)).collect();
        images.sort_unstable();
        images.dedup();
        match options.atlas {
            true => Self::in_atlas(scene, &images, options.shading(), materials),
            false => Self::separate(scene, &images, options.shading(), materials),
        }
    }

    fn of_image(&self, image: u8) -> &ImageStyle {
        self.by_image.get(&image).unwrap_or(&self.other)
    }

    /// Creates a material for each image.
    fn separate(scene: &mut Scene, images: &[u8], shading: Shading, materials: &mut Materials<'_>) -> Self {
        let mut by_image = BTreeMap::new();
        for image in images {
            let texture = FaceTexture::Image { bank: BANK, image: u16::from(*image) };
            // The game filters the textures of terrain, and its images do not wrap.
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
            by_image.insert(*image, ImageStyle { material, from: [0.0; 2], to: [1.0; 2] });
        }
        let other = ImageStyle { material: MaterialId(0), from: [0.0; 2], to: [1.0; 2] };
        Self { by_image, other }
    }

    /// Combines all images in one texture, with one material for land and one for water.
    fn in_atlas(scene: &mut Scene, images: &[u8], shading: Shading, materials: &mut Materials<'_>) -> Self {
        let pictures: Vec<(u8, Rgba8)> = images
            .iter()
            .filter_map(|image| Some((*image, materials.picture(BANK, u16::from(*image))?)))
            .collect();
        let (picture, regions) = paint(&pictures);
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
        let style = |(image, [from, to]): (&u8, &[[f32; 2]; 2])| {
            let material = if WATER.contains(image) { water } else { land };
            (*image, ImageStyle { material, from: *from, to: *to })
        };
        let other = ImageStyle { material: land, from: [0.0; 2], to: [0.0; 2] };
        Self { by_image: regions.iter().map(style).collect(), other }
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

/// Padding around each image of an atlas, in pixels, which repeats its edge so that mipmaps do not mix it with its neighbors.
const PADDING: u32 = 16;

/// Maximum size of an image in an atlas, in pixels; larger images are cropped.
const MAX_SIDE: u32 = 1024;

/// Combines images into one, and returns the minimum and maximum texture coordinates of each.
fn paint(pictures: &[(u8, Rgba8)]) -> (Rgba8, BTreeMap<u8, [[f32; 2]; 2]>) {
    let side = |side: u32| side.clamp(1, MAX_SIDE);
    let largest = pictures
        .iter()
        .map(|(_, picture)| side(picture.width()).max(side(picture.height())))
        .max()
        .unwrap_or(1);
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
    let mut regions = BTreeMap::new();
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
                if let Some(target) = pixels.get_mut(at..at.saturating_add(4)) {
                    target.copy_from_slice(&pixel);
                }
            }
        }
        let (left, top) = (left.saturating_add(PADDING), top.saturating_add(PADDING));
        let from = [share(left, width), share(top, height)];
        let to = [share(left.saturating_add(wide), width), share(top.saturating_add(high), height)];
        regions.insert(*image, [from, to]);
    }
    let picture = Rgba8::new(width, height, pixels);
    (picture.unwrap_or_else(|_| one_pixel()), regions)
}

#[expect(clippy::expect_used, reason = "four bytes are one pixel")]
fn one_pixel() -> Rgba8 {
    Rgba8::new(1, 1, vec![255; 4]).expect("one pixel")
}

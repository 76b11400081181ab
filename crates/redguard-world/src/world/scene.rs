//! A map as a scene: one root, a node per layer, and in each layer a node per record.

use std::collections::BTreeMap;

use asset::preset::PRESET;
use asset::{Choice, Context, Flag, Number, Report, Target};
use json::json;
use record::{Error, Result};
use scene::{Node, NodeId, Scene};

use super::actor;
use super::animation::Pose;
use super::attachment::GRIP;
use super::builder::{SceneBuilder, packed};
use super::held::{HOLD, STATE};
use super::illumination::Illumination;
use super::layer::{Layer, WITH, WITHOUT};
use super::library::{Library, MAX_MODELS};
use crate::axes::{AXES, Axes, UNITS_PER_METER};
use crate::lighting::{LIGHT, Light};
use crate::map::resolved::ActorTable;
use crate::map::{Map, Setting, Surroundings, warning};
use crate::model::Version;
use crate::model::interpretation::{DELTA_SIGN, UV};
use crate::model::options::MeshOptions;
use crate::terrain::scene::{ATLAS, QUADS, TICKS, TerrainOptions};
use crate::terrain::{Grid, Terrain, TerrainWorld};
use redguard_files::picture::INDEX_0;
use redguard_files::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE, requested_name};

/// `--world N`.
const WORLD: Number = Number::new(
    "world",
    "Number of the world in WORLD.INI in which to show a map; -1 for the first one that contains the map.",
    FIRST,
    FIRST,
    4_294_967_295.0,
);

/// No number: use the first world of the map.
const FIRST: f64 = -1.0;

/// `--instancing`.
const INSTANCING: Flag = Flag::new(
    "instancing",
    "Write one node for all statics with the same model (EXT_mesh_gpu_instancing): smaller and faster, but few viewers support it.",
);

/// `--clips`.
const CLIPS: Choice<Clips> = Choice::new(
    "clips",
    "Animation groups of actors to convert to clips.",
    &[("all", "a clip for each group of each actor"), ("none", "no clips; the models keep their frames")],
    &[Clips::All, Clips::None],
);

/// The animation groups that are converted to clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clips {
    /// A clip for each group of each actor.
    All,
    /// No clips; the models keep their frames.
    None,
}

asset::format_options! {
    /// Options for the scene of a map.
    pub struct SceneOptions {
        /// Only this object (by name or alias), with its animations as clips.
        actor: &str = actor::ACTOR;
        /// The item held by the actor: its number or name in `ITEM.INI`, or a model file.
        hold: &str = HOLD;
        /// The location of the item.
        state: crate::engine::held::Weapon = STATE;
        /// The indices of the two vertices that hold the item, as `A,B`.
        grip: &str = GRIP;
        /// The number of the world in `WORLD.INI` in which the map is shown; the first one that contains the map by default.
        world: f64 = WORLD;
        /// Layers to add. Walk, visibility, collision and sky are off by default.
        with: &[Layer] = WITH;
        /// Layers to omit.
        without: &[Layer] = WITHOUT;
        /// The lighting of the scene.
        light: Light = LIGHT;
        /// The time in engine ticks at which water is shown.
        ticks: f64 = TICKS;
        /// Whether the animation groups of all actors are converted to clips.
        clips: Clips = CLIPS;
        /// Whether all statics of a model are one node, which few viewers support.
        instancing: bool = INSTANCING;
        /// The split of terrain squares into triangles.
        quads: crate::terrain::Quads = QUADS;
        /// Whether a terrain has one image and two materials.
        atlas: bool = ATLAS;
        /// A palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// The palette that takes precedence.
        palette_source: redguard_files::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether to use the palette like the Glide renderer: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// Whether palette color 0 is transparent; `None` uses the setting of the file.
        key_color: Option<media::picture::Index0> = INDEX_0;
        /// The rotation of the game's axes.
        axes: Axes = AXES;
        /// The combination of frame deltas with the reference frame.
        delta_sign: crate::model::DeltaSign = DELTA_SIGN;
        /// The derivation of texture coordinates after the third corner of a face.
        uv: crate::model::LaterCornerUvs = UV;
        /// The program for which the scene is built; it sets defaults for other options.
        preset: Option<::scene::Engine> = PRESET;
    }
}

/// Builds the scene of a map, or of the requested actor.
pub(super) fn scene(
    map: &Map,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    build(map, context, target, None, report)
}

/// Builds the scene of a map in which all objects are animated by the poses, without the clips of its actors.
///
/// # Errors
/// Returns an error if the scene of the map cannot be built.
pub fn animated_scene(
    map: &Map,
    context: &Context<'_>,
    name: &str,
    poses: &[Pose],
    report: &mut Report,
) -> Result<Scene> {
    let options = asset::Options::defaults(SceneOptions::DECLARED);
    let context = Context { options: &options, ..context.clone() };
    let target = Target::new(name, 1.0);
    build(map, &context, &target, Some(poses), report)
}

fn build(
    map: &Map,
    context: &Context<'_>,
    target: &Target<'_>,
    poses: Option<&[Pose]>,
    report: &mut Report,
) -> Result<Scene> {
    let around = Surroundings::new(context);
    let requested = context.options.number(&WORLD);
    let setting = around.setting((requested >= 0.0).then(|| to_integer(requested)))?;
    let lighting = context.options.choice(&LIGHT);
    // A map is never imported from its scene.
    let options = MeshOptions { is_restorable: false, ..MeshOptions::from_options(context, target) };
    let mut library = Library::new(context, &around, setting.palette.clone(), options, lighting);
    if let Some(name) = context.options.text(&actor::ACTOR) {
        let scene = actor::scene(map, name, context, target, &mut library, report)?;
        library.report_problems(report);
        return Ok(scene);
    }
    let name = match around.stem.is_empty() {
        true => target.name.to_owned(),
        false => around.name.clone(),
    };
    if context.options.text(&HOLD).is_some() {
        return Err(Error::usage("--hold requires --actor, the actor that holds the item"));
    }
    if !target.is_checked_only {
        report_other_worlds(&setting, report);
    }
    let mut scene = Scene::new(name.clone());
    let mut root = Node::named(name);
    root.packed_extras = packed(&root_extras(&setting, &around, context, &options)?);
    let root = scene.add_root(root);
    let illumination = match lighting {
        Light::Plain => None,
        Light::Baked => Some(Illumination::new(map, setting.world.as_ref())),
    };
    let mut builder = SceneBuilder {
        map,
        context,
        around: &around,
        setting: &setting,
        actors: ActorTable::of(map),
        options,
        library,
        illumination,
        scene,
        root,
        groups: context.options.flag(&INSTANCING).then(BTreeMap::new),
        billboards: BTreeMap::new(),
        models: BTreeMap::new(),
        remaining_models: MAX_MODELS,
        parts: BTreeMap::new(),
        pose_tracks: Vec::new(),
        report,
    };
    builder.layers(target)?;
    if let Some(poses) = poses {
        builder.animate(poses)?;
    } else if context.options.choice(&CLIPS) == Clips::All {
        builder.clips()?;
    }
    builder.library.report_problems(builder.report);
    Ok(builder.scene)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and bounded by the option"
)]
const fn to_integer(number: f64) -> u32 {
    number as u32
}

/// Reports the worlds of the map that the scene does not show.
fn report_other_worlds(setting: &Setting, report: &mut Report) {
    let Some(shown) = setting.world_shown().filter(|_| !setting.alternatives.is_empty()) else { return };
    let others: Vec<_> = setting.alternatives.iter().map(u32::to_string).collect();
    let message =
        format!("the scene shows world {shown}; other worlds of the map: {} (--world)", others.join(", "));
    report.warn(&warning::WORLDS, message);
}

/// Returns the extras of the root.
fn root_extras(
    setting: &Setting,
    around: &Surroundings<'_>,
    context: &Context<'_>,
    options: &MeshOptions,
) -> Result<json::Value> {
    let path = |location: &Option<asset::Location>| location.as_ref().map(|it| it.path().to_string());
    // A requested palette replaces the palette of the world.
    let palette = requested_name(context)?.or_else(|| path(&setting.palette_file));
    Ok(json!({
        "map": around.name,
        "world": setting.world_shown(),
        "palette": palette,
        "terrain": path(&setting.terrain_file),
        "units_per_meter": UNITS_PER_METER / options.scale,
        "light": setting.world.as_ref().map(|world| super::light::extras(world, options.axes)),
        "fog": setting.world.as_ref().map(|world| super::sky::fog_extras(world, context)),
        "sky": setting.world.as_ref().and_then(super::sky::extras),
    }))
}

impl SceneBuilder<'_> {
    fn layers(&mut self, target: &Target<'_>) -> Result<()> {
        for layer in Layer::ALL {
            if !layer.is_enabled(self.context) {
                continue;
            }
            match layer {
                Layer::Terrain => self.terrain(target)?,
                Layer::Visibility => self.visibility()?,
                Layer::Sky => self.sky()?,
                Layer::Objects => self.in_layer(layer, Self::objects)?,
                Layer::Statics => self.in_layer(layer, Self::statics)?,
                Layer::Ropes => self.in_layer(layer, Self::ropes)?,
                Layer::Flats => self.in_layer(layer, Self::flats)?,
                Layer::Lights => self.in_layer(layer, |builder, node| {
                    builder.lights(node);
                    Ok(())
                })?,
                Layer::Markers => self.in_layer(layer, |builder, node| {
                    builder.markers(node);
                    Ok(())
                })?,
                Layer::Walk => self.in_layer(layer, |builder, node| {
                    builder.walk_maps(node);
                    Ok(())
                })?,
                Layer::Collision => self.in_layer(layer, |builder, node| {
                    builder.collision(node);
                    Ok(())
                })?,
            }
        }
        Ok(())
    }

    /// Adds a layer; an empty layer is omitted.
    fn in_layer(&mut self, layer: Layer, fill: impl FnOnce(&mut Self, NodeId) -> Result<()>) -> Result<()> {
        let node = self.scene.add_node(layer_node(layer));
        fill(self, node)?;
        if self.scene.nodes.get(node.0).is_some_and(|node| node.children.is_empty())
            && node.0.saturating_add(1) == self.scene.nodes.len()
        {
            self.scene.nodes.pop();
        } else if let Some(root) = self.scene.nodes.get_mut(self.root.0) {
            root.children.push(node);
        }
        Ok(())
    }

    fn terrain(&mut self, target: &Target<'_>) -> Result<()> {
        let Some(location) = &self.setting.terrain_file else { return Ok(()) };
        let read = || {
            let source = self.context.install.open(location)?;
            if source.len() > crate::terrain::MAX_SIZE {
                return Err(Error::limit("the file is too large"));
            }
            let grid = Grid::of(&Terrain::read(&source.read_all()?)?);
            crate::terrain::scene::check_size(&grid)?;
            Ok(grid)
        };
        let grid = match read() {
            Ok(grid) => grid,
            Err(error) => {
                let message = format!("{} was skipped: {}", location.path(), error.message());
                self.report.warn(&warning::NO_TERRAIN, message);
                return Ok(());
            }
        };
        let ground = self.setting.world.as_ref().map(TerrainWorld::of_world).unwrap_or_default();
        let options = TerrainOptions::from_options(self.context, target);
        let materials = self.library.materials(Version::V4_0)?;
        crate::terrain::scene::add(&mut self.scene, self.root, &grid, &ground, options, materials);
        Ok(())
    }

    fn visibility(&mut self) -> Result<()> {
        let path = format!("maps/{}.PVO", self.around.stem);
        let Some(found) = self.context.install.find(&path).found() else {
            self.report.warn(&warning::NO_TREE, format!("{path} was not found"));
            return Ok(());
        };
        let node = self.scene.add_node(layer_node(Layer::Visibility));
        let read = self.context.install.open(&found.location);
        let read = read.and_then(|source| crate::visibility::Visibility::read(&source.read_all()?));
        let (axes, scale) = (self.options.axes, self.options.scale);
        let added =
            read.and_then(|tree| crate::visibility::scene::add(&mut self.scene, node, &tree, axes, scale));
        if let Err(error) = added {
            let message = format!("{} was skipped: {}", found.location.path(), error.message());
            self.report.warn(&warning::NO_TREE, message);
            return Ok(());
        }
        if let Some(root) = self.scene.nodes.get_mut(self.root.0) {
            root.children.push(node);
        }
        Ok(())
    }

    /// Adds the clips of all objects.
    fn clips(&mut self) -> Result<()> {
        let parts = std::mem::take(&mut self.parts);
        let sections = self.map.object_sections();
        let names = redguard_files::settings::def::GameNames::of_game(self.context);
        let mut clips = actor::Clips::new(&names.names);
        for (index, parts) in parts {
            let Some(object) = self.map.objects().get(index) else { continue };
            let groups = sections.animation_groups(object).unwrap_or_default();
            let title = object.name.text();
            if let Err(error) = clips.add(&mut self.scene, object, Some(&title), &groups, &parts, self.report)
            {
                let message =
                    format!("the clips of {title} and all later objects were skipped: {}", error.message());
                self.report.warn(&warning::NO_CLIPS, message);
                break;
            }
        }
        Ok(())
    }
}

/// Creates the node of a layer.
fn layer_node(layer: Layer) -> Node {
    Node { layer: Some(scene::Layer::Group), ..Node::named(layer.name()) }
}

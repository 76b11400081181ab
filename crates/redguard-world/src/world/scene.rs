//! A map as a scene: one root, a node for each layer, and in each a node for each record.

use std::collections::BTreeMap;

use asset::preset::PRESET;
use asset::{Choice, Context, Flag, Number, Report, Target};
use json::json;
use record::{Error, Result};
use scene::{Node, NodeId, Scene};

use super::actor;
use super::film::Pose;
use super::grip::GRIP;
use super::held::{HOLD, STATE};
use super::illumination::Illumination;
use super::layer::{Layer, WITH, WITHOUT};
use super::library::{Library, MOST_MODELS};
use super::maker::{Maker, packed};
use crate::axes::{AXES, Axes, UNITS_PER_METER};
use crate::lighting::{LIGHT, Light};
use crate::map::resolved::Cast;
use crate::map::{Map, Setting, Surroundings};
use crate::model::Version;
use crate::model::interpretation::{DELTA_SIGN, UV};
use crate::model::options::MeshOptions;
use crate::terrain::scene::{ATLAS, QUADS, TICKS, TerrainOptions};
use crate::terrain::{Grid, Place, Terrain};
use redguard_files::picture::INDEX_0;
use redguard_files::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE, requested_name};

/// `--world N`.
const WORLD: Number = Number::new(
    "world",
    "The number of the world in WORLD.INI in which a map is shown; without it the first one that has the map.",
    FIRST,
    FIRST,
    4_294_967_295.0,
);

/// No number: the first world of a map.
const FIRST: f64 = -1.0;

/// `--instancing`.
const INSTANCING: Flag = Flag::new(
    "instancing",
    "One node for all statics of a model (EXT_mesh_gpu_instancing), which takes fewer bytes and draw calls; few viewers know it.",
);

/// `--clips`.
const CLIPS: Choice<Clips> = Choice::new(
    "clips",
    "Whether the animation groups of all actors of a map become clips.",
    &[("all", "a clip for each group of each actor"), ("none", "no clips; the models keep their frames")],
    &[Clips::All, Clips::None],
);

/// Which animation groups become clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clips {
    /// A clip for each group of each actor.
    All,
    /// No clips; the models keep their frames.
    None,
}

asset::format_options! {
    /// How the scene of a map is made.
    pub struct SceneOptions {
        /// Only this object, by its name or alias, with its animations as clips.
        actor: &str = actor::ACTOR;
        /// An item that the actor holds: its number or name in `ITEM.INI`, or the file of a model.
        hold: &str = HOLD;
        /// Where the item is.
        state: crate::engine::held::Weapon = STATE;
        /// The numbers of the two vertices that hold the item, as `A,B`.
        grip: &str = GRIP;
        /// The number of the world in `WORLD.INI` in which the map is shown; the first one that has it unless this is chosen.
        world: f64 = WORLD;
        /// Layers that are added: walk, visibility, collision and sky are off unless named.
        with: &[Layer] = WITH;
        /// Layers that are left out.
        without: &[Layer] = WITHOUT;
        /// What lights the scene.
        light: Light = LIGHT;
        /// The time in ticks of the engine at which water is shown.
        ticks: f64 = TICKS;
        /// Whether the animation groups of all actors become clips.
        clips: Clips = CLIPS;
        /// Whether all statics of a model are one node, which few viewers know.
        instancing: bool = INSTANCING;
        /// How the squares of a terrain are split into triangles.
        quads: crate::terrain::Quads = QUADS;
        /// Whether a terrain has one picture and two materials.
        atlas: bool = ATLAS;
        /// A palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// Which palette takes precedence.
        palette_source: redguard_files::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether the palette is used as the Glide renderer does: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// Whether palette color 0 is transparent; `None` as the file says.
        key_color: Option<media::picture::Index0> = INDEX_0;
        /// How the axes of the game are rotated.
        axes: Axes = AXES;
        /// How frame deltas are combined with the reference frame.
        delta_sign: crate::model::DeltaSign = DELTA_SIGN;
        /// How texture coordinates after the third corner of a face are determined.
        uv: crate::model::LaterCornerUvs = UV;
        /// The program that the scene is made for; it chooses other options where nothing is chosen here.
        preset: Option<::scene::Engine> = PRESET;
    }
}

/// Makes the scene of a map, or of the actor that was asked for.
pub(super) fn scene(
    map: &Map,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    make(map, context, target, None, report)
}

/// Makes the scene of a map in which everything moves as the poses say, instead of the clips of its actors.
///
/// # Errors
/// Those of the scene of the map.
pub fn film(
    map: &Map,
    context: &Context<'_>,
    name: &str,
    poses: &[Pose],
    report: &mut Report,
) -> Result<Scene> {
    let options = asset::Options::defaults(SceneOptions::DECLARED);
    let context = Context { options: &options, ..context.clone() };
    let target = Target::new(name, 1.0);
    make(map, &context, &target, Some(poses), report)
}

fn make(
    map: &Map,
    context: &Context<'_>,
    target: &Target<'_>,
    poses: Option<&[Pose]>,
    report: &mut Report,
) -> Result<Scene> {
    let around = Surroundings::new(context);
    let wanted = context.options.number(&WORLD);
    let setting = around.setting((wanted >= 0.0).then(|| whole(wanted)))?;
    let lighting = context.options.choice(&LIGHT);
    // No map is read back from its scene.
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
        return Err(Error::usage("--hold needs --actor: one actor holds the item"));
    }
    let mut scene = Scene::new(name.clone());
    let mut root = Node::named(name);
    root.packed_extras = packed(&root_extras(&setting, &around, context, &options)?);
    let root = scene.add_root(root);
    let illumination = match lighting {
        Light::Plain => None,
        Light::Baked => Some(Illumination::new(map, setting.world.as_ref())),
    };
    let mut maker = Maker {
        map,
        context,
        around: &around,
        setting: &setting,
        cast: Cast::of(map),
        options,
        library,
        illumination,
        scene,
        root,
        groups: context.options.flag(&INSTANCING).then(BTreeMap::new),
        pictures: BTreeMap::new(),
        models: BTreeMap::new(),
        models_left: MOST_MODELS,
        parts: BTreeMap::new(),
        stands: Vec::new(),
        report,
    };
    maker.layers(target)?;
    if let Some(poses) = poses {
        maker.film(poses)?;
    } else if context.options.choice(&CLIPS) == Clips::All {
        maker.clips()?;
    }
    maker.library.report_problems(maker.report);
    Ok(maker.scene)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and bounded by the option"
)]
const fn whole(number: f64) -> u32 {
    number as u32
}

/// What is said of the whole scene.
fn root_extras(
    setting: &Setting,
    around: &Surroundings<'_>,
    context: &Context<'_>,
    options: &MeshOptions,
) -> Result<json::Value> {
    let path = |location: &Option<asset::Location>| location.as_ref().map(|it| it.path().to_string());
    // A palette that was asked for takes the place of that of the world.
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

impl Maker<'_> {
    fn layers(&mut self, target: &Target<'_>) -> Result<()> {
        for layer in Layer::ALL {
            if !layer.is_wanted(self.context) {
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
                Layer::Lights => self.in_layer(layer, |maker, node| {
                    maker.lights(node);
                    Ok(())
                })?,
                Layer::Markers => self.in_layer(layer, |maker, node| {
                    maker.markers(node);
                    Ok(())
                })?,
                Layer::Walk => self.in_layer(layer, |maker, node| {
                    maker.walk_maps(node);
                    Ok(())
                })?,
                Layer::Collision => self.in_layer(layer, |maker, node| {
                    maker.collision(node);
                    Ok(())
                })?,
            }
        }
        Ok(())
    }

    /// Adds a layer; one without nodes is left out.
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
        let Some(place) = &self.setting.terrain_file else { return Ok(()) };
        let read = || {
            let source = self.context.install.open(place)?;
            if source.len() > crate::terrain::LONGEST {
                return Err(Error::limit("the file is too large"));
            }
            let grid = Grid::of(&Terrain::read(&source.read_all()?)?);
            crate::terrain::scene::check_size(&grid)?;
            Ok(grid)
        };
        let grid = match read() {
            Ok(grid) => grid,
            Err(error) => {
                let message = format!("{} is left out: {}", place.path(), error.message());
                self.report.warn(&crate::map::warning::NO_TERRAIN, message);
                return Ok(());
            }
        };
        let ground = self.setting.world.as_ref().map(Place::of_world).unwrap_or_default();
        let options = TerrainOptions::from_options(self.context, target);
        let materials = self.library.materials(Version::V4_0)?;
        crate::terrain::scene::add(&mut self.scene, self.root, &grid, &ground, options, materials);
        Ok(())
    }

    fn visibility(&mut self) -> Result<()> {
        let path = format!("maps/{}.PVO", self.around.stem);
        let Some(found) = self.context.install.find(&path).found() else {
            self.report.warn(&crate::map::warning::NO_TREE, format!("{path} was not found"));
            return Ok(());
        };
        let node = self.scene.add_node(layer_node(Layer::Visibility));
        let read = self.context.install.open(&found.location);
        let read = read.and_then(|source| crate::visibility::Visibility::read(&source.read_all()?));
        let (axes, scale) = (self.options.axes, self.options.scale);
        let added =
            read.and_then(|tree| crate::visibility::scene::add(&mut self.scene, node, &tree, axes, scale));
        if let Err(error) = added {
            let message = format!("{} is left out: {}", found.location.path(), error.message());
            self.report.warn(&crate::map::warning::NO_TREE, message);
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
                let message = format!("the clips from those of {title} on are left out: {}", error.message());
                self.report.warn(&crate::map::warning::NO_CLIPS, message);
                break;
            }
        }
        Ok(())
    }
}

/// The node of a layer.
fn layer_node(layer: Layer) -> Node {
    Node { layer: Some(scene::Layer::Whole), ..Node::named(layer.name()) }
}

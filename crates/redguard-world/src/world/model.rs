//! Single models as a format, with their textures, frames and held items.

use ::scene::Scene;
use asset::preset::PRESET;
use asset::typed_view::{Unit, UnitField};
use asset::{
    Asset, Context, Description, Detail, Format, Import, Items, NameKind, Names, Offered, Parts, Probe,
    ProductContext, ProductKind, Products, Report, ScenePart, Score, Target, Unpacked,
};
use record::{Result, Source};

use super::attachment::{self, GRIP};
use super::clip::{Clip, Step};
use super::held::{self, HOLD, Holder, STATE};
use super::library::Library;
use crate::axes::AXES;
use crate::lighting::Light;
use crate::map::Surroundings;
use crate::model::collision::{self, CollisionMeshes};
use crate::model::interpretation::{DELTA_SIGN, UV};
use crate::model::options::MeshOptions;
use crate::model::scene::{Materials, of_model};
use crate::model::{
    CODES, EXTENSIONS, FaceTexture, Model, ModelLayer, Version, check, describe, import, warning,
};
use redguard_files::picture::INDEX_0;
use redguard_files::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE};

/// The model format.
pub static FORMAT: Format = Format::new("redguard.3d", "Redguard model", open)
    .game("redguard")
    .extensions(EXTENSIONS)
    .probe(probe)
    .pack(pack)
    .import(Import {
        extensions: EXTENSIONS,
        options: &[],
        make: |scene, report| Ok(import::import(scene, report)?.into()),
    })
    .products(&[
        Offered { kind: ProductKind::Scene, about: "the model with its textures and frames" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .record::<Model>()
    .options(ModelOptions::DECLARED)
    .names(Names::of_file(NameKind::Model).reported(|asset, _, take| {
        asset.typed::<Model>().into_iter().for_each(|model| describe::visit_textures(model, "", take));
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Model::read(&source.read_all()?)?))
}

asset::format_options! {
    /// Options for the scene of a model.
    pub struct ModelOptions {
        /// A palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// The palette that takes precedence.
        palette_source: redguard_files::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether to use the palette like the Glide renderer: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// Whether palette color 0 is transparent; `None` uses the setting of the file.
        key_color: Option<media::picture::Index0> = INDEX_0;
        /// The rotation of the game's axes.
        axes: crate::axes::Axes = AXES;
        /// The combination of frame deltas with the reference frame.
        delta_sign: crate::model::DeltaSign = DELTA_SIGN;
        /// The derivation of texture coordinates after the third corner of a face.
        uv: crate::model::LaterCornerUvs = UV;
        /// The item held by the model: its number or name in `ITEM.INI`, or a model file.
        hold: &str = HOLD;
        /// The location of the item.
        state: crate::engine::held::Weapon = STATE;
        /// The indices of the two vertices that hold the item, as `A,B`.
        grip: &str = GRIP;
        /// Layers to add.
        with: &[ModelLayer] = collision::WITH;
        /// The program for which the scene is built; it sets defaults for other options.
        preset: Option<::scene::Engine> = PRESET;
    }
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    Version::ALL.iter().any(|version| file.starts_with(version.text().as_bytes())).then_some(Score::CERTAIN)
}

impl Asset for Model {
    fn describe(&self, detail: Detail) -> Description {
        describe::describe(self, detail)
    }

    fn items(&self) -> Items {
        describe::items(self)
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    /// Returns the path of the first face of a primitive, which represents several faces; its extras begin with that face: `0-3/4`, `17/4`.
    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        let first: usize = part.text("faces")?.split(['-', '/']).next()?.parse().ok()?;
        let faces = match self {
            Self::Glide(_) => "faces",
            Self::Software(_) => "planes",
        };
        Some(format!("{faces}[{first}]"))
    }

    fn unit_fields(&self) -> &'static [UnitField] {
        const fn units(owner: &'static str, stored: &'static str, name: &'static str) -> UnitField {
            UnitField { owner, stored, name, unit: Unit::UNITS_OF_256THS }
        }
        const FIELDS: [UnitField; 5] = [
            units("glide", "vertices", "vertices_units"),
            units("glide/header", "radius", "radius_units"),
            units("software/header", "radius", "radius_units"),
            FaceTexture::glide_field("glide/faces/*"),
            FaceTexture::software_field("software/planes/*"),
        ];
        &FIELDS
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let around = context.clone();
        let make = move |making: &mut ProductContext<'_>| scene(self, &around, &target, making.report);
        Ok(Products::new(context, target).with_scene(make).with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)
    }
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let model: Model = folder.typed()?;
    model.write()
}

/// Builds the scene of a model and the requested item in its hand.
pub(super) fn scene(
    model: &Model,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    let options = MeshOptions::from_options(context, target);
    let mut materials = Materials::new(context, model.version())?;
    let mut scene = of_model(model, target, options, &mut materials, report)?;
    if context.options.has(&collision::WITH, &ModelLayer::Collision) {
        add_collision(model, target.name, options, &mut scene, report);
    }
    if context.options.text(&HOLD).is_none() {
        materials.report_problems(report);
        return Ok(scene);
    }
    let around = Surroundings::new(context);
    let library = Library::new(context, &around, None, options, Light::Plain);
    let mut library = library.with_materials(model.version(), materials);
    hold(model, context, target, &mut scene, &mut library, report)?;
    library.report_problems(report);
    Ok(scene)
}

/// Adds the collision faces of a model.
fn add_collision(model: &Model, name: &str, options: MeshOptions, scene: &mut Scene, report: &mut Report) {
    let Some(root) = scene.roots.first().copied() else { return };
    let is_added = CollisionMeshes::default().add_to_model(scene, (root, name), model, options);
    let message = match (is_added, model.version().has_loaded_nodes()) {
        (true, true) => return,
        (true, false) => format!("the game does not load the collision nodes of {} models", model.version()),
        (false, _) => "the model has no collision faces".to_owned(),
    };
    report.warn(&warning::PASSABLE, message);
}

/// Adds the requested item to the hand of a model, where it follows the frames.
fn hold(
    model: &Model,
    context: &Context<'_>,
    target: &Target<'_>,
    scene: &mut Scene,
    library: &mut Library<'_>,
    report: &mut Report,
) -> Result<()> {
    let Some(root) = scene.roots.first().copied() else { return Ok(()) };
    let holder = Holder {
        node: root,
        name: target.name,
        models: &[Some(model)],
        find_vertices: &|point, report| attachment::of_maps(context, point, report).map(Some),
    };
    let held = held::add(scene, &holder, context, library, report)?;
    if let (Some(held), Some(frames)) = (held, scene.animations.first_mut()) {
        frames.tracks.extend(held.tracks(&all_frames(model)));
    }
    Ok(())
}

/// Returns a clip of all frames of a model in order, one per tick.
fn all_frames(model: &Model) -> Clip {
    let frames = 0..model.frame_count();
    let steps = (0_u32..).zip(frames).map(|(start, frame)| Step { model: 0, frame, start });
    let steps: Vec<Step> = steps.collect();
    Clip { ticks: steps.last().map_or(0, |step| step.start), steps, ..Clip::default() }
}

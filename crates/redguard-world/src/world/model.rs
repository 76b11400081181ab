//! Single models as a format: with their textures and frames, and with what they hold.

use ::scene::Scene;
use asset::preset::PRESET;
use asset::typed_view::{Unit, UnitField};
use asset::{
    Asset, Context, Description, Detail, Format, Import, Items, NameKind, Names, Offered, Parts, Probe,
    ProductContext, ProductKind, Products, Report, ScenePart, Score, Target, Unpacked, record_spans,
};
use record::{Result, Source};

use super::clip::{Clip, Step};
use super::grip::{self, GRIP};
use super::held::{self, HOLD, Holder, STATE};
use super::library::Library;
use crate::axes::AXES;
use crate::lighting::Light;
use crate::map::Surroundings;
use crate::model::interpretation::{DELTA_SIGN, UV};
use crate::model::options::MeshOptions;
use crate::model::scene::{Materials, of_model};
use crate::model::{CODES, EXTENSIONS, FaceTexture, Model, Version, check, describe, import};
use redguard_files::picture::INDEX_0;
use redguard_files::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE};

/// Models.
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
    .spans(record_spans::<Model>)
    .options(ModelOptions::DECLARED)
    .names(Names::of_file(NameKind::Model).told(|asset, _, take| {
        asset.typed::<Model>().into_iter().for_each(|model| describe::tell_textures(model, "", take));
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Model::read(&source.read_all()?)?))
}

asset::format_options! {
    /// How the scene of a model is made.
    pub struct ModelOptions {
        /// A palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// Which palette takes precedence.
        palette_source: redguard_files::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether the palette is used as the Glide renderer does: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// Whether palette color 0 is transparent; `None` as the file says.
        key_color: Option<media::picture::Index0> = INDEX_0;
        /// How the axes of the game are rotated.
        axes: crate::axes::Axes = AXES;
        /// How frame deltas are combined with the reference frame.
        delta_sign: crate::model::DeltaSign = DELTA_SIGN;
        /// How texture coordinates after the third corner of a face are determined.
        uv: crate::model::LaterCornerUvs = UV;
        /// An item that the model holds: its number or name in `ITEM.INI`, or the file of a model.
        hold: &str = HOLD;
        /// Where the item is.
        state: crate::engine::held::Weapon = STATE;
        /// The numbers of the two vertices that hold the item, as `A,B`.
        grip: &str = GRIP;
        /// The program that the scene is made for; it chooses other options where nothing is chosen here.
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

    /// A primitive stands for several faces; its extras begin with the first: `0-3/4`, `17/4`.
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

/// Makes the scene of a model, and of the item that was asked for in its hand.
pub(super) fn scene(
    model: &Model,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    let options = MeshOptions::from_options(context, target);
    let mut materials = Materials::new(context, model.version())?;
    let mut scene = of_model(model, target, options, &mut materials, report)?;
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

/// Puts the item that was asked for into the hand of a model, where it follows the frames.
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
        grip: &|hold, report| grip::of_maps(context, hold, report).map(Some),
    };
    let held = held::add(scene, &holder, context, library, report)?;
    if let (Some(held), Some(frames)) = (held, scene.animations.first_mut()) {
        frames.tracks.extend(held.tracks(&all_frames(model)));
    }
    Ok(())
}

/// The frames of a model one after another, one in each tick.
fn all_frames(model: &Model) -> Clip {
    let frames = 0..model.frame_count();
    let steps = (0_u32..).zip(frames).map(|(start, frame)| Step { model: 0, frame, start });
    let steps: Vec<Step> = steps.collect();
    Clip { ticks: steps.last().map_or(0, |step| step.start), steps, ..Clip::default() }
}

//! The models of a map as meshes of its scene, each once.

use std::collections::BTreeMap;

use asset::{Context, Report, counted};
use record::{Error, Result};
use scene::{MeshId, Scene, Shading, Sidedness};

use crate::lighting::Light;
use crate::map::model::ReadModel;
use crate::map::{FoundModel, Object, Surroundings, warning};
use crate::model::options::MeshOptions;
use crate::model::rob::SegmentHeader;
use crate::model::scene::{CornerLight, DrawStyle, Materials, Sampling};
use crate::model::{EXTENSIONS, Model, Version};
use redguard_files::picture::Renderer;

/// The meshes of a scene have no more corners, over all their frames. The largest map of the game has a tenth of it.
const MOST_CORNERS: usize = 8 << 20;

/// The lists of models of all objects, and what is shown of them, are no longer. All maps of the game together have 1,107 models.
pub(super) const MOST_MODELS: usize = 1 << 16;

/// Bit 0 of a model's attributes: its texels are not mixed.
const POINT_FILTER: u8 = 1;

/// What lights the corners of a model.
pub(super) type Lit<'l> = &'l dyn Fn(&CornerLight) -> [u8; 3];

/// The models of a map.
pub(super) struct Library<'a> {
    context: &'a Context<'a>,
    around: &'a Surroundings<'a>,
    /// The palette of the world.
    palette: Option<String>,
    options: MeshOptions,
    lighting: Light,
    models: BTreeMap<String, Option<ReadModel>>,
    meshes: BTreeMap<(String, Option<u16>), Option<MeshId>>,
    /// One set for each renderer whose models there are.
    materials: Vec<(Renderer, Materials<'a>)>,
    /// How many corners the meshes have.
    corners: usize,
    /// How often a model was left out because of them.
    left_out: usize,
}

/// A model that a record names.
pub(super) struct Shown {
    pub(super) found: FoundModel,
    read: ReadModel,
}

impl Shown {
    /// The model.
    pub(super) fn model(&self) -> Option<&Model> {
        self.read.model()
    }
}

impl<'a> Library<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        around: &'a Surroundings<'a>,
        palette: Option<String>,
        options: MeshOptions,
        lighting: Light,
    ) -> Self {
        Self {
            context,
            around,
            palette,
            options,
            lighting,
            models: BTreeMap::new(),
            meshes: BTreeMap::new(),
            materials: Vec::new(),
            corners: 0,
            left_out: 0,
        }
    }

    /// The same with the materials of models of a version, which are in the scene already.
    pub(super) fn with_materials(mut self, version: Version, materials: Materials<'a>) -> Self {
        self.materials.push((version.renderer(), materials));
        self
    }

    /// How models are converted.
    pub(super) const fn options(&self) -> MeshOptions {
        self.options
    }

    /// A model by its name.
    pub(super) fn named(&mut self, stem: &str, report: &mut Report) -> Option<Shown> {
        self.read(self.around.model(stem)?, report)
    }

    /// A model by its name in the folder of the file that is converted: of the same renderer, and without a game.
    pub(super) fn beside(&mut self, stem: &str, report: &mut Report) -> Option<Shown> {
        let folder = self.context.install.beside(self.context.location.as_ref()?);
        let file = folder.find_stem(stem, EXTENSIONS).found()?.location.path().to_string();
        self.read(FoundModel { file, header: None, is_elsewhere: false }, report)
    }

    /// A model in the list of an object: by its name, as everything else, or where its path says.
    pub(super) fn of_object(&mut self, path: &str, stem: &str, report: &mut Report) -> Option<Shown> {
        let found = self.around.model(stem).filter(|found| !found.is_elsewhere);
        let found = found.or_else(|| self.around.animated_model(path)).or_else(|| self.around.model(stem))?;
        self.read(found, report)
    }

    /// Reads a model once. That it cannot be read, or that the game would not have it, is told once.
    fn read(&mut self, found: FoundModel, report: &mut Report) -> Option<Shown> {
        let known = self.models.get(&found.file).cloned();
        let read = known.unwrap_or_else(|| {
            let read = self.read_first(&found, report);
            self.models.insert(found.file.clone(), read.clone());
            read
        });
        Some(Shown { found, read: read? })
    }

    fn read_first(&self, found: &FoundModel, report: &mut Report) -> Option<ReadModel> {
        if found.is_elsewhere {
            report.warn(
                &warning::FROM_OTHER_MAP,
                format!(
                    "{} is in the archive of another map, which the game does not load with this one",
                    found.file
                ),
            );
        }
        let why = match found.read(self.context) {
            Ok(read) if read.model().is_some() => return Some(read),
            Ok(_) => "it is damaged".to_owned(),
            Err(error) => error.message().to_owned(),
        };
        report.warn(&warning::UNREADABLE_MODEL, format!("{} cannot be read: {why}", found.file));
        None
    }

    /// The mesh of a model: one for all that stand there, or one of its own with its own light. `bank` takes the place of the banks of its
    /// images. `None` where it has no valid face.
    pub(super) fn mesh(
        &mut self,
        scene: &mut Scene,
        shown: &Shown,
        bank: Option<u16>,
        lit: Option<Lit<'_>>,
        report: &mut Report,
    ) -> Result<Option<MeshId>> {
        let Some(model) = shown.model() else { return Ok(None) };
        // The game gives other banks to animated models alone.
        let bank = bank.filter(|_| model.frame_count() > 1);
        let key = (shown.found.file.clone(), bank);
        if lit.is_none()
            && let Some(known) = self.meshes.get(&key)
        {
            return Ok(*known);
        }
        let is_new = !self.meshes.contains_key(&key);
        let corners = model.faces().iter().map(|face| face.corners.len()).sum::<usize>();
        let all = self.corners.saturating_add(corners.saturating_mul(model.frame_count()));
        if all > MOST_CORNERS {
            self.left_out = self.left_out.saturating_add(1);
            return Ok(None);
        }
        self.corners = all;
        let style = self.style(shown.found.header.as_ref());
        let options = MeshOptions { bank, style, ..self.options };
        let name = shown.found.file.rsplit(['/', ':']).next().unwrap_or_default();
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        // What is amiss with a model is told once, however often it stands there.
        let mut found = Report::new();
        let materials = self.materials(model.version())?;
        let mesh = options.lit_mesh(model, name, scene, materials, &mut found, lit)?;
        if is_new {
            for it in &found {
                report.warn(&warning::MODEL_NOTE, format!("{}: {}", shown.found.file, it.message));
            }
        }
        self.meshes.insert(key, mesh);
        Ok(mesh)
    }

    /// How a model is drawn.
    fn style(&self, header: Option<&SegmentHeader>) -> DrawStyle {
        let is_point = header.is_some_and(|header| header.attributes & POINT_FILTER != 0);
        DrawStyle {
            keyed: header.is_some_and(SegmentHeader::is_keyed),
            sampling: if is_point { Sampling::Nearest } else { Sampling::Smooth },
            alpha: header.map(SegmentHeader::render_mode).filter(|alpha| (1..=253).contains(alpha)),
            sidedness: Sidedness::Single,
            shading: self.shading(),
        }
    }

    /// Whether the lights of a viewer reach what the game has lit.
    pub(super) const fn shading(&self) -> Shading {
        match self.lighting {
            Light::Plain => Shading::Lit,
            Light::Baked => Shading::Unlit,
        }
    }

    /// The materials of the models of a renderer.
    pub(super) fn materials(&mut self, version: Version) -> Result<&mut Materials<'a>> {
        let renderer = version.renderer();
        let known = self.materials.iter().position(|(known, _)| *known == renderer);
        let index = match known {
            Some(index) => index,
            None => {
                let materials = Materials::of_world(self.context, version, self.palette.as_deref())?;
                self.materials.push((renderer, materials));
                self.materials.len().saturating_sub(1)
            }
        };
        let found = self.materials.get_mut(index).map(|(_, materials)| materials);
        found.ok_or_else(|| Error::unsupported("no such renderer"))
    }

    /// Tells of textures and palettes that are not as the game has them.
    pub(super) fn report_problems(&self, report: &mut Report) {
        if self.left_out > 0 {
            let nodes = counted(self.left_out, "node", "nodes");
            let message =
                format!("the models have more than {MOST_CORNERS} corners; those of {nodes} are left out");
            report.warn(&warning::CORNERS, message);
        }
        for (_, materials) in &self.materials {
            materials.report_problems(report);
        }
    }
}

/// The bank that takes the place of those of its images.
pub(super) fn bank_of(object: &Object) -> Option<u16> {
    u16::try_from(object.texture_set).ok().filter(|bank| *bank != 0)
}

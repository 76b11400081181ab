//! The models of a map as meshes of its scene, each added once.

use std::collections::BTreeMap;

use asset::{Context, Report, counted};
use record::{Error, Result};
use scene::{MeshId, Scene, Shading, Sidedness};

use crate::lighting::Light;
use crate::map::model::ReadModel;
use crate::map::{FoundModel, Object, Surroundings, warning};
use crate::model::options::MeshOptions;
use crate::model::rob::{Collision, SegmentHeader};
use crate::model::scene::{CornerLight, DrawStyle, Materials, Sampling};
use crate::model::{EXTENSIONS, Model, Version};
use redguard_files::picture::Renderer;

/// The maximum number of corners of all meshes of a scene, over all frames. The largest map of the game has a tenth of it.
const MAX_CORNERS: usize = 8 << 20;

/// The maximum total length of the model lists of all objects, and of the models shown. All maps of the game together have 1,107 models.
pub(super) const MAX_MODELS: usize = 1 << 16;

/// Bit 0 of a model's attributes: its texels are not filtered.
const POINT_FILTER: u8 = 1;

/// The function that lights the corners of a model.
pub(super) type LightFunction<'l> = &'l dyn Fn(&CornerLight) -> [u8; 3];

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
    /// One set for each renderer in use.
    materials: Vec<(Renderer, Materials<'a>)>,
    /// The number of corners of the meshes.
    corners: usize,
    /// The number of models skipped because of the corner limit.
    skipped: usize,
}

/// A model referenced by a record.
pub(super) struct LoadedModel {
    pub(super) found: FoundModel,
    read: ReadModel,
}

impl LoadedModel {
    /// Returns the model.
    pub(super) fn model(&self) -> Option<&Model> {
        self.read.model()
    }

    /// Returns the collision test of the game with the model. A model outside of archives has no flags.
    pub(super) fn collision(&self) -> Collision {
        self.found.header.as_ref().map_or(Collision::Faces, SegmentHeader::collision)
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
            skipped: 0,
        }
    }

    /// Adds the materials for models of a version that are already in the scene.
    pub(super) fn with_materials(mut self, version: Version, materials: Materials<'a>) -> Self {
        self.materials.push((version.renderer(), materials));
        self
    }

    /// Returns the options for the conversion of models.
    pub(super) const fn options(&self) -> MeshOptions {
        self.options
    }

    /// Loads a model by its name.
    pub(super) fn by_name(&mut self, stem: &str, report: &mut Report) -> Option<LoadedModel> {
        self.read(self.around.model(stem)?, report)
    }

    /// Loads a model by its name from the folder of the converted file: it has the same renderer, and needs no game.
    pub(super) fn sibling(&mut self, stem: &str, report: &mut Report) -> Option<LoadedModel> {
        let folder = self.context.install.folder_of(self.context.location.as_ref()?);
        let file = folder.find_stem(stem, EXTENSIONS).found()?.location.path().to_string();
        self.read(FoundModel { file, header: None, is_elsewhere: false }, report)
    }

    /// Loads a model of an object's list: by its name like any other model, or by its path.
    pub(super) fn of_object(&mut self, path: &str, stem: &str, report: &mut Report) -> Option<LoadedModel> {
        let found = self.around.model(stem).filter(|found| !found.is_elsewhere);
        let found = found.or_else(|| self.around.animated_model(path)).or_else(|| self.around.model(stem))?;
        self.read(found, report)
    }

    /// Reads a model once. Read errors, and models that the game would not load, are reported once.
    fn read(&mut self, found: FoundModel, report: &mut Report) -> Option<LoadedModel> {
        let cached = self.models.get(&found.file).cloned();
        let read = cached.unwrap_or_else(|| {
            let read = self.read_uncached(&found, report);
            self.models.insert(found.file.clone(), read.clone());
            read
        });
        Some(LoadedModel { found, read: read? })
    }

    fn read_uncached(&self, found: &FoundModel, report: &mut Report) -> Option<ReadModel> {
        if found.is_elsewhere {
            report.warn(
                &warning::FROM_OTHER_MAP,
                format!(
                    "{} is in the archive of another map, which the game does not load with this one",
                    found.file
                ),
            );
        }
        let reason = match found.read(self.context) {
            Ok(read) if read.model().is_some() => return Some(read),
            Ok(_) => "it is damaged".to_owned(),
            Err(error) => error.message().to_owned(),
        };
        report.warn(&warning::UNREADABLE_MODEL, format!("{} cannot be read: {reason}", found.file));
        None
    }

    /// Returns the mesh of a model, shared by all its instances, or a separate mesh if the light is baked. `bank` replaces the banks of its
    /// images. `None` if it has no valid face.
    pub(super) fn mesh(
        &mut self,
        scene: &mut Scene,
        loaded: &LoadedModel,
        bank: Option<u16>,
        light: Option<LightFunction<'_>>,
        report: &mut Report,
    ) -> Result<Option<MeshId>> {
        let Some(model) = loaded.model() else { return Ok(None) };
        // The game replaces the banks of animated models only.
        let bank = bank.filter(|_| model.frame_count() > 1);
        let key = (loaded.found.file.clone(), bank);
        if light.is_none()
            && let Some(cached) = self.meshes.get(&key)
        {
            return Ok(*cached);
        }
        let is_new = !self.meshes.contains_key(&key);
        let corners = model.faces().iter().map(|face| face.corners.len()).sum::<usize>();
        let total = self.corners.saturating_add(corners.saturating_mul(model.frame_count()));
        if total > MAX_CORNERS {
            self.skipped = self.skipped.saturating_add(1);
            return Ok(None);
        }
        self.corners = total;
        let style = self.style(loaded.found.header.as_ref());
        let options = MeshOptions { bank, style, ..self.options };
        let name = loaded.found.name();
        // Defects of a model are reported once, regardless of the number of its instances.
        let mut found = Report::new();
        let materials = self.materials(model.version())?;
        let mesh = options.lit_mesh(model, name, scene, materials, &mut found, light)?;
        if is_new {
            for it in &found {
                report.warn(&warning::MODEL_NOTE, format!("{}: {}", loaded.found.file, it.message));
            }
        }
        self.meshes.insert(key, mesh);
        Ok(mesh)
    }

    /// Returns the draw style of a model.
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

    /// Returns the shading: unlit if the game's light is baked.
    pub(super) const fn shading(&self) -> Shading {
        match self.lighting {
            Light::Plain => Shading::Lit,
            Light::Baked => Shading::Unlit,
        }
    }

    /// Returns the materials of a version's renderer, and creates them on first use.
    pub(super) fn materials(&mut self, version: Version) -> Result<&mut Materials<'a>> {
        let renderer = version.renderer();
        let position = self.materials.iter().position(|(other, _)| *other == renderer);
        let index = match position {
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

    /// Reports textures and palettes that differ from the game's, and skipped models.
    pub(super) fn report_problems(&self, report: &mut Report) {
        if self.skipped > 0 {
            let nodes = counted(self.skipped, "node", "nodes");
            let message =
                format!("the models have more than {MAX_CORNERS} corners; the models of {nodes} are skipped");
            report.warn(&warning::CORNERS, message);
        }
        for (_, materials) in &self.materials {
            materials.report_problems(report);
        }
    }
}

/// Returns the bank that replaces the banks of an object's images.
pub(super) fn bank_of(object: &Object) -> Option<u16> {
    u16::try_from(object.texture_set).ok().filter(|bank| *bank != 0)
}

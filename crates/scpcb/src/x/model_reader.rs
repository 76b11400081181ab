//! State of reading a model: the model so far, and an index of named objects.

use std::collections::BTreeMap;

use asset::Report;
use record::{Error, Kind, Result};

use super::XFile;
use super::layout::Skipped;
use super::object::{Object, Objects};
use super::value::Values;
use super::warning;

/// Builds the model from the object tree.
pub(super) struct ModelReader<'a> {
    pub(super) objects: &'a Objects<'a>,
    pub(super) report: &'a mut Report,
    pub(super) file: XFile,
    /// Index into [`XFile::materials`] and [`XFile::meshes`] of each object, by its index among all objects.
    pub(super) materials: BTreeMap<usize, usize>,
    pub(super) meshes: BTreeMap<usize, usize>,
    /// Objects by template and name or GUID. Of several with one name, the first one.
    names: BTreeMap<(Class, &'a [u8]), usize>,
    guids: BTreeMap<[u8; 16], usize>,
    /// Whether a frame refers to each mesh.
    pub(super) is_named: Vec<bool>,
    skipped: Vec<(String, usize)>,
    skipped_indices: BTreeMap<String, usize>,
}

/// Templates of objects that others can refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Frame,
    Mesh,
    Material,
    Texture,
}

impl Class {
    const ALL: [Self; 4] = [Self::Frame, Self::Mesh, Self::Material, Self::Texture];

    const fn template(self) -> &'static str {
        match self {
            Self::Frame => "Frame",
            Self::Mesh => "Mesh",
            Self::Material => "Material",
            Self::Texture => "TextureFilename",
        }
    }

    /// Returns the maximum number in a file. Each object costs far more memory than the few letters that it takes in a file.
    pub(super) const fn limit(self) -> usize {
        match self {
            Self::Frame => 1 << 15,
            Self::Mesh => 1 << 13,
            Self::Material | Self::Texture => 1 << 12,
        }
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Mesh => "mesh",
            Self::Material => "material",
            Self::Texture => "texture",
        }
    }
}

impl<'a> ModelReader<'a> {
    pub(super) fn new(objects: &'a Objects<'a>, report: &'a mut Report) -> Result<Self> {
        let mut reader = Self {
            objects,
            report,
            file: XFile::new(objects.content.header),
            materials: BTreeMap::new(),
            meshes: BTreeMap::new(),
            names: BTreeMap::new(),
            guids: BTreeMap::new(),
            is_named: Vec::new(),
            skipped: Vec::new(),
            skipped_indices: BTreeMap::new(),
        };
        reader.file.templates = objects.templates;
        reader.index()?;
        Ok(reader)
    }

    /// Indexes the named objects, which may precede or follow references to them.
    fn index(&mut self) -> Result<()> {
        let mut counts: BTreeMap<Class, usize> = BTreeMap::new();
        for object in self.objects.all().iter().filter(|object| !object.is_reference()) {
            let index = Objects::index(object);
            let Some(class) = Class::ALL.into_iter().find(|class| self.objects.is(object, class.template()))
            else {
                continue;
            };
            let count = counts.entry(class).or_default();
            *count = count.saturating_add(1);
            if *count > class.limit() {
                let message = format!("more than {} objects of template {}", class.limit(), class.template());
                return Err(self.objects.content.error(Kind::Limit, object.start, &message));
            }
            match class {
                Class::Material => {
                    let next = self.materials.len();
                    self.materials.insert(index, next);
                }
                Class::Mesh => {
                    let next = self.meshes.len();
                    self.meshes.insert(index, next);
                }
                Class::Frame | Class::Texture => {}
            }
            if !object.name.is_empty() {
                let name = self.objects.content.get(object.name.clone());
                self.names.entry((class, name)).or_insert(index);
            }
            if let Some(guid) = object.guid {
                self.guids.entry(guid).or_insert(index);
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> XFile {
        let Self { mut file, skipped, report, .. } = self;
        for (class, count) in skipped {
            let message = match count {
                1 => format!("unknown object of template {class:.40} is left out"),
                _ => {
                    format!("{count} unknown objects of template {class:.40} are left out")
                }
            };
            report.warn(&warning::SKIPPED, message);
            file.skipped.push(Skipped { class, count });
        }
        file
    }

    /// Counts an object that is not read.
    pub(super) fn skip(&mut self, object: &Object) {
        let class = if object.is_reference() {
            "(the name of another object)".to_owned()
        } else {
            self.objects.class(object)
        };
        let next = self.skipped.len();
        let index = *self.skipped_indices.entry(class.clone()).or_insert(next);
        match self.skipped.get_mut(index) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => self.skipped.push((class, 1)),
        }
    }

    /// Reads an object that is left out if it is damaged.
    pub(super) fn part(
        &mut self,
        object: &Object,
        read: impl FnOnce(&mut Values<'a>, &mut XFile) -> Result<()>,
    ) {
        let mut values = Values::new(self.objects.content, object);
        let result = read(&mut values, &mut self.file);
        if let Err(error) = result {
            self.damaged(object, &error);
        } else {
            self.check_end(object, values);
        }
    }

    /// Reports an object that cannot be read.
    pub(super) fn damaged(&mut self, object: &Object, error: &Error) {
        let class = self.objects.class(object);
        let message = format!("{class:.40} is left out: {}", error.message());
        let at = error.offset().unwrap_or_else(|| self.objects.content.offset(object.start));
        self.report.warn(&warning::PART, message).at(at).in_field(error.path());
    }

    /// Reports values after the last one of an object.
    pub(super) fn check_end(&mut self, object: &Object, values: Values<'a>) {
        if let Some(at) = values.left_over() {
            let content = self.objects.content;
            let class = self.objects.class(object);
            let message = content.located(at, &format!("{class:.40} has trailing values"));
            self.report.warn(&warning::LEFT_OVER, message).at(content.offset(at));
        }
    }

    /// Resolves a reference to an object of a template.
    pub(super) fn resolve(&mut self, reference: &Object, class: Class) -> Option<usize> {
        let by_guid = reference.guid.and_then(|guid| self.guids.get(&guid).copied());
        let by_guid = by_guid.filter(|index| {
            self.objects.all().get(*index).is_some_and(|object| self.objects.is(object, class.template()))
        });
        let name = self.objects.content.get(reference.name.clone());
        let found = by_guid.or_else(|| self.names.get(&(class, name)).copied());
        if found.is_none() {
            let content = self.objects.content;
            let name = self.objects.name(reference).unwrap_or_else(|| "a GUID".to_owned());
            let message = format!("the {} \"{name:.80}\" is not in the file", class.noun());
            let message = content.located(reference.start, &message);
            self.report.warn(&warning::UNRESOLVED, message).at(content.offset(reference.start));
        }
        found
    }

    /// Returns the index into [`XFile::materials`] of a material or a reference to one.
    pub(super) fn material_index(&mut self, object: &Object) -> Option<usize> {
        let index = if object.is_reference() {
            self.resolve(object, Class::Material)?
        } else {
            Objects::index(object)
        };
        self.materials.get(&index).copied()
    }

    /// Returns the name of the referenced frame. A frame that is not in this file may be in another one.
    pub(super) fn frame_name(&mut self, reference: &Object) -> Option<String> {
        match self.resolve_frame(reference) {
            Some(index) => self.objects.all().get(index).and_then(|frame| self.objects.name(frame)),
            None => self.objects.name(reference),
        }
    }

    fn resolve_frame(&self, reference: &Object) -> Option<usize> {
        let name = self.objects.content.get(reference.name.clone());
        let by_guid = || reference.guid.and_then(|guid| self.guids.get(&guid).copied());
        self.names.get(&(Class::Frame, name)).copied().or_else(by_guid)
    }
}

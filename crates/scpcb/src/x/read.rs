//! From the tree of objects to the typed model.

use std::collections::BTreeMap;

use asset::Report;
use record::{Error, Kind, Result};

use super::XFile;
use super::animation;
use super::content::Content;
use super::layout::{FileHeader, Frame, Material, Skipped};
use super::mesh;
use super::object::{Object, Objects};
use super::value::Values;
use super::warning;

/// A file in the reading.
pub(super) struct Reading<'a> {
    pub(super) objects: &'a Objects<'a>,
    pub(super) report: &'a mut Report,
    file: XFile,
    /// Which place in [`XFile::materials`] and [`XFile::meshes`] each object has, by its index among all objects.
    materials: BTreeMap<usize, usize>,
    meshes: BTreeMap<usize, usize>,
    /// Objects by template (in lower case) and name or GUID; the first of a name.
    names: BTreeMap<(Class, &'a [u8]), usize>,
    guids: BTreeMap<[u8; 16], usize>,
    /// Meshes that a frame names.
    is_named: Vec<bool>,
    skipped: Vec<(String, usize)>,
    skipped_places: BTreeMap<String, usize>,
}

/// What can be named by other objects.
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

    /// How many a file may have. Each of them costs far more memory than the few letters it takes in a file.
    pub(super) const fn most(self) -> usize {
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

/// Reads a whole file.
pub(super) fn read(bytes: &[u8], report: &mut Report) -> Result<XFile> {
    let content = Content::read(bytes)?;
    let header = content.header;
    if header.major != 3 || !matches!(header.minor, 2 | 3) {
        let message = format!("unknown version {:02}{:02}", header.major, header.minor);
        report.warn(&warning::VERSION, message).at(4);
    }
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if content.end < length {
        let left = length.saturating_sub(content.end);
        let message = format!("{left} trailing bytes after the last compressed block");
        report.warn(&warning::LEFT_OVER, message).at(content.end);
    }
    let objects = Objects::read(&content, report)?;
    let mut reading = Reading::new(&objects, report)?;
    reading.run()?;
    Ok(reading.finish())
}

impl<'a> Reading<'a> {
    fn new(objects: &'a Objects<'a>, report: &'a mut Report) -> Result<Self> {
        let mut reading = Self {
            objects,
            report,
            file: XFile::new(objects.content.header),
            materials: BTreeMap::new(),
            meshes: BTreeMap::new(),
            names: BTreeMap::new(),
            guids: BTreeMap::new(),
            is_named: Vec::new(),
            skipped: Vec::new(),
            skipped_places: BTreeMap::new(),
        };
        reading.file.templates = objects.templates;
        reading.index()?;
        Ok(reading)
    }

    /// Notes what can be named, so that it can be before or after its uses.
    fn index(&mut self) -> Result<()> {
        let mut counts: BTreeMap<Class, usize> = BTreeMap::new();
        for object in self.objects.all().iter().filter(|object| !object.is_reference()) {
            let place = Objects::place(object);
            let Some(class) = Class::ALL.into_iter().find(|class| self.objects.is(object, class.template()))
            else {
                continue;
            };
            let count = counts.entry(class).or_default();
            *count = count.saturating_add(1);
            if *count > class.most() {
                let message = format!("more than {} objects of template {}", class.most(), class.template());
                return Err(self.objects.content.error(Kind::Limit, object.start, &message));
            }
            match class {
                Class::Material => {
                    let next = self.materials.len();
                    self.materials.insert(place, next);
                }
                Class::Mesh => {
                    let next = self.meshes.len();
                    self.meshes.insert(place, next);
                }
                Class::Frame | Class::Texture => {}
            }
            if !object.name.is_empty() {
                let name = self.objects.content.get(object.name.clone());
                self.names.entry((class, name)).or_insert(place);
            }
            if let Some(guid) = object.guid {
                self.guids.entry(guid).or_insert(place);
            }
        }
        Ok(())
    }

    fn run(&mut self) -> Result<()> {
        let objects = self.objects;
        // Materials and meshes first, in the order of the file.
        for (place, number) in self.materials.clone() {
            let Some(object) = objects.all().get(place) else { continue };
            let material = self.material(object);
            let material = material.map_err(|error| error.in_item(number).in_field("materials"))?;
            self.file.materials.push(material);
        }
        for (place, number) in self.meshes.clone() {
            let Some(object) = objects.all().get(place) else { continue };
            let mesh = mesh::read(self, object, number);
            let mesh = mesh.map_err(|error| error.in_item(number).in_field("meshes"))?;
            self.file.meshes.push(mesh);
        }
        self.is_named = vec![false; self.file.meshes.len()];
        let mut top_meshes = Vec::new();
        for object in objects.top() {
            if objects.is(object, "Frame") {
                let number = self.file.frames.len();
                let frame = self.frame(object);
                let frame = frame.map_err(|error| error.in_item(number).in_field("frames"))?;
                self.file.frames.push(frame);
            } else if let Some(mesh) = self.meshes.get(&Objects::place(object)) {
                top_meshes.push(*mesh);
            } else if objects.is(object, "Material") || objects.is(object, "TextureFilename") {
                // Read above, or where a material names it.
            } else if objects.is(object, "AnimationSet") {
                let set = animation::read_set(self, object);
                self.file.animation_sets.push(set);
            } else if objects.is(object, "Animation") {
                let animations = animation::read(self, object).into_iter().collect();
                let set = super::layout::AnimationSet { name: None, animations };
                self.file.animation_sets.push(set);
            } else if objects.is(object, "AnimTicksPerSecond") {
                self.part(object, |values, file| {
                    file.ticks_per_second = Some(values.integer("ticks")?);
                    Ok(())
                });
            } else if objects.is(object, "Header") {
                self.part(object, |values, file| {
                    let [major, minor, flags] =
                        [values.integer("major")?, values.integer("minor")?, values.integer("flags")?];
                    file.file_header = Some(FileHeader { major, minor, flags });
                    Ok(())
                });
            } else {
                self.skip(object);
            }
        }
        // A mesh that a frame names is there, not in the list of unused meshes.
        top_meshes.retain(|mesh| !self.is_named.get(*mesh).copied().unwrap_or(false));
        self.file.top_meshes = top_meshes;
        Ok(())
    }

    fn finish(self) -> XFile {
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
        let place = *self.skipped_places.entry(class.clone()).or_insert(next);
        match self.skipped.get_mut(place) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => self.skipped.push((class, 1)),
        }
    }

    /// Reads an object that can be left out when it is damaged.
    fn part(&mut self, object: &Object, read: impl FnOnce(&mut Values<'a>, &mut XFile) -> Result<()>) {
        let mut values = Values::new(self.objects.content, object);
        let result = read(&mut values, &mut self.file);
        if let Err(error) = result {
            self.damaged(object, &error);
        } else {
            self.check_end(object, values);
        }
    }

    /// Reports a part that cannot be read.
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

    /// The object that is meant by the mention of one, if it is of this template.
    fn resolve(&mut self, reference: &Object, class: Class) -> Option<usize> {
        let by_guid = reference.guid.and_then(|guid| self.guids.get(&guid).copied());
        let by_guid = by_guid.filter(|place| {
            self.objects.all().get(*place).is_some_and(|object| self.objects.is(object, class.template()))
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

    /// The index in [`XFile::materials`] of a material, or of the one that is meant by the mention of one.
    pub(super) fn material_index(&mut self, object: &Object) -> Option<usize> {
        let place = if object.is_reference() {
            self.resolve(object, Class::Material)?
        } else {
            Objects::place(object)
        };
        self.materials.get(&place).copied()
    }

    /// The name of the frame that is meant. One that is not in the file may still be in another.
    pub(super) fn frame_name(&mut self, reference: &Object) -> Option<String> {
        match self.resolve_quietly(reference) {
            Some(place) => self.objects.all().get(place).and_then(|frame| self.objects.name(frame)),
            None => self.objects.name(reference),
        }
    }

    fn resolve_quietly(&self, reference: &Object) -> Option<usize> {
        let name = self.objects.content.get(reference.name.clone());
        let by_guid = || reference.guid.and_then(|guid| self.guids.get(&guid).copied());
        self.names.get(&(Class::Frame, name)).copied().or_else(by_guid)
    }

    fn frame(&mut self, object: &Object) -> Result<Frame> {
        let objects = self.objects;
        let mut frame = Frame { name: objects.name(object), ..Frame::default() };
        self.check_end(object, Values::new(objects.content, object));
        for child in objects.within(object) {
            if objects.is(child, "FrameTransformMatrix") {
                let mut values = Values::new(objects.content, child);
                let matrix = values.floats::<16>("matrix")?;
                self.check_end(child, values);
                frame.matrix = Some(rows(matrix));
            } else if objects.is(child, "Frame") {
                let number = frame.frames.len();
                let inner = self.frame(child);
                frame.frames.push(inner.map_err(|error| error.in_item(number).in_field("frames"))?);
            } else if child.is_reference() {
                let Some(place) = self.resolve(child, Class::Mesh) else { continue };
                if let Some(mesh) = self.meshes.get(&place).copied() {
                    frame.meshes.push(mesh);
                    if let Some(is_named) = self.is_named.get_mut(mesh) {
                        *is_named = true;
                    }
                }
            } else if let Some(mesh) = self.meshes.get(&Objects::place(child)) {
                frame.meshes.push(*mesh);
            } else {
                self.skip(child);
            }
        }
        Ok(frame)
    }

    fn material(&mut self, object: &Object) -> Result<Material> {
        let objects = self.objects;
        let mut values = Values::new(objects.content, object);
        let mut material = Material {
            name: objects.name(object),
            face_color: values.floats("face_color")?,
            power: values.float("power")?,
            specular_color: values.floats("specular_color")?,
            emissive_color: values.floats("emissive_color")?,
            texture: None,
        };
        self.check_end(object, values);
        for child in objects.within(object) {
            let texture = if child.is_reference() {
                self.resolve(child, Class::Texture).and_then(|place| objects.all().get(place))
            } else if objects.is(child, "TextureFilename") {
                Some(child)
            } else {
                self.skip(child);
                None
            };
            let Some(texture) = texture else { continue };
            let mut values = Values::new(objects.content, texture);
            match values.text("texture") {
                Ok(name) => {
                    material.texture = Some(name);
                    self.check_end(texture, values);
                }
                Err(error) => self.damaged(texture, &error),
            }
        }
        Ok(material)
    }
}

/// Sixteen numbers as the rows of a matrix.
pub(super) fn rows(numbers: [f32; 16]) -> [[f32; 4]; 4] {
    let (rows, _) = numbers.as_chunks::<4>();
    rows.try_into().unwrap_or_default()
}

//! Conversion of the object tree to the typed model.

use asset::Report;
use record::Result;

use super::XFile;
use super::animation;
use super::content::Content;
use super::layout::{FileHeader, Frame, Material};
use super::mesh;
use super::model_reader::{Class, ModelReader};
use super::object::{Object, Objects};
use super::value::{Values, rows};
use super::warning;

/// Reads a complete file.
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
    let mut reader = ModelReader::new(&objects, report)?;
    reader.run()?;
    Ok(reader.finish())
}

impl ModelReader<'_> {
    fn run(&mut self) -> Result<()> {
        let objects = self.objects;
        // Materials and meshes first, in file order.
        for (index, number) in self.materials.clone() {
            let Some(object) = objects.all().get(index) else { continue };
            let material = self.material(object);
            let material = material.map_err(|error| error.in_item(number).in_field("materials"))?;
            self.file.materials.push(material);
        }
        for (index, number) in self.meshes.clone() {
            let Some(object) = objects.all().get(index) else { continue };
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
            } else if let Some(mesh) = self.meshes.get(&Objects::index(object)) {
                top_meshes.push(*mesh);
            } else if objects.is(object, "Material") || objects.is(object, "TextureFilename") {
                // Read above, or by a material that refers to it.
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
        // A mesh that a frame refers to does not count as unused.
        top_meshes.retain(|mesh| !self.is_named.get(*mesh).copied().unwrap_or(false));
        self.file.top_meshes = top_meshes;
        Ok(())
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
                let Some(index) = self.resolve(child, Class::Mesh) else { continue };
                if let Some(mesh) = self.meshes.get(&index).copied() {
                    frame.meshes.push(mesh);
                    if let Some(is_named) = self.is_named.get_mut(mesh) {
                        *is_named = true;
                    }
                }
            } else if let Some(mesh) = self.meshes.get(&Objects::index(child)) {
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
                self.resolve(child, Class::Texture).and_then(|index| objects.all().get(index))
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

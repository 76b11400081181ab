//! Writes a model as text, or as binary tokens with 32-bit floats.
//!
//! Text strictly follows the specification, as the game's parser requires: `;` after every member, `,` between items, and another
//! `;` after a list. Templates that are not built into every program are declared.

use std::fmt::Write;

use asset::Charset;
use record::{Error, Result};

use super::XFile;
use super::header::{Encoding, Header};
use super::layout::{
    Animation, AnimationKeys, AnimationSet, Faces, Frame, KeyKind, Material, Mesh, SkinHeader, SkinWeights,
};
use super::token::binary;
use super::zip;

impl XFile {
    /// Writes all data of the model in the encoding of its header. Floats have 32 bits.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for numbers that are not finite, and for text that cannot be quoted.
    pub fn write(&self) -> Result<Vec<u8>> {
        let Header { major, minor, encoding, .. } = self.header;
        let name = match encoding {
            Encoding::Text => "txt ",
            Encoding::Binary => "bin ",
            Encoding::CompressedText => "tzip",
            Encoding::CompressedBinary => "bzip",
        };
        let header = format!("xof {major:02}{minor:02}{name}0032");
        let mut writer = Writer { is_binary: encoding.is_binary(), out: Vec::new(), depth: 0 };
        if !writer.is_binary {
            writer.out.extend(b"\n");
        }
        writer.file(self)?;
        let mut out = header.into_bytes();
        out.extend(if encoding.is_compressed() { zip::pack(&writer.out)? } else { writer.out });
        Ok(out)
    }
}

/// Name, GUID and members of a template.
type Template = (&'static str, &'static str, &'static [(Member, &'static str)]);

/// Templates of skins: names, GUIDs, and members as type tokens and names.
const TEMPLATES: [Template; 2] = [
    (
        "XSkinMeshHeader",
        "3CF169CE-FF7C-44AB-93C0-F78F62D172E2",
        &[
            (Member::Word, "nMaxSkinWeightsPerVertex"),
            (Member::Word, "nMaxSkinWeightsPerFace"),
            (Member::Word, "nBones"),
        ],
    ),
    (
        "SkinWeights",
        "6F0D123B-BAD2-4167-A0D0-80224F25FABB",
        &[
            (Member::Text, "transformNodeName"),
            (Member::Dword, "nWeights"),
            (Member::Dwords("nWeights"), "vertexIndices"),
            (Member::Floats("nWeights"), "weights"),
            (Member::Matrix, "matrixOffset"),
        ],
    ),
];

/// The type of a member of a template.
#[derive(Clone, Copy)]
enum Member {
    Word,
    Dword,
    Text,
    Matrix,
    /// An array whose length is another member.
    Dwords(&'static str),
    Floats(&'static str),
}

struct Writer {
    is_binary: bool,
    out: Vec<u8>,
    depth: usize,
}

impl Writer {
    fn file(&mut self, file: &XFile) -> Result<()> {
        if file.meshes.iter().any(|mesh| !mesh.skin_weights.is_empty()) {
            for template in TEMPLATES {
                self.template(template)?;
            }
        }
        if let Some(ticks) = file.ticks_per_second {
            self.open("AnimTicksPerSecond", None)?;
            self.integer(ticks);
            self.close();
        }
        for frame in &file.frames {
            self.frame(file, frame)?;
        }
        for mesh in file.top_meshes.iter().filter_map(|mesh| file.meshes.get(*mesh)) {
            self.mesh(file, mesh)?;
        }
        file.animation_sets.iter().try_for_each(|set| self.animation_set(set))
    }

    fn frame(&mut self, file: &XFile, frame: &Frame) -> Result<()> {
        self.open("Frame", frame.name.as_deref())?;
        if let Some(matrix) = frame.matrix {
            self.open("FrameTransformMatrix", None)?;
            self.matrix(matrix)?;
            self.close();
        }
        for mesh in frame.meshes.iter().filter_map(|mesh| file.meshes.get(*mesh)) {
            self.mesh(file, mesh)?;
        }
        for inner in &frame.frames {
            self.frame(file, inner)?;
        }
        self.close();
        Ok(())
    }

    fn mesh(&mut self, file: &XFile, mesh: &Mesh) -> Result<()> {
        self.open("Mesh", mesh.name.as_deref())?;
        self.vectors(&mesh.vertices)?;
        self.faces(&mesh.faces);
        if let Some(normals) = &mesh.normals {
            self.open("MeshNormals", None)?;
            self.vectors(&normals.directions)?;
            self.faces(&normals.faces);
            self.close();
        }
        if let Some(coords) = &mesh.texture_coords {
            self.open("MeshTextureCoords", None)?;
            self.vectors(coords)?;
            self.close();
        }
        if let Some(colors) = &mesh.vertex_colors {
            self.open("MeshVertexColors", None)?;
            self.integer(length(colors.len()));
            let mut words = Vec::with_capacity(colors.len());
            for color in colors {
                finite(&color.color)?;
                if self.is_binary {
                    self.integers(&[color.vertex]);
                    self.floats(&color.color);
                } else {
                    words.push(format!("{};{};;", color.vertex, members(&color.color)));
                }
            }
            self.list(&words);
            self.close();
        }
        if let Some(list) = &mesh.material_list {
            self.open("MeshMaterialList", None)?;
            self.integer(list.count);
            self.integer(length(list.face_indexes.len()));
            self.array(&list.face_indexes);
            for material in list.materials.iter().flatten().filter_map(|index| file.materials.get(*index)) {
                self.material(material)?;
            }
            self.close();
        }
        if let Some(SkinHeader { max_weights_per_vertex, max_weights_per_face, bones }) = mesh.skin_header {
            self.open("XSkinMeshHeader", None)?;
            [max_weights_per_vertex, max_weights_per_face, bones]
                .iter()
                .for_each(|count| self.integer(*count));
            self.close();
        }
        mesh.skin_weights.iter().try_for_each(|weights| self.skin_weights(weights))?;
        self.close();
        Ok(())
    }

    fn material(&mut self, material: &Material) -> Result<()> {
        self.open("Material", material.name.as_deref())?;
        self.structure(&material.face_color)?;
        self.structure_member(material.power)?;
        self.structure(&material.specular_color)?;
        self.structure(&material.emissive_color)?;
        if let Some(texture) = &material.texture {
            self.open("TextureFilename", None)?;
            self.text(texture)?;
            self.close();
        }
        self.close();
        Ok(())
    }

    fn skin_weights(&mut self, weights: &SkinWeights) -> Result<()> {
        self.open("SkinWeights", None)?;
        self.text(&weights.bone)?;
        self.integer(length(weights.vertices.len()));
        self.array(&weights.vertices);
        finite(&weights.weights)?;
        if self.is_binary {
            self.floats(&weights.weights);
        } else {
            let words: Vec<String> = weights.weights.iter().map(|weight| float(*weight)).collect();
            self.line(&format!("{};", words.join(",")));
        }
        self.matrix(weights.offset)?;
        self.close();
        Ok(())
    }

    fn animation_set(&mut self, set: &AnimationSet) -> Result<()> {
        self.open("AnimationSet", set.name.as_deref())?;
        for animation in &set.animations {
            self.animation(animation)?;
        }
        self.close();
        Ok(())
    }

    fn animation(&mut self, animation: &Animation) -> Result<()> {
        self.open("Animation", animation.name.as_deref())?;
        if let Some(frame) = &animation.frame {
            if self.is_binary {
                self.token(binary::OPEN_BRACE);
                self.name(frame)?;
                self.token(binary::CLOSE_BRACE);
            } else {
                word(frame)?;
                self.line(&format!("{{ {frame} }}"));
            }
        }
        if let Some(options) = animation.options {
            self.open("AnimationOptions", None)?;
            self.integer(options.open_closed);
            self.integer(options.position_quality);
            self.close();
        }
        animation.keys.iter().try_for_each(|keys| self.keys(keys))?;
        self.close();
        Ok(())
    }

    fn keys(&mut self, keys: &AnimationKeys) -> Result<()> {
        self.open("AnimationKey", None)?;
        self.integer(match keys.kind {
            KeyKind::Rotation => 0,
            KeyKind::Scale => 1,
            KeyKind::Position => 2,
            KeyKind::Matrix => 4,
        });
        self.integer(length(keys.times.len()));
        let mut words = Vec::new();
        for (time, values) in keys.iter() {
            finite(values)?;
            if self.is_binary {
                self.integers(&[time.cast_unsigned(), length(values.len())]);
                self.floats(values);
            } else {
                let numbers: Vec<String> = values.iter().map(|value| float(*value)).collect();
                words.push(format!("{time};{};{};;", values.len(), numbers.join(",")));
            }
        }
        self.list(&words);
        self.close();
        Ok(())
    }

    fn template(&mut self, (name, guid, members): Template) -> Result<()> {
        if !self.is_binary {
            self.line(&format!("template {name} {{"));
            self.line(&format!(" <{guid}>"));
            for (member, name) in members {
                self.line(&match member {
                    Member::Word => format!(" WORD {name};"),
                    Member::Dword => format!(" DWORD {name};"),
                    Member::Text => format!(" STRING {name};"),
                    Member::Matrix => format!(" Matrix4x4 {name};"),
                    Member::Dwords(count) => format!(" array DWORD {name}[{count}];"),
                    Member::Floats(count) => format!(" array FLOAT {name}[{count}];"),
                });
            }
            self.line("}");
            return Ok(());
        }
        self.token(binary::TEMPLATE);
        self.name(name)?;
        self.token(binary::OPEN_BRACE);
        self.token(binary::GUID);
        let bytes = super::object::parse_guid(guid.as_bytes()).unwrap_or_default();
        self.out.extend(bytes);
        for (member, name) in members {
            let (first, second) = match member {
                Member::Word => (WORD, None),
                Member::Dword => (DWORD, None),
                Member::Text => (LPSTR, None),
                Member::Matrix => (binary::NAME, None),
                Member::Dwords(count) => (DWORD, Some(count)),
                Member::Floats(count) => (FLOAT, Some(count)),
            };
            if second.is_some() {
                self.token(ARRAY);
            }
            match member {
                Member::Matrix => self.name("Matrix4x4")?,
                _ => self.token(first),
            }
            self.name(name)?;
            if let Some(count) = second {
                self.token(OPEN_BRACKET);
                self.name(count)?;
                self.token(CLOSE_BRACKET);
            }
            self.token(binary::SEMICOLON);
        }
        self.token(binary::CLOSE_BRACE);
        Ok(())
    }

    fn open(&mut self, class: &str, name: Option<&str>) -> Result<()> {
        let name = name.filter(|name| !name.is_empty());
        if self.is_binary {
            self.name(class)?;
            if let Some(name) = name {
                self.name(name)?;
            }
            self.token(binary::OPEN_BRACE);
        } else {
            match name {
                Some(name) => {
                    word(name)?;
                    self.line(&format!("{class} {name} {{"));
                }
                None => self.line(&format!("{class} {{")),
            }
        }
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.is_binary { self.token(binary::CLOSE_BRACE) } else { self.line("}") }
    }

    /// Writes an indented line of text.
    fn line(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n(b' ', self.depth));
        self.out.extend(encoded(text));
        self.out.push(b'\n');
    }

    fn token(&mut self, number: u16) {
        self.out.extend(number.to_le_bytes());
    }

    fn name(&mut self, name: &str) -> Result<()> {
        word(name)?;
        let bytes = encoded(name);
        self.token(binary::NAME);
        self.out.extend(length(bytes.len()).to_le_bytes());
        self.out.extend(bytes.iter());
        Ok(())
    }

    fn integers(&mut self, numbers: &[u32]) {
        self.token(binary::INTEGER_LIST);
        self.out.extend(length(numbers.len()).to_le_bytes());
        self.out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn floats(&mut self, numbers: &[f32]) {
        self.token(binary::FLOAT_LIST);
        self.out.extend(length(numbers.len()).to_le_bytes());
        self.out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn integer(&mut self, number: u32) {
        if self.is_binary { self.integers(&[number]) } else { self.line(&format!("{number};")) }
    }

    /// Writes integers without their count.
    fn array(&mut self, numbers: &[u32]) {
        if self.is_binary {
            return self.integers(numbers);
        }
        let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        self.line(&format!("{};", words.join(",")));
    }

    /// Writes items of text, each with the separators of its members.
    fn list(&mut self, words: &[String]) {
        if self.is_binary {
            return;
        }
        for (index, text) in words.iter().enumerate() {
            let is_last = index.saturating_add(1) == words.len();
            self.line(&format!("{text}{}", if is_last { ';' } else { ',' }));
        }
        if words.is_empty() {
            self.line(";");
        }
    }

    /// Writes a list of vectors, preceded by its length.
    fn vectors<const N: usize>(&mut self, vectors: &[[f32; N]]) -> Result<()> {
        finite(vectors.as_flattened())?;
        self.integer(length(vectors.len()));
        if self.is_binary {
            self.floats(vectors.as_flattened());
        } else {
            let words: Vec<String> = vectors.iter().map(|vector| format!("{};", members(vector))).collect();
            self.list(&words);
        }
        Ok(())
    }

    fn faces(&mut self, faces: &Faces) {
        if self.is_binary {
            let mut numbers = vec![length(faces.len())];
            for corners in faces.iter() {
                numbers.push(length(corners.len()));
                numbers.extend_from_slice(corners);
            }
            return self.integers(&numbers);
        }
        self.integer(length(faces.len()));
        let face = |corners: &[u32]| {
            let words: Vec<String> = corners.iter().map(ToString::to_string).collect();
            format!("{};{};", corners.len(), words.join(","))
        };
        let words: Vec<String> = faces.iter().map(face).collect();
        self.list(&words);
    }

    fn matrix(&mut self, rows: [[f32; 4]; 4]) -> Result<()> {
        let numbers = rows.as_flattened();
        finite(numbers)?;
        if self.is_binary {
            self.floats(numbers);
        } else {
            let words: Vec<String> = numbers.iter().map(|number| float(*number)).collect();
            self.line(&format!("{};;", words.join(",")));
        }
        Ok(())
    }

    fn structure(&mut self, numbers: &[f32]) -> Result<()> {
        finite(numbers)?;
        if self.is_binary {
            self.floats(numbers);
        } else {
            self.line(&format!("{};;", members(numbers)));
        }
        Ok(())
    }

    fn structure_member(&mut self, number: f32) -> Result<()> {
        finite(&[number])?;
        if self.is_binary {
            self.floats(&[number]);
        } else {
            self.line(&format!("{};", float(number)));
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<()> {
        if text.contains(['"', '\n', '\r', '\0']) {
            return Err(Error::usage(format!("the text {text:.40?} cannot be quoted")));
        }
        if !self.is_binary {
            self.line(&format!("\"{text}\";"));
            return Ok(());
        }
        let bytes = encoded(text);
        self.token(binary::STRING);
        self.out.extend(length(bytes.len()).to_le_bytes());
        self.out.extend(bytes.iter());
        // The separator after a string has four bytes.
        self.out.extend(u32::from(binary::SEMICOLON).to_le_bytes());
        Ok(())
    }
}

/// Tokens that only occur in templates.
const OPEN_BRACKET: u16 = 14;
const CLOSE_BRACKET: u16 = 15;
const WORD: u16 = 40;
const DWORD: u16 = 41;
const FLOAT: u16 = 42;
const LPSTR: u16 = 49;
const ARRAY: u16 = 52;

fn length(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns the shortest text that is read as the same number.
fn float(number: f32) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "{number}");
    if !text.contains('.') {
        text.push_str(".0");
    }
    text
}

/// Returns numbers as members of a structure, without the last separator.
fn members(numbers: &[f32]) -> String {
    let words: Vec<String> = numbers.iter().map(|number| float(*number)).collect();
    words.join(";")
}

fn finite(numbers: &[f32]) -> Result<()> {
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(Error::usage(format!("{number} is not finite and cannot be written"))),
        None => Ok(()),
    }
}

/// Encodes text in the game's charset. Other characters are written as numeric references: `&#1082;`.
fn encoded(text: &str) -> Vec<u8> {
    if let Some(bytes) = Charset::Windows1252.encode(text) {
        return bytes.into_owned();
    }
    let character = |character: char| match Charset::Windows1252.encode(character.encode_utf8(&mut [0; 4])) {
        Some(bytes) => bytes.into_owned(),
        None => format!("&#{};", u32::from(character)).into_bytes(),
    };
    text.chars().flat_map(character).collect()
}

/// Rejects a name that is not a single word.
fn word(name: &str) -> Result<()> {
    let is_plain =
        |letter: char| !letter.is_whitespace() && !letter.is_control() && !"{};,\"<>[]/#".contains(letter);
    if name.is_empty() || !name.chars().all(is_plain) || name.eq_ignore_ascii_case("template") {
        return Err(Error::usage(format!("{name:.40?} is not a valid object name")));
    }
    Ok(())
}

//! Parser for the statements of an `.obj` file, one per line.
//!
//! Source: the public description of the format by Wavefront.

use std::collections::BTreeMap;

use asset::{Charset, Report, counted};
use record::{Error, Result};

use super::{Corner, Group, MAX_GROUPS, NOWHERE, ObjFile, warning};

/// Maximum number of keywords that are counted: a line may begin with anything.
const MAX_IGNORED: usize = 32;

/// Maximum length of names. Longer names are truncated, as a name may be repeated in thousands of groups.
const MAX_NAME: usize = 256;

/// Statements without visible effect.
const INVISIBLE: &[&str] = &["s", "mg", "shadow_obj", "trace_obj", "lod", "bevel", "c_interp", "d_interp"];

/// State of the parser.
#[derive(Debug, Default)]
struct Parser {
    file: ObjFile,
    /// Indices of groups by name and material. A group is added with its first face.
    groups: BTreeMap<(String, Option<String>), usize>,
    name: String,
    material: Option<String>,
    current: Option<usize>,
    statement_count: usize,
    bad_numbers: usize,
    first_bad: Option<(usize, u64)>,
}

pub(super) fn read(bytes: &[u8], report: &mut Report) -> Result<ObjFile> {
    let mut parser = Parser::default();
    let mut start = 0_u64;
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let bad = parser.bad_numbers;
        parser.read(&Charset::Windows1252.decode(line)).map_err(|error| error.at(start))?;
        if parser.bad_numbers > bad && parser.first_bad.is_none() {
            parser.first_bad = Some((number.saturating_add(1), start));
        }
        start = start.saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX)).saturating_add(1);
    }
    if parser.statement_count == 0 {
        return Err(Error::malformed("no line is a statement of a Wavefront model").at(0));
    }
    if let Some((line, offset)) = parser.first_bad {
        let message = format!(
            "{} an invalid number, the first in line {line}; using 0",
            counted(parser.bad_numbers, "statement has", "statements have")
        );
        report.warn(&warning::BAD_NUMBER, message).at(offset);
    }
    if !parser.file.ignored.is_empty() {
        let kinds: Vec<_> =
            parser.file.ignored.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        report.warn(&warning::IGNORED, format!("left out: {}", kinds.join(", ")));
    }
    Ok(parser.file)
}

impl Parser {
    fn read(&mut self, line: &str) -> Result<()> {
        let line = line.trim();
        let (statement, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match statement {
            "v" => {
                let vertex = self.numbers(rest);
                self.file.vertices.push(vertex);
            }
            "vn" => {
                let normal = self.numbers(rest);
                self.file.normals.push(normal);
            }
            "vt" => {
                // One number is enough for a one-dimensional texture.
                let [u, v] = if rest.contains(char::is_whitespace) {
                    self.numbers(rest)
                } else {
                    let [u] = self.numbers(rest);
                    [u, 0.0]
                };
                self.file.texture_coords.push([u, v]);
            }
            "f" | "fo" => self.face(rest)?,
            "o" | "g" => self.set_group(short(rest), self.material.clone()),
            "usemtl" => self.set_group(self.name.clone(), Some(short(rest)).filter(|name| !name.is_empty())),
            "mtllib" => self.file.libraries.push(short(rest)),
            "" => return Ok(()),
            comment if comment.starts_with('#') => return Ok(()),
            invisible if INVISIBLE.contains(&invisible) => {}
            other => {
                self.ignore(other);
                return Ok(());
            }
        }
        self.statement_count = self.statement_count.saturating_add(1);
        Ok(())
    }

    fn ignore(&mut self, statement: &str) {
        let ignored = &mut self.file.ignored;
        let short: String = statement.chars().take(16).collect();
        let is_new = !ignored.contains_key(&short);
        let kind = if is_new && ignored.len() >= MAX_IGNORED { "others".to_owned() } else { short };
        let count = ignored.entry(kind).or_default();
        *count = count.saturating_add(1);
    }

    /// Sets the object and material of the following faces.
    fn set_group(&mut self, name: String, material: Option<String>) {
        (self.name, self.material, self.current) = (name, material, None);
    }

    /// Parses the first numbers of a statement.
    fn numbers<const N: usize>(&mut self, text: &str) -> [f32; N] {
        let mut words = text.split_whitespace().map(str::parse::<f32>);
        let mut is_bad = false;
        let numbers = [(); N].map(|()| match words.next() {
            Some(Ok(number)) => number,
            _ => {
                is_bad = true;
                0.0
            }
        });
        self.bad_numbers = self.bad_numbers.saturating_add(usize::from(is_bad));
        numbers
    }

    fn face(&mut self, text: &str) -> Result<()> {
        let [vertices, coords, normals] =
            [self.file.vertices.len(), self.file.texture_coords.len(), self.file.normals.len()];
        let mut corners = Vec::new();
        for word in text.split_whitespace() {
            let mut parts = word.split('/');
            let mut next =
                |count: usize| parts.next().filter(|part| !part.is_empty()).map(|it| index(it, count));
            let corner = Corner {
                vertex: next(vertices).unwrap_or(NOWHERE),
                texture_coord: next(coords),
                normal: next(normals),
            };
            corners.push(corner);
        }
        let size = u32::try_from(corners.len()).unwrap_or(u32::MAX);
        let group = self.group()?;
        group.corners.extend(corners);
        group.face_sizes.push(size);
        Ok(())
    }

    fn group(&mut self) -> Result<&mut Group> {
        let number = match self.current {
            Some(number) => number,
            None => {
                let key = (self.name.clone(), self.material.clone());
                let next = self.file.groups.len();
                let number = *self.groups.entry(key).or_insert(next);
                if number == next {
                    if next >= MAX_GROUPS {
                        return Err(Error::limit(format!("more than {MAX_GROUPS} groups")));
                    }
                    let (name, material) = (self.name.clone(), self.material.clone());
                    self.file.groups.push(Group { name, material, ..Group::default() });
                }
                number
            }
        };
        self.current = Some(number);
        let groups = &mut self.file.groups;
        groups.get_mut(number).ok_or_else(|| Error::malformed("a face without a group"))
    }
}

pub(super) fn short(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

/// Returns a zero-based index. In the file, indices start at 1; negative ones count from the end of the items so far.
fn index(text: &str, count: usize) -> u32 {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let index = match text.parse::<i64>() {
        Ok(number) if number > 0 => number.checked_sub(1),
        Ok(number) if number < 0 => count.checked_add(number),
        _ => None,
    };
    index.and_then(|index| u32::try_from(index).ok()).unwrap_or(NOWHERE)
}

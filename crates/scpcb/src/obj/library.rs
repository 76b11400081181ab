//! Material libraries (`.mtl`): materials of `.obj` models, as text.

use std::collections::BTreeMap;

use asset::{Charset, Context, Found, Lookup, Report};
use record::{Error, Result};
use serde::Serialize;

use super::read::short;
use super::warning;

/// Maximum file size in bytes.
const MAX_LENGTH: u64 = 16 << 20;

/// A material.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Material {
    /// Name by which models refer to it.
    pub name: String,
    /// Red, green and blue (`Kd`), 0 to 1.
    pub diffuse: [f32; 3],
    /// Opacity (`d`); 1 is opaque.
    pub alpha: f32,
    /// File name of the texture (`map_Kd`).
    pub texture: Option<String>,
}

/// Options of a texture with their maximum number of arguments. Options with three take numbers only.
const OPTIONS: &[(&str, usize)] = &[
    ("-blendu", 1),
    ("-blendv", 1),
    ("-boost", 1),
    ("-bm", 1),
    ("-cc", 1),
    ("-clamp", 1),
    ("-imfchan", 1),
    ("-mm", 2),
    ("-o", 3),
    ("-s", 3),
    ("-t", 3),
    ("-texres", 1),
    ("-type", 1),
];

/// Reads the materials of a library.
pub(super) fn read(bytes: &[u8]) -> Vec<Material> {
    let mut out: Vec<Material> = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = Charset::Windows1252.decode(line);
        let line = line.trim();
        let (statement, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if statement == "newmtl" {
            let name = short(rest);
            out.push(Material { name, diffuse: [1.0; 3], alpha: 1.0, texture: None });
            continue;
        }
        let Some(material) = out.last_mut() else { continue };
        let mut numbers = rest.split_whitespace().map_while(|word| word.parse::<f32>().ok());
        match statement {
            "Kd" => {
                if let (Some(red), Some(green), Some(blue)) = (numbers.next(), numbers.next(), numbers.next())
                {
                    material.diffuse = [red, green, blue];
                }
            }
            "d" => material.alpha = numbers.next().unwrap_or(1.0),
            "Tr" => material.alpha = 1.0 - numbers.next().unwrap_or(0.0),
            "map_Kd" => material.texture = Some(file_name(rest)).filter(|name| !name.is_empty()),
            _ => {}
        }
    }
    out
}

/// Returns the name of a texture after its options. It may contain spaces.
fn file_name(text: &str) -> String {
    let mut words = text.split_whitespace().peekable();
    while let Some((_, max)) = words.peek().and_then(|word| OPTIONS.iter().find(|(name, _)| name == word)) {
        words.next();
        for number in 0..*max {
            // Of three numbers, two may be omitted.
            if *max == 3 && number > 0 && words.peek().is_some_and(|word| word.parse::<f32>().is_err()) {
                break;
            }
            words.next();
        }
    }
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the materials of libraries next to the model, by name. Of several with one name, the last one is used.
pub(super) fn find(
    names: &[String],
    context: &Context<'_>,
    report: &mut Report,
) -> BTreeMap<String, Material> {
    let mut out = BTreeMap::new();
    for (number, name) in names.iter().enumerate() {
        let field = format!("libraries[{number}]");
        let message = match context.reference(name, &["mtl"]) {
            Lookup::Found(found) => match open(context, &found) {
                Ok(materials) => {
                    out.extend(materials.into_iter().map(|material| (material.name.clone(), material)));
                    continue;
                }
                Err(error) => format!("material library \"{name:.80}\" cannot be read: {}", error.message()),
            },
            Lookup::Missing | Lookup::Rejected(_) => format!("material library \"{name:.80}\" was not found"),
        };
        report.warn(&warning::LIBRARY, message).in_field(field);
    }
    out
}

fn open(context: &Context<'_>, found: &Found) -> Result<Vec<Material>> {
    let source = context.install.open(&found.location)?;
    if source.len() > MAX_LENGTH {
        return Err(Error::limit(format!("{} bytes exceed the limit of {MAX_LENGTH}", source.len())));
    }
    Ok(read(&source.read_all()?))
}

//! Shortening of names for versions with names of 40 bytes, the last of which must be zero for the game.

use std::collections::{BTreeMap, BTreeSet};

use asset::Report;

use super::super::name::MAX_TEXT_LEN;
use super::super::{Rsm, warning};
use crate::rsm::Name;

/// The short names of textures, by their long names.
#[derive(Debug, Default)]
pub(in crate::rsm) struct ShortNames(BTreeMap<Name, Name>);

impl ShortNames {
    /// Shortens the names of meshes and textures wherever they are used. Different names stay different.
    pub(in crate::rsm) fn apply(model: &mut Rsm, report: &mut Report) -> Self {
        let meshes = model.meshes.iter().flat_map(|mesh| [&mesh.name, &mesh.parent]).chain(&model.roots);
        let meshes = short_names(meshes, |name| (name.text().into_owned(), String::new()));
        let textures = model.textures.iter().flatten();
        let textures = textures.chain(model.meshes.iter().flat_map(|mesh| mesh.textures.iter().flatten()));
        let textures = short_names(textures, |name| match name.text().rsplit_once('.') {
            Some((stem, extension)) if extension.len() < 5 => (stem.to_owned(), format!(".{extension}")),
            _ => (name.text().into_owned(), String::new()),
        });
        for (long, short) in meshes.iter().chain(&textures) {
            let message = format!(
                "\"{long}\" is shortened to \"{short}\": names of this version have at most {MAX_TEXT_LEN} bytes"
            );
            report.warn(&warning::SHORTENED, message);
        }
        let shorten = |names: &BTreeMap<Name, Name>, name: &mut Name| {
            if let Some(short) = names.get(name) {
                *name = short.clone();
            }
        };
        model.roots.iter_mut().for_each(|name| shorten(&meshes, name));
        model.textures.iter_mut().flatten().for_each(|name| shorten(&textures, name));
        for mesh in &mut model.meshes {
            shorten(&meshes, &mut mesh.name);
            shorten(&meshes, &mut mesh.parent);
            mesh.textures.iter_mut().flatten().for_each(|name| shorten(&textures, name));
        }
        Self(textures)
    }

    /// Returns the current name of a texture.
    pub(in crate::rsm) fn get<'a>(&'a self, name: &'a Name) -> &'a Name {
        self.0.get(name).unwrap_or(name)
    }
}

/// Returns a short name for each long one. `split` returns the part that may be truncated, and the ending that is kept.
fn short_names<'a>(
    names: impl Iterator<Item = &'a Name>,
    split: impl Fn(&Name) -> (String, String),
) -> BTreeMap<Name, Name> {
    let (long, short): (Vec<&Name>, Vec<&Name>) = names.partition(|name| name.bytes().len() > MAX_TEXT_LEN);
    let mut taken: BTreeSet<Name> = short.into_iter().cloned().collect();
    let mut numbers: BTreeMap<Name, usize> = BTreeMap::new();
    let mut out = BTreeMap::new();
    for name in long {
        if out.contains_key(name) {
            continue;
        }
        let (stem, ending) = split(name);
        let mut candidate = Name::truncated(&stem, MAX_TEXT_LEN, &ending);
        let number = numbers.entry(candidate.clone()).or_insert(1);
        while taken.contains(&candidate) {
            *number = number.saturating_add(1);
            candidate = Name::truncated(&stem, MAX_TEXT_LEN, &format!(" {number}{ending}"));
        }
        taken.insert(candidate.clone());
        out.insert(name.clone(), candidate);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::super::{Mesh, Version};
    use super::*;

    #[test]
    fn long_names_are_truncated_at_a_character_and_stay_different() {
        let mut model = Rsm::new(Version::V1_5);
        let long = |end: &str| Name::from(&*format!("{}{end}", "가".repeat(19)));
        let mesh = |name: Name, parent: Name| Mesh { name, parent, ..Mesh::default() };
        model.meshes = vec![
            mesh(long("나b"), Name::default()),
            mesh(long("다"), long("나b")),
            mesh(long("a"), long("다")),
        ];
        model.roots = vec![long("나b")];
        model.textures = Some(vec![Name::from(&*format!("{}.bmp", "t".repeat(36))), Name::from("a.bmp")]);
        let mut report = Report::new();
        ShortNames::apply(&mut model, &mut report);
        let text = |name: &Name| name.text().into_owned();
        let texts: Vec<_> = model.meshes.iter().map(|mesh| (text(&mesh.name), text(&mesh.parent))).collect();
        // A name of 39 bytes is kept, and the others avoid it.
        let kept = "가".repeat(19) + "a";
        let (first, second) = ("가".repeat(19), "가".repeat(18) + " 2");
        let expected = [(first.clone(), String::new()), (second.clone(), first.clone()), (kept, second)];
        assert_eq!(texts, expected);
        assert_eq!(model.roots[0].text(), first);
        let textures: Vec<_> = model.textures.iter().flatten().map(|name| name.text().into_owned()).collect();
        assert_eq!(textures, ["t".repeat(35) + ".bmp", "a.bmp".to_owned()]);
        assert_eq!(report.iter().count(), 3);
    }
}

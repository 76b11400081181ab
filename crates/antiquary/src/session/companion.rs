//! Files that a file built from a scene refers to: finds those that the game already has, and writes the others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::unpack::KEPT_COMPANION;
use asset::{
    Companion, CompanionPlace, Error, FolderSink, Install, Location, OpenedFiles, Report, Sink, Source,
};
use files::disk;
use scene::image::{Limits, decode, for_gltf};

use super::import::Imported;
use super::installs::Installs;
use super::{Input, Session};

/// A game in which images are looked up, and the location in it of the file that refers to them.
type GameLocation = (Arc<Install>, Option<Location>);

impl Session<'_> {
    /// Returns the companions that do not exist with the same content in the games around the output, around the base, or in
    /// [`Session::games`].
    pub(super) fn without_known(
        &self,
        companions: Vec<Companion>,
        around: &[&Input],
        opened: &OpenedFiles,
    ) -> Result<Vec<Companion>, Error> {
        if companions.is_empty() {
            return Ok(companions);
        }
        let installs = Installs::new(self, opened)?;
        let mut locations: Vec<GameLocation> = Vec::new();
        for input in around {
            let install = installs.of(input)?;
            let location = installs.location(input, &install);
            locations.push((install, location));
        }
        let is_new = |companion: &Companion| !locations.iter().any(|place| has(place, companion));
        Ok(companions.into_iter().filter(is_new).collect())
    }

    /// Writes a file built from a scene, and those of its companions that do not exist yet.
    pub(super) fn write_imported(
        &self,
        imported: Imported,
        report: &mut Report,
    ) -> Result<Vec<PathBuf>, Error> {
        let Imported { bytes, companions, file, inputs } = imported;
        let guard = self.guard_over(inputs.iter().map(PathBuf::as_path));
        let mut sink = FolderSink::for_file(&file, "packed", Arc::clone(&guard));
        sink.put("packed", &bytes)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let mut in_game: BTreeMap<PathBuf, FolderSink> = BTreeMap::new();
        let mut known = FolderListings::default();
        for Companion { name, place, bytes } in &companions {
            let folders: Vec<PathBuf> = match place {
                CompanionPlace::SameFolder { also_in, .. } => {
                    [""].iter().chain(*also_in).map(|more| folder.join(more)).collect()
                }
                CompanionPlace::InGame { files, folder: below } => {
                    vec![game_around(folder, files).join(below)]
                }
            };
            let sink = match (place, folders.first()) {
                (CompanionPlace::InGame { .. }, Some(folder)) => in_game
                    .entry(folder.clone())
                    .or_insert_with(|| FolderSink::new(folder, Arc::clone(&guard))),
                _ => &mut sink,
            };
            match folders.iter().find_map(|folder| known.find(folder, name)) {
                Some(path) if !is_file_with(&path, bytes) => {
                    let path = path.display();
                    let message = format!("{path} was kept; the scene's image of that name is different");
                    report.warn(&KEPT_COMPANION, message);
                }
                Some(_) => {}
                None => sink.put(name, bytes)?,
            }
        }
        let mut written = sink.finish()?;
        for mut sink in in_game.into_values() {
            written.extend(sink.finish()?);
        }
        Ok(written)
    }
}

/// Whether a game has a companion under its name, with the same content.
fn has((install, location): &GameLocation, companion: &Companion) -> bool {
    let Companion { name, place, bytes } = companion;
    let mut found = Vec::new();
    match place {
        CompanionPlace::SameFolder { also_in, in_game } => {
            if let Some(location) = location {
                let folder = install.folder_of(location);
                found.push(folder.find(name));
                found.extend(also_in.iter().map(|more| folder.find(&format!("{more}/{name}"))));
            }
            found.extend(in_game.iter().map(|folder| install.folder(folder).find(name)));
        }
        CompanionPlace::InGame { folder, .. } => found.push(install.folder(folder).find(name)),
    }
    let same = |location: &Location| install.open(location).is_ok_and(|source| is_same_image(&source, bytes));
    found.into_iter().filter_map(asset::Lookup::found).any(|found| same(&found.location))
}

/// Whether a file is an image with these bytes, or an image that a scene contains in this form.
fn is_same_image(file: &Source, bytes: &[u8]) -> bool {
    let Ok(file) = file.read_all() else { return false };
    if *file == *bytes || for_gltf(&file).is_ok_and(|shown| *shown.bytes == *bytes) {
        return true;
    }
    let pixels = |bytes: &[u8]| decode(bytes, &Limits::default()).ok();
    pixels(&file).is_some_and(|known| pixels(bytes).is_some_and(|found| found == known))
}

fn is_file_with(path: &Path, bytes: &[u8]) -> bool {
    Input::file(path).source().is_ok_and(|source| is_same_image(&source, bytes))
}

/// Contents of folders, each listed once.
#[derive(Default)]
struct FolderListings(BTreeMap<PathBuf, BTreeMap<String, PathBuf>>);

impl FolderListings {
    /// Finds a file below a folder, ignoring the letter case of its path.
    fn find(&mut self, folder: &Path, name: &str) -> Option<PathBuf> {
        name.split('/').try_fold(folder.to_path_buf(), |folder, part| self.entry(&folder, part))
    }

    fn entry(&mut self, folder: &Path, name: &str) -> Option<PathBuf> {
        let list = || {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let entries = disk::entries(folder).into_iter().flatten().flatten();
            entries.map(|entry| (entry.file_name().to_string_lossy().to_lowercase(), entry.path())).collect()
        };
        let files = self.0.entry(folder.to_path_buf()).or_insert_with(list);
        files.get(&name.to_lowercase()).cloned()
    }
}

/// Returns the root of the game that contains a folder, recognized by the path of a known folder in the game; otherwise
/// returns the folder.
fn game_around(folder: &Path, known: &str) -> PathBuf {
    let parts: Vec<&str> = known.split('/').collect();
    let is_known = |ancestor: &&Path| {
        let names = ancestor.iter().rev().map(|name| name.to_string_lossy().to_lowercase());
        names.take(parts.len()).eq(parts.iter().rev().map(|part| (*part).to_owned()))
    };
    let above = |path: &Path| {
        let found = path.ancestors().find(is_known)?;
        found.ancestors().nth(parts.len()).map(Path::to_path_buf)
    };
    let found = above(folder).or_else(|| above(&std::path::absolute(folder).ok()?));
    found.unwrap_or_else(|| folder.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_game_by_a_parent_folder() {
        let of = |folder: &str| game_around(Path::new(folder), "data/model");
        assert_eq!(of("/mod/Data/Model/prontera"), Path::new("/mod"));
        assert_eq!(of("/mod/data/model"), Path::new("/mod"));
        for outside in ["/data/mine/model", "/mod", "mod/data"] {
            assert_eq!(of(outside), Path::new(outside));
        }
    }
}

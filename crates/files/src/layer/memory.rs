//! Files in memory as a layer: for browsers, for tests, and for programs that load the files of a game from elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use record::{Error, Source};

use super::{EntryKind, Layer, LayerEntry};
use crate::path::GamePath;

/// Named files in memory.
///
/// ```
/// use std::sync::Arc;
/// use antiquary_files::{Install, Source, layer::MemoryLayer};
///
/// let files = [("GFX/map/room.obj", Source::from_bytes(&b"room"[..])), ("GFX/map/wall.jpg", Source::from_bytes(&b"wall"[..]))];
/// let install = Install::new(vec![Arc::new(MemoryLayer::new("upload", files)?)]);
/// let room = install.find(r"gfx\map\ROOM.obj").found().unwrap().location;
/// let wall = install.find_sibling(&room, "wall.jpg").found().unwrap().location;
/// assert_eq!(*install.open(&wall)?.read_all()?, *b"wall");
/// # Ok::<(), antiquary_files::Error>(())
/// ```
pub struct MemoryLayer {
    title: String,
    files: BTreeMap<GamePath, Source>,
    /// The direct entries of each folder.
    folders: BTreeMap<GamePath, BTreeSet<(String, EntryKind)>>,
}

impl MemoryLayer {
    /// Creates a layer from files and their paths from the game's root, with `/` or `\`. The title is the name of the layer in
    /// messages.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) when a path leads out of the root, occurs twice, or is both a file and a folder.
    pub fn new<N: AsRef<str>>(
        title: impl Into<String>,
        files: impl IntoIterator<Item = (N, Source)>,
    ) -> Result<Self, Error> {
        let mut out = Self { title: title.into(), files: BTreeMap::new(), folders: BTreeMap::new() };
        out.folders.insert(GamePath::root(), BTreeSet::new());
        for (name, source) in files {
            out.add(name.as_ref(), source).map_err(|error| error.in_file(name.as_ref()))?;
        }
        match out.files.keys().find(|path| out.folders.contains_key(path)) {
            Some(path) => Err(Error::usage("is both a file and a folder").in_file(path.as_str())),
            None => Ok(out),
        }
    }

    fn add(&mut self, name: &str, source: Source) -> Result<(), Error> {
        let path = GamePath::parse(name).map_err(|reason| Error::usage(reason.to_string()))?;
        if path.is_root() {
            return Err(Error::usage("is not a file name"));
        }
        if self.files.insert(path.clone(), source).is_some() {
            return Err(Error::usage("occurs twice"));
        }
        let (mut at, mut kind) = (path, EntryKind::File);
        while !at.is_root() {
            let folder = at.folder();
            let entries = self.folders.entry(folder.clone()).or_default();
            if !entries.insert((at.name().to_owned(), kind)) {
                break;
            }
            (at, kind) = (folder, EntryKind::Folder);
        }
        Ok(())
    }
}

impl Layer for MemoryLayer {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn list(&self, folder: &GamePath) -> Result<Vec<LayerEntry>, Error> {
        let missing = || Error::usage("no such folder").in_file(folder.as_str());
        let entries = self.folders.get(folder).ok_or_else(missing)?.iter();
        Ok(entries.map(|(name, kind)| LayerEntry { name: name.clone(), kind: *kind }).collect())
    }

    fn open(&self, path: &GamePath) -> Result<Source, Error> {
        self.files.get(path).cloned().ok_or_else(|| Error::usage("no such file").in_file(path.as_str()))
    }
}

impl fmt::Debug for MemoryLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryLayer({}, {} files)", self.title, self.files.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(names: &[&str]) -> Result<MemoryLayer, Error> {
        MemoryLayer::new("memory", names.iter().map(|name| (*name, Source::from_bytes(name.as_bytes()))))
    }

    fn names(layer: &MemoryLayer, folder: &str) -> Vec<(String, EntryKind)> {
        let entries = layer.list(&GamePath::parse(folder).unwrap()).unwrap();
        entries.into_iter().map(|entry| (entry.name, entry.kind)).collect()
    }

    #[test]
    fn derives_folders_from_file_names() {
        let layer = layer(&["readme.txt", r"GFX\map\a.rmesh", "GFX/map/b.rmesh", "GFX/c.png"]).unwrap();
        let file = |name: &str| (name.to_owned(), EntryKind::File);
        let folder = |name: &str| (name.to_owned(), EntryKind::Folder);
        assert_eq!(names(&layer, ""), [folder("GFX"), file("readme.txt")]);
        assert_eq!(names(&layer, "GFX"), [file("c.png"), folder("map")]);
        assert_eq!(names(&layer, "GFX/map"), [file("a.rmesh"), file("b.rmesh")]);
        assert!(layer.list(&GamePath::parse("GFX/other").unwrap()).is_err());
        let source = layer.open(&GamePath::parse("GFX/map/a.rmesh").unwrap()).unwrap();
        assert_eq!(&*source.read_all().unwrap(), br"GFX\map\a.rmesh");
        assert!(
            layer.open(&GamePath::parse("gfx/map/a.rmesh").unwrap()).is_err(),
            "layers are case-sensitive"
        );
    }

    #[test]
    fn refuses_conflicting_names() {
        let refused = |names: &[&str]| layer(names).unwrap_err().to_string();
        assert_eq!(refused(&["a", "../b"]), "../b: leads outside the game folder");
        assert_eq!(refused(&["a/b", r"a\b"]), r"a\b: occurs twice");
        assert_eq!(refused(&["a/b", "a"]), "a: is both a file and a folder");
        assert_eq!(refused(&["a", "a/b"]), "a: is both a file and a folder");
        assert_eq!(refused(&["/"]), "/: is an absolute path");
        assert_eq!(refused(&["."]), ".: is not a file name");
    }
}

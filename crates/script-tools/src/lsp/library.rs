//! Generated files for texts that have no file: scripts in maps, and the names of the original game.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use antiquary::files::disk;
use antiquary::files::name::safe_name;
use antiquary::files::sink::{FolderSink, Guard, Sink as _};
use antiquary::{Error, Overwrite};

use crate::lsp::workspace::Origin;

/// A folder of generated texts. It is removed when the server ends.
#[derive(Debug, Default)]
pub(crate) struct Library {
    folder: Option<tempfile::TempDir>,
    /// Hashes of the written texts, by name.
    written: HashMap<String, u64>,
    /// Origins of the texts, by folder.
    origins: HashMap<PathBuf, Origin>,
}

impl Library {
    /// Writes a text to a file and returns its path. `parts` are the folders and the name of the file.
    pub(crate) fn file(&mut self, parts: &[&str], text: &str) -> Result<PathBuf, Error> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => tempfile::Builder::new().prefix("antiquary-texts-").tempdir()?,
        };
        let folder = self.folder.insert(folder).path();
        // Editors send paths with resolved links.
        let folder = disk::canonical(folder).unwrap_or_else(|_| folder.to_path_buf());
        let parts: Vec<String> = parts.iter().map(|part| safe_name(part).to_string()).collect();
        let name = parts.join("/");
        let path = parts.iter().fold(folder.clone(), |path, part| path.join(part));
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        if self.written.get(&name) != Some(&hash) {
            let mut sink = FolderSink::new(&folder, Guard::new(Overwrite::Allow).into());
            sink.put(&name, text.as_bytes())?;
            sink.finish()?;
            self.written.insert(name, hash);
        }
        Ok(path)
    }

    /// Remembers the origin of the texts in the folder of a file.
    pub(crate) fn remember(&mut self, file: &Path, origin: Origin) {
        if let Some(folder) = file.parent() {
            self.origins.insert(folder.to_path_buf(), origin);
        }
    }

    /// The origin of a text of the library.
    pub(crate) fn origin_of(&self, file: &Path) -> Option<Origin> {
        self.origins.get(file.parent()?).cloned()
    }

    /// Whether a file belongs to the library.
    pub(crate) fn has(&self, file: &Path) -> bool {
        self.origins.keys().any(|folder| file.starts_with(folder))
    }
}

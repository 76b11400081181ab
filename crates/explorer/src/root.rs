//! The opened folders and archives.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use antiquary::asset::container::ArchiveLayer;
use antiquary::asset::game::Root as GameRoot;
use antiquary::asset::{Charset, Links};
use antiquary::files::disk;
use antiquary::files::install::Decoded;
use antiquary::files::layer::{FolderLayer, Layer, MemoryLayer};
use antiquary::files::walk::LinkPolicy;
use antiquary::{Catalog, Error, GameInfo, Install, Source};

use crate::game::GameFiles;

/// Budget in bytes of the installs for textures and other shared files.
const BUDGET: usize = 24 << 20;

/// An opened folder or archive.
pub(crate) struct Root {
    /// First component of its paths; unique.
    pub(crate) name: String,
    /// Path on disk, with symbolic links resolved.
    pub(crate) path: PathBuf,
    /// The game around it, if any.
    pub(crate) game: Option<&'static GameInfo>,
    /// The entire game around it, in which references are resolved.
    pub(crate) game_files: GameFiles,
    /// Files of the root.
    pub(crate) layer: Arc<dyn Layer>,
    /// Whether the root is an archive.
    pub(crate) is_archive: bool,
    /// Symbolic links that are followed.
    pub(crate) links: Links,
    /// File that was given directly, if the root is its folder.
    pub(crate) file: Option<String>,
}

/// Opens the given paths.
pub(crate) fn open_all(catalog: Catalog, paths: &[PathBuf], links: Links) -> Result<Vec<Root>, Error> {
    let decoded = Arc::new(Decoded::with_budget(BUDGET));
    let mut roots: Vec<Root> = Vec::new();
    for path in paths {
        let mut root = open(catalog, path, links, &decoded)?;
        root.name = unique(&root.name, &roots);
        roots.push(root);
    }
    if roots.is_empty() {
        return Err(Error::usage("nothing to open; specify a game folder, an archive or a file"));
    }
    Ok(roots)
}

fn open(catalog: Catalog, path: &Path, links: Links, decoded: &Arc<Decoded>) -> Result<Root, Error> {
    let games = catalog.games();
    let real = disk::canonical(path).map_err(|error| Error::from(error).in_file(path))?;
    let around = GameRoot::around(&real, games)?.with_links(links);
    let mut roots = vec![around.clone()];
    let archive = if disk::is_file(&real) { GameRoot::at(&real, games).ok() } else { None };
    let is_archive = archive.is_some();
    let folder = if is_archive || disk::is_folder(&real) { real.as_path() } else { parent(&real) };
    let file = (folder != real).then(|| name_of(&real));
    let game = around.game.or_else(|| archive.as_ref().and_then(|root| root.game));
    let layer: Arc<dyn Layer> = match archive.as_ref().and_then(|root| root.container) {
        Some(format) => Arc::new(ArchiveLayer::on_disk(&real, format)),
        None => {
            let charset = game.map_or(Charset::Windows1252, |game| game.charset);
            let boundary = if folder.starts_with(&around.folder) { &around.folder } else { folder };
            let policy = LinkPolicy::new(links, boundary);
            Arc::new(FolderLayer::new(folder, charset)?.with_links(policy))
        }
    };
    roots.extend(archive);
    let game_files = GameFiles::on_disk(roots, Arc::clone(decoded))?;
    let (name, path) = (name_of(folder), folder.to_path_buf());
    Ok(Root { name, path, game, game_files, layer, is_archive, links, file })
}

/// Creates a folder of files in memory.
pub(crate) fn in_memory(name: &str, files: Vec<(String, Source)>) -> Result<Root, Error> {
    let layer: Arc<dyn Layer> = Arc::new(MemoryLayer::new(name, files)?);
    let install = Install::new(vec![Arc::clone(&layer)]).with_cache(Arc::new(Decoded::with_budget(BUDGET)));
    Ok(Root {
        name: name.to_owned(),
        path: PathBuf::new(),
        game: None,
        game_files: GameFiles::in_memory(install),
        layer,
        is_archive: false,
        links: Links::Inside,
        file: None,
    })
}

fn parent(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new("/"))
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "disk".to_owned())
}

/// Returns a name that no other root has.
fn unique(name: &str, roots: &[Root]) -> String {
    let is_free = |name: &String| roots.iter().all(|root| root.name != *name);
    let numbered = (2..u32::MAX).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

//! The folders and archives that were opened.

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

/// What the installs keep of textures and other files that many name, in bytes.
const BUDGET: usize = 24 << 20;

/// A folder or an archive that was opened.
pub(crate) struct Root {
    /// The first name of its paths; no two are alike.
    pub(crate) name: String,
    /// Where it stands, with symbolic links resolved.
    pub(crate) path: PathBuf,
    /// The game around it, where there is one.
    pub(crate) game: Option<&'static GameInfo>,
    /// Where what its files name is looked up: the whole game around it.
    pub(crate) game_files: GameFiles,
    /// Its files.
    pub(crate) layer: Arc<dyn Layer>,
    /// Whether it is an archive.
    pub(crate) is_archive: bool,
    /// Which symbolic links in it are followed.
    pub(crate) links: Links,
    /// The file in it that was named, where it is not the folder itself.
    pub(crate) file: Option<String>,
}

/// Opens what was named.
pub(crate) fn open_all(catalog: Catalog, paths: &[PathBuf], links: Links) -> Result<Vec<Root>, Error> {
    let decoded = Arc::new(Decoded::with_budget(BUDGET));
    let mut roots: Vec<Root> = Vec::new();
    for path in paths {
        let mut root = open(catalog, path, links, &decoded)?;
        root.name = unique(&root.name, &roots);
        roots.push(root);
    }
    if roots.is_empty() {
        return Err(Error::usage("nothing to open: name a game folder, an archive or a file"));
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

/// A folder of files in memory.
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

/// A name that no other root has.
fn unique(name: &str, roots: &[Root]) -> String {
    let is_free = |name: &String| roots.iter().all(|root| root.name != *name);
    let numbered = (2..u32::MAX).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

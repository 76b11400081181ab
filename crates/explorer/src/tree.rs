//! Folders and the names in them.

use antiquary::files::layer::EntryKind;
use antiquary::files::walk::VisitedFolders;
use antiquary::{Can, Format};
use serde::Serialize;

use crate::entry::Entry;
use crate::query::Query;
use crate::{Explorer, Fault, Request, Response};

/// Maximum number of entries per page of a folder.
pub(crate) const COUNT: usize = 500;
/// Maximum number of files listed for all roots together.
const MAX_FILES: usize = 1_000_000;

#[derive(Serialize)]
struct Folder<'a> {
    path: &'a str,
    total: usize,
    from: usize,
    entries: Vec<ListedEntry>,
}

#[derive(Serialize)]
struct ListedEntry {
    name: String,
    path: String,
    kind: &'static str,
    length: Option<u64>,
    format: Option<&'static str>,
}

#[derive(Serialize)]
struct Names {
    folders: Vec<NamedFolder>,
    truncated: bool,
}

#[derive(Serialize)]
struct NamedFolder {
    path: String,
    names: Vec<String>,
}

#[derive(Serialize)]
struct Kinds {
    folders: Vec<FolderKinds>,
}

#[derive(Serialize)]
struct FolderKinds {
    path: String,
    kinds: Vec<Option<usize>>,
}

impl Explorer {
    /// Lists one folder.
    pub(crate) fn tree(&self, query: &Query) -> Result<Response, Fault> {
        let (from, count) = query.range(COUNT, 0)?;
        let Some(at) = query.get("at") else { return self.all_roots() };
        let mut folder = self.entry(at)?;
        if folder.kind == EntryKind::File {
            folder = self.inside(&folder)?;
        }
        let all = folder.list()?;
        let chosen = all.iter().skip(from).take(count);
        let entries =
            chosen.map(|entry| Ok(self.listed(&folder.child(entry)?))).collect::<Result<_, Fault>>()?;
        Response::json(&Folder { path: &folder.full, total: all.len(), from, entries })
    }

    fn all_roots(&self) -> Result<Response, Fault> {
        let listed = |name: &String| ListedEntry {
            name: name.clone(),
            path: name.clone(),
            kind: "folder",
            length: None,
            format: None,
        };
        let entries: Vec<_> = self.roots.iter().map(|root| listed(&root.name)).collect();
        Response::json(&Folder { path: "", total: entries.len(), from: 0, entries })
    }

    fn listed(&self, entry: &Entry<'_>) -> ListedEntry {
        let is_file = entry.kind == EntryKind::File;
        let format = if is_file { self.format_of(entry) } else { None };
        let length = if is_file { entry.source().ok().map(|source| source.len()) } else { None };
        let kind = match format {
            _ if !is_file => "folder",
            Some(format) if format.can(Can::List) => "archive",
            _ => "file",
        };
        let (name, path) = (entry.name().to_owned(), entry.full.clone());
        ListedEntry { name, path, kind, length, format: format.map(|format| format.id) }
    }

    /// Returns the names of all files.
    pub(crate) fn names(&self, request: &Request<'_>) -> Result<Response, Fault> {
        let mut names = Names { folders: Vec::new(), truncated: false };
        names.truncated = !self.each_file(request, &mut |folder, files| {
            let names_of = files.iter().map(|file| file.name().to_owned()).collect();
            names.folders.push(NamedFolder { path: folder.full.clone(), names: names_of });
        });
        Response::json(&names)
    }

    /// Returns the formats of all files, in the order of their names.
    pub(crate) fn kinds(&self, request: &Request<'_>) -> Result<Response, Fault> {
        let formats: Vec<&Format> = self.catalog.formats().collect();
        let index = |format: &Format| formats.iter().position(|known| known.id == format.id);
        let mut folders = Vec::new();
        let kind =
            |file: &Entry<'_>| if request.is_cancelled() { None } else { index(self.format_of(file)?) };
        self.each_file(request, &mut |folder, files| {
            let kinds = files.iter().map(kind).collect();
            folders.push(FolderKinds { path: folder.full.clone(), kinds });
        });
        Response::json(&Kinds { folders })
    }

    /// Visits every folder that contains files, with its files. A folder that several links lead to is visited once. Returns
    /// whether all were visited; this is false beyond the limit, or if the request is canceled.
    pub(crate) fn each_file(
        &self,
        request: &Request<'_>,
        visit: &mut dyn FnMut(&Entry<'_>, &[Entry<'_>]),
    ) -> bool {
        let mut room = MAX_FILES;
        for root in &self.roots {
            let mut visited = VisitedFolders::new(&root.path);
            let mut waiting = vec![self.root_entry(root)];
            while let Some(folder) = waiting.pop() {
                if request.is_cancelled() {
                    return false;
                }
                if folder.layer.file(&folder.path).is_some_and(|path| !visited.visit(&path)) {
                    continue;
                }
                // A folder that cannot be listed has no names here; opening it reports the reason.
                let entries = folder.list().unwrap_or_default();
                let children = entries.iter().filter_map(|entry| folder.child(entry).ok());
                let (files, folders): (Vec<_>, Vec<_>) =
                    children.partition(|child| child.kind == EntryKind::File);
                let Some(left) = room.checked_sub(files.len()) else { return false };
                room = left;
                if !files.is_empty() {
                    visit(&folder, &files);
                }
                waiting.extend(folders.into_iter().rev());
            }
        }
        true
    }
}

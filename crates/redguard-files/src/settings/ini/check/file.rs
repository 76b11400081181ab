//! Checks that files exist.

use asset::{Context, Report};

use super::super::key::File;
use super::super::lookup::Entry;
use super::super::world::{find, find_palette, stem_of};
use super::warning::MISSING;

/// The folders with the art of both renderers.
const ART: [&str; 2] = ["fxart", "3dart"];

/// Reports a missing file. A settings file outside of a game cannot be checked.
pub(super) fn check(context: &Context<'_>, file: File, entry: &Entry<'_>, report: &mut Report) {
    let path = entry.value();
    if path.is_empty() || context.install.game().is_none() {
        return;
    }
    let (what, missing) = match file {
        File::Unchecked => return,
        File::Exact => ("file", missing(find(context, path).is_some(), path)),
        File::Map => ("map", missing(is_found(context, path, &[]), path)),
        File::Terrain => ("terrain", missing(is_found(context, path, &[]), path)),
        File::Texture => ("image", missing(is_found(context, path, &[]), path)),
        File::Model => ("model", missing(is_found(context, path, &["3D", "3DC"]), path)),
        File::Palette => ("palette", missing(find_palette(context, path).is_some(), path)),
        File::Sky => {
            let palette = format!("{}.COL", stem_of(path));
            let has_palette = is_found(context, &palette, &[]);
            ("sky", missing(is_found(context, path, &[]), path).or_else(|| missing(has_palette, &palette)))
        }
    };
    if let Some(missing) = missing {
        let message = format!("line {}: {what} \"{missing}\" was not found", entry.line);
        report.warn(&MISSING, message).at(entry.offset);
    }
}

fn missing(is_found: bool, path: &str) -> Option<String> {
    (!is_found).then(|| path.to_owned())
}

/// Whether a file was found at its path or in the folders for art, also with one of the extensions.
fn is_found(context: &Context<'_>, path: &str, extensions: &[&str]) -> bool {
    let name = path.rsplit(['\\', '/']).next().unwrap_or(path);
    let in_art = |name: &str| ART.iter().any(|folder| find(context, &format!("{folder}/{name}")).is_some());
    find(context, path).is_some()
        || in_art(name)
        || extensions.iter().any(|extension| in_art(&format!("{}.{extension}", stem_of(path))))
}

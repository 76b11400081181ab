//! The archives of a game folder and their order, as listed in `DATA.INI`.

use std::path::{Path, PathBuf};

use asset::{Charset, GamePath, OpenedFiles};
use files::disk;

/// The file that lists the archives.
const LIST: &str = "data.ini";

/// The archive of a folder without a list.
const DEFAULT: &str = "data.grf";

/// Maximum number of bytes of the list that are read.
const MAX_LIST_SIZE: u64 = 1 << 20;

/// Returns the archives of a game folder, in order of precedence. Without a list, this is `data.grf`, if it exists.
pub(super) fn find(folder: &Path, opened: &OpenedFiles) -> Vec<PathBuf> {
    match child(folder, LIST) {
        Some(list) => {
            let source = opened
                .open(&list)
                .and_then(|source| source.head(MAX_LIST_SIZE).map(|bytes| bytes.into_owned()));
            let names = source.map(|bytes| listed(&bytes)).unwrap_or_default();
            names.iter().filter_map(|name| path(folder, name)).collect()
        }
        None => child(folder, DEFAULT).into_iter().collect(),
    }
}

/// Returns the names in a list, in the order of their numbers: `0=first.grf` in the section `[Data]`. Of two lines with the same number,
/// the later one is used.
fn listed(bytes: &[u8]) -> Vec<String> {
    let text = Charset::Cp949.decode(bytes);
    let mut in_section = false;
    let mut names = std::collections::BTreeMap::new();
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            in_section = section.trim_end_matches(']').trim().eq_ignore_ascii_case("data");
        } else if in_section
            && let Some((number, name)) = line.split_once('=')
            && let Ok(number) = number.trim().parse::<u32>()
            && !name.trim().is_empty()
        {
            names.insert(number, name.trim().to_owned());
        }
    }
    names.into_values().collect()
}

/// Returns the path of a name in the list, ignoring letter case. `None` if it leads outside the folder. The file need not exist.
fn path(folder: &Path, name: &str) -> Option<PathBuf> {
    let name = GamePath::parse(name).ok().filter(|name| !name.is_root())?;
    let mut at = folder.to_path_buf();
    for segment in name.segments() {
        at = child(&at, segment).unwrap_or_else(|| at.join(segment));
    }
    Some(at)
}

/// Finds an entry of a folder by name, ignoring letter case. Prefers the exact spelling, then the first in byte order.
fn child(folder: &Path, name: &str) -> Option<PathBuf> {
    let exact = folder.join(name);
    if disk::exists(&exact) {
        return Some(exact);
    }
    let wanted = name.to_lowercase();
    let names = disk::entries(folder).ok()?.filter_map(Result::ok).map(|entry| entry.file_name());
    let mut matching: Vec<_> =
        names.filter(|name| name.to_str().is_some_and(|name| name.to_lowercase() == wanted)).collect();
    matching.sort();
    matching.first().map(|name| folder.join(name))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lists_archives_in_the_order_of_their_numbers() {
        let list = b"; archives\r\n0=before.grf\r\n[ data ]\r\n2 = Data.GRF\r\n10=x\\last.grf\r\n0=rdata.grf\r\nx=y\r\n[Other]\r\n1=no.grf\r\n";
        assert_eq!(listed(list), ["rdata.grf", "Data.GRF", "x\\last.grf"]);
        assert!(listed(b"").is_empty());
    }

    #[test]
    fn finds_archives_ignoring_case_and_only_inside_the_folder() {
        let temp = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| fs::write(temp.path().join(name), bytes).unwrap();
        assert!(find(temp.path(), &OpenedFiles::new()).is_empty());
        put("Data.grf", b"");
        assert_eq!(find(temp.path(), &OpenedFiles::new()), [temp.path().join("Data.grf")]);
        put("DATA.INI", b"[Data]\n0=missing.grf\n1=DATA.GRF\n2=..\\outside.grf\n3=C:\\x.grf\n");
        assert_eq!(
            find(temp.path(), &OpenedFiles::new()),
            [temp.path().join("missing.grf"), temp.path().join("Data.grf")]
        );
    }
}

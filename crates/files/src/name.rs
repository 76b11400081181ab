//! File names that every file system accepts.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

pub use crate::path::{composed, fold};

use crate::path::{GamePath, PathError, split_extension};

/// Maximum length of a name in bytes.
pub const MAX_NAME_LENGTH: usize = 255;

/// Maximum length of an extension that is kept when a name is truncated.
const LONGEST_EXTENSION: usize = 32;

/// Makes a file or folder name (without slashes) safe for Linux, macOS and Windows.
///
/// `<>:"/\|?*`, control characters, and trailing dots and spaces become `_`. Windows device names get a `_` before their
/// extension. Names longer than 255 bytes are truncated before their extension. A safe name is unchanged.
#[must_use]
pub fn safe_name(name: &str) -> Cow<'_, str> {
    safe_name_with_limit(name, MAX_NAME_LENGTH)
}

/// Like [`safe_name`], with at most `longest` bytes (at least 1), to leave space for a suffix.
#[must_use]
pub fn safe_name_with_limit(name: &str, longest: usize) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(name);
    if name.contains(is_unsafe) {
        out = Cow::Owned(name.replace(is_unsafe, "_"));
    }
    if is_reserved(&out) {
        let (stem, rest) = out.split_once('.').map_or((&*out, None), |(stem, rest)| (stem, Some(rest)));
        out = Cow::Owned(rest.map_or_else(|| format!("{stem}_"), |rest| format!("{stem}_.{rest}")));
    }
    if out.len() > longest.max(1) {
        out = Cow::Owned(cut(&out, longest.max(1)));
    }
    let kept = out.trim_end_matches(['.', ' ']).len();
    if out.is_empty() {
        return Cow::Borrowed("_");
    }
    if kept < out.len() {
        let missing = out.len().saturating_sub(kept);
        let kept = out.trim_end_matches(['.', ' ']);
        out = Cow::Owned(format!("{kept}{}", "_".repeat(missing)));
    }
    out
}

fn is_unsafe(character: char) -> bool {
    character.is_control() || matches!(character, '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*')
}

/// Whether Windows treats a name as a device, regardless of its extension.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    if matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$") {
        return true;
    }
    let port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    port.is_some_and(|port| {
        let mut number = port.chars();
        matches!((number.next(), number.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    })
}

/// Truncates a name, but keeps its extension unless it is too long.
fn cut(name: &str, longest: usize) -> String {
    let (stem, extension) = split_extension(name);
    let ending = if extension.is_empty() || extension.len() >= LONGEST_EXTENSION.min(longest) {
        String::new()
    } else {
        format!(".{extension}")
    };
    let stem = if ending.is_empty() { name } else { stem };
    let room = longest.saturating_sub(ending.len());
    let end = (0..=room).rev().find(|end| stem.is_char_boundary(*end)).unwrap_or(0);
    let kept = stem.get(..end).unwrap_or_default();
    if kept.is_empty() { "_".to_owned() } else { format!("{kept}{ending}") }
}

/// A generator of safe names that are unique even if letter case is ignored. It records which names were changed.
#[derive(Debug, Default)]
pub struct Namer {
    /// Used names, in the form in which they are compared.
    used: HashSet<String>,
    /// The name of each folder.
    folders: HashMap<String, String>,
    /// The last number that was tried for a used name.
    numbers: HashMap<String, u64>,
    renamed: Vec<(String, String)>,
}

impl Namer {
    /// Creates a generator without used names.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a safe, unused relative path for a file. Folders whose names differ only in letter case are merged.
    ///
    /// # Errors
    /// When the name leads out of its folder, or is empty.
    pub fn file(&mut self, original: &str) -> Result<String, PathError> {
        self.file_with_limit(original, MAX_NAME_LENGTH)
    }

    /// Like [`Namer::file`], with at most `longest` bytes in the file name.
    ///
    /// # Errors
    /// When the name leads out of its folder, or is empty.
    pub fn file_with_limit(&mut self, original: &str, longest: usize) -> Result<String, PathError> {
        let path = GamePath::parse(original)?;
        if path.is_root() {
            return Err(PathError::InvalidName);
        }
        let folder = self.folder(&path.folder());
        let safe = self.unique(&folder, path.name(), longest);
        if safe != path.as_str() {
            self.renamed.push((original.to_owned(), safe.clone()));
        }
        Ok(safe)
    }

    /// Returns the changed names in order: the original and the safe one.
    #[must_use]
    pub fn renamed(&self) -> &[(String, String)] {
        &self.renamed
    }

    fn folder(&mut self, folder: &GamePath) -> String {
        let mut safe = String::new();
        let mut original = GamePath::root();
        for segment in folder.segments() {
            original = original.join(segment).unwrap_or_default();
            let key = folded(original.as_str());
            safe = match self.folders.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let fresh = self.unique(&safe, segment, MAX_NAME_LENGTH);
                    self.folders.insert(key, fresh.clone());
                    fresh
                }
            };
        }
        safe
    }

    /// Returns an unused name in a folder.
    fn unique(&mut self, folder: &str, name: &str, longest: usize) -> String {
        let safe = safe_name_with_limit(name, longest);
        let first = join(folder, &safe);
        let key = folded(&first);
        if self.used.insert(key.clone()) {
            return first;
        }
        let (stem, extension) = split_extension(&safe);
        loop {
            let number = self.numbers.entry(key.clone()).or_insert(1);
            *number = number.saturating_add(1);
            let mark = format!("~{number}");
            let room = longest.saturating_sub(mark.len()).saturating_sub(extension.len()).saturating_sub(1);
            let stem = safe_name_with_limit(stem, room);
            let dot = if extension.is_empty() { "" } else { "." };
            let candidate = join(folder, &format!("{stem}{mark}{dot}{extension}"));
            if self.used.insert(folded(&candidate)) {
                return candidate;
            }
        }
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Returns the form in which names are compared, as coarse as the coarsest file system.
fn folded(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn replaces_characters_that_are_invalid_on_some_file_system() {
        for (name, safe) in [
            ("room2_opt.glb", "room2_opt.glb"),
            ("what?.png", "what_.png"),
            ("a<b>c:d\"e/f\\g|h*i", "a_b_c_d_e_f_g_h_i"),
            ("bell\u{7}\0.wav", "bell__.wav"),
            ("end. .", "end___"),
            ("", "_"),
            (".", "_"),
            ("..", "__"),
            ("con", "con_"),
            ("NUL.tar.gz", "NUL_.tar.gz"),
            ("com1.png", "com1_.png"),
            ("LPT².png", "LPT²_.png"),
            ("con .txt", "con _.txt"),
            ("console.png", "console.png"),
            ("com10", "com10"),
            ("프론테라.rsm", "프론테라.rsm"),
        ] {
            assert_eq!(safe_name(name), safe, "{name:?}");
        }
    }

    #[test]
    fn truncates_a_long_name_before_its_extension() {
        let safe = safe_name_with_limit("프론테라프론테라.texture", 20).into_owned();
        assert_eq!(safe, "프론테라.texture");
        assert_eq!(safe_name(&"x".repeat(400)).len(), 255);
    }

    #[test]
    fn renames_and_records_names_that_differ_only_in_case() {
        let mut namer = Namer::new();
        assert_eq!(namer.file("Data/a.png").unwrap(), "Data/a.png");
        assert_eq!(namer.file("data\\A.png").unwrap(), "Data/A~2.png");
        assert_eq!(namer.file("DATA/a.PNG").unwrap(), "Data/a~3.PNG");
        assert_eq!(namer.file("data/b?.png").unwrap(), "Data/b_.png");
        assert_eq!(namer.file("data/b_.png").unwrap(), "Data/b_~2.png");
        assert_eq!(namer.renamed().len(), 4);
        assert_eq!(namer.renamed()[0], ("data\\A.png".to_owned(), "Data/A~2.png".to_owned()));
    }

    #[test]
    fn files_and_folders_never_have_the_same_name() {
        let mut namer = Namer::new();
        assert_eq!(namer.file("a").unwrap(), "a");
        assert_eq!(namer.file("A/x").unwrap(), "A~2/x");
    }

    #[test]
    fn refuses_names_outside_the_folder() {
        let mut namer = Namer::new();
        assert_eq!(namer.file("../x"), Err(PathError::ParentDir));
        assert_eq!(namer.file("/x"), Err(PathError::Absolute));
        assert_eq!(namer.file("a/.."), Err(PathError::InvalidName));
    }

    fn hostile() -> impl Strategy<Value = String> {
        prop_oneof![
            r#"[a-cA-C<>:"/\\|?*. \x00-\x1f~_éß프]{0,40}"#,
            r"(con|NUL|com1|lpt³|\.|\.\.| )(\.[a-z]{0,4}|\.| )?",
            "[x프]{200,300}(\\.[a-z프]{0,60})?",
            any::<String>(),
        ]
    }

    proptest! {
        #[test]
        fn safe_names_are_safe_and_unchanged(name in hostile(), longest in 1_usize..300) {
            let safe = safe_name_with_limit(&name, longest).into_owned();
            prop_assert!(!safe.is_empty() && safe.len() <= longest.max(1), "{safe:?}");
            prop_assert!(!safe.contains(is_unsafe) && !safe.ends_with(['.', ' ']), "{safe:?}");
            prop_assert!(safe != ".." && safe != ".");
            if longest >= 8 {
                prop_assert!(!is_reserved(&safe), "{safe:?}");
                prop_assert_eq!(safe_name_with_limit(&safe, longest), &*safe);
            }
        }

        #[test]
        fn generated_names_are_unique_and_stay_inside(names in proptest::collection::vec(hostile(), 0..40)) {
            let mut namer = Namer::new();
            let mut seen = HashSet::new();
            for name in &names {
                if let Ok(safe) = namer.file(name) {
                    prop_assert!(seen.insert(folded(&safe)), "{safe:?} twice");
                    prop_assert!(safe.split('/').all(|part| safe_name(part) == part), "{safe:?}");
                }
            }
        }
    }
}

//! File names that every file system takes.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

pub use crate::path::{composed, fold};

use crate::path::{GamePath, PathError, split_extension};

/// How many bytes one name may have.
pub const MAX_NAME_LENGTH: usize = 255;

/// How much of that is left to an extension when a name is cut.
const LONGEST_EXTENSION: usize = 32;

/// One file or folder name (no slashes) made safe for Linux, macOS and Windows.
///
/// `<>:"/\|?*` and control characters become `_`, so do dots and spaces at the end; names that Windows keeps for devices get a
/// `_` before their extension; what is longer than 255 bytes is cut before its extension. A safe name stays as it is.
#[must_use]
pub fn safe_name(name: &str) -> Cow<'_, str> {
    safe_name_with_limit(name, MAX_NAME_LENGTH)
}

/// A safe name of at most `longest` bytes, at least 1: room can be left for what will be appended.
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

/// Whether Windows takes a name for a device, whatever its extension.
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

/// The first bytes of a name with its extension, if that is not too long itself.
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

/// Gives out safe names that stay apart where letter case does not matter, and remembers which name became which.
#[derive(Debug, Default)]
pub struct Namer {
    /// Names given out, in the form they are compared in.
    taken: HashSet<String>,
    /// The name given to each folder.
    folders: HashMap<String, String>,
    /// The last number tried for a name that was taken.
    numbers: HashMap<String, u64>,
    renamed: Vec<(String, String)>,
}

impl Namer {
    /// No names given out.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A safe relative path for a file, never given out before. Folders whose names differ only in letter case are one.
    ///
    /// # Errors
    /// When the name leads out of the folder it is to be in, or is no name at all.
    pub fn file(&mut self, original: &str) -> Result<String, PathError> {
        self.file_with_limit(original, MAX_NAME_LENGTH)
    }

    /// The same, with at most `longest` bytes in the file's own name.
    ///
    /// # Errors
    /// When the name leads out of the folder it is to be in, or is no name at all.
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

    /// What was renamed, in order: the original name and the safe one.
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

    /// A name in a folder that was not given out before.
    fn unique(&mut self, folder: &str, name: &str, longest: usize) -> String {
        let safe = safe_name_with_limit(name, longest);
        let first = join(folder, &safe);
        let key = folded(&first);
        if self.taken.insert(key.clone()) {
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
            if self.taken.insert(folded(&candidate)) {
                return candidate;
            }
        }
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The form in which names are compared: as coarse as the coarsest file system.
fn folded(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn characters_invalid_on_some_file_system_are_replaced() {
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
    fn a_long_name_is_truncated_before_its_extension() {
        let safe = safe_name_with_limit("프론테라프론테라.texture", 20).into_owned();
        assert_eq!(safe, "프론테라.texture");
        assert_eq!(safe_name(&"x".repeat(400)).len(), 255);
    }

    #[test]
    fn names_that_differ_only_in_case_are_renamed_and_recorded() {
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
    fn a_file_and_a_folder_never_share_a_name() {
        let mut namer = Namer::new();
        assert_eq!(namer.file("a").unwrap(), "a");
        assert_eq!(namer.file("A/x").unwrap(), "A~2/x");
    }

    #[test]
    fn a_name_outside_the_folder_is_refused() {
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
        fn a_safe_name_is_safe_and_stays_as_it_is(name in hostile(), longest in 1_usize..300) {
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
        fn names_given_out_stay_inside_and_apart(names in proptest::collection::vec(hostile(), 0..40)) {
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

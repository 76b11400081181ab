//! Paths inside a game: relative, normalized, never leading out.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A path below a game's root, with `/` between its segments. Never absolute, never with `.`, `..` or empty segments.
/// The root itself is the empty path.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GamePath(String);

/// Why a name cannot be a path below the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PathError {
    /// It has more `..` than folders to leave.
    ParentDir,
    /// It starts at the root of a disk.
    Absolute,
    /// It holds a NUL character or is longer than [`GamePath::LONGEST`] bytes.
    InvalidName,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ParentDir => "leads outside the game folder",
            Self::Absolute => "is an absolute path",
            Self::InvalidName => "is not a valid file name",
        })
    }
}

impl GamePath {
    /// How many bytes a path may have. No file system in use has longer ones.
    pub const LONGEST: usize = 4096;

    /// The game's root.
    #[must_use]
    pub const fn root() -> Self {
        Self(String::new())
    }

    /// Reads a path as games write them: with `/` or `\`, with `.` and `..`, with doubled slashes.
    ///
    /// # Errors
    /// When it would not lie below the root.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        Self::root().join(text)
    }

    /// The path that `name` means when it is written in this folder.
    ///
    /// # Errors
    /// When it would not lie below the root.
    pub fn join(&self, name: &str) -> Result<Self, PathError> {
        if name.len() > Self::LONGEST || name.contains('\0') {
            return Err(PathError::InvalidName);
        }
        if is_absolute(name) {
            return Err(PathError::Absolute);
        }
        let mut out = self.clone();
        for segment in name.split(['/', '\\']) {
            match segment {
                "" | "." => {}
                ".." if out.is_root() => return Err(PathError::ParentDir),
                ".." => out = out.folder(),
                _ => out.push(segment),
            }
        }
        if out.0.len() > Self::LONGEST { Err(PathError::InvalidName) } else { Ok(out) }
    }

    /// Appends one segment that is known to be one.
    fn push(&mut self, segment: &str) {
        if !self.is_root() {
            self.0.push('/');
        }
        self.0.push_str(segment);
    }

    /// Whether this is the game's root itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The path with `/` between its segments.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder it stands in; the root's is the root.
    #[must_use]
    pub fn folder(&self) -> Self {
        Self(self.0.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned()))
    }

    /// The last segment.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// The last segment without its extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        split_extension(self.name()).0
    }

    /// The extension as written, without the dot; empty when there is none.
    #[must_use]
    pub fn extension(&self) -> &str {
        split_extension(self.name()).1
    }

    /// The segments from the root downwards.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|segment| !segment.is_empty())
    }

    /// The form in which paths are compared when letter case does not matter.
    pub(crate) fn folded(&self) -> String {
        fold(&self.0)
    }
}

impl fmt::Display for GamePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for GamePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// A name with composed letters: some file systems take letters apart, so that `가` is `ㄱ` and `ㅏ`. Games write them composed.
#[must_use]
pub fn composed(name: &str) -> Cow<'_, str> {
    match is_nfc_quick(name.chars()) {
        IsNormalized::Yes => Cow::Borrowed(name),
        _ => Cow::Owned(name.nfc().collect()),
    }
}

/// A name in the form in which names are compared: neither letter case matters, nor how letters are composed.
#[must_use]
pub fn fold(name: &str) -> String {
    composed(name).to_lowercase()
}

/// Name and extension, without the dot. A dot in front is part of the name: `.hidden` has no extension.
pub(crate) fn split_extension(name: &str) -> (&str, &str) {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension),
        _ => (name, ""),
    }
}

/// Whether a name starts at the root of a disk, a drive or a network share.
fn is_absolute(name: &str) -> bool {
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some('/' | '\\'), _) => true,
        (Some(drive), Some(':')) => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<String, PathError> {
        GamePath::parse(text).map(|path| path.as_str().to_owned())
    }

    #[test]
    fn both_slashes_dots_and_doubled_slashes_are_normalized() {
        assert_eq!(parse("GFX\\map//./Props\\..\\room.rmesh").unwrap(), "GFX/map/room.rmesh");
        assert_eq!(parse("").unwrap(), "");
        assert_eq!(parse("a/..").unwrap(), "");
        assert_eq!(parse("a/").unwrap(), "a");
        assert_eq!(parse("...").unwrap(), "...");
    }

    #[test]
    fn a_path_never_leaves_the_root_and_says_why() {
        assert_eq!(parse("..\\..\\x"), Err(PathError::ParentDir));
        assert_eq!(parse("a/../../x"), Err(PathError::ParentDir));
        assert_eq!(parse("C:\\x"), Err(PathError::Absolute));
        assert_eq!(parse("c:x"), Err(PathError::Absolute));
        assert_eq!(parse("/etc/passwd"), Err(PathError::Absolute));
        assert_eq!(parse("\\\\server\\share"), Err(PathError::Absolute));
        assert_eq!(parse("a\0b"), Err(PathError::InvalidName));
        assert_eq!(parse(&"a/".repeat(3000)), Err(PathError::InvalidName));
    }

    #[test]
    fn a_name_is_relative_to_its_folder() {
        let folder = GamePath::parse("GFX/map").unwrap();
        assert_eq!(folder.join("..\\x.png").unwrap().as_str(), "GFX/x.png");
        assert_eq!(folder.join("..\\..\\..\\x.png"), Err(PathError::ParentDir));
    }

    #[test]
    fn a_path_has_folder_name_stem_and_extension() {
        let path = GamePath::parse("GFX/map/Door.old.jpg").unwrap();
        assert_eq!((path.name(), path.stem(), path.extension()), ("Door.old.jpg", "Door.old", "jpg"));
        assert_eq!(path.folder().as_str(), "GFX/map");
        assert_eq!(GamePath::parse(".hidden").unwrap().extension(), "");
        assert_eq!(GamePath::root().folder(), GamePath::root());
    }

    proptest! {
        #[test]
        fn whatever_the_name_the_path_stays_below_the_root(
            base in "[a-z/]{0,12}",
            name in r"([a-zA-Z:.\\/ \x00é]|\.\.|\.\./|\\){0,24}",
        ) {
            let base = GamePath::parse(base.trim_start_matches('/')).unwrap();
            if let Ok(path) = base.join(&name) {
                prop_assert!(!path.as_str().starts_with('/') && !path.as_str().ends_with('/'));
                let plain = path.segments().all(|segment| {
                    !segment.is_empty() && segment != "." && segment != ".." && !segment.contains(['\\', '\0'])
                });
                prop_assert!(plain, "{path:?}");
                // What is normalized stays as it is, unless its first folder looks like a drive.
                if let Ok(again) = GamePath::parse(path.as_str()) {
                    prop_assert_eq!(again, path);
                }
            }
        }
    }
}

//! Paths within a game: relative, normalized, and never leading out of it.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A path below a game's root, with `/` between segments. It is never absolute and has no empty segments, `.` or `..`. The empty
/// path is the root.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GamePath(String);

/// The reason why a name is not a path below the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PathError {
    /// The path has more `..` than folders to leave.
    ParentDir,
    /// The path starts at the root of a disk.
    Absolute,
    /// The path contains a NUL character or is longer than [`GamePath::LONGEST`] bytes.
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
    /// Maximum length of a path in bytes. No common file system supports longer paths.
    pub const LONGEST: usize = 4096;

    /// Returns the game's root.
    #[must_use]
    pub const fn root() -> Self {
        Self(String::new())
    }

    /// Parses a path as games write it: with `/` or `\`, with `.` and `..`, with repeated slashes.
    ///
    /// # Errors
    /// When the path is not below the root.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        Self::root().join(text)
    }

    /// Resolves a name relative to this folder.
    ///
    /// # Errors
    /// When the path is not below the root.
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

    /// Appends a segment.
    fn push(&mut self, segment: &str) {
        if !self.is_root() {
            self.0.push('/');
        }
        self.0.push_str(segment);
    }

    /// Whether this is the root.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path with `/` between segments.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder that contains the file; the folder of the root is the root.
    #[must_use]
    pub fn folder(&self) -> Self {
        Self(self.0.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned()))
    }

    /// Returns the last segment.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// Returns the last segment without its extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        split_extension(self.name()).0
    }

    /// Returns the extension as written, without the dot, or an empty string.
    #[must_use]
    pub fn extension(&self) -> &str {
        split_extension(self.name()).1
    }

    /// Iterates over the segments, starting at the root.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|segment| !segment.is_empty())
    }

    /// Returns the form in which paths are compared, ignoring letter case.
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

/// Returns a name with composed characters (NFC). Some file systems decompose characters, so that `가` becomes `ㄱ` and `ㅏ`, but
/// games compose them.
#[must_use]
pub fn composed(name: &str) -> Cow<'_, str> {
    match is_nfc_quick(name.chars()) {
        IsNormalized::Yes => Cow::Borrowed(name),
        _ => Cow::Owned(name.nfc().collect()),
    }
}

/// Returns the form in which names are compared, ignoring letter case and composition.
#[must_use]
pub fn fold(name: &str) -> String {
    composed(name).to_lowercase()
}

/// Splits a name into stem and extension without the dot. A leading dot is part of the stem: `.hidden` has no extension.
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
    fn normalizes_slashes_and_dots() {
        assert_eq!(parse("GFX\\map//./Props\\..\\room.rmesh").unwrap(), "GFX/map/room.rmesh");
        assert_eq!(parse("").unwrap(), "");
        assert_eq!(parse("a/..").unwrap(), "");
        assert_eq!(parse("a/").unwrap(), "a");
        assert_eq!(parse("...").unwrap(), "...");
    }

    #[test]
    fn refuses_paths_that_leave_the_root() {
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
    fn joins_names_relative_to_a_folder() {
        let folder = GamePath::parse("GFX/map").unwrap();
        assert_eq!(folder.join("..\\x.png").unwrap().as_str(), "GFX/x.png");
        assert_eq!(folder.join("..\\..\\..\\x.png"), Err(PathError::ParentDir));
    }

    #[test]
    fn splits_a_path_into_folder_name_stem_and_extension() {
        let path = GamePath::parse("GFX/map/Door.old.jpg").unwrap();
        assert_eq!((path.name(), path.stem(), path.extension()), ("Door.old.jpg", "Door.old", "jpg"));
        assert_eq!(path.folder().as_str(), "GFX/map");
        assert_eq!(GamePath::parse(".hidden").unwrap().extension(), "");
        assert_eq!(GamePath::root().folder(), GamePath::root());
    }

    proptest! {
        #[test]
        fn joined_paths_stay_below_the_root(
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
                // A normalized path is unchanged, unless its first folder looks like a drive.
                if let Ok(parsed) = GamePath::parse(path.as_str()) {
                    prop_assert_eq!(parsed, path);
                }
            }
        }
    }
}

//! Recognition of files.

/// The confidence that a file has a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub u8);

impl Score {
    /// The file does not have this format, regardless of its name.
    pub const NEVER: Self = Self(0);
    /// Only the name matches.
    pub const POSSIBLE: Self = Self(10);
    /// The content matches, but other formats are possible.
    pub const LIKELY: Self = Self(50);
    /// The content identifies the format.
    pub const CERTAIN: Self = Self(100);
}

/// The information about a file that is available before it is opened.
#[derive(Debug)]
pub struct Probe<'a> {
    /// First bytes of the file, at most [`Probe::HEAD`].
    pub head: &'a [u8],
    /// Length of the file in bytes.
    pub length: u64,
    /// File name in lowercase, without folders; empty if there is none.
    pub name: String,
}

impl<'a> Probe<'a> {
    /// Maximum number of bytes in [`Probe::head`].
    pub const HEAD: u64 = 4096;

    /// Creates a probe from the first bytes, the length, and an optional name.
    #[must_use]
    pub fn new(head: &'a [u8], length: u64, name: Option<&str>) -> Self {
        let name = name.and_then(|name| name.rsplit(['/', '\\']).next()).unwrap_or_default();
        Self { head, length, name: name.to_lowercase() }
    }

    /// The extension in lowercase, without the dot; empty if there is none.
    #[must_use]
    pub fn extension(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Whether the name ends in one of these extensions (lowercase, without the dot).
    #[must_use]
    pub fn has_extension(&self, extensions: &[&str]) -> bool {
        extensions.contains(&self.extension())
    }

    /// Whether the file starts with these bytes.
    #[must_use]
    pub fn starts_with(&self, bytes: &[u8]) -> bool {
        self.head.starts_with(bytes)
    }

    /// Whether the file has these bytes at an offset (within the probed bytes).
    #[must_use]
    pub fn has_at(&self, offset: usize, bytes: &[u8]) -> bool {
        self.head.get(offset..).is_some_and(|rest| rest.starts_with(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probe_has_the_lowercase_name_without_folders() {
        let probe = Probe::new(b"abc", 3, Some("GFX\\map/Room.RMesh"));
        assert_eq!(probe.name, "room.rmesh");
        assert!(probe.has_extension(&["rmesh"]));
        assert!(probe.has_at(1, b"bc"));
        assert!(!probe.has_at(2, b"cd"));
        assert!(!probe.has_at(9, b"x"));
        assert_eq!(Probe::new(b"", 0, None).extension(), "");
    }

    #[test]
    fn content_outranks_the_name() {
        assert!(Score::CERTAIN > Score::LIKELY && Score::LIKELY > Score::POSSIBLE);
    }
}

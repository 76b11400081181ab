//! How a file is recognized.

/// How surely a file is of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub u8);

impl Score {
    /// It is not of this format, whatever its name says.
    pub const NEVER: Self = Self(0);
    /// Only the name speaks for it.
    pub const POSSIBLE: Self = Self(10);
    /// The content fits, but might be something else.
    pub const LIKELY: Self = Self(50);
    /// The content names the format.
    pub const CERTAIN: Self = Self(100);
}

/// What is known of a file before it is opened.
#[derive(Debug)]
pub struct Probe<'a> {
    /// Its first bytes, at most [`Probe::HEAD`] of them.
    pub head: &'a [u8],
    /// How many bytes it has.
    pub length: u64,
    /// Its name in lower case, without folders; empty when it has none.
    pub name: String,
}

impl<'a> Probe<'a> {
    /// How many bytes a probe sees.
    pub const HEAD: u64 = 4096;

    /// A file with these first bytes, this length, and perhaps a name.
    #[must_use]
    pub fn new(head: &'a [u8], length: u64, name: Option<&str>) -> Self {
        let name = name.and_then(|name| name.rsplit(['/', '\\']).next()).unwrap_or_default();
        Self { head, length, name: name.to_lowercase() }
    }

    /// The extension in lower case, without the dot; empty when there is none.
    #[must_use]
    pub fn extension(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Whether the name ends in one of these extensions (lower case, without the dot).
    #[must_use]
    pub fn has_extension(&self, extensions: &[&str]) -> bool {
        extensions.contains(&self.extension())
    }

    /// Whether the file starts with these bytes.
    #[must_use]
    pub fn starts_with(&self, bytes: &[u8]) -> bool {
        self.head.starts_with(bytes)
    }

    /// Whether these bytes stand at an offset (within what the probe sees).
    #[must_use]
    pub fn has_at(&self, offset: usize, bytes: &[u8]) -> bool {
        self.head.get(offset..).is_some_and(|rest| rest.starts_with(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_knows_the_name_without_folders_in_lower_case() {
        let probe = Probe::new(b"abc", 3, Some("GFX\\map/Room.RMesh"));
        assert_eq!(probe.name, "room.rmesh");
        assert!(probe.has_extension(&["rmesh"]));
        assert!(probe.has_at(1, b"bc"));
        assert!(!probe.has_at(2, b"cd"));
        assert!(!probe.has_at(9, b"x"));
        assert_eq!(Probe::new(b"", 0, None).extension(), "");
    }

    #[test]
    fn content_outranks_a_name() {
        assert!(Score::CERTAIN > Score::LIKELY && Score::LIKELY > Score::POSSIBLE);
    }
}

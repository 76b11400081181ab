//! The declarations of all settings files.

mod combat;
mod item;
mod system;

use super::Kind;
use super::key::Group;

impl Kind {
    /// Returns the declared sections; empty for files without keys.
    #[must_use]
    pub const fn groups(self) -> &'static [Group] {
        match self {
            Self::Combat => combat::GROUPS,
            Self::Item => item::GROUPS,
            Self::System => system::GROUPS,
            _ => &[],
        }
    }

    /// Returns the declared section with a name in lowercase.
    #[must_use]
    pub fn group(self, section: &str) -> Option<&'static Group> {
        self.groups().iter().find(|group| group.is(section))
    }
}

//! The declarations of all settings files.

mod combat;
mod driver;
mod item;
mod keys;
mod menu;
mod registry;
mod system;
mod world;

use super::Kind;
use super::key::{Group, Key, Name};

pub(super) use combat::{MAX_ANIMATION, MAX_TALK};
pub use keys::NAMES as KEY_NAMES;

impl Kind {
    /// Returns the declared sections; empty for files without keys.
    #[must_use]
    pub const fn groups(self) -> &'static [Group] {
        match self {
            Self::Combat => combat::GROUPS,
            Self::Item => item::GROUPS,
            Self::System => system::GROUPS,
            Self::World => world::GROUPS,
            Self::Menu => menu::GROUPS,
            Self::Keys => keys::GROUPS,
            Self::Registry => registry::GROUPS,
            Self::Driver => driver::GROUPS,
            _ => &[],
        }
    }

    /// Returns the declared section with a name in lowercase.
    #[must_use]
    pub fn group(self, section: &str) -> Option<&'static Group> {
        self.groups().iter().find(|group| group.is(section))
    }

    /// Returns the declared keys of a section with a name in lowercase. Several groups may declare keys of one section.
    pub fn keys(self, section: &str) -> impl Iterator<Item = &'static Key> {
        self.groups().iter().filter(move |group| group.is(section)).flat_map(|group| group.keys)
    }

    /// Returns a declared key of a section by the name in a file.
    #[must_use]
    pub fn find(self, section: &str, written: &Name) -> Option<&'static Key> {
        self.keys(section).find(|key| written.is(key.name))
    }
}

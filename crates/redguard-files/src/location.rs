//! The files that SYSTEM.INI names: dialogue, worlds and items.

use std::sync::Arc;

use asset::{Charset, Context, Found};
use media::ini::{Ini, Syntax};

/// The syntax of settings files.
pub const SYNTAX: Syntax = Syntax::xngine(Charset::Cp437);

/// Name of the settings of the program.
pub const SYSTEM: &str = "SYSTEM.INI";

/// A file that SYSTEM.INI names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// The lines of dialogue.
    Dialogue,
    /// The table of worlds.
    Worlds,
    /// The table of items.
    Items,
}

/// Each file with its key in the section `[system]` and its shipped name.
const NAMED: [(Named, &str, &str); 3] = [
    (Named::Dialogue, "rtx_filename", "ENGLISH.RTX"),
    (Named::Worlds, "world_ini", "WORLD.INI"),
    (Named::Items, "item_ini", "ITEM.INI"),
];

impl Named {
    /// Returns the name in the game that a file belongs to. Without a setting, it is the shipped one.
    #[must_use]
    pub fn name(self, context: &Context<'_>) -> String {
        let names = names(context);
        let named = NAMED.iter().position(|(named, ..)| *named == self);
        let name = named.and_then(|at| names.as_ref()?.get(at).cloned());
        name.unwrap_or_else(|| {
            NAMED.iter().find(|(named, ..)| *named == self).map_or("", |it| it.2).to_owned()
        })
    }

    /// Finds the file in the game that a file belongs to.
    #[must_use]
    pub fn find(self, context: &Context<'_>) -> Option<Found> {
        context.install.find(&self.name(context).replace('\\', "/")).found()
    }
}

/// Returns the three names, which are read only once.
fn names(context: &Context<'_>) -> Option<Arc<Vec<String>>> {
    let found = context.install.find(SYSTEM).found()?;
    let read = || {
        let ini = Ini::of_install(context, SYSTEM, SYNTAX)
            .ok_or_else(|| record::Error::malformed("no settings"))?;
        let system = ini.section("system");
        let name = |(_, key, shipped): &(Named, &str, &str)| {
            let value =
                system.as_ref().and_then(|section| section.get(key)).map(|it| SYNTAX.without_comment(it));
            value.filter(|value| !value.is_empty()).unwrap_or(shipped).to_owned()
        };
        let names: Vec<String> = NAMED.iter().map(name).collect();
        let size = names.iter().map(String::len).sum();
        Ok((names, size))
    };
    context.install.decoded(&found.location, "names of files", read).ok()
}

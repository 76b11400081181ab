//! The commands and cheats of the game's console.

use files::suggest::did_you_mean;
use record::{Error, Result};
use redguard_world::engine::console::{self, Command};

/// Returns the commands of the console, followed by the cheats: all of them, or the one with this name or alias (in any case).
///
/// # Errors
/// Returns an error if no command or cheat has this name.
pub fn console_commands(name: Option<&str>) -> Result<Vec<Command>> {
    let Some(name) = name else { return Ok(console::all().collect()) };
    let is_same = |known: &str| known.eq_ignore_ascii_case(name);
    let found = console::all().find(|it| is_same(it.name) || it.alias.is_some_and(is_same));
    found.map(|it| vec![it]).ok_or_else(|| {
        let suggestion = did_you_mean(name, console::all().map(|it| it.name));
        Error::usage(format!("the console has no command or cheat called \"{name}\"{suggestion}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_cheats_are_found_by_name_or_alias_in_any_case() {
        let named = |name| console_commands(Some(name)).unwrap().into_iter().map(|it| it.name);
        assert!(named("LOAD").eq(["load"]) && named("l").eq(["load"]) && named("DrEvil").eq(["drevil"]));
        assert_eq!(console_commands(None).unwrap().len(), 95);
    }

    #[test]
    fn an_unknown_command_gets_a_suggestion() {
        let message = console_commands(Some("setflags")).unwrap_err().to_string();
        assert_eq!(
            message,
            "the console has no command or cheat called \"setflags\"; did you mean \"setflag\"?"
        );
        assert!(console_commands(Some("")).unwrap_err().to_string().ends_with("called \"\""));
    }
}

//! The names of the cheats, what each does, and how the program hides the names.
//!
//! Sources: redguard-preservation's documentation of the cheats and of how the engine (1998, Glide build) uses them.

use asset::Charset;
use record::{Error, Result};

/// How many cheats there are.
pub const COUNT: usize = 13;

/// What every byte of a name is combined with in the game's program, by exclusive or.
pub const KEY: u8 = 0xaa;

/// A cheat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cheat {
    /// What is typed, in the game or at its console.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Which numbers switch it on.
    pub on: On,
}

/// Which numbers switch a cheat on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// All but zero.
    NotZero,
    /// Only one.
    One,
    /// None: it is done when it is typed, or does nothing.
    Never,
}

/// The cheats in the order of the file.
pub static CHEATS: [Cheat; COUNT] = [
    Cheat { name: "oracle", about: "lists the cheats and which are on, at the console", on: On::Never },
    Cheat {
        name: "nodemarker",
        about: "shows the nodes that actors walk by; SYSTEM.INI decides at the start",
        on: On::One,
    },
    Cheat {
        name: "moonraker",
        about: "skips some of what moves the player and makes him fight",
        on: On::NotZero,
    },
    Cheat {
        name: "task",
        about: "runs the tasks of actors: off, only their scripts go on; SYSTEM.INI decides at the start",
        on: On::One,
    },
    Cheat {
        name: "animation",
        about: "runs the animations of actors: off, they stand still; SYSTEM.INI decides at the start",
        on: On::NotZero,
    },
    Cheat { name: "magiccarpet", about: "flies: no falling, walking on at the same height", on: On::One },
    Cheat { name: "savecheats", about: "writes REDGUARD.CHT", on: On::Never },
    Cheat {
        name: "drevil",
        about: "the player does not die when no health is left, and some harm does not count",
        on: On::NotZero,
    },
    Cheat {
        name: "drno",
        about: "other actors than the player leave out part of what they do",
        on: On::NotZero,
    },
    Cheat {
        name: "goldfinger",
        about: "a torch does not burn down; older notes say that after the first hit no other counts",
        on: On::NotZero,
    },
    Cheat {
        name: "neversaydie",
        about: "scripts are told that the player is very far away",
        on: On::NotZero,
    },
    Cheat { name: "oddjob", about: "does nothing", on: On::Never },
    Cheat {
        name: "yeahbaby",
        about: "Page Up and Page Down move the player through surfaces",
        on: On::NotZero,
    },
];

/// A name as the game's program stores it: each byte of code page 437 combined with [`KEY`] by exclusive or. No zero is added.
///
/// ```
/// let hidden = redguard::settings::cht::hide_name("drno")?;
/// assert_eq!(hidden, [0xce, 0xd8, 0xc4, 0xc5]);
/// assert_eq!(redguard::settings::cht::show_name(&hidden), "drno");
/// # Ok::<(), record::Error>(())
/// ```
///
/// # Errors
/// [`Kind::Usage`](record::Kind::Usage) for characters that code page 437 lacks.
pub fn hide_name(name: &str) -> Result<Vec<u8>> {
    let bytes = Charset::Cp437.encode(name).ok_or_else(|| {
        Error::usage(format!("{name:?} has characters that the game's charset (cp437) lacks"))
    })?;
    Ok(bytes.iter().map(|byte| byte ^ KEY).collect())
}

/// The name that [`hide_name`] hid. It ends at a zero, hidden or not, where there is one.
#[must_use]
pub fn show_name(hidden: &[u8]) -> String {
    let shown: Vec<u8> = hidden
        .iter()
        .take_while(|byte| **byte != 0)
        .map(|byte| byte ^ KEY)
        .take_while(|byte| *byte != 0)
        .collect();
    Charset::Cp437.decode(&shown).into_owned()
}

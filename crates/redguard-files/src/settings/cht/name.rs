//! Names and effects of the cheats, and the obfuscation of the names in the game's executable.
//!
//! Sources: redguard-preservation's documentation of the cheats and how the engine uses them (1998, Glide build).

use asset::Charset;
use record::{Error, Result};

/// The number of cheats.
pub const COUNT: usize = 13;

/// The XOR key of the names in the game's executable.
pub const KEY: u8 = 0xaa;

/// A cheat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cheat {
    /// The command that is typed in the game or its console.
    pub name: &'static str,
    /// The effect of the cheat.
    pub about: &'static str,
    /// The values that activate the cheat.
    pub activation: Activation,
}

/// The values that activate a cheat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// All values except zero.
    NotZero,
    /// Only 1.
    One,
    /// No value: a command without a state, or a cheat without effect.
    Never,
}

/// The cheats in file order.
pub static CHEATS: [Cheat; COUNT] = [
    Cheat {
        name: "oracle",
        about: "lists the cheats and their states in the console",
        activation: Activation::Never,
    },
    Cheat {
        name: "nodemarker",
        about: "shows the path nodes of actors; SYSTEM.INI sets it on startup",
        activation: Activation::One,
    },
    Cheat {
        name: "moonraker",
        about: "skips parts of the player's movement and combat",
        activation: Activation::NotZero,
    },
    Cheat {
        name: "task",
        about: "runs the tasks of actors; when off, only their scripts run; SYSTEM.INI sets it on startup",
        activation: Activation::One,
    },
    Cheat {
        name: "animation",
        about: "runs the animations of actors; when off, they do not move; SYSTEM.INI sets it on startup",
        activation: Activation::NotZero,
    },
    Cheat {
        name: "magiccarpet",
        about: "fly: no falling, walking continues at the same height",
        activation: Activation::One,
    },
    Cheat { name: "savecheats", about: "writes REDGUARD.CHT", activation: Activation::Never },
    Cheat {
        name: "drevil",
        about: "the player does not die at zero health and ignores some damage",
        activation: Activation::NotZero,
    },
    Cheat {
        name: "drno",
        about: "disables part of the behavior of other actors",
        activation: Activation::NotZero,
    },
    Cheat {
        name: "goldfinger",
        about: "torches do not burn down; according to older notes only the first hit counts",
        activation: Activation::NotZero,
    },
    Cheat {
        name: "neversaydie",
        about: "scripts see the player as very far away",
        activation: Activation::NotZero,
    },
    Cheat { name: "oddjob", about: "does nothing", activation: Activation::Never },
    Cheat {
        name: "yeahbaby",
        about: "Page Up and Page Down move the player through surfaces",
        activation: Activation::NotZero,
    },
];

/// Obfuscates a name as the game's executable does: each byte of code page 437 is XORed with [`KEY`]. No terminator is added.
///
/// ```
/// let hidden = antiquary_redguard_files::settings::cht::hide_name("drno")?;
/// assert_eq!(hidden, [0xce, 0xd8, 0xc4, 0xc5]);
/// assert_eq!(antiquary_redguard_files::settings::cht::show_name(&hidden), "drno");
/// # Ok::<(), record::Error>(())
/// ```
///
/// # Errors
/// Returns [`Kind::Usage`](record::Kind::Usage) for characters that are not in code page 437.
pub fn hide_name(name: &str) -> Result<Vec<u8>> {
    let bytes = Charset::Cp437.encode(name).ok_or_else(|| {
        let charset = Charset::Cp437.name();
        Error::usage(format!("{name:?} contains characters that are not in the game's charset ({charset})"))
    })?;
    Ok(bytes.iter().map(|byte| byte ^ KEY).collect())
}

/// Reverses [`hide_name`]. Stops at a zero byte, obfuscated or not.
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

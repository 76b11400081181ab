//! Files of a game folder that are not read: those whose layout nobody has published, and those that any program opens.
//!
//! Source: redguard-preservation's notes on the small files of an install.

use asset::Known;

/// Shortens the table below.
const fn known(pattern: &'static str, about: &'static str) -> Known {
    Known { pattern, about }
}

/// The files that are known and not read.
pub(crate) static KNOWN: &[Known] = &[
    // Saved games.
    known("OBJECT.SAV", "kept with saved games; its layout is not known"),
    known("LOGBOOK.TXT", "the journal's text; any editor opens it"),
    // Sound.
    known("*.WAV", "sound; any player opens it"),
    known("*.DIG", "driver for digital sound (Miles); nothing of the game is in it"),
    known("*.MDI", "driver for music (Miles); nothing of the game is in it"),
    known("*.OPL", "instruments for sound cards with an OPL chip (Miles timbre bank)"),
    known("*.AD", "instruments for AdLib cards (Miles timbre bank)"),
    known("DIG.INI", "which driver plays sound, in text; any editor opens it"),
    known("MDI.INI", "which driver plays music, in text; any editor opens it"),
    known("MSSDRVR.LST", "which sound drivers there are, in text; any editor opens it"),
    // Settings and lists.
    known("STATE.RST", "settings in text; any editor opens it"),
    known("*.SWG", "settings of a SideWinder game device; only parts of its layout are known"),
    known("*.SWX", "settings of a SideWinder game device; only parts of its layout are known"),
    known("FXART.TXT", "a list of files in text; any editor opens it"),
    known("FXART3DC.TXT", "a list of files in text; any editor opens it"),
    known("LOGFILE.TXT", "what a tool of the makers wrote down, in text; any editor opens it"),
    known("MORE", "a list of models and their versions in text; any editor opens it"),
    known("*.TXT", "text; any editor opens it"),
    // Maps.
    known("*.NOO", "nodes that actors walk by; no shipped game has such a file, and its layout is not known"),
    // Programs, and what runs them.
    known("*.EXE", "program"),
    known("*.COM", "program"),
    known("*.BAT", "commands in text; any editor opens it"),
    known("*.DLL", "part of a program"),
    known("3DFXSPL2.DLL", "part of a program, with the start-up logo of 3dfx in it, which is not read"),
    known("GLIDE2X_EMU.OVL", "part of a program, with the start-up logo of 3dfx in it, which is not read"),
    known("*.OVL", "part of a program"),
    known("*.386", "driver of Windows"),
    known("*.VXD", "driver of Windows"),
    known("*.PIF", "how Windows starts a DOS program"),
    known("*.ICO", "icon; any program opens it"),
    known("*.CONF", "settings of DOSBox in text; any editor opens it"),
    // Discs.
    known("GAME.GOG", "image of the disc: the films are on it; programs for disc images open it"),
    known("GAME.INS", "the tracks of the disc's image in text (cue sheet)"),
    known("*.PDF", "manual; any reader opens it"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_pattern_stands_once_and_says_what_it_is() {
        let patterns: BTreeSet<String> = KNOWN.iter().map(|known| known.pattern.to_lowercase()).collect();
        assert_eq!(patterns.len(), KNOWN.len());
        for known in KNOWN {
            assert!(!known.about.is_empty() && !known.about.ends_with('.'), "{}", known.pattern);
            assert!(!known.pattern.contains(['/', '\\']), "{}", known.pattern);
        }
    }

    /// What is read, or will be, is not listed.
    #[test]
    fn no_format_is_known_as_not_read() {
        let patterns: BTreeSet<&str> = KNOWN.iter().map(|known| known.pattern).collect();
        let later = ["rgm", "wld", "pvo", "def", "rtx", "sfx", "fnt", "ini"];
        let read = crate::FORMATS.iter().chain(paint::FORMATS).flat_map(|format| format.extensions);
        for extension in read.chain(&later) {
            let pattern = format!("*.{}", extension.to_uppercase());
            assert!(!patterns.contains(pattern.as_str()), "{pattern}");
        }
    }
}

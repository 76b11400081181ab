//! Known files of a game folder that are not supported: undocumented formats, and formats that common programs open.
//!
//! Source: redguard-preservation's notes on the small files of an install.

use asset::KnownFile;

/// Creates an entry of the table.
const fn known(pattern: &'static str, about: &'static str) -> KnownFile {
    KnownFile { pattern, about }
}

/// The known files that are not supported.
pub(crate) static KNOWN: &[KnownFile] = &[
    // Saved games.
    known("OBJECT.SAV", "part of saved games; undocumented format"),
    known("LOGBOOK.TXT", "journal text; open it with any text editor"),
    // Logs that the game writes: ERROR.LOG, STARTUP.LOG and others.
    known("*.LOG", "log of the game; open it with any text editor"),
    // Scripts.
    known(
        "*.AI",
        "bare bytecode of one script; not in shipped games (`antiquary script disasm --raw` shows its code)",
    ),
    known("*.SOUP", "script as text, of `antiquary script disasm`; open it with any text editor"),
    // Archives.
    known("*.ZAP", "archive of game files named by REGISTRY.INI; not in shipped games, undocumented format"),
    // Sound.
    known("*.WAV", "sound; open it with any player"),
    known("*.OGG", "Ogg Vorbis sound, of a release with sound tracks as files; open it with any player"),
    known("*.DIG", "digital sound driver (Miles); not game data"),
    known("*.MDI", "music driver (Miles); not game data"),
    known("MSSDRVR.LST", "list of sound drivers; open it with any text editor"),
    // Settings and lists.
    known("*.RST", "text settings; open it with any text editor"),
    known("*.SWG", "SideWinder controller settings; only partly documented"),
    known("*.SWX", "SideWinder controller settings; only partly documented"),
    known("FXART.TXT", "list of files; open it with any text editor"),
    known("FXART3DC.TXT", "list of files; open it with any text editor"),
    known("LOGFILE.TXT", "log of a development tool; open it with any text editor"),
    known("MORE", "list of models and their versions; open it with any text editor"),
    known("*.TXT", "text; open it with any text editor"),
    // Pictures.
    known("*.BMP", "image; open it with any image viewer"),
    known("*.TGA", "image; open it with any image viewer"),
    // Maps.
    known("*.NOO", "path nodes of actors; not in shipped games, undocumented format"),
    // Programs and their launchers.
    known("*.EXE", "program"),
    known("*.COM", "program"),
    known("*.BAT", "batch file; open it with any text editor"),
    known("*.DLL", "part of a program"),
    known("3DFXSPL2.DLL", "part of a program; contains the 3dfx startup logo, which is not extracted"),
    known("GLIDE2X_EMU.OVL", "part of a program; contains the 3dfx startup logo, which is not extracted"),
    known("*.OVL", "part of a program"),
    known("*.386", "Windows driver"),
    known("*.VXD", "Windows driver"),
    known("*.PIF", "Windows shortcut for a DOS program"),
    known("*.ICO", "icon; open it with any image viewer"),
    known("*.CONF", "DOSBox settings; open it with any text editor"),
    known("*.LNK", "Windows shortcut"),
    // Leftovers of installers.
    known("*.HASHDB", "file list of an installer"),
    known("*.INFO", "description of an installed game for its launcher"),
    known("*.SCRIPT", "steps of an installer"),
    known("GOGLOG.INI", "log of an installer; open it with any text editor"),
    known("UNINS*.INI", "settings of an uninstaller; open it with any text editor"),
    known("*.MSG", "texts of an uninstaller"),
    known("*.DAT", "data of an uninstaller"),
    known("*.ID", "identifier of an installed game for its launcher"),
    known("*.ZIP", "ZIP archive; unpack it first"),
    // Discs.
    known("*.BIK", "Bink movie; plays in some players"),
    known("GAME.GOG", "disc image with the videos; open it with a disc image tool"),
    known("GAME.INS", "cue sheet of the disc image"),
    known("*.PDF", "manual; open it with any PDF reader"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn patterns_are_unique_and_described() {
        let patterns: BTreeSet<String> = KNOWN.iter().map(|known| known.pattern.to_lowercase()).collect();
        assert_eq!(patterns.len(), KNOWN.len());
        for known in KNOWN {
            assert!(!known.about.is_empty() && !known.about.ends_with('.'), "{}", known.pattern);
            assert!(!known.pattern.contains(['/', '\\']), "{}", known.pattern);
        }
    }

    /// Supported formats must not be listed.
    #[test]
    fn does_not_list_supported_formats() {
        let patterns: BTreeSet<&str> = KNOWN.iter().map(|known| known.pattern).collect();
        // Sounds of the media crate are listed: a file that only has their extension is still named.
        let pictures = media::FORMATS.iter().filter(|format| !format.id.starts_with("audio."));
        // An `.AI` file without the name of its sections can be bare bytecode.
        let own = crate::FORMATS.iter().filter(|format| format.id != "redguard.ai");
        let read = own.chain(pictures).flat_map(|format| format.extensions);
        for extension in read {
            let pattern = format!("*.{}", extension.to_uppercase());
            assert!(!patterns.contains(pattern.as_str()), "{pattern}");
        }
    }
}

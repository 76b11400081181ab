//! Files that are recognized but not read: common kinds, by their first bytes, and known files of the games, by name.

use asset::wildcard::matches_glob;
use asset::{Error, GameInfo, KnownFile, Source};
use record::git_lfs;

/// Number of bytes needed to recognize a common kind.
const HEAD: u64 = 512;

/// Describes a file of a common kind and what opens it, by its first bytes. Returns `None` for any other file. Kinds with
/// short signatures are not included, because files of the games may start with the same bytes.
pub(crate) fn common_kind(head: &[u8]) -> Option<&'static str> {
    if git_lfs::is_pointer(head) {
        return Some(git_lfs::ABOUT);
    }
    Some(match infer::get(head)?.mime_type() {
        "image/jpeg" => "JPEG image; opens in any image viewer",
        "image/png" => "PNG image; opens in any image viewer",
        "image/gif" => "GIF image; opens in any image viewer",
        "image/webp" => "WebP image; opens in most image viewers",
        "image/tiff" => "TIFF image; opens in most image viewers",
        "audio/ogg" | "audio/opus" => "Ogg audio; plays in any player",
        "audio/x-wav" => "WAV audio; plays in any player",
        "audio/x-flac" => "FLAC audio; plays in most players",
        "video/x-msvideo" => "AVI movie; plays in most players",
        "video/mp4" => "MP4 movie; plays in most players",
        "video/x-ms-wmv" => "Windows Media movie; plays in most players",
        "application/zip" => "ZIP archive; unpack it first",
        "application/x-7z-compressed" => "7z archive; unpack it first",
        "application/vnd.rar" => "RAR archive; unpack it first",
        "application/gzip" => "gzip archive; unpack it first",
        "application/pdf" => "PDF document; opens in any PDF reader",
        _ => return None,
    })
}

/// Like [`common_kind`], for a source.
///
/// # Errors
/// Fails if the source cannot be read.
pub(crate) fn common_kind_of(source: &Source) -> Result<Option<&'static str>, Error> {
    Ok(common_kind(&source.head(HEAD)?))
}

/// Finds a file of a game that is known but not read, by its name without folders. Searches only the surrounding game if
/// there is one, otherwise all games.
pub(crate) fn known_by_name(
    games: &'static [&'static GameInfo],
    name: &str,
    around: Option<&GameInfo>,
) -> Option<(&'static GameInfo, &'static KnownFile)> {
    let candidates = games.iter().filter(|game| around.is_none_or(|around| around.id == game.id));
    candidates.into_iter().find_map(|game| {
        let known = game.known.iter().find(|known| matches_glob(known.pattern, name))?;
        Some((*game, known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_common_kinds_by_their_first_bytes() {
        for (head, kind) in [
            (&b"\xff\xd8\xff\xe0\0\x10JFIF"[..], Some("JPEG")),
            (b"\x89PNG\r\n\x1a\n", Some("PNG")),
            (b"OggS\0\x02\0\0\0\0\0\0\0\0", Some("Ogg")),
            (b"RIFF\x24\0\0\0WAVEfmt ", Some("WAV")),
            (b"PK\x03\x04\x14\0\0\0", Some("ZIP")),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", Some("Git LFS pointer")),
            (b"BM\0\0", None),
            (b"MZ\x90\0", None),
            (b"ID3\x03", None),
            (b"", None),
            (b"words", None),
        ] {
            let found = common_kind(head);
            assert_eq!(found.is_some(), kind.is_some(), "{found:?}");
            assert!(kind.is_none_or(|kind| found.is_some_and(|found| found.starts_with(kind))), "{found:?}");
        }
    }
}

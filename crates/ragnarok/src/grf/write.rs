//! Writing of archives in version 0x200, which modders use to distribute patches.

use std::collections::HashMap;
use std::io::Cursor;

use asset::Report;
use files::sink::Output;
use record::{Error, Result, Source};
use scene::Compression;

use super::edit::{ArchiveWriter, new_header};
use super::name;
use super::version::Version;

/// Creates an unencrypted archive of version 0x200 from files with their names (with either slash). The same files in the same
/// order result in the same bytes.
///
/// # Errors
/// If a name leads outside the folder, is not unique, is too long or cannot be encoded in cp949. Also if there are too many files, or more
/// than 4 GB.
pub fn write<N: AsRef<str>, B: AsRef<[u8]>>(files: &[(N, B)]) -> Result<Vec<u8>> {
    let mut out = Cursor::new(Vec::new());
    let files = files.iter().map(|(name, bytes)| (name.as_ref(), Source::from_bytes(bytes.as_ref())));
    write_each(files, Compression::Usual, &mut out)?;
    Ok(out.into_inner())
}

/// Like [`write`], but the files are read one after the other.
pub(super) fn write_sources(
    files: &[(String, Source)],
    compression: Compression,
    out: &mut dyn Output,
    _report: &mut Report,
) -> Result<()> {
    write_each(files.iter().map(|(name, source)| (name.as_str(), source.clone())), compression, out)
}

fn write_each<'a>(
    files: impl Iterator<Item = (&'a str, Source)>,
    compression: Compression,
    out: &mut dyn Output,
) -> Result<()> {
    let mut seen: HashMap<String, String> = HashMap::new();
    let mut writer = ArchiveWriter::new(out, Version::V200);
    writer.skip_header()?;
    for (text, content) in files {
        let name = name::encode(text)?;
        if let Some(other) = seen.insert(name::folded(&name::decode(&name)), text.to_owned()) {
            let message = format!(
                "\"{other}\" and \"{text}\" are the same name to the game, which ignores letter case"
            );
            return Err(Error::usage(message));
        }
        let entry = writer.file(&name, &content, compression).map_err(|error| error.in_file(text))?;
        writer.list(&entry)?;
    }
    writer.finish(&new_header(), None)
}

//! Archives whose bytes depend only on the names and contents of their files, and checksums.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipArchive, ZipWriter};

use crate::command::text;
use crate::{Result, paths};

/// The modification time of all files.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    /// Seconds since 1970, as in `SOURCE_DATE_EPOCH`.
    pub(crate) seconds: u64,
    /// Year, month, day, hour, minute and second in UTC.
    fields: [u16; 6],
}

impl Time {
    /// The time of the last commit.
    pub(crate) fn of_commit() -> Result<Self> {
        let mut git = Command::new("git");
        git.args(["show", "--no-patch", "--format=%ct,%cd", "--date=format-local:%Y,%m,%d,%H,%M,%S"]);
        Self::parse(text(git.env("TZ", "UTC"))?.trim())
    }

    /// Parses seconds and the six fields, separated by commas.
    pub(crate) fn parse(line: &str) -> Result<Self> {
        let (seconds, fields) = line.split_once(',').ok_or("git printed no time")?;
        let fields = fields.split(',').map(str::parse).collect::<std::result::Result<Vec<_>, _>>()?;
        let fields = <[u16; 6]>::try_from(fields).map_err(|_| format!("git printed the time {line}"))?;
        Ok(Self { seconds: seconds.parse()?, fields })
    }

    /// The time in the format of JSON documents, ISO 8601.
    pub(crate) fn iso(self) -> String {
        let [year, month, day, hour, minute, second] = self.fields;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    fn of_zip(self) -> Result<DateTime> {
        let [year, month, day, hour, minute, second] = self.fields;
        let [month, day, hour, minute, second] = [month, day, hour, minute, second].map(u8::try_from);
        Ok(DateTime::from_date_and_time(year, month?, day?, hour?, minute?, second?)?)
    }
}

/// Packs all files below a folder, in the folder `top` of the archive, or at its root if that is empty.
pub(crate) fn zip(folder: &Path, top: &str, out: &Path, time: &Time) -> Result<()> {
    let mut zip = ZipWriter::new(File::create(out)?);
    for file in Entry::all(folder, top)? {
        let options =
            SimpleFileOptions::default().compression_level(Some(9)).last_modified_time(time.of_zip()?);
        zip.start_file(&file.name, options.unix_permissions(file.mode()))?;
        zip.write_all(&fs::read(&file.path)?)?;
    }
    zip.finish()?;
    Ok(())
}

/// Packs all files and symbolic links below a folder, in the folder `top` of the archive.
pub(crate) fn tar_gz(folder: &Path, top: &str, out: &Path, time: &Time) -> Result<()> {
    let mut tar = tar::Builder::new(GzEncoder::new(File::create(out)?, Compression::best()));
    for file in Entry::all(folder, top)? {
        let mut header = tar::Header::new_gnu();
        header.set_mode(file.mode());
        header.set_mtime(time.seconds);
        if let Some(target) = &file.link {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_size(0);
            tar.append_link(&mut header, &file.name, target)?;
        } else {
            let bytes = fs::read(&file.path)?;
            header.set_size(bytes.len().try_into()?);
            tar.append_data(&mut header, &file.name, bytes.as_slice())?;
        }
    }
    tar.into_inner()?.finish()?;
    Ok(())
}

/// A file to pack.
struct Entry {
    path: PathBuf,
    /// The path in the archive.
    name: String,
    is_executable: bool,
    /// The target of a symbolic link.
    link: Option<PathBuf>,
}

impl Entry {
    /// All files below a folder, sorted by path.
    fn all(folder: &Path, top: &str) -> Result<Vec<Self>> {
        let files = paths::files_recursive(folder, |_| true)?;
        let entry = |path: PathBuf| {
            let below = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
            let name = if top.is_empty() { below } else { format!("{top}/{below}") };
            let link = if path.is_symlink() { Some(fs::read_link(&path)?) } else { None };
            let is_executable = link.is_none() && is_executable(&path)?;
            Ok(Self { path, name, is_executable, link })
        };
        files.into_iter().map(entry).collect()
    }

    const fn mode(&self) -> u32 {
        if self.is_executable { 0o755 } else { 0o644 }
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(path)?.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> std::io::Result<bool> {
    Ok(paths::extension(path) == "exe")
}

/// The files of an archive, which is recognized by its content; the only entry of another file is the file itself. A symbolic link has its
/// target as content.
pub(crate) fn entries(path: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let bytes = fs::read(path)?;
    let mut out = BTreeMap::new();
    if bytes.starts_with(b"PK") {
        let mut zip = ZipArchive::new(File::open(path)?)?;
        for index in 0..zip.len() {
            let mut file = zip.by_index(index)?;
            let mut content = Vec::new();
            file.read_to_end(&mut content)?;
            out.insert(file.name().to_owned(), content);
        }
    } else if bytes.starts_with(&[0x1f, 0x8b]) {
        for entry in tar::Archive::new(GzDecoder::new(bytes.as_slice())).entries()? {
            let mut entry = entry?;
            let mut content = Vec::new();
            entry.read_to_end(&mut content)?;
            if let Some(target) = entry.link_name()? {
                content = target.to_string_lossy().into_owned().into_bytes();
            }
            out.insert(entry.path()?.to_string_lossy().into_owned(), content);
        }
    } else {
        out.insert(paths::name(path), bytes);
    }
    Ok(out)
}

/// The SHA-256 checksums of all files in a folder, in the format of `sha256sum`.
pub(crate) fn checksums(folder: &Path) -> Result<String> {
    let mut out = String::new();
    for path in paths::files_recursive(folder, |_| true)? {
        let digest = Sha256::digest(fs::read(&path)?);
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        out.push_str(&format!("{digest}  {name}\n"));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::link;

    /// A folder with a file, an executable file and a symbolic link.
    fn folder(name: &str) -> PathBuf {
        let folder = paths::target().join("archive-tests").join(name);
        paths::empty_folder(&folder).unwrap();
        fs::create_dir_all(folder.join("in/bin")).unwrap();
        fs::write(folder.join("in/b.txt"), "text").unwrap();
        fs::write(folder.join("in/bin/run"), "program").unwrap();
        fs::write(folder.join("in/a.txt"), "more").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(folder.join("in/bin/run"), fs::Permissions::from_mode(0o700)).unwrap();
        }
        folder
    }

    fn time() -> Time {
        Time::parse("1000000000,2001,09,09,01,46,40").unwrap()
    }

    #[test]
    fn archives_have_sorted_entries_and_do_not_depend_on_file_times() {
        for (extension, pack) in
            [("zip", zip as fn(&Path, &str, &Path, &Time) -> Result<()>), ("tar.gz", tar_gz)]
        {
            let folder = folder(extension);
            let [first, second] = ["first", "second"].map(|name| folder.join(format!("{name}.{extension}")));
            pack(&folder.join("in"), "top", &first, &time()).unwrap();
            let touched = File::options().write(true).open(folder.join("in/a.txt")).unwrap();
            touched.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
            pack(&folder.join("in"), "top", &second, &time()).unwrap();
            assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap(), "{extension}");
            let entries: Vec<_> = entries(&first).unwrap().into_iter().collect();
            let expected = [("top/a.txt", "more"), ("top/b.txt", "text"), ("top/bin/run", "program")];
            assert_eq!(entries, expected.map(|(name, text)| (name.to_owned(), text.into())), "{extension}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn archives_keep_permissions_and_links() {
        let folder = folder("modes");
        link("b.txt", &folder.join("in/c.txt")).unwrap();
        let archive = folder.join("modes.tar.gz");
        tar_gz(&folder.join("in"), "top", &archive, &time()).unwrap();
        let mut tar = tar::Archive::new(GzDecoder::new(File::open(&archive).unwrap()));
        let found: Vec<_> = tar
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                let (mode, seconds) = (header.mode().unwrap(), header.mtime().unwrap());
                (entry.path().unwrap().display().to_string(), mode, seconds)
            })
            .collect();
        let expected =
            [("top/a.txt", 0o644), ("top/b.txt", 0o644), ("top/bin/run", 0o755), ("top/c.txt", 0o644)];
        assert_eq!(found, expected.map(|(name, mode)| (name.to_owned(), mode, 1_000_000_000)));
        assert_eq!(entries(&archive).unwrap()["top/c.txt"], b"b.txt");
    }

    #[test]
    fn checksums_have_the_format_of_sha256sum() {
        let folder = folder("sums");
        let sums = checksums(&folder.join("in")).unwrap();
        assert_eq!(sums.lines().count(), 3, "{sums}");
        let text = "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1  b.txt\n";
        assert!(sums.contains(text), "{sums}");
    }

    #[test]
    fn times_are_those_of_the_commit() {
        assert_eq!(time().of_zip().unwrap().to_string(), "2001-09-09 01:46:40");
        assert!(Time::parse("1000000000,2001,09").is_err());
    }
}

//! A container format of the synthetic game.
//!
//! A crate is `CRATE`, followed by files: a byte for the kind (`f`ile, `s`ealed, `d` for a folder), the length of the name
//! (1 byte), the name, the length of the content (1 byte), the content. A `!` in between is damage that can be skipped.

use std::io::Write;
use std::path::{Path, PathBuf};

use asset::archive::{Archive, Content, Editing, Entry};
use asset::game::Archives;
use asset::{
    Asset, Code, Context, Counts, Description, Detail, Entries, Error, Format, OpenedFiles, Report, Score,
    Severity, Source,
};

pub(super) static CRATES: Archives = Archives {
    format: &CRATE,
    find,
    write: |files, _, out, _| Ok(out.write_all(&write(files)?)?),
    picture: None,
};

pub(super) static CRATE: Format =
    Format::new("test.crate", "crate", |source, report| Ok(Box::new(Crate::read(source, report)?)))
        .game("test")
        .extensions(&["crate"])
        .probe(|file| file.starts_with(b"CRATE").then_some(Score::CERTAIN))
        .archive(Entries::of::<Crate>(Editing::Fixed))
        .codes(&[DAMAGE]);

pub(super) const DAMAGE: Code =
    Code { id: "CRATE-W001", severity: Severity::Warning, title: "damage", about: "" };

/// Returns the crates of a folder: those listed in `crates.txt`, one per line.
fn find(folder: &Path, _: &OpenedFiles) -> Vec<PathBuf> {
    let list = std::fs::read_to_string(folder.join("crates.txt")).unwrap_or_default();
    list.lines().map(|name| folder.join(name)).collect()
}

/// Returns the bytes of a crate.
pub(super) fn crate_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = b"CRATE".to_vec();
    for (name, bytes) in files {
        let kind = if bytes.starts_with(b"SEALED") { b's' } else { b'f' };
        out.extend([kind, u8::try_from(name.len()).unwrap()]);
        out.extend(name.as_bytes());
        out.push(u8::try_from(bytes.len()).unwrap());
        out.extend(*bytes);
    }
    out
}

fn write(files: &[(String, Source)]) -> Result<Vec<u8>, Error> {
    let bytes: Vec<_> = files.iter().map(|(_, source)| source.read_all().unwrap()).collect();
    let pairs = files.iter().zip(&bytes).map(|((name, _), bytes)| (name.as_str(), &**bytes));
    Ok(crate_of(&pairs.collect::<Vec<_>>()))
}

struct Crate {
    entries: Vec<Entry<'static>>,
    places: Vec<std::ops::Range<u64>>,
    source: Source,
}

impl Crate {
    fn read(source: &Source, report: &mut Report) -> Result<Self, Error> {
        let bytes = source.read_all()?.into_owned();
        let mut out = Self { entries: Vec::new(), places: Vec::new(), source: source.clone() };
        let mut at = 5;
        while at < bytes.len() {
            let kind = bytes[at];
            at += 1;
            let content = match kind {
                b'f' => Content::File,
                b's' => Content::Unreadable,
                b'd' => Content::Folder,
                b'!' => {
                    report.warn(&DAMAGE, "damage").at(u64::try_from(at).unwrap() - 1);
                    continue;
                }
                _ => return Err(Error::malformed("no kind").at(u64::try_from(at).unwrap() - 1)),
            };
            let mut counted = || {
                let length = usize::from(bytes[at]);
                let start = at + 1;
                at = start + length;
                start..at
            };
            let (name, place) = (counted(), counted());
            let length = u64::try_from(place.len()).unwrap();
            let name = String::from_utf8_lossy(&bytes[name]).into_owned();
            let (name, note) = (name.into(), "".into());
            out.entries.push(Entry { name, length, stored: length, content, note });
            out.places.push(u64::try_from(place.start).unwrap()..u64::try_from(place.end).unwrap());
        }
        Ok(out)
    }
}

impl Asset for Crate {
    fn describe(&self, _: Detail) -> Description {
        let counts = Counts::new().with("things", self.entries.len());
        Description { summary: "crate".to_owned(), counts, ..Description::default() }
    }
}

impl Archive for Crate {
    fn count(&self) -> usize {
        self.entries.len()
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        self.entries.get(index).cloned()
    }

    fn open(&self, index: usize) -> Result<Source, Error> {
        if self.entries[index].content != Content::File {
            return Err(Error::unsupported("it is sealed"));
        }
        let source = self.source.part(self.places[index].clone())?;
        let bytes = source.read_all()?;
        assert!(!bytes.starts_with(b"UNTOUCHED"), "files that are not needed are not read");
        drop(bytes);
        Ok(source)
    }

    fn replace(
        &self,
        _: &Context<'_>,
        index: usize,
        _: &str,
        content: &Source,
        out: &mut dyn Write,
        _: &mut Report,
    ) -> Result<(), Error> {
        out.write_all(b"CRATE")?;
        for (number, entry) in self.entries.iter().enumerate() {
            let new = if number == index {
                content.clone()
            } else {
                self.source.part(self.places[number].clone())?
            };
            let new = new.read_all()?;
            if new.len() > 255 {
                return Err(Error::usage("too long"));
            }
            // A deliberate bug of this writer, which must be detected.
            out.write_all(if *new == *b"BROKEN" { b"?" } else { b"" })?;
            out.write_all(&crate_of(&[(&*entry.name, &new)])[5..])?;
        }
        Ok(())
    }
}

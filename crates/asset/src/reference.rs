//! References from a file to other files. All formats report unresolved references with the same messages and codes.

use std::collections::BTreeMap;

use files::install::{Found, Location, Lookup, Match};
use record::Error;
use scene::image::Integrity;
use scene::{Encoded, Image};

use crate::context::Context;
use crate::report::{Code, Report, Severity};

/// Maximum size of an image file, in bytes.
const LARGEST: u64 = 256 << 20;

/// The file was not found.
pub static MISSING: Code = Code {
    id: "FILE-W001",
    severity: Severity::Warning,
    title: "missing file",
    about: "A texture, or another file that is named in the file, was found neither where the game looks for it nor next to the file, in \
    any letter case or with any known extension. The game draws such a surface white or without the texture; conversions use a \
    checkerboard placeholder. Example: \"texture \"wood.jpg\" was not found\".",
};

/// The path leads out of the game.
pub static OUTSIDE: Code = Code {
    id: "FILE-W002",
    severity: Severity::Warning,
    title: "path outside the game folder",
    about: "A path in the file leads out of the game folder, where no files are searched, and the game has no file of the \
    same name or at the end of the path. Example: \"texture \"C:\\art\\x.png\" was not found: it is an absolute \
    path\".",
};

/// The file's name has different letter case on disk.
pub static OTHER_CASE: Code = Code {
    id: "FILE-N003",
    severity: Severity::Note,
    title: "letter case differs",
    about: "The name of a file on disk differs in letter case from the name in the file. The game ignores case; other systems may not. \
    Example: \"texture \"door01.jpg\" is named \"Door01.jpg\" on disk\".",
};

/// A file with another extension was found.
pub static OTHER_EXTENSION: Code = Code {
    id: "FILE-N004",
    severity: Severity::Note,
    title: "extension differs",
    about: "A file was found with a different extension than the reference and is used instead. The game would not find it. Example: \
    \"texture \"wood.bmp\" was not found; using \"wood.png\" instead\".",
};

/// The file was found, but cannot be read.
pub static UNREADABLE: Code = Code {
    id: "FILE-W005",
    severity: Severity::Warning,
    title: "unreadable image",
    about: "An image was found, but it is damaged or of an unsupported type. A checkerboard placeholder is used instead. Example: \
    \"texture \"wall.jpg\" cannot be read: the file ends early\".",
};

/// The image has no end.
pub static TRUNCATED: Code = Code {
    id: "FILE-W006",
    severity: Severity::Warning,
    title: "truncated image",
    about: "A JPEG has no end marker, so its lower part may be gray. It is used as it is. Example: \"texture \"wall.jpg\" is truncated: \
    its lower part may be gray\".",
};

/// A file name in a field of another file.
#[derive(Debug, Clone, Copy)]
pub struct Reference<'a> {
    /// Noun for the referenced file in messages, such as `texture`.
    pub noun: &'a str,
    /// The name as stored in the field.
    pub name: &'a str,
    /// Path of the field.
    pub field: &'a str,
    missing: &'static Code,
    other_extension: &'static Code,
    unreadable: &'static Code,
}

impl<'a> Reference<'a> {
    /// Creates a reference. Problems are reported under the codes of this module.
    #[must_use]
    pub const fn new(noun: &'a str, name: &'a str, field: &'a str) -> Self {
        Self {
            noun,
            name,
            field,
            missing: &MISSING,
            other_extension: &OTHER_EXTENSION,
            unreadable: &UNREADABLE,
        }
    }

    /// Sets the code that replaces [`MISSING`].
    #[must_use]
    pub const fn missing(mut self, code: &'static Code) -> Self {
        self.missing = code;
        self
    }

    /// Sets the code that replaces [`OTHER_EXTENSION`].
    #[must_use]
    pub const fn other_extension(mut self, code: &'static Code) -> Self {
        self.other_extension = code;
        self
    }

    /// Sets the code that replaces [`UNREADABLE`].
    #[must_use]
    pub const fn unreadable(mut self, code: &'static Code) -> Self {
        self.unreadable = code;
        self
    }
}

/// The spelling of a referenced file's name on disk.
#[derive(Debug)]
pub struct Spelling {
    code: &'static Code,
    name: String,
}

impl Spelling {
    /// Adds a fix for the field that contains the name.
    pub fn fix(&self, field: impl Into<String>, report: &mut Report) {
        report.fix(self.code, field, || self.name.as_str().into());
    }
}

/// Names that a check has looked up. A problem with a name is reported once, but every field with that name is fixed.
#[derive(Debug, Default)]
pub struct CheckedNames(BTreeMap<(String, String), Option<Spelling>>);

impl CheckedNames {
    /// Checks the name stored in the field `text_field`. It is only looked up once.
    pub fn check(
        &mut self,
        reference: &Reference<'_>,
        text_field: &str,
        look_up: impl FnOnce() -> Lookup,
        report: &mut Report,
    ) {
        let key = (reference.noun.to_owned(), reference.name.to_lowercase());
        let spelling = self.0.entry(key).or_insert_with(|| reference.check(look_up(), report));
        if let Some(spelling) = spelling {
            spelling.fix(text_field, report);
        }
    }
}

impl Reference<'_> {
    /// Reports a failed or inexact lookup. Returns the file if it was found.
    pub fn resolve(&self, lookup: Lookup, report: &mut Report) -> Option<Found> {
        let Self { noun, name, field, .. } = *self;
        let found = match lookup {
            Lookup::Found(found) => found,
            Lookup::Rejected(reason) => {
                let message = format!("{noun} \"{name}\" was not found: it {reason}");
                report.warn(&OUTSIDE, message).in_field(field);
                return None;
            }
            Lookup::Missing => {
                report.warn(self.missing, format!("{noun} \"{name}\" was not found")).in_field(field);
                return None;
            }
        };
        if found.matched == Match::OtherExtension {
            let used = found.location.path().name();
            let message = format!("{noun} \"{name}\" was not found; using \"{used}\" instead");
            report.warn(self.other_extension, message).in_field(field);
        }
        Some(found)
    }

    /// Like [`Reference::resolve`], but for a check: also reports different letter case. Returns the name on disk if it differs.
    pub fn check(&self, lookup: Lookup, report: &mut Report) -> Option<Spelling> {
        let found = self.resolve(lookup, report)?;
        let name = found.location.path().name();
        let code = match found.matched {
            Match::OtherCase => {
                let message = format!("{} \"{}\" is named \"{name}\" on disk", self.noun, self.name);
                report.warn(&OTHER_CASE, message).in_field(self.field);
                &OTHER_CASE
            }
            // In another folder, the file may only be found by its bare name.
            Match::OtherExtension if !self.name.contains(['/', '\\']) => self.other_extension,
            Match::Exact | Match::BareName | Match::OtherExtension => return None,
        };
        let folder = self.name.rfind(['/', '\\']).and_then(|at| self.name.get(..=at)).unwrap_or_default();
        let spelled = format!("{folder}{name}");
        (spelled != self.name).then_some(Spelling { code, name: spelled })
    }

    /// Returns the referenced image, named after its file and suitable for glTF, and the location of the file. Problems are
    /// reported.
    pub fn image(
        &self,
        context: &Context<'_>,
        lookup: Lookup,
        report: &mut Report,
    ) -> Option<(Image, Location)> {
        let location = self.resolve(lookup, report)?.location;
        let encoded = self.encoded(context, &location, "glTF image", scene::image::for_gltf, report)?;
        Some((Image { name: location.path().name().to_owned(), encoded }, location))
    }

    /// Returns the image in a file in a form suitable for glTF, converted now or taken from the cache. `variant` distinguishes
    /// different conversions of the same file. Problems are reported.
    pub fn encoded(
        &self,
        context: &Context<'_>,
        location: &Location,
        variant: &str,
        prepare: impl FnOnce(&[u8]) -> Result<Encoded, Error>,
        report: &mut Report,
    ) -> Option<Encoded> {
        let decoded = context.install.decoded(location, variant, || {
            let encoded = prepare(&image_file(context, location)?)?;
            let size = encoded.bytes.len();
            Ok((encoded, size))
        });
        let encoded = decoded.inspect_err(|error| self.report_unreadable(error, report)).ok()?;
        if encoded.integrity == Integrity::Truncated {
            let message = format!("{} \"{}\" is truncated: its lower part may be gray", self.noun, self.name);
            report.warn(&TRUNCATED, message).in_field(self.field);
        }
        Some((*encoded).clone())
    }

    /// Reports a file that was found but cannot be read.
    pub fn report_unreadable(&self, error: &Error, report: &mut Report) {
        let message = format!("{} \"{}\" cannot be read: {}", self.noun, self.name, error.message());
        report.warn(self.unreadable, message).in_field(self.field);
    }
}

/// Reads an image file.
fn image_file(context: &Context<'_>, location: &Location) -> Result<Vec<u8>, Error> {
    let source = context.install.open(location)?;
    if source.len() > LARGEST {
        return Err(Error::limit(format!(
            "the file has {} bytes, but the limit for images is {LARGEST}",
            source.len()
        )));
    }
    Ok(source.read_all()?.into_owned())
}

//! The files that a file names. How one fared is told in the same words and under the same codes everywhere.

use std::collections::BTreeMap;

use files::install::{Found, Location, Lookup, Match};
use record::Error;
use scene::image::Integrity;
use scene::{Encoded, Image};

use crate::context::Context;
use crate::report::{Code, Report, Severity};

/// The largest image file that is read.
const LARGEST: u64 = 256 << 20;

/// It is nowhere.
pub static MISSING: Code = Code {
    id: "FILE-W001",
    severity: Severity::Warning,
    title: "missing file",
    about: "A texture, or another file that is named in the file, was found neither where the game looks for it nor next to the file, in any \
    letter case or with any known extension. The game draws such a surface white or without the texture; conversions use a checkerboard \
    placeholder. Example: \"texture \"wood.jpg\" was not found\".",
};

/// The name leads out of the game.
pub static OUTSIDE: Code = Code {
    id: "FILE-W002",
    severity: Severity::Warning,
    title: "path outside the game folder",
    about: "A name in the file is a path that leads out of the game folder, where nothing is looked up, and the game has no file that is \
    called like it or stands where the end of the path leads. Example: \"texture \"C:\\art\\x.png\" was not found: it is an absolute \
    path\".",
};

/// It is spelled in other letter case on disk.
pub static OTHER_CASE: Code = Code {
    id: "FILE-N003",
    severity: Severity::Note,
    title: "letter case differs",
    about: "The name of a file on disk differs in letter case from the name in the file. The game ignores case; other systems may not. \
    Example: \"texture \"door01.jpg\" is named \"Door01.jpg\" on disk\".",
};

/// Another extension is there.
pub static OTHER_EXTENSION: Code = Code {
    id: "FILE-N004",
    severity: Severity::Note,
    title: "extension differs",
    about: "A file was found with a different extension than the file says and is used instead. The game would not find it. Example: \
    \"texture \"wood.bmp\" was not found; using \"wood.png\" instead\".",
};

/// It is there, but cannot be read.
pub static UNREADABLE: Code = Code {
    id: "FILE-W005",
    severity: Severity::Warning,
    title: "unreadable image",
    about: "An image was found, but it is damaged or of an unsupported type. A checkerboard placeholder is used instead. Example: \
    \"texture \"wall.jpg\" cannot be read: the file ends early\".",
};

/// It is an image without its end.
pub static TRUNCATED: Code = Code {
    id: "FILE-W006",
    severity: Severity::Warning,
    title: "truncated image",
    about: "A JPEG has no end marker, so its lower part may be gray. It is used as it is. Example: \"texture \"wall.jpg\" is truncated: \
    its lower part may be gray\".",
};

/// A name that stands in a file.
#[derive(Debug, Clone, Copy)]
pub struct Reference<'a> {
    /// What it names, like `texture`.
    pub noun: &'a str,
    /// The name as it is written there.
    pub name: &'a str,
    /// The field it stands in.
    pub field: &'a str,
    missing: &'static Code,
    other_extension: &'static Code,
    unreadable: &'static Code,
}

impl<'a> Reference<'a> {
    /// A name in a field. What is amiss with it is reported under the codes of this module.
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

    /// Sets the code that takes the place of [`MISSING`].
    #[must_use]
    pub const fn missing(mut self, code: &'static Code) -> Self {
        self.missing = code;
        self
    }

    /// Sets the code that takes the place of [`OTHER_EXTENSION`].
    #[must_use]
    pub const fn other_extension(mut self, code: &'static Code) -> Self {
        self.other_extension = code;
        self
    }

    /// Sets the code that takes the place of [`UNREADABLE`].
    #[must_use]
    pub const fn unreadable(mut self, code: &'static Code) -> Self {
        self.unreadable = code;
        self
    }
}

/// A name as the file that it means is called on disk.
#[derive(Debug)]
pub struct Spelling {
    code: &'static Code,
    name: String,
}

impl Spelling {
    /// Adds the fix of the field that holds the name.
    pub fn fix(&self, field: impl Into<String>, report: &mut Report) {
        report.fix(self.code, field, || self.name.as_str().into());
    }
}

/// Names that were looked up for a check. What is amiss with a name is told once; each field that holds it is mended.
#[derive(Debug, Default)]
pub struct CheckedNames(BTreeMap<(String, String), Option<Spelling>>);

impl CheckedNames {
    /// Checks a name whose text stands in the field `text_field`, looking it up if it is new.
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
    /// Reports how looking it up fared. Gives the file when there is one.
    pub fn resolve(&self, lookup: Lookup, report: &mut Report) -> Option<Found> {
        let Self { noun, name, field, .. } = *self;
        let found = match lookup {
            Lookup::Found(found) => found,
            Lookup::Rejected(why) => {
                let message = format!("{noun} \"{name}\" was not found: it {why}");
                report.warn(&OUTSIDE, message).in_field(field);
                return None;
            }
            Lookup::Missing => {
                report.warn(self.missing, format!("{noun} \"{name}\" was not found")).in_field(field);
                return None;
            }
        };
        if found.matched == Match::OtherExtension {
            let taken = found.location.path().name();
            let message = format!("{noun} \"{name}\" was not found; using \"{taken}\" instead");
            report.warn(self.other_extension, message).in_field(field);
        }
        Some(found)
    }

    /// The same, for a check: tells of other letter case too. Gives the name as it is on disk, where it is another.
    pub fn check(&self, lookup: Lookup, report: &mut Report) -> Option<Spelling> {
        let found = self.resolve(lookup, report)?;
        let name = found.location.path().name();
        let code = match found.matched {
            Match::OtherCase => {
                let message = format!("{} \"{}\" is named \"{name}\" on disk", self.noun, self.name);
                report.warn(&OTHER_CASE, message).in_field(self.field);
                &OTHER_CASE
            }
            // In another folder it may be known by its bare name only.
            Match::OtherExtension if !self.name.contains(['/', '\\']) => self.other_extension,
            Match::Exact | Match::BareName | Match::OtherExtension => return None,
        };
        let folder = self.name.rfind(['/', '\\']).and_then(|at| self.name.get(..=at)).unwrap_or_default();
        let spelled = format!("{folder}{name}");
        (spelled != self.name).then_some(Spelling { code, name: spelled })
    }

    /// The image it names, called as its file is and fit for glTF, and where the file stands. What is amiss is told.
    pub fn image(
        &self,
        context: &Context<'_>,
        lookup: Lookup,
        report: &mut Report,
    ) -> Option<(Image, Location)> {
        let place = self.resolve(lookup, report)?.location;
        let encoded = self.encoded(context, &place, "glTF image", scene::image::for_gltf, report)?;
        Some((Image { name: place.path().name().to_owned(), encoded }, place))
    }

    /// The image in a file, made fit for glTF now or taken from what others have made. `variant` tells apart several ways to make it so.
    /// What is amiss is told.
    pub fn encoded(
        &self,
        context: &Context<'_>,
        place: &Location,
        variant: &str,
        prepare: impl FnOnce(&[u8]) -> Result<Encoded, Error>,
        report: &mut Report,
    ) -> Option<Encoded> {
        let made = context.install.decoded(place, variant, || {
            let encoded = prepare(&image_file(context, place)?)?;
            let size = encoded.bytes.len();
            Ok((encoded, size))
        });
        let encoded = made.inspect_err(|error| self.report_unreadable(error, report)).ok()?;
        if encoded.integrity == Integrity::Truncated {
            let message = format!("{} \"{}\" is truncated: its lower part may be gray", self.noun, self.name);
            report.warn(&TRUNCATED, message).in_field(self.field);
        }
        Some((*encoded).clone())
    }

    /// Reports a file that is there but cannot be read.
    pub fn report_unreadable(&self, error: &Error, report: &mut Report) {
        let message = format!("{} \"{}\" cannot be read: {}", self.noun, self.name, error.message());
        report.warn(self.unreadable, message).in_field(self.field);
    }
}

/// The bytes of an image file.
fn image_file(context: &Context<'_>, place: &Location) -> Result<Vec<u8>, Error> {
    let source = context.install.open(place)?;
    if source.len() > LARGEST {
        return Err(Error::limit(format!(
            "the file has {} bytes, but the limit for images is {LARGEST}",
            source.len()
        )));
    }
    Ok(source.read_all()?.into_owned())
}

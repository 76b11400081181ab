//! The files that a file names. How one fared is told in the same words everywhere.

use std::collections::BTreeMap;

use record::Error;
use scene::image::Integrity;
use scene::{Encoded, Image};

use crate::context::Context;
use crate::install::{Found, Location, Lookup, Match};
use crate::report::{Code, Report};

/// The largest image file that is read.
const LARGEST: u64 = 256 << 20;

/// Under which codes a format tells what is amiss with the files it names.
#[derive(Debug)]
pub struct Codes {
    /// It is nowhere.
    pub missing: &'static Code,
    /// The name leads out of the game.
    pub outside: &'static Code,
    /// It is spelled in other letter case on disk.
    pub other_case: &'static Code,
    /// Another extension is there.
    pub other_extension: &'static Code,
    /// It is there, but cannot be read.
    pub bad: &'static Code,
    /// It is an image without its end.
    pub cut: &'static Code,
}

/// A name that stands in a file.
#[derive(Debug, Clone, Copy)]
pub struct Reference<'a> {
    /// What it names, like `texture`.
    pub noun: &'a str,
    /// The name as it is written there.
    pub name: &'a str,
    /// The field it stands in.
    pub field: &'a str,
    /// How it is told of.
    pub codes: &'static Codes,
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
        let Self { noun, name, field, codes } = *self;
        let found = match lookup {
            Lookup::Found(found) => found,
            Lookup::Rejected(why) => {
                let message = format!("{noun} \"{name}\" was not found: it {why}");
                report.warn(codes.outside, message).in_field(field);
                return None;
            }
            Lookup::Missing => {
                report.warn(codes.missing, format!("{noun} \"{name}\" was not found")).in_field(field);
                return None;
            }
        };
        if found.matched == Match::OtherExtension {
            let taken = found.location.path().name();
            let message = format!("{noun} \"{name}\" was not found; using \"{taken}\" instead");
            report.warn(codes.other_extension, message).in_field(field);
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
                report.warn(self.codes.other_case, message).in_field(self.field);
                self.codes.other_case
            }
            // In another folder it may be known by its bare name only.
            Match::OtherExtension if !self.name.contains(['/', '\\']) => self.codes.other_extension,
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
            report.warn(self.codes.cut, message).in_field(self.field);
        }
        Some((*encoded).clone())
    }

    /// Reports a file that is there but cannot be read.
    pub fn report_unreadable(&self, error: &Error, report: &mut Report) {
        let message = format!("{} \"{}\" cannot be read: {}", self.noun, self.name, error.message());
        report.warn(self.codes.bad, message).in_field(self.field);
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

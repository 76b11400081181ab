//! The files that a room or a model names. How one fared is told in the same words everywhere.

use asset::{Code, Context, Found, How, Lookup, Place, Report};
use record::Error;
use scene::image::Integrity;
use scene::{Encoded, Image};

/// What is named by the wrong extension is looked for under these, in this order.
pub(crate) const IMAGE_EXTENSIONS: &[&str] = &["png", "jpg", "jpeg", "bmp", "tga"];

/// The largest image file that is read.
const LARGEST: u64 = 256 << 20;

/// Under which codes a format tells what is amiss with the files it names.
#[derive(Debug)]
pub(crate) struct Codes {
    /// It is nowhere.
    pub(crate) missing: &'static Code,
    /// The name leads out of the game.
    pub(crate) outside: &'static Code,
    /// Another extension is there.
    pub(crate) other_extension: &'static Code,
    /// It is there, but cannot be read.
    pub(crate) bad: &'static Code,
    /// It is an image without its end.
    pub(crate) cut: &'static Code,
}

/// A name that stands in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reference<'a> {
    /// What it names, like `texture`.
    pub(crate) noun: &'a str,
    /// The name as it is written there.
    pub(crate) name: &'a str,
    /// The field it stands in.
    pub(crate) field: &'a str,
    pub(crate) codes: &'static Codes,
}

impl Reference<'_> {
    /// Reports how looking it up fared. Gives the file when there is one.
    pub(crate) fn resolve(&self, lookup: Lookup, report: &mut Report) -> Option<Found> {
        let Self { noun, name, field, codes } = *self;
        let found = match lookup {
            Lookup::Found(found) => found,
            Lookup::Outside(why) => {
                let message = format!("{noun} \"{name}\" is not looked for: {why}");
                report.warn(codes.outside, message).in_field(field);
                return None;
            }
            Lookup::Missing => {
                report.warn(codes.missing, format!("{noun} \"{name}\" is not there")).in_field(field);
                return None;
            }
        };
        if found.how == How::OtherExtension {
            let taken = found.place.path().name();
            let message = format!("{noun} \"{name}\" is not there: \"{taken}\" is taken");
            report.warn(codes.other_extension, message).in_field(field);
        }
        Some(found)
    }

    /// The image it names, fit for glTF, and where its file stands. What is amiss is told.
    pub(crate) fn image(
        &self,
        context: &Context<'_>,
        lookup: Lookup,
        report: &mut Report,
    ) -> Option<(Image, Place)> {
        let found = self.resolve(lookup, report)?;
        match load(context, &found.place) {
            Ok(image) => {
                if image.encoded.integrity == Integrity::EndMissing {
                    let message =
                        format!("{} \"{}\" is cut short: its lower part may be grey", self.noun, image.name);
                    report.warn(self.codes.cut, message).in_field(self.field);
                }
                Some((image, found.place))
            }
            Err(error) => {
                self.tell_bad(&error, report);
                None
            }
        }
    }

    /// Reports a file that is there but cannot be read.
    pub(crate) fn tell_bad(&self, error: &Error, report: &mut Report) {
        let message = format!("{} \"{}\" cannot be read: {}", self.noun, self.name, error.message());
        report.warn(self.codes.bad, message).in_field(self.field);
    }
}

/// Reads an image, or takes it from what others have read. It is called as its file is.
fn load(context: &Context<'_>, place: &Place) -> Result<Image, Error> {
    let encoded = context.install.decoded(place, "glTF image", || {
        let encoded: Encoded = scene::image::for_gltf(&image_file(context, place)?)
            .map_err(|error| asset::from_scene(&error))?;
        let size = encoded.bytes.len();
        Ok((encoded, size))
    })?;
    Ok(Image { name: place.path().name().to_owned(), encoded: (*encoded).clone() })
}

/// The bytes of an image file.
pub(crate) fn image_file(context: &Context<'_>, place: &Place) -> Result<Vec<u8>, Error> {
    let source = context.install.open(place)?;
    if source.len() > LARGEST {
        return Err(Error::limit(format!(
            "{} bytes are more than an image may have ({LARGEST})",
            source.len()
        )));
    }
    Ok(source.read_all()?.into_owned())
}

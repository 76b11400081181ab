//! Files that any browser shows: pictures and sounds of common kinds.

use antiquary::asset::ProductKind;
use antiquary::scene::Product;
use antiquary::scene::image::{Rgba8, encode_png};
use antiquary::scene::product::decoder_for;
use antiquary::{Error, Source, thumbnail};

use super::View;
use super::thumbnail::{HIGH, WIDE};
use crate::place::Place;
use crate::{Fault, Response};

/// A file of a common kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Common {
    pub(crate) view: View,
    media_type: &'static str,
    /// What it is.
    pub(crate) about: &'static str,
}

/// So many bytes tell a common kind.
const HEAD: u64 = 512;

const KINDS: [Common; 9] = [
    common_kind(View::Image, "image/png", "PNG image"),
    common_kind(View::Image, "image/jpeg", "JPEG image"),
    common_kind(View::Image, "image/gif", "GIF image"),
    common_kind(View::Image, "image/webp", "WebP image"),
    common_kind(View::Image, "image/bmp", "Windows bitmap"),
    common_kind(View::Sound, "audio/ogg", "Ogg sound"),
    common_kind(View::Sound, "audio/x-wav", "WAV sound"),
    common_kind(View::Sound, "audio/mpeg", "MP3 sound"),
    common_kind(View::Sound, "audio/x-flac", "FLAC sound"),
];

const fn common_kind(view: View, media_type: &'static str, about: &'static str) -> Common {
    Common { view, media_type, about }
}

/// What a file of a common kind is; `None` when it is of none that browsers show.
pub(crate) fn common(source: &Source) -> Result<Option<Common>, Error> {
    let head = source.head(HEAD)?;
    let Some(found) = infer::get(&head) else { return Ok(None) };
    Ok(KINDS.into_iter().find(|kind| kind.media_type == found.mime_type()))
}

/// A small picture of an image.
pub(super) fn thumbnail(place: &Place<'_>) -> Result<Response, Fault> {
    let bytes = place.source()?.read_all()?.into_owned();
    let picture = decoded(place, &bytes)?;
    let (media_type, bytes) = thumbnail::of_image(&picture, WIDE, HIGH);
    Ok(Response::bytes(media_type, bytes))
}

/// The pixels of an image.
fn decoded(place: &Place<'_>, bytes: &[u8]) -> Result<Rgba8, Fault> {
    let nothing = || Fault::missing("there is nothing to see in this file");
    let extension = place.name().rsplit('.').next().unwrap_or_default();
    let decoder = decoder_for(bytes, extension).filter(|decoder| decoder.kind == ProductKind::Image);
    match decoder.ok_or_else(nothing)?.decode(bytes, &mut |_| None)?.product {
        Product::Image(picture) => Ok(picture.to_rgba8()),
        _ => Err(nothing()),
    }
}

/// A picture or sound as it is; a picture that browsers do not show as a PNG file.
pub(super) fn show(place: &Place<'_>) -> Result<Response, Fault> {
    let source = place.source()?;
    if let Some(kind) = common(&source)? {
        return Ok(Response { media_type: kind.media_type, ..Response::file(source, place.tag()) });
    }
    let picture = decoded(place, &source.read_all()?)?;
    Ok(Response::bytes("image/png", encode_png(&picture)))
}

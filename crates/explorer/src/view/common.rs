//! Files that any browser shows: pictures and sounds of common kinds.

use antiquary::asset::ProductKind;
use antiquary::scene::Product;
use antiquary::scene::image::{Rgba8, encode_png};
use antiquary::scene::product::{Decoder, decoder_for};
use antiquary::{Error, Source, thumbnail};

use super::View;
use super::thumbnail::{HIGH, WIDE};
use crate::entry::Entry;
use crate::{Fault, Response};

/// A file of a common kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Common {
    pub(crate) view: View,
    media_type: &'static str,
    /// What it is.
    pub(crate) about: &'static str,
}

/// No longer file is decoded.
const LONGEST: u64 = 64 << 20;
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

/// An image that is decoded here.
const DECODED: Common = common_kind(View::Image, "image/png", "image");

const fn common_kind(view: View, media_type: &'static str, about: &'static str) -> Common {
    Common { view, media_type, about }
}

/// What a file of a common kind is; `None` when it is of none that can be shown.
pub(crate) fn common(source: &Source, name: &str) -> Result<Option<Common>, Error> {
    let head = source.head(HEAD)?;
    let found = by_signature(&head);
    Ok(found.or_else(|| image_decoder(&head, name).map(|_| DECODED)))
}

/// The same for a file that browsers show as it is.
fn by_signature(head: &[u8]) -> Option<Common> {
    let found = infer::get(head)?;
    KINDS.into_iter().find(|kind| kind.media_type == found.mime_type())
}

/// A small picture of an image.
pub(super) fn thumbnail(entry: &Entry<'_>) -> Result<Response, Fault> {
    let picture = decoded(entry)?;
    let (media_type, bytes) = thumbnail::of_image(&picture, WIDE, HIGH);
    Ok(Response::bytes(media_type, bytes))
}

/// The pixels of an image.
pub(super) fn decoded(entry: &Entry<'_>) -> Result<Rgba8, Fault> {
    let source = entry.source()?;
    if source.len() > LONGEST {
        return Err(Error::limit(format!("files of more than {LONGEST} bytes are not decoded")).into());
    }
    let bytes = source.read_all()?;
    let nothing = || Fault::missing("there is nothing to see in this file");
    match image_decoder(&bytes, entry.name()).ok_or_else(nothing)?.decode(&bytes, &mut |_| None)?.product {
        Product::Image(picture) => Ok(picture.to_rgba8()),
        _ => Err(nothing()),
    }
}

/// What decodes an image, by its first bytes or its name.
fn image_decoder(head: &[u8], name: &str) -> Option<&'static Decoder> {
    let extension = name.rsplit('.').next().unwrap_or_default();
    decoder_for(head, extension).filter(|decoder| decoder.kind == ProductKind::Image)
}

/// A picture or sound as it is; a picture that browsers do not show as a PNG file.
pub(super) fn show(entry: &Entry<'_>) -> Result<Response, Fault> {
    let source = entry.source()?;
    if let Some(kind) = by_signature(&source.head(HEAD)?) {
        return Ok(Response { media_type: kind.media_type, ..Response::file(source, entry.tag()) });
    }
    let picture = decoded(entry)?;
    Ok(Response::bytes("image/png", encode_png(&picture)))
}

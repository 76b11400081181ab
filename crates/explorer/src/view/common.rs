//! Files that browsers can show: pictures and sounds of common kinds.

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
    /// Description of the kind.
    pub(crate) about: &'static str,
}

/// Maximum length in bytes of a file that is decoded.
const MAX_DECODED_LENGTH: u64 = 64 << 20;
/// Number of bytes needed to recognize a common kind.
const HEAD: u64 = 512;

const KINDS: [Common; 9] = [
    common_kind(View::Image, "image/png", "PNG image"),
    common_kind(View::Image, "image/jpeg", "JPEG image"),
    common_kind(View::Image, "image/gif", "GIF image"),
    common_kind(View::Image, "image/webp", "WebP image"),
    common_kind(View::Image, "image/bmp", "Windows bitmap"),
    common_kind(View::Sound, "audio/ogg", "Ogg audio"),
    common_kind(View::Sound, "audio/x-wav", "WAV audio"),
    common_kind(View::Sound, "audio/mpeg", "MP3 audio"),
    common_kind(View::Sound, "audio/x-flac", "FLAC audio"),
];

/// An image that is decoded here and sent as PNG.
const DECODED: Common = common_kind(View::Image, "image/png", "image");

const fn common_kind(view: View, media_type: &'static str, about: &'static str) -> Common {
    Common { view, media_type, about }
}

/// Returns the common kind of a file, or `None` if it cannot be shown.
pub(crate) fn common(source: &Source, name: &str) -> Result<Option<Common>, Error> {
    let head = source.head(HEAD)?;
    let found = by_signature(&head);
    Ok(found.or_else(|| image_decoder(&head, name).map(|_| DECODED)))
}

/// Returns the common kind of a file that browsers show unchanged.
fn by_signature(head: &[u8]) -> Option<Common> {
    let found = infer::get(head)?;
    KINDS.into_iter().find(|kind| kind.media_type == found.mime_type())
}

/// Returns a thumbnail of an image.
pub(super) fn thumbnail(entry: &Entry<'_>) -> Result<Response, Fault> {
    let picture = decoded(entry)?;
    let (media_type, bytes) = thumbnail::of_image(&picture, WIDE, HIGH);
    Ok(Response::bytes(media_type, bytes))
}

/// Decodes an image.
pub(super) fn decoded(entry: &Entry<'_>) -> Result<Rgba8, Fault> {
    let source = entry.source()?;
    if source.len() > MAX_DECODED_LENGTH {
        return Err(
            Error::limit(format!("files of more than {MAX_DECODED_LENGTH} bytes are not decoded")).into()
        );
    }
    let bytes = source.read_all()?;
    let nothing = || Fault::missing("this file has nothing to display");
    match image_decoder(&bytes, entry.name()).ok_or_else(nothing)?.decode(&bytes, &mut |_| None)?.product {
        Product::Image(picture) => Ok(picture.to_rgba8()),
        _ => Err(nothing()),
    }
}

/// Returns the decoder of an image, by its first bytes or its name.
fn image_decoder(head: &[u8], name: &str) -> Option<&'static Decoder> {
    let extension = name.rsplit('.').next().unwrap_or_default();
    decoder_for(head, extension).filter(|decoder| decoder.kind == ProductKind::Image)
}

/// Returns a picture or sound unchanged; a picture that browsers do not support is converted to PNG.
pub(super) fn show(entry: &Entry<'_>) -> Result<Response, Fault> {
    let source = entry.source()?;
    if let Some(kind) = by_signature(&source.head(HEAD)?) {
        return Ok(Response { media_type: kind.media_type, ..Response::file(source, entry.tag()) });
    }
    let picture = decoded(entry)?;
    Ok(Response::bytes("image/png", encode_png(&picture)))
}

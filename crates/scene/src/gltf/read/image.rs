//! Reading of images, samplers and textures.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Reader, bad, container::fetch, document, out_of_range, uri::Uri};
use crate::image::{Alpha, Encoded, Format, ImageKind, Integrity, placeholder, size, sniff};
use crate::{Error, Filter, Image, ImageId, MinFilter, Sampler, Texture, TextureId, Wrap};

/// The location of an image's data.
#[derive(PartialEq, Eq, Hash)]
enum ImageSource<'a> {
    View(usize),
    Uri(&'a str),
}

impl Reader<'_> {
    /// Reads all images, each distinct source once. Missing images and images other than PNG and JPEG become
    /// placeholders.
    pub(super) fn images(&mut self, files: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<(), Error> {
        let mut known: HashMap<ImageSource<'_>, Encoded> = HashMap::new();
        for (index, json) in self.document.images.iter().enumerate() {
            let source = match (json.buffer_view, &json.uri) {
                (Some(view), _) => ImageSource::View(view),
                (None, Some(uri)) => ImageSource::Uri(uri),
                (None, None) => {
                    return Err(bad(format!("image {index}"), "it has neither a buffer view nor a URI"));
                }
            };
            let encoded = match known.get(&source) {
                Some(encoded) => encoded.clone(),
                None => {
                    let bytes = self.image_bytes(&source, &format!("image {index}"), files)?;
                    let encoded = bytes.and_then(|bytes| encoded(bytes, &mut self.tally));
                    let encoded = encoded.unwrap_or_else(|| placeholder(String::new()).encoded);
                    known.insert(source, encoded.clone());
                    encoded
                }
            };
            self.scene.images.push(Image { name: name(json), encoded });
        }
        Ok(())
    }

    fn image_bytes(
        &mut self,
        source: &ImageSource<'_>,
        place: &str,
        files: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Option<Arc<[u8]>>, Error> {
        let uri = match source {
            ImageSource::Uri(uri) => *uri,
            ImageSource::View(view) => {
                let bytes = self.buffers.view(self.document, *view, || place.to_owned())?.0;
                let (bytes, length) = (Arc::from(bytes), bytes.len());
                self.charge(length, 1, place)?;
                return Ok(Some(bytes));
            }
        };
        let bytes = fetch(uri, files).ok();
        self.tally.add("missing images", usize::from(bytes.is_none()));
        Ok(bytes.map(Arc::from))
    }

    /// Reads all textures.
    pub(super) fn textures(&mut self) -> Result<(), Error> {
        let (images, samplers) = (self.document.images.len(), &self.document.samplers);
        for (index, json) in self.document.textures.iter().enumerate() {
            let place = |part| format!("texture {index}, {part}");
            let sampler = match json.sampler {
                Some(number) => {
                    let json = samplers.get(number);
                    sampler(json.ok_or_else(|| out_of_range(place("sampler"), number, samplers.len()))?)
                }
                None => Sampler::default(),
            };
            let texture = match json.source {
                Some(image) if image >= images => return Err(out_of_range(place("source"), image, images)),
                Some(image) => {
                    let texture = Texture { name: json.name.clone(), image: ImageId(image), sampler };
                    self.scene.textures.push(texture);
                    Some(TextureId(self.scene.textures.len().saturating_sub(1)))
                }
                None => None,
            };
            self.tally.add("textures without a PNG or JPEG", usize::from(texture.is_none()));
            self.textures.push(texture);
        }
        Ok(())
    }
}

fn name(json: &document::Image) -> String {
    match &json.uri {
        Some(uri) if json.name.is_empty() => Uri::parse(uri).file_name().to_owned(),
        _ => json.name.clone(),
    }
}

/// Returns an image with its size, without decoding it.
fn encoded(bytes: Arc<[u8]>, tally: &mut super::Tally) -> Option<Encoded> {
    let (kind, alpha) = match sniff(&bytes) {
        Some(Format::Png) => (ImageKind::Png, Alpha::Possible),
        Some(Format::Jpeg) => (ImageKind::Jpeg, Alpha::Opaque),
        _ => {
            tally.add("images that are neither PNG nor JPEG", 1);
            return None;
        }
    };
    let Ok((width, height)) = size(&bytes) else {
        tally.add("damaged images", 1);
        return None;
    };
    Some(Encoded { kind, bytes, width, height, alpha, integrity: Integrity::Complete })
}

/// Unspecified and unknown values are implementation-defined in glTF.
fn sampler(json: &document::Sampler) -> Sampler {
    let wrap = |wrap: Option<u32>| match wrap {
        Some(33071) => Wrap::Clamp,
        Some(33648) => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    Sampler {
        wrap_u: wrap(json.wrap_s),
        wrap_v: wrap(json.wrap_t),
        mag: if json.mag_filter == Some(9728) { Filter::Nearest } else { Filter::Linear },
        min: match json.min_filter {
            Some(9728) => MinFilter::Nearest,
            Some(9729) => MinFilter::Linear,
            Some(9984) => MinFilter::NearestMipmapNearest,
            Some(9985) => MinFilter::LinearMipmapNearest,
            Some(9986) => MinFilter::NearestMipmapLinear,
            _ => MinFilter::LinearMipmapLinear,
        },
    }
}

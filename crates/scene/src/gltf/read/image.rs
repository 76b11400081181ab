//! Images, samplers and textures.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Reader, bad, container::fetch, document, out_of_range, uri::Uri};
use crate::image::{Alpha, Encoded, Format, ImageKind, Integrity, placeholder, size, sniff};
use crate::{Error, Filter, Image, ImageId, MinFilter, Sampler, Texture, TextureId, Wrap};

/// Where the bytes of an image stand.
#[derive(PartialEq, Eq, Hash)]
enum Home<'a> {
    View(usize),
    Uri(&'a str),
}

impl Reader<'_> {
    /// Reads all images, each place once. One that is not there, or of another kind than PNG and JPEG, becomes a stand-in.
    pub(super) fn images(&mut self, files: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<(), Error> {
        let mut known: HashMap<Home<'_>, Encoded> = HashMap::new();
        for (index, json) in self.document.images.iter().enumerate() {
            let home = match (json.buffer_view, &json.uri) {
                (Some(view), _) => Home::View(view),
                (None, Some(uri)) => Home::Uri(uri),
                (None, None) => {
                    return Err(bad(format!("image {index}"), "it has neither a buffer view nor a URI"));
                }
            };
            let encoded = match known.get(&home) {
                Some(encoded) => encoded.clone(),
                None => {
                    let bytes = self.image_bytes(&home, &format!("image {index}"), files)?;
                    let encoded = bytes.and_then(|bytes| encoded(bytes, &mut self.tally));
                    let encoded = encoded.unwrap_or_else(|| placeholder(String::new()).encoded);
                    known.insert(home, encoded.clone());
                    encoded
                }
            };
            self.scene.images.push(Image { name: name(json), encoded });
        }
        Ok(())
    }

    fn image_bytes(
        &mut self,
        home: &Home<'_>,
        place: &str,
        files: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Option<Arc<[u8]>>, Error> {
        let uri = match home {
            Home::Uri(uri) => *uri,
            Home::View(view) => {
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

/// An image as it is, with its size. Its picture is not looked at.
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

/// What is not said, or not known, is left to the reader by glTF.
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

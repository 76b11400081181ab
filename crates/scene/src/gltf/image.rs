//! Writing of textures, samplers and images, and the names of image files.

use std::collections::{BTreeSet, HashMap};

use twox_hash::XxHash3_128;

use super::{
    check::{called, forbidden, in_range, name},
    draft::{Draft, Storage},
    schema::{Image as ImageJson, Sampler as SamplerJson, Texture as TextureJson},
};
use crate::{Error, Filter, Image, MinFilter, Sampler, Wrap};

/// File names are truncated to about this many bytes.
const MAX_NAME_LENGTH: usize = 100;

impl Draft<'_> {
    /// Assigns each image its index in the file: images with the same bytes share one.
    pub(super) fn number_images(&mut self) {
        let mut known: HashMap<u128, (&[u8], usize)> = HashMap::new();
        let mut numbers = 0_usize..;
        for image in &self.scene.images {
            let bytes: &[u8] = &image.encoded.bytes;
            let hash = XxHash3_128::oneshot(bytes);
            let number = match known.get(&hash) {
                Some((same, number)) if *same == bytes => *number,
                _ => {
                    let next = numbers.next().unwrap_or_default();
                    known.insert(hash, (bytes, next));
                    next
                }
            };
            self.images.push(number);
        }
    }

    /// Writes all textures, keeping their indices, and each distinct sampler once.
    pub(super) fn textures(&mut self) -> Result<(), Error> {
        let mut samplers: Vec<Sampler> = Vec::new();
        for (index, texture) in self.scene.textures.iter().enumerate() {
            let place = || format!("{}, image", called("texture", index, &texture.name));
            let image = in_range(texture.image.0, self.images.len(), place)?;
            let sampler =
                samplers.iter().position(|sampler| *sampler == texture.sampler).unwrap_or_else(|| {
                    samplers.push(texture.sampler);
                    samplers.len() - 1
                });
            self.document.textures.push(TextureJson {
                name: name(&texture.name, "texture", index),
                sampler,
                source: self.images.get(image).copied().unwrap_or_default(),
            });
        }
        self.document.samplers = samplers.into_iter().map(sampler_json).collect();
        Ok(())
    }
}

/// Smaller images are not shared: a separate file for each would cost more than it saves.
const SMALLEST_SHARED_IMAGE: usize = 1 << 10;

/// Images stored in files.
#[derive(Debug, Default)]
pub(super) struct ImageFiles<'a> {
    /// Files of one document, next to it.
    pub(super) own: Vec<(String, &'a [u8])>,
    /// Files that documents share.
    pub(super) shared: Vec<(String, &'a [u8])>,
}

/// Writes each distinct image once. Returns the files to be stored next to the document.
pub(super) fn write_images<'a>(draft: &mut Draft<'a>) -> Result<ImageFiles<'a>, Error> {
    let mut files = ImageFiles::default();
    let mut taken = BTreeSet::new();
    for (index, image) in draft.scene.images.iter().enumerate() {
        let bytes: &'a [u8] = &image.encoded.bytes;
        let kind = image.encoded.kind;
        if !kind.begins(bytes) {
            let problem = format!("its data is not {}, as declared", kind.mime_type());
            return Err(forbidden(called("image", index, &image.name), problem));
        }
        if draft.images.get(index) != Some(&draft.document.images.len()) {
            continue;
        }
        let (buffer_view, uri) = match draft.storage {
            Storage::Files { shared: Some(folder), .. } if bytes.len() >= SMALLEST_SHARED_IMAGE => {
                let file = shared_name(base_of(&image.name), XxHash3_128::oneshot(bytes), kind.extension());
                let uri = format!("{folder}{}", to_uri(&file));
                files.shared.push((file, bytes));
                (None, Some(uri))
            }
            Storage::Embedded => (Some(draft.binary.bytes(bytes)), None),
            Storage::Files { stem, .. } => {
                let file = file_name(stem, image, index, &mut taken);
                let uri = to_uri(&file);
                files.own.push((file, bytes));
                (None, Some(uri))
            }
        };
        draft.document.images.push(ImageJson {
            name: name(&image.name, "image", index),
            mime_type: kind.mime_type(),
            buffer_view,
            uri,
        });
    }
    Ok(files)
}

fn sampler_json(sampler: Sampler) -> SamplerJson {
    let wrap = |wrap: Wrap| match wrap {
        Wrap::Repeat => 10497,
        Wrap::Clamp => 33071,
        Wrap::Mirror => 33648,
    };
    let mag_filter = match sampler.mag {
        Filter::Nearest => 9728,
        Filter::Linear => 9729,
    };
    let min_filter = match sampler.min {
        MinFilter::Nearest => 9728,
        MinFilter::Linear => 9729,
        MinFilter::NearestMipmapNearest => 9984,
        MinFilter::LinearMipmapNearest => 9985,
        MinFilter::NearestMipmapLinear => 9986,
        MinFilter::LinearMipmapLinear => 9987,
    };
    SamplerJson { mag_filter, min_filter, wrap_s: wrap(sampler.wrap_u), wrap_t: wrap(sampler.wrap_v) }
}

/// Returns `STEM.NAME.png`, where NAME has no dots and no characters that file systems forbid, and differs from the
/// others in more than case.
fn file_name(stem: &str, image: &Image, index: usize, taken: &mut BTreeSet<String>) -> String {
    let base = safe(base_of(&image.name));
    let base = name(&base, "image", index).replace(' ', "_");
    let mut unique = base.clone();
    let mut number = 2_usize;
    while !taken.insert(unique.to_lowercase()) {
        unique = format!("{base}_{number}");
        number += 1;
    }
    format!("{stem}.{unique}.{}", image.encoded.kind.extension())
}

/// Returns the last component of a path, without extension.
fn base_of(path: &str) -> &str {
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    match last.rsplit_once('.') {
        Some((base, extension)) if !base.is_empty() && extension.len() <= 4 => base,
        _ => last,
    }
}

/// Returns the start of a name, with dots and characters that file systems forbid replaced.
fn safe(base: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    base.char_indices().take_while(|(at, _)| *at < MAX_NAME_LENGTH).map(|(_, c)| safe(c)).collect()
}

/// Returns the name of a shared file, which consists of its source and the hash of its content, so that the same
/// content has the same name in every document.
pub(super) fn shared_name(source: &str, hash: u128, extension: &str) -> String {
    // Some file systems do not distinguish names that differ only in case.
    format!("{}-{hash:032x}.{extension}", safe(source).to_lowercase())
}

/// Removes the hash at the end of a shared file's name, even if other programs truncated it.
#[must_use]
pub fn without_hash(name: &str) -> &str {
    let is_hash = |text: &str| {
        let is_cut = name.len() >= MAX_BLENDER_NAME && text.len() >= 8;
        (text.len() == HASH_LENGTH || is_cut) && text.bytes().all(|digit| digit.is_ascii_hexdigit())
    };
    match name.rsplit_once('-') {
        Some((before, hash)) if is_hash(hash) && !before.is_empty() => before,
        _ => name,
    }
}

/// Number of digits in the hash of a shared file.
const HASH_LENGTH: usize = 32;

/// Length in bytes of the longest names in Blender before version 5, minus an extension.
const MAX_BLENDER_NAME: usize = 58;

/// Encodes a file name as a relative URI (RFC 3986).
pub(super) fn to_uri(file: &str) -> String {
    use std::fmt::Write;
    let mut uri = String::with_capacity(file.len());
    for byte in file.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            uri.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

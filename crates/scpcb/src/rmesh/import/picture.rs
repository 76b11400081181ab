//! The images that a room refers to: file names and contents.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use asset::{Companion, CompanionPlace};
use files::name::safe_name;
use scene::color::linear_to_srgb;
use scene::image::{Rgba8, png_for_gltf};
use scene::{AlphaMode, Encoded, ImageId, Material, Scene};

use super::color::rounded;
use crate::import::name::without_number;
use crate::rmesh::texture::IMAGE_FOLDERS;
use crate::string::BlitzString;

/// Width and height of a single-color image, in pixels.
const SIDE: u32 = 8;

/// Image files by name. Names differ in more than case.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    files: BTreeMap<String, Picture>,
    /// The names assigned to images, by original name and image.
    given: BTreeMap<(String, usize), String>,
    /// The next number for a name that several images have.
    numbers: BTreeMap<String, u32>,
}

#[derive(Debug)]
struct Picture {
    name: String,
    bytes: Arc<[u8]>,
}

impl Pictures {
    /// Adds an image with the name that the room uses for it.
    pub(super) fn keep(&mut self, scene: &Scene, name: &str, image: ImageId) {
        if let Some(image) = scene.images.get(image.0).filter(|_| is_file_name(name)) {
            let picture = || Picture { name: name.to_owned(), bytes: bytes(&image.encoded) };
            self.files.entry(name.to_lowercase()).or_insert_with(picture);
        }
    }

    /// Adds an image with a name, or a similar name if another image has that one. Returns the name.
    pub(super) fn name(&mut self, scene: &Scene, name: &str, image: ImageId) -> String {
        let key = (name.to_owned(), image.0);
        if let Some(given) = self.given.get(&key) {
            return given.clone();
        }
        let Some(image) = scene.images.get(image.0) else { return name.to_owned() };
        let given = self.add(name, &bytes(&image.encoded));
        self.given.insert(key, given.clone());
        given
    }

    fn add(&mut self, name: &str, bytes: &Arc<[u8]>) -> String {
        let name = safe_name(name).into_owned();
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, "png"));
        let mut candidate = name.clone();
        loop {
            match self.files.entry(candidate.to_lowercase()) {
                Entry::Occupied(known) if known.get().bytes != *bytes => {}
                Entry::Occupied(known) => return known.get().name.clone(),
                Entry::Vacant(free) => {
                    free.insert(Picture { name: candidate.clone(), bytes: Arc::clone(bytes) });
                    return candidate;
                }
            }
            let number = self.numbers.entry(name.to_lowercase()).or_insert(1);
            *number = number.saturating_add(1);
            candidate = format!("{stem}_{number}.{extension}");
        }
    }

    /// Creates an image with the color of a material without a texture. White needs none: the game draws surfaces without a texture
    /// white.
    pub(super) fn of_color(&mut self, material: &Material) -> Option<String> {
        if material.base_color_texture.is_some() || material.base_color == [1.0; 4] {
            return None;
        }
        let [red, green, blue, alpha] = material.base_color;
        let [red, green, blue] =
            [red, green, blue].map(|light| rounded(linear_to_srgb(light.clamp(0.0, 1.0)) * 255.0));
        let alpha = if material.alpha == AlphaMode::Opaque { 255 } else { rounded(alpha * 255.0) };
        let count = usize::try_from(SIDE.saturating_mul(SIDE)).unwrap_or_default();
        let pixels = Rgba8::new(SIDE, SIDE, [red, green, blue, alpha].repeat(count)).ok()?;
        let own = format!("{}.png", without_number(&material.name));
        let is_name = !material.name.is_empty() && BlitzString::from_text(&own).is_ok();
        let name = if is_name { own } else { format!("color_{red:02x}{green:02x}{blue:02x}{alpha:02x}.png") };
        Some(self.add(&name, &bytes(&png_for_gltf(&pixels))))
    }

    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    /// The files to be written next to the room.
    pub(super) fn into_companions(self, also_in: &'static [&'static str]) -> Vec<Companion> {
        let files = self.files.into_values();
        let place = CompanionPlace::SameFolder { also_in, in_game: IMAGE_FOLDERS };
        files.map(|Picture { name, bytes }| Companion { name, place, bytes: bytes.to_vec() }).collect()
    }
}

/// Whether a name is a valid file name on any system.
pub(super) fn is_file_name(name: &str) -> bool {
    !name.is_empty() && safe_name(name) == name
}

fn bytes(encoded: &Encoded) -> Arc<[u8]> {
    Arc::clone(&encoded.bytes)
}

//! Names in scenes: names of images, and names as changed by other programs.

use scene::gltf::without_hash;
use scene::{Scene, TextureId, without_copy_number};

use crate::model::texture::{VARIANTS, without_variant};

/// Extensions of images that the game's files refer to.
const EXTENSIONS: [&str; 5] = ["png", "jpg", "jpeg", "bmp", "tga"];

/// Prefix of the names of placeholder images. They are all identical, so other programs mix up their names.
pub(crate) const PLACEHOLDER_PREFIX: &str = "missing ";

/// Returns the extension of an image's name.
pub(crate) fn extension(name: &str) -> Option<&str> {
    let (_, extension) = name.rsplit_once('.')?;
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension)).then_some(extension)
}

/// Returns a name without folders and extension, in lowercase.
pub(crate) fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = match extension(file) {
        Some(extension) => file.get(..file.len().saturating_sub(extension.len().saturating_add(1))),
        None => Some(file),
    };
    stem.unwrap_or(file).to_lowercase()
}

/// Returns the file name of a texture's image. Other programs drop the extension; it is added again.
pub(crate) fn image_name(scene: &Scene, texture: TextureId) -> String {
    let texture = scene.textures.get(texture.0);
    let Some(image) = texture.and_then(|texture| scene.images.get(texture.image.0)) else {
        return String::new();
    };
    // An image that two textures share has the name of only one of them.
    let own = texture.map(|texture| texture.name.as_str()).filter(|name| extension(name).is_some());
    let name = own.unwrap_or(without_variant(without_number(&image.name)));
    if name.starts_with(PLACEHOLDER_PREFIX) {
        return name.to_owned();
    }
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = match (name, extension(name)) {
        ("", _) => String::new(),
        (name, Some(extension)) => {
            let end = name.len().saturating_sub(extension.len().saturating_add(1));
            format!("{}.{extension}", without_hash(name.get(..end).unwrap_or(name)))
        }
        (name, None) => format!("{}.{}", without_hash(name), image.encoded.kind.extension()),
    };
    unshared_variant(&name).unwrap_or(name)
}

/// Returns the name of the image that a shared file is named after, such as `leaf.png` for `leaf_png__black_is_transparent_.png`.
fn unshared_variant(name: &str) -> Option<String> {
    let (stem, _) = name.rsplit_once('.')?;
    let mut variants = VARIANTS.iter().map(|variant| format!("__{}_", variant.replace(' ', "_")));
    let own = variants.find_map(|variant| stem.strip_suffix(&variant))?;
    let (stem, extension) = own.rsplit_once('_').filter(|(_, end)| EXTENSIONS.contains(end))?;
    Some(format!("{stem}.{extension}"))
}

/// Returns a name without the copy number that other programs append, and without the suffix for collision shapes in Godot:
/// `lamp-col.001` becomes `lamp`.
pub(crate) fn without_number(name: &str) -> &str {
    let name = without_copy_number(name);
    name.strip_suffix("-col").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use scene::{Image, Sampler, Texture};

    use super::*;

    #[test]
    fn restores_the_names_of_images_in_the_game() {
        let hash = "0123456789abcdef".repeat(2);
        for (image, expected) in [
            (format!("metal-{hash}.jpg"), "metal.jpg"),
            (format!("metal-{hash}"), "metal.png"),
            (format!("metal-{hash}.001"), "metal.png"),
            (format!("a-longer-name-of-a-texture-of-{hash}"), "a-longer-name-of-a-texture-of.png"),
            (format!("leaf_jpg__black_is_transparent_-{hash}.png"), "leaf.jpg"),
            ("leaf.png (black is transparent)".to_owned(), "leaf.png"),
            ("leaf.png (without alpha).001".to_owned(), "leaf.png"),
            ("GFX\\map\\metal-5.jpg".to_owned(), "metal-5.jpg"),
            ("metal".to_owned(), "metal.png"),
            (String::new(), ""),
        ] {
            let mut scene = Scene::new("made");
            let encoded = scene::image::placeholder(String::new()).encoded;
            let image = scene.add_image(Image { name: image, encoded });
            let texture =
                scene.add_texture(Texture { name: String::new(), image, sampler: Sampler::default() });
            assert_eq!(image_name(&scene, texture), expected);
        }
    }
}

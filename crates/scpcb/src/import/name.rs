//! Names in scenes: of images, and what other programs do to names.

use scene::gltf::without_hash;
use scene::{Scene, TextureId, without_copy_number};

use crate::model::texture::{VARIANTS, without_variant};

/// Extensions of the images that the game's files name.
const EXTENSIONS: [&str; 5] = ["png", "jpg", "jpeg", "bmp", "tga"];

/// Prefix of the names of placeholder images. They are all identical, so their names get mixed up.
pub(crate) const STAND_IN: &str = "missing ";

/// The extension of the name of an image.
pub(crate) fn extension(name: &str) -> Option<&str> {
    let (_, extension) = name.rsplit_once('.')?;
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension)).then_some(extension)
}

/// A name without folders and extension, in lower case.
pub(crate) fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = match extension(file) {
        Some(extension) => file.get(..file.len().saturating_sub(extension.len().saturating_add(1))),
        None => Some(file),
    };
    stem.unwrap_or(file).to_lowercase()
}

/// The file name of a texture's image. Other programs drop the extension; it is added again.
pub(crate) fn image_name(scene: &Scene, texture: TextureId) -> String {
    let texture = scene.textures.get(texture.0);
    let Some(image) = texture.and_then(|texture| scene.images.get(texture.image.0)) else {
        return String::new();
    };
    // An image that two textures share has the name of one of them only.
    let own = texture.map(|texture| texture.name.as_str()).filter(|name| extension(name).is_some());
    let name = own.unwrap_or(without_variant(without_number(&image.name)));
    if name.starts_with(STAND_IN) {
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

/// The name of an image that a shared file is named after: `leaf.png` of `leaf_png__black_is_transparent_.png`.
fn unshared_variant(name: &str) -> Option<String> {
    let (stem, _) = name.rsplit_once('.')?;
    let mut variants = VARIANTS.iter().map(|variant| format!("__{}_", variant.replace(' ', "_")));
    let own = variants.find_map(|variant| stem.strip_suffix(&variant))?;
    let (stem, extension) = own.rsplit_once('_').filter(|(_, end)| EXTENSIONS.contains(end))?;
    Some(format!("{stem}.{extension}"))
}

/// A name without the number that other programs put after it to tell copies apart, and without what tells Godot that it is solid: `lamp-col.001`
/// is `lamp`.
pub(crate) fn without_number(name: &str) -> &str {
    let name = without_copy_number(name);
    name.strip_suffix("-col").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use scene::{Image, Sampler, Texture};

    use super::*;

    #[test]
    fn images_have_the_names_that_the_game_knows() {
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

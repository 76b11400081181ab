//! Names in scenes: of images, and what other programs do to names.

use scene::{Scene, TextureId};

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
    let name = own.unwrap_or(without_number(&image.name));
    if name.starts_with(STAND_IN) {
        return name.to_owned();
    }
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    if name.is_empty() || extension(name).is_some() {
        return name.to_owned();
    }
    format!("{name}.{}", image.encoded.kind.extension())
}

/// A name without the number that other programs put after it to tell copies apart, and without what tells Godot that it is solid: `lamp-col.001`
/// is `lamp`.
pub(crate) fn without_number(name: &str) -> &str {
    let name = match name.rsplit_once('.') {
        Some((before, number)) if number.len() == 3 && number.bytes().all(|digit| digit.is_ascii_digit()) => {
            before
        }
        _ => name,
    };
    name.strip_suffix("-col").unwrap_or(name)
}

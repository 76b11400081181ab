//! The products of opened files: scenes, images, sounds, tables, texts, data, and converted files.

use std::ffi::c_char;

use facade::ProductKind;
use facade::scene::Product;

use crate::buffers::BuffersObject;
use crate::call::{call, create};
use crate::failure::Failure;
use crate::handle::{
    self, BuffersHandle, ErrorHandle, FileHandle, ImageHandle, SceneHandle, SoundHandle, TableHandle,
};
use crate::image::ImageObject;
use crate::pointer::{Out, Text};
use crate::scene::SceneObject;
use crate::sound::SoundObject;
use crate::status::Status;
use crate::table::TableObject;

/// The failure for a product that has another kind than its offer.
fn other_kind(kind: ProductKind) -> Failure {
    Failure::new(Status::Internal, format!("the {kind} has another kind"))
}

/// The kinds of products of which a file can have several.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Products {
    /// Images: `antiquary_file_image`.
    Image = 0,
    /// Sounds: `antiquary_file_sound`.
    Sound = 1,
    /// Tables: `antiquary_file_table`.
    Table = 2,
    /// Texts: `antiquary_file_text`.
    Text = 3,
}

/// Gets the number of products of a kind, one of `ANTIQUARY_PRODUCTS_*`. Fails if files of the format have none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_count(
    file: FileHandle,
    kind: u32,
    count: *mut usize,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (count, error) = unsafe { (Out::new(count), Out::new(error)) };
    call(error, || {
        let object = handle::get(file)?;
        count.required("count")?;
        let kinds = [
            (Products::Image, ProductKind::Image),
            (Products::Sound, ProductKind::Sound),
            (Products::Table, ProductKind::Table),
            (Products::Text, ProductKind::Text),
        ];
        let kind = kinds.iter().find(|(known, _)| *known as u32 == kind);
        let (_, kind) = kind.ok_or_else(|| Failure::argument("kind", "is unknown"))?;
        count.put("count", object.opened.product_count(*kind)?)
    })
}

/// Creates the scene of a file. Fails if files of the format have no scene.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_scene(
    file: FileHandle,
    scene: *mut SceneHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (scene, error) = unsafe { (Out::new(scene), Out::new(error)) };
    create((scene, "scene"), error, || Ok(SceneObject::new(handle::get(file)?.opened.scene()?)))
}

/// Decodes an image of a file. The others are not decoded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_image(
    file: FileHandle,
    index: usize,
    image: *mut ImageHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (image, error) = unsafe { (Out::new(image), Out::new(error)) };
    create((image, "image"), error, || {
        let object = handle::get(file)?;
        match object.product(ProductKind::Image, index)? {
            (name, Product::Image(picture)) => Ok(ImageObject::new(&name, picture)),
            _ => Err(other_kind(ProductKind::Image)),
        }
    })
}

/// Decodes a sound of a file. The others are not decoded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_sound(
    file: FileHandle,
    index: usize,
    sound: *mut SoundHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (sound, error) = unsafe { (Out::new(sound), Out::new(error)) };
    create((sound, "sound"), error, || {
        let object = handle::get(file)?;
        match object.product(ProductKind::Sound, index)? {
            (name, Product::Sound(sound)) => Ok(SoundObject::new(&name, sound)),
            _ => Err(other_kind(ProductKind::Sound)),
        }
    })
}

/// Creates a table of a file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_table(
    file: FileHandle,
    index: usize,
    table: *mut TableHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (table, error) = unsafe { (Out::new(table), Out::new(error)) };
    create((table, "table"), error, || {
        let object = handle::get(file)?;
        match object.product(ProductKind::Table, index)? {
            (name, Product::Table(table)) => Ok(TableObject::new(&name, table)),
            _ => Err(other_kind(ProductKind::Table)),
        }
    })
}

/// Creates a text of a file: one buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_text(
    file: FileHandle,
    index: usize,
    text: *mut BuffersHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (text, error) = unsafe { (Out::new(text), Out::new(error)) };
    create((text, "text"), error, || {
        let object = handle::get(file)?;
        match object.product(ProductKind::Text, index)? {
            (name, Product::Text(text)) => Ok(BuffersObject::one(&name, text.into_bytes())),
            _ => Err(other_kind(ProductKind::Text)),
        }
    })
}

/// Creates the data of a file as JSON, as `convert --to json` writes it: one buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_data(
    file: FileHandle,
    data: *mut BuffersHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (data, error) = unsafe { (Out::new(data), Out::new(error)) };
    create((data, "data"), error, || {
        let object = handle::get(file)?;
        Ok(BuffersObject::one("data.json", object.opened.data()?.to_json()?))
    })
}

/// Gets the bytes of a file: one buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_bytes(
    file: FileHandle,
    bytes: *mut BuffersHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (bytes, error) = unsafe { (Out::new(bytes), Out::new(error)) };
    create((bytes, "bytes"), error, || {
        let object = handle::get(file)?;
        Ok(BuffersObject::one(object.opened.name(), object.opened.source.read_all()?.into_owned()))
    })
}

/// Converts a file in memory. `extension` selects the output, such as `glb`, `png` or `wav`. The first buffer is the main
/// file; the others are files that it refers to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_convert(
    file: FileHandle,
    extension: *const c_char,
    files: *mut BuffersHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (extension, files, error) = unsafe { (Text::new(extension), Out::new(files), Out::new(error)) };
    create((files, "files"), error, || {
        let object = handle::get(file)?;
        let mut out = BuffersObject::default();
        for (name, bytes) in object.opened.convert(extension.get("extension")?)? {
            out.push(&name, bytes);
        }
        Ok(out)
    })
}

/// Gets the defects of a file, and what was lost in the products made so far, as a JSON array: one buffer. Its items are
/// those of `warnings` in the JSON of the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_warnings(
    file: FileHandle,
    warnings: *mut BuffersHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (warnings, error) = unsafe { (Out::new(warnings), Out::new(error)) };
    create((warnings, "warnings"), error, || {
        let warnings = handle::get(file)?.opened.warnings();
        Ok(BuffersObject::one("warnings.json", facade::json::to_compact(&warnings)?))
    })
}

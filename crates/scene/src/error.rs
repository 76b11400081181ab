//! The errors of scenes: one constructor per kind of problem.
//!
//! They are instances of the project-wide [`Error`]. Its offset refers to a byte of the image, sound or glTF file
//! that was read. A faulty object of a scene is named in the message, as in `mesh 0 "door", primitive 2`, because it
//! has no position in a file.

use record::{Error, git_lfs};

/// A number that glTF cannot store: infinite or not a number.
pub(crate) fn not_finite(place: impl Into<String>, value: f32) -> Error {
    forbidden(place, format!("{value} cannot be written, because glTF allows only finite numbers"))
}

/// An id or index that is out of range.
pub(crate) fn out_of_range(place: impl Into<String>, index: usize, count: usize) -> Error {
    forbidden(place, format!("index {index} is out of range (count: {count})"))
}

/// A list whose length does not match the list it belongs to.
pub(crate) fn count(place: impl Into<String>, found: usize, expected: usize) -> Error {
    forbidden(place, format!("expected {expected} items, found {found}"))
}

/// A value that the output format forbids, or that viewers would silently ignore.
pub(crate) fn forbidden(place: impl Into<String>, problem: impl Into<String>) -> Error {
    Error::malformed(format!("{}: {}", place.into(), problem.into()))
}

/// A file longer than its format can store.
pub(crate) fn file_too_long(bytes: u64) -> Error {
    Error::limit(format!("the file would have {bytes} bytes, but the limit of its format is 4294967295"))
}

/// Bytes that are not an image of a known format.
pub(crate) fn unknown_image(bytes: &[u8]) -> Error {
    if git_lfs::is_pointer(bytes) {
        return Error::malformed(git_lfs::ABOUT).at(0);
    }
    Error::unsupported("not an image of a known format (PNG, JPEG, BMP, TGA, DDS)")
}

/// A number of pixel bytes that does not match the image's size.
pub(crate) fn pixel_count(width: u32, height: u32, found: usize, expected: u64) -> Error {
    let size = format!("an image of {width} x {height} pixels");
    Error::malformed(format!("{size} needs {expected} bytes, found {found}"))
}

/// A WAV file that violates its format at `offset`.
pub(crate) fn bad_sound(offset: usize, problem: impl Into<String>) -> Error {
    Error::malformed(format!("WAV: {}", problem.into())).at(to_offset(offset))
}

/// A WAV file of an unsupported kind.
pub(crate) fn unsupported_sound(problem: impl Into<String>) -> Error {
    Error::unsupported(format!(
        "WAV: {} is not supported (supported: PCM of 8, 16, 24 or 32 bits, and 32-bit floating point)",
        problem.into()
    ))
}

/// A glTF file that violates its format; `place` names the invalid object of the document.
pub(crate) fn bad_gltf(place: impl Into<String>, problem: impl Into<String>) -> Error {
    Error::malformed(format!("glTF: {}: {}", place.into(), problem.into()))
}

/// A glTF file of an unsupported kind.
pub(crate) fn unsupported_gltf(problem: impl Into<String>) -> Error {
    Error::unsupported(format!("glTF: {}", problem.into()))
}

/// A glTF file that requests more memory than its size allows.
pub(crate) fn gltf_too_large(place: impl Into<String>, problem: impl Into<String>) -> Error {
    Error::limit(format!("glTF: {}: {}", place.into(), problem.into()))
}

/// Converts an index to a file offset.
pub(crate) fn to_offset(offset: usize) -> u64 {
    offset as u64
}

#[cfg(test)]
mod tests {
    use record::Kind;

    use super::*;

    #[test]
    fn reports_the_kind_and_offset_of_an_image_error() {
        assert_eq!(unknown_image(b"text").kind(), Kind::Unsupported);
        let pointer = unknown_image(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
        assert!(pointer.to_string().contains("git lfs pull"), "{pointer}");
        let error = crate::image::Format::Png.bad(16, "no width");
        assert_eq!((error.kind(), error.offset()), (Kind::Malformed, Some(16)));
        assert_eq!(error.to_string(), "PNG image: no width, at offset 0x10");
    }

    #[test]
    fn names_the_object_in_a_scene_error() {
        let error = out_of_range("mesh 0, primitive 2, material", 7, 2);
        assert_eq!((error.kind(), error.offset()), (Kind::Malformed, None));
        assert_eq!(error.message(), "mesh 0, primitive 2, material: index 7 is out of range (count: 2)");
    }
}

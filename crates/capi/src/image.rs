//! Decoded images.

use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use facade::scene::product::Picture;

use crate::call::{call, free};
use crate::failure::{Failure, item};
use crate::handle::{self, ErrorHandle, Handle, ImageHandle};
use crate::pointer::{Out, start};
use crate::status::Status;
use crate::string::c_string;

/// The object of an image handle.
#[derive(Debug)]
pub struct ImageObject {
    name: CString,
    picture: Picture,
    /// The pixels of each frame, which are converted when they are requested.
    frames: Vec<OnceLock<Vec<u8>>>,
}

impl Handle for ImageHandle {
    type Object = ImageObject;
}

impl ImageObject {
    pub(crate) fn new(name: &str, picture: Picture) -> Self {
        let frames = (0..picture.frame_count()).map(|_| OnceLock::new()).collect();
        Self { name: c_string(name), picture, frames }
    }

    /// Returns the pixels of a frame.
    fn frame(&self, number: usize) -> Result<&[u8], Failure> {
        let frame = item("frame", &self.frames, number)?;
        Ok(frame.get_or_init(|| {
            let picture = self.picture.frame(number);
            picture.map(|picture| picture.to_rgba8().into_pixels()).unwrap_or_default()
        }))
    }

    /// Returns the duration of each frame in seconds; 0 for a single frame.
    fn frame_seconds(&self) -> f64 {
        match &self.picture {
            Picture::Indexed(animation) if self.frames.len() > 1 => {
                f64::from(animation.delay().in_milliseconds()) / 1000.0
            }
            _ => 0.0,
        }
    }
}

/// A frame of an image. The pointers are valid until the image is freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ImageInfo {
    /// Name of the image in its file; empty if it is the only one.
    pub name: *const c_char,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of frames, at least 1.
    pub frame_count: usize,
    /// Duration of each frame in seconds; 0 if there is only one.
    pub frame_seconds: f64,
    /// The pixels of the frame, row by row from the top: red, green, blue and alpha (sRGB, 8 bits each).
    pub pixels: *const u8,
    /// Length of the pixels in bytes: width * height * 4.
    pub length: usize,
}

/// Gets a frame of an image. The pointers are valid until the image is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_image_get(
    image: ImageHandle,
    frame: usize,
    info: *mut ImageInfo,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (info, error) = unsafe { (Out::new(info), Out::new(error)) };
    call(error, || {
        let object = handle::get(image)?;
        info.required("info")?;
        let pixels = object.frame(frame)?;
        info.put(
            "info",
            ImageInfo {
                name: object.name.as_ptr(),
                width: object.picture.width(),
                height: object.picture.height(),
                frame_count: object.frames.len(),
                frame_seconds: object.frame_seconds(),
                pixels: start(pixels),
                length: pixels.len(),
            },
        )
    })
}

/// Frees an image, and everything that was borrowed from it. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_image_free(image: ImageHandle) -> Status {
    free(image)
}

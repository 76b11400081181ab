//! Images.

use antiquary::scene;
use antiquary::scene::image::{Limits, decode};
use antiquary::scene::product::Picture;
use antiquary::{Error, Named};
use numpy::{PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::array;
use crate::error::Result;
use crate::task::caught;

/// An image of a file, static or animated. Rows start at the top; colors are sRGB.
///
/// ``numpy.asarray(image)`` is ``image.pixels()``.
#[pyclass(frozen, module = "antiquary")]
pub(crate) struct Image {
    name: String,
    picture: Picture,
}

impl Image {
    pub(crate) fn new(named: Named<Picture>) -> Self {
        Self { name: named.name(), picture: named.into_value() }
    }

    fn frame(&self, frame: usize) -> Result<Picture> {
        let count = self.picture.frame_count();
        self.picture.frame(frame).ok_or_else(|| {
            Error::usage(format!("the image has {count} frames, so there is no frame {frame}")).into()
        })
    }
}

#[pymethods]
impl Image {
    /// Path of the file, followed by the name in the file if the file has several images.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Width in pixels.
    #[getter]
    fn width(&self) -> u32 {
        self.picture.width()
    }

    /// Height in pixels.
    #[getter]
    fn height(&self) -> u32 {
        self.picture.height()
    }

    /// Number of frames, at least 1.
    #[getter]
    fn frame_count(&self) -> usize {
        self.picture.frame_count()
    }

    /// Time that each frame is shown, in seconds, or None for a static image.
    #[getter]
    fn frame_seconds(&self) -> Option<f64> {
        match &self.picture {
            Picture::Indexed(animation) if animation.frames().len() > 1 => {
                Some(f64::from(animation.delay().in_milliseconds()) / 1000.0)
            }
            _ => None,
        }
    }

    /// Returns a frame as red, green, blue and alpha: a new array with the shape (height, width, 4) of uint8.
    #[pyo3(signature = (frame=0))]
    fn pixels(&self, py: Python<'_>, frame: usize) -> Result<Py<PyArray3<u8>>> {
        let rgba = py.detach(|| caught(|| Ok(self.frame(frame)?.to_rgba8())))?;
        pixels(py, rgba)
    }

    /// Returns a frame as indices into the palette: a new array with the shape (height, width) of uint8, or None if the
    /// image has no palette.
    #[pyo3(signature = (frame=0))]
    fn indices(&self, py: Python<'_>, frame: usize) -> Result<Option<Py<PyArray2<u8>>>> {
        let Picture::Indexed(_) = &self.picture else { return Ok(None) };
        let Picture::Indexed(animation) = self.frame(frame)? else { return Ok(None) };
        let (indices, _) = animation.first().into_parts();
        Ok(Some(array::table(py, animation.height() as usize, animation.width() as usize, indices)?))
    }

    /// Returns the palette: a new array with the shape (colors, 4) of uint8, or None if the image has no palette.
    fn palette(&self, py: Python<'_>) -> Result<Option<Py<PyArray2<u8>>>> {
        let Picture::Indexed(animation) = &self.picture else { return Ok(None) };
        Ok(Some(array::rows(py, animation.palette().to_vec())?))
    }

    /// Returns the samples of a grayscale image: a new array with the shape (height, width) of uint16, or None if the image
    /// has colors.
    fn gray(&self, py: Python<'_>) -> Result<Option<Py<PyArray2<u16>>>> {
        let Picture::Gray(gray) = &self.picture else { return Ok(None) };
        let (height, width) = (gray.height() as usize, gray.width() as usize);
        Ok(Some(array::table(py, height, width, gray.samples().to_vec())?))
    }

    /// Returns a frame as an image of Pillow, in mode ``RGBA``.
    ///
    /// Raises:
    ///     ImportError: Pillow is not installed.
    #[pyo3(signature = (frame=0))]
    fn to_pil(&self, py: Python<'_>, frame: usize) -> Result<Py<PyAny>> {
        to_pil(py, self.pixels(py, frame)?)
    }

    #[pyo3(signature = (dtype=None, *, copy=None))]
    fn __array__(
        &self,
        py: Python<'_>,
        dtype: Option<Bound<'_, PyAny>>,
        copy: Option<bool>,
    ) -> Result<Py<PyAny>> {
        as_array(py, self.pixels(py, 0)?, dtype, copy)
    }

    fn __repr__(&self) -> String {
        format!("<Image {:?}, {}x{}>", self.name, self.picture.width(), self.picture.height())
    }
}

/// An image of a scene, as an encoded file.
///
/// ``numpy.asarray(image)`` is ``image.pixels()``.
#[pyclass(frozen, module = "antiquary")]
pub(crate) struct EncodedImage(scene::Image);

impl EncodedImage {
    pub(crate) const fn new(image: scene::Image) -> Self {
        Self(image)
    }
}

#[pymethods]
impl EncodedImage {
    /// Name of the image.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// ``"image/png"`` or ``"image/jpeg"``.
    #[getter]
    fn mime_type(&self) -> &'static str {
        self.0.encoded.kind.mime_type()
    }

    /// Width in pixels.
    #[getter]
    fn width(&self) -> u32 {
        self.0.encoded.width
    }

    /// Height in pixels.
    #[getter]
    fn height(&self) -> u32 {
        self.0.encoded.height
    }

    /// Bytes of the PNG or JPEG file.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.encoded.bytes)
    }

    /// Decodes the image to red, green, blue and alpha: a new array with the shape (height, width, 4) of uint8.
    fn pixels(&self, py: Python<'_>) -> Result<Py<PyArray3<u8>>> {
        let bytes = &self.0.encoded.bytes;
        let rgba = py.detach(|| caught(|| Ok(decode(bytes, &Limits::default())?)))?;
        pixels(py, rgba)
    }

    /// Decodes the image to an image of Pillow, in mode ``RGBA``.
    ///
    /// Raises:
    ///     ImportError: Pillow is not installed.
    fn to_pil(&self, py: Python<'_>) -> Result<Py<PyAny>> {
        to_pil(py, self.pixels(py)?)
    }

    #[pyo3(signature = (dtype=None, *, copy=None))]
    fn __array__(
        &self,
        py: Python<'_>,
        dtype: Option<Bound<'_, PyAny>>,
        copy: Option<bool>,
    ) -> Result<Py<PyAny>> {
        as_array(py, self.pixels(py)?, dtype, copy)
    }

    fn __repr__(&self) -> String {
        let scene::Encoded { width, height, .. } = self.0.encoded;
        format!("<EncodedImage {:?}, {}, {width}x{height}>", self.0.name, self.mime_type())
    }
}

/// Converts pixels to an array; their memory becomes that of the array.
fn pixels(py: Python<'_>, rgba: scene::image::Rgba8) -> Result<Py<PyArray3<u8>>> {
    let shape = (rgba.height() as usize, rgba.width() as usize, 4);
    array::cube(py, shape, rgba.into_pixels())
}

fn to_pil(py: Python<'_>, pixels: Py<PyArray3<u8>>) -> Result<Py<PyAny>> {
    let image = py.import("PIL.Image")?.call_method1("fromarray", (pixels,))?;
    Ok(image.unbind())
}

/// The array that numpy requests. A conversion of the type is left to numpy; the pixels are always new.
fn as_array(
    py: Python<'_>,
    pixels: Py<PyArray3<u8>>,
    dtype: Option<Bound<'_, PyAny>>,
    copy: Option<bool>,
) -> Result<Py<PyAny>> {
    if copy == Some(false) {
        let message = "the pixels are decoded into a new array, so copy=False is not possible";
        return Err(pyo3::exceptions::PyValueError::new_err(message).into());
    }
    let Some(dtype) = dtype else { return Ok(pixels.into_any()) };
    let options = PyDict::new(py);
    options.set_item("copy", false)?;
    Ok(pixels.bind(py).call_method("astype", (dtype,), Some(&options))?.unbind())
}

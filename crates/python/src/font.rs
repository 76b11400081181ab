//! Bitmap fonts.

use antiquary::json::Value;
use antiquary::scene::font::write_ttf;
use antiquary::scene::product::FontProduct;
use numpy::PyArray3;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::array;
use crate::error::Result;
use crate::operation::Object;
use crate::value::to_python;

/// A bitmap font.
#[pyclass(frozen, module = "antiquary")]
pub(crate) struct Font(FontProduct);

impl Font {
    pub(crate) const fn new(font: FontProduct) -> Self {
        Self(font)
    }
}

#[pymethods]
impl Font {
    /// Name of the font.
    #[getter]
    fn name(&self) -> &str {
        &self.0.font.name
    }

    /// Height of a line in pixels.
    #[getter]
    fn line_height(&self) -> u16 {
        self.0.font.line_height
    }

    /// Distance from the top of a line to its baseline in pixels.
    #[getter]
    fn baseline(&self) -> u16 {
        self.0.font.baseline
    }

    /// Metadata of the font under the format's own names.
    #[getter]
    fn metadata(&self, py: Python<'_>) -> Result<Object> {
        Ok(to_python(py, &self.0.metadata)?)
    }

    /// Metadata of each glyph, with its position on the sheet (``x`` and ``y``, pixels from the top left).
    fn glyphs(&self, py: Python<'_>) -> Result<Object> {
        let (atlas, _) = self.0.sheet()?;
        let glyphs = self.0.glyph_metadata.iter().zip(&atlas.positions).map(|(metadata, (x, y))| {
            let mut metadata = metadata.clone();
            metadata.insert("x".to_owned(), Value::from(*x));
            metadata.insert("y".to_owned(), Value::from(*y));
            metadata
        });
        Ok(to_python(py, &glyphs.collect::<Vec<_>>())?)
    }

    /// Draws all glyphs on one sheet: a new array with the shape (height, width, 4) of uint8.
    fn sheet(&self, py: Python<'_>) -> Result<Py<PyArray3<u8>>> {
        let (_, sheet) = self.0.sheet()?;
        let shape = (sheet.height() as usize, sheet.width() as usize, 4);
        array::cube(py, shape, sheet.to_rgba8().into_pixels())
    }

    /// Returns the font as a TrueType file.
    fn to_ttf<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &write_ttf(&self.0.font)?))
    }

    fn __repr__(&self) -> String {
        format!("<Font {:?}, {} glyphs>", self.0.font.name, self.0.font.glyphs.len())
    }
}

//! Materials and textures.

use antiquary::scene::texture::{Filter, MinFilter, Wrap};
use antiquary::scene::{self, AlphaMode, ImageId, Shading, Sidedness, TextureId, TextureRef};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Result;
use crate::value::to_python;

/// The appearance of a surface.
///
/// A texture of a material is a dict: ``texture`` is an index into the textures of the scene, ``uv_set`` an index into the
/// sets of texture coordinates, and ``offset``, ``rotation`` (radians) and ``scale`` transform the coordinates first.
#[pyclass(frozen, module = "antiquary")]
pub(crate) struct Material(scene::Material);

impl Material {
    pub(crate) const fn new(material: scene::Material) -> Self {
        Self(material)
    }
}

#[pymethods]
impl Material {
    /// Name of the material.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Linear red, green, blue and alpha within 0..1, multiplied with the texture and the vertex color.
    #[getter]
    fn base_color(&self) -> (f32, f32, f32, f32) {
        self.0.base_color.into()
    }

    /// Texture with sRGB color and linear alpha, or None.
    #[getter]
    fn base_color_texture(&self, py: Python<'_>) -> Result<Option<Py<PyDict>>> {
        texture(py, self.0.base_color_texture)
    }

    /// Emitted linear light within 0..1: red, green and blue.
    #[getter]
    fn emissive(&self) -> (f32, f32, f32) {
        self.0.emissive.into()
    }

    /// sRGB texture that is multiplied with ``emissive``, or None.
    #[getter]
    fn emissive_texture(&self, py: Python<'_>) -> Result<Option<Py<PyDict>>> {
        texture(py, self.0.emissive_texture)
    }

    /// Surface normals in tangent space, or None.
    #[getter]
    fn normal_texture(&self, py: Python<'_>) -> Result<Option<Py<PyDict>>> {
        texture(py, self.0.normal_texture)
    }

    /// Baked lighting, multiplied with the color of the surface, or None. Its key ``intensity`` is a factor for its linear
    /// light.
    #[getter]
    fn lightmap(&self, py: Python<'_>) -> Result<Option<Py<PyDict>>> {
        let Some(lightmap) = self.0.lightmap else { return Ok(None) };
        let dict = texture(py, Some(lightmap.texture))?;
        if let Some(dict) = &dict {
            dict.bind(py).set_item("intensity", lightmap.intensity)?;
        }
        Ok(dict)
    }

    /// Metalness within 0..1.
    #[getter]
    fn metallic(&self) -> f32 {
        self.0.metallic
    }

    /// Roughness: 0 is a mirror, 1 is chalk.
    #[getter]
    fn roughness(&self) -> f32 {
        self.0.roughness
    }

    /// ``"opaque"``, ``"mask"`` (pixels below ``alpha_cutoff`` are discarded) or ``"blend"``.
    #[getter]
    fn alpha_mode(&self) -> &'static str {
        match self.0.alpha {
            AlphaMode::Opaque => "opaque",
            AlphaMode::Mask(_) => "mask",
            AlphaMode::Blend => "blend",
        }
    }

    /// Lowest visible alpha if ``alpha_mode`` is ``"mask"``, or None.
    #[getter]
    fn alpha_cutoff(&self) -> Option<f32> {
        match self.0.alpha {
            AlphaMode::Mask(cutoff) => Some(cutoff),
            AlphaMode::Opaque | AlphaMode::Blend => None,
        }
    }

    /// Whether back faces are drawn.
    #[getter]
    fn double_sided(&self) -> bool {
        self.0.sidedness == Sidedness::Double
    }

    /// Whether the color is shown unchanged by lights.
    #[getter]
    fn unlit(&self) -> bool {
        self.0.shading == Shading::Unlit
    }

    /// Further data of the material.
    #[getter]
    fn extras(&self, py: Python<'_>) -> Result<Py<PyAny>> {
        Ok(to_python(py, &self.0.extras)?)
    }

    fn __repr__(&self) -> String {
        format!("<Material {:?}>", self.0.name)
    }
}

fn texture(py: Python<'_>, texture: Option<TextureRef>) -> Result<Option<Py<PyDict>>> {
    let Some(TextureRef { texture: TextureId(index), uv_set, transform }) = texture else { return Ok(None) };
    let transform = transform.unwrap_or_default();
    let dict = PyDict::new(py);
    dict.set_item("texture", index)?;
    dict.set_item("uv_set", uv_set)?;
    dict.set_item("offset", <(f32, f32)>::from(transform.offset))?;
    dict.set_item("rotation", transform.rotation)?;
    dict.set_item("scale", <(f32, f32)>::from(transform.scale))?;
    Ok(Some(dict.unbind()))
}

/// An image and how it is sampled.
#[pyclass(frozen, module = "antiquary")]
pub(crate) struct Texture(scene::Texture);

impl Texture {
    pub(crate) const fn new(texture: scene::Texture) -> Self {
        Self(texture)
    }
}

#[pymethods]
impl Texture {
    /// Name of the texture.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Index into the images of the scene.
    #[getter]
    fn image(&self) -> usize {
        let ImageId(image) = self.0.image;
        image
    }

    /// Wrapping in the horizontal and the vertical direction: ``"repeat"``, ``"clamp"`` or ``"mirror"``.
    #[getter]
    fn wrap(&self) -> (&'static str, &'static str) {
        let name = |wrap| match wrap {
            Wrap::Repeat => "repeat",
            Wrap::Clamp => "clamp",
            Wrap::Mirror => "mirror",
        };
        (name(self.0.sampler.wrap_u), name(self.0.sampler.wrap_v))
    }

    /// Magnification filter: ``"nearest"`` or ``"linear"``.
    #[getter]
    fn mag_filter(&self) -> &'static str {
        match self.0.sampler.mag {
            Filter::Nearest => "nearest",
            Filter::Linear => "linear",
        }
    }

    /// Minification filter: ``"nearest"`` or ``"linear"``, optionally followed by ``"_mipmap_nearest"`` or
    /// ``"_mipmap_linear"``.
    #[getter]
    fn min_filter(&self) -> &'static str {
        match self.0.sampler.min {
            MinFilter::Nearest => "nearest",
            MinFilter::Linear => "linear",
            MinFilter::NearestMipmapNearest => "nearest_mipmap_nearest",
            MinFilter::LinearMipmapNearest => "linear_mipmap_nearest",
            MinFilter::NearestMipmapLinear => "nearest_mipmap_linear",
            MinFilter::LinearMipmapLinear => "linear_mipmap_linear",
        }
    }

    fn __repr__(&self) -> String {
        format!("<Texture {:?}>", self.0.name)
    }
}

//! Textures: an image and its sampling parameters.

use crate::ImageId;

/// An image with its sampler.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// Name of the texture.
    pub name: String,
    /// The image.
    pub image: ImageId,
    /// The sampling parameters.
    pub sampler: Sampler,
}

/// Sampling parameters of an image. By default, it repeats and is filtered smoothly, with mipmaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct Sampler {
    /// Wrapping in the horizontal direction.
    pub wrap_u: Wrap,
    /// Wrapping in the vertical direction.
    pub wrap_v: Wrap,
    /// Magnification filter.
    pub mag: Filter,
    /// Minification filter.
    pub min: MinFilter,
}

/// The wrapping mode of texture coordinates outside the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Wrap {
    /// Repeats the image.
    #[default]
    Repeat,
    /// Extends the color of the edge.
    Clamp,
    /// Repeats the image, mirrored each time.
    Mirror,
}

/// The magnification filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Filter {
    /// The nearest pixel: hard squares.
    Nearest,
    /// A blend of four pixels.
    #[default]
    Linear,
}

/// The minification filter, between pixels and mipmap levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum MinFilter {
    /// The nearest pixel, without mipmaps.
    Nearest,
    /// A blend of four pixels, without mipmaps.
    Linear,
    /// The nearest pixel of the nearest mipmap.
    NearestMipmapNearest,
    /// A blend of four pixels of the nearest mipmap.
    LinearMipmapNearest,
    /// A blend of the nearest pixels of two mipmaps.
    NearestMipmapLinear,
    /// A blend of four pixels of each of two mipmaps.
    #[default]
    LinearMipmapLinear,
}

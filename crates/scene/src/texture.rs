//! Textures: an image and how it is sampled.

use crate::ImageId;

/// An image with its sampler.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// What the texture is called.
    pub name: String,
    /// The image.
    pub image: ImageId,
    /// How it is sampled.
    pub sampler: Sampler,
}

/// How an image is sampled. The default repeats and filters smoothly, with mipmaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct Sampler {
    /// Left and right of the image.
    pub wrap_u: Wrap,
    /// Above and below the image.
    pub wrap_v: Wrap,
    /// When seen close up.
    pub mag: Filter,
    /// When seen from afar.
    pub min: MinFilter,
}

/// What lies beyond an image's edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Wrap {
    /// The image again.
    #[default]
    Repeat,
    /// The edge's color.
    Clamp,
    /// The image mirrored.
    Mirror,
}

/// Between pixels, seen close up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Filter {
    /// The nearest pixel: hard squares.
    Nearest,
    /// A blend of four pixels.
    #[default]
    Linear,
}

/// Between pixels and mipmap levels, seen from afar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum MinFilter {
    /// The nearest pixel, no mipmaps.
    Nearest,
    /// A blend of four pixels, no mipmaps.
    Linear,
    /// The nearest pixel of the nearest mipmap.
    NearestMipmapNearest,
    /// A blend of four pixels of the nearest mipmap.
    LinearMipmapNearest,
    /// The nearest pixels of two mipmaps, blended.
    NearestMipmapLinear,
    /// Pixels and mipmaps blended.
    #[default]
    LinearMipmapLinear,
}

//! Software rendering of scenes as small pictures, such as previews of a folder of models.
//!
//! The camera looks from above and one side, and the entire scene is visible. A room, whose walls face inwards, is
//! shown from above without back faces. Lighting is soft and comes from above; dark scenes are brightened. The same
//! scene produces the same picture everywhere, independently of threads, time and graphics drivers.
//!
//! Scenes may come from hostile files: the numbers of corners, triangles and pixels are limited, and non-finite values
//! are skipped.
//!
//! | term | meaning |
//! | --- | --- |
//! | subject | a scene prepared for rendering |
//! | pose | the state of a scene at one moment of an animation |
//! | shape | all triangles of a posed scene in world space |
//! | corner | a vertex of triangles |
//! | piece | a part of a triangle that crosses the near plane, which is cut before it is projected |
//! | sample | one of several points per pixel at which the picture is computed |
//! | backdrop | the background colors of the picture |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod camera;
mod key;
mod light;
mod pose;
mod raster;
mod screen_triangle;
mod shade;
mod shape;
#[cfg(test)]
mod tests;
mod texture;

use scene::{Scene, image::Rgba8};

pub use self::texture::Textures;

/// Rendering options.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderOptions {
    /// Width in pixels, at most 1024.
    pub width: u32,
    /// Height in pixels, at most 1024.
    pub height: u32,
    /// Background colors at the top and at the bottom of the picture, as display values.
    pub backdrop: [[u8; 3]; 2],
    /// The moment that is shown.
    pub moment: PoseTime,
    /// The size of the scene in the picture.
    pub framing: Framing,
}

/// The size of a scene in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Framing {
    /// The scene fills the picture.
    #[default]
    Fit,
    /// The scene has the same scale as other scenes, if it [specifies one](Scene::shared_frame). A scene that does
    /// not fit at this scale is fitted to the picture.
    Shared,
}

/// The moment of a scene that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum PoseTime {
    /// The rest pose, without animation.
    Rest,
    /// The first keyframe of the first animation, or the rest pose without animations. Many models have outstretched
    /// arms in the rest pose.
    #[default]
    Begin,
    /// A zero-based animation index and a time in seconds.
    At(usize, f32),
}

impl Default for RenderOptions {
    /// A small picture with a gray background.
    fn default() -> Self {
        Self {
            width: 320,
            height: 240,
            backdrop: [[122, 133, 148], [72, 80, 92]],
            moment: PoseTime::default(),
            framing: Framing::default(),
        }
    }
}

/// Maximum width and height of a picture.
const MAX_SIDE: u32 = 1024;

/// Renders a scene. `None` if nothing in it is visible.
pub fn draw(scene: &Scene, options: &RenderOptions, textures: &Textures) -> Option<Rgba8> {
    Subject::new(scene, *options).draw(textures)
}

/// A scene prepared for rendering. Preparation is fast compared with rendering: with [`Subject::key`], pictures that
/// were rendered before need not be rendered again.
#[derive(Debug)]
pub struct Subject<'a> {
    scene: &'a Scene,
    options: RenderOptions,
    pose: pose::Pose,
    shape: shape::Shape,
    images: texture::ImageKeys,
}

impl<'a> Subject<'a> {
    /// Prepares a scene.
    #[must_use]
    pub fn new(scene: &'a Scene, options: RenderOptions) -> Self {
        let pose = pose::Pose::of(scene, options.moment);
        let shape = shape::Shape::of(scene, &pose);
        Self { scene, options, pose, shape, images: texture::ImageKeys::new(scene) }
    }

    /// Returns a key that is equal for subjects that look the same, regardless of names. It is the same on every
    /// machine.
    #[must_use]
    pub fn key(&self) -> u128 {
        let mut key = key::Key::default();
        key.options(&self.options);
        key.frame(self.frame());
        key.shape(&self.shape);
        for (id, material) in self.shape.materials(self.scene) {
            key.surface(self.scene, &self.images, material, self.pose.base_color(id, material));
        }
        key.finish()
    }

    /// Minimum visible height in meters.
    fn frame(&self) -> Option<f32> {
        let frame = self.scene.shared_frame.filter(|frame| frame.is_finite() && *frame > 0.0);
        frame.filter(|_| self.options.framing == Framing::Shared)
    }

    /// Renders the picture. `None` if nothing is visible.
    pub fn draw(&self, textures: &Textures) -> Option<Rgba8> {
        let Self { scene, options, pose, shape, images } = self;
        let (width, height) = (options.width.clamp(1, MAX_SIDE), options.height.clamp(1, MAX_SIDE));
        let aspect = width as f32 / height as f32;
        let view = camera::View::of(shape, aspect, self.frame())?;
        let surfaces = shade::Surfaces::of(scene, pose, shape, images);
        let canvas =
            raster::draw(shape, &view, surfaces, textures, [width, height].map(|side| side as usize));
        let picture = canvas.to_picture(width, height, options.backdrop);
        canvas.recycle();
        picture
    }
}

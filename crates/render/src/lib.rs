//! Drawing a scene as a small picture, without a graphics card: what a folder of models looks like.
//!
//! The camera looks from above to one side and takes in everything. A room, whose walls face inwards, is looked into from above: what
//! shows its back is not drawn. Light is soft and comes from above; a scene that would be dark is brightened. The same scene gives
//! the same picture everywhere: no thread, clock or graphics driver has a say.
//!
//! Scenes may come from hostile files: there are bounds on corners, triangles and pixels, and what is no number is left out.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod camera;
mod flat;
mod key;
mod light;
mod pose;
mod raster;
mod shade;
mod shape;
#[cfg(test)]
mod tests;
mod texture;

use scene::{Scene, image::Rgba8};

pub use self::texture::Textures;

/// How a picture is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderOptions {
    /// Pixels across, 1024 at most.
    pub width: u32,
    /// Pixels down, 1024 at most.
    pub height: u32,
    /// What stands behind the scene at the top and at the bottom of the picture, display colors.
    pub backdrop: [[u8; 3]; 2],
    /// The moment that is shown.
    pub moment: PoseTime,
    /// How large the scene is in the picture.
    pub framing: Framing,
}

/// How large a scene is in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Framing {
    /// As large as it fits.
    #[default]
    Fit,
    /// As large as others beside it, if the scene [says how large that is](Scene::shared_frame). What does not fit then is as large as it fits.
    Shared,
}

/// The moment of a scene that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum PoseTime {
    /// As it stands when nothing is animated.
    Rest,
    /// The first key of the first clip; at rest without one. Many models rest with their arms stretched out.
    #[default]
    Begin,
    /// So many seconds into one of the clips, counted from 0.
    At(usize, f32),
}

impl Default for RenderOptions {
    /// A small picture before grey.
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

/// The longest side of a picture.
const LONGEST: u32 = 1024;

/// Draws a scene. `None` when nothing in it can be seen.
pub fn draw(scene: &Scene, look: &RenderOptions, textures: &Textures) -> Option<Rgba8> {
    Subject::of(scene, *look).draw(textures)
}

/// What is to be drawn of a scene. That is found out fast, compared to drawing it: with [`Subject::key`] what was drawn before need not
/// be drawn again.
#[derive(Debug)]
pub struct Subject<'a> {
    scene: &'a Scene,
    look: RenderOptions,
    pose: pose::Pose,
    shape: shape::Shape,
    images: texture::ImageKeys,
}

impl<'a> Subject<'a> {
    /// What a scene shows.
    #[must_use]
    pub fn of(scene: &'a Scene, look: RenderOptions) -> Self {
        let pose = pose::Pose::of(scene, look.moment);
        let shape = shape::Shape::of(scene, &pose);
        Self { scene, look, pose, shape, images: texture::ImageKeys::new(scene) }
    }

    /// Subjects of the same key look the same, whatever the scenes and what is in them are called. It is the same on every machine.
    #[must_use]
    pub fn key(&self) -> u128 {
        let mut key = key::Key::default();
        key.look(&self.look);
        key.frame(self.frame());
        key.shape(&self.shape);
        for (id, material) in self.shape.materials(self.scene) {
            key.paint(self.scene, &self.images, material, self.pose.base_color(id, material));
        }
        key.finish()
    }

    /// How much the picture takes in at least, meters.
    fn frame(&self) -> Option<f32> {
        let frame = self.scene.shared_frame.filter(|frame| frame.is_finite() && *frame > 0.0);
        frame.filter(|_| self.look.framing == Framing::Shared)
    }

    /// Draws it. `None` when nothing can be seen.
    pub fn draw(&self, textures: &Textures) -> Option<Rgba8> {
        let Self { scene, look, pose, shape, images } = self;
        let (width, height) = (look.width.clamp(1, LONGEST), look.height.clamp(1, LONGEST));
        let aspect = width as f32 / height as f32;
        let view = camera::View::of(shape, aspect, self.frame())?;
        let paints = shade::Paints::of(scene, pose, shape, images);
        let canvas = raster::draw(shape, &view, paints, textures, [width, height].map(|side| side as usize));
        let picture = canvas.develop(width, height, look.backdrop);
        canvas.recycle();
        picture
    }
}

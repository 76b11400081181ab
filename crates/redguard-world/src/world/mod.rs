//! Maps as the game shows them: everything that a map places, with its terrain, its sky and its light, as one scene.
//!
//! A scene has one root, called like the map. Below it stand layers, and in each a node for each record of the map. Models are in the scene once,
//! however often they stand in it. All that glTF cannot say stands in the extras of the nodes, under the names of `info --full`.
//!
//! Single models ([`model`]) are here because what they hold is known by maps.

mod actor;
mod clip;
mod collision;
mod film;
mod flat;
mod format;
mod grip;
mod held;
mod illumination;
mod lamp;
mod layer;
mod library;
mod light;
mod maker;
pub mod model;
mod object;
mod part;
mod picture;
mod rope;
mod scene;
mod sky;
mod still;
#[cfg(test)]
mod tests;
mod unit;
mod unseen;
mod walk;

pub use film::{ObjectPose, Pose};
pub use format::FORMAT;
pub use layer::Layer;
pub use scene::film;
pub use scene::{Clips, SceneOptions};

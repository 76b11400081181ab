//! Maps as the game displays them: every object of a map, with its terrain, sky and lighting, as one scene.
//!
//! A scene has one root with the name of the map. It contains layers, and each layer contains a node per record of the map. Each model is
//! in the scene once, regardless of the number of its instances. Data that glTF cannot express is stored in the extras of the nodes, under
//! the names of `info --full`.
//!
//! Single models ([`model`]) are here because the items they hold are defined by maps.

mod actor;
mod animation;
mod attachment;
mod billboard;
mod builder;
mod clip;
mod collision;
mod flat;
mod format;
mod held;
mod illumination;
mod layer;
mod library;
mod light;
pub mod model;
mod object;
mod part;
mod point_light;
mod rope;
mod scene;
mod sky;
mod static_model;
#[cfg(test)]
mod tests;
mod unit;
mod unseen;
mod walk;

pub use animation::{ObjectPose, Pose};
pub use format::FORMAT;
pub use layer::Layer;
pub use scene::animated_scene;
pub use scene::{Clips, SceneOptions};

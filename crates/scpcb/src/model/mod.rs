//! Shared by all model formats: looking up images, computing missing normals, mirrored meshes, and what the code of the game does with its models.

pub(crate) mod bearing;
pub(crate) mod kept;
pub(crate) mod keys;
pub(crate) mod mirror;
pub(crate) mod normal;
pub(crate) mod origin;
pub(crate) mod played;
pub(crate) mod replaced;
pub(crate) mod shapes;
mod signature;
mod sizes;
pub(crate) mod texture;
pub(crate) mod warning;

use asset::Context;
use asset::preset::PRESET;

asset::format_options! {
    /// How the scene of a model is made.
    pub struct ModelOptions {
        /// The program that the scene is made for; it chooses other options where nothing is chosen here.
        preset: Option<scene::Engine> = PRESET;
    }
}

/// The folder that a model stands in, where it stands in one, and its name; both in lower case.
pub(crate) fn folder_and_name(context: &Context<'_>) -> Option<(Option<String>, String)> {
    let path = context.location.as_ref()?.path().to_string().to_lowercase();
    let mut parts = path.rsplit(['/', '\\']).map(str::to_owned);
    let name = parts.next()?;
    Some((parts.next(), name))
}

//! Shared by all model formats: image lookup, missing normals, mirrored meshes, and the game's use of its models.

pub(crate) mod game_transform;
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
    /// Options of the scene of a model.
    pub struct ModelOptions {
        /// Target program, which selects the defaults of other options.
        preset: Option<scene::Engine> = PRESET;
    }
}

/// Returns the name of a model's folder, if any, and its file name, both in lowercase.
pub(crate) fn folder_and_name(context: &Context<'_>) -> Option<(Option<String>, String)> {
    let path = context.location.as_ref()?.path().to_string().to_lowercase();
    let mut parts = path.rsplit(['/', '\\']).map(str::to_owned);
    let name = parts.next()?;
    Some((parts.next(), name))
}

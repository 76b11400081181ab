//! `--preset`: the program that imports the scenes. It selects other options, and the way a scene expresses what glTF alone
//! cannot.
//!
//! A format whose files are converted to scenes declares [`PRESET`] among its options. Options with other values for an engine
//! declare them with [`Choice::with_presets`]. [`Scene::adapt_to`](scene::Scene::adapt_to) makes the changes that apply to all
//! scenes.

use scene::Engine;

use super::Choice;

/// `--preset`.
pub const PRESET: Choice<Option<Engine>> = Choice::new(
    "preset",
    "Prepare scenes for the program that will import them. Other options override the settings of the preset.",
    &[
        ("none", "no changes: for any viewer, and for `antiquary pack`"),
        (
            "godot",
            "Godot 3 and 4: bakes lightmaps; walls, props and collision become static bodies, triggers become areas",
        ),
        (
            "unity",
            "Unity with glTFast or UnityGLTF: bakes lightmaps; solid objects, collision and triggers become groups to add colliders to",
        ),
        (
            "unreal",
            "Unreal Engine 5: bakes lightmaps; solid objects, collision and triggers become groups to set collision for",
        ),
        (
            "blender",
            "Blender: bakes lightmaps; a collection for each layer, translucent collision and triggers, lamps in watts",
        ),
    ],
    &[None, Some(Engine::Godot), Some(Engine::Unity), Some(Engine::Unreal), Some(Engine::Blender)],
);

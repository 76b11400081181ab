//! `--preset`: the program that scenes are made for. It chooses other options, and how the scene says what glTF alone cannot.
//!
//! A format whose files become scenes declares [`PRESET`] among its options. Those of its options that an engine needs otherwise say so
//! ([`Choice::with_presets`]). What all scenes have in common is done by [`Scene::adapt_to`](scene::Scene::adapt_to).

use scene::Engine;

use super::Choice;

/// `--preset`.
pub const PRESET: Choice<Option<Engine>> = Choice::new(
    "preset",
    "Makes scenes for the program that imports them. Options that are given win over those of a preset.",
    &[
        ("none", "changes nothing: for any viewer, and for editing with this program"),
        (
            "godot",
            "Godot 3 and 4: bakes lightmaps; walls, props and collision become static bodies, triggers become areas",
        ),
        (
            "unity",
            "Unity with glTFast or UnityGLTF: bakes lightmaps; solid things, collision and triggers become groups to add colliders to",
        ),
        (
            "unreal",
            "Unreal Engine 5: bakes lightmaps; solid things, collision and triggers become groups to set collision for",
        ),
        (
            "blender",
            "Blender: bakes lightmaps; a collection for each layer, translucent collision and triggers, lamps in watts",
        ),
    ],
    &[None, Some(Engine::Godot), Some(Engine::Unity), Some(Engine::Unreal), Some(Engine::Blender)],
);

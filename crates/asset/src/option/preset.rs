//! `--preset`: the program that scenes are made for. It chooses other options, and how the scene says what glTF alone cannot.
//!
//! A format whose files become scenes declares [`PRESET`] among its options. Those of its options that an engine needs otherwise say so
//! ([`Choice::with_presets`]). What all scenes have in common is done by [`Scene::adapt_to`](scene::Scene::adapt_to).

use scene::Engine;

use super::Choice;

/// `--preset`.
pub const PRESET: Choice<Option<Engine>> = Choice::new(
    "preset",
    "Makes scenes for the program that imports them: sets other options unless given, and says in its ways what is solid.",
    &[
        ("none", "for any viewer and for editing with this program"),
        ("godot", "Godot 3 and 4: solid where the game is solid, triggers that are no walls"),
        ("unity", "Unity with glTFast or UnityGLTF: groups to add colliders to"),
        ("unreal", "Unreal Engine 5: groups to set collision for"),
        ("blender", "Blender: collections, translucent collision and triggers, lamps in watts"),
    ],
    &[None, Some(Engine::Godot), Some(Engine::Unity), Some(Engine::Unreal), Some(Engine::Blender)],
);

//! Known pieces of the forest and the maintenance tunnels. Source: `LoadMap` and `mapcreator_new.bb` of the game.

/// A piece of the maintenance tunnels.
pub(super) struct Tunnel {
    /// Name in maps.
    pub(super) name: &'static str,
    /// Path of its model, relative to the game folder. The path is hard-coded in the game; no table contains it.
    pub(super) mesh: &'static str,
    /// Whether its model is rotated by an additional quarter turn.
    pub(super) is_offset: bool,
}

const fn tunnel(name: &'static str, mesh: &'static str, is_offset: bool) -> Tunnel {
    Tunnel { name, mesh, is_offset }
}

const TUNNELS: &[Tunnel] = &[
    tunnel("maintenance tunnel endroom", "GFX/map/mt1.rmesh", false),
    tunnel("maintenance tunnel corridor", "GFX/map/mt2.rmesh", false),
    tunnel("maintenance tunnel corner", "GFX/map/mt2c.rmesh", true),
    tunnel("maintenance tunnel t-shaped room", "GFX/map/mt3.rmesh", true),
    tunnel("maintenance tunnel 4-way room", "GFX/map/mt4.rmesh", false),
    tunnel("maintenance tunnel elevator", "GFX/map/mt_elevator.rmesh", false),
    tunnel("maintenance tunnel generator room", "GFX/map/mt_generator.rmesh", false),
];

const FOREST: &[&str] = &[
    "scp-860-1 door",
    "scp-860-1 endroom",
    "scp-860-1 path",
    "scp-860-1 corner",
    "scp-860-1 t-shaped path",
    "scp-860-1 4-way path",
];

/// Returns the tunnel with this name.
pub(super) fn tunnel_named(name: &str) -> Option<&'static Tunnel> {
    TUNNELS.iter().find(|tunnel| tunnel.name == name.to_lowercase())
}

/// Whether this is the name of a piece of the forest.
pub(super) fn is_forest(name: &str) -> bool {
    FOREST.contains(&name.to_lowercase().as_str())
}

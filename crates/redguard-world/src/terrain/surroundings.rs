//! The world that a terrain belongs to.

use asset::{Context, NameVisitor};

use crate::engine::light::Daylight;
use crate::engine::water::Wave;
use redguard_files::settings::ini::world::{Worlds, stem_of};

/// Settings in WORLD.INI that affect a terrain; the defaults if no world uses the terrain.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TerrainWorld {
    /// Number of the first world that uses the terrain.
    pub world: Option<u32>,
    /// Downward shift of the terrain, in world units.
    pub shift: i32,
    /// Waves of the water.
    pub wave: Wave,
    /// Ambient light and sun; `None` if the world is unknown.
    pub daylight: Option<Daylight>,
}

impl TerrainWorld {
    /// Reads the settings of the terrain at the location of the context.
    #[must_use]
    pub fn of(context: &Context<'_>) -> Self {
        let found = || {
            let worlds = Worlds::of_game(context)?;
            let location = context.location.as_ref()?;
            let registered = worlds.of_terrain(stem_of(location.path().name()))?;
            Some(Self::of_world(worlds.get(registered.world)?))
        };
        found().unwrap_or_default()
    }

    /// Returns the settings of a world.
    #[must_use]
    pub fn of_world(world: &redguard_files::settings::ini::world::World) -> Self {
        Self {
            world: Some(world.id),
            shift: world.scape_shift.into(),
            wave: Wave::of_world(world),
            daylight: Some(Daylight::of_world(world)),
        }
    }
}

/// Visits the numbers of the worlds that use the terrain at the location of the context.
pub(super) fn visit_worlds(context: &Context<'_>, take: NameVisitor<'_>) {
    let (Some(worlds), Some(location)) = (Worlds::of_game(context), &context.location) else { return };
    if let Some(registration) = worlds.of_terrain(stem_of(location.path().name())) {
        registration.visit_names(take);
    }
}

//! The world that a terrain belongs to.

use asset::Context;

use crate::engine::light::Daylight;
use crate::engine::water::Wave;
use redguard_files::settings::ini::world::{Worlds, stem_of};

/// What WORLD.INI says of a terrain; nothing where no world has it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Place {
    /// The number of the first world that has it.
    pub world: Option<u32>,
    /// How far it is moved down, in world units.
    pub shift: i32,
    /// How its water moves.
    pub wave: Wave,
    /// How its sun shines; `None` where no world is known.
    pub daylight: Option<Daylight>,
}

impl Place {
    /// The world of the terrain at the location of the context.
    #[must_use]
    pub fn of(context: &Context<'_>) -> Self {
        let found = || {
            let worlds = Worlds::of_game(context)?;
            let place = context.location.as_ref()?;
            let registered = worlds.of_terrain(stem_of(place.path().name()))?;
            Some(Self::of_world(worlds.get(registered.world)?))
        };
        found().unwrap_or_default()
    }

    /// What a world says of its terrain.
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

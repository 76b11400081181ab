//! Script functions that query actors and positions. Angles have 2048 units per turn, positions are in world units times 256.

use soup::machine::FaultCode;

use super::body::{Body, Role, attribute};
use super::call::Call;
use redguard_world::engine::movement::{is_player_facing, player_distance};
use redguard_world::engine::rotation::{Angle2048, distance};

type Answer = Result<i32, FaultCode>;

/// The maximum distance at which a player is seen.
const SIGHT: i32 = 262_144;

/// `PlayerDistance`; returns the sum of the coordinate differences.
pub(super) fn sum_to_player(call: &mut Call<'_, '_>) -> Answer {
    let player = call.player().position;
    Ok(player_distance(call.body().position, player))
}

/// `AcuratePlayerDistance`
pub(super) fn distance_to_player(call: &mut Call<'_, '_>) -> Answer {
    let player = call.player().position;
    Ok(distance(call.body().position, player))
}

/// `PlayerFacing(offset, tolerance)`
pub(super) fn facing(call: &mut Call<'_, '_>) -> Answer {
    let player = call.player().heading();
    let (offset, tolerance) = (call.number(0), call.number(1));
    Ok(is_player_facing(call.body().heading(), offset, player, tolerance).into())
}

/// `PlayerLooking(tolerance)`; returns whether the player looks at the actor.
pub(super) fn looking(call: &mut Call<'_, '_>) -> Answer {
    let (yaw, tolerance) = (call.player().heading(), call.number(0));
    let me = call.body().position;
    Ok((call.player().heading_to(me).difference(yaw).wrapping_abs() <= tolerance).into())
}

/// `PlayerArc(offset, tolerance)`; returns whether the player is in a sector in front of the actor.
pub(super) fn arc(call: &mut Call<'_, '_>) -> Answer {
    let (player, offset, tolerance) = (call.player().position, call.number(0), call.number(1));
    let body = call.body();
    let ahead = body.heading().plus(offset.wrapping_neg());
    Ok((body.heading_to(player).difference(ahead).wrapping_abs() <= tolerance).into())
}

/// `PlayerArcTan`; returns the bearing of the player.
pub(super) fn arc_tangent(call: &mut Call<'_, '_>) -> Answer {
    let player = call.player().position;
    Ok(call.body().heading_to(player).negated().get())
}

/// `PlayerInSight`; only compares the distance.
pub(super) fn in_sight(call: &mut Call<'_, '_>) -> Answer {
    let player = call.player().position;
    Ok((distance(call.body().position, player) <= SIGHT).into())
}

/// `PlayerMoved`
pub(super) fn player_moved(call: &mut Call<'_, '_>) -> Answer {
    let player = call.player();
    Ok((player.position != player.last_position).into())
}

/// `PlayerMovementSpeed`; returns the distance that the player moved in this update, in world units times 256.
pub(super) fn player_speed(call: &mut Call<'_, '_>) -> Answer {
    let player = call.player();
    Ok(distance(player.last_position, player.position))
}

fn turned(player: &Body) -> i32 {
    let [_, last, _] = player.last_angles;
    player.heading().difference(Angle2048::new(last))
}

/// `PlayerTurned`
pub(super) fn player_turned(call: &mut Call<'_, '_>) -> Answer {
    Ok((turned(call.player()) != 0).into())
}

/// `PlayerTurnedDirection`; returns -1, 0 or 1.
pub(super) fn player_turned_direction(call: &mut Call<'_, '_>) -> Answer {
    Ok(turned(call.player()).signum())
}

/// `PlayerHealth`
pub(super) fn player_health(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.player().attribute(attribute::HEALTH).into())
}

/// `PlayerArmed`
pub(super) fn player_armed(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.player().holds_weapon().into())
}

/// `DistanceFromStart`
pub(super) fn from_start(call: &mut Call<'_, '_>) -> Answer {
    let body = call.body();
    Ok(distance(body.position, body.start))
}

/// `DistanceFromLocation(location)` and `DistanceToLocation`
pub(super) fn to_location(call: &mut Call<'_, '_>) -> Answer {
    let location = call.number(0);
    let body = call.body();
    Ok(distance(body.position, body.location(location)))
}

/// `AtNodeLocation(location, tolerance)`; compares the horizontal distance.
pub(super) fn at_location(call: &mut Call<'_, '_>) -> Answer {
    let (location, tolerance) = (call.number(0), call.number(1));
    let body = call.body();
    let [x, _, z] = body.location(location);
    let [my_x, _, my_z] = body.position;
    Ok((distance([my_x, 0, my_z], [x, 0, z]) <= tolerance).into())
}

/// `AtNodeMarker(marker, tolerance)`
pub(super) fn at_marker(call: &mut Call<'_, '_>) -> Answer {
    let tolerance = call.number(1);
    let marker = call.game.marker(call.number(0));
    Ok(marker.is_some_and(|it| distance(call.body().position, it) <= tolerance).into())
}

/// `AtNodePosition(x, y, z, tolerance)`
pub(super) fn at_position(call: &mut Call<'_, '_>) -> Answer {
    let position = [0, 1, 2].map(|it| call.number(it));
    let tolerance = call.number(3);
    Ok((distance(call.body().position, position) <= tolerance).into())
}

/// `InRectangle(x, z, x, z)`; returns whether the player is in the rectangle, with corners in any order.
pub(super) fn in_rectangle(call: &mut Call<'_, '_>) -> Answer {
    let [x, _, z] = call.player().position;
    let [a, b, c, d] = [0, 1, 2, 3].map(|it| call.number(it));
    let is_in = (a.min(c)..=a.max(c)).contains(&x) && (b.min(d)..=b.max(d)).contains(&z);
    Ok(is_in.into())
}

/// `InCircle(x, z, radius)`; returns whether the player is in the circle.
pub(super) fn in_circle(call: &mut Call<'_, '_>) -> Answer {
    let [x, _, z] = call.player().position;
    let (center, radius) = ([call.number(0), 0, call.number(1)], call.number(2));
    Ok((distance([x, 0, z], center) <= radius).into())
}

/// `GetMyAttr(number)`; returns 0 for numbers outside of the table.
pub(super) fn my_attribute(call: &mut Call<'_, '_>) -> Answer {
    let number = usize::try_from(call.number(0)).unwrap_or(usize::MAX);
    Ok(call.body().attribute(number).into())
}

/// `health`, `strength`, `armor`
pub(super) fn health(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.body().attribute(attribute::HEALTH).into())
}

pub(super) fn strength(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.body().attribute(attribute::STRENGTH).into())
}

pub(super) fn armor(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.body().attribute(attribute::ARMOR).into())
}

/// `isDead`
pub(super) fn is_dead(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.body().is_dead().into())
}

/// `MyId`
pub(super) fn id(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.body().id)
}

/// `IsCarryingWeapon` and `IsCombatCapable`
pub(super) fn carries_weapon(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.body().carries_weapon().into())
}

/// `IsHoldingWeapon`
pub(super) fn holds_weapon(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.body().holds_weapon().into())
}

/// `IsMaster`, `IsSlave`
pub(super) fn is_master(call: &mut Call<'_, '_>) -> Answer {
    Ok((call.body().attribute(attribute::MASTER) != 0).into())
}

pub(super) fn is_slave(call: &mut Call<'_, '_>) -> Answer {
    Ok((call.body().attribute(attribute::SLAVE) != 0).into())
}

/// `IsShellScript`
pub(super) fn is_shell(call: &mut Call<'_, '_>) -> Answer {
    Ok((call.body().role == Role::Shell).into())
}

/// `GetFramePassed`; returns the nominal ticks of this update.
pub(super) fn ticks(call: &mut Call<'_, '_>) -> Answer {
    Ok(i32::try_from(call.ticks().nominal).unwrap_or(i32::MAX))
}

/// `SpeedScale(number)`; scales a number by the duration of this update.
pub(super) fn scaled(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.ticks().scale.of(call.number(0)))
}

/// `TrueFunction`
#[expect(clippy::unnecessary_wraps, reason = "the signature of all functions")]
pub(super) const fn one(_: &mut Call<'_, '_>) -> Answer {
    Ok(1)
}

/// `HaveItem(item)`
pub(super) fn items(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.game.items.owned(call.number(0)))
}

/// `ActiveItem`
pub(super) fn selected_item(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.game.items.selected)
}

/// `menuSelection`
pub(super) fn selection(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.game.menu.chosen)
}

/// `CountAiShells(name)`
pub(super) fn shells(call: &mut Call<'_, '_>) -> Answer {
    let Some(name) = call.text(call.number(0)).map(str::to_lowercase) else { return Ok(0) };
    let count = call.game.shells(call.state).filter(|(_, shell)| shell.to_lowercase() == name).count();
    Ok(i32::try_from(count).unwrap_or(i32::MAX))
}

/// `FindAiShell(name)`
pub(super) fn find_shell(call: &mut Call<'_, '_>) -> Answer {
    shells(call).map(|count| i32::from(count > 0))
}

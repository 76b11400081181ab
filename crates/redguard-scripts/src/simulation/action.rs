//! Script functions that change attributes, items, animations and states of actors, and functions of dialogue.

use std::sync::Arc;

use soup::machine::FaultCode;

use super::body::{DEAD, Role, attribute};
use super::call::{ACTIVE, Call, DONE};
use super::dialogue::Spoken;
use super::event::SessionEventKind;
use super::sync::WAITING;
use redguard_world::engine::animation::Request;
use redguard_world::engine::rotation::distance;

type Answer = Result<i32, FaultCode>;

/// The maximum health of the player.
const HEALTH: i32 = 100;

/// `SetAttribute(number, value)`; attributes 1 and 6 are stored twice.
pub(super) fn set_attribute(call: &mut Call<'_, '_>) -> Answer {
    let (number, value) = (call.number(0), call.number(1));
    let body = call.body();
    body.set_attribute(usize::try_from(number).unwrap_or(usize::MAX), value);
    match number {
        1 => body.set_attribute(119, value),
        6 => body.set_attribute(115, value),
        _ => {}
    }
    Ok(DONE)
}

/// `SetMyAttr(number, value)`
pub(super) fn set_my_attribute(call: &mut Call<'_, '_>) -> Answer {
    let (number, value) = (call.number(0), call.number(1));
    call.body().set_attribute(usize::try_from(number).unwrap_or(usize::MAX), value);
    Ok(DONE)
}

/// Sets health, clamped to its limits.
fn set_health(call: &mut Call<'_, '_>, health: i32) {
    let body = call.body();
    if body.attribute(attribute::INVULNERABLE) == 0 {
        let most = if body.role == Role::Player { HEALTH } else { 255 };
        body.set_attribute(attribute::HEALTH, health.clamp(0, most));
    }
}

/// `setHealth(health)`
pub(super) fn health(call: &mut Call<'_, '_>) -> Answer {
    set_health(call, call.number(0));
    Ok(DONE)
}

/// `adjustHealth(change, mode)`
pub(super) fn adjust_health(call: &mut Call<'_, '_>) -> Answer {
    let health = i32::from(call.body().attribute(attribute::HEALTH));
    set_health(call, health.saturating_add(call.number(0)));
    Ok(DONE)
}

/// `ReplenishHealth`; returns whether health was raised.
pub(super) fn replenish_health(call: &mut Call<'_, '_>) -> Answer {
    let is_low = i32::from(call.body().attribute(attribute::HEALTH)) < HEALTH;
    if is_low {
        set_health(call, HEALTH);
    }
    Ok(is_low.into())
}

fn adjust(call: &mut Call<'_, '_>, number: usize, value: i32) -> i32 {
    call.body().set_attribute(number, value.clamp(0, 255));
    DONE
}

/// `setStrength`, `adjustStrength`, `setArmor`, `adjustArmor`
pub(super) fn strength(call: &mut Call<'_, '_>) -> Answer {
    Ok(adjust(call, attribute::STRENGTH, call.number(0)))
}

pub(super) fn adjust_strength(call: &mut Call<'_, '_>) -> Answer {
    let now = i32::from(call.body().attribute(attribute::STRENGTH));
    Ok(adjust(call, attribute::STRENGTH, now.saturating_add(call.number(0))))
}

pub(super) fn armor(call: &mut Call<'_, '_>) -> Answer {
    Ok(adjust(call, attribute::ARMOR, call.number(0)))
}

pub(super) fn adjust_armor(call: &mut Call<'_, '_>) -> Answer {
    let now = i32::from(call.body().attribute(attribute::ARMOR));
    Ok(adjust(call, attribute::ARMOR, now.saturating_add(call.number(0))))
}

/// `AddItem(item, count)`
pub(super) fn add_item(call: &mut Call<'_, '_>) -> Answer {
    let table = Arc::clone(&call.game.item_table);
    let (item, count) = (call.number(0), call.number(1));
    let before = call.game.items.selected;
    call.game.items.acquire(&table, item, count);
    let selected = call.game.items.selected;
    if selected != before {
        let player = call.game.player;
        call.game.body_mut(player).set_attribute(attribute::WEAPON, selected & 0xff);
    }
    Ok(DONE)
}

/// `SubItem(item, count)`
pub(super) fn take_items(call: &mut Call<'_, '_>) -> Answer {
    let (item, count) = (call.number(0), call.number(1));
    call.game.items.remove(item, count);
    Ok(DONE)
}

/// `DropItem(item, count)`
pub(super) fn drop_item(call: &mut Call<'_, '_>) -> Answer {
    let table = Arc::clone(&call.game.item_table);
    let (item, count) = (call.number(0), call.number(1));
    call.game.items.drop_items(&table, item, count);
    Ok(DONE)
}

/// `RemoveItem(item)`
pub(super) fn remove_item(call: &mut Call<'_, '_>) -> Answer {
    let item = call.number(0);
    call.game.items.remove(item, i32::MAX);
    Ok(DONE)
}

/// `DropAllItems`
pub(super) fn drop_all_items(call: &mut Call<'_, '_>) -> Answer {
    let table = Arc::clone(&call.game.item_table);
    let items = &mut call.game.items;
    let all: Vec<i32> = items.all.keys().copied().collect();
    for item in all {
        items.drop_items(&table, item, items.owned(item));
    }
    items.selected = -1;
    Ok(DONE)
}

/// `SelectItem(item)`
pub(super) fn select_item(call: &mut Call<'_, '_>) -> Answer {
    call.game.items.selected = call.number(0);
    Ok(DONE)
}

/// `HideMe`, `ShowMe`; the script and the animation continue.
pub(super) fn hide(call: &mut Call<'_, '_>) -> Answer {
    call.body().is_hidden = true;
    Ok(DONE)
}

pub(super) fn show(call: &mut Call<'_, '_>) -> Answer {
    call.body().is_hidden = false;
    Ok(DONE)
}

/// `KillMe`; ends a shell, kills any other actor.
pub(super) fn kill(call: &mut Call<'_, '_>) -> Answer {
    let body = call.body();
    (body.is_killed, body.death) = (true, DEAD);
    Ok(DONE)
}

/// `resurrect`
pub(super) fn resurrect(call: &mut Call<'_, '_>) -> Answer {
    let body = call.body();
    (body.is_killed, body.death) = (false, 0);
    Ok(DONE)
}

/// `DrawSword`, `SheathSword`; effective immediately. An actor without a weapon draws nothing.
pub(super) fn draw_sword(call: &mut Call<'_, '_>) -> Answer {
    let body = call.body();
    body.is_weapon_drawn = body.carries_weapon();
    Ok(DONE)
}

pub(super) fn sheathe_sword(call: &mut Call<'_, '_>) -> Answer {
    call.body().is_weapon_drawn = false;
    Ok(DONE)
}

/// `LightTorch`, `UnlightTorch`; effective immediately.
pub(super) fn light_torch(call: &mut Call<'_, '_>) -> Answer {
    call.body().has_torch = true;
    Ok(DONE)
}

pub(super) fn unlight_torch(call: &mut Call<'_, '_>) -> Answer {
    call.body().has_torch = false;
    Ok(DONE)
}

/// `HoldAnimation`, `ReleaseAnimation`
pub(super) fn hold_animation(call: &mut Call<'_, '_>) -> Answer {
    call.body().is_held = true;
    Ok(DONE)
}

pub(super) fn release_animation(call: &mut Call<'_, '_>) -> Answer {
    call.body().is_held = false;
    Ok(DONE)
}

fn group_of(number: i32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// `PushAnimation(group, loops)`; requests the group until it is current, and is done when another group is.
pub(super) fn push_animation(call: &mut Call<'_, '_>) -> Answer {
    let (group, loops) = (group_of(call.number(0)), call.number(1));
    let [was_current, ..] = call.kept();
    let body = call.body();
    let default_group = body.default_group();
    let has_it = body.groups.iter().any(|it| it.number == group);
    // An actor without the group shows the default group instead.
    let group = if has_it { group } else { default_group };
    let is_current = body.playback.group() == Some(group);
    let answer = match (is_current, was_current != 0) {
        (true, false) => {
            let [count, ..] = loops.to_le_bytes();
            body.playback.set_loops(count);
            call.keep([1, 0, 0]);
            ACTIVE
        }
        (true, true) => ACTIVE,
        (false, true) => DONE,
        (false, false) => {
            let groups = Arc::clone(&body.groups);
            if groups.is_empty() {
                return Ok(DONE);
            }
            body.playback.request(group, Request::Waiting, &groups, default_group);
            call.keep([0, 0, 0]);
            ACTIVE
        }
    };
    Ok(answer)
}

/// `PlayAnimation(group, loops)`; requests the group once.
pub(super) fn play_animation(call: &mut Call<'_, '_>) -> Answer {
    let group = group_of(call.number(0));
    let body = call.body();
    let default_group = body.default_group();
    let groups = Arc::clone(&body.groups);
    if !groups.is_empty() {
        body.playback.request(group, Request::Waiting, &groups, default_group);
    }
    Ok(DONE)
}

/// `WaitAnimFrame(group, frame)`; done when the group is neither current nor pending, or has reached the frame.
pub(super) fn wait_frame(call: &mut Call<'_, '_>) -> Answer {
    let (group, frame) = (group_of(call.number(0)), call.number(1));
    let body = call.body();
    let is_current = body.playback.group() == Some(group);
    let waits = body.playback.pending() == Some(group);
    let shown = body.playback.progress(&body.groups);
    let is_done = !(is_current || waits) || is_current && shown >= frame;
    Ok((!is_done).into())
}

/// Returns the label in an argument.
fn label(call: &Call<'_, '_>, index: usize) -> String {
    let bytes = call.number(index).to_le_bytes();
    bytes.iter().filter(|it| it.is_ascii_graphic() || **it == b' ').map(|it| char::from(*it)).collect()
}

/// `RTX(label)`; speaks a line. One line is spoken at a time; an actor that is too far away says nothing.
pub(super) fn say(call: &mut Call<'_, '_>) -> Answer {
    if !call.is_first() {
        let actor = call.it.actor;
        let [waits, ..] = call.kept();
        if waits == 0 {
            return Ok(call.game.spoken.as_ref().is_some_and(|it| it.actor == actor).into());
        }
    }
    if call.game.spoken.is_some() {
        call.keep([1, 0, 0]);
        return Ok(ACTIVE);
    }
    call.keep([0, 0, 0]);
    let label = label(call, 0);
    let player = call.player().position;
    let range = distance(call.body().position, player);
    let is_heard = call.game.facts.settings.dialog.is_heard(range);
    if !is_heard && call.body().role != Role::Player {
        return Ok(DONE);
    }
    speak(call, label);
    Ok(ACTIVE)
}

fn speak(call: &mut Call<'_, '_>, label: String) {
    let text = call.game.text_of(&label).to_owned();
    let left = call.game.lines.ticks(&label, &text);
    let actor = call.it.actor;
    let shown = format!("says {}", call.game.quoted(&label));
    call.game.record(actor, SessionEventKind::Line, &label, shown);
    call.game.spoken = Some(Spoken { actor, label, left });
}

/// `AmbientRtx(label, ...)`; speaks a line without blocking other lines.
pub(super) fn say_ambient(call: &mut Call<'_, '_>) -> Answer {
    if call.is_first() {
        let label = label(call, 0);
        let text = call.game.text_of(&label).to_owned();
        let ticks = call.game.lines.ticks(&label, &text);
        let actor = call.it.actor;
        let shown = format!("says {}", call.game.quoted(&label));
        call.game.record(actor, SessionEventKind::Line, &label, shown);
        call.keep([i32::try_from(ticks).unwrap_or(i32::MAX), 0, 0]);
    }
    let [ticks, ..] = call.kept();
    let is_over = call.elapsed() >= ticks || call.body().is_killed;
    Ok((!is_over).into())
}

/// `AmbientSound(sound, volume, rate)`; repeats the sound as long as it is audible.
pub(super) fn ambient_sound(call: &mut Call<'_, '_>) -> Answer {
    let player = call.player().position;
    let audible = call.game.facts.settings.sound.range;
    let body = call.body();
    let range = distance(body.position, player) >> 8;
    let is_heard = audible.volume(range, 0).is_some() && !body.is_killed;
    Ok(is_heard.into())
}

/// `WaitOnDialog`
pub(super) fn wait_on_dialogue(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.game.spoken.is_some().into())
}

/// `ACTIVATE(label)`; returns whether the player uses the object.
pub(super) fn activate(call: &mut Call<'_, '_>) -> Answer {
    let actor = call.it.actor;
    let is_used = call.game.activated == Some(actor);
    if is_used && !call.game.was_used {
        call.game.was_used = true;
        let name = call.state.actors.get(actor).map(|it| it.name.clone()).unwrap_or_default();
        let player = call.game.player;
        call.game.record(player, SessionEventKind::Line, &name, format!("uses {name}"));
    }
    Ok(is_used.into())
}

/// `Deactivate`
pub(super) fn deactivate(call: &mut Call<'_, '_>) -> Answer {
    call.game.activated = None;
    Ok(DONE)
}

/// `menuNew`
pub(super) fn menu_new(call: &mut Call<'_, '_>) -> Answer {
    call.game.menu.clear();
    Ok(DONE)
}

/// `menuAddItem(label, value, ...)`
pub(super) fn menu_add(call: &mut Call<'_, '_>) -> Answer {
    let label = label(call, 0);
    if call.game.menu.answers.len() < call.game.facts.settings.dialog.menu_capacity() {
        call.game.menu.add(label, call.number(1));
    }
    Ok(DONE)
}

/// `menuProc`; active until an answer is chosen.
pub(super) fn menu_run(call: &mut Call<'_, '_>) -> Answer {
    if call.is_first() && !call.game.menu.answers.is_empty() {
        call.game.menu.is_open = true;
        let answers = call.game.menu.answers.iter().map(|it| call.game.quoted(&it.label));
        let answers: Vec<String> = answers.collect();
        let actor = call.it.actor;
        call.game.record(actor, SessionEventKind::Line, "menu", format!("asks: {}", answers.join(", ")));
    }
    call.keep([0, 0, 0]);
    Ok(call.game.menu.is_open.into())
}

/// `AddLog(label)`
pub(super) fn add_log(call: &mut Call<'_, '_>) -> Answer {
    let label = label(call, 0);
    let text = call.game.text_of(&label).to_owned();
    let actor = call.it.actor;
    call.game.record(actor, SessionEventKind::Line, &label, format!("writes to the log book: {text}"));
    Ok(DONE)
}

/// `SyncWithGroup(group)`
pub(super) fn sync_with_group(call: &mut Call<'_, '_>) -> Answer {
    let [group, ..] = call.number(0).to_le_bytes();
    let post = group | WAITING;
    let body = call.body();
    let channel = body.attribute(attribute::GROUP);
    body.group_post = post;
    if call.game.groups.released(channel) == post {
        let body = call.body();
        body.group_post &= !WAITING;
        return Ok(DONE);
    }
    Ok(ACTIVE)
}

/// `SyncWithUser(user)`
pub(super) fn sync_with_user(call: &mut Call<'_, '_>) -> Answer {
    let [user, ..] = call.number(0).to_le_bytes();
    let body = call.body();
    body.user_post = user;
    let channel = body.attribute(attribute::USER);
    let pending = call.game.members(|it| (it.attribute(attribute::USER), it.user_post));
    let is_pending = pending.iter().any(|it| it.channel == channel && !it.is_excluded);
    Ok((is_pending || call.game.users.released(channel) != user).into())
}

/// `ResetGroupSync`, `ResetUserSync`
pub(super) fn reset_group_sync(call: &mut Call<'_, '_>) -> Answer {
    call.body().group_post = 0;
    Ok(DONE)
}

pub(super) fn reset_user_sync(call: &mut Call<'_, '_>) -> Answer {
    call.body().user_post = 0;
    Ok(DONE)
}

/// `ChangeGroup(channel)`, `ChangeUser(channel)`
pub(super) fn change_group(call: &mut Call<'_, '_>) -> Answer {
    let channel = call.number(0);
    call.body().set_attribute(attribute::GROUP, channel);
    Ok(DONE)
}

pub(super) fn change_user(call: &mut Call<'_, '_>) -> Answer {
    let channel = call.number(0);
    call.body().set_attribute(attribute::USER, channel);
    Ok(DONE)
}

/// `OpenShell(name)`; starts a script without an object in the next update.
pub(super) fn open_shell(call: &mut Call<'_, '_>) -> Answer {
    if let Some(name) = call.text(call.number(0)).map(str::to_owned) {
        call.game.open_shell(&name, call.state);
    }
    Ok(DONE)
}

/// `LoadWorld(world, marker, angle)`; only reports the request.
pub(super) fn load_world(call: &mut Call<'_, '_>) -> Answer {
    let [world, marker, angle] = [0, 1, 2].map(|it| call.number(it));
    let actor = call.it.actor;
    let text = format!("requests world {world} at marker {marker}, angle {angle}");
    call.game.record(actor, SessionEventKind::Recorded, "LoadWorld", text);
    Ok(DONE)
}

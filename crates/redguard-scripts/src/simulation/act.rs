//! Functions that change attributes, items, animations, flags of actors, and what is said.

use soup::machine::FaultCode;

use super::body::{DEAD, Role, attribute};
use super::call::{ACTIVE, Call, DONE};
use super::dialogue::{MOST_DISTANCE, Spoken};
use super::happening::HappeningKind;
use super::sync::MARK;
use redguard_world::engine::animation::Request;
use redguard_world::engine::rotation::distance;
use redguard_world::engine::sound::Earshot;

type Answer = Result<i32, FaultCode>;

/// The greatest health of the player.
const HEALTH: i32 = 100;

/// `SetAttribute(number, value)`: 1 and 6 are kept twice.
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

/// Sets health, within its limits.
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

/// `ReplenishHealth`: whether it raised health.
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
    call.game.items.add(call.number(0), call.number(1));
    Ok(DONE)
}

/// `SubItem(item, count)`, `DropItem`
pub(super) fn take_items(call: &mut Call<'_, '_>) -> Answer {
    call.game.items.add(call.number(0), call.number(1).saturating_neg());
    Ok(DONE)
}

/// `RemoveItem(item)`
pub(super) fn remove_item(call: &mut Call<'_, '_>) -> Answer {
    call.game.items.add(call.number(0), i32::MIN);
    Ok(DONE)
}

/// `DropAllItems`
pub(super) fn drop_all_items(call: &mut Call<'_, '_>) -> Answer {
    for item in call.game.items.all.values_mut() {
        item.owned = 0;
    }
    Ok(DONE)
}

/// `SelectItem(item)`
pub(super) fn select_item(call: &mut Call<'_, '_>) -> Answer {
    call.game.items.selected = call.number(0);
    Ok(DONE)
}

/// `HideMe`, `ShowMe`: the script and the animation go on.
pub(super) fn hide(call: &mut Call<'_, '_>) -> Answer {
    call.body().is_hidden = true;
    Ok(DONE)
}

pub(super) fn show(call: &mut Call<'_, '_>) -> Answer {
    call.body().is_hidden = false;
    Ok(DONE)
}

/// `KillMe`: a shell ends, an actor is dead.
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

/// `DrawSword`, `SheathSword`: at once.
pub(super) fn draw_sword(call: &mut Call<'_, '_>) -> Answer {
    call.body().is_armed = true;
    Ok(DONE)
}

pub(super) fn sheathe_sword(call: &mut Call<'_, '_>) -> Answer {
    call.body().is_armed = false;
    Ok(DONE)
}

/// `LightTorch`, `UnlightTorch`: at once.
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

/// `PushAnimation(group, loops)`: asks for the group until it is current; done when another one is.
pub(super) fn push_animation(call: &mut Call<'_, '_>) -> Answer {
    let (group, loops) = (group_of(call.number(0)), call.number(1));
    let [was_current, ..] = call.kept();
    let body = call.body();
    let default_group = body.default_group();
    let has_it = body.groups.iter().any(|it| it.number == group);
    // Whoever lacks the group shows the default one instead.
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
            let groups = std::sync::Arc::clone(&body.groups);
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

/// `PlayAnimation(group, loops)`: asks for the group once.
pub(super) fn play_animation(call: &mut Call<'_, '_>) -> Answer {
    let group = group_of(call.number(0));
    let body = call.body();
    let default_group = body.default_group();
    let groups = std::sync::Arc::clone(&body.groups);
    if !groups.is_empty() {
        body.playback.request(group, Request::Waiting, &groups, default_group);
    }
    Ok(DONE)
}

/// `WaitAnimFrame(group, frame)`: done when the group is neither shown nor waits, or shows the frame.
pub(super) fn wait_frame(call: &mut Call<'_, '_>) -> Answer {
    let (group, frame) = (group_of(call.number(0)), call.number(1));
    let body = call.body();
    let is_current = body.playback.group() == Some(group);
    let waits = body.playback.pending() == Some(group);
    let shown = body.playback.progress(&body.groups);
    let is_done = !(is_current || waits) || is_current && shown >= frame;
    Ok((!is_done).into())
}

/// The label in an argument.
fn label(call: &Call<'_, '_>, index: usize) -> String {
    let bytes = call.number(index).to_le_bytes();
    bytes.iter().filter(|it| it.is_ascii_graphic() || **it == b' ').map(|it| char::from(*it)).collect()
}

/// `RTX(label)`: says a line. One line is spoken at a time; who is too far away says nothing.
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
    let is_heard = distance(call.body().position, player) <= MOST_DISTANCE << 8;
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
    call.game.tell(actor, HappeningKind::Line, &label, shown);
    call.game.spoken = Some(Spoken { actor, label, left });
}

/// `AmbientRtx(label, ...)`: a line that no other waits for.
pub(super) fn say_beside(call: &mut Call<'_, '_>) -> Answer {
    if call.is_first() {
        let label = label(call, 0);
        let text = call.game.text_of(&label).to_owned();
        let ticks = call.game.lines.ticks(&label, &text);
        let actor = call.it.actor;
        let shown = format!("says {}", call.game.quoted(&label));
        call.game.tell(actor, HappeningKind::Line, &label, shown);
        call.keep([i32::try_from(ticks).unwrap_or(i32::MAX), 0, 0]);
    }
    let [ticks, ..] = call.kept();
    let is_over = call.elapsed() >= ticks || call.body().is_killed;
    Ok((!is_over).into())
}

/// `AmbientSound(sound, volume, rate)`: again and again, as long as it is heard.
pub(super) fn ambient_sound(call: &mut Call<'_, '_>) -> Answer {
    let player = call.player().position;
    let body = call.body();
    let way = distance(body.position, player) >> 8;
    let is_heard = Earshot::default().volume(way, 0).is_some() && !body.is_killed;
    Ok(is_heard.into())
}

/// `WaitOnDialog`
pub(super) fn wait_on_dialogue(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.game.spoken.is_some().into())
}

/// `ACTIVATE(label)`: whether the player uses the object.
pub(super) fn activate(call: &mut Call<'_, '_>) -> Answer {
    let actor = call.it.actor;
    let is_used = call.game.activated == Some(actor);
    if is_used && !call.game.was_used {
        call.game.was_used = true;
        let name = call.state.actors.get(actor).map(|it| it.name.clone()).unwrap_or_default();
        let player = call.game.player;
        call.game.tell(player, HappeningKind::Line, &name, format!("uses {name}"));
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
    call.game.menu.add(label, call.number(1));
    Ok(DONE)
}

/// `menuProc`: until an answer is chosen.
pub(super) fn menu_run(call: &mut Call<'_, '_>) -> Answer {
    if call.is_first() && !call.game.menu.answers.is_empty() {
        call.game.menu.is_open = true;
        let answers = call.game.menu.answers.iter().map(|it| call.game.quoted(&it.label));
        let answers: Vec<String> = answers.collect();
        let actor = call.it.actor;
        call.game.tell(actor, HappeningKind::Line, "menu", format!("asks: {}", answers.join(", ")));
    }
    call.keep([0, 0, 0]);
    Ok(call.game.menu.is_open.into())
}

/// `AddLog(label)`
pub(super) fn add_log(call: &mut Call<'_, '_>) -> Answer {
    let label = label(call, 0);
    let text = call.game.text_of(&label).to_owned();
    let actor = call.it.actor;
    call.game.tell(actor, HappeningKind::Line, &label, format!("writes into the logbook: {text}"));
    Ok(DONE)
}

/// `SyncWithGroup(group)`
pub(super) fn sync_with_group(call: &mut Call<'_, '_>) -> Answer {
    let [group, ..] = call.number(0).to_le_bytes();
    let post = group | MARK;
    let body = call.body();
    let channel = body.attribute(attribute::GROUP);
    body.group_post = post;
    if call.game.groups.released(channel) == post {
        let body = call.body();
        body.group_post &= !MARK;
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

/// `OpenShell(name)`: a script without an object, from the next update on.
pub(super) fn open_shell(call: &mut Call<'_, '_>) -> Answer {
    if let Some(name) = call.text(call.number(0)).map(str::to_owned) {
        call.game.open_shell(&name, call.state);
    }
    Ok(DONE)
}

/// `LoadWorld(world, marker, angle)`: only a request.
pub(super) fn load_world(call: &mut Call<'_, '_>) -> Answer {
    let [world, marker, angle] = [0, 1, 2].map(|it| call.number(it));
    let actor = call.it.actor;
    let text = format!("asks for world {world} at marker {marker}, angle {angle}");
    call.game.tell(actor, HappeningKind::Recorded, "LoadWorld", text);
    Ok(DONE)
}

//! Properties of objects with an equivalent in the simulation. Other properties are only stored.

use soup::machine::{Actor, Control};

use super::body::{Body, DEAD};

/// The meaning of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Position(usize),
    Angle(usize),
    StartPosition(usize),
    StartAngle(usize),
    LastPosition(usize),
    LastAngle(usize),
    Id,
    Hide,
    Active,
    Dead,
    WeaponDrawn,
    Anchor,
    ScriptRv,
    SavedScriptRv,
    DisableScript,
    TaskTimer(usize),
    TaskPause(usize),
    TaskStatus(usize),
    CurrentGroup,
    NextGroup,
    RealFrame,
    Frame,
    PanicGroup,
}

impl Field {
    /// Returns the meaning of a property by name.
    pub(super) fn of(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let axis = |prefix: &str| match name.strip_prefix(prefix)? {
            ".vx" => Some(0_usize),
            ".vy" => Some(1),
            ".vz" => Some(2),
            _ => None,
        };
        let slot = |prefix: &str| name.strip_prefix(prefix)?.strip_suffix(']')?.parse::<usize>().ok();
        let lists = [
            axis("pos").map(Self::Position),
            axis("angle").map(Self::Angle),
            axis("start_pos").map(Self::StartPosition),
            axis("start_angle").map(Self::StartAngle),
            axis("last_pos").map(Self::LastPosition),
            axis("last_angle").map(Self::LastAngle),
            slot("task_timer[").map(Self::TaskTimer),
            slot("task_pause[").map(Self::TaskPause),
            slot("task_status[").map(Self::TaskStatus),
        ];
        lists.into_iter().flatten().next().or(match name.as_str() {
            "id" => Some(Self::Id),
            "hide" => Some(Self::Hide),
            "active" => Some(Self::Active),
            "dead" => Some(Self::Dead),
            "weapon_drawn" => Some(Self::WeaponDrawn),
            "anchor" => Some(Self::Anchor),
            "script_rv" => Some(Self::ScriptRv),
            "script_ret_rv" => Some(Self::SavedScriptRv),
            "disable_script" => Some(Self::DisableScript),
            "anim.current" => Some(Self::CurrentGroup),
            "anim.next" => Some(Self::NextGroup),
            "anim.real_frame" => Some(Self::RealFrame),
            "frame" => Some(Self::Frame),
            "panic_group" => Some(Self::PanicGroup),
            _ => None,
        })
    }

    /// Returns the value; `None` if the property is only stored.
    pub(super) fn read(self, body: &Body, actor: &Actor) -> Option<i32> {
        let of = |list: &[i32; 3], axis: usize| list.get(axis).copied();
        let task = |slot: usize| actor.slots.get(slot).and_then(Option::as_ref);
        let group = |group: Option<u16>| group.map_or(0, i32::from);
        Some(match self {
            Self::Position(axis) => of(&body.position, axis)?,
            Self::Angle(axis) => of(&body.angles, axis)?,
            Self::StartPosition(axis) => of(&body.start, axis)?,
            Self::StartAngle(axis) => of(&body.start_angles, axis)?,
            Self::LastPosition(axis) => of(&body.last_position, axis)?,
            Self::LastAngle(axis) => of(&body.last_angles, axis)?,
            Self::Id => body.id,
            Self::Hide => body.is_hidden.into(),
            Self::Active => body.is_active.into(),
            Self::Dead => body.death.into(),
            Self::WeaponDrawn => body.is_weapon_drawn.into(),
            Self::Anchor => actor.anchor.into(),
            Self::ScriptRv => actor.script_rv.into(),
            Self::SavedScriptRv => actor.saved_script_rv.into(),
            Self::DisableScript => actor.control.0.into(),
            Self::TaskTimer(slot) => task(slot).map_or(0, |it| it.timer.into()),
            Self::TaskPause(slot) => task(slot).map_or(0, |it| it.is_paused.into()),
            Self::TaskStatus(slot) => task(slot).map_or(0, |it| it.is_blocking.into()),
            Self::CurrentGroup => group(body.playback.group()),
            Self::NextGroup => group(body.playback.pending()),
            Self::RealFrame => body.playback.progress(&body.groups),
            Self::Frame => body.playback.frame().map_or(0, |it| i32::try_from(it).unwrap_or(i32::MAX)),
            Self::PanicGroup => body.default_group().into(),
        })
    }

    /// Sets the value. Returns `false` if the property is only stored.
    pub(super) fn write(self, value: i32, body: &mut Body, actor: &mut Actor) -> bool {
        let [byte, ..] = value.to_le_bytes();
        let set = |list: &mut [i32; 3], axis: usize| {
            if let Some(slot) = list.get_mut(axis) {
                *slot = value;
            }
        };
        match self {
            Self::Position(axis) => set(&mut body.position, axis),
            Self::Angle(axis) => set(&mut body.angles, axis),
            Self::StartPosition(axis) => set(&mut body.start, axis),
            Self::StartAngle(axis) => set(&mut body.start_angles, axis),
            Self::LastPosition(axis) => set(&mut body.last_position, axis),
            Self::LastAngle(axis) => set(&mut body.last_angles, axis),
            Self::Id => body.id = value,
            Self::Hide => body.is_hidden = value != 0,
            Self::Active => body.is_active = value != 0,
            Self::Dead => (body.death, body.is_killed) = (byte, byte == DEAD),
            Self::WeaponDrawn => body.is_weapon_drawn = value != 0,
            Self::Anchor => actor.anchor = byte,
            Self::ScriptRv => actor.script_rv = byte,
            Self::SavedScriptRv => actor.saved_script_rv = byte,
            Self::DisableScript => actor.control = Control(byte),
            Self::TaskTimer(slot) => {
                if let Some(Some(task)) = actor.slots.get_mut(slot) {
                    let [low, high, ..] = value.to_le_bytes();
                    task.timer = u16::from_le_bytes([low, high]);
                }
            }
            Self::TaskPause(slot) => {
                if let Some(Some(task)) = actor.slots.get_mut(slot) {
                    task.is_paused = value != 0;
                }
            }
            Self::TaskStatus(_)
            | Self::CurrentGroup
            | Self::NextGroup
            | Self::RealFrame
            | Self::Frame
            | Self::PanicGroup => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::Role;
    use super::*;

    #[test]
    fn maps_names_to_positions_and_states() {
        assert_eq!(Field::of("Pos.vX"), Some(Field::Position(0)));
        assert_eq!(Field::of("start_angle.vz"), Some(Field::StartAngle(2)));
        assert_eq!(Field::of("task_timer[3]"), Some(Field::TaskTimer(3)));
        assert_eq!((Field::of("task_timer[x]"), Field::of("rope")), (None, None));
    }

    #[test]
    fn written_values_are_read_back() {
        let (mut body, mut actor) = (Body::new(Role::Placed), Actor::default());
        assert!(Field::Position(1).write(-7, &mut body, &mut actor));
        assert!(Field::DisableScript.write(2, &mut body, &mut actor));
        assert_eq!(Field::Position(1).read(&body, &actor), Some(-7));
        assert!(actor.control.is_without_hook());
        assert!(!Field::CurrentGroup.write(5, &mut body, &mut actor));
    }
}

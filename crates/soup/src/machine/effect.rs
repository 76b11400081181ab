//! Implementations of the functions that the machine runs itself.

use super::actor::{Actor, Control};
use super::fault::FaultCode;
use super::native::Native;
use super::world::{Invocation, State};

impl Native {
    /// Runs the function.
    pub(super) fn run(self, call: &Invocation<'_>, state: &mut State) -> Result<i32, FaultCode> {
        let first = call.parameters.first().copied().unwrap_or_default();
        Ok(match self {
            Self::SetGlobalFlag => {
                state.flag_mut(first)?.set();
                0
            }
            Self::ResetGlobalFlag => {
                state.flag_mut(first)?.reset();
                0
            }
            Self::TestGlobalFlag => state.flag_mut(first)?.is_latched.into(),
            Self::Wait => (call.elapsed.unwrap_or_default() < first.wrapping_sub(1)).into(),
            Self::WaitOnTasks => (count(state.actors.get(call.actor), |_| true) > 1).into(),
            Self::WaitNonMulti => (count(state.actors.get(call.actor), |blocks| blocks) > 1).into(),
            Self::KillMyTasks => {
                if let Some(actor) = state.actors.get_mut(call.actor) {
                    actor.slots = [const { None }; 6];
                }
                0
            }
            Self::Rnd => state.random.below(first),
            Self::QuickRnd => state.random.masked(first),
            Self::EnableHook => control(call, state, Control::without_hook, false),
            Self::DisableHook => control(call, state, Control::without_hook, true),
            Self::EnableScript => control(call, state, Control::without_script, false),
            Self::DisableScript => control(call, state, Control::without_script, true),
        })
    }
}

/// Returns the number of unpaused tasks that `counts` accepts by whether they block.
fn count(actor: Option<&Actor>, counts: impl Fn(bool) -> bool) -> usize {
    let slots = actor.into_iter().flat_map(|actor| actor.slots.iter().flatten());
    slots.filter(|task| !task.is_paused && counts(task.is_blocking)).count()
}

fn control(
    call: &Invocation<'_>,
    state: &mut State,
    with: fn(Control, bool) -> Control,
    is_set: bool,
) -> i32 {
    if let Some(actor) = state.actors.get_mut(call.actor) {
        actor.control = with(actor.control, is_set);
    }
    0
}

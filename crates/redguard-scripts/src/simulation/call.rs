//! A call of a game function that is simulated.

use soup::machine::{FaultCode, Invocation, State};

use super::body::Body;
use super::game::Game;
use redguard_world::engine::clock::Ticks;

/// A call with the world and the state of the scripts.
pub(super) struct Call<'a, 'b> {
    pub(super) game: &'a mut Game,
    pub(super) it: &'a mut Invocation<'b>,
    pub(super) state: &'a mut State,
}

/// The implementation of a function.
pub(super) type Run = fn(&mut Call<'_, '_>) -> Result<i32, FaultCode>;

/// The result of a task that continues.
pub(super) const ACTIVE: i32 = 1;

/// The result of a task that is done.
pub(super) const DONE: i32 = 0;

impl Call<'_, '_> {
    /// Returns an argument.
    pub(super) fn number(&self, index: usize) -> i32 {
        self.it.parameters.get(index).copied().unwrap_or_default()
    }

    /// Returns the number of ticks since the task was started.
    pub(super) fn elapsed(&self) -> i32 {
        self.it.elapsed.unwrap_or_default()
    }

    /// Whether the task is called for the first time.
    pub(super) fn is_first(&self) -> bool {
        self.it.scratch.last() == Some(&0)
    }

    /// Stores the three scratch words of a task.
    pub(super) fn keep(&mut self, [a, b, c]: [i32; 3]) {
        self.it.scratch = [a, b, c, 1];
    }

    /// Returns the scratch words.
    pub(super) const fn kept(&self) -> [i32; 3] {
        let [a, b, c, _] = self.it.scratch;
        [a, b, c]
    }

    pub(super) const fn ticks(&self) -> Ticks {
        self.game.ticks
    }

    /// Returns the body of the actor that the call is for.
    pub(super) fn body(&mut self) -> &mut Body {
        self.game.body_mut(self.it.actor)
    }

    /// Returns the body of the player.
    pub(super) fn player(&self) -> &Body {
        self.game.body(self.game.player)
    }

    /// Returns a text of the actor whose script was entered last.
    pub(super) fn text(&self, number: i32) -> Option<&str> {
        let source = self.state.actors.get(self.state.source)?;
        source.program.texts.get(usize::try_from(number).ok()?).map(String::as_str)
    }
}

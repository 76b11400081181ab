//! A call of one of the game's functions, for which this world does something.

use soup::machine::{FaultCode, Invocation, State};

use super::body::Body;
use super::game::Game;
use redguard_world::engine::clock::Ticks;

/// A call, the world, and the state of the scripts.
pub(super) struct Call<'a, 'b> {
    pub(super) game: &'a mut Game,
    pub(super) it: &'a mut Invocation<'b>,
    pub(super) state: &'a mut State,
}

/// What a function does here.
pub(super) type Run = fn(&mut Call<'_, '_>) -> Result<i32, FaultCode>;

/// Something goes on.
pub(super) const ACTIVE: i32 = 1;

/// Something is done.
pub(super) const DONE: i32 = 0;

impl Call<'_, '_> {
    /// An argument.
    pub(super) fn number(&self, index: usize) -> i32 {
        self.it.parameters.get(index).copied().unwrap_or_default()
    }

    /// Ticks since the task was started.
    pub(super) fn elapsed(&self) -> i32 {
        self.it.elapsed.unwrap_or_default()
    }

    /// Whether the task is called for the first time.
    pub(super) fn is_first(&self) -> bool {
        self.it.scratch.last() == Some(&0)
    }

    /// Keeps three words of a task.
    pub(super) fn keep(&mut self, [a, b, c]: [i32; 3]) {
        self.it.scratch = [a, b, c, 1];
    }

    /// The words that were kept.
    pub(super) const fn kept(&self) -> [i32; 3] {
        let [a, b, c, _] = self.it.scratch;
        [a, b, c]
    }

    pub(super) const fn ticks(&self) -> Ticks {
        self.game.ticks
    }

    /// The actor that is called.
    pub(super) fn body(&mut self) -> &mut Body {
        self.game.body_mut(self.it.actor)
    }

    /// The place of the player.
    pub(super) fn player(&self) -> &Body {
        self.game.body(self.game.player)
    }

    /// A text of the actor that last entered its script.
    pub(super) fn text(&self, number: i32) -> Option<&str> {
        let source = self.state.actors.get(self.state.source)?;
        source.program.texts.get(usize::try_from(number).ok()?).map(String::as_str)
    }
}

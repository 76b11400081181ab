//! Loads saved games into sessions, and stores the state of a session in saved games.
//!
//! Only the flags with their latches, the items, and the number of the world are supported. In the state byte of a flag, only the
//! latch is changed. The clock is neither loaded nor stored, because nothing that scripts can access depends on it.

use record::{Error, Result};
use soup::machine::Machine;

use super::event::SessionRequest;
use redguard_files::save::{Chunk, Flag, Items, Save};

/// Reads the saved game of a request, if it has one.
pub(super) fn of(request: &SessionRequest) -> Result<Option<Save>> {
    request.save.as_deref().map(Save::read).transpose()
}

/// Loads the flags of a saved game. Flags that already differ from a new game keep their values, because a file of answers has
/// set them.
pub(super) fn load(save: &Save, machine: &mut Machine) -> Result<()> {
    let saved = flags(save, machine)?;
    for (flag, saved) in machine.state.flags.iter_mut().zip(saved) {
        if flag.is_at_start() {
            (flag.value, flag.is_latched) = (saved.value, saved.is_latched());
        }
    }
    Ok(())
}

/// Returns the number of the world of a saved game.
pub(super) fn world(request: &SessionRequest) -> Option<i64> {
    let save = of(request).ok()??;
    save.header().map(|header| header.world.into())
}

/// Stores the flags of a machine in a saved game.
pub(super) fn store(save: &mut Save, machine: &Machine) -> Result<()> {
    flags(save, machine)?;
    let chunk = save.chunks.iter_mut().find_map(|chunk| match chunk {
        Chunk::Flags(flags) => Some(&mut flags.list),
        _ => None,
    });
    for (saved, flag) in chunk.into_iter().flatten().zip(&machine.state.flags) {
        saved.value = flag.value;
        saved.state = if flag.is_latched { saved.state | Flag::LATCH } else { saved.state & !Flag::LATCH };
    }
    Ok(())
}

/// Returns the items of a saved game for editing.
pub(super) fn items(save: &mut Save) -> Option<&mut Items> {
    save.chunks.iter_mut().find_map(|chunk| match chunk {
        Chunk::Items(items) => Some(items),
        _ => None,
    })
}

/// Returns the flags of a saved game, whose number must match the game's.
fn flags<'a>(save: &'a Save, machine: &Machine) -> Result<&'a [Flag]> {
    let flags = save.flags().ok_or_else(|| Error::malformed("the saved game has no flags (SVGF)"))?;
    let (saved, known) = (flags.list.len(), machine.state.flags.len());
    if saved != known {
        let message = format!("the saved game has {saved} flags, but SOUP386.DEF declares {known}");
        return Err(Error::usage(message));
    }
    Ok(&flags.list)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use soup::Definitions;
    use soup::machine::Declarations;

    use super::*;

    fn machine() -> Machine {
        Machine::new(Arc::new(Declarations::new(Definitions::shipped())), Vec::new())
    }

    /// A saved game in which the second flag has this value and state.
    fn save(value: i32, state: u8) -> Vec<u8> {
        let mut save = Save::new("here", 7, Vec::new()).unwrap();
        for chunk in &mut save.chunks {
            if let Chunk::Flags(flags) = chunk {
                flags.list[1] = Flag { value, state };
            }
        }
        save.write().unwrap()
    }

    fn request(save: Vec<u8>) -> SessionRequest {
        SessionRequest { save: Some(save), ..SessionRequest::default() }
    }

    #[test]
    fn a_session_starts_with_the_flags_of_a_saved_game() {
        let request = request(save(1, 0x10));
        let mut machine = machine();
        load(&of(&request).unwrap().unwrap(), &mut machine).unwrap();
        assert_eq!((machine.state.flags[1].value, machine.state.flags[1].is_latched), (1, true));
        assert!(machine.state.flags[0].is_at_start() && machine.state.flags[2].is_at_start());
        assert_eq!(world(&request), Some(7));
    }

    #[test]
    fn only_the_latch_of_a_flag_state_changes() {
        let mut machine = machine();
        machine.state.flags[1].value = -5;
        let latched = |machine: &Machine| {
            let mut save = Save::read(&save(1, 0xe3)).unwrap();
            store(&mut save, machine).unwrap();
            save.write().unwrap()
        };
        assert_eq!(latched(&machine), save(-5, 0xe3));
        machine.state.flags[1].is_latched = true;
        assert_eq!(latched(&machine), save(-5, 0xf3));
    }

    #[test]
    fn refuses_a_saved_game_of_other_definitions() {
        let mut machine = machine();
        machine.state.flags.pop();
        let error = load(&Save::read(&save(0, 0)).unwrap(), &mut machine).unwrap_err().to_string();
        assert!(error.contains("the saved game has 369 flags, but SOUP386.DEF declares 368"), "{error}");
        assert!(of(&request(b"SVGM".to_vec())).is_err());
        assert_eq!(world(&request(Vec::new())), None);
    }
}

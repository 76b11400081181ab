//! Sessions that begin with a saved game, and saved games with the state of a session.
//!
//! Known are the flags with their latches, the items, and the number of the world. Of a flag's state byte only the latch is changed. The clock is neither
//! taken over nor changed: nothing that scripts can see depends on it.

use record::{Error, Result};
use soup::machine::Machine;

use super::happening::SessionRequest;
use redguard_files::save::{Chunk, Flag, Items, Save};

/// The saved game that a request names, if it does.
pub(super) fn of(request: &SessionRequest) -> Result<Option<Save>> {
    request.save.as_deref().map(Save::read).transpose()
}

/// Begins with the flags of a saved game. Flags that are not as in a new game anymore keep what they are: a file of answers
/// has set them.
pub(super) fn load(save: &Save, machine: &mut Machine) -> Result<()> {
    let saved = flags(save, machine)?;
    for (flag, saved) in machine.state.flags.iter_mut().zip(saved) {
        if flag.is_at_start() {
            (flag.value, flag.is_latched) = (saved.value, saved.is_latched());
        }
    }
    Ok(())
}

/// The number of the world in which a saved game was saved.
pub(super) fn world(request: &SessionRequest) -> Option<i64> {
    let save = of(request).ok()??;
    save.header().map(|header| header.world.into())
}

/// Puts the flags of a machine into a saved game.
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

/// The items of a saved game, to be changed.
pub(super) fn items(save: &mut Save) -> Option<&mut Items> {
    save.chunks.iter_mut().find_map(|chunk| match chunk {
        Chunk::Items(items) => Some(items),
        _ => None,
    })
}

/// The flags of a saved game, as many as the game has.
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
    fn a_session_begins_with_the_flags_of_a_saved_game() {
        let request = request(save(1, 0x10));
        let mut machine = machine();
        load(&of(&request).unwrap().unwrap(), &mut machine).unwrap();
        assert_eq!((machine.state.flags[1].value, machine.state.flags[1].is_latched), (1, true));
        assert!(machine.state.flags[0].is_at_start() && machine.state.flags[2].is_at_start());
        assert_eq!(world(&request), Some(7));
    }

    #[test]
    fn of_the_state_of_a_flag_only_the_latch_changes() {
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
    fn a_saved_game_of_other_definitions_is_refused() {
        let mut machine = machine();
        machine.state.flags.pop();
        let error = load(&Save::read(&save(0, 0)).unwrap(), &mut machine).unwrap_err().to_string();
        assert!(error.contains("the saved game has 369 flags, but SOUP386.DEF declares 368"), "{error}");
        assert!(of(&request(b"SVGM".to_vec())).is_err());
        assert_eq!(world(&request(Vec::new())), None);
    }
}

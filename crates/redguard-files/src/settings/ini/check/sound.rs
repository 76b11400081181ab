//! Checks numbers of sound effects.

use asset::Context;

use crate::sound::sfx;

/// Returns what is wrong with the number of a sound effect, as the end of a sentence that starts with the key. A settings file outside
/// of a game cannot be checked.
pub(super) fn problem(context: &Context<'_>, sound: i64) -> Option<String> {
    let count = sfx::count_of_game(context)?;
    let is_known = usize::try_from(sound).is_ok_and(|sound| sound < count);
    (!is_known).then(|| match count.checked_sub(1) {
        Some(last) => format!("is {sound}, but MAIN.SFX has only sounds 0 to {last}"),
        None => format!("is {sound}, but MAIN.SFX has no sounds"),
    })
}

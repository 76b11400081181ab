//! Reports the palette that a new picture is matched with.

use asset::{Code, Report};
use record::{Error, Result};

use super::palette::PaletteOrigin;

/// The warning codes of a format.
pub(crate) struct MatchCodes {
    /// The palette that was used.
    pub(crate) matched: &'static Code,
    /// The palette that was used, if it was guessed.
    pub(crate) guessed: &'static Code,
}

/// Reports the palette that colors are matched with. A color picture is not matched with grayscale unless that was requested.
///
/// # Errors
/// Returns an error if there is no palette for a color picture.
pub(crate) fn report_matched_palette(
    name: &str,
    origin: Option<&PaletteOrigin>,
    is_colored: &dyn Fn() -> bool,
    codes: &MatchCodes,
    report: &mut Report,
) -> Result<()> {
    match origin {
        Some(PaletteOrigin::Grey) if is_colored() => {
            return Err(Error::usage(format!(
                "cannot match the colors of {name} because no palette was found; choose a palette with --palette or a game with --game"
            )));
        }
        Some(PaletteOrigin::Guessed(palette)) => {
            let message = format!(
                "the colors of {name} were matched with the palette {palette}, a guess; choose another one with --palette"
            );
            report.warn(codes.guessed, message);
        }
        origin => {
            let palette = origin.map_or("grey", PaletteOrigin::name);
            report
                .warn(codes.matched, format!("the colors of {name} were matched with the palette {palette}"));
        }
    }
    Ok(())
}

//! What is told of the palette that a new picture is matched with.

use asset::{Code, Report};
use record::{Error, Result};

use super::palette::PaletteOrigin;

/// The codes of a format.
pub(crate) struct MatchCodes {
    /// The palette that was used.
    pub(crate) matched: &'static Code,
    /// The same where it was guessed.
    pub(crate) guessed: &'static Code,
}

/// Tells with which palette colors are matched. A picture in color is not matched with grays that nobody asked for.
///
/// # Errors
/// When there is no palette for a picture in color.
pub(crate) fn tell_palette(
    name: &str,
    origin: Option<&PaletteOrigin>,
    is_colored: &dyn Fn() -> bool,
    codes: &MatchCodes,
    report: &mut Report,
) -> Result<()> {
    match origin {
        Some(PaletteOrigin::Grey) if is_colored() => {
            return Err(Error::usage(format!(
                "the picture is colored, but no palette was found to match {name} with: name a palette with --palette, or the game with --game"
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

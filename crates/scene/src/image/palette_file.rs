//! Palettes in files of their own: `.act` (Adobe) and `.gpl` (GIMP, Krita, Inkscape, Aseprite). Alpha has no room in them.

/// How many colors an Adobe color table has room for.
const ACT_COLORS: usize = 256;

/// An Adobe color table: 256 colors of three bytes; where there are fewer, their number behind them.
#[must_use]
pub fn to_act(palette: &[[u8; 4]]) -> Vec<u8> {
    let colors = palette.iter().take(ACT_COLORS);
    let mut out: Vec<u8> = colors.flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    out.resize(ACT_COLORS.saturating_mul(3), 0);
    if let Some(count) = u16::try_from(palette.len()).ok().filter(|count| *count < 256) {
        out.extend_from_slice(&count.to_be_bytes());
        // No color is transparent.
        out.extend_from_slice(&u16::MAX.to_be_bytes());
    }
    out
}

/// A GIMP palette, 16 colors a row.
#[must_use]
pub fn to_gpl(palette: &[[u8; 4]], name: &str) -> String {
    let name: String = name.chars().filter(|character| !character.is_control()).collect();
    let mut out = format!("GIMP Palette\nName: {name}\nColumns: 16\n#\n");
    for (index, [red, green, blue, _]) in palette.iter().enumerate() {
        out.push_str(&format!("{red:3} {green:3} {blue:3}\tindex {index}\n"));
    }
    out
}

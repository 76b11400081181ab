//! Conversion of bitmap fonts to TrueType fonts: each glyph consists of the outlines of its pixels, identical at
//! every size. The same font produces the same bytes.

use write_fonts::read::TopLevelTable;
use write_fonts::read::tables::glyf::CurvePoint;
use write_fonts::tables::cmap::Cmap;
use write_fonts::tables::gasp::{Gasp, GaspRange, GaspRangeBehavior};
use write_fonts::tables::glyf::{self, Bbox, Contour, GlyfLocaBuilder, SimpleGlyph};
use write_fonts::tables::head::{Flags, Head};
use write_fonts::tables::hhea::Hhea;
use write_fonts::tables::hmtx::Hmtx;
use write_fonts::tables::loca::LocaFormat;
use write_fonts::tables::maxp::Maxp;
use write_fonts::tables::os2::{Os2, SelectionFlags};
use write_fonts::tables::post::Post;
use write_fonts::tables::vmtx::LongMetric;
use write_fonts::types::{FWord, Fixed, GlyphId, LongDateTime, Tag, UfWord, Version16Dot16};
use write_fonts::validate::Validate;
use write_fonts::{FontBuilder, FontWrite};

use super::metrics::{Bounds, Scale};
use super::names::{names, unicode_ranges};
use super::outline::outlines;
use super::{Glyph, PixelFont};
use crate::Error;
use crate::error::forbidden;

/// The first second of the year 2000, counted from 1904: a font stores its creation time, and the same input must
/// produce the same bytes.
const CREATION_TIME: i64 = 3_029_529_600;

/// Turns drop-out control on, twice: with a program of more than seven bytes a font counts as hinted, so no system
/// applies its own hinting and moves pixels (FreeType does so for fonts without a program).
const PREP: [u8; 10] = [0xb8, 0x01, 0xff, 0x85, 0xb0, 0x04, 0x8d, 0xb0, 0x04, 0x8d];

/// Text is illegible with fewer pixels per em.
const MIN_PPEM: u16 = 6;

/// Writes a TrueType font: the glyphs that have a character, and a box for all other characters. A line is one em
/// high.
///
/// # Errors
/// `Malformed` if there is no character, if a character occurs more than once, or if a size does not fit into the
/// format.
pub fn write_ttf(font: &PixelFont) -> Result<Vec<u8>, Error> {
    let scale = Scale::of(font)?;
    let mut shapes = vec![Shape::new(&missing_glyph(font), font, scale)?];
    let mut mappings = Vec::new();
    for (character, glyph) in font.characters() {
        mappings.push((character, GlyphId::new(u32::try_from(shapes.len()).unwrap_or(u32::MAX))));
        shapes.push(Shape::new(glyph, font, scale)?);
    }
    if mappings.is_empty() {
        return Err(forbidden("font", "it has no characters"));
    }
    let cmap = Cmap::from_mappings(mappings).map_err(|error| forbidden("cmap", error.to_string()))?;
    let mut outlines = GlyfLocaBuilder::new();
    for shape in &shapes {
        outlines.add_glyph(&shape.outline).map_err(|error| forbidden("glyf", error.to_string()))?;
    }
    let (glyf, loca, loca_format) = outlines.build();
    let bounds = shapes.iter().filter_map(|shape| shape.bounds).reduce(Bounds::with).unwrap_or_default();
    let lines = Lines::new(font, scale, bounds)?;
    let behavior = GaspRangeBehavior::GASP_DOGRAY | GaspRangeBehavior::GASP_SYMMETRIC_SMOOTHING;
    let mut builder = FontBuilder::new();
    add(&mut builder, &head(scale, bounds, loca_format))?;
    add(&mut builder, &hhea(&lines, &shapes)?)?;
    add(&mut builder, &maxp(&shapes)?)?;
    add(&mut builder, &os2(font, scale, &lines, &shapes)?)?;
    add(&mut builder, &Hmtx::new(shapes.iter().map(Shape::metric).collect(), Vec::new()))?;
    add(&mut builder, &cmap)?;
    add(&mut builder, &loca)?;
    add(&mut builder, &glyf)?;
    add(&mut builder, &names(&font.name))?;
    add(&mut builder, &post(scale)?)?;
    add(&mut builder, &Gasp::new(1, 1, vec![GaspRange::new(u16::MAX, behavior)]))?;
    builder.add_raw(Tag::new(b"prep"), PREP.to_vec());
    Ok(builder.build())
}

fn add<T: FontWrite + Validate + TopLevelTable>(
    builder: &mut FontBuilder<'_>,
    table: &T,
) -> Result<(), Error> {
    builder.add_table(table).map(drop).map_err(|error| forbidden("font", error.to_string()))
}

/// A glyph in font units.
struct Shape {
    outline: glyf::Glyph,
    /// The bounding box of the outlines; `None` if there are none.
    bounds: Option<Bounds>,
    advance: u16,
    points: u16,
    contours: u16,
}

impl Shape {
    fn new(glyph: &Glyph, font: &PixelFont, scale: Scale) -> Result<Self, Error> {
        let point = |(x, y): (u32, u32)| {
            let down = i64::from(glyph.top) + i64::from(y);
            let x = scale.units(i64::from(glyph.left) + i64::from(x))?;
            let y = scale.units(i64::from(font.baseline) - down)?;
            Ok((x, y))
        };
        let contour = |corners: Vec<(u32, u32)>| corners.into_iter().map(point).collect();
        let corners: Vec<Vec<(i16, i16)>> =
            outlines(glyph).into_iter().map(contour).collect::<Result<_, Error>>()?;
        let bounds = Bounds::around(corners.iter().flatten().copied());
        let place = || format!("glyph of {:?}", glyph.character.unwrap_or_default());
        // The format stores the number of contours as a signed number.
        let contours = i16::try_from(corners.len()).ok().and_then(|count| u16::try_from(count).ok());
        let points = u16::try_from(corners.iter().map(Vec::len).sum::<usize>()).ok();
        let (Some(contours), Some(points)) = (contours, points) else {
            return Err(forbidden(place(), "it has too many outlines for a TrueType font"));
        };
        let advance = scale.units(glyph.advance.into())?;
        let advance =
            u16::try_from(advance).map_err(|_| forbidden(place(), "its advance is out of range"))?;
        let outline = bounds.map_or(glyf::Glyph::Empty, |bounds| simple(&corners, bounds));
        Ok(Self { outline, bounds, advance, points, contours })
    }

    /// Distance from the pen to the left side of the outlines.
    fn left(&self) -> i16 {
        self.bounds.map_or(0, |bounds| bounds.left)
    }

    /// Distance from the right side of the outlines to the next pen position.
    fn right_bearing(&self) -> i16 {
        let right = self.bounds.map_or(0, |bounds| bounds.right);
        i16::try_from(i32::from(self.advance) - i32::from(right)).unwrap_or(i16::MAX)
    }

    fn metric(&self) -> LongMetric {
        LongMetric::new(self.advance, self.left())
    }
}

fn simple(corners: &[Vec<(i16, i16)>], bounds: Bounds) -> glyf::Glyph {
    let contour = |corners: &Vec<(i16, i16)>| {
        Contour::from(corners.iter().map(|(x, y)| CurvePoint::on_curve(*x, *y)).collect::<Vec<_>>())
    };
    let Bounds { left, bottom, right, top } = bounds;
    glyf::Glyph::Simple(SimpleGlyph {
        bbox: Bbox { x_min: left, y_min: bottom, x_max: right, y_max: top },
        contours: corners.iter().map(contour).collect(),
        instructions: Vec::new(),
        overlaps: false,
    })
}

/// Returns the glyph for characters that the font does not have: an empty box on the baseline.
fn missing_glyph(font: &PixelFont) -> Glyph {
    let height = font.baseline.max(3);
    let width = (height / 2).max(3);
    let is_side = |at: u16, length: u16| at == 0 || at == length - 1;
    let pixel = |x: u16, y: u16| u8::from(is_side(x, width) || is_side(y, height));
    Glyph {
        character: None,
        width,
        height,
        left: 0,
        top: i16::try_from(i32::from(font.baseline) - i32::from(height)).unwrap_or_default(),
        advance: u32::from(width) + 1,
        pixels: (0..height).flat_map(|y| (0..width).map(move |x| pixel(x, y))).collect(),
    }
}

/// The vertical extent of lines, relative to the baseline.
struct Lines {
    ascender: i16,
    descender: i16,
    /// Clipping limits under Windows: ascender and descender, extended to the highest and lowest glyphs. The lower
    /// one is positive downwards.
    highest: u16,
    lowest: u16,
}

impl Lines {
    fn new(font: &PixelFont, scale: Scale, bounds: Bounds) -> Result<Self, Error> {
        let ascender = scale.units(font.baseline.into())?;
        let below = i64::from(font.baseline) - i64::from(font.line_height);
        let descender = scale.units(below.min(0))?;
        let upwards = |units: i16| u16::try_from(units).unwrap_or_default();
        Ok(Self {
            ascender,
            descender,
            highest: upwards(ascender.max(bounds.top)),
            lowest: upwards(descender.min(bounds.bottom).saturating_neg()),
        })
    }
}

fn head(scale: Scale, bounds: Bounds, loca_format: LocaFormat) -> Head {
    Head {
        font_revision: Fixed::from_i32(1),
        flags: Flags::BASELINE_AT_Y_0 | Flags::LSB_AT_X_0,
        units_per_em: scale.em,
        created: LongDateTime::new(CREATION_TIME),
        modified: LongDateTime::new(CREATION_TIME),
        x_min: bounds.left,
        y_min: bounds.bottom,
        x_max: bounds.right,
        y_max: bounds.top,
        lowest_rec_ppem: MIN_PPEM,
        index_to_loc_format: match loca_format {
            LocaFormat::Short => 0,
            LocaFormat::Long => 1,
        },
        ..Head::default()
    }
}

fn count_of(shapes: &[Shape]) -> Result<u16, Error> {
    u16::try_from(shapes.len()).map_err(|_| forbidden("font", "it has more than 65535 glyphs"))
}

fn hhea(lines: &Lines, shapes: &[Shape]) -> Result<Hhea, Error> {
    let drawn = || shapes.iter().filter(|shape| shape.bounds.is_some());
    let least = |side: fn(&Shape) -> i16| FWord::new(drawn().map(side).min().unwrap_or_default());
    let extent = drawn().filter_map(|shape| shape.bounds).map(|bounds| bounds.right).max();
    Ok(Hhea {
        ascender: FWord::new(lines.ascender),
        descender: FWord::new(lines.descender),
        line_gap: FWord::new(0),
        advance_width_max: UfWord::new(shapes.iter().map(|shape| shape.advance).max().unwrap_or_default()),
        min_left_side_bearing: least(Shape::left),
        min_right_side_bearing: least(Shape::right_bearing),
        x_max_extent: FWord::new(extent.unwrap_or_default()),
        caret_slope_rise: 1,
        caret_slope_run: 0,
        caret_offset: 0,
        number_of_h_metrics: count_of(shapes)?,
    })
}

fn maxp(shapes: &[Shape]) -> Result<Maxp, Error> {
    let max_of = |count: fn(&Shape) -> u16| shapes.iter().map(count).max();
    Ok(Maxp {
        num_glyphs: count_of(shapes)?,
        max_points: max_of(|shape| shape.points),
        max_contours: max_of(|shape| shape.contours),
        max_composite_points: Some(0),
        max_composite_contours: Some(0),
        // One zone: no point is moved.
        max_zones: Some(1),
        max_twilight_points: Some(0),
        max_storage: Some(0),
        max_function_defs: Some(0),
        max_instruction_defs: Some(0),
        max_stack_elements: Some(1),
        max_size_of_instructions: Some(0),
        max_component_elements: Some(0),
        max_component_depth: Some(0),
    })
}

fn os2(font: &PixelFont, scale: Scale, lines: &Lines, shapes: &[Shape]) -> Result<Os2, Error> {
    let line = i64::from(font.line_height).max(1);
    let part = |of: i64| scale.units(line.checked_div(of).unwrap_or_default());
    let wide: Vec<u64> =
        shapes.iter().map(|shape| u64::from(shape.advance)).filter(|advance| *advance > 0).collect();
    let sum = wide.iter().copied().fold(0, u64::saturating_add);
    let average = sum.checked_div(u64::try_from(wide.len()).unwrap_or(1)).unwrap_or_default();
    let height = |letter: char| {
        let top = font.glyph(letter).map_or(0, |glyph| glyph.top.into());
        scale.units(i64::from(font.baseline).saturating_sub(top).max(0))
    };
    let code = |character: Option<char>| {
        character.map_or(u16::MAX, |character| u16::try_from(u32::from(character)).unwrap_or(u16::MAX))
    };
    let characters = || font.characters().map(|(character, _)| character);
    let (ul_unicode_range_1, ul_unicode_range_2) = unicode_ranges(characters());
    Ok(Os2 {
        x_avg_char_width: i16::try_from(average).unwrap_or(i16::MAX),
        us_weight_class: 400,
        us_width_class: 5,
        // The font may be embedded without restrictions.
        fs_type: 0,
        y_subscript_x_size: part(2)?,
        y_subscript_y_size: part(2)?,
        y_subscript_x_offset: 0,
        y_subscript_y_offset: part(8)?,
        y_superscript_x_size: part(2)?,
        y_superscript_y_size: part(2)?,
        y_superscript_x_offset: 0,
        y_superscript_y_offset: part(3)?,
        y_strikeout_size: scale.units(1)?,
        y_strikeout_position: part(3)?,
        s_family_class: 0,
        panose_10: [0; 10],
        ul_unicode_range_1,
        ul_unicode_range_2,
        ul_unicode_range_3: 0,
        ul_unicode_range_4: 0,
        ach_vend_id: Tag::new(b"NONE"),
        fs_selection: SelectionFlags::REGULAR | SelectionFlags::USE_TYPO_METRICS,
        us_first_char_index: code(characters().min()),
        us_last_char_index: code(characters().max()),
        s_typo_ascender: lines.ascender,
        s_typo_descender: lines.descender,
        s_typo_line_gap: 0,
        us_win_ascent: lines.highest,
        us_win_descent: lines.lowest,
        // Latin 1, which systems require before they offer a font.
        ul_code_page_range_1: Some(1),
        ul_code_page_range_2: Some(0),
        sx_height: Some(height('x')?),
        s_cap_height: Some(height('H')?),
        us_default_char: Some(0),
        us_break_char: Some(u16::from(b' ')),
        us_max_context: Some(0),
        ..Os2::default()
    })
}

fn post(scale: Scale) -> Result<Post, Error> {
    Ok(Post {
        // Without glyph names.
        version: Version16Dot16::VERSION_3_0,
        underline_position: FWord::new(scale.units(-1)?),
        underline_thickness: FWord::new(scale.units(1)?),
        ..Post::default()
    })
}

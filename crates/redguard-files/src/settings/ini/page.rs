//! The pages of MENU.INI: the entries with their positions and states, and the images of the surfaces.
//!
//! Sources: redguard-preservation's documentation of the menu and its settings.

use super::lookup::{Lookup, Section};
use super::value::integer;

/// The name of each page of the menu, by number.
pub const NAMES: [&str; 8] = ["main", "save", "load", "movies", "options", "display", "sound", "controls"];

/// A page of the menu: the section `[pageN]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The number of the page.
    pub number: u32,
    /// The image of each surface (front, back) as bank and image number; `None` if the page has no such surface.
    pub textures: [Option<(i32, i32)>; 2],
    /// The entries. The list ends at the first number without a text.
    pub elements: Vec<Element>,
}

/// An entry of a page. Missing numbers are 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Element {
    /// The number of the entry.
    pub index: u32,
    /// The label.
    pub text: String,
    /// The horizontal position of the label in texels of the surface.
    pub x: i32,
    /// The top of the label in texels of the surface.
    pub y: i32,
    /// The surface, 0 or 1.
    pub texture: i32,
    /// The part of the label that is left of `x`: 0 nothing, 1 a half, 2 all of it.
    pub justify: i32,
    /// The horizontal position of the value, check box or slider.
    pub output_x: i32,
    /// The top of the value, check box or slider.
    pub output_y: i32,
    /// The part of the value that is left of `output_x`, like `justify`.
    pub output_justify: i32,
    /// Whether the entry can be selected; 0 for no.
    pub selectable: i32,
    /// Whether the entry is selected first; 0 for no.
    pub default: i32,
    /// Whether the entry is disabled; 0 for no.
    pub grayed: i32,
    /// The number of the action.
    pub action: i32,
    /// The minimum value of a slider.
    pub slider_min: i32,
    /// The maximum value of a slider.
    pub slider_max: i32,
}

impl Page {
    /// Reads the pages in the order of the file.
    #[must_use]
    pub fn list(lookup: &Lookup<'_>) -> Vec<Self> {
        lookup
            .sections()
            .iter()
            .filter_map(|section| Some(Self::read(number_of(&section.name)?, section)))
            .collect()
    }

    fn read(number: u32, section: &Section<'_>) -> Self {
        let texture = |slot| {
            let bank = section.text("texture_set", Some(slot))?;
            Some((integer(bank), integer(section.text("texture_index", Some(slot))?)))
        };
        let elements = (0..).map_while(|index| Element::read(index, section)).collect();
        Self { number, textures: [texture(0), texture(1)], elements }
    }

    /// Returns the name of the page; `None` if the game has no page with this number.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        NAMES.get(usize::try_from(self.number).ok()?).copied()
    }

    /// Returns the position of the entry that is selected first: of the entries that can be selected, the first one with `default`,
    /// otherwise the first one.
    #[must_use]
    pub fn first_selected(&self) -> Option<usize> {
        let mut selectable =
            self.elements.iter().enumerate().filter(|(_, element)| element.can_be_selected());
        let first = selectable.clone().next();
        let default = selectable.find(|(_, element)| element.default != 0);
        default.or(first).map(|(position, _)| position)
    }
}

impl Element {
    fn read(index: u32, section: &Section<'_>) -> Option<Self> {
        let number = |key| section.integer(key, Some(index));
        Some(Self {
            index,
            text: section.text("text", Some(index))?.to_owned(),
            x: number("text_x"),
            y: number("text_y"),
            texture: number("texture"),
            justify: number("justify"),
            output_x: number("output_x"),
            output_y: number("output_y"),
            output_justify: number("output_justify"),
            selectable: number("selectable"),
            default: number("default"),
            grayed: number("grayed"),
            action: number("action"),
            slider_min: number("slider_min"),
            slider_max: number("slider_max"),
        })
    }

    /// Whether the entry can be selected: it is selectable and not grayed.
    #[must_use]
    pub const fn can_be_selected(&self) -> bool {
        self.selectable != 0 && self.grayed == 0
    }
}

/// Returns the number of a page from the name of its section, in lowercase.
fn number_of(section: &str) -> Option<u32> {
    let digits = section.strip_prefix("page").filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use media::ini::Ini;

    use super::*;
    use crate::settings::ini::value::SYNTAX;

    fn pages(text: &str) -> Vec<Page> {
        Page::list(&Lookup::new(&Ini::parse(text.as_bytes(), SYNTAX).unwrap()))
    }

    #[test]
    fn reads_entries_by_the_rules_of_the_game() {
        let text = "[page6]\nTEXTURE_SET[0]=289\ntexture_index [ 0 ] = 3 ; paper\ntexture_set[1]=289\n\
            text[0]=EFFECTS ; not shown\ntext_x[0]= -9x\ntext_x[0]=7\nselectable[0]=yes\ndefault[0]=on\ngrayed[0]=TRUE\n\
            slider_min[0]=-10\nslider_max[0]=10\n[pagge1]\ntext[0]=LOST\n[PAGE6]\ntext[0]=LATER\n";
        let element = Element {
            text: "EFFECTS".to_owned(),
            x: -9,
            selectable: 1,
            default: 1,
            grayed: 1,
            slider_min: -10,
            slider_max: 10,
            ..Element::default()
        };
        // A surface needs both of its keys.
        let page = Page { number: 6, textures: [Some((289, 3)), None], elements: vec![element] };
        assert_eq!(page.name(), Some("sound"));
        assert_eq!(pages(text), [page]);
    }

    #[test]
    fn the_first_number_without_a_text_ends_the_entries() {
        let text = "[page0]\ntext[0]=NEW\ntext[1]=QUIT\ntext_x[1]=-4\ntext[2]= ;none\ntext[3]=LOST\n";
        let [page] = &pages(text)[..] else { panic!("one page") };
        let texts: Vec<_> =
            page.elements.iter().map(|element| (element.index, &*element.text, element.x)).collect();
        assert_eq!(texts, [(0, "NEW", 0), (1, "QUIT", -4)]);
    }

    #[test]
    fn the_first_default_that_can_be_selected_is_selected_first() {
        let selected = |text: &str| pages(text)[0].first_selected();
        let three = "[page0]\ntext[0]=A\ntext[1]=B\ntext[2]=C\nselectable[1]=1\nselectable[2]=1\n";
        assert_eq!(selected(three), Some(1));
        assert_eq!(selected(&format!("{three}default[2]=1\n")), Some(2));
        assert_eq!(selected(&format!("{three}default[0]=1\n")), Some(1));
        assert_eq!(selected(&format!("{three}default[2]=1\ngrayed[2]=1\n")), Some(1));
        assert_eq!(selected("[page0]\ntext[0]=A\ndefault[0]=1\n"), None);
    }
}

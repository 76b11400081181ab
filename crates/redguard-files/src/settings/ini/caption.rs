//! The movies of MENU.INI and their subtitles.
//!
//! Source: redguard-preservation's reader, tested on an installed game.

use media::ini::Ini;

use super::lookup::{Lookup, Section};
use super::value::{integer, is_number};

/// The section that lists the movies: the menu page on which they are selected.
const SECTION: &str = "page3";

/// The number of characters that the game keeps of the file name of a movie.
const NAME_LENGTH: usize = 15;

/// The number of fields of a line that does not specify whether the text is always shown.
const FIELDS: usize = 6;

/// A movie of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movie {
    /// The number of the movie, zero-based; scripts play movies by number.
    pub number: u32,
    /// The name of the file as written.
    pub name: String,
    /// The subtitles, in the order of their indices.
    pub captions: Vec<Caption>,
}

/// A subtitle of a movie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// The index of the subtitle, zero-based.
    pub index: u32,
    /// Whether it is shown even if subtitles are turned off (not 0); `None` for a line with six fields, which cannot specify it.
    pub always: Option<i32>,
    /// Red, green and blue, which the game ignores; `None` for a line with too few fields.
    pub color: Option<[i32; 3]>,
    /// The first frame in which it is shown; the first frame of a movie is 1.
    pub start: i32,
    /// The first frame in which it is no longer shown.
    pub stop: i32,
    /// The text, which may contain commas.
    pub text: String,
    /// The number of fields of the line: 7, 6, or fewer for a line that the game cannot read.
    pub fields: usize,
    /// The one-based line number.
    pub line: usize,
}

impl Movie {
    /// Returns the file name that the game opens: 15 characters in upper case.
    #[must_use]
    pub fn file(&self) -> String {
        self.name.chars().take(NAME_LENGTH).collect::<String>().to_ascii_uppercase()
    }
}

impl Caption {
    /// Whether it is shown in no frame: it ends before it starts, or before the first frame.
    #[must_use]
    pub fn is_never_shown(&self) -> bool {
        self.stop <= self.start.max(1)
    }

    fn parse(index: u32, line: usize, value: &str) -> Self {
        let parts: Vec<&str> = value.splitn(FIELDS.saturating_add(1), ',').map(str::trim).collect();
        let (always, parts) = match parts.as_slice() {
            [always, rest @ ..]
                if rest.get(4).is_some_and(|stop| is_number(stop)) && rest.len() == FIELDS =>
            {
                (Some(integer(always)), rest.to_vec())
            }
            _ => (None, value.splitn(FIELDS, ',').map(str::trim).collect()),
        };
        let fields = parts.len().saturating_add(usize::from(always.is_some()));
        let [red, green, blue, start, stop, text] = *parts.as_slice() else {
            let (color, text) = (None, value.to_owned());
            return Self { index, always, color, start: 0, stop: 0, text, fields, line };
        };
        let color = Some([red, green, blue].map(integer));
        let text = text.to_owned();
        Self { index, always, color, start: integer(start), stop: integer(stop), text, fields, line }
    }
}

/// Returns the movies with their subtitles. The list ends at the first movie that has no name.
#[must_use]
pub fn movies(ini: &Ini) -> Vec<Movie> {
    let lookup = Lookup::new(ini);
    let Some(page) = lookup.section(SECTION) else { return Vec::new() };
    let named = (0_u32..).map_while(|number| {
        let name = page.value("movie_name", Some(number)).filter(|name| !name.is_empty())?;
        Some(Movie { number, name: name.to_owned(), captions: captions(page, number) })
    });
    named.collect()
}

/// Returns the subtitles of a movie in the section of the movies. The list ends at the first index that is missing or has no value.
#[must_use]
pub fn captions(page: &Section<'_>, movie: u32) -> Vec<Caption> {
    let key = format!("movie{movie}_text");
    let texts = (0_u32..).map_while(|index| {
        let entry = page.entry(&key, Some(index)).filter(|entry| !entry.value().is_empty())?;
        Some(Caption::parse(index, entry.line, entry.value()))
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::super::value::SYNTAX;
    use super::*;

    fn ini(lines: &str) -> Ini {
        Ini::parse(format!("[page3]\r\n{lines}").as_bytes(), SYNTAX).unwrap()
    }

    fn only(line: &str) -> Caption {
        let ini = ini(line);
        let mut captions = captions(Lookup::new(&ini).section(SECTION).unwrap(), 0);
        assert_eq!(captions.len(), 1, "{captions:?}");
        captions.remove(0)
    }

    #[test]
    fn reads_seven_fields() {
        let caption = only("movie0_text[0]=1,255,0,9,2,10,Hello, Cyrus.");
        let expected = Caption {
            index: 0,
            always: Some(1),
            color: Some([255, 0, 9]),
            start: 2,
            stop: 10,
            text: "Hello, Cyrus.".to_owned(),
            fields: 7,
            line: 2,
        };
        assert_eq!(caption, expected);
    }

    #[test]
    fn six_fields_do_not_say_whether_the_text_is_always_shown() {
        let caption = only(" Movie0_Text[ 0 ] = 255, 0, 9, 11, 20, Six fields, still read ; since 1998");
        assert_eq!((caption.always, caption.fields, caption.start, caption.stop), (None, 6, 11, 20));
        assert_eq!((caption.color, caption.text.as_str()), (Some([255, 0, 9]), "Six fields, still read"));
        assert_eq!(only("movie0_text[0]=1,2,3,31,40,plain").fields, 6);
        let seven = only("movie0_text[0]=no, 1, 2, 3, 21, 30,  1998, a year");
        assert_eq!((seven.always, seven.text.as_str(), seven.fields), (Some(0), "1998, a year", 7));
    }

    #[test]
    fn a_line_with_too_few_fields_has_only_a_text() {
        let caption = only("movie0_text[0]=0,1,2,3");
        assert_eq!((caption.color, caption.fields, caption.text.as_str()), (None, 4, "0,1,2,3"));
        assert!(caption.is_never_shown());
    }

    #[test]
    fn lists_end_at_the_first_gap_and_the_first_line_of_a_key_counts() {
        let text = "movie_name[0]=intro.smk\nmovie0_text[1]=0,1,2,3,5,9,b\nmovie0_text[0]=0,1,2,3,1,4,a\n\
                    movie0_text[0]=0,1,2,3,1,4,again\nmovie0_text[2]=\nmovie0_text[2]=0,1,2,3,1,4,c\n\
                    movie0_text[3]=0,1,2,3,1,4,d\nmovie_name[1]=averylongmoviename.smk\nmovie_name[3]=LOST.SMK\n\
                    [page4]\nmovie_name[2]=OTHER.SMK\n[PAGE3]\nmovie1_text[0]=0,1,2,3,1,4,second section\n";
        let movies = movies(&ini(text));
        let texts = |movie: &Movie| movie.captions.iter().map(|it| it.text.clone()).collect::<Vec<_>>();
        let found: Vec<_> = movies.iter().map(|movie| (movie.number, movie.file(), texts(movie))).collect();
        assert_eq!(
            found,
            [
                (0, "INTRO.SMK".to_owned(), vec!["a".to_owned(), "b".to_owned()]),
                (1, "AVERYLONGMOVIEN".to_owned(), vec!["second section".to_owned()]),
            ]
        );
    }

    #[test]
    fn a_text_is_shown_from_its_start_up_to_the_frame_before_its_stop() {
        let never = |start: i32, stop: i32| {
            only(&format!("movie0_text[0]=0,0,0,0,{start},{stop},x")).is_never_shown()
        };
        assert_eq!([(1, 2), (9, 10), (0, 2)].map(|(start, stop)| never(start, stop)), [false; 3]);
        assert_eq!([(1, 1), (10, 9), (0, 1), (-5, 0)].map(|(start, stop)| never(start, stop)), [true; 4]);
    }
}

//! Patterns that select files by name: `*.rsm`, `data/texture/**/*.bmp`.

use asset::archive::Entry;
use asset::wildcard::{is_match, letters, matches_chars};
use asset::{Charset, Error};
use files::layer::restored;
use files::name::composed;

/// A pattern that selects files by path. Letter case and the kind of slash are ignored.
///
/// `*` matches any characters, `?` one character, and `**` any folders. A pattern without a slash is matched against each
/// component of a path; one with a slash is matched against the path from its start. A pattern that matches a folder selects
/// everything in it.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    /// Components between slashes. If Korean letters of the pattern may have been decoded as Western ones, there is one form
    /// for each decoding.
    forms: Vec<Vec<Vec<char>>>,
}

/// Matches any folders.
const ANY_FOLDERS: [char; 2] = ['*', '*'];

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// Fails if the pattern is empty.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let composed = composed(text);
        if composed.chars().all(|letter| matches!(letter, '/' | '\\')) {
            return Err(Error::usage(format!("\"{text}\" is not a valid pattern")));
        }
        let restored = restored(&composed, Charset::Cp949);
        let korean = (restored != composed).then_some(&restored);
        let forms = [&composed].into_iter().chain(korean);
        let forms = forms.map(|form| components_of_pattern(form)).collect();
        Ok(Self { text: text.to_owned(), forms })
    }

    /// Returns the pattern as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches a file.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let folders = components(path);
        let is_any = |part: &Vec<char>| *part == ANY_FOLDERS;
        let matches_component = |part: &Vec<char>, folder: &Vec<char>| matches_chars(part, folder);
        !folders.is_empty()
            && self.forms.iter().any(|form| is_match(form, &folders, is_any, matches_component))
    }
}

/// Splits a path at slashes.
fn components(path: &str) -> Vec<Vec<char>> {
    path.split(['/', '\\']).filter(|part| !part.is_empty()).map(letters).collect()
}

/// Splits a pattern at slashes. A pattern without slashes may match below any folders, and anything may follow below a
/// match.
fn components_of_pattern(text: &str) -> Vec<Vec<char>> {
    let above = (!text.contains(['/', '\\'])).then(|| ANY_FOLDERS.to_vec());
    above.into_iter().chain(components(text)).chain([ANY_FOLDERS.to_vec()]).collect()
}

/// A set of patterns, at least one of which must match; an empty set matches every file.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    patterns: Vec<Pattern>,
    /// Text to search for, in lower case.
    text: Option<String>,
}

impl Patterns {
    /// Parses patterns.
    ///
    /// # Errors
    /// Fails if one of them is empty.
    pub fn parse(texts: &[String]) -> Result<Self, Error> {
        let patterns = texts.iter().map(|text| Pattern::parse(text)).collect::<Result<_, _>>()?;
        Ok(Self { patterns, text: None })
    }

    /// Whether one of the patterns matches a file.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| pattern.matches(path))
    }

    /// Restricts the selection to entries with this text in their name or note. Letter case is ignored.
    ///
    /// # Errors
    /// Fails if the text is empty.
    pub fn with_text(self, text: &str) -> Result<Self, Error> {
        if text.is_empty() {
            return Err(Error::usage("the search text is empty"));
        }
        Ok(Self { text: Some(text.to_lowercase()), ..self })
    }

    /// Whether an entry of a container is selected by its name and its text.
    #[must_use]
    pub fn choose(&self, entry: &Entry<'_>) -> bool {
        let has = |text: &String| {
            [&entry.name, &entry.note].iter().any(|field| field.to_lowercase().contains(text))
        };
        self.matches(&entry.name) && self.text.as_ref().is_none_or(has)
    }

    /// Iterates over the patterns.
    #[cfg(feature = "fs")]
    pub(super) fn iter(&self) -> impl Iterator<Item = &Pattern> {
        self.patterns.iter()
    }

    /// Returns the patterns that match none of these files.
    pub(super) fn unmatched(&self, paths: &[&str]) -> Vec<&str> {
        let unmatched = |pattern: &&Pattern| !paths.iter().any(|path| pattern.matches(path));
        self.patterns.iter().filter(unmatched).map(Pattern::text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        Pattern::parse(pattern).unwrap().matches(path)
    }

    #[test]
    fn wildcards_match_characters_and_folders() {
        for (pattern, path) in [
            ("*.rsm", "data\\model\\Mill.RSM"),
            ("mill.*", "data/model/mill.rsm"),
            ("m?ll*", "data/model/mill.rsm"),
            ("data/model/*.rsm", "DATA\\MODEL\\mill.rsm"),
            ("data/**/*.bmp", "data/a/b/c.bmp"),
            ("data/**/*.bmp", "data/c.bmp"),
            ("**", "x"),
            ("/data/x", "data/x"),
            ("data\\유저*", "data\\유저인터페이스\\a.bmp"),
            ("*a*b*c", "xxaxxbxxabc"),
            ("???.spr", "data/데이터.spr"),
            ("É?.BMP", "data/éà.bmp"),
            ("[a]{b}!.x", "data/[A]{B}!.X"),
            ("**/b/*c/**/d", "b/x/b/ac/c/e/d/f"),
            ("data/**", "data"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("*.rsm", "data/model/mill.rsm2"),
            ("model/*.rsm", "data/model/mill.rsm"),
            ("data/*.rsm", "data/model/mill.rsm"),
            ("data/**/x/*.bmp", "data/a/b/c.bmp"),
            ("data/x/y", "data/x"),
            ("m?ll", "mll"),
            ("m?ll", "m/ll"),
            ("????.spr", "데이터.spr"),
            ("[a].x", "a.x"),
            ("**/b/*c/d", "b/x/b/ac/c/e/d/f"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
        assert!(Pattern::parse("").is_err() && Pattern::parse("//").is_err());
    }

    #[test]
    fn a_pattern_that_matches_a_folder_selects_its_contents() {
        for pattern in ["data/model", "model", "data/model/", "data/*", "d*"] {
            assert!(matches(pattern, "data/model/deep/mill.rsm"), "{pattern}");
        }
        assert!(!matches("data/mode", "data/model/mill.rsm"));
    }

    #[test]
    fn pathological_patterns_are_fast() {
        let pattern = format!("{}b", "*a".repeat(200));
        let folders = format!("{}x", "**/".repeat(200));
        assert!(!matches(&pattern, &"a".repeat(2000)));
        assert!(!matches(&folders, &"y/".repeat(2000)));
        let both = format!("x/{}{}b/y", "**/a/".repeat(50), "*a".repeat(50));
        assert!(!matches(&both, &format!("x/{}/y", "a/aaaaaaaa/".repeat(200))));
    }
}

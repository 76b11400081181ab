//! Patterns that choose files by their names: `*.rsm`, `data/texture/**/*.bmp`.

use asset::archive::Entry;
use asset::wildcard::{is_like, is_match, letters};
use asset::{Charset, Error};
use files::layer::restored;
use files::name::composed;

/// Chooses files by their paths. Letter case and the kind of slash do not matter.
///
/// `*` stands for any letters, `?` for one, `**` for any folders. A pattern without a slash is compared with each part of a path,
/// one with a slash with the path from its beginning. What matches a folder chooses everything in it.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    /// The parts between slashes; of a pattern whose Korean letters may have been taken for western ones, those of both.
    forms: Vec<Vec<Vec<char>>>,
}

/// Stands for any folders.
const ANY_FOLDERS: [char; 2] = ['*', '*'];

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it is empty.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let composed = composed(text);
        if composed.chars().all(|letter| matches!(letter, '/' | '\\')) {
            return Err(Error::usage(format!("\"{text}\" is not a valid pattern")));
        }
        let restored = restored(&composed, Charset::Cp949);
        let korean = (restored != composed).then_some(&restored);
        let forms = [&composed].into_iter().chain(korean);
        let forms = forms.map(|form| parts_of_pattern(form)).collect();
        Ok(Self { text: text.to_owned(), forms })
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it chooses a file.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let folders = parts(path);
        let is_any = |part: &Vec<char>| *part == ANY_FOLDERS;
        let is_met = |part: &Vec<char>, folder: &Vec<char>| is_like(part, folder);
        !folders.is_empty() && self.forms.iter().any(|form| is_match(form, &folders, is_any, is_met))
    }
}

/// What stands between slashes.
fn parts(path: &str) -> Vec<Vec<char>> {
    path.split(['/', '\\']).filter(|part| !part.is_empty()).map(letters).collect()
}

/// The parts of a pattern. One without slashes may be below any folders, and anything may be below what matches.
fn parts_of_pattern(text: &str) -> Vec<Vec<char>> {
    let above = (!text.contains(['/', '\\'])).then(|| ANY_FOLDERS.to_vec());
    above.into_iter().chain(parts(text)).chain([ANY_FOLDERS.to_vec()]).collect()
}

/// Patterns of which one must choose a file; without any, every file is chosen.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    patterns: Vec<Pattern>,
    /// In lower case.
    text: Option<String>,
}

impl Patterns {
    /// Reads patterns.
    ///
    /// # Errors
    /// When one is empty.
    pub fn parse(texts: &[String]) -> Result<Self, Error> {
        let patterns = texts.iter().map(|text| Pattern::parse(text)).collect::<Result<_, _>>()?;
        Ok(Self { patterns, text: None })
    }

    /// Whether one of them chooses a file.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| pattern.matches(path))
    }

    /// The same, which of those files choose only what has this text in its name or in what is told of it. Letter case does not
    /// matter.
    ///
    /// # Errors
    /// When the text is empty.
    pub fn with_text(self, text: &str) -> Result<Self, Error> {
        if text.is_empty() {
            return Err(Error::usage("the search text is empty"));
        }
        Ok(Self { text: Some(text.to_lowercase()), ..self })
    }

    /// Whether an entry of a container is chosen, by its name and its text.
    #[must_use]
    pub fn choose(&self, entry: &Entry<'_>) -> bool {
        let has = |text: &String| {
            [&entry.name, &entry.note].iter().any(|field| field.to_lowercase().contains(text))
        };
        self.matches(&entry.name) && self.text.as_ref().is_none_or(has)
    }

    /// The patterns.
    #[cfg(feature = "fs")]
    pub(super) fn iter(&self) -> impl Iterator<Item = &Pattern> {
        self.patterns.iter()
    }

    /// Those that choose none of these files.
    pub(super) fn idle(&self, paths: &[&str]) -> Vec<&str> {
        let idle = |pattern: &&Pattern| !paths.iter().any(|path| pattern.matches(path));
        self.patterns.iter().filter(idle).map(Pattern::text).collect()
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

//! Patterns that choose files by their names: `*.rsm`, `data/texture/**/*.bmp`.

use asset::archive::Entry;
use asset::wildcard::is_like;
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
        let written = parts(&composed);
        let restored = restored(&composed, Charset::Cp949);
        let korean = (restored != composed).then(|| parts(&restored));
        Ok(Self { text: text.to_owned(), forms: [written].into_iter().chain(korean).collect() })
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it chooses a file.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let folded = path.to_lowercase();
        self.forms.iter().any(|parts| matches_parts(parts, &folded))
    }
}

/// The parts of a pattern. One without slashes may be below any folders.
fn parts(text: &str) -> Vec<Vec<char>> {
    let slashed = text.replace('\\', "/").to_lowercase();
    let parts = slashed.split('/').filter(|part| !part.is_empty()).map(|part| part.chars().collect());
    let any = (!slashed.contains('/')).then(|| ANY_FOLDERS.to_vec());
    any.into_iter().chain(parts).collect()
}

/// Whether the parts of a pattern choose a path in lower case.
fn matches_parts(parts: &[Vec<char>], path: &str) -> bool {
    let segments = path.split(['/', '\\']).filter(|segment| !segment.is_empty());
    // Which parts may come next: all of the pattern is walked through once for each segment.
    let mut next = vec![false; parts.len().saturating_add(1)];
    set(&mut next, 0);
    skip_any_folders(parts, &mut next);
    for segment in segments {
        let mut then = vec![false; next.len()];
        for ((index, part), _) in (0_usize..).zip(parts).zip(&next).filter(|(_, may)| **may) {
            if *part == ANY_FOLDERS {
                set(&mut then, index);
            } else if is_like(part, segment) {
                set(&mut then, index.saturating_add(1));
            }
        }
        next = then;
        skip_any_folders(parts, &mut next);
        if next.last() == Some(&true) {
            return true;
        }
    }
    false
}

/// `**` may stand for no folder at all.
fn skip_any_folders(parts: &[Vec<char>], next: &mut [bool]) {
    for (index, part) in (0_usize..).zip(parts) {
        if next.get(index) == Some(&true) && *part == ANY_FOLDERS {
            set(next, index.saturating_add(1));
        }
    }
}

fn set(flags: &mut [bool], index: usize) {
    if let Some(flag) = flags.get_mut(index) {
        *flag = true;
    }
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
    }
}

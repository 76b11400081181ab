//! Checks that every link of the pages at the root and of the book to a file of the project resolves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Result, paths};

const BOOK: &str = "docs/src";

/// The pages at the root of the project.
const ROOT: [&str; 4] = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

/// Checks all links. Returns their number; the error lists those that do not resolve.
pub(crate) fn check() -> Result<usize> {
    let root = paths::root();
    let book = paths::files_recursive(&root.join(BOOK), |path| paths::extension(path) == "md")?;
    let pages = ROOT.map(|page| root.join(page)).into_iter().chain(book.iter().cloned());
    let pages: BTreeMap<PathBuf, Page> = pages
        .map(|path| Ok((path.clone(), Page::parse(&fs::read_to_string(&path)?))))
        .collect::<Result<_>>()?;
    let mut followed = 0_usize;
    let mut broken = Vec::new();
    for (path, page) in &pages {
        for (line, link) in page.links.iter().filter(|(_, link)| !is_elsewhere(link)) {
            followed += 1;
            if let Err(why) = follow(path, link, &pages) {
                broken.push(format!("{}:{line}: {link}: {why}", paths::short(path)));
            }
        }
    }
    broken.extend(unlisted(&root.join(BOOK), &book, &pages));
    match broken.len() {
        0 => Ok(followed),
        count => Err(format!("{count} links do not resolve:\n  {}", broken.join("\n  ")).into()),
    }
}

/// Pages of the book that its summary does not list.
fn unlisted(folder: &Path, book: &[PathBuf], pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let summary = folder.join("SUMMARY.md");
    let Some(page) = pages.get(&summary) else { return vec![format!("{BOOK}/SUMMARY.md was not found")] };
    let listed: BTreeSet<_> = page.links.iter().map(|(_, link)| folder.join(link)).collect();
    let missing = book.iter().filter(|path| **path != summary && !listed.contains(*path));
    missing.map(|path| format!("{} is not in {BOOK}/SUMMARY.md", paths::short(path))).collect()
}

fn is_elsewhere(link: &str) -> bool {
    ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme))
}

fn follow(from: &Path, link: &str, pages: &BTreeMap<PathBuf, Page>) -> std::result::Result<(), &'static str> {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = if file.is_empty() { from.to_path_buf() } else { from.parent().unwrap_or(from).join(file) };
    let path = path.canonicalize().map_err(|_| "the file was not found")?;
    if anchor.is_empty() {
        return Ok(());
    }
    let page = pages.iter().find(|(known, _)| known.canonicalize().is_ok_and(|known| known == path));
    match page {
        Some((_, page)) if page.anchors.contains(anchor) => Ok(()),
        Some(_) => Err("the page has no such heading"),
        None => Err("the file is not a page of the book, so its headings are unknown"),
    }
}

/// The links and anchors of a Markdown page.
#[derive(Debug, Default, PartialEq)]
struct Page {
    /// Targets with their line numbers.
    links: Vec<(usize, String)>,
    anchors: BTreeSet<String>,
}

impl Page {
    fn parse(text: &str) -> Self {
        let mut out = Self::default();
        let mut in_code = false;
        for (line, number) in text.lines().zip(1..) {
            if line.trim_start().starts_with("```") {
                in_code = !in_code;
            } else if !in_code {
                out.links.extend(links(line).map(|link| (number, link)));
                out.anchors.extend(anchor(line));
            }
        }
        out
    }
}

/// The targets of the links on a line, except in code.
fn links(line: &str) -> impl Iterator<Item = String> {
    let outside_code: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let targets: Vec<_> = outside_code
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .filter_map(|(target, _)| target.split_whitespace().next().map(str::to_owned))
        .collect();
    targets.into_iter()
}

/// The anchor of a heading: the explicit one, or the one derived from its text.
fn anchor(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    if let Some((_, own)) = heading.split_once("{#") {
        return own.split_once('}').map(|(own, _)| own.to_owned());
    }
    let letter = |c: char| match c {
        _ if c.is_alphanumeric() => c.to_lowercase().next(),
        '-' | '_' => Some(c),
        _ if c.is_whitespace() => Some('-'),
        _ => None,
    };
    Some(heading.trim().chars().filter_map(letter).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_links_and_headings_outside_of_code() {
        let page = Page::parse(
            "# A page: `x` and y\n\nSee [one](one.md), [two](two.md#part \"title\") and `[no](no.md)`.\n\
             ```\n[no](no.md)\n# no\n```\n![picture](a.png)\n### CODE-1: it {#code-1}\n",
        );
        let links: Vec<_> = page.links.iter().map(|(line, link)| (*line, link.as_str())).collect();
        assert_eq!(links, [(3, "one.md"), (3, "two.md#part"), (8, "a.png")]);
        assert_eq!(page.anchors, BTreeSet::from(["a-page-x-and-y".to_owned(), "code-1".to_owned()]));
    }

    #[test]
    fn ignores_links_to_other_sites() {
        assert!(is_elsewhere("https://example.com/x.md") && !is_elsewhere("formats/index.md"));
    }
}

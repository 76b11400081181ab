//! Tests that no crate has dependency cycles among its top-level modules, the folders within a folder, or its files. A file and its
//! submodules may use each other.
//!
//! A dependency is a path in a module that starts with `crate`, `self` or `super` and resolves to another module, possibly through
//! re-exports. Tests and samples are ignored. To break a cycle, move the shared code to a third module.

#![allow(clippy::string_slice, clippy::needless_pass_by_value, reason = "the sources are trusted text")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::{Result, paths};

/// A module's path within its crate; empty for the root.
type Module = Vec<String>;

/// Permitted cycles, each with the reason.
const ALLOWED: &[(&str, &[&str], &str)] = &[(
    "record",
    &["bytes", "number", "reader", "record_trait", "writer"],
    "a record is what a reader reads and a writer writes, and both take records",
)];

/// The modules of a crate.
struct Crate {
    /// The code of each module.
    texts: BTreeMap<Module, String>,
    /// Re-exported names and the paths of their originals.
    exports: BTreeMap<Module, Module>,
}

impl Crate {
    fn read(folder: &Path) -> Result<Self> {
        let mut texts = BTreeMap::new();
        for file in paths::files_recursive(folder, |path| paths::extension(path) == "rs")? {
            let module = module_of(file.strip_prefix(folder)?);
            let is_ignored = |part: &String| part == "tests" || part == "sample" || part.ends_with("_tests");
            if !module.iter().any(is_ignored) {
                texts.insert(module, code(&std::fs::read_to_string(&file)?));
            }
        }
        let mut out = Self { texts, exports: BTreeMap::new() };
        for (module, text) in &out.texts {
            for Import { path, name } in exported(text) {
                if let Some(target) = out.absolute(module, &path) {
                    out.exports.insert([&module[..], &[name]].concat(), target);
                }
            }
        }
        Ok(out)
    }

    /// Resolves a path that a module contains to a path from the root of the crate; `None` if it is in another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let (_, parent) = module.split_last()?;
                match rest.first().map(String::as_str) {
                    Some("super") => self.absolute(parent, rest),
                    _ => Some([parent, rest].concat()),
                }
            }
            _ => {
                let child = [module, &path[..1]].concat();
                self.texts.contains_key(&child).then(|| [module, path].concat())
            }
        }
    }

    /// The module that defines the item at a path.
    fn defining_module(&self, path: &[String]) -> Module {
        let mut path = path.to_vec();
        // A name may be re-exported several times, but not endlessly.
        for _ in 0..8 {
            let length = (0..=path.len()).rev().find(|length| self.texts.contains_key(&path[..*length]));
            let length = length.unwrap_or_default();
            let target = path.get(..=length).and_then(|name| self.exports.get(name));
            match target {
                Some(target) => path = [&target[..], &path[length + 1..]].concat(),
                None => return path[..length].to_vec(),
            }
        }
        path
    }

    /// The pairs of modules of which the first uses the second.
    fn dependencies(&self) -> BTreeSet<(Module, Module)> {
        let mut out = BTreeSet::new();
        for (module, text) in &self.texts {
            for Import { path, .. } in paths(text) {
                let Some(path) = self.absolute(module, &path) else { continue };
                let target = self.defining_module(&path);
                if target != *module {
                    out.insert((module.clone(), target));
                }
            }
        }
        out
    }

    /// The cycles among files, without dependencies between a module and its parents.
    fn cycles_of_files(&self) -> Vec<Cycle> {
        let are_unrelated = |(from, to): &(Module, Module)| {
            !from.starts_with(to.as_slice()) && !to.starts_with(from.as_slice())
        };
        Cycle::all(self.dependencies().iter().filter(|it| are_unrelated(it)), |module| Some(module.clone()))
    }

    /// The cycles among the modules of the root, and among the folders within each folder.
    fn cycles_of_folders(&self) -> Vec<Cycle> {
        let dependencies = self.dependencies();
        let folders: BTreeSet<&[String]> =
            self.texts.keys().filter_map(|module| module.split_last()).map(|(_, folder)| folder).collect();
        let mut out = Vec::new();
        for folder in &folders {
            let depth = folder.len();
            let child = |module: &Module| -> Option<Module> {
                let child = module.get(..=depth).filter(|child| child.starts_with(folder))?;
                (depth == 0 || folders.contains(child)).then(|| child.to_vec())
            };
            out.extend(Cycle::all(&dependencies, child));
        }
        out
    }
}

/// Modules that depend on each other.
#[derive(Debug, Clone)]
struct Cycle {
    modules: BTreeSet<String>,
    /// An example for each dependency.
    examples: Vec<String>,
}

impl Cycle {
    /// The cycles in the graph of dependencies whose nodes are the units that `unit` returns for modules.
    fn all<'a>(
        dependencies: impl IntoIterator<Item = &'a (Module, Module)>,
        unit: impl Fn(&Module) -> Option<Module>,
    ) -> Vec<Self> {
        let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        let mut named: BTreeMap<(Module, Module), Vec<String>> = BTreeMap::new();
        for (from, to) in dependencies {
            let (Some(a), Some(b)) = (unit(from), unit(to)) else { continue };
            if a != b {
                edges.entry(a.clone()).or_default().insert(b.clone());
                let example = format!("{} uses {}", from.join("::"), to.join("::"));
                named.entry((a, b)).or_default().push(example);
            }
        }
        components(&edges).into_iter().map(|component| Self::new(component, &named)).collect()
    }

    fn new(component: BTreeSet<Module>, named: &BTreeMap<(Module, Module), Vec<String>>) -> Self {
        let inside =
            named.iter().filter(|((from, to), _)| component.contains(from) && component.contains(to));
        let examples = inside.filter_map(|(_, examples)| examples.first().cloned()).collect();
        Self { modules: component.iter().map(|module| module.join("::")).collect(), examples }
    }
}

/// The strongly connected components with more than one node.
fn components(edges: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<BTreeSet<Module>> {
    let reached = |start: &Module| -> BTreeSet<Module> {
        let (mut out, mut todo) = (BTreeSet::new(), vec![start]);
        while let Some(module) = todo.pop() {
            for next in edges.get(module).into_iter().flatten() {
                if out.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        out
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        edges.keys().map(|module| (module, reached(module))).collect();
    let mut out = BTreeSet::new();
    for (module, others) in &reached {
        let component: BTreeSet<Module> = others
            .iter()
            .filter(|other| reached.get(other).is_some_and(|back| back.contains(*module)))
            .cloned()
            .collect();
        if component.len() > 1 {
            out.insert(component);
        }
    }
    out
}

/// `image/png.rs` is `image::png`, `image/mod.rs` is `image`.
fn module_of(path: &Path) -> Module {
    let mut out: Module =
        path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if out.last().is_some_and(|last| last == "mod" || (out.len() == 1 && (last == "lib" || last == "main"))) {
        out.pop();
    }
    out
}

/// The code of a module, without comments and tests.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let end = text.match_indices("#[cfg(test)]").map(|(at, _)| at).find(|at| {
        let block = text[*at..].lines().nth(1).unwrap_or_default();
        block.contains("mod ") && block.ends_with('{')
    });
    text[..end.unwrap_or(text.len())].to_owned()
}

/// Every path that starts with `crate`, `self` or `super`, with the braces of imports expanded.
fn paths(text: &str) -> Vec<Import> {
    let mut out = Vec::new();
    for start in ["crate::", "self::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if !before.is_some_and(|letter| letter.is_alphanumeric() || "_:$".contains(letter)) {
                expand(&mut &text[at..], &[], &mut out);
            }
        }
    }
    out
}

/// The paths that a module re-exports with `pub use`.
fn exported(text: &str) -> Vec<Import> {
    let mut out = Vec::new();
    for statement in text.split(';') {
        let Some((before, path)) = statement.split_once("use ") else { continue };
        let visibility = before.lines().last().unwrap_or_default().trim();
        if visibility.starts_with("pub") {
            expand(&mut path.trim_start(), &[], &mut out);
        }
    }
    out
}

/// An imported path and its local name.
struct Import {
    path: Module,
    name: String,
}

/// Reads a path such as `a::{b, c::d}`, appends each path in it to `out`, and moves `rest` past it.
fn expand(rest: &mut &str, before: &[String], out: &mut Vec<Import>) {
    let mut path = before.to_vec();
    loop {
        *rest = rest.trim_start();
        if let Some(inner) = rest.strip_prefix('{') {
            *rest = inner;
            while !rest.is_empty() && !rest.starts_with('}') {
                let length = rest.len();
                expand(rest, &path, out);
                *rest = rest.trim_start().trim_start_matches(',').trim_start();
                if rest.len() == length {
                    break;
                }
            }
            *rest = rest.strip_prefix('}').unwrap_or(rest);
            return;
        }
        let end = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
        *rest = after;
        if !name.is_empty() {
            path.push(name.to_owned());
        }
        match rest.strip_prefix("::") {
            Some(inner) => *rest = inner,
            None => break,
        }
    }
    *rest = rest.strip_prefix('*').unwrap_or(rest);
    let renamed = rest.trim_start().strip_prefix("as ").map(|renamed| {
        let end = renamed.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let (name, after) = renamed.split_at(end.unwrap_or(renamed.len()));
        *rest = after;
        name.to_owned()
    });
    if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
        path.pop();
    }
    if let Some(name) = renamed.or_else(|| path.last().cloned()) {
        out.push(Import { path, name });
    }
}

#[test]
fn no_crate_has_dependency_cycles() {
    let crates = paths::root().join("crates");
    let mut names: Vec<_> = std::fs::read_dir(&crates)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| crates.join(name).join("src").is_dir())
        .collect();
    names.sort();
    assert!(names.len() > 10, "{names:?}");
    let (mut used, mut refused) = (BTreeSet::new(), Vec::new());
    for name in names {
        let sources = Crate::read(&crates.join(&name).join("src")).unwrap();
        for cycle in [sources.cycles_of_folders(), sources.cycles_of_files()].concat() {
            let allowed = ALLOWED.iter().position(|(owner, modules, _)| {
                *owner == name && cycle.modules.iter().map(String::as_str).eq(modules.iter().copied())
            });
            match allowed {
                Some(allowed) => drop(used.insert(allowed)),
                None => refused.push(format!(
                    "crate {name}: {:?} form a dependency cycle:\n{}",
                    cycle.modules,
                    cycle.examples.join("\n")
                )),
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
    assert_eq!(used.len(), ALLOWED.len(), "a permitted cycle no longer exists; remove it from the list");
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn temporary_crate(files: &[(&str, &str)]) -> Crate {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("cycle-{}-{number}", std::process::id()));
        for (name, text) in files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let out = Crate::read(&folder).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        out
    }

    #[test]
    fn finds_a_cycle_through_a_re_export() {
        let found = temporary_crate(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::{Other, Thing};\n"),
            ("a.rs", "use crate::{Thing, c::Last};\n"),
            ("b.rs", "fn f() { super::c::last() }\n"),
            ("c.rs", "// use crate::a::Not;\n"),
        ]);
        assert!(found.cycles_of_folders().is_empty());
        let found = temporary_crate(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::{Other, Thing};\n"),
            ("a.rs", "use crate::{Thing, c::Last};\n"),
            ("b.rs", "fn f() { super::c::last() }\n"),
            ("c.rs", "use crate::a::{self, First};\n#[cfg(test)]\nmod tests {\n    use crate::b;\n}\n"),
            ("d.rs", ""),
        ]);
        let cycles = found.cycles_of_folders();
        assert_eq!(cycles.len(), 1);
        assert_eq!(cycles[0].modules.iter().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(cycles[0].examples.len(), 4);
    }

    #[test]
    fn finds_a_cycle_among_folders_within_a_folder() {
        let found = temporary_crate(&[
            ("lib.rs", "mod group;\n"),
            ("group/mod.rs", "mod one;\nmod two;\npub use one::First;\n"),
            ("group/one/mod.rs", "use super::two::Second;\n"),
            ("group/one/part.rs", ""),
            ("group/two/mod.rs", "use crate::group::First;\n"),
            ("group/two/part.rs", "use super::super::one;\n"),
        ]);
        let cycles = found.cycles_of_folders();
        assert_eq!(cycles.len(), 1);
        assert_eq!(cycles[0].modules.iter().collect::<Vec<_>>(), ["group::one", "group::two"]);
    }

    #[test]
    fn finds_a_cycle_among_files_but_not_with_their_parent() {
        let found = temporary_crate(&[
            ("lib.rs", "mod group;\npub use group::Whole;\n"),
            ("group/mod.rs", "mod one;\nmod two;\nmod three;\npub struct Whole(self::one::First);\n"),
            ("group/one.rs", "use super::two::Second;\nfn of(whole: &super::Whole) {}\n"),
            ("group/two.rs", "use super::three::Third;\nfn of(whole: &crate::Whole) {}\n"),
            ("group/three.rs", "fn first() -> super::one::First {}\n"),
            ("group/four.rs", "use super::one::First;\n"),
        ]);
        assert!(found.cycles_of_folders().is_empty());
        let cycles = found.cycles_of_files();
        assert_eq!(cycles.len(), 1);
        assert_eq!(
            cycles[0].modules.iter().collect::<Vec<_>>(),
            ["group::one", "group::three", "group::two"]
        );
    }
}

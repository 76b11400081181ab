//! The declarations of the crates: structs and enums by module, and the resolution of names in them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use syn::{Item, UseTree};

/// A struct or an enum, and the module that declares it, such as `redguard::model::glide`.
pub(crate) struct Declaration {
    pub(crate) module: String,
    pub(crate) item: Item,
}

impl Declaration {
    pub(crate) fn name(&self) -> String {
        match &self.item {
            Item::Struct(item) => item.ident.to_string(),
            Item::Enum(item) => item.ident.to_string(),
            Item::Type(item) => item.ident.to_string(),
            _ => String::new(),
        }
    }

    /// The full path.
    pub(crate) fn path(&self) -> String {
        format!("{}::{}", self.module, self.name())
    }
}

/// All declarations.
#[derive(Default)]
pub(crate) struct Declarations {
    all: Vec<Declaration>,
    /// Indices into `all`, by name.
    named: BTreeMap<String, Vec<usize>>,
    /// The imports of each module: paths by imported name.
    imports: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

impl Declarations {
    /// Reads the sources of a crate, without tests.
    pub(crate) fn read(&mut self, name: &str, folder: &Path) -> Result<(), Box<dyn Error>> {
        self.read_folder(name, folder)
    }

    fn read_folder(&mut self, module: &str, folder: &Path) -> Result<(), Box<dyn Error>> {
        let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if stem == "tests" || stem.ends_with("_tests") {
                continue;
            }
            let inner = match stem.as_str() {
                "lib" | "mod" => module.to_owned(),
                stem => format!("{module}::{stem}"),
            };
            if path.is_dir() {
                self.read_folder(&inner, &path)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.add(&inner, syn::parse_file(&fs::read_to_string(&path)?)?.items);
            }
        }
        Ok(())
    }

    fn add(&mut self, module: &str, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Use(item) => {
                    let imports = self.imports.entry(module.to_owned()).or_default();
                    import(&item.tree, &mut Vec::new(), imports);
                }
                Item::Struct(_) | Item::Enum(_) | Item::Type(_) => {
                    let declaration = Declaration { module: module.to_owned(), item };
                    self.named.entry(declaration.name()).or_default().push(self.all.len());
                    self.all.push(declaration);
                }
                _ => {}
            }
        }
    }

    /// Resolves a name in a module: a declaration of that module, an imported one, or the single nearest one with that name.
    pub(crate) fn find(&self, name: &str, module: &str) -> Option<&Declaration> {
        let all: Vec<&Declaration> =
            self.named.get(name)?.iter().filter_map(|index| self.all.get(*index)).collect();
        let here = all.iter().find(|declaration| declaration.module == module);
        if let Some(found) = here {
            return Some(found);
        }
        let imported = self.imports.get(module).and_then(|imports| imports.get(name));
        let wanted = imported.map_or_else(|| module.to_owned(), |path| absolute(path, module));
        let nearest = all.iter().max_by_key(|declaration| shared(&declaration.module, &wanted))?;
        // Several equally near declarations are ambiguous.
        let depth = shared(&nearest.module, &wanted);
        let equal = all.iter().filter(|declaration| shared(&declaration.module, &wanted) == depth).count();
        (depth > 0 && equal == 1).then_some(nearest)
    }
}

/// Adds the names that a `use` imports.
fn import(tree: &UseTree, path: &mut Vec<String>, out: &mut BTreeMap<String, Vec<String>>) {
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            import(&inner.tree, path, out);
            path.pop();
        }
        UseTree::Name(name) => {
            out.insert(name.ident.to_string(), path.clone());
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| import(tree, path, out)),
        _ => {}
    }
}

/// Resolves the path of a `use` to a path that starts with its crate.
fn absolute(path: &[String], module: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for (index, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" => out.extend(module.split("::").take(1)),
            "self" if index == 0 => out.extend(module.split("::")),
            "super" if index == 0 => {
                out.extend(module.split("::"));
                out.pop();
            }
            "super" => drop(out.pop()),
            "redguard_files" | "redguard_world" if index == 0 => out.push("redguard"),
            name if index == 0 && !name.is_empty() && is_child(name, module) => {
                out.extend(module.split("::"));
                out.push(name);
            }
            name => out.push(name),
        }
    }
    out.join("::")
}

/// Whether the first name of a `use` is a submodule rather than a crate.
fn is_child(name: &str, module: &str) -> bool {
    const CRATES: [&str; 6] = ["asset", "record", "scene", "redguard", "scpcb", "ragnarok"];
    !CRATES.contains(&name) && !module.is_empty()
}

/// The number of leading names that two module paths share.
fn shared(a: &str, b: &str) -> usize {
    a.split("::").zip(b.split("::")).take_while(|(a, b)| a == b).count()
}

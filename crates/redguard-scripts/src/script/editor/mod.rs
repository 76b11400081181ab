//! What a program for editing texts asks of the scripts of a map: `antiquary script lsp`.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::{Charset, Context, Unpacked};
use record::{Bytes, Result, Source};
use soup::bytecode::{Operands, Script};
use soup::editor::{
    self, Completions, Finding, Hover, Known, MapKnowledge, NameKind, NotRenamed, Occurrence, Position,
    Signature, Span,
};
use soup::text::{Surroundings, actor_of};
use soup::{Definitions, Lexicon};

use super::{OPERANDS, ScriptContext};
use redguard_files::settings::def::{DefinitionFile, GameNames};
use redguard_files::settings::ini::{item_line, item_names};
use redguard_files::sound::rtx;
use redguard_world::map::Map;
use redguard_world::map::script::{Scripts, map_names};

/// What the file of definitions is called.
const DEFINITIONS: &str = "SOUP386.DEF";

/// A text of the game that is no script.
#[derive(Debug, Clone, Default)]
struct TextFile {
    path: Option<PathBuf>,
    name: String,
    text: String,
}

/// An object of the map.
#[derive(Debug)]
struct Actor {
    texts: Vec<String>,
    /// How many variables it has.
    locals: usize,
    script: Option<Bytes>,
    start: u32,
}

/// A text that is edited.
#[derive(Debug, Clone, Copy)]
pub struct EditedText<'a> {
    /// The name of its file without folders and extension, which may name what it belongs to.
    pub stem: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A script of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedScript {
    /// The number of its object.
    pub number: usize,
    /// The name of its object.
    pub name: String,
}

/// Where something is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declaration {
    /// In a text that is no script.
    File {
        /// Where the file stands on disk, if it does.
        path: Option<PathBuf>,
        /// What it is called.
        name: String,
        /// What it holds.
        text: String,
        /// Where in it.
        span: Span,
    },
    /// It is what a script of the same map belongs to.
    Script(EditedScript),
}

/// Knows the names of a game and the objects of one of its maps. Takes any text.
#[derive(Debug)]
pub struct ScriptEditor {
    lexicon: Lexicon,
    /// The names of the objects, by number.
    objects: Vec<String>,
    /// The objects, by number.
    actors: Vec<Actor>,
    /// What is spoken with each dialogue label.
    lines: Arc<BTreeMap<String, String>>,
    operands: Operands,
    definitions: TextFile,
    items: Option<TextFile>,
}

impl ScriptEditor {
    /// What is known with a map, or with a game alone. The path is that of the file of definitions in the context.
    ///
    /// # Errors
    /// When the definitions cannot be read, or the scripts of the map are too long.
    pub fn open(map: Option<&Map>, around: &ScriptContext<'_>, definitions: Option<&Path>) -> Result<Self> {
        let context = &around.context;
        let (names, file) = definitions_of(around, definitions)?;
        let lexicon = Lexicon::new(&names, &item_names(context), &map_names(context));
        let mut out = Self {
            lexicon,
            objects: Vec::new(),
            actors: Vec::new(),
            lines: rtx::texts(context).unwrap_or_default(),
            operands: context.options.choice(&OPERANDS),
            definitions: file,
            items: text_of_game(context, "ITEM.INI"),
        };
        let Some(map) = map else { return Ok(out) };
        let scripts = Scripts::of_game(map, &around.context, around.definitions)?;
        scripts.refuse_too_much(None)?;
        for object in map.objects() {
            out.objects.push(object.name.text());
            out.actors.push(Actor {
                texts: scripts.texts(object),
                locals: usize::try_from(object.variable_count).unwrap_or(usize::MAX),
                script: scripts.sections.script(object).map(Bytes::from),
                start: object.script_start,
            });
        }
        Ok(out)
    }

    /// What is known with an unpacked map; `None` where it has no texts of scripts.
    ///
    /// # Errors
    /// When the map cannot be read.
    pub fn open_unpacked(folder: &Unpacked, around: &ScriptContext<'_>) -> Result<Option<Self>> {
        let Some((map, (lexicon, definitions))) = redguard_world::map::for_scripts(folder)? else {
            return Ok(None);
        };
        let mut out = Self::open(Some(&map), around, None)?;
        out.lexicon = lexicon;
        // The file of the game has its place on disk; the map may have been unpacked with another one.
        if let Some(text) = definitions.filter(|text| *text != out.definitions.text) {
            out.definitions = TextFile { path: None, name: DEFINITIONS.to_owned(), text };
        }
        Ok(Some(out))
    }

    fn by_name(&self, name: &str) -> Option<usize> {
        self.objects.iter().position(|object| object.eq_ignore_ascii_case(name))
    }

    fn with_known<T>(&self, owner: Option<usize>, run: impl FnOnce(&Known<'_>) -> T) -> T {
        let spoken = |label: &str| self.lines.get(label).cloned();
        let actor = owner.and_then(|number| self.actors.get(number));
        let name = owner.and_then(|number| self.objects.get(number));
        let around = Surroundings {
            lexicon: &self.lexicon,
            actor: name.map_or("", String::as_str),
            index: owner.unwrap_or_default(),
            texts: actor.map_or(&[], |actor| actor.texts.as_slice()),
            spoken: &spoken,
        };
        run(&Known {
            around,
            map: if actor.is_some() { MapKnowledge::Known } else { MapKnowledge::Unknown },
            locals: actor.map_or(0, |actor| actor.locals),
            objects: &self.objects,
            lines: &self.lines,
        })
    }

    fn edited(&self, number: usize) -> Option<EditedScript> {
        Some(EditedScript { number, name: self.objects.get(number)?.clone() })
    }
}

/// The names of functions and flags, and the file that they stand in.
fn definitions_of(around: &ScriptContext<'_>, given: Option<&Path>) -> Result<(Arc<Definitions>, TextFile)> {
    let name = DEFINITIONS.to_owned();
    if let Some(source) = around.definitions {
        let file = DefinitionFile::read(source)?;
        let text = file.text();
        let path = given.map(Path::to_path_buf);
        return Ok((Arc::new(file.names().clone()), TextFile { path, name, text }));
    }
    let names = GameNames::of_game(&around.context);
    let text = match GameNames::file_of_game(&around.context).filter(|_| names.is_own) {
        Some(source) => DefinitionFile::read(&source)?.text(),
        None => soup::definitions::SHIPPED_FILE.to_owned(),
    };
    let path = GameNames::path_of_game(&around.context).filter(|_| names.is_own);
    Ok((names.names, TextFile { path, name, text }))
}

/// Longer settings are not shown.
const LONGEST: u64 = 4 << 20;

fn text_of_game(context: &Context<'_>, name: &str) -> Option<TextFile> {
    let found = context.install.find(name).found()?;
    let source: Source = context.install.open(&found.location).ok()?;
    let bytes = (source.len() <= LONGEST).then(|| source.read_all())?.ok()?;
    let text = Charset::Cp437.decode(&bytes).into_owned();
    Some(TextFile { path: context.install.on_disk(&found.location), name: name.to_owned(), text })
}

impl TextFile {
    fn declaration(&self, span: Span) -> Declaration {
        Declaration::File { path: self.path.clone(), name: self.name.clone(), text: self.text.clone(), span }
    }
}

impl ScriptEditor {
    /// Whose script a text is: the number of the object.
    #[must_use]
    pub fn owner(&self, text: &EditedText<'_>) -> Option<usize> {
        if let Some((name, number)) = actor_of(text.text) {
            let is_it = |number: &usize| self.objects.get(*number).is_some_and(|it| *it == name);
            return number.filter(is_it).or_else(|| self.by_name(&name));
        }
        // An unpacked map has them as `012-NAME.soup`.
        let numbered = || {
            let (number, name) = text.stem.split_once('-')?;
            let number: usize = number.parse().ok()?;
            self.objects.get(number).filter(|it| it.eq_ignore_ascii_case(name)).map(|_| number)
        };
        self.by_name(text.stem).or_else(numbered)
    }

    /// The scripts of the map.
    #[must_use]
    pub fn scripts(&self) -> Vec<EditedScript> {
        let has_script = |number: &usize| {
            self.actors.get(*number).is_some_and(|it| it.script.as_ref().is_some_and(|it| !it.is_empty()))
        };
        (0..self.actors.len()).filter(has_script).filter_map(|number| self.edited(number)).collect()
    }

    /// A script of the map as text.
    #[must_use]
    pub fn script(&self, number: usize) -> Option<String> {
        let actor = self.actors.get(number)?;
        let script = Script::read(actor.script.as_ref()?, actor.start, self.operands);
        Some(self.with_known(Some(number), |known| script.text(&known.around).text))
    }

    /// What is wrong with a text, in the order of its lines.
    #[must_use]
    pub fn findings(&self, text: &EditedText<'_>) -> Vec<Finding> {
        self.with_known(self.owner(text), |known| editor::findings(text.text, known))
    }

    /// What may stand at a position.
    #[must_use]
    pub fn complete(&self, text: &EditedText<'_>, at: Position) -> Option<Completions> {
        self.with_known(self.owner(text), |known| editor::complete(text.text, known, at))
    }

    /// What is known of the name at a position.
    #[must_use]
    pub fn hover(&self, text: &EditedText<'_>, at: Position) -> Option<Hover> {
        self.with_known(self.owner(text), |known| editor::hover(text.text, known, at))
    }

    /// The call around a position.
    #[must_use]
    pub fn signature(&self, text: &EditedText<'_>, at: Position) -> Option<Signature> {
        self.with_known(self.owner(text), |known| editor::signature(text.text, known, at))
    }

    /// All names in a text.
    #[must_use]
    pub fn names(&self, text: &str) -> Vec<Occurrence> {
        editor::names(text, &self.lexicon)
    }

    /// The name at a position.
    #[must_use]
    pub fn name_at(&self, text: &str, at: Position) -> Option<Occurrence> {
        editor::name_at(text, &self.lexicon, at)
    }

    /// What would be renamed at a position, and whether it may have the new name.
    ///
    /// # Errors
    /// Why it cannot be renamed.
    pub fn rename(
        &self,
        text: &EditedText<'_>,
        at: Position,
        new_name: Option<&str>,
    ) -> std::result::Result<Occurrence, NotRenamed> {
        self.with_known(self.owner(text), |known| editor::rename(text.text, known, at, new_name))
    }

    /// Where something is declared outside of texts.
    #[must_use]
    pub fn declaration(&self, kind: NameKind, name: &str) -> Option<Declaration> {
        match kind {
            NameKind::Text => {
                self.by_name(name).and_then(|number| self.edited(number)).map(Declaration::Script)
            }
            NameKind::Item => {
                let file = self.items.as_ref()?;
                let (line, start, end) = item_line(&file.text, name)?;
                Some(file.declaration(Span { line, start, end }))
            }
            _ => {
                let file = &self.definitions;
                Some(file.declaration(editor::declared_in(&file.text, kind, name)?))
            }
        }
    }
}

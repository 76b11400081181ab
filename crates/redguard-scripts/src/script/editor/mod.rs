//! Language server features for the scripts of a map, used by `antiquary script lsp`.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::{Charset, Context, Unpacked};
use record::{Bytes, Result, Source};
use soup::bytecode::{Operands, Script};
use soup::editor::{
    self, Completions, EditContext, Finding, Hover, MapKnowledge, NameKind, Occurrence, Position,
    RenameError, Signature, Span,
};
use soup::text::{SourceContext, actor_of};
use soup::{Definitions, Lexicon, SpokenLines};

use super::{OPERANDS, ScriptContext};
use redguard_files::location::Named;
use redguard_files::settings::def::{DefinitionFile, GameNames};
use redguard_files::settings::ini::{item_line, item_names};
use redguard_files::sound::rtx;
use redguard_world::map::Map;
use redguard_world::map::script::{Scripts, map_names};

/// The file name of the definitions.
const DEFINITIONS: &str = "SOUP386.DEF";

/// A text file of the game that is not a script.
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
    /// The number of variables.
    locals: usize,
    script: Option<Bytes>,
    start: u32,
}

/// A text that is being edited.
#[derive(Debug, Clone, Copy)]
pub struct EditedText<'a> {
    /// The file name without folders and extension; it may identify the owner of the text.
    pub stem: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A script of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedScript {
    /// The index of the script's object.
    pub number: usize,
    /// The name of the script's object.
    pub name: String,
}

/// The location of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declaration {
    /// A span of a text file that is not a script.
    File {
        /// The path of the file on disk; `None` if it is not on disk.
        path: Option<PathBuf>,
        /// The name of the file.
        name: String,
        /// The content of the file.
        text: String,
        /// The span of the declaration.
        span: Span,
    },
    /// The owner of a script of the same map.
    Script(EditedScript),
}

/// Answers language server requests, based on the names of a game and the objects of one of its maps. Accepts any text.
#[derive(Debug)]
pub struct ScriptEditor {
    lexicon: Lexicon,
    /// The names of the objects, by index.
    objects: Vec<String>,
    /// The objects, by index.
    actors: Vec<Actor>,
    /// The spoken text of each dialogue label.
    lines: Arc<SpokenLines>,
    operands: Operands,
    definitions: TextFile,
    items: Option<TextFile>,
}

impl ScriptEditor {
    /// Creates an editor for a map, or only for a game. `definitions` is the path of the definition file in the context.
    ///
    /// # Errors
    /// Returns an error if the definitions cannot be read, or the scripts of the map are too long.
    pub fn open(
        map: Option<&Map>,
        script_context: &ScriptContext<'_>,
        definitions: Option<&Path>,
    ) -> Result<Self> {
        let context = &script_context.context;
        let (names, file) = definitions_of(script_context, definitions)?;
        let lexicon = Lexicon::new(&names, &item_names(context), &map_names(context));
        let mut out = Self {
            lexicon,
            objects: Vec::new(),
            actors: Vec::new(),
            lines: rtx::texts(context).unwrap_or_default(),
            operands: context.options.choice(&OPERANDS),
            definitions: file,
            items: text_of_game(context, &Named::Items.name(context)),
        };
        let Some(map) = map else { return Ok(out) };
        let scripts = Scripts::of_game(map, &script_context.context, script_context.definitions)?;
        scripts.check_limits(None)?;
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

    /// Creates an editor for an unpacked map; `None` if the folder has no script texts.
    ///
    /// # Errors
    /// Returns an error if the map cannot be read.
    pub fn open_unpacked(folder: &Unpacked, script_context: &ScriptContext<'_>) -> Result<Option<Self>> {
        let Some((map, (lexicon, definitions))) = redguard_world::map::for_scripts(folder)? else {
            return Ok(None);
        };
        let mut out = Self::open(Some(&map), script_context, None)?;
        out.lexicon = lexicon;
        // The game's definition file has a path on disk, but the map may have been unpacked with a different one.
        if let Some(text) = definitions.filter(|text| *text != out.definitions.text) {
            out.definitions = TextFile { path: None, name: DEFINITIONS.to_owned(), text };
        }
        Ok(Some(out))
    }

    fn by_name(&self, name: &str) -> Option<usize> {
        self.objects.iter().position(|object| object.eq_ignore_ascii_case(name))
    }

    fn with_context<T>(&self, owner: Option<usize>, run: impl FnOnce(&EditContext<'_>) -> T) -> T {
        let spoken = |label: &str| self.lines.get(label).map(str::to_owned);
        let actor = owner.and_then(|number| self.actors.get(number));
        let name = owner.and_then(|number| self.objects.get(number));
        let source = SourceContext {
            lexicon: &self.lexicon,
            actor: name.map_or("", String::as_str),
            index: owner.unwrap_or_default(),
            texts: actor.map_or(&[], |actor| actor.texts.as_slice()),
            spoken: &spoken,
        };
        run(&EditContext {
            source,
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

/// Returns the names of functions and flags, and the file that defines them.
fn definitions_of(
    script_context: &ScriptContext<'_>,
    given: Option<&Path>,
) -> Result<(Arc<Definitions>, TextFile)> {
    let name = DEFINITIONS.to_owned();
    if let Some(source) = script_context.definitions {
        let file = DefinitionFile::read(source)?;
        let text = file.text();
        let path = given.map(Path::to_path_buf);
        return Ok((Arc::new(file.names().clone()), TextFile { path, name, text }));
    }
    let names = GameNames::of_game(&script_context.context);
    let text = match GameNames::file_of_game(&script_context.context).filter(|_| names.is_own) {
        Some(source) => DefinitionFile::read(&source)?.text(),
        None => soup::definitions::SHIPPED_FILE.to_owned(),
    };
    let path = GameNames::path_of_game(&script_context.context).filter(|_| names.is_own);
    Ok((names.names, TextFile { path, name, text }))
}

/// The maximum size in bytes of a text file that is shown.
const MAX_TEXT_BYTES: u64 = 4 << 20;

fn text_of_game(context: &Context<'_>, name: &str) -> Option<TextFile> {
    let found = context.install.find(name).found()?;
    let source: Source = context.install.open(&found.location).ok()?;
    let bytes = (source.len() <= MAX_TEXT_BYTES).then(|| source.read_all())?.ok()?;
    let text = Charset::Cp437.decode(&bytes).into_owned();
    Some(TextFile { path: context.install.on_disk(&found.location), name: name.to_owned(), text })
}

impl TextFile {
    fn declaration(&self, span: Span) -> Declaration {
        Declaration::File { path: self.path.clone(), name: self.name.clone(), text: self.text.clone(), span }
    }
}

impl ScriptEditor {
    /// Returns the index of the object that a text belongs to.
    #[must_use]
    pub fn owner(&self, text: &EditedText<'_>) -> Option<usize> {
        if let Some((name, number)) = actor_of(text.text) {
            let is_match = |number: &usize| self.objects.get(*number).is_some_and(|it| *it == name);
            return number.filter(is_match).or_else(|| self.by_name(&name));
        }
        // An unpacked map names its scripts like `012-NAME.soup`.
        let numbered = || {
            let (number, name) = text.stem.split_once('-')?;
            let number: usize = number.parse().ok()?;
            self.objects.get(number).filter(|it| it.eq_ignore_ascii_case(name)).map(|_| number)
        };
        self.by_name(text.stem).or_else(numbered)
    }

    /// Returns the scripts of the map.
    #[must_use]
    pub fn scripts(&self) -> Vec<EditedScript> {
        let has_script = |number: &usize| {
            self.actors.get(*number).is_some_and(|it| it.script.as_ref().is_some_and(|it| !it.is_empty()))
        };
        (0..self.actors.len()).filter(has_script).filter_map(|number| self.edited(number)).collect()
    }

    /// Returns a script of the map as text.
    #[must_use]
    pub fn script(&self, number: usize) -> Option<String> {
        let actor = self.actors.get(number)?;
        let script = Script::read(actor.script.as_ref()?, actor.start, self.operands);
        Some(self.with_context(Some(number), |context| script.text(&context.source).text))
    }

    /// Returns the problems of a text, in line order.
    #[must_use]
    pub fn findings(&self, text: &EditedText<'_>) -> Vec<Finding> {
        self.with_context(self.owner(text), |context| editor::findings(text.text, context))
    }

    /// Returns the completions at a position.
    #[must_use]
    pub fn complete(&self, text: &EditedText<'_>, at: Position) -> Option<Completions> {
        self.with_context(self.owner(text), |context| editor::complete(text.text, context, at))
    }

    /// Returns the information about the name at a position.
    #[must_use]
    pub fn hover(&self, text: &EditedText<'_>, at: Position) -> Option<Hover> {
        self.with_context(self.owner(text), |context| editor::hover(text.text, context, at))
    }

    /// Returns the signature of the call around a position.
    #[must_use]
    pub fn signature(&self, text: &EditedText<'_>, at: Position) -> Option<Signature> {
        self.with_context(self.owner(text), |context| editor::signature(text.text, context, at))
    }

    /// Returns all names in a text.
    #[must_use]
    pub fn names(&self, text: &str) -> Vec<Occurrence> {
        editor::names(text, &self.lexicon)
    }

    /// Returns the name at a position.
    #[must_use]
    pub fn name_at(&self, text: &str, at: Position) -> Option<Occurrence> {
        editor::name_at(text, &self.lexicon, at)
    }

    /// Returns the name at a position if it can be renamed, and to `new_name` if that is given.
    ///
    /// # Errors
    /// Returns the reason if the name cannot be renamed.
    pub fn rename(
        &self,
        text: &EditedText<'_>,
        at: Position,
        new_name: Option<&str>,
    ) -> std::result::Result<Occurrence, RenameError> {
        self.with_context(self.owner(text), |context| editor::rename(text.text, context, at, new_name))
    }

    /// Returns the location of a declaration outside of the edited texts.
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

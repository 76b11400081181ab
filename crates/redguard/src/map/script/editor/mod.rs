//! What an editor of texts is told of the scripts of a map.

mod convert;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::script::ScriptContext;
use asset::script::editor::{
    CallSignature, Declaration, EditedScript, EditedText, NameInText, OutlinePart, ScriptEditing,
    ScriptEditor, ScriptName, TextCompletions, TextFinding, TextHover, TextPosition, TextRange,
};
use asset::{Charset, Context};
use record::{Bytes, Result, Source};
use soup::bytecode::{Operands, Script};
use soup::editor::{self, Known, MapKnowledge};
use soup::text::{Surroundings, actor_of};
use soup::{Definitions, Lexicon};

use super::{OPERANDS, Scripts, map_names, typed};
use crate::map::layout::Map;
use crate::settings::def::{DefinitionFile, GameNames};
use crate::settings::ini::{item_line, item_names};
use crate::sound::rtx;

/// SOUP, as it is edited.
pub(super) const EDITING: ScriptEditing = ScriptEditing {
    open: |asset, context, definitions| {
        let asset = asset.map(typed).transpose()?;
        Ok(Box::new(MapEditor::open(asset, context, definitions)?))
    },
    open_unpacked: |folder, context| {
        let Some((map, (lexicon, definitions))) = crate::map::unpack::for_scripts(folder)? else {
            return Ok(None);
        };
        let mut out = MapEditor::open(Some(&map), context, None)?;
        out.lexicon = lexicon;
        // The file of the game has its place on disk; the map may have been unpacked with another one.
        if let Some(text) = definitions.filter(|text| *text != out.definitions.text) {
            out.definitions = TextFile { path: None, name: DEFINITIONS.to_owned(), text };
        }
        Ok(Some(Box::new(out)))
    },
};

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

/// The names of a game, and the objects of a map.
#[derive(Debug)]
struct MapEditor {
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

impl MapEditor {
    fn open(map: Option<&Map>, around: &ScriptContext<'_>, definitions: Option<&Path>) -> Result<Self> {
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
        let scripts = Scripts::new(map, around)?;
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
    fn declaration(&self, range: TextRange) -> Declaration {
        Declaration::File { path: self.path.clone(), name: self.name.clone(), text: self.text.clone(), range }
    }
}

impl ScriptEditor for MapEditor {
    fn owner(&self, text: &EditedText<'_>) -> Option<usize> {
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

    fn scripts(&self) -> Vec<EditedScript> {
        let has_script = |number: &usize| {
            self.actors.get(*number).is_some_and(|it| it.script.as_ref().is_some_and(|it| !it.is_empty()))
        };
        (0..self.actors.len()).filter(has_script).filter_map(|number| self.edited(number)).collect()
    }

    fn script(&self, number: usize) -> Option<String> {
        let actor = self.actors.get(number)?;
        let script = Script::read(actor.script.as_ref()?, actor.start, self.operands);
        Some(self.with_known(Some(number), |known| script.text(&known.around).text))
    }

    fn findings(&self, text: &EditedText<'_>) -> Vec<TextFinding> {
        let found = self.with_known(self.owner(text), |known| editor::findings(text.text, known));
        found.into_iter().map(convert::finding).collect()
    }

    fn complete(&self, text: &EditedText<'_>, at: TextPosition) -> Option<TextCompletions> {
        let at = convert::position(at);
        let found = self.with_known(self.owner(text), |known| editor::complete(text.text, known, at));
        found.map(convert::completions)
    }

    fn hover(&self, text: &EditedText<'_>, at: TextPosition) -> Option<TextHover> {
        let at = convert::position(at);
        let found = self.with_known(self.owner(text), |known| editor::hover(text.text, known, at));
        found.map(|it| TextHover {
            range: convert::range(it.span),
            declaration: it.declaration,
            about: it.about,
        })
    }

    fn signature(&self, text: &EditedText<'_>, at: TextPosition) -> Option<CallSignature> {
        let at = convert::position(at);
        let found = self.with_known(self.owner(text), |known| editor::signature(text.text, known, at));
        found.map(|it| CallSignature {
            label: it.label,
            parameters: it.parameters,
            active: it.active,
            about: it.about,
        })
    }

    fn names(&self, text: &str) -> Vec<NameInText> {
        editor::names(text, &self.lexicon).into_iter().map(convert::name).collect()
    }

    fn name_at(&self, text: &str, at: TextPosition) -> Option<NameInText> {
        editor::name_at(text, &self.lexicon, convert::position(at)).map(convert::name)
    }

    fn rename(
        &self,
        text: &EditedText<'_>,
        at: TextPosition,
        new_name: Option<&str>,
    ) -> std::result::Result<NameInText, String> {
        let at = convert::position(at);
        let renamed =
            self.with_known(self.owner(text), |known| editor::rename(text.text, known, at, new_name));
        renamed.map(convert::name).map_err(|why| why.to_string())
    }

    fn declaration(&self, kind: ScriptName, name: &str) -> Option<Declaration> {
        match kind {
            ScriptName::Text => {
                self.by_name(name).and_then(|number| self.edited(number)).map(Declaration::Script)
            }
            ScriptName::Item => {
                let file = self.items.as_ref()?;
                let (line, start, end) = item_line(&file.text, name)?;
                Some(file.declaration(TextRange { line, start, end }))
            }
            _ => {
                let file = &self.definitions;
                let found = editor::declared_in(&file.text, convert::kind(kind), name)?;
                Some(file.declaration(convert::range(found)))
            }
        }
    }

    fn outline(&self, text: &str) -> Vec<OutlinePart> {
        let part = |it: editor::OutlineItem| OutlinePart {
            name: it.name,
            range: convert::range(it.span),
            last_line: it.last_line,
        };
        editor::outline(text).into_iter().map(part).collect()
    }

    fn folds(&self, text: &str) -> Vec<(usize, usize)> {
        editor::folds(text).into_iter().map(|it| (it.first, it.last)).collect()
    }
}

//! Information for script editors: games, and files with scripts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::game::Root;
use asset::{Context, Error, Options, Source, Unpacked};
use files::{disk, walk};

use crate::run::Outcome;
use crate::script::{FORMAT, ScriptContext, ScriptEditor, ScriptTextOptions};
use crate::session::installs::Installs;
use crate::session::{Input, ScriptOptions, Session};

/// Manifest of an unpacked file.
const MANIFEST: &str = "antiquary.json";

/// Editor information for the scripts of an unpacked file.
#[derive(Debug)]
#[non_exhaustive]
pub struct UnpackedEditor {
    /// Original name of the file.
    pub source_name: String,
    /// Editor information.
    pub editor: ScriptEditor,
}

impl Session<'_> {
    /// Returns the folder of the game that contains a file or folder, or `None` if no game layout is recognized.
    #[must_use]
    pub fn game_around(&self, path: &Path) -> Option<PathBuf> {
        let root = Root::around(path, self.catalog.games()).ok()?;
        root.game.map(|_| root.folder)
    }

    /// Returns a session whose games are opened once, so that their data is cached for all later operations.
    ///
    /// # Errors
    /// Fails if a game cannot be opened.
    pub fn with_opened_games(&self) -> Result<Self, Error> {
        if self.games.is_empty() {
            return Ok(self.clone());
        }
        let games = self.catalog.games();
        let roots = self.games.iter().map(|folder| Ok(Root::at(folder, games)?.with_links(self.links)));
        let roots = roots.collect::<Result<Vec<_>, Error>>()?;
        let install = asset::game::install_of(&roots)?.with_opened(self.opened());
        Ok(self.clone().install(Arc::new(install)))
    }

    /// Returns the editor information for the scripts of a file.
    ///
    /// # Errors
    /// Fails if the format of the file has no scripts, or if the file cannot be read.
    pub fn script_editor(&self, input: &Path, options: &ScriptOptions) -> Result<ScriptEditor, Error> {
        let definitions = options.definitions.as_deref();
        let made = self.with_scripts(input, options, |map, context, _| {
            ScriptEditor::open(Some(map), context, definitions)
        });
        made.map(|(_, editor)| editor)
    }

    /// Returns the editor information for scripts without a file, based on the game if there is one.
    ///
    /// # Errors
    /// Fails if a game or the definitions cannot be read.
    pub fn script_editor_of_game(&self, options: &ScriptOptions) -> Result<ScriptEditor, Error> {
        let definitions = options.definitions.as_deref();
        self.in_game(options, |context| ScriptEditor::open(None, context, definitions))
    }

    /// Returns the editor information for the scripts of an unpacked file, or `None` if the folder is not an unpacked file
    /// with scripts.
    ///
    /// # Errors
    /// Fails if the folder or the game cannot be read.
    pub fn script_editor_of_folder(&self, folder: &Path) -> Result<Option<UnpackedEditor>, Error> {
        if !disk::is_file(&folder.join(MANIFEST)) {
            return Ok(None);
        }
        let unpacked = Unpacked::open(folder)?;
        if unpacked.format() != FORMAT.id {
            return Ok(None);
        }
        let editor = self
            .in_game(&ScriptOptions::default(), |context| ScriptEditor::open_unpacked(&unpacked, context))?;
        let source_name = unpacked.source_name().to_owned();
        Ok(editor.map(|editor| UnpackedEditor { source_name, editor }))
    }

    /// Calls `take` for each file with scripts in the given games and folders. The outcome contains the file, and the error
    /// if it could not be read.
    ///
    /// # Errors
    /// Fails if a game or the definitions cannot be read.
    pub fn each_script_editor<T>(
        &self,
        paths: &[PathBuf],
        options: &ScriptOptions,
        take: impl Fn(&ScriptEditor) -> T,
    ) -> Result<Vec<(Outcome, Option<T>)>, Error> {
        let definitions = options.definitions.as_deref();
        self.in_each_with_scripts(&self.find_inputs(paths), options, |map, context| {
            Ok(take(&ScriptEditor::open(Some(map), context, definitions)?))
        })
    }

    /// Returns the game's file with scripts that has this stem, ignoring letter case.
    #[must_use]
    pub fn scripted_file(&self, game: &Path, stem: &str) -> Option<PathBuf> {
        let is_it = |file: &PathBuf| {
            let extension = file.extension().map(|it| it.to_string_lossy().to_lowercase());
            file.file_stem().is_some_and(|it| it.to_string_lossy().eq_ignore_ascii_case(stem))
                && extension.is_some_and(|extension| FORMAT.extensions.contains(&extension.as_str()))
        };
        let mut found: Vec<_> = walk::files_recursive(game).into_iter().filter(is_it).collect();
        found.sort();
        found.into_iter().next()
    }

    pub(super) fn in_game<T>(
        &self,
        options: &ScriptOptions,
        run: impl FnOnce(&ScriptContext<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let installs = Installs::new(self, &self.opened())?;
        let install = installs.of(&Input::of_source("text", Source::from(Vec::new())))?;
        let definitions = options.definitions.as_deref().map(disk::open).transpose()?;
        let options = Options::parse(ScriptTextOptions::DECLARED, &options.options)?;
        let context = Context { install: &install, location: None, options: &options };
        let context = ScriptContext { context, file_name: "", definitions: definitions.as_ref() };
        catch_unwind(AssertUnwindSafe(|| run(&context)))
            .unwrap_or_else(|_| Err(Error::unsupported("internal error while reading the game")))
    }
}

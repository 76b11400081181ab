//! All names in the scripts of a game.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use antiquary::script::{EditedScript, ScriptEditor};
use antiquary::soup::editor::{NameKind, Span};
use antiquary::{Error, ScriptOptions, Session};

/// More bytes of text are not kept. The scripts of the whole game are a tenth of it.
const MOST_BYTES: usize = 256 << 20;

/// More places are not kept.
const MOST_PLACES: usize = 8 << 20;

/// A script of a file of the game.
#[derive(Debug)]
pub(crate) struct IndexedText {
    /// The number of the file.
    file: usize,
    pub(crate) script: EditedScript,
    pub(crate) text: String,
}

/// All names in the scripts of a game.
#[derive(Debug, Default)]
pub(crate) struct Index {
    files: BTreeMap<usize, PathBuf>,
    texts: Vec<IndexedText>,
    names: HashMap<(NameKind, String), Vec<(usize, Span)>>,
    bytes: usize,
    places: usize,
    /// Whether there is more than is kept.
    pub(crate) is_cut: bool,
    /// Files that could not be read.
    pub(crate) failed: Vec<String>,
}

impl Index {
    /// Reads all scripts of files and games.
    pub(crate) fn of(
        session: &Session<'_>,
        paths: &[PathBuf],
        options: &ScriptOptions,
    ) -> Result<Self, Error> {
        let out = RefCell::new(Self::default());
        let count = Cell::new(0_usize);
        let outcomes = session.each_script_editor(paths, options, |editor| {
            let file = count.get();
            count.set(file.saturating_add(1));
            out.borrow_mut().add(file, editor);
            file
        })?;
        let mut out = out.into_inner();
        for (outcome, file) in outcomes {
            match file {
                Some(file) => drop(out.files.insert(file, PathBuf::from(outcome.input))),
                None => out.failed.push(outcome.input),
            }
        }
        Ok(out)
    }

    fn add(&mut self, file: usize, editor: &ScriptEditor) {
        for script in editor.scripts() {
            let Some(text) = editor.script(script.number) else { continue };
            self.bytes = self.bytes.saturating_add(text.len());
            if self.bytes > MOST_BYTES || self.places > MOST_PLACES {
                self.is_cut = true;
                return;
            }
            let number = self.texts.len();
            for it in editor.names(&text).into_iter().filter(|it| !it.kind.is_of_text()) {
                self.places = self.places.saturating_add(1);
                self.names.entry((it.kind, it.name)).or_default().push((number, it.span));
            }
            self.texts.push(IndexedText { file, script, text });
        }
    }

    /// A text, and the file that its script stands in.
    pub(crate) fn text(&self, number: usize) -> Option<(&Path, &IndexedText)> {
        let text = self.texts.get(number)?;
        Some((self.files.get(&text.file)?, text))
    }

    /// Where something is named: the number of the text, and the place in it. In the order of the texts.
    pub(crate) fn places(&self, kind: NameKind, name: &str) -> &[(usize, Span)] {
        self.names.get(&(kind, name.to_owned())).map(Vec::as_slice).unwrap_or_default()
    }
}

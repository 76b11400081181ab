//! Index of all names in the scripts of a game.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use antiquary::script::{EditedScript, ScriptEditor};
use antiquary::soup::editor::{NameKind, Span};
use antiquary::{Error, ScriptOptions, Session};

/// Maximum size of all indexed texts, in bytes. The scripts of the game have a tenth of it.
const MAX_BYTES: usize = 256 << 20;

/// Maximum number of indexed occurrences.
const MAX_OCCURRENCES: usize = 8 << 20;

/// A script of a file of the game.
#[derive(Debug)]
pub(crate) struct IndexedText {
    /// Number of the file.
    file: usize,
    pub(crate) script: EditedScript,
    pub(crate) text: String,
}

/// Index of all names in the scripts of a game.
#[derive(Debug, Default)]
pub(crate) struct Index {
    files: BTreeMap<usize, PathBuf>,
    texts: Vec<IndexedText>,
    names: HashMap<(NameKind, String), Vec<(usize, Span)>>,
    bytes: usize,
    occurrences: usize,
    /// Whether texts were left out because of the limits.
    pub(crate) is_truncated: bool,
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
            if self.bytes > MAX_BYTES || self.occurrences > MAX_OCCURRENCES {
                self.is_truncated = true;
                return;
            }
            let number = self.texts.len();
            for it in editor.names(&text).into_iter().filter(|it| !it.kind.is_local()) {
                self.occurrences = self.occurrences.saturating_add(1);
                self.names.entry((it.kind, it.name)).or_default().push((number, it.span));
            }
            self.texts.push(IndexedText { file, script, text });
        }
    }

    /// A text, and the file that contains its script.
    pub(crate) fn text(&self, number: usize) -> Option<(&Path, &IndexedText)> {
        let text = self.texts.get(number)?;
        Some((self.files.get(&text.file)?, text))
    }

    /// Occurrences of a name: the number of the text, and the range in it. Sorted by text.
    pub(crate) fn occurrences(&self, kind: NameKind, name: &str) -> &[(usize, Span)] {
        self.names.get(&(kind, name.to_owned())).map(Vec::as_slice).unwrap_or_default()
    }
}

//! The communication with a client, from `initialize` to `exit`.

mod handler;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use crate::framing::{Inbox, Shutdown};
use antiquary::{Error, Session};
use gen_lsp_types::{
    CancelParams, Diagnostic, DidChangeConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, Id, InitializeParams,
};
use lsp_server::{ErrorCode, Message, Notification, RequestId};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::lsp::document::{Document, OpenText};
use crate::lsp::index::Index;
use crate::lsp::library::Library;
use crate::lsp::position::Encoding;
use crate::lsp::protocol::RequestError;
use crate::lsp::settings::Settings;
use crate::lsp::settings_file;
use crate::lsp::transport::{self, Received};
use crate::lsp::uri;
use crate::lsp::workspace::{Origin, Scripts, Workspace};

/// Serves a client until it sends `exit`, which is [clean](Shutdown::Clean) after `shutdown`, or until its stream ends. Files are resolved
/// with the session and the settings.
///
/// # Errors
/// If the output cannot be written.
pub fn run(
    session: &Session<'static>,
    settings: Settings,
    from: impl BufRead + Send + 'static,
    to: &mut dyn Write,
) -> io::Result<Shutdown> {
    Server::new(session, settings, to).serve(&mut Inbox::open(from, transport::parse))
}

const END_OF_INPUT: &str = "the input ended, possibly within a message, before the client sent `exit`; the language server is meant to be started by an editor";
const NO_SHUTDOWN: &str = "the client sent `exit` without `shutdown`";

/// The stage of the communication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    ShutDown,
}

/// The state of the server: the client, its texts, and their origins.
pub(crate) struct Server<'a> {
    to: &'a mut dyn Write,
    stage: Stage,
    pub(crate) workspace: Workspace,
    pub(crate) library: Library,
    /// Open script texts, by normalized URI.
    pub(crate) documents: BTreeMap<String, Document>,
    /// Open settings files, by normalized URI.
    pub(crate) settings_files: BTreeMap<String, OpenText>,
    /// Texts whose problems have not been published.
    changed: BTreeSet<String>,
    indexes: HashMap<Origin, Arc<Index>>,
    pub(crate) encoding: Encoding,
    /// Whether the client supports snippets in completions.
    pub(crate) snippets: bool,
    /// Whether the user was notified that only the names of the original game are available.
    has_notified: bool,
}

impl<'a> Server<'a> {
    fn new(session: &Session<'static>, settings: Settings, to: &'a mut dyn Write) -> Self {
        Self {
            to,
            stage: Stage::New,
            workspace: Workspace::new(session, settings),
            library: Library::default(),
            documents: BTreeMap::new(),
            settings_files: BTreeMap::new(),
            changed: BTreeSet::new(),
            indexes: HashMap::new(),
            encoding: Encoding::default(),
            snippets: false,
            has_notified: false,
        }
    }

    fn serve(&mut self, inbox: &mut Inbox<Received>) -> io::Result<Shutdown> {
        loop {
            let received = match inbox.try_recv() {
                Some(received) => received,
                None => {
                    // No newer message has arrived.
                    self.publish()?;
                    self.send_notes()?;
                    match inbox.recv() {
                        Some(received) => received,
                        None => return Ok(Shutdown::Aborted(END_OF_INPUT)),
                    }
                }
            };
            match received {
                Received::Refused(answer) => transport::send(self.to, &answer)?,
                Received::Broken(why) => {
                    transport::send(self.to, &transport::refusal(ErrorCode::ParseError, why))?;
                    return Ok(Shutdown::Aborted(why));
                }
                Received::Message(Message::Response(_)) => {}
                Received::Message(Message::Notification(it)) if it.method == "exit" => {
                    let is_clean = self.stage == Stage::ShutDown;
                    return Ok(if is_clean { Shutdown::Clean } else { Shutdown::Aborted(NO_SHUTDOWN) });
                }
                Received::Message(Message::Notification(it)) => self.handle_notification(it),
                Received::Message(Message::Request(it)) => {
                    let answer = if is_canceled(&it.id, inbox.queued()) {
                        Err(RequestError::new(ErrorCode::RequestCanceled, "canceled"))
                    } else {
                        self.guarded(&it.method, it.params)
                    };
                    self.answer(&it.id, answer)?;
                }
            }
            self.send_notes()?;
        }
    }

    fn answer(&mut self, id: &RequestId, answer: Result<Value, RequestError>) -> io::Result<()> {
        let message = match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(RequestError { code, message }) => transport::failure(id, code, message),
        };
        transport::send(self.to, &message)
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) -> io::Result<()> {
        transport::send(self.to, &json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Handles a request. Panics do not end the communication.
    fn guarded(&mut self, method: &str, params: Value) -> Result<Value, RequestError> {
        let run = AssertUnwindSafe(|| self.request(method, params));
        catch_unwind(run).unwrap_or_else(|_| {
            Err(RequestError::new(ErrorCode::InternalError, format!("internal error in {method}")))
        })
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, RequestError> {
        match (self.stage, method) {
            (Stage::New, "initialize") => return self.initialize(params),
            (Stage::New, _) => {
                return Err(RequestError::new(ErrorCode::ServerNotInitialized, "expected initialize first"));
            }
            (Stage::ShutDown, _) => {
                return Err(RequestError::new(ErrorCode::InvalidRequest, "the server was shut down"));
            }
            (Stage::Running, "initialize") => {
                return Err(RequestError::new(ErrorCode::InvalidRequest, "already initialized"));
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::ShutDown;
                return Ok(Value::Null);
            }
            (Stage::Running, _) => {}
        }
        handler::handle(self, method, params)
    }

    fn initialize(&mut self, params: Value) -> Result<Value, RequestError> {
        let params: InitializeParams = serde_json::from_value(params)?;
        if let Some(given) = &params.initialization_options {
            let settings = self.workspace.settings().with(given);
            self.workspace.set(settings);
        }
        let general = params.capabilities.general.as_ref();
        self.encoding = Encoding::of(general.and_then(|it| it.position_encodings.as_deref()));
        let item = params.capabilities.text_document.and_then(|it| it.completion?.completion_item);
        self.snippets = item.and_then(|it| it.snippet_support) == Some(true);
        self.stage = Stage::Running;
        Ok(handler::capabilities(self.encoding))
    }

    fn handle_notification(&mut self, it: Notification) {
        if self.stage != Stage::Running {
            return;
        }
        let method = it.method.clone();
        let run = AssertUnwindSafe(|| self.notification(it));
        if catch_unwind(run).is_err() {
            self.workspace.notes.push(format!("internal error in {method}"));
        }
    }

    /// Malformed notifications are ignored, because notifications have no responses.
    fn notification(&mut self, it: Notification) {
        match it.method.as_str() {
            "textDocument/didOpen" => {
                if let Some(it) = read::<DidOpenTextDocumentParams>(it.params) {
                    let it = it.text_document;
                    self.open(it.uri.0, it.version, it.text);
                }
            }
            "textDocument/didChange" => {
                if let Some(it) = read::<DidChangeTextDocumentParams>(it.params) {
                    let key = uri::normalized(&it.text_document.text_document_identifier.uri.0);
                    let encoding = self.encoding;
                    if let Some(open) = self.open_text_mut(&key) {
                        open.change(it.text_document.version, it.content_changes, encoding);
                        self.changed.insert(key);
                    }
                }
            }
            "textDocument/didClose" => {
                if let Some(it) = read::<DidCloseTextDocumentParams>(it.params) {
                    let key = uri::normalized(&it.text_document.uri.0);
                    let script = self.documents.remove(&key).map(|document| document.open);
                    if let Some(open) = script.or_else(|| self.settings_files.remove(&key)) {
                        self.changed.remove(&key);
                        let _ = self.notify(
                            "textDocument/publishDiagnostics",
                            &json!({ "uri": open.uri, "diagnostics": [] }),
                        );
                    }
                }
            }
            // The origin of a text may have changed on disk.
            "textDocument/didSave" => {
                let saved = read::<DidSaveTextDocumentParams>(it.params);
                let is_open = |it: DidSaveTextDocumentParams| {
                    self.settings_files.contains_key(&uri::normalized(&it.text_document.uri.0))
                };
                if saved.is_some_and(is_open) {
                    self.forget(self.workspace.settings().clone());
                }
                self.refresh_open_texts();
            }
            "workspace/didChangeWatchedFiles" => {
                if let Some(it) = read::<DidChangeWatchedFilesParams>(it.params) {
                    let mut files = it.changes.into_iter().filter_map(|it| uri::path_of(&it.uri.0));
                    if files.any(|file| !antiquary::script::is_text(&file)) {
                        self.forget(self.workspace.settings().clone());
                    }
                    self.refresh_open_texts();
                }
            }
            "workspace/didChangeConfiguration" => {
                if let Some(it) = read::<DidChangeConfigurationParams>(it.params) {
                    let settings = self.workspace.settings().with(&it.settings);
                    if settings != *self.workspace.settings() {
                        self.forget(settings);
                        self.refresh_open_texts();
                    }
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, uri: String, version: i32, text: String) {
        let (key, path) = (uri::normalized(&uri), uri::path_of(&uri));
        let open = OpenText::new(uri, path, version, text);
        if settings_file::is_settings_file(&open) {
            self.settings_files.insert(key.clone(), open);
            self.changed.insert(key);
        } else if let Some(scripts) = self.scripts_of(open.path.as_deref()) {
            self.documents.insert(key.clone(), Document { open, scripts });
            self.changed.insert(key);
        }
    }

    fn open_text_mut(&mut self, key: &str) -> Option<&mut OpenText> {
        let script = self.documents.get_mut(key).map(|document| &mut document.open);
        script.or_else(|| self.settings_files.get_mut(key))
    }

    /// Discards everything that was read from games and maps.
    fn forget(&mut self, settings: Settings) {
        self.workspace.set(settings);
        self.indexes.clear();
    }

    fn refresh_open_texts(&mut self) {
        self.changed.extend(self.settings_files.keys().cloned());
        let open: Vec<_> =
            self.documents.iter().map(|(key, it)| (key.clone(), it.open.path.clone())).collect();
        for (key, path) in open {
            let scripts = self.scripts_of(path.as_deref());
            if let (Some(document), Some(scripts)) = (self.documents.get_mut(&key), scripts) {
                document.scripts = scripts;
                self.changed.insert(key);
            }
        }
    }

    /// The scripts that a text belongs to.
    fn scripts_of(&mut self, path: Option<&Path>) -> Option<Arc<Scripts>> {
        let of_library = path.and_then(|path| self.library.origin_of(path));
        let scripts = match of_library {
            Some(origin) => self.workspace.scripts_from(&origin),
            None => self.workspace.scripts_of(path),
        };
        let scripts = scripts.map_err(|error| self.workspace.notes.push(error.to_string())).ok()?;
        if scripts.origin == Origin::Unknown && !self.has_notified {
            self.has_notified = true;
            let note = "only the names of the original game are available: open texts of an unpacked map, or set the game folder and the map";
            self.workspace.notes.push(note.to_owned());
        }
        Some(scripts)
    }

    /// Sends the pending notes to the user, each once.
    fn send_notes(&mut self) -> io::Result<()> {
        let mut sent: BTreeSet<String> = BTreeSet::new();
        for note in std::mem::take(&mut self.workspace.notes) {
            if sent.insert(note.clone()) {
                self.notify(
                    "window/showMessage",
                    &json!({ "type": 3, "message": format!("Antiquary: {note}") }),
                )?;
            }
        }
        Ok(())
    }

    /// Publishes the problems of the changed texts.
    fn publish(&mut self) -> io::Result<()> {
        for key in std::mem::take(&mut self.changed) {
            let script = self.documents.get(&key).map(|document| &document.open);
            let Some(open) = script.or_else(|| self.settings_files.get(&key)) else { continue };
            let (uri, version) = (open.uri.clone(), open.version);
            let found = catch_unwind(AssertUnwindSafe(|| self.diagnostics(&key)));
            let params = json!({ "uri": uri, "version": version, "diagnostics": found.unwrap_or_default() });
            self.notify("textDocument/publishDiagnostics", &params)?;
        }
        Ok(())
    }

    /// The problems of a text.
    fn diagnostics(&mut self, key: &str) -> Vec<Diagnostic> {
        if let Some(document) = self.documents.get(key) {
            return handler::problem::diagnostics(document, self.encoding);
        }
        let Some(open) = self.settings_files.get(key) else { return Vec::new() };
        let session = self.workspace.session_of(open.path.as_deref());
        let session = session.map_err(|error| self.workspace.notes.push(error.to_string())).ok();
        settings_file::check::diagnostics(open, session.as_ref(), self.encoding)
    }

    /// The index of all names in the scripts of the game that a text belongs to, or of its map.
    pub(crate) fn index(&mut self, scripts: &Scripts) -> Result<Option<Arc<Index>>, Error> {
        let origin = match (&scripts.game, &scripts.origin) {
            (Some(game), _) => Origin::Game(game.clone()),
            (None, origin @ Origin::Map(_)) => origin.clone(),
            (None, _) => return Ok(None),
        };
        if let Some(index) = self.indexes.get(&origin) {
            return Ok(Some(Arc::clone(index)));
        }
        let path = match &origin {
            Origin::Game(path) | Origin::Map(path) | Origin::Folder(path) => path.clone(),
            Origin::Unknown => return Ok(None),
        };
        let session = self.workspace.session_in(scripts.game.clone())?;
        let options = self.workspace.settings().script_options();
        let index = Arc::new(Index::of(&session, &[path], &options)?);
        if index.is_truncated {
            self.workspace.notes.push("the scripts are too long; some were not searched".to_owned());
        }
        if let Some(first) = index.failed.first() {
            let count = index.failed.len();
            self.workspace.notes.push(format!("{count} files could not be searched; the first is {first}"));
        }
        self.indexes.insert(origin, Arc::clone(&index));
        Ok(Some(index))
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

/// Whether one of the queued messages cancels a request.
fn is_canceled(id: &RequestId, queued: &VecDeque<Received>) -> bool {
    queued.iter().any(|it| match it {
        Received::Message(Message::Notification(it)) if it.method == "$/cancelRequest" => {
            let canceled = read::<CancelParams>(it.params.clone()).map(|it| match it.id {
                Id::Int(number) => RequestId::from(number),
                Id::String(text) => RequestId::from(text),
            });
            canceled.as_ref() == Some(id)
        }
        _ => false,
    })
}

//! The exchange with a client: from `initialize` to `exit`.

mod answer;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use crate::framing::{Ended, Inbox};
use antiquary::{Error, Session};
use gen_lsp_types::{
    CancelParams, DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, Id, InitializeParams,
};
use lsp_server::{ErrorCode, Message, Notification, RequestId};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::lsp::document::Document;
use crate::lsp::index::Index;
use crate::lsp::library::Library;
use crate::lsp::position::Encoding;
use crate::lsp::settings::Settings;
use crate::lsp::transport::{self, Received};
use crate::lsp::uri;
use crate::lsp::workspace::{Origin, Scripts, Workspace};

/// Answers a client until it says `exit`, which is [orderly](Ended::Orderly) after `shutdown`, or its stream ends. Files are looked up as the session says, and as the settings say.
///
/// # Errors
/// When nothing can be written any more.
pub fn run(
    session: &Session<'static>,
    settings: Settings,
    from: impl BufRead + Send + 'static,
    to: &mut dyn Write,
) -> io::Result<Ended> {
    Server::new(session, settings, to).serve(&mut Inbox::open(from, transport::understood))
}

const END_OF_INPUT: &str = "the input ended, or broke off within a message, before the client said `exit`; a language server is started by an editor";
const NO_SHUTDOWN: &str = "the client said `exit` without `shutdown`";

/// Where an exchange stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    ShutDown,
}

/// Why a request has no answer.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: ErrorCode,
    message: String,
}

impl Refusal {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::new(ErrorCode::RequestFailed, error.to_string())
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        Self::new(ErrorCode::InvalidParams, error.to_string())
    }
}

/// What is known of the client, of its texts, and of what they belong to.
pub(crate) struct Server<'a> {
    to: &'a mut dyn Write,
    stage: Stage,
    pub(crate) workspace: Workspace,
    pub(crate) library: Library,
    /// The open texts, by address.
    pub(crate) documents: BTreeMap<String, Document>,
    /// Texts of which the problems are not published yet.
    changed: BTreeSet<String>,
    indexes: HashMap<Origin, Arc<Index>>,
    pub(crate) encoding: Encoding,
    /// Whether the client takes completions with places to be filled.
    pub(crate) snippets: bool,
    /// Whether the user was told that only the names of the shipped game are known.
    has_told: bool,
}

impl<'a> Server<'a> {
    fn new(session: &Session<'static>, settings: Settings, to: &'a mut dyn Write) -> Self {
        Self {
            to,
            stage: Stage::New,
            workspace: Workspace::new(session, settings),
            library: Library::default(),
            documents: BTreeMap::new(),
            changed: BTreeSet::new(),
            indexes: HashMap::new(),
            encoding: Encoding::default(),
            snippets: false,
            has_told: false,
        }
    }

    fn serve(&mut self, inbox: &mut Inbox<Received>) -> io::Result<Ended> {
        loop {
            let received = match inbox.arrived() {
                Some(received) => received,
                None => {
                    // Nothing is newer than what is here now.
                    self.publish()?;
                    match inbox.wait() {
                        Some(received) => received,
                        None => return Ok(Ended::Abruptly(END_OF_INPUT)),
                    }
                }
            };
            match received {
                Received::Refused(answer) => transport::send(self.to, &answer)?,
                Received::Broken(why) => {
                    transport::send(self.to, &transport::refusal(ErrorCode::ParseError, why))?;
                    return Ok(Ended::Abruptly(why));
                }
                Received::Message(Message::Response(_)) => {}
                Received::Message(Message::Notification(it)) if it.method == "exit" => {
                    let is_orderly = self.stage == Stage::ShutDown;
                    return Ok(if is_orderly { Ended::Orderly } else { Ended::Abruptly(NO_SHUTDOWN) });
                }
                Received::Message(Message::Notification(it)) => self.notified(it),
                Received::Message(Message::Request(it)) => {
                    let answer = if is_canceled(&it.id, inbox.waiting()) {
                        Err(Refusal::new(ErrorCode::RequestCanceled, "canceled"))
                    } else {
                        self.guarded(&it.method, it.params)
                    };
                    self.answer(&it.id, answer)?;
                }
            }
            self.tell_notes()?;
        }
    }

    fn answer(&mut self, id: &RequestId, answer: Result<Value, Refusal>) -> io::Result<()> {
        let message = match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(Refusal { code, message }) => transport::failure(id, code, message),
        };
        transport::send(self.to, &message)
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) -> io::Result<()> {
        transport::send(self.to, &json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Answers a request; whatever goes wrong, the exchange goes on.
    fn guarded(&mut self, method: &str, params: Value) -> Result<Value, Refusal> {
        let run = AssertUnwindSafe(|| self.request(method, params));
        catch_unwind(run).unwrap_or_else(|_| {
            Err(Refusal::new(ErrorCode::InternalError, format!("internal error in {method}")))
        })
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, Refusal> {
        match (self.stage, method) {
            (Stage::New, "initialize") => return self.initialize(params),
            (Stage::New, _) => {
                return Err(Refusal::new(ErrorCode::ServerNotInitialized, "expected initialize first"));
            }
            (Stage::ShutDown, _) => {
                return Err(Refusal::new(ErrorCode::InvalidRequest, "the server was shut down"));
            }
            (Stage::Running, "initialize") => {
                return Err(Refusal::new(ErrorCode::InvalidRequest, "initialize was sent already"));
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::ShutDown;
                return Ok(Value::Null);
            }
            (Stage::Running, _) => {}
        }
        answer::to(self, method, params)
    }

    fn initialize(&mut self, params: Value) -> Result<Value, Refusal> {
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
        Ok(answer::capabilities(self.encoding))
    }

    fn notified(&mut self, it: Notification) {
        if self.stage != Stage::Running {
            return;
        }
        let method = it.method.clone();
        let run = AssertUnwindSafe(|| self.notification(it));
        if catch_unwind(run).is_err() {
            self.workspace.notes.push(format!("internal error in {method}"));
        }
    }

    /// What cannot be read is passed over: notifications have no answers.
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
                    let key = uri::same(&it.text_document.text_document_identifier.uri.0);
                    if let Some(document) = self.documents.get_mut(&key) {
                        document.change(it.text_document.version, it.content_changes, self.encoding);
                        self.changed.insert(key);
                    }
                }
            }
            "textDocument/didClose" => {
                if let Some(it) = read::<DidCloseTextDocumentParams>(it.params) {
                    let key = uri::same(&it.text_document.uri.0);
                    if let Some(document) = self.documents.remove(&key) {
                        self.changed.remove(&key);
                        let _ = self.notify(
                            "textDocument/publishDiagnostics",
                            &json!({ "uri": document.uri, "diagnostics": [] }),
                        );
                    }
                }
            }
            // What a text belongs to may have changed on disk.
            "textDocument/didSave" => self.look_up_again(),
            "workspace/didChangeWatchedFiles" => {
                if let Some(it) = read::<DidChangeWatchedFilesParams>(it.params) {
                    let mut files = it.changes.into_iter().filter_map(|it| uri::path_of(&it.uri.0));
                    if files.any(|file| !antiquary::script::is_text(&file)) {
                        self.forget(self.workspace.settings().clone());
                    }
                    self.look_up_again();
                }
            }
            "workspace/didChangeConfiguration" => {
                if let Some(it) = read::<DidChangeConfigurationParams>(it.params) {
                    let settings = self.workspace.settings().with(&it.settings);
                    if settings != *self.workspace.settings() {
                        self.forget(settings);
                        self.look_up_again();
                    }
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, uri: String, version: i32, text: String) {
        let (key, path) = (uri::same(&uri), uri::path_of(&uri));
        if let Some(scripts) = self.scripts_of(path.as_deref()) {
            self.documents.insert(key.clone(), Document::new(uri, path, version, text, scripts));
            self.changed.insert(key);
        }
    }

    /// Forgets all that was read of games and maps.
    fn forget(&mut self, settings: Settings) {
        self.workspace.set(settings);
        self.indexes.clear();
    }

    fn look_up_again(&mut self) {
        let open: Vec<_> = self.documents.iter().map(|(key, it)| (key.clone(), it.path.clone())).collect();
        for (key, path) in open {
            let scripts = self.scripts_of(path.as_deref());
            if let (Some(document), Some(scripts)) = (self.documents.get_mut(&key), scripts) {
                document.scripts = scripts;
                self.changed.insert(key);
            }
        }
    }

    /// What a text belongs to.
    fn scripts_of(&mut self, path: Option<&Path>) -> Option<Arc<Scripts>> {
        let of_library = path.and_then(|path| self.library.origin_of(path));
        let scripts = match of_library {
            Some(origin) => self.workspace.scripts_from(&origin),
            None => self.workspace.scripts_of(path),
        };
        let scripts = scripts.map_err(|error| self.workspace.notes.push(error.to_string())).ok()?;
        if scripts.origin == Origin::Nothing && !self.has_told {
            self.has_told = true;
            let note = "only the names of the shipped game are known: open texts of an unpacked map, or set the game folder and the map";
            self.workspace.notes.push(note.to_owned());
        }
        Some(scripts)
    }

    /// Tells the user what there is to tell, each thing once.
    fn tell_notes(&mut self) -> io::Result<()> {
        let mut told: BTreeSet<String> = BTreeSet::new();
        for note in std::mem::take(&mut self.workspace.notes) {
            if told.insert(note.clone()) {
                self.notify(
                    "window/showMessage",
                    &json!({ "type": 3, "message": format!("Antiquary: {note}") }),
                )?;
            }
        }
        Ok(())
    }

    /// Publishes what is wrong with the texts that changed.
    fn publish(&mut self) -> io::Result<()> {
        for key in std::mem::take(&mut self.changed) {
            let Some(document) = self.documents.get(&key) else { continue };
            let (encoding, uri, version) = (self.encoding, document.uri.clone(), document.version);
            let found = catch_unwind(AssertUnwindSafe(|| answer::problem::diagnostics(document, encoding)));
            let found = found.unwrap_or_else(|_| json!([]));
            let params = json!({ "uri": uri, "version": version, "diagnostics": found });
            self.notify("textDocument/publishDiagnostics", &params)?;
        }
        Ok(())
    }

    /// All names in the scripts of the game that a text belongs to, or of its map.
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
            Origin::Nothing => return Ok(None),
        };
        let session = self.workspace.session_in(scripts.game.clone())?;
        let options = self.workspace.settings().script_options();
        let index = Arc::new(Index::of(&session, &[path], &options)?);
        if index.is_cut {
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

/// Whether the client takes a request back with one of the messages that wait.
fn is_canceled(id: &RequestId, waiting: &VecDeque<Received>) -> bool {
    waiting.iter().any(|it| match it {
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

/// A request of this method with these parameters.
pub(crate) fn params<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    Ok(serde_json::from_value(value)?)
}

//! A language server for script texts, which uses the Language Server Protocol over any pair of streams.
//!
//! [`run`] serves one client. The facts about texts come from [`ScriptEditor`](antiquary::script::ScriptEditor) and
//! [`editor`](antiquary::soup::editor).
//!
//! A thread reads messages; everything else runs in order on the calling thread. Requests that are canceled before they are processed are
//! not computed, and problems are published only for the newest version of a text.

mod document;
mod index;
mod library;
mod position;
mod server;
mod settings;
#[cfg(test)]
mod tests;
mod transport;
mod uri;
mod workspace;

pub use server::run;
pub use settings::Settings;

//! A language server for the texts of scripts, by the Language Server Protocol over any pair of streams.
//!
//! [`run`] answers one client. What is known of texts comes from [`ScriptEditor`](antiquary::script::ScriptEditor) and
//! [`editor`](antiquary::soup::editor).
//!
//! A thread reads messages; all else happens in order on the calling thread. What was asked for and canceled before its turn is not computed,
//! and problems are published for the newest version of a text only.

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

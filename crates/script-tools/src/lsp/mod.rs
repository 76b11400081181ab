//! A language server for script texts and settings files, which uses the Language Server Protocol over any pair of streams.
//!
//! [`run`] serves one client. The facts about scripts come from [`ScriptEditor`](antiquary::script::ScriptEditor) and
//! [`editor`](antiquary::soup::editor), those about settings from the [declarations](antiquary::asset::SettingDoc) of their format.
//!
//! A thread reads messages; everything else runs in order on the calling thread. Requests that are canceled before they are processed are
//! not computed, and problems are published only for the newest version of a text.

mod document;
mod index;
mod library;
mod position;
mod protocol;
mod server;
mod settings;
mod settings_file;
#[cfg(test)]
mod tests;
mod transport;
mod uri;
mod workspace;

pub use server::run;
pub use settings::Settings;

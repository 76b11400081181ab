//! End-to-end tests of the program: it is started as a process, and its exit code, messages and output files are checked.

#[cfg(test)]
mod archive;
mod build;
#[cfg(test)]
mod change;
#[cfg(test)]
mod charset;
mod check;
mod convert;
#[cfg(test)]
mod debug;
mod demo;
mod find;
mod formats;
#[cfg(test)]
mod game;
mod hex;
mod hint;
mod info;
#[cfg(test)]
mod interrupt;
mod json;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod link;
#[cfg(test)]
mod lsp;
mod name;
#[cfg(test)]
mod overwrite;
mod pack;
#[cfg(test)]
mod quest;
mod scan;
mod script;
#[cfg(test)]
mod script_test;
#[cfg(test)]
mod setup;
mod stream;
#[cfg(test)]
mod view;

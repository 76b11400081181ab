//! A debug adapter for editors.

//! Scenes that were made in other programs.

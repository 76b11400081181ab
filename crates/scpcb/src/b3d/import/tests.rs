//! Models out of scenes: our own, edited, and made from scratch.
